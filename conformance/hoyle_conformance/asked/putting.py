"""Putting: a check as it is put to an implementation that has said this of itself."""

from collections.abc import Mapping
from typing import Any, Final

from ..model import Check
from ..positions.plan import Capabilities
from ..positions.prepared import IRREGULAR_ACTS
from ..protocol.messages import Ready
from ..suite.value import Suite
from .asked import Asked, Lacking
from .exactly import exactly
from .refusing import refusing

#: What one lacks that cannot be set up in a position.
POSITION: Final = "a position"
#: What the table waits for before any card is dealt.
BEFORE_THE_DEAL: Final = frozenset({"cut", "choose", "deal"})


def put(suite: Suite, ready: Ready, check: Check) -> Asked | Lacking:
    """A check as it is put to an implementation, or what that lacks for it; raises Incomplete where its position cannot
    be completed."""
    if check.ruleset not in ready.rulesets:
        return Lacking((f"ruleset {check.ruleset}",))
    asked = _as_it_may_be(suite.capabilities, ready, Asked(check, suite.plan(check)))
    claimed = exactly(suite.capabilities, ready.claims, asked)
    return claimed if isinstance(claimed, Lacking) else _set_up(ready, claimed)


def _as_it_may_be(capabilities: Capabilities, ready: Ready, asked: Asked) -> Asked:
    """A check the other way round, for an implementation that carries out nothing irregular."""
    irregular = IRREGULAR_ACTS in asked.plan.needs - ready.claims
    return refusing(capabilities, asked) if irregular else asked


def _set_up(ready: Ready, asked: Asked) -> Asked | Lacking:
    """A check whose position the implementation gets into; a question needs none."""
    if ready.position == "any" or all("ask" in step for step in asked.plan.message["steps"]):
        return asked
    position = asked.plan.message["position"]
    before_the_deal = position["phase"] in BEFORE_THE_DEAL
    if ready.position == "from-deal" and before_the_deal:
        return asked
    if ready.position == "deal" and before_the_deal and is_new(position):
        return asked
    return Lacking((POSITION,))


def is_new(position: Mapping[str, Any]) -> bool:
    """Whether it is the beginning of a new game: nobody has scored, and nothing has been dealt."""
    return not any(position["score"].values()) and not position.get("deals")
