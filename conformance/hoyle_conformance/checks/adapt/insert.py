"""Acts inserted into a check, for an adapter that cannot be stopped before they are done."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hoyle_conformance.checks.adapt.adapted import Adapted, with_expectations, with_steps
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.model import Expected
from hoyle_reference import Rules

Step = Mapping[str, Any]


def insert_acts(rules: Rules, adapted: Adapted, more: Mapping[int, Sequence[Step]]) -> Adapted | None:
    """Insert acts after the steps at these places; return None if this changes what comes of the others: whether it is
    accepted, its points or its answer."""
    message = adapted.plan.message
    steps: list[Step] = []
    places = []
    for at, step in enumerate(message["steps"]):
        places.append(len(steps))
        steps += [step, *more.get(at, ())]
    before, after = (
        observations(rules, {**message, "steps": each, "observe": ["score"]}) for each in (message["steps"], steps)
    )
    if _results(before, range(len(before))) != _results(after, places):
        return None
    ends = tuple(places[end - 1] + 1 + len(more.get(end - 1, ())) if end else 0 for end in adapted.plan.ends)
    plan = replace(adapted.plan, message=with_steps(message, steps), ends=ends)
    both = zip(adapted.plan.ends, ends, strict=True)
    scored = {number: _inserted_points(after, places, was, end) for number, (was, end) in enumerate(both, start=1)}
    branches = {name: dict(_add_points(expected, scored)) for name, expected in adapted.check.branches.items()}
    return with_expectations(replace(adapted, plan=plan), branches)


def _results(seen: Sequence[Mapping[str, Any]], places: Sequence[int]) -> list[Any]:
    """Return of each step at these places whether it was accepted, its answer, and its change of the score."""
    scores = [each.get("score") for each in seen]
    return [(seen[at].get("accepted"), seen[at].get("answer"), gain(scores[:at], scores[at])) for at in places]


def gain(before: Sequence[Mapping[str, int] | None], now: Mapping[str, int] | None) -> Mapping[str, int] | None:
    """Return the change of the score since it was last known; None if it is unknown."""
    last = next(filter(None, reversed(before)), None)
    return {seat: points - last[seat] for seat, points in now.items()} if now and last else None


def _inserted_points(seen: Sequence[Mapping[str, Any]], places: Sequence[int], was: int, end: int) -> Counter[str]:
    """Return the points of the acts inserted after a step, by seat."""
    if not was or places[was - 1] + 1 == end:
        return Counter()
    first, last = seen[places[was - 1]]["score"], seen[end - 1]["score"]
    return Counter({seat: last[seat] - first[seat] for seat in last if last[seat] != first[seat]})


def _add_points(expected: Expected, scored: Mapping[int, Counter[str]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Add the points of the inserted acts to the expectations."""
    so_far: Counter[str] = Counter()
    for number in sorted(scored):
        so_far += scored[number]
        each = dict(expected.get(number, {}))
        if "scores" in each:
            each["scores"] = dict(Counter(each["scores"]) + scored[number])
        if "total" in each:
            each["total"] = {seat: points + so_far[seat] for seat, points in each["total"].items()}
        if each:
            yield number, each
