// Puts the table together: the store, what draws it, and what it says aloud.
(() => {
  const table = globalThis.hoyleTable;
  const part = (name) => document.getElementById(`table-${name}`);

  const MOVES = ["layout", "answer", "mode", "view"]; // changes after which cards may lie elsewhere

  const start = () => {
    const store = new table.Store(JSON.parse(part("forms").textContent), table.engine?.());
    for (const name of ["head", "laying", "felt", "acting", "verdict", "playing", "answers", "trying", "taking"]) table[name](part(name), store);
    const tell = store.tell.bind(store);
    store.tell = (why) => (MOVES.includes(why) ? table.moving(() => tell(why)) : tell(why));
    store.listen((_, why) => {
      if (why === "spoken") part("spoken").textContent = store.spoken;
    });
    addEventListener("hashchange", () => store.open(false));
    document.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches("input, textarea, select")) return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      if (key === "y" || event.shiftKey) store.redo();
      else store.undo();
    });
    document.getElementById("table").hidden = false;
    table.store = store;
    store.open();
  };
  start();
})();
