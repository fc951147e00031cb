// Cards as text and as pictures, and small parts of pages. Cards are written as in scenarios: KS, QS#2, and ... for cards
// left open. All scripts that draw cards use this one.
(() => {
  const PRINTED = /(10|[2-9JQKA])([♣♦♥♠])([²³⁴⁵⁶⁷⁸]?)|▯/gu;
  const RANKS = { A: "ace", K: "king", Q: "queen", J: "knave", T: "ten", 9: "nine", 8: "eight", 7: "seven", 6: "six", 5: "five", 4: "four", 3: "three", 2: "two" };
  const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
  const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
  const COPIES = "..²³⁴⁵⁶⁷⁸";
  const REST = "...";

  const element = (name, given = {}, ...inside) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(given)) if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
    made.append(...inside);
    return made;
  };
  const face = (name) => name.slice(0, 2);
  const copy = (name) => Number(name.split("#")[1] ?? 1);
  const nth = (of, number) => (number > 1 ? `${of}#${number}` : of);
  // Whether a name is that of a card, not of one left open.
  const known = (name) => name[0] in RANKS && name[1] in SUITS;
  const printed = (name) => {
    if (!known(name)) return name === REST ? "…" : name;
    return `${name[0] === "T" ? "10" : name[0]}${SIGNS[name[1]]}${copy(name) > 1 ? (COPIES[copy(name)] ?? `#${copy(name)}`) : ""}`;
  };
  const named = (name) => {
    if (name === REST) return "the rest anywhere";
    if (!known(name)) return "a card left open";
    return `${RANKS[name[0]]} of ${SUITS[name[1]]}${copy(name) > 1 ? ` (copy ${copy(name)})` : ""}`;
  };
  const suit = (name) => SUITS[name[1]] ?? (name === REST ? "any" : "back");

  // A card for display only, and one that can be touched.
  const card = (name) => element("span", { class: `card ${suit(name)}`, role: "img", "aria-label": named(name) }, suit(name) === "back" ? "" : printed(name));
  const touchable = (name, given = {}, says = named(name), ...more) =>
    element("button", { type: "button", class: `card ${suit(name)}`, ...given }, element("span", { "aria-hidden": "true" }, suit(name) === "back" ? "" : printed(name), ...more), element("span", { class: "unseen" }, says));

  // A card as a picture: its face, or its back if the card is left open. A card with attributes is a button.
  const picture = (name) =>
    element("img", { src: `${document.body.dataset.base ?? ""}assets/card-${known(name) ? face(name) : "back"}.svg`, alt: "", width: 240, height: 336, draggable: "false" });
  const pictured = (name, given, says = named(name), ...more) => {
    const copies = copy(name) > 1 ? [element("span", { class: "copy", "aria-hidden": "true" }, copy(name))] : [];
    const inside = [picture(name), ...copies, ...more];
    if (!given) return element("span", { class: `face ${suit(name)}`, role: "img", "aria-label": says }, ...inside);
    return element("button", { type: "button", ...given, class: `face ${suit(name)} ${given.class ?? ""}`.trim() }, ...inside, element("span", { class: "unseen" }, says));
  };
  // Words with every card as a screen reader should read it.
  const aloud = (words) => words.replaceAll(PRINTED, (...match) => named(written(match)));

  // Draws every card in the words of an element, as text or as `make` draws it. The element of a new card gets a mark if the
  // card stands alone.
  const written = ([, rank, sign, more]) => (rank ? nth(`${rank === "10" ? "T" : rank}${Object.keys(SIGNS).find((key) => SIGNS[key] === sign)}`, more ? COPIES.indexOf(more) : 1) : "");
  const draw = (root, make = card) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(".card, .face")) found.push(walker.currentNode);
    for (const node of found) {
      const parts = [];
      let end = 0;
      for (const match of node.data.matchAll(PRINTED)) {
        parts.push(node.data.slice(end, match.index), make(written(match)));
        end = match.index + match[0].length;
      }
      if (parts.length) node.replaceWith(...parts, node.data.slice(end));
    }
    for (const mark of root.querySelectorAll("mark:has(.card, .face)")) {
      if (mark.textContent !== mark.firstElementChild.textContent) continue; // words with cards in them
      mark.firstElementChild.classList.add("new");
      mark.replaceWith(mark.firstElementChild);
    }
    return root;
  };

  for (const felt of globalThis.document?.querySelectorAll(".felt") ?? []) draw(felt, (name) => pictured(name));
  globalThis.hoyleCards = { REST, RANKS, SUITS, SIGNS, element, card, touchable, known, pictured, draw, aloud, face, copy, nth, printed, named };
})();
