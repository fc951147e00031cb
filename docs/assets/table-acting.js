// The table after the current step, and the possible actions. It contains no rules: the engine provides the cards and actions
// in words, and carries out every action.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { element, button, fold, words, cards, renew, field, filled, known, pictured, draw } = table;

  // ---- Legal acts.

  const SILENT = ["spoken", "progress"]; // what is told of that changes nothing here

  // An action follows the current step and replaces all later ones.
  const takeStep = (store, step, says) => {
    if (store.waiting) return undefined;
    touch([]);
    if (store.game) return store.game.act(step);
    return store.change((layout) => ({ ...layout, steps: [...layout.steps.slice(0, store.at), step] }), says.replace(/\.$/u, ""));
  };

  // --- Cards touched on the felt: acts that use exactly these come first, and forms use them.
  const TOLD = "hoyle-told"; // whether the person has read that a second tap plays
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
  // A first tap raises a card, and a second plays it. In a game, a tap on another card raises that one instead, unless some act
  // uses both.
  const tap = (store, name) => {
    const { legal = [], exchange } = store.answer?.acts ?? {};
    const held = touched.cards.includes(name);
    const [play] = playsOf(store, name);
    if (held && touched.cards.length === 1 && play) return takeStep(store, play.step, play.says);
    const cards = held ? touched.cards.filter((each) => each !== name) : [...touched.cards, name];
    touch(held || !store.game || exchange || legal.some(({ cards: used = [] }) => cards.every((each) => used.includes(each))) ? cards : [name]);
    if (!play || table.stored(TOLD)) return undefined;
    table.keep(TOLD, true);
    document.querySelector("#table-acting .turn").append(element("em", {}, " Tap the card again to play it."));
    return store.speak("Tap the card again to play it.");
  };
  const playsOf = (store, name) => (store.answer?.acts?.legal ?? []).filter(({ step }) => step.do === "play" && step.card === name);

  // --- Legal acts, grouped by kind: 2 for those that use exactly the touched cards, 1 for those that use them and others.
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
  // Of many choices of cards for one act, the first with the touched cards.
  const FEW = 3;
  const ofName = (acts, { short }) => acts.filter((each) => each.short === short && each.cards?.length > 1);
  const narrowed = (acts) => acts.filter((act) => {
    const alike = ofName(acts, act);
    return alike.length <= FEW || act === alike.sort((one, other) => fit(other) - fit(one))[0] || !alike.includes(act);
  });
  const choice = (store, { step, says, short, cards: used = [] }, alone) => {
    const name = words("span", { class: alone ? "" : "unseen" }, `${short} `);
    return button(JSON.stringify(step), () => takeStep(store, step, says), name, ...(used.length ? [cards(used)] : []));
  };
  const choices = (store, group) => {
    const alone = group.length === 1;
    const name = alone ? [] : [element("span", { class: "kind", "aria-hidden": "true" }, group[0].short)];
    const kind = ["", "uses", "just"][fit(group[0])];
    const order = store.game ? table.ordered(store.form, group.flatMap(({ step }) => step.card ?? [])) : []; // as the hand
    group.sort((one, other) => order.indexOf(one.step.card) - order.indexOf(other.step.card));
    return element("li", { class: kind }, ...name, ...group.map((each) => choice(store, each, alone)));
  };
  // If there are too many acts to list: the act of an open kind with exactly the touched cards.
  const ofTouched = ({ by, kinds = [], legal = [], more = 0, exchange }) => {
    const names = touched.cards;
    if (exchange && names.length >= Math.max(1, exchange.least) && names.length <= exchange.most) {
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
    const few = narrowed(legal);
    const parts = grouped([...ofTouched(acts), ...few]).map((group) => choices(store, group));
    if (few.length < legal.length) parts.push(element("li", { class: "small" }, "Touch cards in your hand to choose others."));
    if (acts.exchange) parts.push(element("li", { class: "small" }, `Touch the cards that you exchange: ${acts.exchange.least} to ${acts.exchange.most}.`));
    else if (more) parts.push(element("li", { class: "small" }, `And ${more.toLocaleString("en")} more. Touch the cards on the table.`));
    renew(place, ...parts);
  };

  const turnSays = ({ answer, waiting, problem, game }) => {
    if (answer?.table) return answer.table.says;
    if (problem) return ""; // it is said above
    if (game) return "Your game opens as soon as the interpreter has loaded.";
    return answer && !waiting ? "This position cannot be played on from." : "Set up the position. The legal acts appear here.";
  };
  const showTurn = (place, store) => {
    const replaced = !store.game && store.at < store.layout.steps.length ? [element("span", { class: "small" }, " Your next step replaces the later ones.")] : [];
    place.replaceChildren(words("span", {}, turnSays(store)), ...replaced);
  };

  const acting = (root, store) => {
    const turn = element("p", { class: "turn", tabindex: -1, "data-home": "" });
    const legal = element("ul", { class: "legal", "aria-label": "Legal acts" });
    const back = button("set-up", () => table.shown(store.lay()), "Set up");
    root.append(element("h2", { class: "unseen" }, "Acts"), element("div", { class: "line" }, turn, back), legal);
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

  // ---- Steps, and forms for other acts, questions and irregularities.

  const keep = (store, length, says) => store.change((layout) => ({ ...layout, steps: layout.steps.slice(0, length) }), says);

  // --- Forms: any kind of act, a question, an irregularity.
  const FORMS = [
    { of: "kinds", says: "Try anything", about: "Any act, allowed or not. An act that is not allowed is refused, with the reason.", verb: "Try it" },
    { of: "questions", says: "Ask", about: "A question changes nothing on the table.", verb: "Ask" },
    { of: "irregular", says: "Something went wrong", about: "State what has happened, and see the ruling.", verb: "State it" },
  ];
  const begun = ({ step, do: does, ask, irregular }) => {
    if (step) return step;
    if (ask) return { ask };
    return { ...(does ? { do: does } : {}), ...(irregular ? { irregular } : {}) };
  };
  const stepOf = (entry, fields) => {
    const { by, ...rest } = { ...begun(entry), ...filled(fields) };
    return { ...(by === undefined ? {} : { by }), ...rest };
  };
  const fieldsOf = (entry, store) => {
    const { table: lies, acts } = store.answer;
    const hands = (lies?.places ?? []).filter(({ key }) => key === "hands");
    return entry.fields.map((asked) => {
      const given = { seat: acts.by ?? undefined, card: touched.cards, cards: touched.cards }[asked.type];
      return [asked.key, field(asked, store.form, asked.optional ? undefined : given, hands)];
    });
  };
  const identity = (entry) => JSON.stringify([begun(entry), entry.short]);

  const formOf = ({ of, says, about, verb }, store) => {
    const ready = element("ul", { class: "legal" });
    const chosen = element("select", { "data-key": `${of}-which` });
    const does = element("p", { class: "small" });
    const place = element("div", { class: "fields" });
    const which = element("label", { class: "field" }, element("span", {}, "What"), chosen);
    const form = element("form", {}, which, does, place, element("button", { type: "submit", "data-key": `${of}-do` }, verb));
    const made = { of, shown: fold(of, says, element("p", { class: "small" }, about), ready, form), entries: [], fields: [], known: "" };
    const entry = () => made.entries[chosen.selectedIndex];
    made.fill = () => {
      made.fields = entry() ? fieldsOf(entry(), store) : [];
      does.replaceChildren(words("span", {}, entry()?.says));
      place.replaceChildren(...made.fields.map(([, each]) => each.shown));
    };
    made.offer = (entries) => {
      const was = chosen.value;
      const atOnce = entries.filter(({ fields = [] }) => !fields.length);
      made.entries = entries.filter(({ fields = [] }) => fields.length);
      renew(ready, ...atOnce.map((each) => element("li", {}, button(identity(each), () => takeStep(store, stepOf(each, []), each.short), words("span", {}, each.short)))));
      chosen.replaceChildren(...made.entries.map((each) => element("option", { value: identity(each) }, each.short)));
      if (made.entries.some((each) => identity(each) === was)) chosen.value = was;
      made.shown.hidden = !entries.length;
      form.hidden = !made.entries.length;
      made.fill();
    };
    chosen.addEventListener("change", made.fill);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (entry()) takeStep(store, stepOf(entry(), made.fields), entry().short);
    });
    return made;
  };
  // A form remains while its choices are unchanged; touched cards go into the open one.
  const offer = (made, store) => {
    const { [made.of]: entries = [], by } = store.answer?.acts ?? {};
    if (store.waiting) return;
    const known = JSON.stringify([entries, by, store.at, store.answer?.table?.places]);
    if (known !== made.known) made.offer(entries);
    made.known = known;
  };
  const takeUp = (made, names) => {
    if (made.shown.open) made.fields.find(([, each]) => each.put)?.[1].put(names);
  };

  const told = new Map(); // what was said of a step, by all that was done until then: steps after the one shown have no answer
  const note = (store) => {
    const { answer, layout } = store;
    const drawn = layout.drawn_by ?? layout.rulesets[0];
    const group = answer?.answers?.find(({ rulesets }) => rulesets.some(({ id }) => id === drawn));
    for (const each of group?.steps ?? []) told.set(JSON.stringify(layout.steps.slice(0, each.number)), each);
  };
  const plain = (step) => [step.by, step.do ?? step.ask, step.meld, ...(step.cards ?? [step.card])].filter(Boolean).join(" ");
  const line = (store, at) => {
    const steps = store.layout.steps.slice(0, at);
    const step = told.get(JSON.stringify(steps)) ?? { said: plain(steps.at(-1)), follows: [] };
    const made = button(`step-${at}`, () => store.to(at), words("span", { class: "said" }, step.said));
    if (at === store.at) made.setAttribute("aria-current", "step");
    const follows = (at === store.at || step.refused ? step.follows : []).map((each) => words("span", { class: "follows" }, each));
    if (step.refused) made.classList.add("refused");
    made.append(...follows);
    return element("li", { class: at > store.at ? "later" : "" }, made);
  };
  const showSteps = (place, store) => {
    const { steps } = store.layout;
    const start = button("step-0", () => store.to(0), "The starting position");
    if (!store.at) start.setAttribute("aria-current", "step");
    const list = element("ol", { class: "taken", start: 0 }, element("li", {}, start), ...steps.map((_, at) => line(store, at + 1)));
    const last = button("last", () => keep(store, steps.length - 1, "The last step is taken back"), "Take back the last step");
    renew(place, list, element("div", { class: "row" }, ...(steps.length ? [last] : [])));
  };

  const trying = (root, store) => {
    const forms = FORMS.map((each) => formOf(each, store));
    const steps = element("div");
    root.append(element("h2", { tabindex: -1, "data-home": "" }, "Steps"), steps, ...forms.map((each) => each.shown));
    touched.heard.push((names) => {
      for (const each of forms) takeUp(each, names);
    });
    const show = () => {
      if (!store.waiting) note(store);
      for (const each of forms) offer(each, store);
      showSteps(steps, store);
    };
    store.listen((_, why) => {
      if (!SILENT.includes(why)) show();
    });
    show();
  };

  // ---- The table.

  // The seats of the players, from A on, clockwise.
  const SEATED = { 2: ["near", "far"], 3: ["near", "west", "east"], 4: ["near", "west", "far", "east"] };

  const shown = (place) => (name) => {
    const fresh = known(name) && place.new?.includes(name) && place.new.length < place.cards.length; // where all is new nothing stands out
    const made = known(name) ? pictured(name, { "data-card": name, "data-key": `${place.key} ${name}`, "data-seat": place.seat }) : pictured(name);
    made.classList.toggle("new", Boolean(fresh));
    return made;
  };
  const fan = (place) => element("span", { class: place.key !== "hands" && !place.cards.some(known) ? "fan closed" : "fan" }, ...place.cards.map(shown(place)));
  // The label of a place next to its cards; a hand needs none, since its player is named.
  const caption = ({ key, seat, title }) => {
    if (key === "hands") return [];
    const says = seat ? title.replace(new RegExp(`^${seat} `, "u"), "") : title;
    return [element("span", { class: "caption" }, says)];
  };
  const lie = (place) => element("div", { class: `lie ${place.key}`, "data-at": place.seat ? `${place.key}.${place.seat}` : place.key }, fan(place), ...caption(place));
  const said = (fact) => (fact.new ? element("mark", {}, fact.says) : element("span", {}, fact.says));
  const aside = (fact) => element("span", { class: `aside ${fact.key}` }, fact.key === "kept" ? "keeps " : "", said(fact));
  const pile = (fact) => element("span", { class: `pile ${fact.key}` }, pictured(table.REST), said(fact));

  // Partners share one score, which is shown for both.
  const nameOf = (lies, sides, seat, facts) => {
    const side = sides.find((each) => each.includes(seat)) ?? [seat];
    const partners = side.filter((each) => each !== seat).map((each) => element("span", { class: "aside" }, `with ${each}`));
    const score = (lies.facts ?? []).filter((fact) => fact.key === "score" && fact.seat === side[0]).map((fact) => element("span", { class: "score", "data-seat": fact.seat, "data-points": fact.says.replace(/[^\d-]/gu, "") }, said(fact), element("span", { class: "unseen" }, " points")));
    const turn = lies.turn === seat ? [element("span", { class: "turn-mark" }, "to move")] : [];
    const told = facts.filter((fact) => fact.key !== "score").map((fact) => (fact.key === "won" ? pile(fact) : aside(fact)));
    return element("p", { class: "name" }, element("b", {}, table.seatName(seat)), ...partners, ...score, ...turn, ...told);
  };
  const player = (lies, sides, seat, at) => {
    const own = lies.places.filter((place) => place.seat === seat);
    const hand = own.filter(({ key }) => key === "hands");
    const others = own.filter(({ key }) => key !== "hands");
    const facts = (lies.facts ?? []).filter((fact) => fact.seat === seat);
    const before = element("div", { class: "before", "data-drop": `before ${seat}` }, ...others.map(lie));
    return element("div", { class: `player ${at}`, role: "group", "aria-label": seat }, nameOf(lies, sides, seat, facts), ...hand.map(lie), before);
  };
  const stock = (fact) => element("div", { class: "lie stock" }, pictured(table.REST), element("span", { class: "caption" }, said(fact)));
  const middle = (lies, left_open) => {
    const facts = (lies.facts ?? []).filter((fact) => !fact.seat);
    const open = lies.places.filter((place) => !place.seat);
    const of = (key) => open.filter((place) => place.key === key).map(lie);
    const pack = [...facts.filter((fact) => fact.key === "stock").map(stock), ...of("turn_up")];
    const trick = element("div", { class: "trick-place" }, ...of("trick"), ...of("last_trick"));
    const told = [...facts.filter((fact) => fact.key !== "stock").map(aside), ...left_open.map(({ says }) => element("span", { class: "aside" }, says))];
    return element("div", { class: "between", role: "group", "aria-label": "Between them", "data-drop": "trick" }, element("div", { class: "pack-place" }, ...pack), trick, element("div", { class: "told" }, ...told));
  };
  // The seats clockwise from the person's own, which is nearest.
  const seated = (lies, sides, left_open, own) => {
    const at = SEATED[lies.seats.length];
    const seats = [...lies.seats.slice(own), ...lies.seats.slice(0, own)];
    const players = seats.map((seat, number) => player(lies, sides, seat, at[number]));
    return [...players.slice(1).reverse(), middle(lies, left_open), players[0]];
  };

  // The table with the person's hand in the order chosen.
  const inOrder = (lies, { game, form }) => (game ? { ...lies, places: lies.places.map((place) => (place.key === "hands" && place.cards.every(known) ? { ...place, cards: table.ordered(form, place.cards) } : place)) } : lies);

  // A card dropped in the middle is played; one dropped before its player is declared, if only one combination is possible.
  const dropped = (store) => (from, place) => {
    const name = from.dataset.card;
    const lays = (store.answer?.acts?.legal ?? []).filter(({ step, cards = [] }) => cards.includes(name) && step.do !== "play");
    const fits = place.dataset.drop === "trick" ? playsOf(store, name) : lays;
    if (fits.length === 1) return takeStep(store, fits[0].step, fits[0].says);
    return touch([name]);
  };

  const felt = (root, store) => {
    const problems = element("div");
    const place = element("div", { class: "felt", role: "group", "aria-label": "The table" });
    root.append(element("h2", { tabindex: -1, "data-home": "", class: "unseen" }, "The table"), problems, place);
    table.draggable(place, "button[data-card]", dropped(store));
    place.addEventListener("click", ({ target }) => {
      const card = target.closest("button[data-card]")?.dataset.card;
      if (card) tap(store, card);
    });
    const show = () => {
      root.hidden = store.mode === "lay";
      if (root.hidden) return;
      const lies = store.answer?.table;
      problems.replaceChildren(...(lies ? [] : table.problemsOf(store)));
      place.dataset.players = lies?.seats.length ?? "";
      place.hidden = !lies && !store.waiting && !store.game;
      if (store.game?.answer?.over) renew(place, table.sheet(store));
      else if (lies) renew(place, ...seated(inOrder(lies, store), store.form.sides, store.game ? [] : table.leftOpen(store), lies.seats.indexOf(store.game?.game.people[0] ?? lies.seats[0])).map((each) => draw(each)));
      else if (!store.waiting) place.replaceChildren();
    };
    store.listen((_, why) => {
      if (["layout", "answer", "mode"].includes(why)) show();
    });
    show();
  };

  // `seatName` returns the label of a player: in a game played here, the person or opponent in the seat.
  Object.assign(table, { acting, trying, felt, touch, seatName: (seat) => seat });
})();
