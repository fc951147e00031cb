// An adapter between Hoyle and your engine. So far it answers one question: who wins a trick.
//
//     hoyle doctor node my_adapter.js
//     hoyle check node my_adapter.js

const READY = {
  type: "ready",
  protocol: 1,
  name: "my engine",
  version: "1",
  language: "JavaScript",
  rulesets: ["bezique-hoyle"], // the rulesets that you play: 'hoyle suite list rulesets'
  claims: ["winner"], // what you can answer: 'hoyle suite list claims'. Next: "playable", "worth"
};

// The card that wins the trick, counted from 0 in the order of play; a card is "TH", or "TH#2".
// ENGINE: call your engine here. So far the first card always wins.
function winner(cards, trumps) {
  return 0;
}

// The observation of one step. A question may have values that otherwise come from the position.
function observe(step, position) {
  if (step.ask === "winner") {
    const place = winner(step.cards, "trumps" in step ? step.trumps : position.trumps);
    return { answer: "AB"[("AB".indexOf(step.by) + place) % 2] };
  }
  return { unsupported: "not written yet" };
}

function answer(message) {
  if (message.type === "hello") return READY;
  const steps = message.steps.map((step) => observe(step, message.position));
  return { type: "observed", seq: message.seq, steps };
}

function hear(line) {
  const message = JSON.parse(line);
  if (message.type === "bye") process.stdin.destroy();
  else process.stdout.write(JSON.stringify(answer(message)) + "\n");
}

let unread = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (unread + text).split("\n");
  unread = lines.pop();
  lines.forEach(hear);
});
