// Piles: where cards lie in what is given of a position, and how they are put there and taken back. Nothing here is drawn.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { REST, face, nth } = table;
  const OPEN = ["hands", "won", "discarded", "stock"]; // of these nothing said means that the rest may lie there

  // Every place of a form where cards can be laid, with its name; those of seats one for each.
  const piles = (form) =>
    form.places.flatMap((place) => {
      if (!place.seat) return [{ ...place, id: place.key, title: place.says }];
      return form.seats.map((seat) => ({ ...place, id: `${place.key}.${seat}`, of: seat, title: `${seat}’s ${place.says}` }));
    });

  // The cards in a pile as they are given; ... where nothing is said of one that is open.
  const lying = (given, { key, of }) => {
    const found = of ? given[key]?.[of] : given[key];
    if (found === undefined) return OPEN.includes(key) ? [REST] : [];
    return typeof found === "string" ? [found] : found;
  };

  // What is given, with other cards in a pile; what says nothing is left out.
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

  // All the cards that lie somewhere, each with its pile; what only speaks of cards that lie elsewhere is left out.
  const everywhere = (form, given) =>
    piles(form)
      .filter((pile) => !pile.refers)
      .flatMap((pile) => lying(given, pile).filter((card) => card !== REST).map((card) => ({ card, pile })));
  const used = (form, given, of) => everywhere(form, given).filter(({ card }) => face(card) === of);
  const left = (form, given, of) => Math.max(0, form.packs - used(form, given, of).length);

  // The copy of a face that is laid next: the first that lies nowhere, were it one that no pack holds; of cards that are only
  // spoken of the first not yet named.
  const next = (form, given, pile, of) => {
    const taken = pile.refers ? lying(given, pile) : used(form, given, of).map(({ card }) => card);
    for (let number = 1; ; number += 1) if (!taken.includes(nth(of, number))) return nth(of, number);
  };

  // Cards in a pile, with one more: before the rest, or `below` it; in a place for one card instead of the one there.
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

  // Which of the cards there are no packs hold.
  const tooMany = (form, card) => table.copy(card) > form.packs;

  // Once a copy is free again, one that no pack holds becomes that.
  const settled = (form, given, of) => {
    const extra = used(form, given, of).find(({ card }) => tooMany(form, card));
    const free = extra && next(form, given, extra.pile, of);
    if (!extra || tooMany(form, free)) return given;
    return settled(form, laid(given, extra.pile, lying(given, extra.pile).map((each) => (each === extra.card ? free : each))), of);
  };

  Object.assign(table, { settled, piles, lying, everywhere, used, left, next, put, take, move, rest, tooMany, laid });
})();
