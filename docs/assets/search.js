// The search: what is found drops down under the box (that of the frame, or one on the page), as the combobox of the ARIA practices has it. The
// index is a script, so that it loads from the file system too, and only when somebody is about to search. Whatever
// stands in it, or was asked, is put into the page as text.
(() => {
  const AT_FIRST = 5, OF_A_KIND = 3, IN_ALL = 11, ON_A_PAGE = 30, LOOKED_AT = 40;
  const KINDS = {
    term: "Terms", rule: "Rules", combination: "Combinations", irregularity: "When something goes wrong",
    question: "Open questions", clause: "What the books say", document: "Pages", position: "Positions",
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
    (loading ??= Promise.all([script("finding.js"), script("search-index.js")]).then(
      () => window.hoyleFinding.ready(window.HOYLE_INDEX),
      (failed) => {
        loading = undefined; // it may be there the next time
        throw failed;
      },
    ));

  // What was found of a question, or of what was meant by it; of one game, if it is named.
  const answer = (among, text, game) => {
    const of = among.index.games.indexOf(game);
    const own = (number) => of < 0 || !among.index.things[number][5] || among.index.things[number][5] & (1 << of);
    const found = among.find(text);
    const meant = found.length ? "" : among.meant(text);
    return { text: meant || text, meant, found: (meant ? among.find(meant) : found).filter(own) };
  };

  const thing = (among, number) => {
    const [kind, title, says, note, address, games] = among.index.things[number];
    return { kind: among.index.kinds[kind][0], title, says, note: among.index.notes[note], address, games };
  };

  // The numbers of what was found by their kind, in the order of the best of each.
  const byKind = (among, found) => {
    const kinds = new Map();
    for (const number of found) {
      const kind = among.index.kinds[among.index.things[number][0]][0];
      if (!kinds.has(kind)) kinds.set(kind, []);
      kinds.get(kind).push(number);
    }
    return kinds;
  };

  // The first of some things; a rule that books say differently is one subject.
  const once = (among, numbers, most) => {
    const subjects = new Map();
    for (const number of numbers.slice(0, LOOKED_AT)) {
      const each = thing(among, number);
      const subject = each.address.startsWith("rulesets/") ? each.address.replace(/^[^#]*/, each.games) : each.address;
      if (subjects.has(subject)) subjects.get(subject).differs = true;
      else subjects.set(subject, each);
    }
    return [...subjects.values()].slice(0, most);
  };

  // ---- what one thing looks like: text, in which the words that were asked for are marked

  const PIECES = /[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+/gu;
  const withMarks = (text, marks) => {
    const { words, stem } = window.hoyleFinding;
    return (text.match(PIECES) ?? []).map((piece) => {
      const known = words(piece).some((word) => marks.has(stem(word)));
      return known ? element("mark", { textContent: piece }) : piece;
    });
  };
  const shown = (each, marks) => {
    const parts = [element("b", {}, ...withMarks(each.title, marks))];
    if (each.says) parts.push(element("span", { className: "says" }, ...withMarks(each.says, marks)));
    const more = each.differs ? " · other books differ" : "";
    parts.push(element("span", { className: "note", textContent: each.note + more }));
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
      const { found, meant, text: answered } = answer(among, text);
      const marks = among.marked(answered);
      options = [];
      active = -1;
      input.removeAttribute("aria-activedescendant");
      let left = IN_ALL;
      const groups = [...byKind(among, found)].map(([kind, some], place) => {
        const first = once(among, some, Math.min(left, place ? OF_A_KIND : AT_FIRST));
        left -= first.length;
        return first.length ? group(kind, first, marks) : "";
      });
      if (meant) groups.unshift(element("p", { className: "meant", textContent: `No results for “${text}”. Results for “${meant}”:` }));
      if (found.length) groups.push(option(whole(answered), element("b", { textContent: `All ${found.length.toLocaleString("en")} results` })));
      else groups.push(element("p", { className: "meant", textContent: `No results for “${text}”.` }));
      for (const each of groups) if (each.className === "meant") each.setAttribute("role", "presentation");
      list.replaceChildren(...groups);
      list.setAttribute("role", found.length ? "listbox" : "group"); // a list of choices has some
      show(true);
      input.setAttribute("aria-expanded", String(found.length > 0));
      status.textContent = found.length ? `${found.length} found. First: ${thing(among, found[0]).title}.` : "Nothing found.";
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

  // A stroke leads to the box, from wherever nobody is writing.
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
    const { found, meant, text: answered } = answer(among, text, game);
    document.title = `${text} · ${document.title}`;
    const marks = among.marked(answered);
    const count = `${found.length.toLocaleString("en")} ${found.length === 1 ? "result" : "results"} for “${answered}”`;
    const status = element("p", { textContent: meant ? `No results for “${text}”. ${count}` : count });
    status.setAttribute("role", "status");
    place.append(games(among, text, game), status, ...[...byKind(among, found)].map(([kind, some]) => listed(kind, some.map((number) => thing(among, number)), marks)));
    if (!found.length) {
      place.append(element("p", { textContent: "Try fewer or different words, or look here:" }));
      instead.querySelector("p")?.remove();
      instead.hidden = false;
    }
  };

  // The choice of the game: links, so that it is in the address.
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
