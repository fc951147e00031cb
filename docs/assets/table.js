// The head of the table, links and files to share it, and the assembly of the table.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { element, begin, draw, act, button, labelled, words, renew, called } = table;

  // ---- The head of the table: the game, the books asked, and the start of a position.

  const setOf = (store) => store.sets.find((set) => store.layout.rulesets.some((id) => set.rulesets.includes(id.split("+")[0]))) ?? store.sets[0];
  const formsOf = (store, set) => store.forms.filter((form) => form.rulesets.some((each) => set.rulesets.includes(each.id)));
  const choose = (store, set) => {
    const form = store.forms.find((each) => each.key === set.form);
    store.mode = "lay";
    store.change(begin(form, set.rulesets), `The game is ${set.title}`);
  };
  const toggle = (store, id, name, box) => {
    const asked = store.layout.rulesets;
    if (asked.includes(id) && asked.length === 1) {
      box.checked = true;
      return store.speak("At least one book must be chosen. Choose another one first.");
    }
    const rulesets = asked.includes(id) ? asked.filter((each) => each !== id) : [...asked, id];
    store.change(({ drawn_by: drawn, ...layout }) => ({ ...layout, rulesets, ...(rulesets.includes(drawn) ? { drawn_by: drawn } : {}) }), `${name} is ${asked.includes(id) ? "no longer chosen" : "chosen"}`);
  };
  // A book has one choice for each form that it describes; a screen reader reads its form with its name.
  const chip = (store, id, says, title, of) => {
    const box = element("input", { type: "checkbox", "data-ruleset": id });
    box.addEventListener("change", () => toggle(store, id, title, box));
    return element("label", { class: "chip" }, box, element("span", {}, says, ...(of ? [element("span", { class: "unseen" }, ` (${of})`)] : [])));
  };
  // The rulesets asked that are not among the choices: those with several options at once.
  const beside = (store) => store.layout.rulesets.filter((id) => id.split("+").length > 2 || id === "house");
  const options = (store, ruleset, of) =>
    ruleset.options.map(({ id, says }) => element("li", {}, chip(store, `${ruleset.id}+${id}`, `${ruleset.name}: ${says}`, `${ruleset.title}, with ${says}`, of)));
  const listed = (says, some) => (some.length ? [element("p", { class: "of" }, says), element("ul", { class: "options" }, ...some)] : []);
  // The books of a form, with their options; under the form's title if there are several.
  const ofForm = (store, form, several) => {
    const of = several ? form.title : "";
    const books = form.rulesets.map((each) => chip(store, each.id, each.name, each.title, of));
    const chips = element("div", { class: "chips", role: "group", "aria-label": `Books: ${form.title}` }, ...(several ? [element("span", { class: "of" }, form.title)] : []), ...books);
    return [chips, ...listed(several ? `${form.title}, with an option` : "With an option", form.rulesets.flatMap((each) => options(store, each, of)))];
  };
  const booksOf = (store, set) => {
    const forms = formsOf(store, set);
    const besides = (id) => [called(store, id), ...(forms.length > 1 ? table.byForm(store, [{ id }]).keys() : [])].join(", ");
    const others = beside(store).map((id) => element("li", {}, chip(store, id, besides(id), besides(id))));
    return [...forms.flatMap((form) => ofForm(store, form, forms.length > 1)), ...listed("Also chosen", others)];
  };

  // Shows the new table as soon as there is one.
  const shown = (came = true) => {
    if (!came) return;
    for (const each of document.querySelectorAll("#table-head details")) each.open = false;
    const home = document.querySelector("#table section:not([hidden]) > [data-home]");
    home?.focus({ preventScroll: true });
    scrollTo(0, 0);
  };
  const seed = () => crypto.getRandomValues(new Uint32Array(1))[0];
  const deal = (store) => store.fetch({ ask: "deal", layout: store.layout, seed: seed(), dealer: store.layout.given.dealer ?? "B" }, "A new deal");
  const nothing = (store) => {
    store.mode = "lay";
    store.change(begin(store.form, store.layout.rulesets.filter((id) => id !== "house")), "The table is empty");
    return true;
  };

  const asked = (store) => {
    const says = ({ id }) => (id.includes("+") ? `${called(store, id.split("+")[0])} with options` : called(store, id));
    const forms = [...table.byForm(store, store.layout.rulesets.map((id) => ({ id })))];
    const said = forms.map(([title, own]) => `${forms.length > 1 ? `${title}: ` : ""}${[...new Set(own.map(says))].join(", ")}`);
    return `Books: ${said.join("; ")}`;
  };

  // A panel covers the felt. It closes when the reader clicks elsewhere, or presses Escape.
  const closing = (root) => {
    const close = (but) => {
      for (const each of root.querySelectorAll(":scope > details[open]")) if (!each.contains(but)) each.open = false;
    };
    document.addEventListener("click", (event) => event.target.isConnected && close(event.target));
    root.addEventListener("keydown", (event) => event.key === "Escape" && close(null));
  };

  // A button without an effect is not disabled, because a disabled button would lose the focus.
  const undoing = (store) => {
    const undo = act("↶", () => store.undo(), { "aria-label": "Undo", class: "undo" });
    const redo = act("↷", () => store.redo(), { "aria-label": "Redo", class: "undo" });
    const show = () => {
      undo.setAttribute("aria-disabled", !store.canUndo);
      redo.setAttribute("aria-disabled", !store.canRedo);
    };
    return { shown: [undo, redo], show };
  };

  // The reason why there is no answer, and the remedy: shown once, for every part of the page.
  const showTrouble = (place, store) => {
    const failed = store.progress?.failed;
    const trouble = failed ?? store.problem;
    place.hidden = !trouble;
    const again = failed ? [act("Try again", () => store.restart())] : [];
    place.replaceChildren(...(trouble ? [element("p", { class: "trouble" }, draw(element("span", {}, `${trouble.says} ${trouble.remedy ?? ""} `)), ...again)] : []));
  };

  const head = (root, store) => {
    const games = element("select", { "data-key": "game" }, ...store.sets.map((set, at) => element("option", { value: at }, set.title)));
    games.addEventListener("change", () => choose(store, store.sets[games.value]));
    const books = element("div", { class: "books" });
    const who = element("summary");
    const row = element("div", { class: "row" }, act("Empty table", () => shown(nothing(store))), act("Deal the cards", () => deal(store).then(shown)));
    const start = element("details", {}, element("summary", {}, "Start"), element("div", { class: "panel" }, row, table.starting(store)));
    const notice = element("div", { class: "notice", hidden: true });
    const undos = undoing(store);
    root.after(notice);
    root.append(labelled("Game", games), element("details", {}, who, element("div", { class: "panel" }, books)), start, ...undos.shown);
    closing(root);
    let drawn = null;
    const show = () => {
      const set = setOf(store);
      games.value = store.sets.indexOf(set);
      const offered = JSON.stringify([set.title, beside(store)]);
      if (offered !== drawn) books.replaceChildren(...booksOf(store, set));
      drawn = offered;
      const count = new Set(store.layout.rulesets.map((id) => id.split("+")[0])).size;
      who.replaceChildren(element("span", { "aria-hidden": "true" }, `${count} book${count === 1 ? "" : "s"}`), element("span", { class: "unseen" }, asked(store)));
      who.title = asked(store);
      undos.show();
      for (const box of books.querySelectorAll("[data-ruleset]")) box.checked = store.layout.rulesets.includes(box.dataset.ruleset);
      showTrouble(notice, store);
    };
    store.listen(show);
    show();
  };

  // ---- Sharing: a link that opens the same table, and a file that can be added to the suite. Nothing is sent anywhere.

  // --- The link; the address of the page is the same one.
  table.linking = (store) => {
    const copy = button("copy-link", async () => {
      const address = await store.link();
      const none = store.answer ? "This position is too large for a link." : "There is a link once the books answer.";
      const done = address ? navigator.clipboard.writeText(address).then(() => "The link is copied.", () => "Copy the address of this page.") : none;
      store.speak((told.textContent = await done));
    }, "Copy the link");
    const told = element("span", { class: "small" });
    const about = element("p", { class: "small" }, "The link contains the whole table: anyone who opens it sees the same cards and steps, and can go on.");
    return [about, element("div", { class: "row" }, copy, told)];
  };

  const download = (name, text) => {
    const address = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
    const made = element("a", { href: address, download: name });
    made.click();
    URL.revokeObjectURL(address);
  };
  const problems = (found) => element("ul", { class: "problems" }, ...found.map(({ says, remedy }) => words("li", {}, [says, remedy].filter(Boolean).join(" "))));
  const preview = (store, file) => {
    const save = button("save-file", () => download(file.name, file.text), "Download");
    const about = element("p", { class: "proposals" }, element("strong", {}, "Its outcomes are proposals. "), "They are what the reference interpreter does, not what the sources say: confirm each from its source before you add it. ", element("a", { href: "contributing.html" }, "How to contribute a position"));
    const text = element("pre", { tabindex: 0, role: "region", "aria-label": `The file ${file.name}` }, file.text);
    const open = table.leftOpen(store).map(({ says }) => element("p", { class: "small" }, says));
    return [about, ...open, element("p", { class: "name" }, element("code", {}, file.name)), text, element("div", { class: "row" }, save)];
  };

  // The file's form fields; the title is also in the link.
  const naming = (store) => {
    const [name, title] = ["Name", "Title"].map((says) => table.field({ type: "text", says }));
    const input = title.shown.querySelector("input");
    const titled = ({ title: _, ...layout }) => ({ ...layout, ...(title.value() && { title: title.value() }) });
    input.addEventListener("change", () => store.change(titled, "The position has a title"));
    const show = () => {
      if (document.activeElement !== input) input.value = store.layout.title ?? "";
    };
    const asked = () => ({ layout: titled(store.layout), id: name.value(), title: title.value() });
    return { shown: [name.shown, title.shown], asked, show };
  };

  const refusal = ({ says, remedy }) => [words("p", { class: "refusal" }, [says, remedy].filter(Boolean).join(" "))];

  const filing = (root, store) => {
    const { shown, asked, show } = naming(store);
    const place = element("div", { class: "file" });
    const read = async () => {
      const file = await store.ask({ ask: "file", ...asked() });
      const parts = [...(file.problems?.length ? [problems(file.problems)] : []), ...(file.text ? preview(store, file) : [])];
      renew(place, ...(file.error ? refusal(file.error) : parts));
      return file;
    };
    const make = button("make-file", async () => {
      const { error, text } = await read();
      store.speak(error?.says ?? (text ? "The file is shown below" : "The file is not complete yet"));
    }, "Show the file");
    const about = element("p", { class: "small" }, "A scenario file as the suite uses it: the position, the steps, and the answer of each ruleset as a proposal. Give it a name such as to-score.my-example, and a question as its title.");
    root.append(element("h3", {}, "As a scenario file"), about, ...shown, element("div", { class: "row" }, make), place);
    store.listen((_, why) => {
      if (why === "layout") show();
      if (why === "answer" && place.firstChild) read(); // the file that is shown is of the table as it is
    });
    show();
  };

  const taking = (root, store) => {
    root.append(element("h2", { tabindex: -1, "data-home": "" }, "Save or share"), ...table.linking(store));
    filing(root, store);
  };

  Object.assign(table, { shown, seed });

  // ---- The whole table: the store, the parts that draw it, and its announcements to screen readers.

  const part = (name) => document.getElementById(`table-${name}`);

  const MOVES = ["layout", "answer", "mode", "view"]; // changes after which cards may lie elsewhere

  const start = () => {
    const store = new table.Store(JSON.parse(part("forms").textContent), table.engine?.());
    const { laying, felt, acting, verdict, playing, answers, trying } = table;
    const parts = { head, laying, felt, acting, verdict, playing, answers, trying, taking };
    for (const [name, made] of Object.entries(parts)) made(part(name), store);
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
