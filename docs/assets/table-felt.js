// The felt: the table after the step that is shown, as the engine tells it. A sits nearest, the others opposite; between them lies
// what is everybody's. Every card whose face is known can be touched.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { element, touchable, card, draw, act } = table;
  const MANY = 24; // cards in a pile that is folded
  const BACK = "▯";

  const shown = (place) => (name) => {
    const fresh = place.new?.includes(name) && place.new.length < place.cards.length; // where all is new nothing stands out
    const made = name === BACK || name === table.REST ? card(BACK) : touchable(name, { "data-card": name, "data-key": `${place.key} ${name}`, "data-seat": place.seat });
    made.classList.toggle("new", Boolean(fresh));
    return made;
  };
  const cards = (place) => {
    const all = element("span", { class: "cards" }, ...place.cards.map(shown(place)));
    if (place.cards.length <= MANY) return all;
    return element("details", { "data-key": `pile-${place.key}-${place.seat}` }, element("summary", {}, `${place.cards.length} cards`), all);
  };
  // What a place is called beside its cards; a hand needs no name beside that of its player.
  const caption = ({ key, seat, title }) => {
    if (key === "hands") return [];
    const says = seat ? title.replace(new RegExp(`^${seat} `, "u"), "") : title;
    return [element("span", { class: "caption" }, says)];
  };
  const lie = (place) => element("div", { class: `lie ${place.key}`, "data-at": place.seat ? `${place.key}.${place.seat}` : place.key }, ...caption(place), cards(place));
  const said = (fact) => (fact.new ? element("mark", {}, fact.says) : element("span", {}, fact.says));
  const aside = (fact) => element("span", { class: "aside" }, fact.key === "kept" ? "keeps " : "", said(fact));

  // Partners have one score, which both are shown to have; it is told under the first of them.
  const player = (lies, sides, seat, far) => {
    const own = lies.places.filter((place) => place.seat === seat);
    const facts = (lies.facts ?? []).filter((fact) => fact.seat === seat);
    const side = sides.find((each) => each.includes(seat)) ?? [seat];
    const partners = side.filter((each) => each !== seat).map((each) => element("span", { class: "aside" }, `with ${each}`));
    const score = (lies.facts ?? []).filter((fact) => fact.key === "score" && fact.seat === side[0]).map((fact) => element("span", { class: "score" }, said(fact), element("span", { class: "unseen" }, " points")));
    const turn = lies.turn === seat ? [element("span", { class: "turn-mark" }, "to move")] : [];
    const name = element("p", { class: "name" }, element("b", {}, seat), ...partners, ...score, ...turn, ...facts.filter((fact) => fact.key !== "score").map(aside));
    const rows = (far ? own.toReversed() : own).map(lie);
    return element("div", { class: "player", role: "group", "aria-label": seat }, ...(far ? [name, ...rows] : [...rows, name]));
  };
  const middle = (lies) => {
    const open = lies.places.filter((place) => !place.seat).map(lie);
    const facts = (lies.facts ?? []).filter((fact) => !fact.seat).map(aside);
    return element("div", { class: "between", role: "group", "aria-label": "Between them" }, ...open, ...facts);
  };
  const seated = (lies, sides) => {
    const [near, ...others] = lies.seats;
    return [...others.toReversed().map((seat) => player(lies, sides, seat, true)), middle(lies), player(lies, sides, near, false)];
  };

  // On a phone the answers stand far below: in how many ways they differ stands here.
  const sum = (answers) => {
    const { all: books } = table.counted(answers);
    if (!books) return "";
    return `${answers.length === 1 ? (books === 1 ? "What the book says" : `All ${books} agree`) : `${books} books, ${answers.length} different answers`} ↓`;
  };
  const when = ({ at, layout: { steps } }) => (at ? `After step ${at} of ${steps.length}. ` : steps.length ? "Before the first step. " : "");

  const felt = (root, store) => {
    const says = element("p", { class: "stands" });
    const open = element("p", { class: "small" });
    const problems = element("div");
    const place = element("div", { class: "felt", role: "group", "aria-label": "The table" });
    const back = act("Back to the position", () => table.shown(store.lay()));
    const all = act("", () => document.getElementById("table-answers").scrollIntoView({ block: "start" }), { class: "to-answers" });
    root.append(element("h2", { tabindex: -1, "data-home": "" }, "The table"), says, open, problems, place, element("div", { class: "row" }, back, all));
    const show = () => {
      root.hidden = store.mode === "lay";
      if (root.hidden) return;
      const lies = store.answer?.table;
      const otherwise = store.waiting ? "…" : store.answer ? "This position cannot be played yet." : "";
      open.textContent = table.leftOpen(store).map((each) => each.says).join(" ");
      open.hidden = !open.textContent;
      says.replaceChildren(...draw(element("span", {}, lies ? `${when(store)}${lies.says}` : otherwise)).childNodes);
      all.textContent = sum(store.answer?.answers ?? []);
      all.hidden = !all.textContent;
      problems.replaceChildren(...(lies ? [] : table.problemsOf(store)));
      if (lies) table.renew(place, ...seated(lies, store.form.sides).map(draw));
      else if (!store.waiting) place.replaceChildren();
      place.hidden = !place.firstChild;
    };
    store.listen((_, why) => {
      if (["layout", "answer", "mode"].includes(why)) show();
    });
    show();
  };

  Object.assign(table, { felt });
})();
