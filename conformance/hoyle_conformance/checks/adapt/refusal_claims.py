"""Irregular acts for adapters that carry out none: they must refuse them."""

from dataclasses import replace
from typing import Final

from hoyle_conformance.checks.adapt.adapted import Adapted, cut_after, with_expectations, with_steps
from hoyle_conformance.suite.capabilities import IRREGULAR_FIELDS, Capabilities

#: What such an act is refused for does not matter, and is not compared.
_REASON: Final = "not-now"


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
