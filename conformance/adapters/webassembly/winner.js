// An example adapter for an engine in WebAssembly: it writes the cards into the module's memory and calls its function.
// The engine, winner.wat, knows who wins a trick at Bézique. Build the module, and name it to the adapter:
//
//     node conformance/adapters/webassembly/assemble.js conformance/adapters/webassembly/winner.wat winner.wasm
//     hoyle check node conformance/adapters/webassembly/winner.js winner.wasm
//
// `wat2wasm winner.wat` builds the module, too. The adapter calls a module from any other language in the same way, if
// that module imports nothing.
"use strict";

const fs = require("node:fs");
const readline = require("node:readline");

const SUITS = "CDHS";
const RANKS = "789JQKTA";
const NO_SUIT = SUITS.length; // as long as there are no trumps
const SEATS = "AB";

const built = new WebAssembly.Module(fs.readFileSync(process.argv[2]));
const { memory, winner } = new WebAssembly.Instance(built).exports;

const number = ([rank, suit]) => 8 * SUITS.indexOf(suit) + RANKS.indexOf(rank);

function trickWinner(cards, by, trumps) {
  new Uint8Array(memory.buffer).set(cards.map(number));
  const place = winner(cards.length, trumps ? SUITS.indexOf(trumps) : NO_SUIT);
  return SEATS[(SEATS.indexOf(by) + place) % SEATS.length];
}

function run({ seq, position, steps }) {
  const observations = steps.map((step) => {
    if (step.ask !== "winner") return { unsupported: "this engine knows who wins a trick only" };
    return { answer: trickWinner(step.cards, step.by, "trumps" in step ? step.trumps : position.trumps) };
  });
  return { type: "observed", seq, steps: observations };
}

const READY = {
  type: "ready",
  protocol: 1,
  name: "example: winner in WebAssembly",
  version: "1.0",
  language: "WebAssembly",
  rulesets: ["bezique-hoyle", "bezique-britannica", "bezique-bicycle", "bezique-h2g2", "rubicon-hoyle"],
  claims: ["winner"],
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "bye") process.exit(0);
  process.stdout.write(JSON.stringify(message.type === "hello" ? READY : run(message)) + "\n");
});
