// Setting up a position: the pack to take cards from, and the places for them. Problems appear where they occur; most come from
// the engine. It contains no rules: the numbers of cards in the pack and in a hand are in the data of the form.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { REST, SIGNS, element, act, touchable, pictured, draw, printed, named } = table;
  const { piles, lying, left, next, put, take, move, rest } = table;
  const SUITS = "SHCD";

  // The selection: the pile for new cards, whether below its rest, and the lifted card.
  const fresh = () => ({ id: "hands.A", below: false, lifted: null });
  const pileOf = (store, id) => piles(store.form).find((pile) => pile.id === id) ?? piles(store.form)[0];

  const lay = (store, view, of) => {
    const { form, layout } = store;
    const combination = view.combination;
    if (combination) return combination.add(of);
    const pile = pileOf(store, view.id);
    const card = next(form, layout.given, pile, of);
    if (!card) return store.speak(`There is no other ${named(of)}.`);
    view.lifted = null;
    store.change(({ given, ...rest }) => ({ ...rest, given: turned(put(form, given, pile, card, view.below), pile) }), `${printed(card)} is added to ${pile.title}`);
  };
  // A turn-up determines the trump suit; after its removal, the suit remains given.
  const turned = (given, pile, gone) => {
    if (pile.key !== "turn_up") return given;
    const { trumps, ...others } = given;
    return gone ? { trumps: trumps ?? gone[1], ...others } : others;
  };
  const remove = (store, view, pile, card) => {
    view.lifted = null;
    const gone = pile.key === "turn_up" ? card : undefined;
    store.change(({ given, ...rest }) => ({ ...rest, given: turned(take(given, pile, card), gone ? pile : {}, gone) }), `${printed(card)} is removed from ${pile.title}`);
  };
  const moveTo = (store, view, to, card = view.lifted.card, from = pileOf(store, view.lifted.id)) => {
    view.lifted = null;
    view.id = to.id;
    store.change(({ given, ...rest }) => ({ ...rest, given: turned(move(store.form, turned(given, from.key === "turn_up" ? from : {}, card), from, to, card, false), to) }), `${printed(card)} is moved to ${to.title}`);
  };
  const toggleRest = (store, pile) => {
    const had = lying(store.layout.given, pile).includes(REST);
    store.change(({ given, ...others }) => ({ ...others, given: rest(given, pile) }), had ? `${pile.title}: these cards and no others` : `${pile.title}: the rest may be any cards`);
  };

  // --- The engine's problems, each at its place.
  const whose = (store, { rulesets = [] }) => {
    if (!rulesets.length || rulesets.length >= store.layout.rulesets.length) return "";
    const names = rulesets.map((id) => store.form.rulesets.find((each) => each.id === id.split("+")[0])?.name ?? id);
    return `${[...new Set(names)].join(", ")}: `;
  };
  const said = (store, problem) => element("p", { class: "trouble" }, draw(element("span", {}, `${whose(store, problem)}${problem.says}${/[.?!]$/u.test(problem.says) ? "" : "."} ${problem.remedy ?? ""}`)));
  // The place of a problem: the nearest one on the page.
  const placeOf = (root, path = []) => {
    for (let length = Math.min(2, path.length); length; length -= 1) {
      const found = root.querySelector(`[data-at="${CSS.escape(path.slice(0, length).join("."))}"]`);
      if (found) return found;
    }
    return root.querySelector(".troubles");
  };
  const problemsOf = (store) => store.answer?.problems ?? [];
  const showProblems = (root, store) => {
    for (const old of root.querySelectorAll(".trouble.told")) old.remove();
    for (const problem of problemsOf(store)) {
      const place = placeOf(root, problem.path);
      const made = said(store, problem);
      made.classList.add("told");
      place.append(made);
      if (place.closest("details:not([open])")) place.closest("details").open = true;
    }
  };

  // After a card is removed, the focus moves to the next card, or else to its place.
  const leaving = (made, does) => {
    const keys = [made, made.nextElementSibling ?? made.previousElementSibling, made.closest(".place").querySelector(".to")].map((each) => each?.dataset.key);
    does();
    const found = keys.map((key) => key && document.querySelector(`#table-laying [data-key="${CSS.escape(key)}"]`));
    found.find(Boolean)?.focus({ preventScroll: true });
  };
  const touched = (store, view, pile, card) => {
    const lifted = view.lifted;
    if (lifted?.card === card && lifted.id === pile.id) return remove(store, view, pile, card);
    if (lifted && lifted.id !== pile.id) return moveTo(store, view, pile);
    view.lifted = { card, id: pile.id };
    view.id = pile.id;
    store.tell("view");
    return store.speak(`${named(card)} is picked up. Choose a place for it, or touch it again to remove it.`);
  };
  const cardIn = (store, view, pile) => (card) => {
    const lifted = view.lifted?.card === card && view.lifted.id === pile.id;
    const made = pictured(card, { "data-card": card, "data-key": `${pile.id} ${card}`, "data-pile": pile.id, "data-seat": pile.of, "aria-pressed": String(lifted) });
    made.addEventListener("click", () => leaving(made, () => touched(store, view, pile, card)));
    made.addEventListener("keydown", (event) => {
      if (!["Delete", "Backspace"].includes(event.key)) return;
      event.preventDefault();
      leaving(made, () => remove(store, view, pile, card));
    });
    return made;
  };
  // The number of cards with which the engine has filled an open place.
  const filled = (store, pile, count) => {
    if (store.waiting || store.at || !store.answer) return 0;
    const found = store.answer.table?.places.find((place) => place.key === pile.key && (place.seat ?? undefined) === pile.of);
    return Math.max(0, (found?.cards.length ?? 0) - count);
  };
  const open = (store, pile, there) => {
    if (!["hands", "stock", "won", "discarded"].includes(pile.key)) return [];
    const is = there.includes(REST);
    const more = is ? filled(store, pile, there.length - 1) : 0;
    const says = `${pile.title}: the rest anywhere${more ? `, ${more} card${more === 1 ? "" : "s"}` : ""}`;
    const shown = element("span", { "aria-hidden": "true" }, is ? "…" : "+ …", ...(more ? [element("span", { class: "left" }, more)] : []));
    const made = element("button", { type: "button", class: `rest${is ? "" : " out"}`, "data-key": `${pile.id} rest`, "aria-pressed": String(is) }, shown, element("span", { class: "unseen" }, says));
    made.title = is ? "The rest may be any cards. Touch to remove this." : "Only these cards. Touch if the rest may be any cards.";
    made.addEventListener("click", () => toggleRest(store, pile));
    return [made];
  };
  const choose = (store, view, pile) => {
    if (view.lifted && view.lifted.id !== pile.id) return moveTo(store, view, pile);
    Object.assign(view, { id: pile.id, lifted: null, below: false, combination: null });
    store.tell("view");
    return undefined;
  };
  const header = (store, view, pile, there) => {
    const count = there.filter((card) => card !== REST).length;
    const moving = view.lifted && view.lifted.id !== pile.id;
    const made = act("", () => choose(store, view, pile), { class: "to", "data-key": `to ${pile.id}`, "aria-pressed": String(view.id === pile.id && !view.combination) });
    made.append(pile.title, element("span", { class: "count" }, count ? ` ${count}` : ""), ...(moving ? [element("span", { class: "unseen" }, `: move ${named(view.lifted.card)} here`)] : []));
    return made;
  };
  const showPile = (store, view) => (pile) => {
    const there = lying(store.layout.given, pile);
    const cards = there.filter((card) => card !== REST).map(cardIn(store, view, pile));
    const at = there.includes(REST) ? there.indexOf(REST) : cards.length;
    cards.splice(at, 0, ...open(store, pile, there));
    const chosen = view.id === pile.id && !view.combination ? " target" : view.lifted ? " moving" : "";
    const bare = pile.key !== "hands" && there.every((card) => card === REST) ? " bare" : "";
    const place = element("div", { class: `place ${pile.key}${chosen}${bare}`, role: "group", "aria-label": pile.title, "data-at": pile.id, "data-drop": pile.id }, header(store, view, pile, there), element("span", { class: "fan" }, ...cards));
    place.addEventListener("click", (event) => {
      if (!event.target.closest("button, p")) choose(store, view, pile);
    });
    return place;
  };
  // A's hand is nearest, the others are opposite and at the sides; rarely needed places are in a fold.
  const board = (store, view) => {
    const all = piles(store.form);
    const hands = all.filter((pile) => pile.key === "hands");
    const middle = all.filter((pile) => !pile.seat && !pile.rare);
    const others = all.filter((pile) => pile.seat && pile.key !== "hands");
    const rare = all.filter((pile) => pile.rare);
    const used = (pile) => lying(store.layout.given, pile).some((card) => card !== REST) || view.id === pile.id;
    const folded = rare.length ? [element("details", { "data-key": "rare-piles", ...(rare.some(used) ? { open: "" } : {}) }, element("summary", {}, "Other cards"), ...rare.map(showPile(store, view)))] : [];
    const show = (some) => some.map(showPile(store, view));
    return [
      element("div", { class: "opposite" }, ...show([...hands.slice(1)].reverse())),
      element("div", { class: "middle" }, ...show(middle), ...table.trumpsOf(store, view).map((each) => draw(each))),
      ...show(hands.slice(0, 1)),
      element("div", { class: "aside" }, ...show(others), ...folded),
    ];
  };

  // --- The pack: suits as rows, ranks as columns, with the number of each card left. Tab reaches one card, the
  // arrows or letters the others.
  const pack = (store, view) => {
    const ranks = [...store.form.ranks].reverse();
    const buttons = [...SUITS].flatMap((suit) => ranks.map((rank) => rank + suit)).map((of) => {
      const made = touchable(of, { "data-face": of, tabindex: -1 }, "", element("span", { class: "left" }));
      made.addEventListener("click", () => lay(store, view, of));
      made.addEventListener("focus", () => rove(buttons, made));
      return made;
    });
    const shown = element("div", { class: "pack", role: "group" }, ...buttons);
    shown.style.setProperty("--ranks", ranks.length); // a style attribute would break the policy of the page
    shown.addEventListener("keydown", (event) => keyed(event, buttons, ranks.length));
    buttons[0].tabIndex = 0;
    return { shown, buttons };
  };
  const rove = (buttons, to) => {
    for (const each of buttons) each.tabIndex = each === to ? 0 : -1;
  };
  const keyed = (event, buttons, across) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = buttons.indexOf(event.target);
    const row = at - (at % across);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + across, ArrowUp: at - across, Home: row, End: row + across - 1 }[event.key] ?? lettered(event.key, buttons, at, across);
    if (!buttons[to]) return;
    event.preventDefault();
    buttons[to].focus();
  };
  // The letter or digit of a rank moves along the row, that of a suit along the column.
  const lettered = (key, buttons, at, across) => {
    const [rank, suit] = [...buttons[at].dataset.face];
    const of = key === "1" || key === "0" ? "T" : key.toUpperCase();
    return buttons.findIndex((each) => each.dataset.face === (SUITS.includes(of) ? rank + of : of + suit)) % (across * SUITS.length);
  };
  const showPack = ({ buttons }, store, title) => {
    for (const each of buttons) {
      const of = each.dataset.face;
      const more = left(store.form, store.layout.given, of);
      each.classList.toggle("gone", !more);
      each.querySelector(".left").textContent = store.form.packs > 1 ? more : "";
      each.lastChild.textContent = `${named(of)}, ${more} left`;
    }
  };
  const drop = (store, view) => {
    view.lifted = null;
    store.tell("view");
  };
  const bar = (store, view) => {
    const { lifted } = view;
    const pile = pileOf(store, view.id);
    if (lifted) return [draw(element("span", { class: "into" }, `Where does ${printed(lifted.card)} go?`)), act("Remove", () => remove(store, view, pileOf(store, lifted.id), lifted.card), { "data-key": "take" }), act("Leave", () => drop(store, view), { "data-key": "leave" })];
    const said = element("span", { class: "into" }, "Into ", element("b", {}, view.combination?.title ?? pile.title));
    const done = view.combination ? [act("Done", () => choose(store, view, pile), { "data-key": "done" })] : [];
    const below = pile.key === "stock" && lying(store.layout.given, pile).includes(REST) ? [act(view.below ? "at the bottom" : "on top", () => ((view.below = !view.below), store.tell("view")), { "data-key": "below" })] : [];
    return [said, ...below, ...done];
  };

  // --- Typed cards, such as KS, 10♥ or Q♦²: they go to the same place as cards of the pack.
  const TYPED = /^(10|[2-9TJQKA])([CDHS♣♦♥♠])(?:#?[1-8]|[²³⁴⁵⁶⁷⁸])?$/iu;
  const typedFace = (word) => {
    const [, rank, suit] = TYPED.exec(word) ?? [];
    return rank && `${rank === "10" ? "T" : rank}${Object.keys(SIGNS).find((key) => SIGNS[key] === suit) ?? suit}`.toUpperCase();
  };
  const typing = (store, view) => {
    const field = element("input", { type: "text", autocomplete: "off", autocapitalize: "characters", spellcheck: "false", enterkeyhint: "done", placeholder: "Type cards: KS QS JD", "aria-label": "Type or paste cards" });
    const wrong = element("p", { class: "trouble", hidden: true });
    const form = element("form", { class: "typing" }, field, wrong);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const typed = field.value.split(/[\s,;]+/u).filter(Boolean);
      const bad = typed.find((word) => !typedFace(word));
      wrong.hidden = !bad;
      wrong.textContent = bad ? `“${bad}” is not a card. Write cards like KS, 10♥ or Q♦.` : "";
      if (bad) return store.speak(wrong.textContent);
      field.value = "";
      for (const word of typed) lay(store, view, typedFace(word));
      return undefined;
    });
    return form;
  };

  // A card dragged from a place, or from the pack, goes to the place where it is dropped; dropped elsewhere, it stays.
  const dropped = (store, view) => (from, place) => {
    const to = pileOf(store, place.dataset.drop);
    const { card, pile, face: of } = from.dataset;
    if (card && pile !== to.id) return moveTo(store, view, to, card, pileOf(store, pile));
    if (!of) return undefined;
    Object.assign(view, { id: to.id, combination: null });
    return lay(store, view, of);
  };

  const laying = (root, store) => {
    const view = fresh();
    store.view = view;
    const troubles = element("div", { class: "troubles" });
    const places = element("div", { class: "board felt" });
    const standing = element("div", { class: "facts-of" });
    const facts = element("div", { class: "panel" });
    const note = element("div", { class: "bar" });
    const cards = element("div", { class: "hold" });
    const toPack = act("Go to the pack", () => {}, { class: "to-pack" });
    const on = act("Play on →", () => table.shown(store.play()), { class: "on" });
    const tray = element("div", { class: "tray" }, element("div", { class: "top-of-tray" }, note, typing(store, view), on), cards);
    const more = element("details", {}, element("summary", {}, "More", element("span", { class: "unseen" }, " facts: scores, dealer and what has been scored")), facts);
    const first = element("div", { class: "first" }, standing, more);
    root.append(element("h2", { tabindex: -1, "data-home": "", class: "unseen" }, "Set up the position"), toPack, first, places, troubles, tray);
    table.draggable(root, "button[data-card], button[data-face]", dropped(store, view));
    let of = null;
    let made = null;
    toPack.addEventListener("click", () => made.buttons.find((each) => each.tabIndex === 0).focus());
    const show = () => {
      root.hidden = store.mode !== "lay";
      if (root.hidden) return;
      if (of !== store.form) {
        Object.assign(view, fresh());
        made = pack(store, view);
        cards.replaceChildren(made.shown);
        of = store.form;
      }
      const title = view.combination?.title ?? pileOf(store, view.id).title;
      made.shown.setAttribute("aria-label", `The pack. The cards that you choose are added to ${title}.`);
      showPack(made, store, title);
      places.dataset.players = store.form.seats.length;
      table.renew(places, ...board(store, view));
      table.renew(note, ...bar(store, view));
      table.showFirst(standing, store);
      table.showFacts(facts, store, view);
      showProblems(root, store);
    };
    store.listen((_, why) => {
      if (["layout", "mode", "view", "answer"].includes(why)) show();
    });
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && view.lifted) drop(store, view);
    });
    show();
  };

  Object.assign(table, { laying, problemsOf: (store) => problemsOf(store).map((problem) => said(store, problem)) });
})();
