// Playing a game at the table: the reader's seat against an opponent, by one book. The engine provides the table, the possible
// acts and their consequences, limited to the player's view.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const { element, button, words, renew, labelled } = table;

  // ---- A game in play, without any drawing: its state, the player to act, and the requests to the engine and to the opponents'
  // engine, a separate one so that the page gets answers while they think.

  const VERSION = 1;
  const LOST = { says: "The opponent has not found an act.", remedy: "Go on, and it is asked again." };

  class Play {
    /** `engine` and `opponent` have `ask(request)`, which resolves with the answer; `onchange` is called with the game after
     * each change. `level` is "search" or "greedy". */
    constructor({ engine, opponent = engine, onchange = () => {}, level = "search" }) {
      Object.assign(this, { engine, opponent, onchange, level });
      this.clear();
    }

    clear() {
      this.answer = null; // the newest answer of the engine
      this.log = []; // all acts so far, as they were seen
      this.letPass = []; // what could have been scored with the person's last act
      this.thinking = false; // whether an opponent is asked
      this.problem = null; // {says, remedy} of the last request, if it went wrong
      this.turn = (this.turn ?? 0) + 1; // answers to an earlier turn come too late
    }

    get game() {
      return this.answer?.game ?? null;
    }

    get isOver() {
      return this.answer?.waits_for.kind === "nobody";
    }

    get canUndo() {
      return this.lastOwn() >= 0;
    }

    /** Begin a new game: {ruleset, readings?, house?, deals?, people, seed}. */
    begin(game) {
      this.clear();
      return this.play({ game: { v: VERSION, ...game, acts: [] } });
    }

    /** Go on with the state of a game, as `game` was. */
    async resume(game) {
      this.clear();
      await this.play({ game });
    }

    /** Do an act of a person, as acts.legal has them in `step`. */
    act(step) {
      return this.play({ game: this.game, act: step }, true);
    }

    deal() {
      return this.act({ do: "deal" });
    }

    /** Let the opponent act, though the person could act first. */
    goOn() {
      this.turn += 1;
      return this.follow(true);
    }

    /** Take back the person's last act, and all that came after it. */
    undo() {
      const at = this.lastOwn();
      if (at < 0) return Promise.resolve();
      this.log = this.log.filter(({ number }) => number <= at);
      return this.play({ game: { ...this.game, acts: this.game.acts.slice(0, at) } });
    }

    /** An act of this game, with the rules behind it. */
    explain(number) {
      return this.engine.ask({ ask: "explain", game: this.game, number });
    }

    /** This game as a position that every book answers. */
    books() {
      return this.engine.ask({ ask: "books", game: this.game });
    }

    // ---- continuing the game

    /** Where in the acts the last one of a person is, or -1. */
    lastOwn() {
      const { acts = [], people = [] } = this.game ?? {};
      return acts.findLastIndex((act) => people.some((seat) => act.startsWith(`${seat} `)));
    }

    async play(request, own = false) {
      const turn = (this.turn += 1);
      Object.assign(this, { thinking: false, problem: null });
      const answer = await this.engine.ask({ ask: "play", ...request });
      if (turn !== this.turn) return;
      if (answer.error) return this.fail(answer.error);
      this.take(answer);
      if (own) this.letPass = answer.let_pass;
      await this.follow(false);
    }

    take(answer) {
      const known = this.log.at(-1)?.number ?? 0;
      this.log.push(...answer.done.filter(({ number }) => number > known));
      this.answer = answer;
    }

    fail(problem) {
      Object.assign(this, { thinking: false, problem });
      this.onchange(this);
    }

    /** Ask the opponents until a person is awaited; a person who could act first is waited for, unless passed over. */
    async follow(passing) {
      const turn = this.turn;
      for (;;) {
        const waits = this.answer.waits_for;
        this.thinking = waits.kind === "opponent" && (passing || !waits.may_first);
        this.onchange(this);
        if (!this.thinking) return;
        passing = false;
        const answer = await this.answered(waits.seat);
        if (turn !== this.turn) return;
        if (answer.error) return this.fail(answer.error);
        this.take(answer);
      }
    }

    /** The game after an act of the opponent in a seat, who is asked with what that player knows. */
    async answered(seat) {
      const { game } = this;
      const { request, error } = await this.engine.ask({ ask: "sees", game, seat });
      if (error) return { error };
      let chosen = await this.opponent.ask({ ...request, level: this.level });
      if (!chosen.act) chosen = await this.engine.ask({ ...request, level: "greedy" });
      if (!chosen.act) return { error: chosen.error ?? LOST };
      return this.engine.ask({ ask: "play", game, act: chosen.act });
    }
  }

  // ---- At the table.

  const MINE = "A";

  const formOf = (store, { ruleset, house }) => table.formOf(store.forms, ruleset, house) ?? store.form;

  // The events since the player's last act, in words; at the end, the result.
  const latest = (play) => {
    const { answer, log } = play;
    if (answer?.over) return answer.over;
    return log.filter(({ number }) => number > play.lastOwn()).flatMap(whole).join(" ");
  };
  // An act and its consequences; if the consequences repeat the act in more words, only they are shown.
  const whole = ({ says, follows }) => (follows[0]?.startsWith(says.slice(0, -1)) ? follows : [says, ...follows]);

  // --- The game: it replaces the setup until another table is opened.
  const heard = (store) => (play) => {
    if (store.game !== play) return;
    const { answer, problem } = play;
    Object.assign(store, { answer, problem });
    store.tell("answer");
    store.speak(problem ? `${problem.says} ${problem.remedy ?? ""}` : `${latest(play)} ${answer?.over ? "" : (answer?.table.says ?? "")}`);
    store.note();
  };
  const enter = (store) => {
    store.opponent ??= table.engine();
    const play = new Play({ engine: store.engine, opponent: store.opponent, onchange: heard(store) });
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

  // --- The start of a game, in the start panel.
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

  // --- Next to the table: the acts so far, with reasons; missed scores; the end.
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
    const { layout, error } = await store.game.books();
    if (layout) return store.show(layout, "The game as a position");
    store.problem = error;
    return store.tell("answer");
  };

  const playing = (root, store) => {
    const bar = element("div", { class: "row game-bar" });
    const told = element("p", { class: "just-done" });
    const lost = element("ul", { class: "let-pass" });
    const list = element("ol", { class: "log", reversed: true });
    root.append(element("h2", { tabindex: -1, "data-home": "" }, "The game"), bar, told, lost);
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
      renew(bar, ...next, ...best, ...go, button("ask-books", () => books(store), "Ask the books"), button("leave", () => store.lay(), "Leave"));
      told.replaceChildren(words("span", {}, `${latest(game)}${game.thinking ? " The computer is thinking …" : ""}`));
      lost.replaceChildren(...(game.letPass ?? []).map(passed));
      renew(list, ...game.log.toReversed().map(line(store)));
    };
    store.listen((_, why_told) => {
      if (["layout", "answer", "mode"].includes(why_told)) show();
    });
    show();
  };

  Object.assign(table, { Play, playing, starting });
})();
