// A browser's worker in a thread of Node: what a browser gives it, and no Node in sight of it.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parentPort, workerData } from "node:worker_threads";

globalThis.self = globalThis;
globalThis.WorkerGlobalScope = class {
  static [Symbol.hasInstance](value) {
    return value === globalThis;
  }
};
globalThis.location = new URL(workerData);
globalThis.postMessage = (message) => parentPort.postMessage(message);
// Only what lies in a file of this machine can be fetched.
globalThis.fetch = async (address) => {
  const url = new URL(address);
  if (url.protocol !== "file:") throw new Error(`asked of the network: ${url}`);
  return readFile(fileURLToPath(url)).then(
    (content) => new Response(content),
    () => new Response(null, { status: 404 }),
  );
};
delete globalThis.process;
await import(workerData);
parentPort.on("message", (data) => globalThis.onmessage({ data }));
