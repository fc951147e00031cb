"""An adapter between Hoyle and your engine. So far it answers one question: who wins a trick.

Try it:

    hoyle doctor python my_adapter.py
    hoyle check python my_adapter.py
"""

import json
import sys

READY = {
    "type": "ready",
    "protocol": 1,
    "name": "my engine",
    "version": "1",
    "language": "Python",
    "rulesets": ["bezique-hoyle"],  # the rulesets that you play: 'hoyle suite list rulesets'
    "claims": ["winner"],  # what you can answer: 'hoyle suite list claims'. Next: "playable", "worth"
}


def winner(cards, trumps):
    """Return the card that wins the trick, counted from 0 in the order of play; a card is "TH", or "TH#2".

    ENGINE: call your engine here. So far the first card always wins.
    """
    return 0


def observe(step, position):
    """Return the observation of one step. A question may have values that otherwise come from the position."""
    if step.get("ask") == "winner":
        place = winner(step["cards"], step.get("trumps", position.get("trumps")))
        return {"answer": "AB"[("AB".index(step["by"]) + place) % 2]}
    return {"unsupported": "not written yet"}


def answer(message):
    """Return the answer to one message."""
    if message["type"] == "hello":
        return READY
    steps = [observe(step, message["position"]) for step in message["steps"]]
    return {"type": "observed", "seq": message["seq"], "steps": steps}


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        print(json.dumps(answer(message)), flush=True)


if __name__ == "__main__":
    main()
