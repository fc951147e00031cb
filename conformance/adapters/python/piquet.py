"""An example adapter in Python: a little engine that reckons Piquet hands, tricks and settlements.

The engine has no table: it gets two hands, the tricks of a deal or a final score, and returns what they come to. It is
independent of the reference interpreter, and does not claim to be set up in a position, so the harness sends it
questions and no acts.

Try it with::

    hoyle check -r piquet-rubicon-parlett python conformance/adapters/python/piquet.py
"""

import json
import sys
from itertools import product
from typing import NamedTuple

#: Lowest first: the place of a rank here is its strength, in a trick and in every class of combinations.
RANKS = "789TJQKA"
#: What a card is worth in a point: the courts as much as the ten, the ace one more.
PIPS = dict(zip(RANKS, [7, 8, 9, 10, 10, 10, 10, 11], strict=True))
#: How many cards each player has, and so how many tricks there are.
HAND = 12
#: By the number of cards: what a sequence or a set is called, and what it scores.
SEQUENCES = {
    3: ("tierce", 3),
    4: ("quart", 4),
    5: ("quint", 15),
    6: ("sixieme", 16),
    7: ("septieme", 17),
    8: ("huitieme", 18),
}
SETS = {3: ("trio", 3), 4: ("quatorze", 14)}
BLANK = 10
#: How many points of combinations make a repique, and what it adds.
REPIQUE_AT, REPIQUE = 30, 60
CARDS, CAPOT = 10, 40
#: The least with which a loser is across, and what every settlement is raised by.
RUBICON, BONUS = 100, 100

SAUNT, RUBICON_PIQUET = "piquet-saunt-parlett", "piquet-rubicon-parlett"
#: Games that are won or not, and settled for nothing.
TO_A_TARGET = [SAUNT, "piquet-hoyle"]
#: The options: what a carte rouge brings; combinations of a void suit; another way to count the tricks.
CARTE_ROUGE = {"carte-rouge-ten": 10, "carte-rouge-forty": 40, "carte-rouge-fifty": 50}
NOUGHT = "nought"
TEN_FOR_THE_LAST = "ten-for-the-last"
OPTIONS = [*CARTE_ROUGE, NOUGHT, TEN_FOR_THE_LAST]
#: What is played, by either book.
PARLETTS = [name for game in (SAUNT, RUBICON_PIQUET) for name in (game, *(f"{game}+{option}" for option in OPTIONS))]
HOYLES = ["piquet-hoyle", "piquet-hoyle+hundred-and-one", "piquet-rubicon-hoyle"]


class Combination(NamedTuple):
    """A combination. Of two in one class, the one of greater strength is better; of the same strength, they are
    equal."""

    name: str
    strength: tuple
    score: int
    cards: list


#: What a void suit stands for. As a sequence it is below the quint from the ace and above all others of five.
NOUGHTS = {
    "point": [Combination("point-of-nought", (5, 50), 5, [])],
    "sequence": [Combination("sequence-of-nought", (5, RANKS.index("A") - 0.5), 10, [])],
}


def place(card):
    return RANKS.index(card[0])


def other(seat):
    return "B" if seat == "A" else "A"


# ---- What a hand holds -----------------------------------------------------------------------------------------------


def suits(hand):
    """Return the cards of each of the four suits, lowest first."""
    return [sorted((card for card in hand if card[1] == suit), key=place) for suit in "CDHS"]


def points(hand):
    """Return the points: every suit held is one, the better, the more cards it has, and then the more pips."""
    held = [suit for suit in suits(hand) if suit]
    return [Combination("point", (len(suit), sum(PIPS[card[0]] for card in suit)), len(suit), suit) for suit in held]


def sequences(hand):
    """Return the runs of each suit at full length: a quart holds no tierce."""
    runs = []
    for suit in suits(hand):
        for index, card in enumerate(suit):
            if index and place(card) == place(suit[index - 1]) + 1:
                runs[-1].append(card)
            else:
                runs.append([card])
    return [combination(SEQUENCES, run) for run in runs if len(run) in SEQUENCES]


def sets(hand):
    """Return the threes and fours of a rank, from the tens up: a quatorze holds no trio."""
    ranks = [[card for card in hand if card[0] == rank] for rank in "TJQKA"]
    return [combination(SETS, cards) for cards in ranks if len(cards) in SETS]


def combination(table, cards):
    """Return a sequence or a set; the one of more cards is better, and then that of the higher rank."""
    name, score = table[len(cards)]
    return Combination(name, (len(cards), place(cards[-1])), score, cards)


#: The classes, in the order in which they are called and count.
CLASSES = {"point": points, "sequence": sequences, "set": sets}


def holdings(name, hand, options):
    """Return the combinations of a class in a hand; under an option, each of its void suits is one too."""
    voids = suits(hand).count([]) if NOUGHT in options else 0
    return CLASSES[name](hand) + NOUGHTS.get(name, []) * voids


def worth(meld, cards):
    """Return what these cards score by this name, all of them together. (No cards are worth a void suit: it has
    none.)"""
    found = (each for find in CLASSES.values() for each in find(cards))
    return next((each.score for each in found if each.name == meld and len(each.cards) == len(cards)), 0)


# ---- What two hands bring before the play ----------------------------------------------------------------------------


def class_winner(held):
    """Return the player with the best combination; None if the best are equal, or there are none."""
    best = {seat: max((each.strength for each in combinations), default=()) for seat, combinations in held.items()}
    return None if best["A"] == best["B"] else max(best, key=best.get)


def call_winner(calls):
    """Return the player with the better call; None if both are equal, or there are none."""
    best = {seat: (call["count"], height(call)) for seat, call in calls.items()}
    return None if best["A"] == best["B"] else max(best, key=best.get)


def height(call):
    """Return how high a call is; a void suit comes between a run from the king and one from the ace."""
    top = call.get("top", call.get("rank"))
    return call.get("value", 0) if top is None else RANKS.index("A") - 0.5 if top == "nought" else RANKS.index(top)


def choices(name, held):
    """Return what the winner of a class may score: all there is, but only one point, which may be any of the best."""
    if name != "point":
        return [held]
    best = max(each.strength for each in held)
    return [[each] for each in held if each.strength == best]


def is_carte_rouge(hand, scored):
    """Whether the player can choose what to score so that no card of the hand is left out."""
    chosen = ([each for held in choice for each in held] for choice in product(*scored))
    return any({card for each in combinations for card in each.cards}.issuperset(hand) for combinations in chosen)


def reckoning(hands, blanks, options):
    """Return the points of each player, if both call all they hold: they count class by class, whoever marks them
    when."""
    made = {seat: BLANK if seat in blanks else 0 for seat in hands}
    scored = {seat: [] for seat in hands}
    for name in CLASSES:
        held = {seat: holdings(name, hand, options) for seat, hand in hands.items()}
        winner = class_winner(held)
        if winner is None:
            continue
        before, ways = made[winner], choices(name, held[winner])
        scored[winner].append(ways)
        made[winner] += sum(each.score for each in ways[0])  # all of them come to the same
        # Only what counts earlier bars the repique: what the adversary has in later classes comes too late.
        if before < REPIQUE_AT <= made[winner] and not made[other(winner)]:
            made[winner] += REPIQUE
    # The carte rouge has no place in the order of the classes: it comes on top, and neither makes nor bars a repique.
    for seat, hand in hands.items():
        if is_carte_rouge(hand, scored[seat]):
            made[seat] += sum(CARTE_ROUGE.get(option, 0) for option in options)
    return made


# ---- Tricks and settlement -------------------------------------------------------------------------------------------


def trick_winner(leader, led, answered):
    """Return the winner of a trick. There are no trumps: the second card wins only if it is higher in the suit led."""
    return other(leader) if answered[1] == led[1] and place(answered) > place(led) else leader


def trick_points(leader, cards, options):
    """Return what tricks bring each player, with what is scored at the end of a deal if these are all its tricks."""
    flat = TEN_FOR_THE_LAST in options
    made, won = {"A": 0, "B": 0}, {"A": 0, "B": 0}
    for led, answered in zip(cards[::2], cards[1::2], strict=True):
        winner = trick_winner(leader, led, answered)
        won[winner] += 1
        made[winner if flat else leader] += 1
        if winner != leader and not flat:
            made[winner] += 1
        leader = winner
    if len(cards) < 2 * HAND:
        return made
    made[leader] += 10 if flat else 1  # whoever would lead next has won the last trick
    most = max(won, key=won.get)
    if not won[other(most)]:
        made[most] += CAPOT
    elif won[most] > won[other(most)] and not flat:
        made[most] += CARDS
    return made


def settlement(score, ruleset):
    """Return who has won with these totals, and for how much; a game to a target is won or not, and settled for
    nothing."""
    loser, winner = sorted(score, key=score.get)
    high, low = score[winner], score[loser]
    points_won = 0 if high == low else BONUS + high + (-low if low >= RUBICON else low)
    return {"winner": None if high == low else winner, "points": None if ruleset in TO_A_TARGET else points_won}


# ---- The protocol ----------------------------------------------------------------------------------------------------


def observe(run):
    """Yield one observation for each step of a run."""
    options = run["options"]
    for step in run["steps"]:
        match step.get("ask"):
            case "winner":
                yield {"answer": trick_winner(step["by"], *step["cards"])}
            case "worth":
                yield {"answer": worth(step["meld"], step["cards"])}
            case "class-winner" if "calls" in step:
                yield {"answer": call_winner(step["calls"])}
            case "class-winner":
                held = {seat: holdings(step["class"], hand, options) for seat, hand in step["hands"].items()}
                yield {"answer": class_winner(held)}
            case "reckoning":
                yield {"answer": reckoning(step["hands"], step.get("blanks", []), options)}
            case "trick-points":
                yield {"answer": trick_points(step["by"], step["cards"], options)}
            case "settlement":
                yield {"answer": settlement(step["score"], run["ruleset"])}
            case _:
                yield {"unsupported": "this engine answers questions about hands, tricks and settlements only"}


def answer(message):
    """Return the response to one message of the protocol."""
    if message["type"] == "hello":
        return {
            "type": "ready",
            "protocol": 1,
            "name": "example: piquet",
            "version": "1.0",
            "language": "Python",
            "rulesets": [*PARLETTS, *HOYLES],
            "claims": ["tricks", "melds", "piquet-declarations", "class-winner-by-calls", "settling"],
        }
    return {"type": "observed", "seq": message["seq"], "steps": list(observe(message))}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        print(json.dumps(answer(message)), flush=True)


if __name__ == "__main__":
    main()
