"""An example adapter in Python: a little engine that knows who wins a trick and which cards may be played.

It is independent of the reference interpreter and claims only those two capabilities, so the harness asks it nothing
else. Try it with::

    hoyle check python conformance/adapters/python/tricks.py
"""

import json
import sys

SEATS = "AB"
#: Highest first; the ten has its place at Bézique.
RANKS = "ATKQJ987"
#: Where a player must also win the last eight tricks if able, by trumping if need be; Hoyle asks to follow suit only.
STRICT = {"bezique-britannica", "bezique-bicycle", "bezique-h2g2"}
#: The option of a source that gives the ten its rank at Whist in the last eight tricks.
WHIST_RANKS = "AKQJT987"


def beats(card, other, trumps, ranks):
    """Whether a card takes a trick in which `other` is winning so far. The first of two identical cards wins."""
    if card[1] == other[1]:
        return ranks.index(card[0]) < ranks.index(other[0])
    return card[1] == trumps


def winner(cards, trumps, ranks):
    """Return the index of the card that wins, in the order played."""
    best = 0
    for index, card in enumerate(cards):
        if index and beats(card, cards[best], trumps, ranks):
            best = index
    return best


def playable(hand, trick, drawing, trumps, strict):
    """Return the cards that may be played: any at first, then the suit led if held, and what wins if that is a duty."""
    if drawing or not trick:
        return hand
    following = [card for card in hand if card[1] == trick[0][1]]
    if not strict:
        return following or hand
    winning = [card for card in following or hand if beats(card, trick[0], trumps, RANKS)]
    return winning or following or hand


def observe(run):
    """Yield one observation for each step of a run."""
    position, strict = run["position"], run["ruleset"] in STRICT
    for step in run["steps"]:
        # What a question does not tell is as it is in the position.
        trumps = step.get("trumps", position.get("trumps"))
        drawing = step.get("drawing", bool(position.get("stock")) or position.get("turn_up") is not None)
        if step.get("ask") == "winner":
            ranks = WHIST_RANKS if not drawing and "ten-at-whist-rank" in run["options"] else RANKS
            index = SEATS.index(step["by"]) + winner(step["cards"], trumps, ranks)
            yield {"answer": SEATS[index % len(SEATS)]}
        elif step.get("ask") == "playable" and "hand" in step:
            yield {"answer": playable(step["hand"], step["led"], drawing, trumps, strict)}
        elif step.get("ask") == "playable":
            yield {"answer": playable(position["hands"][step["by"]], position["trick"], drawing, trumps, strict)}
        else:
            yield {"unsupported": "this engine answers questions about tricks only"}


def answer(message):
    """Return the response to one message of the protocol."""
    if message["type"] == "hello":
        return {
            "type": "ready",
            "protocol": 1,
            "name": "example: tricks",
            "version": "1.0",
            "language": "Python",
            "rulesets": ["bezique-hoyle", "bezique-hoyle+ten-at-whist-rank", *sorted(STRICT)],
            "claims": ["tricks", "legal-plays"],
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
