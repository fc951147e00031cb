"""Later: an implementation that books points when the trick is complete, or the deal is over.

It leaves the score out as long as it has not booked; where it gives one, that must be all that has been made.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import Adapted, expecting
from hoyle_conformance.checks.adapt.grouping import course_of
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.model import Expected, Reading
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Phase

#: What an implementation lacks that has booked nothing when a check ends.
AT_ONCE: Final = "the score at once"
_SCORE: Final = frozenset({"scores", "total"})
#: When everything must have been booked.
_BOOKED: Final = frozenset({Phase.DEAL, Phase.OVER})


def later(suite: Suite, asked: Adapted) -> Adapted:
    """A check that expects, from the first step on that speaks of points, the score that there is to be whenever it is
    given."""
    branches = asked.check.branches
    first = _first(asked, _SCORE)
    readings = {each.name: each for each in asked.check.readings}
    seen = {name: _seen(suite, asked, readings.get(name)) for name in branches}
    totals = {name: _totals(asked, expected, seen[name], first) for name, expected in branches.items()}
    unbooked = (at for at in range(len(asked.plan.message["steps"])) if not _is_over(seen.values(), at))
    rest = expecting(asked, totals)
    return replace(rest, plan=replace(rest.plan, unbooked=frozenset(unbooked)))


def never_booked(asked: Adapted, observed: Sequence[Mapping[str, Any]]) -> bool:
    """Whether points are expected, and none were given by the end."""
    first = _first(asked, frozenset({"total"}))
    return bool(first) and all("score" not in each for each in observed[asked.plan.start(first) :])


def _first(asked: Adapted, keys: frozenset[str]) -> int:
    """The first step of which one of these is expected; 0 where there is none."""
    expected = (each for branch in asked.check.branches.values() for each in branch.items())
    return min((number for number, each in expected if not keys.isdisjoint(each)), default=0)


def says_nothing_else(asked: Adapted) -> bool:
    """Whether points are all that is expected."""
    return all(each.keys() == {"total"} for expected in asked.check.branches.values() for each in expected.values())


def _seen(suite: Suite, asked: Adapted, reading: Reading | None) -> Sequence[Mapping[str, Any]]:
    """What the reference shows of each step sent, by the reading."""
    course = course_of(asked.plan)
    cells = reading.cells if reading and asked.check.follows else None
    message = {**course.message, "observe": ["phase", "score"]}
    shown = observations(suite.rules.of(asked.check.ruleset, cells), message)
    return [shown[at] for at in course.at]


def _totals(asked: Adapted, expected: Expected, seen: Sequence[Mapping[str, Any]], first: int) -> Expected:
    """The same expectation, with the whole score in place of what is scored in a step."""
    totals: dict[int, Any] = {}
    for number, end in enumerate(asked.plan.ends, start=1):
        each = {key: value for key, value in expected.get(number, {}).items() if key not in _SCORE}
        if (
            0 < first <= number
            and end > asked.plan.start(number)
            and "score" in seen[end - 1]
            and "refused" not in each
        ):
            each["total"] = seen[end - 1]["score"]
        if each:
            totals[number] = each
    return totals


def _is_over(ways: Iterable[Sequence[Mapping[str, Any]]], at: int) -> bool:
    """Whether by every reading the deal is over after a step."""
    return all(each[at].get("phase") in _BOOKED for each in ways)
