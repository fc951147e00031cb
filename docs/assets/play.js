// A game that is being played, without any drawing: its state, whom it waits for, and the requests to the engine and to the
// engine of the opponents, which is another one so that the page is answered while they think.
(() => {
  "use strict";

  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const VERSION = 1;
  const LOST = { says: "The opponent has not found an act.", remedy: "Go on, and it is asked again." };

  class Play {
    /** `engine` and `opponent` have `ask(request)`, which resolves with the answer; `onchange` is called with the game after
     * each change. `level` is "search" or "greedy", and `work` is how long it may search, from 1 to 128. */
    constructor({ engine, opponent = engine, onchange = () => {}, level = "search", work = 12 }) {
      Object.assign(this, { engine, opponent, onchange, level, work });
      this.clear();
    }

    clear() {
      this.answer = null; // the newest answer of the engine
      this.log = []; // all acts so far, as they were seen
      this.letPass = []; // what could have been scored with the person's last act
      this.thinking = false; // whether an opponent is asked
      this.problem = null; // {says, remedy} of the last request, if it went wrong
      this.refused = null; // {says, rules} if the rules refused the last act
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

    /** The answers of the engine about this game; see there. */
    explain(number) {
      return this.engine.ask({ ask: "explain", game: this.game, number, ...this.seen() });
    }

    books(number = this.answer.number, cards = "known") {
      return this.engine.ask({ ask: "books", game: this.game, number, cards, ...this.seen() });
    }

    save() {
      return this.engine.ask({ ask: "save", game: this.game });
    }

    // ---- how it goes on

    seen() {
      return this.see ? { see: this.see } : {};
    }

    /** Where in the acts the last one of a person is, or -1. */
    lastOwn() {
      const { acts = [], people = [] } = this.game ?? {};
      return acts.findLastIndex((act) => people.some((seat) => act.startsWith(`${seat} `)));
    }

    async play(request, own = false) {
      const turn = (this.turn += 1);
      Object.assign(this, { thinking: false, problem: null, refused: null });
      const answer = await this.engine.ask({ ask: "play", ...this.seen(), ...request });
      if (turn !== this.turn) return;
      if (answer.error) return this.fail(answer);
      this.take(answer);
      if (own) this.letPass = answer.let_pass;
      await this.follow(false);
    }

    take(answer) {
      const known = this.log.at(-1)?.number ?? 0;
      this.log.push(...answer.done.filter(({ number }) => number > known));
      this.answer = answer;
    }

    fail({ error, refused = null }) {
      Object.assign(this, { thinking: false, problem: error, refused });
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
        if (answer.error) return this.fail(answer);
        this.take(answer);
      }
    }

    /** The game after an act of the opponent in a seat, who is asked with what that player knows. */
    async answered(seat) {
      const { game } = this;
      const { request, error } = await this.engine.ask({ ask: "sees", game, seat });
      if (error) return { error };
      const { level, work } = this;
      let chosen = await this.opponent.ask({ ...request, level, ...(level === "search" && { work }) });
      if (!chosen.act) chosen = await this.engine.ask({ ...request, level: "greedy" });
      if (!chosen.act) return { error: chosen.error ?? LOST };
      return this.engine.ask({ ask: "play", ...this.seen(), game, act: chosen.act });
    }
  }

  table.Play = Play;
})();
