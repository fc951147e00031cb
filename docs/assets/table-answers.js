// The answers of all sources: one line for each group of rulesets that agree, minorities first; the readings of disputed rules;
// and house rules as another ruleset. All words come from the engine; this script only arranges them.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { element, act, button, labelled, fold, words, renew } = table;
  const AT_ONCE = 24; // rules shown before the reader has said which
  const NARROW = "(max-width: 40rem)"; // where what is long is folded

  const link = (href, ...inside) => (href ? element("a", { href }, ...inside) : element("span", {}, ...inside));
  const listed = (parts) => parts.flatMap((each, at) => (at ? [at === parts.length - 1 ? " and " : ", ", each] : [each]));
  const keyOf = (rulesets) => rulesets.map(({ id }) => id).join(" ");

  // --- The books that give an answer, under their forms of the game if several forms are compared.
  const formOf = ({ forms, form, layout }, id) => table.formOf(forms, id, layout.house) ?? form;
  const byForm = (store, rulesets) => {
    const found = new Map();
    for (const each of rulesets) {
      const { title } = formOf(store, each.id);
      found.set(title, [...(found.get(title) ?? []), each]);
    }
    return found;
  };
  const several = (store) => new Set(store.layout.rulesets.map((id) => formOf(store, id))).size > 1;
  const linked = ({ name, title, href, id }) => {
    const made = link(href, name);
    if (title && title !== name) made.title = title;
    if (id === "house") made.classList.add("house");
    return made;
  };
  // A book with several of its options counts as one book: the options are in a fold.
  const booksOf = (rulesets) => {
    const found = new Map();
    for (const each of rulesets) {
      const base = each.id.split("+")[0];
      found.set(base, [...(found.get(base) ?? []), each]);
    }
    return [...found.values()].map((own) => {
      const plain = own.find(({ id }) => !id.includes("+"));
      if (own.length === 1) return linked(own[0]);
      const options = own.length - (plain ? 1 : 0);
      return plain ? element("span", {}, linked(plain), ` (with ${options === 1 ? "an option" : `${options} options`} too)`) : element("span", {}, ...listed(own.map(linked)));
    });
  };
  const optionsOf = (rulesets) => {
    const own = rulesets.filter(({ id }) => id.includes("+"));
    return own.length && own.length < rulesets.length ? [element("p", { class: "small" }, "With options: ", ...listed(own.map(linked)), ".")] : [];
  };
  const who = (store, rulesets) => {
    const parts = [...byForm(store, rulesets)].map(([title, own]) => {
      const form = several(store) ? [element("span", { class: "small" }, `${title}: `)] : [];
      return element("span", { class: "of-form" }, ...form, ...listed(booksOf(own)));
    });
    return element("p", { class: "who" }, ...parts);
  };

  // --- The rules of a step, each in words, with its place and certainty.
  const rule = ({ says, place, href, status }) => {
    const made = words("li", {}, says);
    const certain = status ? [element("span", { class: `status ${status}` }, status)] : [];
    made.append(" ", element("span", { class: "small" }, link(href, place || "the rule"), " ", ...certain));
    return made;
  };
  const step = ({ number, said, refused, follows = [], parts, rules = [] }) => {
    const made = element("li", { value: number, class: refused ? "refused" : "" }, words("p", { class: "said" }, said));
    if (parts) made.append(element("p", { class: "parting" }, "≠ The books differ here."));
    made.append(element("ul", { class: "follows" }, ...follows.map((each) => words("li", {}, each))));
    if (rules.length) made.append(element("ul", { class: "rules" }, ...rules.map(rule)));
    return made;
  };
  // The drawn table follows one ruleset; the reader may choose any other.
  const shows = (store, rulesets) => {
    const [{ id, name }] = rulesets;
    const draws = store.layout.drawn_by ?? store.layout.rulesets[0];
    if (rulesets.some((each) => each.id === draws)) return [];
    const draw = () => store.change((layout) => ({ ...layout, drawn_by: id }), `The table now follows ${name}`);
    return [button(`draw ${keyOf(rulesets)}`, draw, `Show the table under ${name}`)];
  };
  const why = (store, { rulesets, steps = [] }) => {
    const key = keyOf(rulesets);
    const lies = shows(store, rulesets);
    if (!steps.length) return lies;
    const says = steps.some(({ parts }) => parts) ? "Where they differ, and the rules behind it" : "The steps, with the rules behind them";
    return [fold(`why ${key}`, says, ...optionsOf(rulesets), element("ol", { class: "why" }, ...steps.map(step)), ...lies)];
  };

  const points = (store, score = {}) => {
    const whose = (seat) => (store.form.sides.find(([first]) => first === seat) ?? [seat]).join(" and ");
    const each = Object.entries(score).map(([seat, value]) => element("span", {}, element("b", {}, whose(seat)), ` ${value} `));
    return each.length ? [element("p", { class: "points" }, element("span", { class: "unseen" }, "Points: "), ...each)] : [];
  };
  const voice = (store, group, marked) => {
    const says = words("p", { class: group.refused ? "says refused" : "says" }, group.says);
    if (marked) says.prepend(element("span", { class: "differs", role: "img", "aria-label": "Different:" }, "≠"), " ");
    const kind = ["voice", marked && "different", group.rulesets.some(({ id }) => id === "house") && "of-house"];
    return element("li", { class: kind.filter(Boolean).join(" ") }, who(store, group.rulesets), says, ...points(store, group.score), ...why(store, group));
  };
  const apart = (store, { rulesets, cannot }) => {
    const says = words("p", { class: "says" }, cannot.says);
    const remedy = cannot.remedy ? [words("p", { class: "small" }, cannot.remedy)] : [];
    return element("li", { class: "voice cannot" }, who(store, rulesets), says, ...remedy);
  };
  const partsAt = (groups) => [...new Set(groups.flatMap(({ steps = [] }) => steps.filter(({ parts }) => parts).map(({ number }) => number)))].sort((one, other) => one - other);
  // The number of tables that answer; their options do not count as separate books.
  const counted = (groups) => {
    const ids = groups.flatMap(({ rulesets }) => rulesets.map(({ id }) => id));
    const all = new Set(ids.map((id) => id.split("+")[0])).size;
    return { all, options: ids.some((id) => id.includes("+")) ? ", with options," : "" };
  };
  Object.assign(table, { byForm });
  const summed = (can, cannot) => {
    const { all, options } = counted(can);
    if (!can.length) return cannot.length ? "This cannot arise under any of the chosen books." : "";
    const at = partsAt(can);
    const where = at.length ? ` They differ at step${at.length === 1 ? "" : "s"} ${listed(at).join("")}.` : "";
    if (can.length > 1) return `${all} book${all === 1 ? "" : "s"}${options || ","} ${can.length} different answers.${where}`;
    if (all === 1) return "One book answers.";
    return `All ${all} agree${options && ", with options too"}${cannot.length ? " in which this can arise" : ""}.`;
  };
  const showVoices = (place, sum, store, answers) => {
    const can = answers.filter(({ cannot }) => !cannot);
    const cannot = answers.filter(({ cannot: reason }) => reason);
    sum.textContent = summed(can, cannot);
    sum.classList.toggle("agree", can.length === 1 && !cannot.length && can[0].rulesets.length > 1);
    const lines = can.map((group, at) => voice(store, group, at < can.length - 1));
    const none = cannot.length ? [element("h3", {}, "Cannot arise here"), element("ul", { class: "voices" }, ...cannot.map((each) => apart(store, each)))] : [];
    renew(place, element("ul", { class: "voices" }, ...lines), ...none);
  };

  // --- Disputed rules that affect the steps: their readings, and the reading followed.
  const disputes = (answers) => {
    const found = new Map();
    for (const group of answers) {
      for (const open of group.open ?? []) {
        const name = open.name ?? group.rulesets.find(({ id }) => id === open.ruleset)?.name ?? open.ruleset;
        const key = JSON.stringify([open.cell, open.says, open.chosen, open.readings]);
        const known = found.get(key) ?? { ...open, rulesets: [] };
        if (!known.rulesets.some(({ id }) => id === open.ruleset)) known.rulesets.push({ id: open.ruleset, name, href: open.href });
        found.set(key, known);
      }
    }
    return [...found.values()];
  };
  const read = (store, { rulesets, cell }, name) => {
    store.change((layout) => {
      const readings = { ...layout.readings };
      for (const { id } of rulesets) {
        const { [cell]: _, ...others } = readings[id] ?? {};
        readings[id] = name ? { ...others, [cell]: name } : others;
        if (!Object.keys(readings[id]).length) delete readings[id];
      }
      const { readings: _, ...rest } = layout;
      return Object.keys(readings).length ? { ...rest, readings } : rest;
    }, name ? "A disputed rule has another reading" : "A disputed rule has its usual reading");
  };
  const dispute = (store, open, at) => {
    const switched = open.rulesets.some(({ id }) => store.layout.readings?.[id]?.[open.cell]);
    const key = `reading ${open.cell} ${keyOf(open.rulesets)}`;
    const options = open.readings.map(({ name, says, argument }) => {
      const box = element("input", { type: "radio", name: `reading-${at}`, "data-key": `${key} ${name}` });
      box.checked = name === open.chosen;
      box.addEventListener("change", () => read(store, open, name));
      return element("label", { class: "reading" }, box, element("span", {}, words("span", {}, says), ...(argument ? [words("span", { class: "small" }, argument)] : [])));
    });
    const back = button(`${key} back`, () => read(store, open, null), "Back to the reading followed here");
    const parts = [...byForm(store, open.rulesets)];
    const names = listed(parts.map(([title, own]) => element("span", {}, ...listed(booksOf(own)), several(store) ? ` (${title})` : "")));
    const told = open.readings.some(({ says }) => says === open.says) ? [] : [words("p", { class: "about" }, open.says)];
    const otherwise = switched ? [element("p", { class: "small" }, "This is not the reading that Hoyle follows for the book."), back] : [];
    return element("fieldset", { class: "open dispute" }, element("legend", {}, "Disputed in ", ...names), ...told, ...options, ...otherwise);
  };
  // Readings that affect a result come first; the others are in a fold.
  const showDisputes = (place, store, answers) => {
    const lines = disputes(answers).map((each, at) => [each, dispute(store, each, at)]);
    const first = lines.filter(([{ matters }]) => matters !== false).map(([, line]) => line);
    const rest = lines.filter(([{ matters }]) => matters === false).map(([, line]) => line);
    const head = first.length ? [fold("at-work", `Disputed rules at work here (${first.length})`, ...first)] : [];
    for (const each of head) each.open = !matchMedia(NARROW).matches;
    renew(place, ...head, ...(rest.length ? [fold("disputes", `Disputed rules that change nothing here (${rest.length})`, ...rest)] : []));
  };

  // --- House rules: a ruleset with some changed rules, next to the others.
  const house = (store, extended, rules, what) => {
    store.change((layout) => {
      const { house: _, ...rest } = layout;
      return Object.keys(rules).length ? { ...rest, house: { extends: extended, rules } } : rest;
    }, what);
  };
  const rulesOf = (store, id) => (store.layout.house?.extends === id ? store.layout.house.rules : {});
  const changing = (store, id, given) => {
    const changed = rulesOf(store, id)[given.cell];
    const set = (value) => house(store, id, { ...rulesOf(store, id), [given.cell]: value ?? false }, "A rule is changed");
    return table.watched(`rule ${given.cell}`, { ...given, says: "Instead" }, store.form, changed ?? given.value, set);
  };
  const ruleLine = (store, id, given) => {
    const made = words("li", { class: given.cell in rulesOf(store, id) ? "changed" : "" }, given.says);
    made.append(" ", element("span", { class: "small" }, link(given.href, "the rule")));
    made.append(changing(store, id, given));
    return made;
  };
  const matching = (rules, asked) => {
    const all = asked.toLowerCase().split(/\s+/u).filter(Boolean);
    return rules.filter(({ cell, group, says }) => all.every((word) => `${cell} ${group} ${says}`.toLowerCase().includes(word)));
  };
  const showRules = (place, store, id, rules, asked) => {
    const found = matching(rules, asked);
    const groups = Map.groupBy ? Map.groupBy(found.slice(0, AT_ONCE), ({ group }) => group) : new Map([["", found.slice(0, AT_ONCE)]]);
    const parts = [...groups].flatMap(([group, own]) => [...(group ? [element("h3", {}, group)] : []), element("ul", { class: "house-rules" }, ...own.map((each) => ruleLine(store, id, each)))]);
    const more = found.length > AT_ONCE ? [element("p", { class: "small" }, `And ${found.length - AT_ONCE} more: type words to find them.`)] : [];
    renew(place, ...(found.length ? parts : [element("p", { class: "small" }, "No rule matches these words.")]), ...more);
  };
  const showChanges = (place, store, known) => {
    const { extends: id, rules = {} } = store.layout.house ?? {};
    const without = (cell) => Object.fromEntries(Object.entries(rules).filter(([each]) => each !== cell));
    const lines = Object.keys(rules).map((cell) => {
      const says = known.get(id)?.find((each) => each.cell === cell)?.says ?? cell;
      const back = button(`unchange ${cell}`, () => house(store, id, without(cell), "A rule is changed back"), "Change back");
      return element("li", {}, words("span", {}, says), " ", back);
    });
    const all = button("unchange all", () => house(store, id, {}, "All rules are changed back"), "Take back all changes");
    renew(place, ...(lines.length ? [element("p", {}, "Changed, under “With your changes”:"), element("ul", {}, ...lines), all] : []));
  };

  // A book by its name or its title, with its options.
  const called = ({ forms }, id, key = "name") => {
    const [plain, ...options] = id.split("+");
    const found = forms.flatMap(({ rulesets }) => rulesets).find((each) => each.id === plain);
    const says = options.map((option) => found?.options.find((each) => each.id === option)?.says ?? option);
    return [id === "house" ? "Your changes" : (found?.[key] ?? plain), ...says].join(": ");
  };

  const houseRules = (store) => {
    const known = new Map();
    const which = element("select");
    const asked = element("input", { type: "search", autocomplete: "off", placeholder: "such as marriage, or last trick" });
    const changes = element("div");
    const rules = element("div");
    const shown = fold("house", "House rules: change a rule", element("p", { class: "small" }, "Change a rule, and the changed ruleset answers next to the others."), labelled("Start from", which), labelled("Find a rule", asked), changes, rules);
    const show = async () => {
      const id = which.value;
      showChanges(changes, store, known);
      if (!shown.open || !id) return;
      if (!known.has(id)) {
        const found = await store.ask({ ask: "rules", ruleset: id });
        if (!found.rules) return renew(rules, element("p", { class: "refusal" }, found.error?.says ?? "The rules have not loaded yet."));
        known.set(id, found.rules);
      }
      showChanges(changes, store, known);
      showRules(rules, store, id, known.get(id), asked.value);
    };
    const offer = () => {
      const was = store.layout.house?.extends ?? which.value;
      const all = store.layout.rulesets.filter((id) => id !== "house");
      which.replaceChildren(...all.map((id) => element("option", { value: id }, called(store, id, "title"))));
      which.value = all.includes(was) ? was : all[0];
    };
    for (const [heard, on] of [[shown, "toggle"], [which, "change"], [asked, "input"]]) heard.addEventListener(on, show);
    return { shown, show: () => { offer(); show(); } };
  };

  // --- The verdict in a line: each answer in a word or two, with the books that give it.
  const shortly = (store, answers) => {
    const names = ({ rulesets }) => [...new Set(rulesets.filter(({ id }) => !id.includes("+") || rulesets.length === 1).map(({ name }) => name))];
    const all = answers.flatMap(names);
    const twice = (name) => all.indexOf(name) !== all.lastIndexOf(name);
    const clear = (group) => (names(group).some(twice) ? [...byForm(store, group.rulesets)].map(([title, own]) => `${title}, ${names({ rulesets: own }).join(", ")}`) : names(group));
    const alike = answers.length > 1 && new Set(answers.map(({ brief }) => brief)).size === 1; // they differed before
    return answers.map((group) => {
      const kind = group.refused ? "refused" : group.cannot ? "cannot" : "";
      const who = answers.length > 1 ? [element("span", { class: "books" }, `${clear(group).join(", ")}: `)] : [];
      return element("span", { class: `short ${kind}` }, ...who, words("b", {}, alike ? `${Object.values(group.score).join(" to ")}` : group.brief));
    });
  };
  // What is fetched or loaded; a position can be set up meanwhile, and a game begun.
  const loading = ({ progress, fetching }) => {
    const { says, come, total } = progress ?? {};
    const part = total ? `: ${Math.round((100 * come) / total)}% of ${(total / 1e6).toFixed(1)} MB, which the browser keeps` : "";
    return says ? `${says}${part}. You can already set up a position.` : fetching ? `${fetching} …` : "The books answer here.";
  };
  const verdict = (root, store) => {
    const line = element("span", { class: "shorts" }, element("span"));
    const bar = act("", () => document.getElementById("table-answers").scrollIntoView({ behavior: "smooth" }), { class: "bar", "data-key": "verdict" }, line, element("span", { class: "more", "aria-hidden": "true" }, "▾"));
    root.append(element("h2", { class: "unseen" }, "The verdict"), bar);
    const show = () => {
      const answers = store.answer?.answers ?? [];
      const { all } = counted(answers);
      const says = answers.length > 1 ? `${all} books, ${answers.length} different answers` : all > 1 ? `All ${all} agree` : "";
      line.firstChild.replaceChildren(...(says ? [element("span", { class: `sums${answers.length > 1 ? " differ" : ""}` }, `${says}: `)] : []), ...shortly(store, answers));
      if (!answers.length) line.firstChild.textContent = loading(store);
      root.classList.toggle("waiting", store.waiting);
      root.classList.toggle("loading", Boolean(store.progress));
    };
    store.listen(show);
    show();
  };

  const answering = (root, store) => {
    const sum = element("p", { class: "sum", tabindex: -1, "data-home": "" });
    const voices = element("div");
    const open = element("div");
    const own = houseRules(store);
    root.append(element("h2", {}, "What each book says"), sum, voices, open, own.shown);
    const show = () => {
      const answers = store.answer?.answers ?? [];
      showVoices(voices, sum, store, answers);
      showDisputes(open, store, answers);
      own.show();
    };
    store.listen((_, why) => {
      if (why === "answer") show();
      root.classList.toggle("waiting", store.waiting);
    });
    show();
  };

  Object.assign(table, { verdict, answers: answering, rule, called });
})();
