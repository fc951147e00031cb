"""Adapters with a way of their own to book points, or to declare.

Points may be booked when the trick is complete, or when
the deal is over: such an adapter leaves the score out until then; if it gives a score, that must be all that has been
made. An adapter that chooses what to declare reports the cards, and `runner/own_declarations.py` judges them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import Adapted, with_expectations, with_steps
from hoyle_conformance.checks.adapt.grouping import reference_steps
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.model import Expected, Reading
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Phase

#: The word for what an adapter lacks that has booked nothing when a check ends.
AT_ONCE: Final = "the score at once"
_SCORE: Final = frozenset({"scores", "total"})
#: The phases in which everything must have been booked.
_BOOKED: Final = frozenset({Phase.DEAL, Phase.OVER})
_REFUSALS: Final = frozenset({"refuse-declare"})


def expect_late_score(suite: Suite, adapted: Adapted) -> Adapted:
    """Expect the whole score, whenever it is given, from the first step whose points a check speaks of."""
    branches = adapted.check.branches
    first = _first(adapted, _SCORE)
    readings = {each.name: each for each in adapted.check.readings}
    seen = {name: _reference_scores(suite, adapted, readings.get(name)) for name in branches}
    totals = {name: _totals(adapted, expected, seen[name], first) for name, expected in branches.items()}
    unbooked = (at for at in range(len(adapted.plan.message["steps"])) if not _is_over(seen.values(), at))
    rest = with_expectations(adapted, totals)
    return replace(rest, plan=replace(rest.plan, unbooked=frozenset(unbooked)))


def has_never_booked(adapted: Adapted, observed: Sequence[Mapping[str, Any]]) -> bool:
    """Whether points were expected and no score was given by the end."""
    first = _first(adapted, frozenset({"total"}))
    return bool(first) and all("score" not in each for each in observed[adapted.plan.start(first) :])


def _first(adapted: Adapted, keys: frozenset[str]) -> int:
    """Return the first step, from 1, with an expectation under one of these keys; 0 if there is none."""
    expected = (each for branch in adapted.check.branches.values() for each in branch.items())
    return min((number for number, each in expected if not keys.isdisjoint(each)), default=0)


def expects_points_only(adapted: Adapted) -> bool:
    """Whether points are all that a check expects."""
    return all(each.keys() == {"total"} for expected in adapted.check.branches.values() for each in expected.values())


def _reference_scores(suite: Suite, adapted: Adapted, reading: Reading | None) -> Sequence[Mapping[str, Any]]:
    """Return the phase and score after each step sent, as the reference observes them under a reading."""
    course = reference_steps(adapted.plan)
    cells = reading.cells if reading and adapted.check.follows else None
    message = {**course.message, "observe": ["phase", "score"]}
    shown = observations(suite.rules.of(adapted.check.ruleset, cells), message)
    return [shown[at] for at in course.at]


def _totals(adapted: Adapted, expected: Expected, seen: Sequence[Mapping[str, Any]], first: int) -> Expected:
    """Replace the points of each step by the whole score after it."""
    totals: dict[int, Any] = {}
    for number, end in enumerate(adapted.plan.ends, start=1):
        each = {key: value for key, value in expected.get(number, {}).items() if key not in _SCORE}
        if (
            0 < first <= number
            and end > adapted.plan.start(number)
            and "score" in seen[end - 1]
            and "refused" not in each
        ):
            each["total"] = seen[end - 1]["score"]
        if each:
            totals[number] = each
    return totals


def _is_over(ways: Iterable[Sequence[Mapping[str, Any]]], at: int) -> bool:
    """Whether every reading ends the deal with a step."""
    return all(each[at].get("phase") in _BOOKED for each in ways)


def claims_of_a_chooser(claims: frozenset[str]) -> frozenset[str]:
    """Drop the claims to refuse declarations: an adapter that chooses its own refuses none."""
    return claims - _REFUSALS


def leave_declarations_open(adapted: Adapted) -> Adapted:
    """Leave open what is declared; of a class as a set there is nothing to choose."""
    steps = [_open(step) for step in adapted.plan.message["steps"]]
    plan = replace(adapted.plan, message=with_steps(adapted.plan.message, steps), course=reference_steps(adapted.plan))
    return replace(adapted, plan=plan)


def _open(step: Mapping[str, Any]) -> Mapping[str, Any]:
    if step.get("do") != "declare" or "melds" in step:
        return step
    return {key: step[key] for key in ("by", "do", "then") if key in step}
