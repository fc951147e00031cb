"""An example adapter in Python: an engine for two-handed Bézique after *Hoyle's Games Modernized*.

It plays whole games, from the cut to a thousand points, and was written from the book alone. It is independent of the
reference interpreter and needs nothing but Python. The quotations are from the book. Try it with::

    hoyle check -r bezique-hoyle python workbench/adapters/python/bezique_hoyle.py
"""

import json
import sys
from collections import Counter
from copy import deepcopy
from itertools import combinations, product

RULESET = "bezique-hoyle"
BRISQUES_AT_END, TEN_AT_WHIST_RANK = "brisques-at-end", "ten-at-whist-rank"
#: From the lowest to the highest, and as at Whist.
RANKS, WHIST_RANKS = "789JQKTA", "789TJQKA"
SUITS = "CDHS"
#: Three cards to each player, then two, then three.
PACKETS = (3, 2, 3)
TARGET = 1000
SEVEN, BRISQUE, LAST_TRICK = 10, 10, 10
BRISQUES = "AT"
#: The sets of four: what each scores, and of which rank it is.
FOURS = {"four-aces": (100, "A"), "four-kings": (80, "K"), "four-queens": (60, "Q"), "four-knaves": (40, "J")}
WORTH = {"common-marriage": 20, "royal-marriage": 40, "bezique": 40, "double-bezique": 500, "sequence": 250}
WORTH |= {meld: points for meld, (points, _) in FOURS.items()}
#: What bars a card from a combination: the same kind, or a superior order of it.
BARRED_BY = {meld: {meld} for meld in WORTH}
BARRED_BY["bezique"] = {"bezique", "double-bezique"}
BARRED_BY["royal-marriage"] = {"royal-marriage", "sequence"}
#: The choices of the player who cuts the higher card.
DEALS, LEAVES = "deals", "leaves-the-deal"
#: Not to follow suit in the last eight tricks, though able to. The book names no penalty, so the play stands.
REVOKE = "revoke"
NO_PENALTY = {"chooses": None, "choices": ["stays-as-it-is"], "until": "end-of-the-deal"}


class Refused(Exception):
    """An act breaks a rule."""


class GameOver(Exception):
    """A player has reached the target in the middle of an act."""


def require(condition, reason):
    if not condition:
        raise Refused(reason)


def other(seat):
    return "B" if seat == "A" else "A"


def face(card):
    """Return a card without the number of its copy."""
    return card[:2]


def faces(cards):
    return tuple(sorted(map(face, cards)))


# ---- Rules that need no table ----------------------------------------------------------------------------------------


def trick_winner(leader, led, played, trumps, ranks=RANKS):
    """Return who wins a trick: the second player by a higher card of the suit led, or by a trump."""
    higher = played[1] == led[1] and ranks.index(played[0]) > ranks.index(led[0])
    trumped = played[1] == trumps != led[1]
    return other(leader) if higher or trumped else leader


def following(hand, led):
    """Return the cards of a hand that follow the suit led, or the whole hand if it has none."""
    return [card for card in hand if card[1] == led[1]] or list(hand)


def brisque_points(cards):
    return BRISQUE * sum(card[0] in BRISQUES for card in cards)


def patterns(trumps):
    """Return the faces that make up each combination, except the sets of four."""
    marriages = [(f"K{suit}", f"Q{suit}") for suit in SUITS]
    return {
        "common-marriage": [pair for pair in marriages if pair[0][1] != trumps],
        "royal-marriage": [pair for pair in marriages if pair[0][1] == trumps],
        "bezique": [("QS", "JD")],
        "double-bezique": [("QS", "QS", "JD", "JD")],
        "sequence": [tuple(f"{rank}{trumps}" for rank in "ATKQJ")] if trumps else [],
    }


def worth(meld, cards, trumps):
    """Return what cards score as a combination; 0 if they are not that combination."""
    if meld in FOURS:
        points, rank = FOURS[meld]
        return points if len(cards) == len(SUITS) and {card[0] for card in cards} == {rank} else 0
    made = {faces(pattern) for pattern in patterns(trumps).get(meld, [])}
    return WORTH[meld] if faces(cards) in made else 0


def ask_worth(question, trumps):
    """Return what cards score as a combination; without a name, the one that scores the most, or None."""
    cards = question["cards"]
    if "meld" in question:
        return worth(question["meld"], cards, trumps)
    points, meld = max((worth(meld, cards, trumps), meld) for meld in WORTH)
    return {"meld": meld, "points": points} if points else None


def cards_of_pattern(hand, pattern):
    """Yield every choice of cards from a hand that has the faces of a pattern."""
    needed = Counter(pattern)
    choices = [combinations([card for card in hand if face(card) == each], needed[each]) for each in needed]
    for chosen in product(*choices):
        yield [card for part in chosen for card in part]


def combinations_in(hand, trumps):
    """Yield every combination in a hand, with the number of each card's copy."""
    for meld, (_, rank) in FOURS.items():
        for cards in combinations([card for card in hand if card[0] == rank], len(SUITS)):
            yield meld, list(cards)
    for meld, made in patterns(trumps).items():
        for pattern in made:
            for cards in cards_of_pattern(hand, pattern):
                yield meld, cards


def settlement(score):
    """Return who wins with these scores; a game of a thousand up is not settled by points."""
    best = max(score, key=score.get)
    won = score[best] >= TARGET and score[best] > score[other(best)]
    return {"winner": best if won else None, "points": None}


# ---- The table -------------------------------------------------------------------------------------------------------


class Table:
    """Keeps one game, and changes it by the acts of the players."""

    def __init__(self, position, options):
        self.options = options
        self.phase = position["phase"]
        self.turn = position["turn"]
        self.dealer = position.get("dealer")
        self.leader = position.get("leader")
        self.score = dict(position["score"])
        self.choices = list(position.get("choices", []))
        self.game_won_by = position.get("game_won_by")
        self.trumps = position.get("trumps")
        self.turn_up = position.get("turn_up")
        self.stock = list(position.get("stock", []))
        self.trick = list(position.get("trick", []))
        self.hands = self.of_each(position, "hands")
        self.shown = self.of_each(position, "shown")
        self.won = self.of_each(position, "won")
        self.scored = self.of_each(position, "scored")
        self.kept = self.of_each(position, "kept")
        self.claimed = list(position.get("claimed", []))
        self.scored_since_trick = position.get("combinations_since_trick", 0)
        self.revokes = [error["by"] for error in position.get("errors", [])]
        self.trick_won_by = None

    @staticmethod
    def of_each(position, field):
        """Return a field of the position that holds a list for each player."""
        return {seat: list(position.get(field, {}).get(seat, [])) for seat in "AB"}

    def add(self, seat, points):
        """Score points; the game is 1000 up and ends as soon as that is reached."""
        self.score[seat] += points
        if self.score[seat] >= TARGET:
            self.game_won_by, self.phase = seat, "over"
            raise GameOver

    def require_turn(self, by, *phases):
        """Refuse the act unless the table waits for this player to do such a thing."""
        require(self.phase in phases, "this is not the time for it")
        require(self.turn == by, "it is not this player's turn")

    # -- The deal

    def cut(self, cards):
        """Cut for the deal: the higher card has the preference; the players cut again if both are as high."""
        require(self.phase == "cut", "this is not the time to cut")
        first, second = (RANKS.index(card[0]) for card in cards)
        if first != second:
            self.turn = "A" if first > second else "B"
            self.phase, self.choices = "choose", [DEALS, LEAVES]

    def choose(self, by, choice):
        """Let the player with the higher card deal, or leave the deal to the other one."""
        self.require_turn(by, "choose")
        require(choice in self.choices, "that is not one of the choices")
        self.dealer = by if choice == DEALS else other(by)
        self.phase, self.turn, self.choices = "deal", self.dealer, []

    def deal(self, by, deck):
        """Deal eight cards to each player, by three, two and three, and turn up the seventeenth for trumps."""
        self.require_turn(by, "deal")
        self.stock = list(deck)
        for field in ("hands", "shown", "won", "scored", "kept"):
            setattr(self, field, {"A": [], "B": []})
        for packet in PACKETS:
            for seat in (other(by), by):
                self.hands[seat] += self.stock[:packet]
                del self.stock[:packet]
        self.turn_up = self.stock.pop(0)
        self.trumps = self.turn_up[1]
        self.trick, self.claimed, self.revokes, self.scored_since_trick = [], [], [], 0
        self.phase, self.turn, self.leader = "play", other(by), other(by)
        if self.turn_up[0] == "7":
            self.claimed.append(self.turn_up)
            self.add(by, SEVEN)

    # -- The tricks

    def drawing(self):
        """Whether cards are left to draw."""
        return bool(self.stock or self.turn_up)

    def playable(self, seat):
        """Return the cards that may be played: in the last eight tricks the second player follows suit."""
        if self.phase != "play" or self.turn != seat:
            return []
        if self.trick and not self.drawing():
            return following(self.hands[seat], self.trick[0])
        return list(self.hands[seat])

    def ranks(self, drawing):
        """Return the ranks from the lowest to the highest; under the option the ten is lower once nobody draws."""
        return WHIST_RANKS if TEN_AT_WHIST_RANK in self.options and not drawing else RANKS

    def play(self, by, card, irregular=None):
        """Lead a card, or play one to the trick."""
        self.require_turn(by, "play")
        require(card in self.hands[by], "the card is not held")
        revokes = card not in self.playable(by)
        require(revokes == (irregular == REVOKE), "the player must follow suit")
        self.revokes += [by] if revokes else []
        self.hands[by].remove(card)
        self.trick.append(card)
        if card in self.shown[by]:
            self.shown[by].remove(card)
        self.kept[by] = [kept for kept in self.kept[by] if card not in kept["cards"]]
        if len(self.trick) == 1:
            self.turn = other(by)
        else:
            self.end_trick()

    def end_trick(self):
        """Give the trick to its winner, who scores the brisques in it, and ten for the last one of the deal."""
        winner = trick_winner(self.leader, *self.trick, self.trumps, self.ranks(self.drawing()))
        cards, self.trick = self.trick, []
        self.won[winner] += cards
        self.leader = self.turn = self.trick_won_by = winner
        self.scored_since_trick = 0
        self.phase = "declare" if self.drawing() else "play"
        if BRISQUES_AT_END not in self.options:
            self.add(winner, brisque_points(cards))
        if not self.hands[winner]:
            self.add(winner, LAST_TRICK)
            self.end_deal()

    def end_deal(self):
        """Pass the deal; under the option the players first count their brisques, the winner of the last trick first.

        The book does not say who counts first. It matters when both players can reach the target.
        """
        if BRISQUES_AT_END in self.options:
            for seat in (self.leader, other(self.leader)):
                self.add(seat, brisque_points(self.won[seat]))
        self.dealer = self.turn = other(self.dealer)
        self.phase = "deal"

    def draw(self, by):
        """Draw a card: the winner of the trick first; the turn-up is the last card of the stock."""
        require(self.phase in ("declare", "draw") and self.turn == by, "it is not this player's turn to draw")
        if self.stock:
            self.hands[by].append(self.stock.pop(0))
        else:
            self.hands[by].append(self.turn_up)
            self.turn_up = None
        self.turn = other(by)
        self.phase = "draw" if self.phase == "declare" else "play"

    def claim(self, by, irregularity):
        """Point out a revoke, the other player's before the own; nothing follows from it."""
        require(irregularity == REVOKE and self.revokes, "there is no such irregularity")
        require(self.phase in ("play", "deal"), "the game is over")
        self.revokes.remove(other(by) if other(by) in self.revokes else by)

    # -- Declarations

    def is_open(self, seat, meld, cards):
        """Whether no card has been scored before in a combination of the same kind, or of a superior order of it."""
        spent = {card for done in self.scored[seat] if done["meld"] in BARRED_BY[meld] for card in done["cards"]}
        return not spent.intersection(cards)

    def open_combinations(self, seat):
        """Return every combination in a hand that is still open, if the player has won the trick."""
        if self.phase != "declare" or self.turn != seat:
            return []
        found = combinations_in(self.hands[seat], self.trumps)
        return [{"meld": meld, "cards": cards} for meld, cards in found if self.is_open(seat, meld, cards)]

    def declarable(self, seat):
        """Return what may be scored now: one combination each time the player wins a trick."""
        return [] if self.scored_since_trick else self.open_combinations(seat)

    def holdable(self, seat):
        """Return what may be kept to score: a combination beside the one that has been scored."""
        if not self.scored_since_trick:
            return []
        kept = [(each["meld"], set(each["cards"])) for each in self.kept[seat]]
        return [each for each in self.open_combinations(seat) if (each["meld"], set(each["cards"])) not in kept]

    def require_combination(self, by, meld, cards):
        """Refuse a combination that is none, or that the player may not declare with these cards."""
        self.require_turn(by, "declare")
        require(set(cards) <= set(self.hands[by]), "a card is not held")
        require(meld in WORTH and worth(meld, cards, self.trumps), "that is no such combination")
        require(self.is_open(by, meld, cards), "a card has been scored so before")

    def lay(self, by, cards):
        """Leave cards on the table; they are still part of the hand."""
        self.shown[by] += [card for card in cards if card not in self.shown[by]]

    def declare(self, by, meld, cards):
        """Score one combination and leave its cards on the table."""
        self.require_combination(by, meld, cards)
        require(not self.scored_since_trick, "only one combination is scored for a trick")
        self.scored_since_trick += 1
        self.scored[by].append({"meld": meld, "cards": list(cards)})
        self.lay(by, cards)
        self.kept[by] = [kept for kept in self.kept[by] if self.is_open(by, kept["meld"], kept["cards"])]
        self.add(by, WORTH[meld])

    def hold(self, by, meld, cards):
        """Declare another combination, "to score" when the player wins a trick again; or repeat one that waits."""
        self.require_combination(by, meld, cards)
        if any(kept["meld"] == meld and set(kept["cards"]) == set(cards) for kept in self.kept[by]):
            return
        require(self.scored_since_trick, "the player must first elect which combination to score")
        self.lay(by, cards)
        self.kept[by].append({"meld": meld, "cards": list(cards)})

    # -- The seven of trumps

    def sevens(self, seat):
        """Return the sevens of trumps that may be exchanged or shown now."""
        if self.phase != "declare" or self.turn != seat:
            return []
        return [card for card in self.hands[seat] if face(card) == f"7{self.trumps}" and card not in self.claimed]

    def may_exchange(self):
        """Whether the turn-up may be had: only the first seven of trumps is exchanged for it."""
        return self.turn_up is not None and not self.claimed

    def exchange(self, by, card):
        """Exchange the seven of trumps for the turn-up, and score for it."""
        require(card in self.sevens(by), "that seven is not to be exchanged now")
        require(self.may_exchange(), "the second seven of trumps is not exchanged")
        self.claimed.append(card)
        self.hands[by].remove(card)
        self.hands[by].append(self.turn_up)
        self.turn_up = card
        self.add(by, SEVEN)

    def show(self, by, card):
        """Declare the seven of trumps without an exchange."""
        require(card in self.sevens(by), "that seven is not to be shown now")
        self.claimed.append(card)
        self.lay(by, [card])
        self.add(by, SEVEN)

    # -- Observations

    def acts_after_a_trick(self):
        """Return how many acts are open to the winner of a trick before drawing, the draw included."""
        declared = {(each["meld"], faces(each["cards"])) for each in self.declarable(self.turn)}
        held = {(each["meld"], faces(each["cards"])) for each in self.holdable(self.turn)}
        sevens = bool(self.sevens(self.turn)) * (1 + self.may_exchange())
        return len(declared) + len(held) + sevens + 1

    def legal_acts(self):
        """Return how many acts are open to the player whose turn it is; acts that differ only in a copy count once."""
        match self.phase:
            case "choose":
                return len(self.choices)
            case "play":
                return len(set(map(face, self.playable(self.turn))))
            case "declare":
                return self.acts_after_a_trick()
            case "draw":
                return 1
        return None

    def visible(self, seat):
        """Return the cards that a player may look at: the own hand, and those that lie open on the table."""
        cards = self.hands[seat] + self.shown[other(seat)] + self.trick
        return cards + ([self.turn_up] if self.turn_up else [])

    def cards(self):
        """Return where every card lies; None before the first deal."""
        fields = ("hands", "stock", "turn_up", "trick", "won")
        return {field: getattr(self, field) for field in fields} if self.trumps else None


#: The observables that are no fields of the table.
SIGHTS = {
    "stock_left": lambda table: len(table.stock),
    "legal_acts": Table.legal_acts,
    "position": Table.cards,
    "settled": lambda table: {"winner": table.game_won_by, "points": None} if table.game_won_by else None,
    "seen": lambda _: {"A": [], "B": []},
    "deals_left": lambda table: 0 if table.phase == "over" else 1,
}


# ---- The protocol ----------------------------------------------------------------------------------------------------

ACTS = {"cut", "choose", "deal", "play", "draw", "declare", "hold", "exchange", "show", "claim"}


def attempt(table, step):
    """Take an act, or refuse it; a refused act has changed nothing."""
    table.trick_won_by = None
    arguments = {name: value for name, value in step.items() if name != "do"}
    try:
        require(step["do"] in ACTS, "the book does not provide for that")
        getattr(table, step["do"])(**arguments)
    except Refused as refused:
        return {"accepted": False, "reason": str(refused)}
    except GameOver:
        pass
    return {"accepted": True}


def look(table, names):
    """Return what is observed at the table now."""
    return deepcopy({name: SIGHTS[name](table) if name in SIGHTS else getattr(table, name) for name in names})


def trumps_of(table, step):
    """Return the trumps that a question names, or those of the table."""
    return step.get("trumps", table.trumps)


def is_drawn_after(table, step):
    """Whether a question is about a trick after which cards are drawn."""
    return step.get("drawing", table.drawing())


def ask_playable(table, step):
    if "hand" not in step:
        return table.playable(step["by"])
    led = step.get("led")
    return following(step["hand"], led[0]) if led and not is_drawn_after(table, step) else step["hand"]


def ask_winner(table, step):
    return trick_winner(step["by"], *step["cards"], trumps_of(table, step), table.ranks(is_drawn_after(table, step)))


def ask_settlement(_, step):
    brisques = step.get("brisques", {})
    return settlement({seat: points + brisques.get(seat, 0) for seat, points in step["score"].items()})


QUESTIONS = {
    "winner": ask_winner,
    "playable": ask_playable,
    "worth": lambda table, step: ask_worth(step, trumps_of(table, step)),
    "declarable": lambda table, step: table.declarable(step["by"]),
    "exchangeable": lambda table, step: table.sevens(step["by"]),
    "counted": lambda _, step: brisque_points(step["cards"]),
    "visible": lambda table, step: table.visible(step["by"]),
    "settlement": ask_settlement,
    "ruling": lambda _, step: NO_PENALTY if step["irregularity"] == REVOKE else None,
}


def observe(run):
    """Yield one observation for each step of a run."""
    table = Table(run["position"], run["options"])
    for step in run["steps"]:
        if "ask" in step:
            yield {"answer": QUESTIONS[step["ask"]](table, step)}
        else:
            yield attempt(table, step) | look(table, run["observe"])


def answer(message):
    """Return the response to one message of the protocol."""
    if message["type"] == "hello":
        return {
            "type": "ready",
            "protocol": 1,
            "name": "example: Bézique after Hoyle",
            "version": "1.0",
            "language": "Python",
            "rulesets": [RULESET, f"{RULESET}+{BRISQUES_AT_END}", f"{RULESET}+{TEN_AT_WHIST_RANK}"],
            "claims": [
                *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations", "seven", "counting"),
                *("score", "game", "settling", "table", "census", "report", "irregularities"),
                "worth-of-cards",
            ],
            "position": "any",
        }
    if message["ruleset"] != RULESET:
        return {"type": "unsupported", "seq": message["seq"], "reason": "another game"}
    return {"type": "observed", "seq": message["seq"], "steps": list(observe(message))}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        print(json.dumps(answer(message)), flush=True)


if __name__ == "__main__":
    main()
