// The search: results drop down under the box (in the frame, or on the page), as in the combobox of the ARIA practices. The
// index is a script, so that it also loads from the file system, and loads only when a reader is about to search. Its content
// and the query are inserted into the page as text.
(() => {
  const AT_FIRST = 6, OF_A_KIND = 3, IN_ALL = 13, ON_A_PAGE = 30;
  const KINDS = {
    answer: "Answer", probably: "Probably", perhaps: "Perhaps", term: "Terms", rule: "Other rules", question: "Open questions",
    clause: "What the books say", document: "Pages", position: "Positions",
  };
  const base = document.body?.dataset.base ?? "";
  const element = (name, properties = {}, ...inside) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...inside);
    return made;
  };

  // ---- the index

  let loading;
  const script = (path) =>
    new Promise((resolve, reject) => {
      document.head.append(element("script", { src: `${base}assets/${path}`, onload: resolve, onerror: reject }));
    });
  const loaded = () =>
    (loading ??= Promise.all([script("asking.js"), script("search-index.js")]).then(
      () => window.hoyleAsking.ready(window.HOYLE_INDEX),
      (failed) => {
        loading = undefined; // it may be there the next time
        throw failed;
      },
    ));

  // ---- results: sections of entries with an address, the answer first

  // The books of rulesets, by the forms of their game; or a note that all books of the game agree.
  const booksOf = (index, game, rulesets) => {
    const bases = [...new Set(rulesets.map(({ base: each }) => each))];
    if (bases.length === index.asking.rulesets.filter(([, of]) => of === game).length) return `${game}: every book`;
    const forms = new Map();
    for (const each of bases) {
      const [form, book] = index.books[each];
      forms.set(form, [...(forms.get(form) ?? []), book]);
    }
    return [...forms].map(([form, books]) => `${form}: ${books.join(", ")}`).join(" · ");
  };

  const thing = (index, number) => {
    const [, title, says, note, address] = index.things[number];
    return { title, says, note: index.notes[note], address };
  };

  // A rule, once for each group of books that agree; a clause or a position once.
  const subject = (among, found, id) => {
    const { index } = among;
    if (index.clauses[id]) {
      const [title, says, address, note] = index.clauses[id];
      return [{ title, says, note, address }];
    }
    const title = index.rules[found.game][id]?.title ?? id;
    return among.groupsOf(id, found).map(({ rulesets, says, certainty }) => {
      const how = index.certainties[certainty];
      return {
        title, says,
        note: booksOf(index, found.game, rulesets) + (how === "stated" ? "" : ` · ${how}`),
        address: `rulesets/${rulesets[0].base}.html#${id}`,
      };
    });
  };

  // The pages of a game, or of the rulesets named.
  const entries = ({ index }, found) => {
    const own = found.entry.map((each) => (each.id ? `rulesets/${each.id}.html` : each));
    const document = index.kinds.indexOf("document");
    const some = index.things.flatMap((each, number) => (each[0] === document ? [thing(index, number)] : []));
    const pages = own.map((address) => some.find((each) => each.address === address)).filter(Boolean);
    const text = found.question.text.toLowerCase();
    const names = ({ title }) => title.split(":")[0].toLowerCase().split(" and ").every((book) => text.includes(book));
    const compared = some.filter((each) => !found.subjects.length && each.address.includes("/differences/") && names(each));
    if (pages.length || !own.length) return [...compared, ...pages];
    const [rules, learn, ...more] = some.filter(({ note }) => note === own[0]);
    const first = /rule|book/.test(text) ? [rules, learn] : [learn, rules];
    return [...first, ...some.filter(({ note }) => note === `${own[0]}: rules by book`), ...more];
  };

  const termOf = ({ index }, [id, of, says]) => {
    const address = of === "Hoyle" ? "glossary.html" : `terms/${id}.html`;
    const known = index.things.findIndex((each) => each[4] === address);
    return says ? { title: id, says, note: of, address } : thing(index, known);
  };

  // The results for a question, limited to one game if given.
  const answer = (among, text, game) => {
    const { index } = among, found = among.ask(text, index.games.includes(game) ? game : "");
    const bit = 1 << index.games.indexOf(game);
    const allowed = (each) => bit <= 0 || !each[5] || each[5] & bit;
    const least = index.asking.measures.LISTED;
    const direct = [...found.terms.map((each) => termOf(among, each)), ...entries(among, found)];
    direct.push(...found.subjects.flatMap((id) => subject(among, found, id)));
    const shown = new Set([...found.subjects, ...found.offered]);
    const sections = new Map();
    const add = (kind, likely, items) => {
      if (!sections.has(kind)) sections.set(kind, { kind, likely, items: [] });
      sections.get(kind).items.push(...items);
    };
    for (const id of found.offered) add("perhaps", 2, subject(among, found, id).slice(0, 1));
    for (const { subject: { id }, likely } of found.found) {
      if (likely < least) break;
      if (!shown.has(id)) add(index.clauses[id] ? "clause" : "rule", likely, subject(among, found, id));
    }
    const here = new Set(direct.map(({ address }) => address));
    for (const [number, likely] of among.others(found, allowed)) {
      const each = thing(index, number);
      if (!here.has(each.address)) add(index.kinds[index.things[number][0]], likely, [each]);
    }
    const rest = [...sections.values()].sort((one, other) => other.likely - one.likely);
    const all = direct.length ? [{ kind: found.verdict === "probably" ? "probably" : "answer", items: direct }, ...rest] : rest;
    const why = found.why ? `${found.verdict === "unsure" ? "Not sure: " : ""}${found.why}.` : found.silent ? "The book does not say." : "";
    return { sections: all, why, number: all.reduce((sum, { items }) => sum + items.length, 0), asked: found.question.asked, written: new Set(window.hoyleAsking.words(text).flatMap((word) => among.tokensOf([word]))) };
  };

  // ---- drawing an entry: text with the query's words marked

  const PIECES = /[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu;
  const withMarks = (text, { among, asked, written }) => {
    const { words } = window.hoyleAsking;
    return (text.match(PIECES) ?? []).map((piece) => {
      const own = words(piece);
      const known = among.tokensOf(own).some((word) => asked.has(word) || written.has(word));
      return known ? element("mark", { textContent: piece }) : piece;
    });
  };
  const shown = (each, marks) => {
    const parts = [element("b", {}, ...withMarks(each.title, marks))];
    if (each.says) parts.push(element("span", { className: "says" }, ...withMarks(each.says, marks)));
    parts.push(element("span", { className: "note", textContent: each.note }));
    return parts;
  };

  // ---- under the box

  const combobox = (form, input) => {
    const list = element("div", { id: `${input.id}-list`, className: "list", hidden: true });
    const status = element("p", { className: "unseen" });
    let options = [], active = -1, asked = 0;
    list.setAttribute("aria-label", "Search results");
    status.setAttribute("role", "status");
    form.append(list, status);
    input.type = "text"; // a box of the type "search" may not be a combobox
    input.inputMode = "search";
    for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id, "aria-keyshortcuts": "/" }))
      input.setAttribute(name, value);

    const show = (open) => {
      list.hidden = !open;
      input.setAttribute("aria-expanded", String(open));
      if (!open) choose(-1);
    };
    const choose = (number) => {
      options[active]?.setAttribute("aria-selected", "false");
      active = number;
      const option = options[active];
      if (!option) return input.removeAttribute("aria-activedescendant");
      option.setAttribute("aria-selected", "true");
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    };
    const option = (href, ...inside) => {
      const made = element("a", { href, tabIndex: -1, id: `${input.id}-option-${options.length}` }, ...inside);
      made.setAttribute("role", "option");
      made.setAttribute("aria-selected", "false");
      options.push(made);
      return made;
    };
    const group = (kind, some, marks) => {
      const title = element("p", { id: `${input.id}-kind-${kind}`, className: "kind", textContent: KINDS[kind] });
      const made = element("div", {}, title, ...some.map((each) => option(base + each.address, ...shown(each, marks))));
      title.setAttribute("role", "presentation");
      made.setAttribute("role", "group");
      made.setAttribute("aria-labelledby", title.id);
      return made;
    };
    const whole = (text) => `${form.getAttribute("action")}?${new URLSearchParams({ q: text })}`;

    const render = (among, text) => {
      const { sections, why, number, asked, written } = answer(among, among.completed(text));
      const marks = { among, asked, written };
      options = [];
      active = -1;
      input.removeAttribute("aria-activedescendant");
      let left = IN_ALL;
      const groups = sections.map(({ kind, items }, place) => {
        const first = items.slice(0, Math.min(left, place ? OF_A_KIND : AT_FIRST));
        left -= first.length;
        return first.length ? group(kind, first, marks) : "";
      });
      if (why) groups.unshift(element("p", { className: "meant", textContent: why }));
      if (number) groups.push(option(whole(text), element("b", { textContent: `All ${number.toLocaleString("en")} results` })));
      else groups.push(element("p", { className: "meant", textContent: `No results for “${text}”.` }));
      for (const each of groups) if (each.className === "meant") each.setAttribute("role", "presentation");
      list.replaceChildren(...groups);
      list.setAttribute("role", number ? "listbox" : "group"); // a list of choices has some
      show(true);
      input.setAttribute("aria-expanded", String(number > 0));
      status.textContent = number ? `${number} found. ${why} First: ${sections[0].items[0].title}.` : "Nothing found.";
    };

    const update = async () => {
      const mine = (asked += 1), text = input.value.trim();
      if (!text) {
        list.replaceChildren();
        status.textContent = "";
        return show(false);
      }
      try {
        const among = await loaded();
        if (mine === asked) render(among, text);
      } catch {
        status.textContent = "Search did not load.";
      }
    };

    const KEYS = {
      ArrowDown: () => (list.hidden ? update() : choose((active + 1) % (options.length || 1))),
      ArrowUp: () => (list.hidden ? update() : choose((active <= 0 ? options.length : active) - 1)),
      Enter: () => active >= 0 && options[active].click(),
      Escape: () => {
        if (list.hidden) input.value = "";
        show(false);
      },
    };
    input.addEventListener("focus", () => loaded().catch(() => {}));
    input.addEventListener("input", update);
    input.addEventListener("keydown", (event) => {
      if (event.isComposing || !Object.hasOwn(KEYS, event.key) || (event.key === "Enter" && active < 0)) return;
      event.preventDefault();
      KEYS[event.key]();
    });
    list.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus
    list.addEventListener("click", (event) => event.target.closest("a") && show(false));
    form.addEventListener("focusout", (event) => form.contains(event.relatedTarget) || show(false));
  };

  // A slash moves the focus to the box, unless the reader is typing elsewhere.
  const stroke = (inputs) =>
    document.addEventListener("keydown", (event) => {
      const writes = event.target.closest?.("input, textarea, select, [contenteditable]");
      const input = inputs.find((each) => each.offsetParent);
      if (event.key !== "/" || !input || writes || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.focus();
      input.select();
    });

  // ---- the page of all results

  const page = async (place, input) => {
    const given = new URLSearchParams(location.search);
    const text = (given.get("q") ?? "").trim(), game = given.get("game") ?? "";
    const instead = document.querySelector("#instead");
    input.value = text;
    let among;
    try {
      among = await loaded();
    } catch {
      return; // the lists are still there
    }
    instead.hidden = true;
    place.hidden = false;
    if (!text) {
      place.append(element("p", { textContent: "Type what you are looking for into the box at the top: a rule, a word, “law 55”, two cards." }));
      return;
    }
    const { sections, why, number, asked, written } = answer(among, text, game);
    document.title = `${text} · ${document.title}`;
    const marks = { among, asked, written };
    const count = `${number.toLocaleString("en")} ${number === 1 ? "result" : "results"} for “${text}”`;
    const status = element("p", { textContent: why ? `${why} ${count}` : count });
    status.setAttribute("role", "status");
    place.append(games(among, text, game), status, ...sections.map(({ kind, items }) => listed(kind, items, marks)));
    if (!number) {
      place.append(element("p", { textContent: "Try fewer or different words, or look here:" }));
      instead.querySelector("p")?.remove();
      instead.hidden = false;
    }
  };

  // The choice of the game: links, so that the address has it.
  const games = (among, text, game) => {
    const nav = element("nav", { className: "games" });
    nav.setAttribute("aria-label", "Game");
    for (const name of ["", ...among.index.games]) {
      const link = element("a", { href: `?${new URLSearchParams(name ? { q: text, game: name } : { q: text })}`, textContent: name || "Both games" });
      if (name === game) link.setAttribute("aria-current", "true");
      nav.append(link);
    }
    return nav;
  };

  const listed = (kind, some, marks) => {
    const item = (each) => {
      const [title, ...rest] = shown(each, marks);
      return element("li", {}, element("a", { href: base + each.address }, title), ...rest);
    };
    const list = element("ul", {}, ...some.slice(0, ON_A_PAGE).map(item));
    const section = element("section", { className: "found" }, element("h2", { textContent: KINDS[kind] }), list);
    if (some.length > ON_A_PAGE) {
      const more = element("button", { type: "button", textContent: `${(some.length - ON_A_PAGE).toLocaleString("en")} more` });
      more.addEventListener("click", () => {
        const rest = some.slice(ON_A_PAGE).map(item);
        list.append(...rest);
        more.remove();
        rest[0].querySelector("a").focus();
      });
      section.append(more);
    }
    return section;
  };

  window.hoyleSearch = { loaded };
  const inputs = [...document.querySelectorAll("form[role=search] input[name=q]")];
  for (const input of inputs) combobox(input.form, input);
  stroke(inputs);
  const found = document.querySelector("main #found");
  if (found) page(found, document.querySelector("#search"));
})();
