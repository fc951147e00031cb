// Steps and questions: the steps that were taken, and whatever else may be tried, asked, or have gone wrong. What there is comes
// from the engine, in words.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { element, button, fold, words, renew, field, filled, takeStep: take, touched } = table;

  const SILENT = ["spoken", "progress"]; // what is told of that changes nothing here
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
      renew(ready, ...atOnce.map((each) => element("li", {}, button(identity(each), () => take(store, stepOf(each, []), each.short), words("span", {}, each.short)))));
      chosen.replaceChildren(...made.entries.map((each) => element("option", { value: identity(each) }, each.short)));
      if (made.entries.some((each) => identity(each) === was)) chosen.value = was;
      made.shown.hidden = !entries.length;
      form.hidden = !made.entries.length;
      made.fill();
    };
    chosen.addEventListener("change", made.fill);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (entry()) take(store, stepOf(entry(), made.fields), entry().short);
    });
    return made;
  };
  // A form stays as it is while what it offers stays so; cards that are touched go into the one that is open.
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

  // --- The steps.
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
    const rest = button("rest", () => keep(store, store.at, `The steps after step ${store.at} are removed`), `Remove from step ${store.at + 1} on`);
    renew(place, list, element("div", { class: "row" }, ...(steps.length ? [last] : []), ...(store.at < steps.length ? [rest] : [])));
  };

  // --- The whole part.
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

  table.trying = trying;
})();
