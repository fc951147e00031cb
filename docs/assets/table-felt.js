// The felt: the table after the step that is shown, as the engine tells it. A sits nearest, partners opposite; between them lies
// what is everybody's. Every card whose face is known can be touched, or dragged.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { element, known, pictured, draw } = table;
  // Where the players sit, from A on, clockwise.
  const SEATED = { 2: ["near", "far"], 3: ["near", "west", "east"], 4: ["near", "west", "far", "east"] };
  const PILES = ["won"]; // what is told of these is drawn as a pile

  const shown = (place) => (name) => {
    const fresh = place.new?.includes(name) && place.new.length < place.cards.length; // where all is new nothing stands out
    const made = known(name) ? pictured(name, { "data-card": name, "data-key": `${place.key} ${name}`, "data-seat": place.seat }) : pictured(name);
    made.classList.toggle("new", Boolean(fresh));
    return made;
  };
  const fan = (place) => element("span", { class: place.key !== "hands" && !place.cards.some(known) ? "fan closed" : "fan" }, ...place.cards.map(shown(place)));
  // What a place is called beside its cards; a hand needs no name beside that of its player.
  const caption = ({ key, seat, title }) => {
    if (key === "hands") return [];
    const says = seat ? title.replace(new RegExp(`^${seat} `, "u"), "") : title;
    return [element("span", { class: "caption" }, says)];
  };
  const lie = (place) => element("div", { class: `lie ${place.key}`, "data-at": place.seat ? `${place.key}.${place.seat}` : place.key }, fan(place), ...caption(place));
  const said = (fact) => (fact.new ? element("mark", {}, fact.says) : element("span", {}, fact.says));
  const aside = (fact) => element("span", { class: `aside ${fact.key}` }, fact.key === "kept" ? "keeps " : "", said(fact));
  const pile = (fact) => element("span", { class: `pile ${fact.key}` }, pictured(table.REST), said(fact));

  // Partners have one score, which both are shown to have.
  const nameOf = (lies, sides, seat, facts) => {
    const side = sides.find((each) => each.includes(seat)) ?? [seat];
    const partners = side.filter((each) => each !== seat).map((each) => element("span", { class: "aside" }, `with ${each}`));
    const score = (lies.facts ?? []).filter((fact) => fact.key === "score" && fact.seat === side[0]).map((fact) => element("span", { class: "score" }, said(fact), element("span", { class: "unseen" }, " points")));
    const turn = lies.turn === seat ? [element("span", { class: "turn-mark" }, "to move")] : [];
    const told = facts.filter((fact) => fact.key !== "score").map((fact) => (PILES.includes(fact.key) ? pile(fact) : aside(fact)));
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
  const seated = (lies, sides, left_open) => {
    const at = SEATED[lies.seats.length];
    const players = lies.seats.map((seat, number) => player(lies, sides, seat, at[number]));
    return [...players.slice(1).reverse(), middle(lies, left_open), players[0]];
  };

  // A card that is dropped in the middle is played; before its player it is declared, if only one combination could be meant.
  const dropped = (store) => (from, place) => {
    const name = from.dataset.card;
    const legal = (store.answer?.acts?.legal ?? []).filter(({ cards = [] }) => cards.includes(name));
    const plays = legal.filter(({ step, cards }) => step.do === "play" && cards.length === 1);
    const lays = legal.filter(({ step }) => step.do !== "play");
    const fits = place.dataset.drop === "trick" ? plays : lays;
    if (fits.length === 1) return table.takeStep(store, fits[0].step, fits[0].says);
    return table.touch([name]);
  };

  const felt = (root, store) => {
    const problems = element("div");
    const place = element("div", { class: "felt", role: "group", "aria-label": "The table" });
    root.append(element("h2", { tabindex: -1, "data-home": "", class: "unseen" }, "The table"), problems, place);
    const drop = dropped(store);
    table.draggable(place, "button[data-card]", drop);
    // A card that was touched is played by a touch of the middle; two touches play it at once.
    place.addEventListener("click", ({ target }) => {
      const [name, ...others] = table.touched.cards;
      const middle = !target.closest("button") && target.closest(".between");
      if (middle && name && !others.length) drop({ dataset: { card: name } }, middle);
    });
    place.addEventListener("dblclick", ({ target }) => {
      const card = target.closest("button[data-card]");
      if (card) drop(card, place.querySelector(".between"));
    });
    const show = () => {
      root.hidden = store.mode === "lay";
      if (root.hidden) return;
      const lies = store.answer?.table;
      const cannot = !lies && !store.waiting && store.answer ? [element("p", {}, "This position cannot be played yet.")] : [];
      problems.replaceChildren(...cannot, ...(lies ? [] : table.problemsOf(store)));
      place.dataset.players = lies?.seats.length ?? "";
      place.hidden = !lies && !store.waiting;
      if (lies) table.renew(place, ...seated(lies, store.form.sides, store.game ? [] : table.leftOpen(store)).map((each) => draw(each)));
      else if (!store.waiting) place.replaceChildren();
    };
    store.listen((_, why) => {
      if (["layout", "answer", "mode"].includes(why)) show();
    });
    show();
  };

  // What a player is called; in a game that somebody plays here, who that is.
  Object.assign(table, { felt, seatName: (seat) => seat });
})();
