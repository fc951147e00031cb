"""Checks without what an adapter does not claim.

A question and a refused act change nothing. If an adapter does not claim them, the rest of the check holds without
them. The same goes for observations. At least one expectation must be left. An adapter that carries out nothing
irregular must refuse an irregular act.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import (
    Adapted,
    Unsupported,
    cut_after,
    drop_steps,
    unsupported,
    with_expectations,
    with_steps,
)
from hoyle_conformance.suite.capabilities import IRREGULAR_FIELDS, Capabilities, observed_as, refusal_of
from hoyle_conformance.suite.model import Expectation, Expected

#: The reason for which an irregular act is expected to be refused; it is not compared.
_REASON: Final = "not-now"


def drop_unclaimed(capabilities: Capabilities, claims: frozenset[str], adapted: Adapted) -> Adapted | Unsupported:
    """Drop the unclaimed parts of a check; return the words that are lacking if no expectation is left."""
    if adapted.plan.needs <= claims:
        return adapted
    silent = frozenset(_steps_to_drop(capabilities, claims, adapted))
    branches = {name: _drop_expectations(expected, silent, claims) for name, expected in adapted.check.branches.items()}
    if not any(branches.values()):
        return unsupported(adapted.plan.needs - claims)
    plan = drop_steps(adapted.plan, frozenset(adapted.plan.ends[number - 1] - 1 for number in silent))
    rest = with_expectations(replace(adapted, plan=plan), branches)
    needs = rest.needs(capabilities)
    if not needs <= claims:
        rest = cut_after(rest, max(number for expected in branches.values() for number in expected))
        needs = rest.needs(capabilities)
    unclaimed = adapted.plan.needs - claims
    if not needs <= claims:
        return unsupported(unclaimed)
    return replace(rest, plan=replace(rest.plan, needs=needs), partly=tuple(sorted(unclaimed)))


def _steps_to_drop(capabilities: Capabilities, claims: frozenset[str], adapted: Adapted) -> Iterator[int]:
    """Yield the steps, from 1, that change nothing and are not claimed: questions, and acts that every branch
    refuses."""
    for number, step in enumerate(adapted.check.scenario.steps, start=1):
        if "ask" in step:
            if capabilities.word(step) not in claims:
                yield number
        elif refusal_of(step) not in claims and all(
            "refused" in expected.get(number, {}) for expected in adapted.check.branches.values()
        ):
            yield number


def _drop_expectations(expected: Expected, silent: frozenset[int], claims: frozenset[str]) -> dict[int, Expectation]:
    """Drop the expectations of steps that are not sent and of observations that the adapter does not claim."""
    left = {number: _claimed_part(each, claims) for number, each in expected.items() if number not in silent}
    return {number: each for number, each in left.items() if each}


def _claimed_part(expectation: Expectation, claims: frozenset[str]) -> Mapping[str, Any]:
    return {key: value for key, value in expectation.items() if observed_as(key) in {None, *claims}}


def expect_refusal(capabilities: Capabilities, adapted: Adapted) -> Adapted:
    """Cut a check after its first irregular act, and expect that act to be refused.

    Returns the check unchanged if it has no irregular act, if the act has no form in play (to draw another number of
    cards than one), or if some reading accepts it.
    """
    check, prepared = adapted.check, adapted.plan
    sent = prepared.message["steps"]
    at = next((at for at, step in enumerate(sent) if "irregular" in step), None)
    if at is None or "count" in sent[at] or not IRREGULAR_FIELDS.isdisjoint(check.scenario.given):
        return adapted
    last = next(number for number, end in enumerate(prepared.ends, start=1) if at < end)
    if any("refused" in expected.get(last, {}) for expected in check.branches.values()):
        return adapted  # by some reading there is nothing wrong with it
    rest = cut_after(adapted, last)
    steps = [*sent[:at], {key: value for key, value in sent[at].items() if key != "irregular"}]
    plan = replace(rest.plan, message=with_steps(rest.plan.message, steps))
    branches = {name: {**expected, last: {"refused": _REASON}} for name, expected in rest.check.branches.items()}
    rest = with_expectations(replace(rest, plan=plan), branches)
    return replace(rest, plan=replace(rest.plan, needs=rest.needs(capabilities)))
