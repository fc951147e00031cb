"""Whether the rulesets answer the question of a scenario alike."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.checks.plan import observed
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.compare import comparable
from hoyle_conformance.suite.model import Check, Expected, Scenario
from hoyle_conformance.suite.suite import Suite

#: Under which key of an observation stands what an expectation names.
_SEEN_AS: Final = {"scores": "score", "total": "score", "refused": "accepted"}
#: What is shown of those players alone that are named.
_OF_THOSE_NAMED: Final = frozenset({"hands", "shown", "seen"})

#: What is looked at in a step, by its key, and of whom; of all, where nobody is named.
_Look = Mapping[str, set[str]]


#: What was observed in each single step of the checks of a scenario, by their rulesets, where they have been taken.
Seen = Mapping[str, Sequence[Mapping[str, Any]]]


def differ(suite: Suite, scenario: Scenario, seen: Seen = MappingProxyType({})) -> bool:
    """Whether not all rulesets, in all their readings, give one answer.

    Everything is compared that is to be shown in a step under any of them. Why an act is refused is no part of the
    answer, nor whether the points of a step are named or the score after it.
    """
    if len(scenario.outcomes) + len(scenario.readings) == 1:
        return False
    checks = suite.checks_of(scenario)
    branches = list(chain.from_iterable(check.branches.values() for check in checks))
    return len({answer for check in checks for answer in _answers(suite, check, branches, seen)}) > 1


def _answers(suite: Suite, check: Check, branches: Sequence[Expected], seen: Seen) -> Iterator[str]:
    """What is shown under a ruleset: once, or in each reading where its source does not decide."""
    plan = suite.plan(check)
    for name, cells in _read(check).items():
        singles = seen.get(check.ruleset) if name == check.follows else None
        if singles is None:
            message = {**plan.message, "observe": sorted(observed(branches))}
            singles = observations(suite.rules(check.ruleset, cells), message)
        steps = enumerate(plan.ends, start=1)
        yield repr([_shown(singles[plan.start(step) : end], _look(branches, step)) for step, end in steps])


def _read(check: Check) -> Mapping[str, Mapping[str, str]]:
    """The readings of a check, with the cells that make them so; none, named "", where its source decides."""
    return {each.name: each.cells for each in check.readings} if check.follows else {"": {}}


def _look(branches: Sequence[Expected], step: int) -> _Look:
    """What is looked at in one step."""
    look: dict[str, set[str]] = defaultdict(set)
    for key, value in chain.from_iterable(branch.get(step, {}).items() for branch in branches):
        look[_SEEN_AS.get(key, key)] |= set(value) if key in _OF_THOSE_NAMED else set()
    return look


def _shown(singles: Sequence[Mapping[str, Any]], look: _Look) -> list[Any]:
    """What is seen of a step: whether it is accepted, and what is looked at."""
    accepted = all(single.get("accepted", True) for single in singles)
    return [accepted, *(_part(key, singles[-1].get(key), look[key]) for key in sorted(look))]


def _part(key: str, value: Any, of: set[str]) -> Any:
    if key == "score":
        return {seat: points for seat, points in value.items() if points}
    return [comparable(value.get(seat)) for seat in sorted(of)] if of else comparable(value)
