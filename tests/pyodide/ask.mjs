// Asks the worker of the table for positions of the suite, and then for the answers to them: node ask.mjs WORKER, with the
// requests as JSON on the standard input, in a list for each worker. A line for each: what is asked, and what is answered.
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

const script = pathToFileURL(process.argv[2]).href;
const lines = JSON.parse(await text(process.stdin));
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

class Engine {
  constructor() {
    this.worker = new Worker(new URL("worker.mjs", import.meta.url), { workerData: script });
    this.worker.on("error", (error) => this.fail({ says: String(error.stack) }));
    this.worker.on("message", ({ progress, ready, failed, response }) => {
      if (progress && !progress.come) print({ progress });
      if (ready) print({ ready });
      if (failed) this.fail(failed);
      if (response) this.answered(JSON.parse(response));
    });
  }

  fail(failed) {
    print({ failed });
    process.exit(1);
  }

  ask(request) {
    return new Promise((answered) => {
      this.answered = answered;
      this.worker.postMessage({ id: 1, request: JSON.stringify(request) });
    });
  }
}

await Promise.all(
  lines.map(async (requests) => {
    const engine = new Engine();
    for (const request of requests) {
      const response = await engine.ask(request);
      const { layout } = response;
      const answer = layout ? await engine.ask({ ask: "answer", layout, facts: true }) : null;
      print({ request, response, answer });
    }
    await engine.worker.terminate();
  }),
);
