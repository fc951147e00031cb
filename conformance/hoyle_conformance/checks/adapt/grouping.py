"""Several acts of a check sent as one, to an adapter that does them in one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import Adapted, Unsupported, with_expectations, with_steps
from hoyle_conformance.checks.request import RequestSteps, RunRequest
from hoyle_conformance.suite.model import Expectation, Expected

#: What comes to the same whether it is looked at between the acts or after them; what is scored is added up.
_SCORED: Final = "scores"
ANY_TIME: Final = frozenset({_SCORED, "total", "shown", "trumps"})


@dataclass(frozen=True, slots=True)
class StepGroup:
    """One step that is sent, and the first and last place of the acts of the check that it replaces."""

    step: Mapping[str, Any]
    first: int
    last: int


def reference_steps(plan: RunRequest) -> RequestSteps:
    """Return the steps that the reference takes for a request."""
    if plan.course:
        return plan.course
    return RequestSteps(plan.message, tuple(range(len(plan.message["steps"]))), plan.position)


def group_steps(adapted: Adapted, groups: Sequence[StepGroup], way: str) -> Adapted | Unsupported:
    """Send the acts of a check in these groups; return Unsupported with the word `way` if the check looks into a
    group."""
    if all(group.first == group.last for group in groups):
        return replace(adapted, plan=_send_groups(adapted.plan, groups))
    branches: dict[str, Expected] = {}
    for name, expected in adapted.check.branches.items():
        moved = _move_expectations(adapted.plan, expected, groups)
        if moved is None:
            return Unsupported((way,))
        branches[name] = moved
    return with_expectations(replace(adapted, plan=_send_groups(adapted.plan, groups)), branches)


def _send_groups(plan: RunRequest, groups: Sequence[StepGroup]) -> RunRequest:
    course = reference_steps(plan)
    owners = [_step_of(plan, group.first) for group in groups]
    return replace(
        plan,
        message=with_steps(plan.message, [group.step for group in groups]),
        ends=tuple(sum(owner <= number for owner in owners) for number in range(1, len(plan.ends) + 1)),
        course=replace(course, at=tuple(course.at[group.last] for group in groups)),
    )


def _step_of(plan: RunRequest, at: int) -> int:
    """Return the scenario's step, from 1, of an act sent; for acts after the last step, one more than there are
    steps."""
    return next((number for number, end in enumerate(plan.ends, start=1) if at < end), len(plan.ends) + 1)


def _move_expectations(
    plan: RunRequest, expected: Expected, groups: Sequence[StepGroup]
) -> dict[int, Expectation] | None:
    """Return each expectation under the step with which it is sent; None if one is due inside a group, or expects a
    refusal in it."""
    found: dict[int, list[Expectation]] = defaultdict(list)
    for number, expectation in sorted(expected.items()):
        at = plan.ends[number - 1] - 1
        group = next(each for each in groups if each.first <= at <= each.last)
        if at < group.last and not ANY_TIME.issuperset(expectation):
            return None
        if group.first < group.last and "refused" in expectation:
            return None
        found[_step_of(plan, group.first)].append(expectation)
    return {number: _merge(each) for number, each in found.items()}


def _merge(expectations: Iterable[Expectation]) -> Expectation:
    """Merge the expectations of several steps: points are added, of all else the last counts."""
    both: dict[str, Any] = {}
    for each in expectations:
        scored = Counter(both.get(_SCORED, {}))
        scored.update(each.get(_SCORED, {}))
        both |= each
        if _SCORED in both:
            both[_SCORED] = dict(scored)
    return both
