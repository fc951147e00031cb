"""The other way round: an implementation that carries out nothing irregular must refuse the act that would be."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ..model import Check
from ..positions.plan import IRREGULAR, Capabilities, observed
from ..positions.prepared import Plan

#: What such an act is refused for does not matter, and is not compared.
_REASON: Final = "not-now"


def refusing(capabilities: Capabilities, check: Check, prepared: Plan) -> tuple[Check, Plan] | None:
    """A check, and what is sent for it, that ends with the first irregular act, which is to be refused; nothing where
    there is none, or it has no form in play (to draw another number of cards than one), or it is in order."""
    sent = prepared.message["steps"]
    at = next((at for at, step in enumerate(sent) if "irregular" in step), None)
    if at is None or "count" in sent[at] or not IRREGULAR.isdisjoint(check.scenario.given):
        return None
    ends = prepared.ends[: next(n for n, end in enumerate(prepared.ends, start=1) if at < end)]
    if any("refused" in expected.get(len(ends), {}) for expected in check.branches.values()):
        return None  # by some reading there is nothing wrong with it
    steps = [*sent[:at], {key: value for key, value in sent[at].items() if key != "irregular"}]
    branches = {name: _until(expected, len(ends)) for name, expected in check.branches.items()}
    message = {**prepared.message, "steps": steps, "observe": sorted(observed(branches.values()))}
    needs = capabilities.needed(check.scenario.given, steps, branches.values(), check.scenario.steps)
    return replace(check, branches=branches), Plan(message, ends, needs, prepared.seats, prepared.turned)


def _until(expected: Mapping[int, Any], last: int) -> dict[int, Any]:
    """What is expected of the steps before the last, and that the last is refused."""
    return {**{step: each for step, each in expected.items() if step < last}, last: {"refused": _REASON}}
