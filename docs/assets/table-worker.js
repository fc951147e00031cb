// Python in a worker, with the interpreter of the rules and the suite. It receives {id, request} in JSON and answers
// {id, response}; before that it reports its state: {progress}, then {ready}, or {failed} if it cannot run.
const FOLDER = new URL("./pyodide/", import.meta.url);

const say = (message) => self.postMessage(message);
const fetched = self.fetch.bind(self);

class Unavailable extends Error {
  constructor(says, remedy) {
    super(says);
    this.remedy = remedy;
  }
}

// Loads all files at once, and reports the total number of bytes loaded.
class Files {
  constructor(files) {
    this.files = files;
    this.total = Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
    this.come = 0;
    this.asked = new Map();
  }

  url(name) {
    return new URL(this.files[name].name, FOLDER).href;
  }

  count(bytes) {
    this.come += bytes;
    say({ progress: this.come < this.total ? { says: "Fetching the interpreter", come: this.come, total: this.total } : { says: "Starting Python" } });
  }

  // Packed files are unpacked as a stream. Their names change with their content, so a copy in the browser's cache is good.
  async fetch(name) {
    const response = await fetched(this.url(name), { cache: "force-cache" });
    if (!response.ok) throw new Unavailable(`A part of the interpreter is missing (${name}).`, "Reload the page.");
    const counting = new TransformStream({
      transform: (bytes, to) => {
        this.count(bytes.byteLength);
        to.enqueue(bytes);
      },
    });
    const body = response.body.pipeThrough(counting).pipeThrough(new DecompressionStream("gzip"));
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(body, { headers: { "Content-Type": type } });
  }

  script(name) {
    return import(this.url(name)).then((module) => {
      this.count(this.files[name].bytes);
      return module;
    });
  }
}

async function start() {
  const manifest = await fetched(new URL("manifest.json", FOLDER)).catch(() => undefined);
  if (!manifest?.ok)
    throw new Unavailable(
      manifest ? "This copy of the site was built without the interpreter." : "The interpreter could not be fetched.",
      manifest ? "Build the site with Node and npm installed (make site), or run hoyle table." : "Go online, and reload the page.",
    );
  const { files: list, lock } = await manifest.json();
  const files = new Files(list);
  const own = files.fetch("hoyle.zip").then((response) => response.arrayBuffer());
  const waiting = new Map(["pyodide.asm.wasm", "stdlib.zip"].map((name) => [name, files.fetch(name)]));
  own.catch(() => {}); // told below, when it is waited for
  for (const each of waiting.values()) each.catch(() => {});
  // Python requests its parts by name, and gets the downloads already in progress. It can request nothing else.
  self.fetch = async (address) => {
    const name = String(address).split("/").pop();
    if (!waiting.has(name)) throw new Error(`nothing serves ${address}`);
    return waiting.get(name);
  };
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    files.script("pyodide.mjs"),
    files.script("pyodide.asm.mjs"),
  ]);
  const python = await loadPyodide({
    indexURL: FOLDER.href,
    stdLibURL: new URL("stdlib.zip", FOLDER).href,
    packageBaseUrl: FOLDER.href,
    lockFileContents: lock,
    createPyodideModule,
  });
  const archive = await own;
  say({ progress: { says: "Reading the books" } });
  python.FS.writeFile("/hoyle.zip", new Uint8Array(archive));
  python.runPython("import sys; sys.path.insert(0, '/hoyle.zip')");
  return python.pyimport("start").begin_with("/hoyle.zip");
}

const started = start();
started.then(
  () => say({ ready: true }),
  (error) =>
    say({
      failed: {
        says: error instanceof Unavailable ? error.message : `The interpreter could not be started: ${error.message ?? error}`,
        remedy: error.remedy ?? "Reload the page. If that does not help, this browser may be too old, or out of memory.",
      },
    }),
);

self.onmessage = async ({ data: { id, request } }) => {
  const answer = await started.catch(() => undefined);
  if (!answer) return;
  try {
    say({ id, response: answer(request) });
  } catch (error) {
    // Python reports its own errors; an error here means that it has stopped.
    say({ failed: { says: `The interpreter has stopped: ${error.message ?? error}`, remedy: "Start it again; your position is kept." } });
  }
};
