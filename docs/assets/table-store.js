// What the page has and asks, without any drawing: the engine, which answers; and the store, which has the layout as it is, what was
// before it, and the answer to it. Neither knows a rule.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });

  // ---- The engine: a worker with Python in it, or the server that has sent this page. It holds no position: each request has all of it.
  // One request is under way at a time; of answers to a layout the newest is worth working out.

  const failure = (says, remedy) => ({ says, remedy });
  const FROM_A_FILE = failure(
    "This page was opened from a file, and a browser cannot start the interpreter from a file.",
    "Open it from a server: on the web, with hoyle table, or with python -m http.server in the folder of the site.",
  );

  // What the page is told while the interpreter comes: {says, come, total}, both in bytes where they are known; {ready: true}
  // once it answers; {failed: {says, remedy}} where it does not.
  class Engine {
    constructor(onprogress) {
      Object.assign(this, { onprogress, listeners: [], queue: [], busy: null });
      this.begin();
    }

    listen(listener) {
      this.listeners.push(listener);
      if (this.progress) listener(this.progress);
    }

    tell(progress) {
      this.progress = progress;
      this.onprogress?.(progress);
      for (const listener of this.listeners) listener(progress);
    }

    // Resolves with the response, always: what goes wrong is {error}. Who asked for an answer that a newer one has overtaken gets the newer.
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

    // Whoever waits is told why there is nothing to wait for; what is asked from now on is told likewise, until it is begun anew.
    fail(failed) {
      this.tell({ failed });
      this.failed = failed;
      this.settle(failed);
      if (this.busy) this.answered({ error: failed });
    }

    begin() {
      this.failed = null;
      this.ready = new Promise((resolve, reject) => (this.settle = (failed) => (failed ? reject(failed) : resolve())));
      this.ready.catch(() => {}); // nobody need wait
    }

    isReady() {
      this.settle();
      this.tell({ ready: true });
    }
  }

  class ServerEngine extends Engine {
    constructor({ server, onprogress }) {
      super(onprogress);
      this.server = server;
      this.isReady();
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
    constructor({ assets, onprogress }) {
      super(onprogress);
      this.assets = assets;
      this.start();
    }

    start() {
      if (location.protocol === "file:") return void this.fail(FROM_A_FILE);
      // A worker of this page's own making has the page's policy; one with an address would have none.
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
      else if (ready) this.isReady();
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

    // After a failure: a new interpreter. Nothing is lost with the old one.
    restart() {
      if (!this.failed) return;
      this.begin();
      this.start();
    }
  }

  // The engine that this page is meant to ask; see `Engine` for what may be asked of it.
  table.engine = ({ onprogress } = {}) => {
    const { server, base = "" } = document.body.dataset;
    if (server) return new ServerEngine({ server: new URL(server, location.href), onprogress });
    const at = (path) => new URL(`${base}${path}`, location.href);
    return new WorkerEngine({ assets: at("assets/"), onprogress });
  };

  // ---- The store. Whoever draws listens to it.

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
  // The form that a ruleset is of; house rules are of the form of the ruleset that they extend.
  const formOf = (forms, ruleset, house) => {
    const [plain] = (ruleset === "house" ? (house?.extends ?? "") : ruleset).split("+");
    return forms.find((form) => form.rulesets.some((each) => each.id === plain));
  };
  const formDrawn = (forms, { drawn_by: drawn, rulesets, house }) => formOf(forms, drawn || rulesets[0] || "", house);

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
      else if (stored()?.v === 1 && formDrawn(this.forms, stored())) this.show(stored(), "The table as you left it");
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
      const error = layout && !formDrawn(this.forms, layout) ? UNKNOWN : refused;
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

  Object.assign(table, { Store, begin, formOf });
})();
