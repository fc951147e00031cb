// Playing a game at the table: one's own seat against an opponent, by one book. What lies on the table, what may be done and what
// follows comes from the engine, which tells no more than the player may see.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { element, button, words, renew, labelled } = table;
  const MINE = "A";
  const QUIET = 400; // milliseconds until the address follows

  const formOf = (store, { ruleset, house }) => {
    const base = (ruleset === "house" ? (house?.extends ?? "") : ruleset).split("+")[0];
    return store.forms.find((form) => form.rulesets.some(({ id }) => id === base)) ?? store.form;
  };

  // What has been done since the player acted, in words; at the end how it has ended.
  const latest = (play) => {
    const { answer, log } = play;
    if (answer?.over) return answer.over.says;
    return log.filter(({ number }) => number > play.lastOwn()).flatMap(whole).join(" ");
  };
  // What was done, and what follows; where that says it again, in more words, it stands alone.
  const whole = ({ says, follows }) => (follows[0]?.startsWith(says.slice(0, -1)) ? follows : [says, ...follows]);

  // --- The game: it takes the place of the layout until the table is another.
  const heard = (store) => (play) => {
    if (store.game !== play) return;
    const { answer, problem } = play;
    Object.assign(store, { answer, problem });
    store.tell("answer");
    store.speak(problem ? `${problem.says} ${problem.remedy ?? ""}` : `${latest(play)} ${answer?.over ? "" : (answer?.table.says ?? "")}`);
    clearTimeout(store.noting);
    store.noting = setTimeout(() => address(store, play), QUIET);
  };
  const address = async (store, play) => {
    const { link } = await play.save();
    if (!link || store.game !== play) return;
    store.own = store.address = `#${link}`;
    history.replaceState(null, "", store.own);
  };
  const enter = (store) => {
    store.opponent ??= table.engine({});
    const play = new table.Play({ engine: store.engine, opponent: store.opponent, onchange: heard(store) });
    Object.assign(store, { game: play, mode: "play", problem: null, waiting: false, answer: null });
    store.tell("mode");
    return play;
  };
  const begin = async (store, ruleset, deals, level) => {
    const { house, readings = {} } = store.layout;
    const rules = { ruleset, ...(readings[ruleset] && { readings: readings[ruleset] }), ...(ruleset === "house" && { house }) };
    store.form = formOf(store, rules);
    await Object.assign(enter(store), { level }).begin({ ...rules, people: [MINE], seed: table.seed(), ...(deals ? { deals } : {}) });
  };
  const resume = (store, game) => {
    store.form = formOf(store, game);
    return enter(store).resume(game);
  };

  // --- What one begins with, in the panel of what a table starts from.
  const offered = (store) => {
    const books = store.form.rulesets.flatMap(({ id, title, options }) => [[id, title], ...options.map((each) => [`${id}+${each.id}`, `${title}: ${each.says}`])]);
    return store.layout.house ? [...books, ["house", "With your changes"]] : books;
  };
  const starting = (store) => {
    const which = element("select", { "data-key": "play-which" });
    const show = () => {
      const was = which.value;
      const all = offered(store);
      which.replaceChildren(...all.map(([id, says]) => element("option", { value: id }, says)));
      which.value = all.some(([id]) => id === was) ? was : all[0][0];
    };
    const level = element("select", { "data-key": "play-level" }, element("option", { value: "search" }, "searches (stronger)"), element("option", { value: "greedy" }, "plays at once"));
    const start = (deals) => {
      which.dataset.deals = deals;
      table.shown();
      return begin(store, which.value, deals, level.value);
    };
    table.again = () => start(which.dataset.deals === "0" ? 0 : 1);
    const one = button("play-deal", () => start(1), "Play a deal");
    const game = button("play-game", () => start(0), "Play a game");
    store.listen((_, why) => ["layout", "mode"].includes(why) && show());
    show();
    return element("div", { class: "playing" }, labelled("Play against the computer", which), labelled("The computer", level), element("div", { class: "row" }, one, game));
  };

  // --- Beside the table: what has been done, and why; what was let pass; the end.
  const why = async (store, number, place) => {
    const { rules = [], error } = await store.game.explain(number);
    const says = error ? [element("p", {}, error.says)] : rules.length ? [element("ul", { class: "rules" }, ...rules.map(table.rule))] : [element("p", { class: "small" }, "No rule decides this but the order of play.")];
    renew(place, ...says);
  };
  const line = (store) => (each) => {
    const place = element("div", { class: "why" });
    const ask = button(`why ${each.number}`, () => why(store, each.number, place), "Why?", element("span", { class: "unseen" }, ` ${each.says}`));
    const [first, ...more] = whole(each);
    return element("li", {}, words("span", { class: "said" }, first), ...more.map((says) => words("span", { class: "follows" }, says)), ask, place);
  };
  const passed = ({ says, points }) => words("li", {}, `You could have scored${points ? ` ${points}` : ""}: ${says}`);
  const books = async (store) => {
    const play = store.game;
    const cards = play.answer?.over ? "all" : "known";
    const { layout, error } = await play.books(play.answer?.number, cards);
    if (layout) return store.show(layout, "The game as a position");
    store.problem = error;
    return store.tell("answer");
  };
  const saving = (store, place) => async () => {
    const { transcript, file, error } = await store.game.save();
    if (transcript) return table.download(file, transcript, "application/json");
    return renew(place, element("p", { class: "small" }, error?.says ?? "The transcript is there once the deal is over."));
  };

  const playing = (root, store) => {
    const bar = element("div", { class: "row game-bar" });
    const told = element("p", { class: "just-done" });
    const lost = element("ul", { class: "let-pass" });
    const list = element("ol", { class: "log", reversed: true });
    const saved = element("div");
    root.append(element("h2", { tabindex: -1, "data-home": "" }, "The game"), bar, told, lost, saved);
    const beside = document.getElementById("table-log");
    beside.append(element("h2", {}, "What has been done"), list);
    store.resume = (game) => resume(store, game);
    const show = () => {
      const { game } = store;
      root.hidden = beside.hidden = !game;
      document.getElementById("table").classList.toggle("in-game", Boolean(game));
      table.seatName = (seat) => (game && seat === MINE ? `${seat}: you` : seat);
      if (!game?.answer) return;
      const { over, waits_for: waits } = game.answer;
      const best = over && game.isOver ? [button("again", () => table.again?.(), "Play again")] : [];
      const next = waits?.kind === "deal" ? [button("next-deal", () => game.deal(), over ? "Next deal" : "Deal the cards")] : [];
      const go = waits?.may_first ? [button("go-on", () => game.goOn(), "Let the computer go on")] : [];
      renew(bar, ...next, ...best, ...go, button("ask-books", () => books(store), "Ask the books"), button("save-game", saving(store, saved), "Transcript"), button("leave", () => store.lay(), "Leave"));
      told.replaceChildren(words("span", {}, `${latest(game)}${game.thinking ? " The computer is thinking …" : ""}`));
      lost.replaceChildren(...(game.letPass ?? []).map(passed));
      renew(list, ...game.log.toReversed().map(line(store)));
    };
    store.listen((_, why_told) => {
      if (["layout", "answer", "mode"].includes(why_told)) show();
    });
    show();
  };

  Object.assign(table, { playing, starting });
})();
