// The small parts of the table: buttons, form fields, the motion of cards, and dragging.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { element, draw, card } = table;

  // ---- Fields of acts and questions, one for each type of the engine.

  const labelled = (says, field, ...more) => element("label", { class: "field" }, element("span", {}, says), field, ...more);
  const act = (says, does, given = {}, ...more) => {
    const made = element("button", { type: "button", ...given }, says, ...more);
    made.addEventListener("click", does);
    return made;
  };

  // A button with its label, which keeps its key when the list around it is remade.
  const button = (key, does, ...inside) => act("", does, { "data-key": key }, ...inside);
  const fold = (key, says, ...inside) => element("details", { "data-key": key }, element("summary", {}, says), ...inside);
  const words = (name, given, text) => draw(element(name, given, text ?? ""));
  const cards = (names) => element("span", { class: "cards" }, ...names.map((each) => card(each)));

  // Replaces the content of a place. The same element, or the home of its section, regains the focus; unfolded parts remain so.
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

  const copies = (form, of) => Array.from({ length: form.packs }, (_, at) => table.nth(of, at + 1));

  // A choice of cards: those of the hands, and the whole pack in a fold. The chosen cards are above; touching one removes it.
  const picker = (field, form, given = [], hands = []) => {
    const one = field.type === "card";
    const most = one ? 1 : field.most ?? Infinity;
    const made = { chosen: [] };
    const above = element("span", { class: "chosen" });
    const back = (name) => button(`back ${name}`, () => made.put(made.chosen.filter((each) => each !== name)), element("span", { class: "unseen" }, "Put back "), card(name));
    made.put = (names) => {
      made.chosen = names.slice(-most);
      renew(above, ...(made.chosen.length ? made.chosen.map(back) : [element("span", { class: "none" }, one ? "no card yet" : "no cards yet")]));
    };
    const add = (name) => name && !made.chosen.includes(name) && made.put([...made.chosen, name]);
    const offer = (name, does) => button(`take ${name}`, does, element("span", { class: "unseen" }, "Take "), card(name));
    const known = hands.map(({ seat, cards: held }) => [seat, held.filter(table.known)]).filter(([, held]) => held.length);
    const rows = known.map(([seat, held]) => element("div", { class: "held" }, element("span", {}, `${seat}:`), ...held.map((name) => offer(name, () => add(name)))));
    const ofPack = (of) => offer(of, () => add(copies(form, of).find((each) => !made.chosen.includes(each))));
    const row = ({ value: suit }) => element("div", { class: "held" }, ...[...form.ranks].reverse().map((rank) => ofPack(rank + suit)));
    const pack = fold(`pack ${field.key ?? field.says}`, rows.length ? "Other cards" : "Choose from the pack", ...form.suits.map(row));
    made.put(given);
    made.shown = element("fieldset", { class: "field picks" }, element("legend", {}, field.says ?? (one ? "Card" : "Cards")), above, ...rows, pack);
    const none = !one && !field.optional && field.least === 0 ? [] : undefined; // no cards at all are an answer too
    made.value = () => (made.chosen.length ? (one ? made.chosen[0] : made.chosen) : none);
    return made;
  };

  const captioned = (field, says, input) => labelled(field.says ?? says, input);
  const select = (choices, value, none) => {
    const options = choices.map((each) => element("option", { value: JSON.stringify(each.value) }, each.says));
    const made = element("select", {}, ...(none ? [element("option", { value: "" }, none)] : []), ...options);
    if (value !== undefined) made.value = JSON.stringify(value);
    return made;
  };
  const chooser = (field, says, choices, given) => {
    const made = select(choices, given, field.optional ? "—" : "");
    return { shown: captioned(field, says, made), value: () => (made.value ? JSON.parse(made.value) : undefined) };
  };
  const seatsOf = (form) => form.seats.map((each) => ({ value: each, says: each }));

  const number = (field, says, given) => {
    const limits = Object.entries({ min: field.least, max: field.most }).filter(([, value]) => value !== undefined);
    const made = element("input", { type: "number", inputmode: "numeric", ...Object.fromEntries(limits) });
    made.value = given ?? "";
    const shown = captioned(field, says, made);
    shown.classList.add("number");
    return { shown, value: () => (made.value === "" ? undefined : Math.trunc(Number(made.value))) };
  };
  const text = (field, says, given) => {
    const made = element("input", { type: "text", autocomplete: "off" });
    made.value = given ?? "";
    return { shown: captioned(field, says, made), value: () => made.value.trim() || undefined };
  };
  const flag = (field, says, given) => {
    const made = element("input", { type: "checkbox" });
    made.checked = Boolean(given);
    return { shown: element("label", { class: "field flag" }, made, element("span", {}, field.says ?? says)), value: () => made.checked || undefined };
  };
  const some = (field, says, choices, given = []) => {
    const boxes = choices.map((each) => ({ ...flag({ says: each.says }, "", given.includes(each.value)), is: each.value }));
    const shown = element("fieldset", { class: "field" }, element("legend", {}, field.says ?? says), ...boxes.map((each) => each.shown));
    const value = () => {
      const chosen = boxes.filter((each) => each.value()).map((each) => each.is);
      return chosen.length ? chosen : undefined;
    };
    return { shown, value };
  };

  // Several fields that make up one value: of its parts, or one for each seat.
  const each = (field, says, form, make) => together(field.says ?? says, (field.seats ?? form.seats).map((seat) => [seat, make(seat)]));
  const together = (says, parts) => {
    const shown = element("fieldset", { class: "field" }, element("legend", {}, says), ...parts.map(([, part]) => part.shown));
    return { shown, value: () => filled(parts) };
  };
  const filled = (parts) => {
    const given = parts.map(([key, part]) => [key, part.value()]).filter(([, is]) => is !== undefined);
    return given.length ? Object.fromEntries(given) : undefined;
  };

  const FIELDS = {
    seat: (field, form, given) => chooser(field, "Who", seatsOf(form), given),
    suit: (field, form, given) => chooser(field, "Suit", form.suits.map(({ value, shown }) => ({ value, says: shown })), given),
    choice: (field, form, given) => chooser(field, "Which", field.choices, given),
    number: (field, form, given) => number(field, "Number", given),
    text: (field, form, given) => text(field, "Words", given),
    flag: (field, form, given) => flag(field, "Yes", given),
    card: picker,
    cards: picker,
    seats: (field, form, given) => some(field, "Who", seatsOf(form), given),
    points: (field, form) => each(field, "Points", form, (seat) => number({ says: seat })),
    hands: (field, form, _, hands) => each(field, "Hands", form, (seat) => picker({ type: "cards", key: `${field.key} ${seat}`, says: seat }, form, [], hands?.filter((each) => each.seat === seat))),
    calls: (asked, form) => each(asked, "Calls", form, (seat) => together(seat, asked.fields.map((one) => [one.key, field(one, form)]))),
  };
  // A field of a type: its element, its value, and, for cards, a function to add them. `hands` are the nearest cards.
  const field = (asked, form, given, hands) => (FIELDS[asked.type] ?? FIELDS.text)(asked, form, given, hands);

  // A field that says at once what has been given in it; it keeps its key when the list around it is remade.
  const watched = (key, asked, form, given, does) => {
    const made = field(asked, form, given);
    for (const [at, each] of made.shown.querySelectorAll("input, select").entries()) each.dataset.key = at ? `${key} ${at}` : key;
    made.shown.addEventListener("change", () => does(made.value()));
    return made.shown;
  };

  // ---- Motion: a card moves to its new place after a change, unless the reader prefers reduced motion.

  const TAKES = 180; // milliseconds
  const COUNTS = 700; // milliseconds for points to count up
  const NEAR = 2; // pixels that are no move

  const onScreen = () => [...document.querySelectorAll("#table .screen [data-card]")].filter((each) => each.offsetParent);
  const places = () => new Map(onScreen().map((each) => [each.dataset.card, each.getBoundingClientRect()]));

  const points = () => new Map([...document.querySelectorAll("#table .score")].map((each) => [each.dataset.seat, each]));
  // Counts a score up, or down, to its new value.
  const count = (made, from, to) => {
    const began = performance.now();
    const step = (now) => {
      const part = Math.min(1, (now - began) / COUNTS);
      made.firstChild.textContent = Math.round(from + (to - from) * part).toLocaleString("en");
      if (part < 1 && made.isConnected) requestAnimationFrame(step);
    };
    if (from !== to) step(began);
  };

  // Draws, and then moves each card from its earlier place; a card without one comes from the stock.
  const moving = (draw) => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return void draw();
    const [before, scores] = [places(), points()];
    const stock = document.querySelector("#table .stock .face")?.getBoundingClientRect();
    draw();
    for (const [seat, each] of points()) count(each, Number(scores.get(seat)?.dataset.points ?? each.dataset.points), Number(each.dataset.points));
    if (!before.size) return;
    for (const each of onScreen()) {
      const from = before.get(each.dataset.card) ?? stock;
      const to = each.getBoundingClientRect();
      if (!from?.width || (Math.abs(from.x - to.x) < NEAR && Math.abs(from.y - to.y) < NEAR)) continue;
      const start = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
      each.animate([{ transform: start, zIndex: 3 }, { transform: "none", zIndex: 3 }], { duration: TAKES, easing: "ease-out" });
    }
  };

  // ---- Dragging: a card follows the pointer, and is dropped on a place. Every card that can be dragged can also be touched.

  const STARTS = 8; // pixels from which a touch is a drag

  // The place under the pointer, if it accepts cards.
  const placeAt = (root, { clientX, clientY }) => {
    const found = document.elementFromPoint(clientX, clientY)?.closest("[data-drop]");
    return found && root.contains(found) ? found : null;
  };

  const follow = (drag, event) => {
    const { made, x, y, root } = drag;
    made.style.transform = `translate(${event.clientX - x}px, ${event.clientY - y}px)`;
    const place = placeAt(root, event);
    if (place === drag.place) return;
    drag.place?.classList.remove("drop-here");
    place?.classList.add("drop-here");
    drag.place = place;
  };
  const begin = (drag) => {
    const { left, top, width, height } = (drag.from.querySelector("img") ?? drag.from).getBoundingClientRect(); // whole, in a fan too
    drag.made = drag.from.cloneNode(true);
    drag.made.classList.add("dragged");
    drag.made.removeAttribute("data-card");
    Object.assign(drag.made.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    document.body.append(drag.made);
    drag.from.classList.add("lifted");
  };
  const end = (drag) => {
    drag.made?.remove();
    drag.from.classList.remove("lifted");
    drag.place?.classList.remove("drop-here");
  };

  // Makes the cards in `root` that match `selector` draggable: `drop` gets the card and its place.
  const draggable = (root, selector, drop) => {
    let drag = null;
    const stop = () => {
      if (drag) end(drag);
      drag = null;
    };
    root.addEventListener("pointerdown", (event) => {
      const from = event.button === 0 && event.target.closest(selector);
      if (from) drag = { root, from, x: event.clientX, y: event.clientY, place: null, made: null };
    });
    root.addEventListener("pointermove", (event) => {
      if (!drag) return;
      if (!drag.made && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < STARTS) return;
      if (!drag.made) {
        begin(drag);
        root.setPointerCapture(event.pointerId); // the click that ends a drag is no touch of a card
      }
      follow(drag, event);
    });
    root.addEventListener("pointerup", (event) => {
      const { made, from, place } = drag ?? {};
      stop();
      if (made && place) drop(from, place);
    });
    root.addEventListener("pointercancel", stop);
    root.addEventListener("dragstart", (event) => event.preventDefault());
  };

  Object.assign(table, { act, button, labelled, fold, words, cards, renew, field, watched, copies, filled, moving, draggable });
})();
