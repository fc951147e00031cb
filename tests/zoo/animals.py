"""A zoo of wrong engines, each named for its fault, to test the harness with.

Run as an adapter: ``python tests/zoo/animals.py NAME``. Most are the reference interpreter with one thing spoilt; what
they do wrong is said by the modules that they come from.
"""

import json
import sys

import wrong_in_whole_games  # noqa: F401
import wrong_mixtures  # noqa: F401
import wrong_processes  # noqa: F401
import wrong_protocol  # noqa: F401
import wrong_referees  # noqa: F401
import wrong_reports  # noqa: F401
import wrong_rules  # noqa: F401
from spoiling import ZOO

import kinds  # noqa: F401 -- each of these brings its animals into the zoo


def main() -> None:
    respond = ZOO[sys.argv[1]]()
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        answer = respond(message)
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
