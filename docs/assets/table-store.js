// The store: the layout as it is, what was before it, and the answer to it. It knows no rule. Whoever draws listens to it.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });
  const KEY = "hoyle-table";
  const MOST = 200; // changes that can be undone
  const QUIET = 300; // milliseconds until the address follows

  const UNKNOWN = { says: "This link is for a game that this table does not have.", remedy: "Set up the position again." };
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const begin = (form, rulesets) => ({
    v: 1,
    rulesets: rulesets ?? form.rulesets.map((each) => each.id),
    given: structuredClone(form.start),
    steps: [],
  });
  const plain = (ruleset) => ruleset.split("+")[0];
  // The form that a layout is of: that of the ruleset whose table is drawn.
  const formOf = (forms, { drawn_by: drawn, rulesets, house }) => {
    const first = [drawn, ...rulesets].map((each) => (each === "house" ? house?.extends : each)).find(Boolean);
    return forms.find((form) => form.rulesets.some((each) => each.id === plain(first ?? "")));
  };

  const stored = () => {
    try {
      return JSON.parse(localStorage.getItem(KEY));
    } catch {
      return null; // no storage where the reader allows none
    }
  };
  const keep = (layout) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(layout));
    } catch {
      // it holds for this page
    }
  };

  class Store {
    constructor({ forms, sets }, engine) {
      Object.assign(this, { forms, sets, engine, heard: [], past: [], future: [], game: null, answer: null, waiting: false, problem: null, progress: null });
      this.set(begin(forms[0]), 0);
      this.mode = "lay"; // or "play": what a touch on a card does
      engine?.listen((progress) => {
        const { come, total, failed } = progress;
        this.progress = progress.ready ? null : { ...progress, ...(total ? { part: come / total } : {}), ...(failed ? { error: failed } : {}) };
        this.tell("progress");
      });
    }

    set(layout, at) {
      this.layout = layout;
      this.form = formOf(this.forms, layout) ?? this.form ?? this.forms[0];
      this.at = Math.max(0, Math.min(at, layout.steps.length));
    }

    listen(heard) {
      this.heard.push(heard);
    }

    tell(why) {
      for (const heard of this.heard) heard(this, why);
    }

    speak(words) {
      this.spoken = table.aloud(words);
      this.tell("spoken");
    }

    get canUndo() {
      return this.game ? this.game.canUndo : this.past.length > 0;
    }

    get canRedo() {
      return !this.game && this.future.length > 0;
    }

    // What a layout becomes: another one, or what a function makes of it. `what` says so, for undo and for those who hear it.
    change(change, what = "") {
      const copy = structuredClone(this.layout);
      const next = typeof change === "function" ? (change(copy) ?? copy) : change;
      if (same(next, this.layout)) return;
      this.past = [...this.past.slice(1 - MOST), this.now(what)];
      this.future = [];
      const stepped = !same(next.steps, this.layout.steps);
      this.set(next, stepped ? next.steps.length : this.at);
      if (stepped && next.steps.length) this.mode = "play";
      this.changed(what);
    }

    now(what) {
      return { layout: this.layout, at: this.at, mode: this.mode, what };
    }

    undo() {
      if (this.game) return void this.game.undo();
      this.travel(this.past, this.future, "Undone");
    }

    redo() {
      if (!this.game) this.travel(this.future, this.past, "Redone");
    }

    travel(from, to, says) {
      const last = from.pop();
      if (!last) return;
      to.push(this.now(last.what));
      this.set(last.layout, last.at);
      this.mode = last.mode;
      this.changed(last.what ? `${says}: ${last.what}` : says);
    }

    // The table after so many steps.
    to(at) {
      this.set(this.layout, at);
      if (this.at) this.mode = "play";
      this.changed();
    }

    // Laying out is of the position before any step; playing is of the table as it then stands.
    lay() {
      this.mode = "lay";
      this.to(0);
    }

    play() {
      this.mode = "play";
      this.tell("mode");
    }

    changed(what = "") {
      this.game = null; // a game that is played here ends with another table
      this.tell("layout");
      this.what = what;
      if (what) this.speak(what);
      this.note();
      this.seek();
    }

    ask(request) {
      return this.engine?.ask(request) ?? Promise.resolve({ error: { says: "The interpreter is not running.", remedy: "Reload the page." } });
    }

    // Begins the engine anew, after it has failed.
    restart() {
      this.engine.restart();
      if (location.hash && location.hash !== this.own) this.open();
      else this.seek();
    }

    // Asks for the answer to the layout as it is; while one is awaited, the newest question waits, and no other.
    async seek() {
      this.again = this.waiting;
      if (this.waiting || !this.engine) return;
      this.waiting = true;
      this.tell("waiting");
      const { layout, at } = this;
      const answer = await this.ask({ ask: "answer", layout, at });
      this.waiting = false;
      if (this.again) return void this.seek();
      this.problem = answer.error ?? null;
      if (this.game) return; // a game has begun meanwhile
      this.answer = answer.error ? null : answer;
      this.note();
      this.tell("answer");
      const says = answer.error ? `${answer.error.says} ${answer.error.remedy ?? ""}` : answer.spoken;
      if (says) this.speak([this.what?.replace(/[.…]$/u, ""), says].filter(Boolean).join(". "));
    }

    // --- The address holds the layout, and follows it quietly; what came last is kept for the next time.
    note() {
      clearTimeout(this.noting);
      this.noting = setTimeout(() => this.keep(), QUIET);
    }

    keep() {
      if (this.game) return; // its address holds the game
      keep(this.layout);
      if (this.waiting || !this.answer?.link) return; // its link comes with the answer
      if (location.hash !== this.address) return; // another address has come meanwhile, and is opened next
      this.own = this.address = `#${this.answer.link}`;
      history.replaceState(null, "", this.own);
    }

    // The address that opens this layout at the step that is shown; nothing if it is too long for one.
    async link() {
      const { layout, at } = this;
      const { link } = (this.waiting ? await this.ask({ ask: "answer", layout, at }) : this.answer) ?? {};
      return link ? new URL(`#${link}`, location.href).href : "";
    }

    // What the address opens: a game, a layout, a position of the suite; or else what was there last.
    async open(anew = true) {
      this.address = location.hash;
      const address = decodeURIComponent(location.hash);
      if (address && address === this.own) return;
      if (/^#(g=|\d+\.)/u.test(address)) await this.fetch({ ask: "open", link: address }, "The position in the link");
      else if (address.startsWith("#p=")) await this.fetch({ ask: "position", id: address.slice(3) }, "A position of the suite");
      else if (!anew) return; // a link within the page
      else if (stored()?.v === 1 && formOf(this.forms, stored())) this.show(stored(), "The table as you left it");
      else this.show(this.layout, "");
    }

    // A layout or a game from the engine: that of a link, a position of the suite, or a deal. Whether it came.
    async fetch(request, what) {
      this.fetching = what;
      this.tell("progress");
      const { layout, at, game, error: refused } = await this.ask(request);
      this.fetching = "";
      this.tell("progress");
      if (game) return void this.resume(game);
      const error = layout && !formOf(this.forms, layout) ? UNKNOWN : refused;
      if (!error) this.show(layout, what, at);
      this.problem = error ?? null;
      if (error) {
        this.tell("answer");
        this.speak(`${error.says} ${error.remedy ?? ""}`);
      }
      return !error;
    }

    // Another layout altogether, after its last step or another.
    show(layout, what, at = layout.steps.length) {
      if (!same(layout, this.layout)) this.past = [...this.past.slice(1 - MOST), this.now(what)];
      this.future = [];
      this.set(layout, at);
      this.mode = this.at ? "play" : "lay";
      this.changed(what);
    }
  }

  Object.assign(table, { Store, begin });
})();
