"""A check fitted to one adapter, or the words that the adapter lacks for it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hoyle_conformance.checks.request import RunRequest, observing
from hoyle_conformance.suite.capabilities import Capabilities, observed
from hoyle_conformance.suite.model import Check, Expected

#: The word for what an adapter lacks that can neither be set up in a position nor play a prelude to it.
POSITION: Final = "any position"


@dataclass(frozen=True, slots=True)
class Adapted:
    """A check and the request that is sent for it; `partly` are the unclaimed words that were dropped from the
    request."""

    check: Check
    plan: RunRequest
    partly: tuple[str, ...] = ()

    def needs(self, capabilities: Capabilities) -> frozenset[str]:
        """Return the words that an adapter must claim for the steps that are sent."""
        scenario, steps = self.check.scenario, self.plan.message["steps"]
        return capabilities.needed(scenario.given, steps, self.check.branches.values(), scenario.steps)


@dataclass(frozen=True, slots=True)
class Unsupported:
    """The words that an adapter does not claim, so that a check is not sent to it."""

    words: tuple[str, ...]


def unsupported(words: Iterable[str]) -> Unsupported:
    """Return these words in order, as `Unsupported`."""
    return Unsupported(tuple(sorted(words)))


def with_expectations(adapted: Adapted, branches: Mapping[str, Expected]) -> Adapted:
    """Replace the expectations of a check, and request the observations that they name."""
    message = observing(adapted.plan.message, sorted(observed(branches.values())))
    return replace(
        adapted, check=replace(adapted.check, branches=branches), plan=replace(adapted.plan, message=message)
    )


def refused_places(adapted: Adapted) -> frozenset[int]:
    """Return the places of the acts sent that some branch expects to be refused."""
    return frozenset(
        adapted.plan.ends[number - 1] - 1
        for expected in adapted.check.branches.values()
        for number, each in expected.items()
        if "refused" in each
    )


def refused_throughout(adapted: Adapted) -> frozenset[int]:
    """Return the places of the acts sent that every branch expects to be refused."""
    ends, branches = adapted.plan.ends, adapted.check.branches.values()
    refused = (
        number for number in range(1, len(ends) + 1) if all("refused" in each.get(number, {}) for each in branches)
    )
    return frozenset(ends[number - 1] - 1 for number in refused)


def drop_places(adapted: Adapted, left_out: frozenset[int]) -> Adapted:
    """Drop the steps at these places, each of which is a whole step of the scenario, with what is expected of them."""
    numbers = {number for number, end in enumerate(adapted.plan.ends, start=1) if end - 1 in left_out}
    branches = {
        name: {number: each for number, each in expected.items() if number not in numbers}
        for name, expected in adapted.check.branches.items()
    }
    return with_expectations(replace(adapted, plan=drop_steps(adapted.plan, left_out)), branches)


def drop_steps(plan: RunRequest, left_out: frozenset[int]) -> RunRequest:
    """Drop the steps at these places from a request."""
    kept = [at for at in range(len(plan.message["steps"])) if at not in left_out]
    ends = tuple(sum(at < end for at in kept) for end in plan.ends)
    steps = [plan.message["steps"][at] for at in kept]
    return replace(plan, message=with_steps(plan.message, steps), ends=ends)


def cut_after(adapted: Adapted, step: int) -> Adapted:
    """Cut a check after a step of its scenario, counted from 1; 0 leaves no step."""
    plan = adapted.plan
    ends = plan.ends[:step]
    end = ends[-1] if ends else 0
    course = replace(plan.course, at=plan.course.at[:end]) if plan.course else None
    cut = replace(plan, message=with_steps(plan.message, plan.message["steps"][:end]), ends=ends, course=course)
    branches = {
        name: {number: each for number, each in expected.items() if number <= step}
        for name, expected in adapted.check.branches.items()
    }
    return with_expectations(replace(adapted, plan=cut), branches)


def with_steps(message: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Replace the steps of a message."""
    return {**message, "steps": list(steps)}
