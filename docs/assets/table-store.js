// The page's data and requests, without any drawing: the engine, which answers; and the store, with the present layout, its
// history, and its answer. Neither contains rules.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });

  // ---- The engine: a worker with Python, or the server that sent this page. It stores no position: each request is complete.
  // Only one request is in progress at a time; of several layouts, only the newest gets an answer.

  const failure = (says, remedy) => ({ says, remedy });
  const FROM_A_FILE = failure(
    "This page was opened from a file, and a browser cannot start the interpreter from a file.",
    "Open it from a server: on the web, with hoyle table, or with python -m http.server in the folder of the site.",
  );

  // Messages to the page while the interpreter loads: {says, come, total}, both in bytes if known; {ready: true}
  // once it answers; {failed: {says, remedy}} if it cannot be loaded.
  class Engine {
    constructor() {
      Object.assign(this, { listener: () => {}, queue: [], busy: null, failed: null });
    }

    listen(listener) {
      this.listener = listener;
      if (this.progress) listener(this.progress);
    }

    tell(progress) {
      this.progress = progress;
      this.listener(progress);
    }

    // Always resolves with the response; a failure is {error}. A caller whose request a newer one overtakes gets the newer answer.
    ask(request) {
      return new Promise((answered) => {
        const newest = request.ask === "answer" && this.queue.find((each) => each.request.ask === "answer");
        if (newest) {
          newest.request = request;
          newest.answered.push(answered);
        } else this.queue.push({ request, answered: [answered] });
        this.next();
      });
    }

    next() {
      if (this.busy || !this.queue.length) return;
      this.busy = this.queue.shift();
      this.send(this.busy.request);
    }

    answered(response) {
      const { answered } = this.busy;
      this.busy = null;
      for (const each of answered) each(response);
      this.next();
    }

    // Answers pending requests with the failure, and later ones too, until the engine is restarted.
    fail(failed) {
      this.tell({ failed });
      this.failed = failed;
      if (this.busy) this.answered({ error: failed });
    }

  }

  class ServerEngine extends Engine {
    constructor(server) {
      super();
      this.server = server;
    }

    async send(request) {
      const headers = { "Content-Type": "application/json" };
      const lost = failure("The server does not answer.", "Start hoyle table again, and open the address that it prints. Your position is kept.");
      const response = await fetch(this.server, { method: "POST", headers, body: JSON.stringify(request) })
        .then((got) => got.json())
        .catch(() => ({ error: lost }));
      this.answered(response);
    }

    restart() {}
  }

  class WorkerEngine extends Engine {
    constructor(assets) {
      super();
      this.assets = assets;
      this.start();
    }

    start() {
      if (location.protocol === "file:") return void this.fail(FROM_A_FILE);
      // A worker from a blob has the page's policy; one with an address would have none.
      const script = `import ${JSON.stringify(new URL("table-worker.js", this.assets).href)};`;
      const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      this.tell({ says: "Fetching the interpreter" });
      this.worker = new Worker(url, { type: "module", name: "hoyle" });
      this.worker.onmessage = ({ data }) => this.hear(data);
      this.worker.onerror = (event) =>
        this.die(failure(`The interpreter could not be started${event.message ? `: ${event.message}` : "."}`, "Reload the page. If that does not help, try a newer browser."));
    }

    hear({ progress, ready, failed, id, response }) {
      if (progress) this.tell(progress);
      else if (ready) this.tell({ ready });
      else if (failed) this.die(failed);
      else if (id === this.number) this.answered(JSON.parse(response));
    }

    send(request) {
      this.number = (this.number ?? 0) + 1;
      if (this.failed) this.answered({ error: this.failed });
      else this.worker.postMessage({ id: this.number, request: JSON.stringify(request) });
    }

    die(failed) {
      this.worker.terminate();
      this.fail(failed);
    }

    // After a failure: a new interpreter. The old one had no data to lose.
    restart() {
      if (!this.failed) return;
      this.failed = null;
      this.start();
    }
  }

  // The engine for this page; see `Engine` for its requests.
  table.engine = () => {
    const { server, base = "" } = document.body.dataset;
    return server ? new ServerEngine(new URL(server, location.href)) : new WorkerEngine(new URL(`${base}assets/`, location.href));
  };

  // ---- The store. The drawing parts subscribe to it.

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
  // The form of a ruleset; house rules have the form of the ruleset that they extend.
  const formOf = (forms, ruleset, house) => {
    const [plain] = (ruleset === "house" ? (house?.extends ?? "") : ruleset).split("+");
    return forms.find((form) => form.rulesets.some((each) => each.id === plain));
  };
  const formDrawn = (forms, { drawn_by: drawn, rulesets, house }) => formOf(forms, drawn || rulesets[0] || "", house);

  const stored = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null; // no storage where the reader allows none
    }
  };
  const keep = (key, value) => {
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // the choice still applies to this page
    }
  };

  class Store {
    constructor({ forms, sets }, engine) {
      Object.assign(this, { forms, sets, engine, heard: [], past: [], future: [], game: null, answer: null, waiting: false, problem: null, progress: null });
      this.set(begin(forms[0]), 0);
      this.mode = "lay"; // or "play": what a touch on a card does
      engine?.listen((progress) => {
        this.progress = progress.ready ? null : progress;
        this.tell("progress");
      });
    }

    set(layout, at) {
      this.layout = layout;
      this.form = formDrawn(this.forms, layout) ?? this.form ?? this.forms[0];
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

    // Replaces the layout, with another one or with a function's result. `what` describes the change, for undo and for subscribers.
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

    // The table after a number of steps.
    to(at) {
      this.set(this.layout, at);
      if (this.at) this.mode = "play";
      this.changed();
    }

    // The setup concerns the position before any step; play concerns the table after the steps.
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

    // Restarts the engine after a failure.
    restart() {
      this.engine.restart();
      if (location.hash && location.hash !== this.own) this.open();
      else this.seek();
    }

    // Requests the answer to the present layout; while one is pending, only the newest request waits.
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

    // --- The address holds the layout and follows its changes; the last layout is stored for the next visit.
    note() {
      clearTimeout(this.noting);
      this.noting = setTimeout(() => this.keep(), QUIET);
    }

    keep() {
      if (!this.game) keep(KEY, this.layout);
      if (this.waiting || !this.answer?.link) return; // its link comes with the answer
      if (location.hash !== this.address) return; // another address has come meanwhile, and is opened next
      this.own = this.address = `#${this.answer.link}`;
      history.replaceState(null, "", this.own);
    }

    // The address that opens this layout at the current step; nothing if it would be too long.
    async link() {
      const { layout, at } = this;
      const { link } = (this.waiting ? await this.ask({ ask: "answer", layout, at }) : this.answer) ?? {};
      return link ? new URL(`#${link}`, location.href).href : "";
    }

    // Opens the content of the address: a game, a layout or a position of the suite; otherwise the last layout.
    async open(anew = true) {
      this.address = location.hash;
      const address = decodeURIComponent(location.hash);
      if (address && address === this.own) return;
      if (/^#(g=|\d+\.)/u.test(address)) await this.fetch({ ask: "open", link: address }, "The position in the link");
      else if (address.startsWith("#p=")) await this.fetch({ ask: "position", id: address.slice(3) }, "A position of the suite");
      else if (!anew) return; // a link within the page
      else if (stored(KEY)?.v === 1 && formDrawn(this.forms, stored(KEY))) this.show(stored(KEY), "The table as you left it");
      else this.show(this.layout, "");
    }

    // Opens a layout or a game from the engine: from a link, a position of the suite, or a deal. Returns whether it did.
    async fetch(request, what) {
      this.fetching = what;
      this.tell("progress");
      const { layout, at, game, error: refused } = await this.ask(request);
      this.fetching = "";
      this.tell("progress");
      if (game) return void this.resume(game);
      const error = layout && !formDrawn(this.forms, layout) ? UNKNOWN : refused;
      if (!error) this.show(layout, what, at);
      this.problem = error ?? null;
      if (error) {
        this.tell("answer");
        this.speak(`${error.says} ${error.remedy ?? ""}`);
      }
      return !error;
    }

    // Opens a different layout, after its last step or another.
    show(layout, what, at = layout.steps.length) {
      if (!same(layout, this.layout)) this.past = [...this.past.slice(1 - MOST), this.now(what)];
      this.future = [];
      this.set(layout, at);
      this.mode = this.at ? "play" : "lay";
      this.changed(what);
    }
  }

  Object.assign(table, { Store, begin, formOf, stored, keep });
})();
