// An engine in JavaScript, held against the suite in process: no adapter, no protocol.
//
//   hoyle suite build --ready ready.json -o suite.json
//   npx jest winner.test.js
const { readFileSync } = require("node:fs");

/** The engine: which card takes the trick, counted from 0 in the order of play. */
function winner(cards, trumps) {
  const higher = (one, other) => "789JQKTA".indexOf(one[0]) > "789JQKTA".indexOf(other[0]);
  return cards.reduce((best, card, at) => {
    const same = card[1] === cards[best][1];
    return (same ? higher(card, cards[best]) : card[1] === trumps) ? at : best;
  }, 0);
}

const suite = JSON.parse(readFileSync("suite.json", "utf8"));

for (const { id, title, run, expect: expected, follows, step_ends: ends } of suite.checks) {
  test(`${id}: ${title}`, () => {
    for (const [number, { answer }] of Object.entries(expected[follows])) {
      const step = run.steps[ends[number - 1] - 1]; // a step of the scenario ends with this one of what is sent
      const place = winner(step.cards, step.trumps ?? run.position.trumps);
      expect("AB"[("AB".indexOf(step.by) + place) % 2]).toBe(answer);
    }
  });
}
