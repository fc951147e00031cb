// Plays games as the table does, with docs/assets/table-playing.js, an engine in one worker and the opponents' in another:
// node games.mjs WORKER, with a list of new games as JSON on the standard input. A line for each: how it went, and how long
// the engine took for each act (ms).
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

const script = pathToFileURL(process.argv[2]).href;
(0, eval)(readFileSync(fileURLToPath(new URL("../../docs/assets/table-playing.js", import.meta.url)), "utf-8"));

class Engine {
  constructor() {
    this.took = [];
    this.waiting = [];
    this.worker = new Worker(new URL("worker.mjs", import.meta.url), { workerData: script });
    this.worker.on("error", (error) => this.fail(String(error.stack)));
    this.worker.on("message", ({ failed, response }) => {
      if (failed) this.fail(JSON.stringify(failed));
      if (response) this.waiting.shift()(JSON.parse(response));
    });
  }

  fail(says) {
    process.stderr.write(says);
    process.exit(1);
  }

  async ask(request) {
    const began = performance.now();
    const answer = await new Promise((answered) => {
      this.waiting.push(answered);
      this.worker.postMessage({ id: 1, request: JSON.stringify(request) });
    });
    this.took.push([request.ask, performance.now() - began]);
    return answer;
  }
}

const engine = new Engine();
const opponent = new Engine();
// The person takes the first act that is offered, and exchanges as many cards as can be.
const choose = ({ acts: { by, legal, exchange } }) =>
  exchange ? { by, do: "discard", cards: exchange.cards.slice(0, exchange.most) } : legal[0].step;

for (const game of JSON.parse(await text(process.stdin))) {
  const play = new globalThis.hoyleTable.Play({ engine, opponent, level: "greedy" });
  await play.begin(game);
  engine.took = [];
  opponent.took = [];
  while (!play.isOver && !play.problem) {
    const { kind } = play.answer.waits_for;
    if (kind === "deal") await play.deal();
    else if (kind === "person") await play.act(choose(play.answer));
    else await play.goOn();
  }
  const took = (asked, kind) => asked.filter(([ask]) => ask === kind).map(([, ms]) => Math.round(ms));
  const { answer, log, problem } = play;
  process.stdout.write(
    `${JSON.stringify({ answer, problem, log, play: took(engine.took, "play"), opponent: took(opponent.took, "opponent") })}\n`,
  );
}
await Promise.all([engine.worker.terminate(), opponent.worker.terminate()]);
