// The head of the table: which game, which books are asked, and what one starts from.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { element, begin, draw } = table;
  const labelled = (says, field, ...more) => element("label", { class: "field" }, element("span", {}, says), field, ...more);
  const act = (says, does, given = {}, ...more) => {
    const made = element("button", { type: "button", ...given }, says, ...more);
    made.addEventListener("click", does);
    return made;
  };

  // --- The game, and the books.
  const setOf = (store) => store.sets.find((set) => store.layout.rulesets.some((id) => set.rulesets.includes(id.split("+")[0]))) ?? store.sets[0];
  const formsOf = (store, set) => store.forms.filter((form) => form.rulesets.some((each) => set.rulesets.includes(each.id)));
  const choose = (store, set) => {
    const form = store.forms.find((each) => each.key === set.form);
    store.mode = "lay";
    store.change(begin(form, set.rulesets), `The game is ${set.title}`);
  };
  const toggle = (store, id, name, box) => {
    const asked = store.layout.rulesets;
    if (asked.includes(id) && asked.length === 1) {
      box.checked = true;
      return store.speak("At least one book must be chosen. Choose another one first.");
    }
    const rulesets = asked.includes(id) ? asked.filter((each) => each !== id) : [...asked, id];
    store.change(({ drawn_by: drawn, ...layout }) => ({ ...layout, rulesets, ...(rulesets.includes(drawn) ? { drawn_by: drawn } : {}) }), `${name} is ${asked.includes(id) ? "no longer chosen" : "chosen"}`);
  };
  // A book has one for each form that it describes: whoever hears its name hears the form too.
  const chip = (store, id, says, title, of) => {
    const box = element("input", { type: "checkbox", "data-ruleset": id });
    box.addEventListener("change", () => toggle(store, id, title, box));
    return element("label", { class: "chip" }, box, element("span", {}, says, ...(of ? [element("span", { class: "unseen" }, ` (${of})`)] : [])));
  };
  // What a book is called, with its options.
  const called = (store, id) => {
    const [first, ...more] = id.split("+");
    const of = store.forms.flatMap((form) => form.rulesets).find((each) => each.id === first);
    const says = more.map((option) => of?.options.find((each) => each.id === option)?.says ?? option);
    return [id === "house" ? "Your changes" : (of?.name ?? id), ...says].join(": ");
  };
  // Those asked that are none of the choices: with several options at once.
  const beside = (store) => store.layout.rulesets.filter((id) => id.split("+").length > 2 || id === "house");
  const options = (store, ruleset, of) =>
    ruleset.options.map(({ id, says }) => element("li", {}, chip(store, `${ruleset.id}+${id}`, `${ruleset.name}: ${says}`, `${ruleset.title}, with ${says}`, of)));
  const listed = (says, some) => (some.length ? [element("p", { class: "of" }, says), element("ul", { class: "options" }, ...some)] : []);
  // The books of a form, and their options; where there are several forms, under its title.
  const ofForm = (store, form, several) => {
    const of = several ? form.title : "";
    const books = form.rulesets.map((each) => chip(store, each.id, each.name, each.title, of));
    const chips = element("div", { class: "chips", role: "group", "aria-label": `Books: ${form.title}` }, ...(several ? [element("span", { class: "of" }, form.title)] : []), ...books);
    return [chips, ...listed(several ? `${form.title}, with an option` : "With an option", form.rulesets.flatMap((each) => options(store, each, of)))];
  };
  const booksOf = (store, set) => {
    const forms = formsOf(store, set);
    const besides = (id) => [called(store, id), ...(forms.length > 1 ? table.byForm(store, [{ id }]).keys() : [])].join(", ");
    const others = beside(store).map((id) => element("li", {}, chip(store, id, besides(id), besides(id))));
    return [...forms.flatMap((form) => ofForm(store, form, forms.length > 1)), ...listed("Also chosen", others)];
  };

  // --- What one starts from.
  // Once there is something to see, it is shown.
  const shown = (came = true) => {
    if (!came) return;
    for (const each of document.querySelectorAll("#table-head details")) each.open = false;
    const home = document.querySelector("#table section:not([hidden]) > [data-home]");
    home?.focus({ preventScroll: true });
    scrollTo(0, 0);
  };
  // A number that decides how the cards are shuffled.
  const seed = () => crypto.getRandomValues(new Uint32Array(1))[0];
  const deal = (store) => store.fetch({ ask: "deal", layout: store.layout, seed: seed(), dealer: store.layout.given.dealer ?? "B" }, "A new deal");
  const nothing = (store) => {
    store.mode = "lay";
    store.change(begin(store.form, store.layout.rulesets.filter((id) => id !== "house")), "The table is empty");
    return true;
  };

  const finding = (store) => {
    const field = element("input", { type: "search", autocomplete: "off", placeholder: "carte blanche, repique …" });
    const found = element("ul", { class: "found" });
    const form = element("form", { role: "search", "aria-label": "Positions of the suite" }, labelled("Find a position of the suite", field), element("button", {}, "Find"));
    const entry = ({ id, title, rulesets }) => element("li", {}, act(draw(element("span", {}, title)), () => store.fetch({ ask: "position", id }, title).then(shown)), element("span", { class: "small" }, ` ${rulesets.join(", ")}`));
    const search = async () => {
      const { positions = [], error } = await store.ask({ ask: "positions", words: field.value });
      found.replaceChildren(...positions.map(entry));
      const says = error?.says ?? (positions.length ? `${positions.length} positions found` : "No position matches these words. Try other words, or fewer.");
      if (!positions.length) found.append(element("li", {}, says));
      store.speak(says);
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      search();
    });
    return element("div", { class: "finding" }, form, found);
  };
  const asked = (store) => {
    const says = ({ id }) => (id.includes("+") ? `${called(store, id.split("+")[0])} with options` : called(store, id));
    const forms = [...table.byForm(store, store.layout.rulesets.map((id) => ({ id })))];
    const said = forms.map(([title, own]) => `${forms.length > 1 ? `${title}: ` : ""}${[...new Set(own.map(says))].join(", ")}`);
    return `Books: ${said.join("; ")}`;
  };

  // A panel lies over the felt. It closes when the reader clicks elsewhere, or presses Escape.
  const closing = (root) => {
    const close = (but) => {
      for (const each of root.querySelectorAll(":scope > details[open]")) if (!each.contains(but)) each.open = false;
    };
    document.addEventListener("click", (event) => event.target.isConnected && close(event.target));
    root.addEventListener("keydown", (event) => event.key === "Escape" && close(null));
  };

  // A button that can do nothing now is not disabled, because a disabled button would lose the focus.
  const undoing = (store) => {
    const undo = act("↶", () => store.undo(), { "aria-label": "Undo", class: "undo" });
    const redo = act("↷", () => store.redo(), { "aria-label": "Redo", class: "undo" });
    const show = () => {
      undo.setAttribute("aria-disabled", !store.canUndo);
      redo.setAttribute("aria-disabled", !store.canRedo);
    };
    return { shown: [undo, redo], show };
  };

  // How far the interpreter has come; cards can be laid out all the same.
  const showProgress = (place, store) => {
    const { says, failed } = store.progress ?? {};
    const told = failed ? "" : says ? `${says}. You can already set up the position.` : store.fetching ? `${store.fetching} …` : "";
    place.hidden = !told;
    place.replaceChildren(...(told ? [element("p", { class: "small" }, told)] : []));
  };
  // Why there is no answer, and what to do: said once for the whole page, wherever on it one is.
  const showTrouble = (place, store) => {
    const failed = store.progress?.failed;
    const trouble = failed ?? store.problem;
    place.hidden = !trouble;
    const again = failed ? [act("Try again", () => store.restart())] : [];
    place.replaceChildren(...(trouble ? [element("p", { class: "trouble" }, draw(element("span", {}, `${trouble.says} ${trouble.remedy ?? ""} `)), ...again)] : []));
  };

  const head = (root, store) => {
    const games = element("select", { "data-key": "game" }, ...store.sets.map((set, at) => element("option", { value: at }, set.title)));
    games.addEventListener("change", () => choose(store, store.sets[games.value]));
    const books = element("div", { class: "books" });
    const who = element("summary");
    const row = element("div", { class: "row" }, act("Empty table", () => shown(nothing(store))), act("Deal the cards", () => deal(store).then(shown)));
    const start = element("details", {}, element("summary", {}, "Start"), element("div", { class: "panel" }, row, table.starting(store), finding(store)));
    const progress = element("div", { class: "progress", hidden: true });
    const notice = element("div", { class: "notice", hidden: true });
    const undos = undoing(store);
    root.after(notice);
    root.append(labelled("Game", games), element("details", {}, who, element("div", { class: "panel" }, books)), start, ...undos.shown, progress);
    closing(root);
    let drawn = null;
    const show = () => {
      const set = setOf(store);
      games.value = store.sets.indexOf(set);
      const offered = JSON.stringify([set.title, beside(store)]);
      if (offered !== drawn) books.replaceChildren(...booksOf(store, set));
      drawn = offered;
      const count = new Set(store.layout.rulesets.map((id) => id.split("+")[0])).size;
      who.replaceChildren(element("span", { "aria-hidden": "true" }, `${count} book${count === 1 ? "" : "s"}`), element("span", { class: "unseen" }, asked(store)));
      who.title = asked(store);
      undos.show();
      for (const box of books.querySelectorAll("[data-ruleset]")) box.checked = store.layout.rulesets.includes(box.dataset.ruleset);
      showProgress(progress, store);
      showTrouble(notice, store);
    };
    store.listen(show);
    show();
  };

  Object.assign(table, { head, act, labelled, shown, seed });
})();
