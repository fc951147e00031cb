"""The least an adapter can do: it accepts every act, and gives each question the least answer of its kind, so that only
the protocol is measured."""

import json
import sys
from typing import Any

READY = {
    "type": "ready",
    "protocol": 1,
    "name": "trivial",
    "version": "1",
    "language": "Python",
    "rulesets": ["bezique-hoyle", "bezique-hoyle+brisques-at-end", "bezique-hoyle+ten-at-whist-rank"],
    "position": "any",
    "claims": [
        *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations"),
        *("seven", "counting", "score", "game", "table"),
    ],
}

LEAST: dict[str, Any] = {
    "winner": "A",
    "class-winner": None,
    "playable": [],
    "declarable": [],
    "exchangeable": [],
    "visible": [],
    "worth": 0,
    "counted": 0,
    "reckoning": {"A": 0, "B": 0},
    "trick-points": {"A": 0, "B": 0},
    "settlement": {"winner": None, "points": None},
    "partie": None,
    "ruling": None,
}

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "run":
        steps = [{"accepted": True} if "do" in step else {"answer": LEAST[step["ask"]]} for step in message["steps"]]
        answer = {"type": "observed", "seq": message["seq"], "steps": steps}
    elif message["type"] == "hello":
        answer = READY
    else:
        break
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()
