// The given parts of a position: the piles of cards, and the other facts.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { REST, element, act, draw, printed, touchable, face, nth } = table;

  // ---- Piles: the places of the given cards, and how to add and remove cards.

  const OPEN = ["hands", "won", "discarded", "stock"]; // of these nothing said means that the rest may lie there

  // Every place of a form for cards, with its name; places of seats once for each seat.
  const piles = (form) =>
    form.places.flatMap((place) => {
      if (!place.seat) return [{ ...place, id: place.key, title: place.says }];
      return form.seats.map((seat) => ({ ...place, id: `${place.key}.${seat}`, of: seat, title: `${seat}’s ${place.says}` }));
    });

  // The given cards in a pile; ... if nothing is given for an open one.
  const lying = (given, { key, of }) => {
    const found = of ? given[key]?.[of] : given[key];
    if (found === undefined) return OPEN.includes(key) ? [REST] : [];
    return typeof found === "string" ? [found] : found;
  };

  // The given parts with other cards in a pile; empty parts are left out.
  const laid = (given, pile, cards) => {
    const { key, of, one } = pile;
    const next = structuredClone(given);
    const nothing = OPEN.includes(key) ? cards.length === 1 && cards[0] === REST : !cards.length;
    if (of) {
      const each = { ...next[key], [of]: cards };
      if (nothing) delete each[of];
      next[key] = each;
      if (!Object.keys(each).length) delete next[key];
    } else if (nothing) delete next[key];
    else next[key] = one ? cards[0] : cards;
    return next;
  };

  // All cards with a place, each with its pile; lists that only refer to cards elsewhere are left out.
  const everywhere = (form, given) =>
    piles(form)
      .filter((pile) => !pile.refers)
      .flatMap((pile) => lying(given, pile).filter((card) => card !== REST).map((card) => ({ card, pile })));
  const used = (form, given, of) => everywhere(form, given).filter(({ card }) => face(card) === of);
  const left = (form, given, of) => Math.max(0, form.packs - used(form, given, of).length);

  // The next copy of a face to lay: the first that has no place; in lists that only refer to cards, the first not yet named.
  // Undefined if no pack has another.
  const next = (form, given, pile, of) => {
    const taken = pile.refers ? lying(given, pile) : used(form, given, of).map(({ card }) => card);
    return Array.from({ length: form.packs }, (_, at) => nth(of, at + 1)).find((card) => !taken.includes(card));
  };

  // The cards in a pile with one more: before the rest, or `below` it; in a place for one card, replacing the one there.
  const put = (form, given, pile, card, below = false) => {
    const there = lying(given, pile);
    if (pile.one) return laid(given, pile, [card]);
    const at = below || !there.includes(REST) ? there.length : there.indexOf(REST);
    return laid(given, pile, there.toSpliced(at, 0, card));
  };
  const take = (given, pile, card) => laid(given, pile, lying(given, pile).filter((each) => each !== card));
  const move = (form, given, from, to, card, below) => put(form, take(given, from, card), to, card, below);
  const rest = (given, pile) => {
    const there = lying(given, pile);
    return laid(given, pile, there.includes(REST) ? there.filter((each) => each !== REST) : [...there, REST]);
  };

  // ---- Facts: other data of a position, each with a field of its type; rarely needed ones are in a fold.

  // --- A given value, by its path; empty values are left out.
  const read = (given, path) => path.reduce((of, key) => of?.[key], given);
  const written = (given, [key, ...path], value) => {
    const copy = Array.isArray(given) ? [...given] : { ...given };
    const next = path.length ? written(copy[key] ?? {}, path, value) : value;
    const empty = next === undefined || next === "" || (typeof next === "object" && !Object.keys(next).length);
    if (empty) delete copy[key];
    else copy[key] = next;
    return copy;
  };
  const tell = (store, path, value, says) => store.change(({ given, ...rest }) => ({ ...rest, given: written(given, path, value) }), says);
  const at = (path) => path.slice(0, 2).join(".");
  const key = (path) => `fact ${path.join(".")}`;

  // The points that the position leaves open, with the assumed values.
  const leftOpen = (store) => (store.waiting ? [] : (store.answer?.left_open ?? []));

  // --- Fields, one for each type of fact.
  const plain = (store, path, says, fact) => {
    const told = (value) => tell(store, path, value, `${says}: ${value === undefined ? "not given" : [value].flat().join(", ")}`);
    const made = table.watched(key(path), { ...fact, says, optional: true }, store.form, read(store.layout.given, path), told);
    made.dataset.at = at(path);
    return made;
  };
  const suits = (store, path, says) => {
    const said = read(store.layout.given, path);
    const now = said ?? store.layout.given.turn_up?.[1];
    const taken = now ? null : leftOpen(store).find((each) => each.key === path[0]);
    const choices = [...store.form.suits, { value: "none", says: "none", shown: "none" }];
    const one = ({ value, says: name, shown }) =>
      act(shown, () => tell(store, path, value === said ? undefined : value, `${says}: ${value === said ? "not given" : name}`), { class: `suit ${table.SUITS[value] ?? ""}${value === taken?.value ? " taken-as" : ""}`, "aria-pressed": String(now === value), "aria-label": name, "data-key": `${key(path)} ${value}` });
    return element("div", { class: "chips", role: "group", "aria-label": says, "data-at": at(path) }, element("span", { class: "of" }, says), element("span", { class: "suits" }, ...choices.map(one)), ...(taken ? [element("span", { class: "small" }, taken.says)] : []));
  };

  // --- Combinations that have been scored or kept: each with its name and its cards, chosen from the pack.
  const named = (store, meld) => store.form.melds.find((each) => each.id === meld)?.says ?? meld;
  const adding = (store, view, path, says) => ({
    title: says,
    path,
    add: (of) => {
      const found = read(store.layout.given, path);
      const hands = everywhere(store.form, store.layout.given).filter(({ card }) => face(card) === of);
      const own = [...hands.filter(({ pile }) => pile.of === path[1]), ...hands].map(({ card }) => card);
      const card = [...own, ...table.copies(store.form, of)].find((each) => !found.cards.includes(each));
      if (!card) return store.speak(`There is no other ${table.named(of)}.`);
      return tell(store, [...path, "cards"], [...found.cards, card], `${printed(card)} belongs to ${says}`);
    },
  });
  const combination = (store, view, path) => {
    const { meld, cards } = read(store.layout.given, path);
    const says = `${path[1]}’s ${named(store, meld)}`;
    const less = (card) => tell(store, [...path, "cards"], cards.length > 1 ? cards.filter((each) => each !== card) : cards, `${printed(card)} is removed from ${says}`);
    const shown = cards.map((card) => {
      const made = touchable(card, { "data-key": `${key(path)} ${card}` }, `${table.named(card)}: remove it from ${says}`);
      made.addEventListener("click", () => less(card));
      return made;
    });
    const active = view.combination?.path.join() === path.join();
    const choose = () => {
      Object.assign(view, { combination: adding(store, view, path, says), lifted: null });
      store.tell("view");
    };
    const gone = () => {
      const list = read(store.layout.given, path.slice(0, 2)).filter((_, number) => number !== path[2]);
      view.combination = null;
      tell(store, path.slice(0, 2), list.length ? list : undefined, `${says} is removed`);
    };
    return element("li", { class: active ? "target" : "" }, act(says, choose, { class: "to", "aria-pressed": String(active), "data-key": key(path) }), element("span", { class: "cards" }, ...shown), act("Remove", gone, { "data-key": `${key(path)} gone` }, element("span", { class: "unseen" }, ` ${says}`)));
  };
  const combinations = (store, view, path, says) => {
    const list = read(store.layout.given, path) ?? [];
    const field = element("select", { "data-key": `${key(path)} add`, "aria-label": `${says}: add a combination` }, element("option", { value: "" }, "add …"), ...store.form.melds.map((each) => element("option", { value: each.id }, each.says)));
    field.addEventListener("change", () => {
      const where = [...path, list.length];
      const title = `${path[1]}’s ${named(store, field.value)}`;
      view.combination = adding(store, view, where, title);
      tell(store, path, [...list, { meld: field.value, cards: [] }], `${title}: choose its cards from the pack`);
    });
    return element("div", { class: "combinations", "data-at": at(path) }, element("span", { class: "of" }, says), element("ul", {}, ...list.map((_, number) => combination(store, view, [...path, number]))), field);
  };

  const parts = (store, view, path, says, fact) => {
    const inside = fact.parts.map((part) => fieldOf(store, view, [...path, part.key], part.says, part));
    if (path.length > 1 && !fact.seat) return element("fieldset", {}, element("legend", {}, says), ...inside);
    const open = read(store.layout.given, path) ? { open: "" } : {};
    return element("details", { class: "parts", "data-key": key(path), "data-at": at(path), ...open }, element("summary", {}, says), element("div", { class: "facts-of" }, ...inside));
  };
  const fieldOf = (store, view, path, says, fact) => {
    if (fact.type === "suit") return suits(store, path, says);
    if (fact.type === "combinations") return combinations(store, view, path, says);
    return fact.type === "parts" ? parts(store, view, path, says, fact) : plain(store, path, says, fact);
  };
  const whose = (store, fact) => (fact.side ? store.form.sides.map((side) => [side[0], side.join(" and ")]) : store.form.seats.map((seat) => [seat, seat]));
  const fields = (store, view) => (fact) => {
    if (!fact.seat && !fact.side) return [fieldOf(store, view, [fact.key], fact.says, fact)];
    const says = (name) => (fact.says[0] === fact.says[0].toLowerCase() ? `${name} ${fact.says}` : `${fact.says}, ${name}`);
    return whose(store, fact).map(([seat, name]) => fieldOf(store, view, [fact.key, seat], says(name), fact));
  };

  // --- The stage of the position: who is to act, and how.
  const stands = (store) => {
    const { given } = store.layout;
    const ways = store.form.stands;
    const asked = { type: "choice", says: "Now", choices: ways.map(({ says }, value) => ({ value, says })) };
    const made = table.watched("stands", asked, store.form, ways.findIndex((each) => given[each.key] === each.value), (way) => stand(store, ways[way]));
    made.dataset.at = "leads";
    return made;
  };
  // A position before the deal has fewer facts.
  const stand = (store, { key: to, value, says, without = [] }) => {
    const keys = new Set(store.form.stands.map((each) => each.key));
    const before = "before" in store.layout.given && to !== "before";
    const left = Object.entries(store.layout.given).filter(([name]) => !keys.has(name) && !without.includes(name));
    const start = before ? Object.entries(store.form.start).filter(([name]) => !keys.has(name)) : [];
    store.change((layout) => ({ ...layout, given: { ...Object.fromEntries([...start, ...left]), [to]: value } }), says);
  };

  const told = (given) => (fact) => fact.key in given;
  const folded = (name, says, store, view, facts) => {
    if (!facts.length) return [];
    const open = facts.some(told(store.layout.given)) ? { open: "" } : {};
    return [element("details", { "data-key": name, ...open }, element("summary", {}, says), element("div", { class: "facts-of" }, ...facts.flatMap(fields(store, view))))];
  };
  // The most important facts: the player to act, and trumps, which are in the middle.
  const showFirst = (root, store) => table.renew(root, stands(store));
  const trumpsOf = (store, view) => store.form.facts.filter((fact) => fact.type === "suit" && !("before" in store.layout.given)).flatMap(fields(store, view));
  const showFacts = (root, store, view) => {
    const before = store.form.stands.find((each) => store.layout.given[each.key] === each.value)?.without ?? [];
    const facts = store.form.facts.filter((fact) => !before.includes(fact.key));
    const first = facts.filter((fact) => ["seat", "number"].includes(fact.type) && !fact.rare);
    const scored = facts.filter((fact) => !first.includes(fact) && fact.type !== "suit" && !fact.rare);
    const title = scored.some((fact) => fact.type === "parts") ? "Scored, called and announced" : "Scored, or kept to score";
    table.renew(
      root,
      element("div", { class: "facts-of" }, ...first.flatMap(fields(store, view))),
      ...folded("scored", title, store, view, scored),
      ...folded("rare", "More details", store, view, facts.filter((fact) => fact.rare)),
    );
    draw(root);
  };

  Object.assign(table, { piles, lying, everywhere, used, left, next, put, take, move, rest, leftOpen, showFirst, trumpsOf, showFacts });
})();
