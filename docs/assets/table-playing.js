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
     * each change. `level` is "search" or "greedy", and `pace` the fewest milliseconds that an opponent takes. */
    constructor({ engine, opponent = engine, onchange = () => {}, level = "search", pace = 0 }) {
      Object.assign(this, { engine, opponent, onchange, level, pace });
      this.clear();
    }

    clear() {
      this.answer = null; // the newest answer of the engine
      this.log = []; // all acts so far, as they were seen
      this.letPass = []; // what could have been scored with the person's last act
      this.thinking = false; // whether an opponent is asked
      this.hinted = ""; // the act that the computer would do, if it was asked
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
      await this.play({ game, all: true });
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

    /** Play the present deal from its beginning, by these people. */
    again(people = this.game.people) {
      const acts = this.game.acts.slice(0, this.game.acts.lastIndexOf("deal") + 1);
      return this.resume({ ...this.game, people, acts });
    }

    /** The act that the computer would do in the person's place, with what that player knows: {act, says}, or {error}. */
    async hint() {
      const { request, error } = await this.engine.ask({ ask: "sees", game: this.game, seat: this.answer.acts.by });
      return error ? { error } : this.opponent.ask({ ...request, level: "search" });
    }

    /** An act of this game, with the rules behind it. */
    explain(number) {
      return this.engine.ask({ ask: "explain", game: this.game, number });
    }

    /** This game as a position that every book answers. */
    books() {
      return this.engine.ask({ ask: "books", game: this.game });
    }

    /** Where in the acts the last one of a person is, or -1. */
    lastOwn() {
      const { acts = [], people = [] } = this.game ?? {};
      return acts.findLastIndex((act) => people.some((seat) => act.startsWith(`${seat} `)));
    }

    async play(request, own = false) {
      const turn = (this.turn += 1);
      Object.assign(this, { thinking: false, problem: null, hinted: "" });
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
        const [answer] = await Promise.all([this.answered(waits.seat), new Promise((done) => setTimeout(done, this.pace))]);
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

  const CHOICES = "hoyle-choices";
  const GAME = "hoyle-game";
  // How a person likes to play, which is kept for the next visit.
  const chosen = { level: "search", pace: "500", order: "suits", ...table.stored?.(CHOICES) };

  const formOf = (store, { ruleset, house }) => table.formOf(store.forms, ruleset, house) ?? store.form;

  // The events since the player's last act, in words; at the end, the result.
  const latest = (play) => {
    const { answer, log } = play;
    if (answer?.over) return `${answer.over.says} ${answer.table.over ? answer.table.says : ""}`;
    const told = log.filter(({ number }) => number > play.lastOwn()).flatMap(whole);
    return told.filter((says, at) => says !== told[at - 1]).join(" ");
  };
  // An act and its consequences; if the consequences repeat the act in more words, only they are shown.
  const whole = ({ says, follows }) => (follows[0]?.startsWith(says.slice(0, -1)) ? follows : [says, ...follows]);

  // --- The game: it replaces the setup until another table is opened.
  const heard = (store) => (play) => {
    if (store.game !== play) return;
    const { answer, problem } = play;
    Object.assign(store, { answer, problem });
    if (answer) table.keep(GAME, play.isOver ? null : play.game);
    store.tell("answer");
    store.speak(problem ? `${problem.says} ${problem.remedy ?? ""}` : `${latest(play)} ${answer?.over ? "" : (answer?.table.says ?? "")}`);
    store.note();
  };
  const enter = (store) => {
    store.opponent ??= table.engine();
    const play = Object.assign(new Play({ engine: store.engine, opponent: store.opponent, onchange: heard(store) }), chosen);
    Object.assign(store, { game: play, mode: "play", problem: null, waiting: false, answer: null });
    store.tell("mode");
    return play;
  };
  const begin = async (store, ruleset, deals) => {
    const { house, readings = {} } = store.layout;
    const rules = { ruleset, ...(readings[ruleset] && { readings: readings[ruleset] }), ...(ruleset === "house" && { house }) };
    store.form = formOf(store, rules);
    await enter(store).begin({ ...rules, people: ["A"], seed: table.seed(), ...(deals ? { deals } : {}) });
  };
  const resume = (store, game) => {
    store.form = formOf(store, game);
    return enter(store).resume(game);
  };

  // --- The start of a game, in the start panel: every form with its books, the form of the position first.
  const offered = (store) => {
    const forms = [store.form, ...store.forms.filter((form) => form !== store.form)];
    const books = forms.map((form) => [form.title, form.rulesets.flatMap(({ id, title, options }) => [[id, title], ...options.map((each) => [`${id}+${each.id}`, `${title}: ${each.says}`])])]);
    return store.layout.house ? [["Your rules", [["house", "With your changes"]]], ...books] : books;
  };
  const choosing = (store, key, says, options) => {
    const made = element("select", { "data-key": `play-${key}` }, ...Object.entries(options).map(([value, told]) => element("option", { value }, told)));
    made.value = chosen[key];
    made.addEventListener("change", () => {
      chosen[key] = made.value;
      table.keep(CHOICES, chosen);
      Object.assign(store.game ?? {}, chosen);
      if (store.game) store.tell("answer");
    });
    return labelled(says, made);
  };
  const starting = (store) => {
    const which = element("select", { "data-key": "play-which" });
    const show = () => {
      const was = which.value;
      which.replaceChildren(...offered(store).map(([form, books]) => element("optgroup", { label: form }, ...books.map(([id, says]) => element("option", { value: id }, says)))));
      which.value = store.form.rulesets.some(({ id }) => was.split("+")[0] === id) ? was : store.form.rulesets[0].id;
    };
    const start = (deals) => {
      table.shown();
      return begin(store, which.value, deals);
    };
    table.again = () => {
      const { game } = store.game;
      return enter(store).begin({ ...game, seed: table.seed() });
    };
    const one = button("play-deal", () => start(1), "Play a deal");
    const game = button("play-game", () => start(0), "Play a whole game");
    store.listen((_, why) => ["layout", "mode"].includes(why) && show());
    show();
    const ways = [
      choosing(store, "level", "The computer", { search: "searches (stronger)", greedy: "plays at once" }),
      choosing(store, "pace", "Its pace", { 0: "as fast as it can", 500: "unhurried", 1500: "slow" }),
      choosing(store, "order", "Your hand", { suits: "by suits", ranks: "by ranks" }),
    ];
    return element("div", { class: "playing" }, labelled("Play against the computer", which), ...ways, element("div", { class: "row" }, one, game));
  };
  // The cards of a hand in the order that the person likes: suits, black and red in turn, or ranks.
  const ordered = ({ ranks }, cards) => {
    const held = (suits) => [...suits].filter((suit) => cards.some((card) => card[1] === suit));
    const [first, second] = [held("SC"), held("HD")].sort((one, other) => other.length - one.length);
    const suits = first.flatMap((suit, at) => [suit, second[at]]);
    const [suit, rank] = chosen.order === "suits" ? [100, 1] : [1, 100];
    const place = (card) => suits.indexOf(card[1]) * suit - ranks.indexOf(card[0]) * rank;
    return [...cards].sort((one, other) => place(one) - place(other));
  };

  // --- The end of a deal: who made what, the score after each deal, and how to go on.
  const sheet = (store) => {
    const { game } = store;
    const { made, total, scores } = game.answer.over;
    const row = (name, points, kind) => element("tr", { class: kind }, element("th", { scope: "row" }, name), ...points.map((each) => element("td", {}, each.toLocaleString("en"))));
    const heads = store.form.sides.map((side) => element("th", { scope: "col" }, [...side].map((seat) => table.seatName(seat)).join(" and ")));
    const lines = [...made.map((each) => row(each.says, each.points)), row("This deal", total, "total")];
    const seats = game.answer.table.seats;
    const other = seats[(seats.indexOf(game.game.people[0]) + 1) % seats.length];
    const next = game.isOver ? button("again", () => table.again(), "Play again") : button("next-deal", () => game.deal(), "Next deal");
    const place = element("div", { class: "why" });
    const row_of = element("div", { class: "row" }, next, button("why-sheet", () => why(store, game.answer.number, place), "Why?"), button("same-deal", () => game.again(), "The same deal again"), button("other-seat", () => game.again([other]), "This deal in the other seat"));
    return element("div", { class: "sheet" }, element("table", {}, element("caption", {}, latest(game)), element("thead", {}, element("tr", {}, element("td"), ...heads)), element("tbody", {}, ...lines), element("tbody", {}, ...scores.map((points, at) => row(`Score after deal ${at + 1}`, points)))), row_of, place);
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
  const passed = ({ says, short, points }) => words("li", {}, points ? `You could have scored ${points}: ${says}` : `You could have announced: ${short}.`);
  const hinting = async (store) => {
    const { game } = store;
    const number = game.answer.number;
    game.hinted = "Looking for a hint …";
    store.tell("answer");
    const { act = {}, says, error } = await game.hint();
    if (store.game !== game || game.answer.number !== number) return; // the game has gone on meanwhile
    game.hinted = error ? `${error.says} ${error.remedy}` : `Hint: ${says}`;
    store.tell("answer");
    store.speak(game.hinted);
    table.touch([act.card ?? act.cards ?? []].flat());
  };
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
    const copies = element("p", { class: "small" }, "A small number on a card tells like cards apart: K♠² is the second king of spades.");
    root.append(element("h2", { tabindex: -1, "data-home": "" }, "The game"), bar, told, lost);
    const beside = document.getElementById("table-log");
    beside.append(element("h2", {}, "What has been done"), copies, list, ...table.linking(store));
    store.resume = (game) => resume(store, game);
    const goOn = button("go-on-game", () => table.shown(resume(store, table.stored(GAME))), "Go on with your game");
    document.getElementById("table-head").after(goOn);
    const show = () => {
      const { game } = store;
      root.hidden = beside.hidden = !game;
      document.getElementById("table").classList.toggle("in-game", Boolean(game));
      copies.hidden = store.form.packs === 1;
      goOn.hidden = Boolean(game) || !table.stored(GAME);
      table.seatName = (seat) => (game?.game?.people.includes(seat) ? `${seat}: you` : seat);
      const leave = button("leave", () => table.shown(store.lay()), "Leave");
      if (!game?.answer) return void renew(bar, ...(game?.problem ? [leave] : []));
      const { over, waits_for: waits } = game.answer;
      const next = waits.kind === "deal" && !over ? [button("next-deal", () => game.deal(), "Deal the cards")] : [];
      const go = waits.may_first ? [button("go-on", () => game.goOn(), "Let the computer go on")] : [];
      const hint = waits.kind === "person" ? [button("hint", () => hinting(store), "Hint")] : [];
      renew(bar, ...next, ...go, ...hint, button("ask-books", () => books(store), "Ask the books"), leave);
      told.replaceChildren(words("span", {}, game.hinted || `${latest(game)}${game.thinking ? " The computer is thinking …" : ""}`));
      told.scrollTop = told.scrollHeight; // the newest
      lost.replaceChildren(...(game.letPass ?? []).map(passed));
      renew(list, ...game.log.toReversed().map(line(store)));
    };
    store.listen((_, why_told) => {
      if (["layout", "answer", "mode"].includes(why_told)) show();
    });
    show();
  };

  Object.assign(table, { Play, playing, starting, ordered, sheet });
})();
