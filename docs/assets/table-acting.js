// Acting at the table: what may be done now. No rule is known here: what there is to do comes from the engine, in words, and every
// act goes back to it.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { element, button, words, cards, renew } = table;

  const SILENT = ["spoken", "progress"]; // what is told of that changes nothing here

  // What is done follows on the step that is shown; what came after that is replaced.
  const take = (store, step, says) => {
    if (store.waiting) return undefined;
    touch([]);
    if (store.game) return store.game.act(step);
    return store.change((layout) => ({ ...layout, steps: [...layout.steps.slice(0, store.at), step] }), says.replace(/\.$/u, ""));
  };

  // --- Cards that the reader has touched on the felt: the acts that use just these come first, and forms take them up.
  const touched = { cards: [], heard: [] };
  const mark = () => {
    for (const each of document.querySelectorAll("#table-felt button[data-card]")) {
      each.setAttribute("aria-pressed", touched.cards.includes(each.dataset.card));
    }
  };
  const touch = (names) => {
    touched.cards = names;
    mark();
    for (const heard of touched.heard) heard(names);
  };
  const listen = (felt) => {
    felt?.addEventListener("click", (event) => {
      const name = event.target.closest("button[data-card]")?.dataset.card;
      if (name) touch(touched.cards.includes(name) ? touched.cards.filter((each) => each !== name) : [...touched.cards, name]);
    });
  };

  // --- Legal acts, those of one kind together: 2 for those that use just the cards touched, 1 for those that use them too.
  const fit = ({ cards: used = [] }) => {
    if (!touched.cards.length || !touched.cards.every((each) => used.includes(each))) return 0;
    return used.length === touched.cards.length ? 2 : 1;
  };
  const grouped = (acts) => {
    const groups = new Map();
    for (const each of acts) {
      const key = `${fit(each)} ${each.short}`;
      groups.set(key, [...(groups.get(key) ?? []), each]);
    }
    return [...groups.values()].sort(([one], [other]) => fit(other) - fit(one));
  };
  // What one could score, and gives up by an act, stands beside it: for acts of one kind that give up the same once.
  const choice = (store, { step, says, short, cards: used = [], gives_up: lost }, alone) => {
    const name = words("span", { class: alone ? "" : "unseen" }, `${short} `);
    const less = lost ? [words("span", { class: alone ? "gives-up" : "unseen" }, ` ${lost}`)] : [];
    return button(JSON.stringify(step), () => take(store, step, says), name, ...(used.length ? [cards(used)] : []), ...less);
  };
  const choices = (store, group) => {
    const alone = group.length === 1;
    const name = alone ? [] : [element("span", { class: "kind", "aria-hidden": "true" }, group[0].short)];
    const lost = alone ? [] : [...new Set(group.map((each) => each.gives_up).filter(Boolean))];
    const kind = ["", "uses", "just"][fit(group[0])];
    return element("li", { class: kind }, ...name, ...group.map((each) => choice(store, each, alone)), ...lost.map((each) => words("span", { class: "gives-up", "aria-hidden": "true" }, each)));
  };
  // Where acts are too many to be listed: what an open kind of act makes of just the cards that are touched.
  const ofTouched = ({ by, kinds = [], legal = [], more = 0, exchange }) => {
    const names = touched.cards;
    if (exchange && names.length >= exchange.least && names.length <= exchange.most) {
      return [{ step: { by, do: "discard", cards: names }, says: "Exchange", short: "Exchange", cards: names }];
    }
    if (!more || !names.length || legal.some((each) => fit(each) === 2)) return [];
    const made = ({ step, do: does, short, fields, open }) => {
      const needed = fields.filter(({ key, optional }) => key !== "by" && !optional);
      const [asked] = needed;
      const fits = open && needed.length === 1 && asked.type === "cards" && names.length >= asked.least && names.length <= asked.most;
      return fits ? [{ step: { by, ...(step ?? { do: does }), [asked.key]: names }, says: short, short, cards: names }] : [];
    };
    return kinds.flatMap(made);
  };
  const showLegal = (place, store) => {
    const acts = store.answer?.acts ?? {};
    const { legal = [], more = 0 } = acts;
    const parts = grouped([...ofTouched(acts), ...legal]).map((group) => choices(store, group));
    if (acts.exchange) parts.push(element("li", { class: "small" }, `Touch the cards that you exchange: ${acts.exchange.least} to ${acts.exchange.most}.`));
    else if (more) parts.push(element("li", { class: "small" }, `And ${more.toLocaleString("en")} more. Touch the cards on the table.`));
    renew(place, ...parts);
  };

  // --- The whole part.
  const turnSays = ({ answer, waiting, problem }) => {
    if (answer?.table) return answer.table.says;
    if (problem) return ""; // it is said above
    return answer && !waiting ? "This position cannot be played on from." : "Set up the position. The legal acts appear here.";
  };
  const when = ({ at, layout: { steps } }) => (at ? `After step ${at} of ${steps.length}` : steps.length ? "Before the first step" : "");
  const showTurn = (place, store) => {
    const after = store.game ? 0 : store.layout.steps.length - store.at;
    const which = after === 1 ? `step ${store.at + 1}` : `steps ${store.at + 1} to ${store.at + after}`;
    const replaced = after ? [element("span", { class: "small" }, ` Your next step replaces ${which}.`)] : [];
    const at = store.mode === "play" && !store.game && store.layout.steps.length ? [element("span", { class: "small" }, ` ${when(store)}.`)] : [];
    place.replaceChildren(words("span", {}, turnSays(store)), ...at, ...replaced);
  };

  const acting = (root, store) => {
    const turn = element("p", { class: "turn", tabindex: -1, "data-home": "" });
    const legal = element("ul", { class: "legal", "aria-label": "Legal acts" });
    const back = button("set-up", () => table.shown(store.lay()), "Set up");
    root.append(element("h2", { class: "unseen" }, "Acts"), element("div", { class: "line" }, turn, back), legal);
    listen(document.getElementById("table-felt"));
    touched.heard.push(() => showLegal(legal, store));
    const show = () => {
      showTurn(turn, store);
      if (!store.waiting) showLegal(legal, store);
      back.hidden = store.mode === "lay" || Boolean(store.game);
      root.classList.toggle("waiting", store.waiting);
      mark();
    };
    store.listen((_, why) => {
      if (why === "layout" && touched.cards.length) touch([]);
      if (!SILENT.includes(why)) show();
    });
    show();
  };

  Object.assign(table, { acting, takeStep: take, touch, touched });
})();
