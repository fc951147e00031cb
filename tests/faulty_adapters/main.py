"""Faulty adapters, each named for its fault, to test the harness with.

Run as an adapter: ``python tests/faulty_adapters/main.py NAME``. Most are the reference interpreter with one thing
changed; the modules beside this one say what each does wrong. ``--cell PATH=VALUE`` is the reference with one rule of
every table changed.
"""

import json
import sys

import kinds  # noqa: F401 -- each of these adds its adapters
import slips_through  # noqa: F401
import wrong_engines  # noqa: F401
import wrong_in_whole_games  # noqa: F401
import wrong_mixtures  # noqa: F401
import wrong_processes  # noqa: F401
import wrong_protocol  # noqa: F401
import wrong_referees  # noqa: F401
import wrong_reports  # noqa: F401
import wrong_rules  # noqa: F401
from faults import ADAPTERS, Respond, with_cell


def _chosen(name: str, change: str = "") -> Respond:
    if name != "--cell":
        return ADAPTERS[name]()
    path, _, value = change.partition("=")
    return with_cell(path, int(value) if value.isdigit() else value)


def main() -> None:
    respond = _chosen(*sys.argv[1:])
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "bye":
            break
        answer = respond(message)
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
