"""Hoyle compared with Hoyle before the compiled suite was cached: both in one run, each in its own process.

The suite has grown since, so the time of the whole suite is given for each check, and for each of its acts and
questions. Both send the messages that the suite consisted of then.
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from commands import HOYLE, TRIVIAL, as_installed, process, processor
from history import BEFORE, imports_of, paths, unpack
from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.protocol.adapters import Command
from hoyle_conformance.protocol.messages import EncodedMessage, Wire, encode
from hoyle_conformance.suite.suite import Suite
from measuring import ratio, seconds

TRIES = 4
#: What is asked of it, in its own words: its messages, and how long it takes to have all of them answered.
EXCHANGE = """
import json, sys, time
from hoyle_conformance.protocol.implementations import Command
from hoyle_conformance.protocol.messages import Wire
from hoyle_conformance.suite.load import load_suite
from hoyle_conformance.suite.plan import plan

suite = load_suite()
bodies = [plan(check, suite.rules(check.ruleset), suite.capabilities).body for check in suite.checks.values()]
adapter = Command(Wire(suite.schemas, suite.version), [sys.executable, "benchmarks/trivial.py"], 100)
adapter.introduce()
began = time.perf_counter()
for number, body in enumerate(bodies, start=1):
    adapter.run(number, body)
took = time.perf_counter() - began
adapter.close()
print(json.dumps({"bodies": [dict(body) for body in bodies], "seconds": took}))
"""


def main() -> None:
    """Print how it compares with before."""
    print()
    with TemporaryDirectory() as name, as_installed():
        folder = Path(name)
        if not unpack(BEFORE, folder):
            print(f"To compare with how it was before: in a clone that has {BEFORE[:8]} in its history")
            return
        suite = open_suite()
        exchanged = [(_before(folder), _now(suite, folder)) for _ in range(TRIES)]
        then, now = map(min, zip(*exchanged, strict=True))
        bodies = _bodies(folder)
        told = f"scenarios of before through the protocol ({len(bodies) / now:,.0f} /s)"
        print(ratio(told, then / now, f"as it was ({len(bodies) / then:,.0f} /s)", 1.5, least=True))
        _whole_suites(suite, folder, bodies)


def _before(folder: Path) -> float:
    """Return the time in which all messages were answered, in seconds; the messages are left in the folder."""
    told = subprocess.run(
        [sys.executable, "-c", EXCHANGE], env=imports_of(*paths(folder)), cwd=folder, stdout=subprocess.PIPE, check=True
    )
    (folder / "told.json").write_bytes(told.stdout)
    return float(json.loads(told.stdout)["seconds"])


def _bodies(folder: Path) -> list[dict[str, Any]]:
    bodies: list[dict[str, Any]] = json.loads((folder / "told.json").read_bytes())["bodies"]
    return bodies


def _now(suite: Suite, folder: Path) -> float:
    """Return the same time of the present project; the JSON of the messages is cached."""
    kept = [EncodedMessage(body, encode(body)[:-1]) for body in _bodies(folder)]
    adapter = Command(
        Wire(suite.schemas, suite.version),
        [sys.executable, str(TRIVIAL)],
        100,
    )
    adapter.introduce()

    def all_of_them() -> None:
        for number, body in enumerate(kept, start=1):
            adapter.run(number, body)

    try:
        return seconds(all_of_them)
    finally:
        adapter.close()


def _whole_suites(suite: Suite, folder: Path, bodies: list[dict[str, Any]]) -> None:
    processor("check")  # compiles bytecode and suite
    in_turn = [
        (processor("check", env=imports_of(*paths(folder)), cwd=folder), processor("check")) for _ in range(TRIES)
    ]
    then, now = map(min, zip(*in_turn, strict=True))
    messages = [planner_of(suite).request(check).message for check in suite.index.checks.values()]
    for what, many_then, many_now in (
        ("check", len(bodies), len(messages)),
        ("act or question", *(sum(len(each["steps"]) for each in some) for some in (bodies, messages))),
    ):
        one_then, one_now = then / many_then, now / many_now
        told = f"hoyle check, processor, for each {what} ({1e6 * one_now:,.0f} µs)"
        print(ratio(told, one_now / one_then, f"as it was ({1e6 * one_then:,.0f} µs)", 0.4))
    _with_an_adapter(folder, len(bodies), len(messages))


def _with_an_adapter(folder: Path, many_then: int, many_now: int) -> None:
    """Print the time of the whole suite through the protocol, answered by the reference, with all else that the command
    does."""
    words_then, words = ["check", "--", *HOYLE, "serve"], ["check", *HOYLE, "suite", "serve"]
    env = imports_of(*paths(folder))
    in_turn = [(process(*words_then, env=env, cwd=folder), process(*words)) for _ in range(TRIES)]
    then, now = map(min, zip(*in_turn, strict=True))
    told = f"hoyle check hoyle suite serve, checks ({many_now / now:,.0f} /s)"
    print(
        ratio(told, (many_now / now) / (many_then / then), f"as it was ({many_then / then:,.0f} /s)", 1.5, least=True)
    )


if __name__ == "__main__":
    main()
