"""Adapters with a way of their own to draw, to book points, or to declare.

All players may draw in one act, or as part of a declaration. Points may be booked when the trick is complete, or when
the deal is over: such an adapter leaves the score out until then; if it gives a score, that must be all that has been
made. An adapter that chooses what to declare reports the cards, and `runner/own_declarations.py` judges them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import Adapted, Unsupported, refused_places, with_expectations, with_steps
from hoyle_conformance.checks.adapt.grouping import StepGroup, group_steps, reference_steps
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.suite.model import Expected, Reading
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Phase

#: The word for what an adapter lacks that lets nobody draw alone.
_ONE_BY_ONE: Final = "draws one by one"
TOGETHER: Final = "draw-all"
#: The word for what an adapter lacks that has booked nothing when a check ends.
AT_ONCE: Final = "the score at once"
_SCORE: Final = frozenset({"scores", "total"})
#: The phases in which everything must have been booked.
_BOOKED: Final = frozenset({Phase.DEAL, Phase.OVER})
_REFUSALS: Final = frozenset({"refuse-declare"})


def group_draws(info: AdapterInfo, adapted: Adapted) -> Adapted | Unsupported:
    """Group the draws as an adapter makes them; return Unsupported if the check stops or looks between two draws."""
    steps = adapted.plan.message["steps"]
    if info.draws == "one-by-one" or all(step.get("do") != "draw" for step in steps):
        return adapted
    groups = list(group_rounds(steps, len(adapted.plan.seats)))
    if any(group.step.get("do") == "draw" for group in groups):
        return Unsupported((_ONE_BY_ONE,))
    if info.draws == "with-the-declaration":
        groups = list(join_draws_to_declarations(groups, refused_places(adapted)))
    return group_steps(adapted, groups, _ONE_BY_ONE)


def group_rounds(steps: Sequence[Mapping[str, Any]], players: int) -> Iterator[StepGroup]:
    """Yield the steps, with every round of plain draws as one group."""
    at = 0
    while at < len(steps):
        if len({step["by"] for step in steps[at : at + players] if _is_plain(step)}) == players:
            yield StepGroup({"by": steps[at]["by"], "do": TOGETHER}, at, at + players - 1)
            at += players
        else:
            yield StepGroup(steps[at], at, at)
            at += 1


def _is_plain(step: Mapping[str, Any]) -> bool:
    return step.get("do") == "draw" and step.keys() == {"by", "do"}


def join_draws_to_declarations(
    groups: Iterable[StepGroup], refused: frozenset[int] = frozenset()
) -> Iterator[StepGroup]:
    """Join a round of draws to the declaration before it, unless that is refused."""
    before: StepGroup | None = None
    for group in groups:
        declared = before is not None and before.step.get("do") == "declare" and before.last not in refused
        if before is not None and declared and group.step.get("do") == TOGETHER:
            before = StepGroup({**before.step, "then": TOGETHER}, before.first, group.last)
            continue
        if before is not None:
            yield before
        before = group
    if before is not None:
        yield before


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
