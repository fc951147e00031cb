// The engine: who answers what the page asks. A worker with Python in it, or the server that has sent this page. It holds
// no position: what is asked says all. One request is under way at a time; of answers to a layout the newest is worth working out.
(() => {
  const table = (globalThis.hoyleTable ??= { ...globalThis.hoyleCards });

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
})();
