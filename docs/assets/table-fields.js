// Fields to fill in, one for each type of field that the engine names, and the small parts that the panels are made of.
(() => {
  const table = (globalThis.hoyleTable ??= {});
  const { element, draw, card } = table;
  const SUITS = [["S", "♠"], ["H", "♥"], ["C", "♣"], ["D", "♦"]];

  // A button that says what it does, and keeps its key when the list around it is made anew.
  const button = (key, act, ...inside) => {
    const made = element("button", { type: "button", "data-key": key }, ...inside);
    made.addEventListener("click", act);
    return made;
  };
  const fold = (key, says, ...inside) => element("details", { "data-key": key }, element("summary", {}, says), ...inside);
  const words = (name, given, text) => draw(element(name, given, text ?? ""));
  const cards = (names) => element("span", { class: "cards" }, ...names.map((each) => card(each)));

  // New parts for a place. What had the focus has it again, or the home of its section has it; what was unfolded stays so.
  const renew = (place, ...parts) => {
    const on = place.contains(document.activeElement) ? document.activeElement : null;
    const key = on?.closest("[data-key]")?.dataset.key;
    const open = new Map([...place.querySelectorAll("details[data-key]")].map((each) => [each.dataset.key, each.open]));
    place.replaceChildren(...parts);
    for (const each of place.querySelectorAll("details[data-key]")) each.open = open.get(each.dataset.key) ?? each.open;
    if (!on) return;
    const again = key && place.querySelector(`[data-key="${CSS.escape(key)}"]`);
    const next = again?.matches("details") ? again.firstElementChild : again;
    (next || place.closest("section").querySelector("[data-home]"))?.focus({ preventScroll: true });
  };

  // The next copy of a card that is not among these, or nothing: a pack may be there twice, and more.
  const copy = (name, among, packs) => {
    const all = Array.from({ length: packs }, (_, at) => (at ? `${name}#${at + 1}` : name));
    return all.find((each) => !among.includes(each));
  };

  // The whole pack, to choose cards from; what is chosen stands above it, and is put back with a touch.
  const picker = (field, form, given = []) => {
    const most = field.type === "card" ? 1 : field.most ?? Infinity;
    let chosen = given.slice(0, most);
    const above = element("span", { class: "chosen" });
    const put = (names) => {
      chosen = names.slice(-most);
      const back = (name) => button(name, () => put(chosen.filter((each) => each !== name)), element("span", { class: "unseen" }, "Put back "), card(name));
      renew(above, ...(chosen.length ? chosen.map(back) : [element("span", { class: "none" }, most === 1 ? "no card yet" : "no cards yet")]));
    };
    const take = (name) => {
      const next = copy(name, chosen, form.packs);
      if (next) put([...chosen, next]);
    };
    const row = ([suit]) => element("div", {}, ...[...form.ranks].reverse().map((rank) => button(rank + suit, () => take(rank + suit), card(rank + suit))));
    const pack = element("details", { class: "pack" }, element("summary", {}, most === 1 ? "Choose a card" : "Choose cards"), ...SUITS.map(row));
    put(chosen);
    const shown = element("fieldset", { class: "field" }, element("legend", {}, field.says ?? (most === 1 ? "Card" : "Cards")), above, pack);
    return { shown, put, value: () => (chosen.length ? (most === 1 && field.type === "card" ? chosen[0] : chosen) : undefined) };
  };

  const labelled = (field, says, input) => element("label", { class: "field" }, element("span", {}, field.says ?? says), input);
  const select = (choices, value, none) => {
    const options = choices.map((each) => element("option", { value: JSON.stringify(each.value) }, each.says));
    const made = element("select", {}, ...(none ? [element("option", { value: "" }, none)] : []), ...options);
    if (value !== undefined) made.value = JSON.stringify(value);
    return made;
  };
  const chooser = (field, says, choices, given) => {
    const made = select(choices, given, field.optional ? "—" : "");
    return { shown: labelled(field, says, made), value: () => (made.value ? JSON.parse(made.value) : undefined) };
  };
  const seatsOf = (form) => form.seats.map((each) => ({ value: each, says: each }));

  const number = (field, says, given) => {
    const limits = Object.entries({ min: field.least, max: field.most }).filter(([, value]) => value !== undefined);
    const made = element("input", { type: "number", inputmode: "numeric", ...Object.fromEntries(limits) });
    made.value = given ?? "";
    return { shown: labelled(field, says, made), value: () => (made.value === "" ? undefined : Number(made.value)) };
  };
  const text = (field, says, given) => {
    const made = element("input", { type: "text", autocomplete: "off" });
    made.value = given ?? "";
    return { shown: labelled(field, says, made), value: () => made.value.trim() || undefined };
  };
  const flag = (field, says, given) => {
    const made = element("input", { type: "checkbox" });
    made.checked = Boolean(given);
    return { shown: element("label", { class: "field flag" }, made, element("span", {}, field.says ?? says)), value: () => made.checked || undefined };
  };
  const some = (field, says, choices) => {
    const boxes = choices.map((each) => ({ ...flag({ says: each.says }), is: each.value }));
    const shown = element("fieldset", { class: "field" }, element("legend", {}, field.says ?? says), ...boxes.map((each) => each.shown));
    const value = () => {
      const chosen = boxes.filter((each) => each.value()).map((each) => each.is);
      return chosen.length ? chosen : undefined;
    };
    return { shown, value };
  };

  // One field for each seat: points, or hands.
  const each = (field, says, form, make) => {
    const parts = form.seats.map((seat) => [seat, make(seat)]);
    const shown = element("fieldset", { class: "field" }, element("legend", {}, field.says ?? says), ...parts.map(([, part]) => part.shown));
    const value = () => {
      const filled = parts.map(([seat, part]) => [seat, part.value()]).filter(([, is]) => is !== undefined);
      return filled.length ? Object.fromEntries(filled) : undefined;
    };
    return { shown, value };
  };

  const FIELDS = {
    seat: (field, form, given) => chooser(field, "Who", seatsOf(form), given),
    suit: (field, form, given) => chooser(field, "Suit", SUITS.map(([value, says]) => ({ value, says })), given),
    choice: (field, form, given) => chooser(field, "Which", field.choices, given),
    number: (field, form, given) => number(field, "Number", given),
    text: (field, form, given) => text(field, "Words", given),
    flag: (field, form, given) => flag(field, "Yes", given),
    card: picker,
    cards: picker,
    seats: (field, form) => some(field, "Who", seatsOf(form)),
    choices: (field) => some(field, "Which", field.choices),
    points: (field, form) => each(field, "Points", form, (seat) => number({ says: seat })),
    hands: (field, form) => each(field, "Hands", form, (seat) => picker({ type: "cards", says: seat }, form)),
  };
  const field = (asked, form, given) => (FIELDS[asked.type] ?? FIELDS.text)(asked, form, given);

  Object.assign(table, { button, fold, words, cards, renew, field });
})();
