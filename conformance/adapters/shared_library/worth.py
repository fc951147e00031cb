"""An example adapter for an engine that is a shared library: it calls a function of the library through ctypes.

The engine, `worth.c`, knows what a combination scores at Bézique. Build the library, and name it to the adapter::

    cc -std=c11 -shared -fPIC -o libworth.so conformance/adapters/shared_library/worth.c
    hoyle check python conformance/adapters/shared_library/worth.py ./libworth.so
"""

import ctypes
import json
import sys

READY = {
    "type": "ready",
    "protocol": 1,
    "name": "example: worth from a shared library",
    "version": "1.0",
    "language": "C",
    "rulesets": ["bezique-hoyle", "bezique-bicycle"],
    "claims": ["worth"],
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


def observe(library, run):
    """Yield one observation for each step of a run."""
    for step in run["steps"]:
        if step.get("ask") == "worth":
            trumps = step.get("trumps", run["position"].get("trumps"))
            yield {"answer": worth(library, step["meld"], step["cards"], trumps)}
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
