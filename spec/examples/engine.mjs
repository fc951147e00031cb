// An engine that knows one thing of Bézique: who wins a trick. Put yours in its place.

/** The place, from 0, of the card that wins a trick: the highest trump, or else the highest card of the suit led. */
function winner(cards, trumps, ranks) {
  const higher = (card, best) => ranks.indexOf(card[0]) > ranks.indexOf(best[0]);
  const beats = (card, best) => (card[1] === best[1] ? higher(card, best) : card[1] === trumps);
  return cards.reduce((best, card, at) => (beats(card, cards[best]) ? at : best), 0);
}

/** The response to a message `run`: an observation of each step, or that the engine cannot perform it. */
export function respond({ options, position, steps }) {
  const seats = Object.keys(position.score);
  const observe = ({ ask, by, cards, trumps = position.trumps, drawing = position.stock?.length > 0 }) => {
    if (ask !== "winner") return { unsupported: "this engine only knows who wins a trick" };
    const ranks = options.includes("ten-at-whist-rank") && !drawing ? "789TJQKA" : "789JQKTA";
    return { answer: seats[(seats.indexOf(by) + winner(cards, trumps, ranks)) % seats.length] };
  };
  return { type: "observed", steps: steps.map(observe) };
}
