"""The other way round: an implementation that carries out nothing irregular must refuse the act that would be."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from ..positions.plan import IRREGULAR, Capabilities
from .asked import Asked, expecting, sending

#: What such an act is refused for does not matter, and is not compared.
_REASON: Final = "not-now"


def refusing(capabilities: Capabilities, asked: Asked) -> Asked:
    """A check that ends with the first irregular act, which is to be refused; the check as it is where there is none,
    or it has no form in play (to draw another number of cards than one), or it is in order."""
    check, prepared = asked.check, asked.plan
    sent = prepared.message["steps"]
    at = next((at for at, step in enumerate(sent) if "irregular" in step), None)
    if at is None or "count" in sent[at] or not IRREGULAR.isdisjoint(check.scenario.given):
        return asked
    ends = prepared.ends[: next(n for n, end in enumerate(prepared.ends, start=1) if at < end)]
    if any("refused" in expected.get(len(ends), {}) for expected in check.branches.values()):
        return asked  # by some reading there is nothing wrong with it
    steps = [*sent[:at], {key: value for key, value in sent[at].items() if key != "irregular"}]
    plan = replace(prepared, message=sending(prepared.message, steps), ends=ends)
    branches = {name: _until(expected, len(ends)) for name, expected in check.branches.items()}
    rest = expecting(Asked(check, plan), branches)
    return replace(rest, plan=replace(rest.plan, needs=rest.needs(capabilities)))


def _until(expected: Mapping[int, Any], last: int) -> dict[int, Any]:
    """What is expected of the steps before the last, and that the last is refused."""
    return {**{step: each for step, each in expected.items() if step < last}, last: {"refused": _REASON}}
