"""An engine that only plays against itself, and writes down what it plays: one deal of Bézique for two.

It speaks no protocol. `hoyle check --transcript` reads what it writes:

    python selfplay.py > game.jsonl
    hoyle check --transcript game.jsonl

Its rules are Hoyle's, in a small part: it declares marriages, bézique, sequences and four of a kind, and never
exchanges the seven. One rule is its own: it pays 150 for a sequence in a suit that is not trumps.
"""

import json
import random
import sys

RANKS = "789JQKTA"  # from the lowest to the highest
SUITS = "CDHS"
FOURS = {"A": ("four-aces", 100), "K": ("four-kings", 80), "Q": ("four-queens", 60), "J": ("four-knaves", 40)}


def log(**line):
    """Write one line of the transcript. This is all that an engine must add."""
    print(json.dumps(line))


class Deal:
    """One deal between A and B; B deals."""

    def __init__(self, seed):
        self.random = random.Random(seed)  # noqa: S311 -- a game, no secret
        pack = [f"{rank}{suit}{copy}" for copy in ("", "#2") for suit in SUITS for rank in RANKS]
        self.random.shuffle(pack)
        self.hands = {"A": [], "B": []}
        for size in (3, 2, 3):
            for player in "AB":
                self.hands[player] += [pack.pop(0) for _ in range(size)]
        self.turn_up, self.stock = pack.pop(0), pack
        self.trumps = self.turn_up[1]
        self.used = {"A": set(), "B": set()}  # (combination, card): a card scores once in each
        points = {"B": 10} if self.turn_up[0] == "7" else {}
        log(by="B", do="deal", hands=self.hands, turn_up=self.turn_up, stock=self.stock, scored=points)

    def play(self):
        """Play the deal to its end."""
        leader = "A"
        while self.hands["A"]:
            leader = self.trick(leader)
            if self.stock or self.turn_up:
                self.declare(leader)
                for player in (leader, other(leader)):
                    self.draw(player)

    def trick(self, leader):
        """Play one trick, and return its winner."""
        led = self.put(leader, self.hands[leader])
        log(by=leader, do="play", card=led, scored={})
        follower = other(leader)
        answer = self.put(follower, self.playable(follower, led))
        winner = follower if self.beats(answer, led) else leader
        points = 10 * sum(card[0] in "AT" for card in (led, answer)) + (0 if self.hands[leader] else 10)
        log(by=follower, do="play", card=answer, trick_won_by=winner, scored={winner: points} if points else {})
        return winner

    def put(self, player, cards):
        """Take a random one of these cards from a hand."""
        card = self.random.choice(cards)
        self.hands[player].remove(card)
        return card

    def playable(self, player, led):
        """Return the cards that may be played to a lead: in the last eight tricks, those of its suit."""
        same = [card for card in self.hands[player] if card[1] == led[1]]
        return self.hands[player] if self.stock or self.turn_up or not same else same

    def beats(self, card, led):
        """Whether a card wins the trick; of equal cards the first does."""
        if card[1] == led[1]:
            return RANKS.index(card[0]) > RANKS.index(led[0])
        return card[1] == self.trumps

    def draw(self, player):
        """Draw the next card: the stock from the top, and at last the turn-up."""
        card = self.stock.pop(0) if self.stock else self.turn_up
        if card == self.turn_up:
            self.turn_up = None
        self.hands[player].append(card)
        log(by=player, do="draw", drew=[card])

    def declare(self, player):
        """Declare the best combination that a player holds, if there is one."""
        best = max(self.combinations(player), key=lambda each: each[2], default=None)
        if best:
            meld, cards, points = best
            self.used[player] |= {(meld.split("-")[-1], card) for card in cards}
            log(by=player, do="declare", meld=meld, cards=cards, scored={player: points})

    def combinations(self, player):
        """Yield the combinations that a player can declare, each with its cards and points."""
        for suit in SUITS:
            royal = suit == self.trumps
            yield from self.made(player, "sequence", [f"{rank}{suit}" for rank in "ATKQJ"], 250 if royal else 150)
            yield from self.made(
                player, "royal-marriage" if royal else "common-marriage", ["K" + suit, "Q" + suit], 40 if royal else 20
            )
        yield from self.made(player, "bezique", ["QS", "JD"], 40)
        for rank, (meld, points) in FOURS.items():
            held = [card for card in self.unused(player, meld) if card[0] == rank]
            if len(held) >= len(SUITS):
                yield meld, held[: len(SUITS)], points

    def made(self, player, meld, faces, points):
        """Yield a combination of these cards, if a player holds one of each that has not scored in its kind."""
        cards = []
        for face in faces:
            held = [card for card in self.unused(player, meld) if card[:2] == face]
            if not held:
                return
            cards.append(held[0])
        yield meld, cards, points

    def unused(self, player, meld):
        """Return the cards of a hand that have not scored in a combination of the same kind."""
        kind = meld.split("-")[-1]
        return [card for card in self.hands[player] if (kind, card) not in self.used[player]]


def other(player):
    """Return the other player."""
    return "B" if player == "A" else "A"


if __name__ == "__main__":
    number = sys.argv[1] if len(sys.argv) > 1 else "1"
    log(game=number, ruleset="bezique-hoyle", engine="selfplay 1.0", dealer="B")
    Deal(int(number)).play()
