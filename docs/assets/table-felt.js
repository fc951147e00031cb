// The felt: the table after the step that is shown, as the engine tells it. Every card on it can be touched.
(() => {
  const table = (globalThis.hoyleTable ??= {});
  const { element, touchable, card, draw, act } = table;
  const MANY = 24; // cards in a pile that is folded
  const HIDDEN = "▯";

  const shown = (place) => (name) => {
    const fresh = place.new?.includes(name) && place.new.length < place.cards.length; // where all is new nothing stands out
    const made = name === HIDDEN || name === table.REST ? card(HIDDEN) : touchable(name, { "data-card": name, "data-key": place.key, "data-seat": place.seat });
    made.classList.toggle("new", Boolean(fresh));
    return made;
  };
  const cards = (place) => {
    const all = place.cards.map(shown(place));
    if (!all.length) return [element("span", { class: "none" }, "none")];
    if (all.length <= MANY) return all;
    return [element("details", { "data-key": `pile-${place.key}-${place.seat}` }, element("summary", {}, `${all.length} cards`), element("span", { class: "cards" }, ...all))];
  };
  const named = (store, fact) => {
    const title = fact.title ?? store.form.facts.find((each) => each.key === fact.key)?.says ?? fact.key;
    return fact.seat && !fact.title ? `${title}, ${fact.seat}` : title;
  };
  const row = (says, inside, given = {}) => element("div", given, element("dt", {}, says), element("dd", {}, ...inside));
  const places = (store, lies) => lies.places.map((place) => row(place.title, cards(place), { class: place.key, "data-at": place.seat ? `${place.key}.${place.seat}` : place.key }));
  // A bare number has a title; other facts are said in words of their own.
  const told = (store, fact) => {
    const says = fact.new ? element("mark", {}, fact.says) : fact.says;
    const title = /^[\d,.-]+$/u.test(fact.says) ? `${named(store, fact)}: ` : fact.seat ? `${fact.seat}: ` : "";
    return element("li", {}, title, says);
  };
  const facts = (store, lies) => element("ul", { class: "told" }, ...(lies.facts ?? []).map((fact) => told(store, fact)));

  const felt = (root, store) => {
    const says = element("p", { class: "stands" });
    const place = element("div", { class: "felt", role: "group", "aria-label": "The table" });
    const back = act("Back to the position", () => table.shown(store.lay()));
    const problems = element("div");
    root.append(element("h2", { tabindex: -1, "data-home": "" }, "The table"), says, problems, place, back);
    const show = () => {
      root.hidden = store.mode === "lay";
      if (root.hidden) return;
      const lies = store.answer?.table;
      const steps = store.layout.steps.length;
      const when = store.at ? `After step ${store.at} of ${steps}. ` : steps ? "Before the first step. " : "";
      says.replaceChildren(...draw(element("span", {}, lies ? `${when}${lies.says}` : store.waiting ? "…" : "The position is not one that can be played yet.")).childNodes);
      problems.replaceChildren(...(lies ? [] : table.problemsOf(store)));
      if (lies) table.renew(place, element("dl", {}, ...places(store, lies)), draw(facts(store, lies)));
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
