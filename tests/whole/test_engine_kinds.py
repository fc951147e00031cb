"""Kinds of engines that exist: each is asked for all it does, passes, and fails if it does that wrongly."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "faulty_adapters"))

import kinds
from faults import ADAPTERS

from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.protocol.adapters import InProcess
from hoyle_conformance.protocol.messages import AdapterInfo, Wire
from hoyle_conformance.runner.results import Run, Status
from hoyle_conformance.runner.run import run
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

pytestmark = pytest.mark.slow

Spoil = Callable[[dict[str, Any], Mapping[str, Any]], None]

KINDS = list(kinds.kinds())
#: How many checks are taken of those of its rulesets, of a kind that is asked many.
MOST = 60


def held(suite: Suite, kind: str, spoil: Spoil = lambda _seen, _step: None) -> Run:
    right: Any = ADAPTERS[kind]()

    def respond(message: Mapping[str, Any]) -> Any:
        answer = right(message)
        for seen, step in zip(answer.get("steps", ()), message.get("steps", ()), strict=True):
            spoil(seen, step)
        return answer

    wire = Wire(suite.schemas, suite.version)
    ready = wire.ready(right({"type": "hello", "protocol": 1, "suite": ""}))
    return run(suite, InProcess(wire, respond), list(map(Relabeller(suite), claimed(suite, ready))))


def claimed(suite: Suite, ready: AdapterInfo) -> list[Check]:
    names = [name for name, heading in suite.index.headings.items() if heading.ruleset in ready.rulesets]
    return [suite.index.checks[name] for name in names[:: max(1, len(names) // (MOST * 2))]]


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_of_engine_passes_all_it_is_asked(suite: Suite, kind: str) -> None:
    done = held(suite, kind)
    assert [(each.check.id, each.mismatch, each.reason) for each in done.failures] == []
    assert {each.status for each in done.results} <= {Status.PASS, Status.UNSUPPORTED}
    assert not any(each.left_out for each in done.results)
    assert done.totals[Status.PASS] >= 3


def _answers_wrongly(seen: dict[str, Any], _step: Mapping[str, Any]) -> None:
    if isinstance(seen.get("answer"), int):
        seen["answer"] += 10
    elif seen.get("answer") in {"A", "B"}:
        seen["answer"] = {"A": "B", "B": "A"}[seen["answer"]]


def _books_wrongly(seen: dict[str, Any], _step: Mapping[str, Any]) -> None:
    if any(seen.get("score", {}).values()):
        seen["score"] = {seat: points + 10 for seat, points in seen["score"].items()}


def _lays_what_is_not_held(seen: dict[str, Any], _step: Mapping[str, Any]) -> None:
    if seen.get("declared"):
        seen["declared"] = {"meld": "bezique", "cards": ["QS", "JD"]}


#: What each kind does wrongly, one thing each.
SPOILT: dict[str, Spoil] = {
    "knows-who-wins-a-trick": _answers_wrongly,
    "values-combinations": _answers_wrongly,
    "declares-by-itself": _lays_what_is_not_held,
    **dict.fromkeys(
        (
            *("keeps-the-score", "books-points-when-the-trick-is-complete", "lets-everyone-draw-together"),
            "declares-in-one-go",
        ),
        _books_wrongly,
    ),
}


@pytest.mark.parametrize("kind", SPOILT)
def test_a_kind_of_engine_that_does_one_thing_wrongly_fails(suite: Suite, kind: str) -> None:
    assert held(suite, kind, SPOILT[kind]).totals[Status.FAIL] >= 1
