// An example adapter in JavaScript: a little engine for Hoyle's Bézique, from the cut and the deal to the thousand points
// that win the game. Its state is the position of the protocol. Try it with:
//
//     hoyle check node conformance/adapters/javascript/declarations.js
//     hoyle check -s census node conformance/adapters/javascript/declarations.js
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

const PACKETS = [3, 2, 3];
const TARGET = 1000;
const each = (what) => ({ A: what(), B: what() });

// What a deal begins with; and all of it while nothing has been dealt.
const anew = () => ({ won: each(Array), shown: each(Array), scored: each(Array), kept: each(Array), claimed: [], trick: [], combinations_since_trick: 0 });
const undealt = () => ({ ...anew(), hands: each(Array), stock: [], trumps: null, turn_up: null });

function setUp(position) {
  return { ...undealt(), game_won_by: null, ...JSON.parse(JSON.stringify(position)), winner: null };
}

// Points are marked at once, and the first to have enough of them wins.
function mark(state, seat, points) {
  if (state.game_won_by) return;
  state.score[seat] += points;
  if (state.score[seat] >= TARGET) Object.assign(state, { phase: "over", game_won_by: seat });
}

// Any card while there is a stock; afterwards one of the suit led, from whoever has it.
function playable(state, seat) {
  if (state.phase !== "play" || state.turn !== seat) return [];
  const hand = state.hands[seat];
  const following = state.trick.length && !drawing(state) ? hand.filter((card) => suit(card) === suit(state.trick[0])) : [];
  return following.length ? following : hand;
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
  cut(state, { cards }) {
    if (state.phase !== "cut") return "no time to cut";
    const [first, second] = cards.map((card) => RANKS.indexOf(rank(card)));
    const dealer = first < second ? "A" : "B";
    if (first !== second) Object.assign(state, { phase: "deal", turn: dealer, dealer });
    return null;
  },

  choose: () => "nothing is offered: whoever wins the cut deals",

  deal(state, { by, deck }) {
    if (state.phase !== "deal" || by !== state.dealer) return "not the dealer";
    const hands = each(Array);
    let at = 0;
    for (const size of PACKETS) for (const seat of [other(by), by]) hands[seat].push(...deck.slice(at, (at += size)));
    const leader = other(by);
    Object.assign(state, { ...anew(), hands, turn_up: deck[at], trumps: suit(deck[at]), stock: deck.slice(at + 1), phase: "play", turn: leader, leader });
    if (rank(state.turn_up) === "7") {
      state.claimed.push(state.turn_up);
      mark(state, by, 10);
    }
    return null;
  },

  play(state, { by, card }) {
    if (state.phase !== "play") return "draw first";
    if (by !== state.turn) return "not your turn";
    if (!playable(state, by).includes(card)) return "not held, or not of the suit led";
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
    mark(state, by, COMBINATIONS[meld].points);
    return null;
  },

  hold(state, { by, meld, cards }) {
    const refused = mayLay(state, by, cards) || (state.combinations_since_trick === 0 ? "score one first" : barred(state, by, meld, cards));
    if (refused) return refused;
    lay(state, by, cards);
    if (!isKept(state, by, meld, cards)) state.kept[by].push({ meld, cards });
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
  state.phase = drawing(state) ? "declare" : "play";
  mark(state, taker, brisques(state.trick));
  state.winner = taker;
  state.trick = [];
  state.leader = state.turn = taker;
  state.combinations_since_trick = 0;
  for (const seat of ["A", "B"]) for (const each of state.scored[seat]) each.now = false;
  if (state.hands.A.length + state.hands.B.length === 0) endDeal(state, taker);
}

// Ten for the last trick; then the other player deals.
function endDeal(state, taker) {
  mark(state, taker, 10);
  if (state.game_won_by) return;
  state.dealer = state.turn = other(state.dealer);
  state.phase = "deal";
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
  mark(state, by, 10);
}

// ---- the number of acts open to the player whose turn it is ------------------------------------------------------------

const distinct = (found) => new Set(found.map(({ meld, cards }) => meld + cards.map(face).sort().join(" "))).size;

function legalActs(state) {
  const { phase, turn } = state;
  if (phase === "play") return new Set(playable(state, turn).map(face)).size;
  if (phase === "draw") return 1;
  if (phase !== "declare") return null;
  const formed = combinations(state, turn);
  const sevens = state.hands[turn].filter((card) => !maySeven(state, { by: turn, card })).length ? 1 : 0;
  const laid = state.combinations_since_trick ? formed.filter(({ meld, cards }) => !isKept(state, turn, meld, cards)) : formed;
  return 1 + distinct(laid) + sevens + (isSecond(state) ? 0 : sevens);
}

// All that the hand holds and that is not barred, with its very cards.
function combinations(state, seat) {
  const found = [];
  for (const size of [2, 4, 5]) {
    for (const cards of subsets(state.hands[seat], size)) {
      for (const meld of Object.keys(COMBINATIONS)) {
        if (!barred(state, seat, meld, cards)) found.push({ meld, cards });
      }
    }
  }
  return found;
}

// ---- questions ---------------------------------------------------------------------------------------------------------

// Returns the table with the values that a question states in place of its own.
function tableOf(state, { by, hand, led, trumps = state.trumps, drawing }) {
  const drawn = drawing === undefined ? {} : { stock: drawing ? ["a card"] : [], turn_up: null };
  const held = hand ? { phase: "play", turn: by, hands: { [by]: hand }, trick: led } : {};
  return { ...state, trumps, ...drawn, ...held };
}

const QUESTIONS = {
  winner: (state, { by, cards }) => trickWinner(cards, by, state.trumps),
  worth: (state, { meld, cards }) => (COMBINATIONS[meld] && COMBINATIONS[meld].fits(cards, state.trumps) ? COMBINATIONS[meld].points : 0),
  counted: (_state, { cards }) => brisques(cards),
  playable: (state, { by }) => playable(state, by),
  exchangeable: (state, { by }) => state.hands[by].filter((card) => !maySeven(state, { by, card })),
  declarable: (state, { by }) => (state.phase !== "declare" || by !== state.turn || state.combinations_since_trick > 0 ? [] : combinations(state, by)),
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
    position: () => (state.hands.A.length + state.hands.B.length + state.won.A.length + state.won.B.length ? lying() : null),
    game_won_by: () => state.game_won_by,
    deals_left: () => (state.phase === "over" ? 0 : 1),
    legal_acts: () => legalActs(state),
  };
  return Object.fromEntries(names.map((name) => [name, table[name]()]));
}

function run({ seq, position, steps, observe: names }) {
  const state = setUp(position);
  const observations = steps.map((step) => {
    if (step.ask) return step.ask in QUESTIONS ? { answer: QUESTIONS[step.ask](tableOf(state, step), step) } : { unsupported: step.ask };
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
  name: "example: bezique",
  version: "1.0",
  language: "JavaScript",
  rulesets: ["bezique-hoyle"],
  position: "any",
  claims: [
    ...["dealing", "tricks", "legal-plays", "drawing", "melds", "declarations", "seven"],
    ...["counting", "score", "game", "table", "census", "report"],
  ],
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "bye") process.exit(0);
  process.stdout.write(JSON.stringify(message.type === "hello" ? READY : run(message)) + "\n");
});
