// Runs the checks of one ruleset on an engine. Nothing is needed but Node and a file of spec-json/suite/.
//
//   node harness.mjs bezique-hoyle.json.gz                   the engine in engine.mjs, which this program calls
//   node harness.mjs bezique-hoyle.json.gz ./my-adapter      an adapter, by the protocol
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { respond } from "./engine.mjs";

const [file, ...command] = process.argv.slice(2);
const { checks } = JSON.parse(gunzipSync(readFileSync(file)));
const messages = checks.map(({ run }, at) => ({ type: "run", seq: at + 1, ...run }));
const responses = command.length ? fromAdapter(...command) : messages.map(respond);

/** The responses of an adapter, which is sent everything at once; the first is to `hello`. */
function fromAdapter(program, ...words) {
  const lines = [{ type: "hello", protocol: 1, suite: "any" }, ...messages, { type: "bye" }];
  const input = lines.map((message) => `${JSON.stringify(message)}\n`).join("");
  const { stdout, error } = spawnSync(program, words, { input, encoding: "utf8", maxBuffer: 1e9 });
  if (error) throw error;
  return stdout.trim().split("\n").slice(1).map((line) => JSON.parse(line));
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/**
 * A value in the form in which it is compared: cards without the number of their copy, lists without their order, and
 * lists of objects without repetitions.
 */
function comparable(value) {
  if (typeof value === "string") return value.replace(/^([789TJQKA][CDHS])#\d$/, "$1");
  if (isObject(value)) return Object.keys(value).sort().map((key) => [key, comparable(value[key])]);
  if (!Array.isArray(value)) return value ?? null;
  const entries = value.map((each) => JSON.stringify(comparable(each))).sort();
  return value.some(isObject) ? [...new Set(entries)] : entries;
}
const same = (one, other) => JSON.stringify(comparable(one)) === JSON.stringify(comparable(other));

/** What is wrong with the observations of a check's steps, compared with those expected; empty if nothing is. */
function difference({ position }, expected, steps) {
  let score = position.score;
  for (const { after, scores, ...wanted } of expected) {
    const observed = steps[after - 1] ?? {};
    if ("unsupported" in observed || "skipped" in observed) continue;
    if (scores) wanted.score = Object.fromEntries(Object.keys(score).map((seat) => [seat, score[seat] + (scores[seat] ?? 0)]));
    if (wanted.accepted === false && "score" in observed) wanted.score = score; // a refused act changes nothing
    for (const key of Object.keys(wanted)) {
      let [of, got] = [wanted[key], observed[key]];
      if (key === "answer") [of, got] = [of || null, got || null]; // worth nothing is 0 or null
      else if (isObject(of) && isObject(got)) got = Object.fromEntries(Object.keys(of).map((name) => [name, got[name]]));
      if (!same(of, got)) return `step ${after}: ${key} is ${JSON.stringify(got)}, not ${JSON.stringify(of)}`;
    }
    score = observed.score ?? score;
  }
  return "";
}

let [passed, failed, unanswered] = [0, 0, 0];
checks.forEach(({ id, title, run, expect }, at) => {
  const { type, steps, reason } = responses[at] ?? { type: "error", reason: "no response" };
  const found = steps ? Object.values(expect).map((expected) => difference(run, expected, steps)) : [reason];
  if (steps ? steps.every((step) => "unsupported" in step) : type !== "error") unanswered += 1;
  else if (found.includes("")) passed += 1; // any reading is right
  else {
    failed += 1;
    console.log(`${id}: ${title}\n  ${found[0]}`);
  }
});
console.log(`${passed} checks passed, ${failed} failed, ${unanswered} were not answered.`);
process.exitCode = failed || !passed ? 1 : 0;
