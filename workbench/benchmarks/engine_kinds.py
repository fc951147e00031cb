"""The number of checks that each kind of engine is sent: run as ``python workbench/benchmarks/engine_kinds.py``.

*Whole* counts those of which nothing has to be left out or done in another way: what an engine was sent when it had to
claim whole capabilities, be set up in any position and refuse whatever must be refused.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "faulty_adapters"))

import kinds
from faults import ADAPTERS

from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import Adapted, Claims
from hoyle_conformance.checks.rewrites import adapt
from hoyle_conformance.protocol.messages import AdapterInfo, Wire
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

_USUAL: Mapping[str, str] = {"score": "at-once", "draws": "one-by-one", "declarations": "one-by-one"}


def asked_whole(suite: Suite, ready: AdapterInfo, check: Check) -> bool:
    """Whether an engine that has to do everything as it is written is sent a check."""
    sets = suite.capabilities.sets.values()
    whole = {word for words in sets if words <= ready.claims for word in words} | ({"score"} & ready.claims)
    plan = planner_of(suite).request(check)
    questions = all("ask" in step for step in plan.message["steps"])
    usual = ready.declares == "as-asked" and all(getattr(ready, way) == usual for way, usual in _USUAL.items())
    return usual and plan.needs <= whole and (questions or ready.position == "any")


def counted(suite: Suite, name: str) -> tuple[str, int, int, int]:
    """Return the name of an engine, and how many checks it is sent whole, now, and of these in part."""
    hello: Any = ADAPTERS[name]()({"type": "hello", "protocol": 1, "suite": ""})
    ready = Wire(suite.schemas).ready(hello)
    checks = [check for check in suite.index.checks.values() if check.ruleset in ready.rulesets]
    puts = [each for each in (adapt(Claims(suite, ready), check) for check in checks) if isinstance(each, Adapted)]
    return (
        ready.name,
        sum(asked_whole(suite, ready, each) for each in checks),
        len(puts),
        sum(bool(each.partly) for each in puts),
    )


def main() -> None:
    """Print the table."""
    suite = load_suite()
    print(f"{'kind of engine':<32}{'whole':>8}{'asked':>8}{'in part':>9}")
    for name in kinds.kinds():
        title, *figures = counted(suite, name)
        print(f"{title:<32}{figures[0]:>8}{figures[1]:>8}{figures[2]:>9}")


if __name__ == "__main__":
    main()
