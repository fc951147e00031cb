// An example adapter in JavaScript: a little engine for the first part of Hoyle's Bézique, tricks, drawing, the sevens
// and declarations. It knows nothing of the deal, of the duties in the last eight tricks, or of when the game is won, and
// does not claim to. Try it with:
//
//     hoyle check -- node conformance/adapters/javascript/declarations.js
"use strict";

const readline = require("node:readline");

const RANKS = "AT" + "KQJ987"; // highest first
const rank = (card) => card[0];
const suit = (card) => card[1];
const face = (card) => card.slice(0, 2);
const other = (seat) => (seat === "A" ? "B" : "A");

// ---- combinations ----------------------------------------------------------------------------------------------------

const sameSuit = (cards) => cards.every((card) => suit(card) === suit(cards[0]));
const ranksAre = (cards, ranks) => cards.map(rank).sort().join("") === [...ranks].sort().join("");
const facesAre = (cards, faces) => cards.map(face).sort().join(" ") === [...faces].sort().join(" ");
const fourOf = (letter) => (cards) => ranksAre(cards, letter.repeat(4));

// What each combination scores, what it looks like, which kind it is and which kind it is superior to.
const COMBINATIONS = {
  "common-marriage": { points: 20, kind: "marriage", fits: (cards, trumps) => ranksAre(cards, "KQ") && sameSuit(cards) && suit(cards[0]) !== trumps },
  "royal-marriage": { points: 40, kind: "marriage", fits: (cards, trumps) => ranksAre(cards, "KQ") && sameSuit(cards) && suit(cards[0]) === trumps },
  sequence: { points: 250, kind: "sequence", over: "marriage", fits: (cards, trumps) => ranksAre(cards, "ATKQJ") && sameSuit(cards) && suit(cards[0]) === trumps },
  bezique: { points: 40, kind: "bezique", fits: (cards) => facesAre(cards, ["QS", "JD"]) },
  "double-bezique": { points: 500, kind: "double-bezique", over: "bezique", fits: (cards) => facesAre(cards, ["QS", "JD", "QS", "JD"]) },
  "four-aces": { points: 100, kind: "aces", fits: fourOf("A") },
  "four-kings": { points: 80, kind: "kings", fits: fourOf("K") },
  "four-queens": { points: 60, kind: "queens", fits: fourOf("Q") },
  "four-knaves": { points: 40, kind: "knaves", fits: fourOf("J") },
};

// Why these cards may not score this combination; nothing where they may. The same cards laid for a sequence still count
// as a marriage afterwards if the player kept it to score: this engine takes the other reading of the source.
function barred(state, seat, meld, cards) {
  const wanted = COMBINATIONS[meld];
  if (!wanted || !wanted.fits(cards, state.trumps)) return "not a combination";
  for (const earlier of state.scored[seat]) {
    if (!earlier.cards.some((card) => cards.includes(card))) continue;
    const { kind, over } = COMBINATIONS[earlier.meld];
    if (kind === wanted.kind) return "used in this kind";
    if (over === wanted.kind && !isKept(state, seat, meld, cards) && !earlier.now) return "used in a superior combination";
  }
  return null;
}

const same = (one, two) => one.meld === two.meld && [...one.cards].sort().join() === [...two.cards].sort().join();
const isKept = (state, seat, meld, cards) => state.kept[seat].some((each) => same(each, { meld, cards }));

function* subsets(cards, size, from = 0) {
  if (size === 0) {
    yield [];
    return;
  }
  for (let at = from; at <= cards.length - size; at++) {
    for (const rest of subsets(cards, size - 1, at + 1)) yield [cards[at], ...rest];
  }
}

// ---- the position ----------------------------------------------------------------------------------------------------

function setUp(position) {
  const state = JSON.parse(JSON.stringify(position));
  state.winner = null;
  return state;
}

const drawing = (state) => state.stock.length > 0 || state.turn_up !== null;
const brisques = (cards) => cards.filter((card) => "AT".includes(rank(card))).length * 10;

function trickWinner(cards, leader, trumps) {
  const [led, answer] = cards;
  const higher = suit(answer) === suit(led) ? RANKS.indexOf(rank(answer)) < RANKS.indexOf(rank(led)) : suit(answer) === trumps;
  return higher ? other(leader) : leader;
}

// ---- acts: each returns a reason for refusal, or changes the state ------------------------------------------------------

const ACTS = {
  play(state, { by, card }) {
    if (state.phase !== "play") return "draw first";
    if (by !== state.turn) return "not your turn";
    if (!state.hands[by].includes(card)) return "card not held";
    state.hands[by] = state.hands[by].filter((held) => held !== card);
    state.shown[by] = state.shown[by].filter((held) => held !== card);
    state.kept[by] = state.kept[by].filter((kept) => !kept.cards.includes(card));
    state.trick.push(card);
    state.turn = other(by);
    if (state.trick.length === 2) takeTrick(state);
    return null;
  },

  draw(state, { by }) {
    if (state.phase !== "declare" && state.phase !== "draw") return "nothing to draw";
    if (by !== state.turn) return "not your turn";
    if (state.stock.length > 0) state.hands[by].push(state.stock.shift());
    else {
      state.hands[by].push(state.turn_up);
      state.turn_up = null;
      state.kept = { A: [], B: [] };
    }
    state.turn = other(by);
    state.phase = state.turn === state.leader ? "play" : "draw";
    return null;
  },

  declare(state, { by, meld, cards }) {
    const refused = mayLay(state, by, cards) || (state.combinations_since_trick > 0 ? "one score a trick" : barred(state, by, meld, cards));
    if (refused) return refused;
    lay(state, by, cards);
    state.kept[by] = state.kept[by].filter((kept) => !same(kept, { meld, cards }));
    state.scored[by].push({ meld, cards, now: true });
    state.combinations_since_trick += 1;
    state.score[by] += COMBINATIONS[meld].points;
    return null;
  },

  hold(state, { by, meld, cards }) {
    const refused = mayLay(state, by, cards) || (state.combinations_since_trick === 0 ? "score one first" : barred(state, by, meld, cards));
    if (refused) return refused;
    lay(state, by, cards);
    state.kept[by].push({ meld, cards });
    return null;
  },

  exchange(state, step) {
    const refused = maySeven(state, step) || (isSecond(state) ? "the second seven is only shown" : null);
    if (refused) return refused;
    state.hands[step.by] = state.hands[step.by].map((held) => (held === step.card ? state.turn_up : held));
    state.turn_up = step.card;
    scoreSeven(state, step);
    return null;
  },

  show(state, step) {
    const refused = maySeven(state, step);
    if (refused) return refused;
    scoreSeven(state, step);
    lay(state, step.by, [step.card]);
    return null;
  },
};

function takeTrick(state) {
  const taker = trickWinner(state.trick, state.leader, state.trumps);
  state.won[taker].push(...state.trick);
  state.score[taker] += brisques(state.trick);
  state.winner = taker;
  state.trick = [];
  state.leader = state.turn = taker;
  state.combinations_since_trick = 0;
  for (const seat of ["A", "B"]) for (const each of state.scored[seat]) each.now = false;
  state.phase = drawing(state) ? "declare" : "play";
  if (state.hands.A.length + state.hands.B.length === 0) state.score[taker] += 10; // the last trick
}

function mayLay(state, by, cards) {
  if (!drawing(state)) return "the stock is gone";
  if (state.phase !== "declare" || by !== state.turn) return "only after winning a trick";
  return cards.every((card) => state.hands[by].includes(card)) ? null : "card not held";
}

function lay(state, by, cards) {
  state.shown[by] = [...new Set([...state.shown[by], ...cards])];
}

const isSecond = (state) => state.claimed.length > 0 || (state.turn_up !== null && rank(state.turn_up) === "7");

function maySeven(state, { by, card }) {
  if (state.phase !== "declare" || by !== state.turn) return "only after winning a trick";
  if (!state.hands[by].includes(card)) return "card not held";
  if (face(card) !== "7" + state.trumps) return "not the seven of trumps";
  return state.claimed.includes(card) ? "this seven has scored" : null;
}

function scoreSeven(state, { by, card }) {
  state.claimed.push(card);
  state.score[by] += 10;
}

// ---- questions ---------------------------------------------------------------------------------------------------------

const QUESTIONS = {
  winner: (state, { by, cards }) => trickWinner(cards, by, state.trumps),
  worth: (state, { meld, cards }) => (COMBINATIONS[meld] && COMBINATIONS[meld].fits(cards, state.trumps) ? COMBINATIONS[meld].points : 0),
  counted: (_state, { cards }) => brisques(cards),
  declarable(state, { by }) {
    if (state.phase !== "declare" || by !== state.turn || state.combinations_since_trick > 0) return [];
    const found = [];
    for (const size of [2, 4, 5]) {
      for (const cards of subsets(state.hands[by], size)) {
        for (const meld of Object.keys(COMBINATIONS)) {
          if (!barred(state, by, meld, cards)) found.push({ meld, cards });
        }
      }
    }
    return found;
  },
};

// ---- the protocol ------------------------------------------------------------------------------------------------------

function observe(state, names) {
  const lying = () => ({ hands: state.hands, stock: state.stock, turn_up: state.turn_up, trick: state.trick, won: state.won });
  const table = {
    score: () => state.score,
    trick_won_by: () => state.winner,
    turn: () => state.turn,
    dealer: () => state.dealer,
    trumps: () => state.trumps,
    turn_up: () => state.turn_up,
    hands: () => state.hands,
    shown: () => state.shown,
    stock_left: () => state.stock.length,
    position: lying,
  };
  return Object.fromEntries(names.map((name) => [name, table[name]()]));
}

function run({ seq, position, steps, observe: names }) {
  const state = setUp(position);
  const observations = steps.map((step) => {
    if (step.ask) return step.ask in QUESTIONS ? { answer: QUESTIONS[step.ask](state, step) } : { unsupported: step.ask };
    if (!(step.do in ACTS)) return { unsupported: step.do };
    state.winner = null;
    const reason = ACTS[step.do](state, step);
    // The state lives on, so an observation must be a copy.
    const seen = JSON.parse(JSON.stringify(observe(state, names)));
    return reason === null ? { accepted: true, ...seen } : { accepted: false, reason, ...seen };
  });
  return { type: "observed", seq, steps: observations };
}

const READY = {
  type: "ready",
  protocol: 1,
  name: "example: declarations",
  version: "1.0",
  language: "JavaScript",
  rulesets: ["bezique-hoyle"],
  capabilities: ["position", "tricks", "draw", "melds", "declarations", "seven", "counting", "score", "table", "report"],
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "bye") process.exit(0);
  process.stdout.write(JSON.stringify(message.type === "hello" ? READY : run(message)) + "\n");
});
