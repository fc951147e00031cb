"""An example adapter for an engine that is a shared library: it calls a function of the library through ctypes.

The engine, `worth.c`, knows what a combination scores at Bézique. Build the library, and name it to the adapter::

    cc -std=c11 -shared -fPIC -o libworth.so conformance/adapters/shared_library/worth.c
    hoyle check python conformance/adapters/shared_library/worth.py ./libworth.so
"""

import ctypes
import json
import sys
from itertools import combinations

#: The combinations that the library knows, by their number of cards.
NAMES = {
    2: ("common-marriage", "royal-marriage", "bezique"),
    4: ("double-bezique", "four-aces", "four-kings", "four-queens", "four-knaves"),
    5: ("sequence",),
}
READY = {
    "type": "ready",
    "protocol": 1,
    "name": "example: worth from a shared library",
    "version": "1.0",
    "language": "C",
    "rulesets": ["bezique-hoyle", "bezique-bicycle"],
    "claims": ["worth", "worth-of-cards", "declarable-from-hand"],
}


def load(path):
    """Return the library. It has only the name of its function, so the types must be given here."""
    library = ctypes.CDLL(path)
    cards = ctypes.POINTER(ctypes.c_char_p)
    library.worth.argtypes = [ctypes.c_char_p, cards, ctypes.c_size_t, ctypes.c_char]
    library.worth.restype = ctypes.c_int
    return library


def worth(library, meld, cards, trumps):
    """Return the points of a combination; the number of a copy, as in ``QS#2``, does not matter here."""
    faces = (ctypes.c_char_p * len(cards))(*(card[:2].encode() for card in cards))
    return library.worth(meld.encode(), faces, len(cards), (trumps or "\0").encode())


def names_of(library, cards, trumps):
    """Return every combination that these cards make together."""
    return [name for name in NAMES.get(len(cards), ()) if worth(library, name, cards, trumps)]


def worth_of_cards(library, cards, trumps):
    """Return the combination that these cards make, and its points; None if they make none."""
    scores = {name: worth(library, name, cards, trumps) for name in names_of(library, cards, trumps)}
    best = max(scores, key=scores.get, default=None)
    return best and {"meld": best, "points": scores[best]}


def declarable(library, hand, trumps):
    """Return the combinations in a hand: the library is asked about all cards that could make one."""
    ways = (cards for count in NAMES for cards in combinations(hand, count))
    return [{"meld": name, "cards": cards} for cards in ways for name in names_of(library, cards, trumps)]


def ask(library, step, trumps):
    """Return the answer to a question."""
    if step["ask"] == "declarable":
        return declarable(library, step["hand"], trumps)
    if "meld" in step:
        return worth(library, step["meld"], step["cards"], trumps)
    return worth_of_cards(library, step["cards"], trumps)


def observe(library, run):
    """Yield one observation for each step of a run."""
    for step in run["steps"]:
        if step.get("ask") in ("worth", "declarable"):
            yield {"answer": ask(library, step, step.get("trumps", run["position"].get("trumps")))}
        else:
            yield {"unsupported": "this engine values combinations only"}


def main():
    library = load(sys.argv[1])
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        if message["type"] == "hello":
            answer = READY
        else:
            answer = {"type": "observed", "seq": message["seq"], "steps": list(observe(library, message))}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
