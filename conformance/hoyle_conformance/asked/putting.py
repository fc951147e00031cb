"""Putting: a check as it is put to an implementation that has said this of itself."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from ..model import Check
from ..positions.plan import Capabilities
from ..positions.prepared import IRREGULAR_ACTS
from ..protocol.messages import Ready
from ..suite.value import Suite
from .asked import Asked, Lacking
from .by_itself import chooses, choosing
from .drawing import drawing
from .exactly import exactly
from .later import later
from .refusing import refusing
from .sets import as_sets

#: What one lacks that cannot be set up in a position.
POSITION: Final = "a position"
LATER: Final = "later"
BY_ITSELF: Final = "by-itself"
#: What the table waits for before any card is dealt.
BEFORE_THE_DEAL: Final = frozenset({"cut", "choose", "deal"})


def put(suite: Suite, ready: Ready, check: Check) -> Asked | Lacking:
    """A check as it is put to an implementation, or what that lacks for it; raises Incomplete where its position cannot
    be completed."""
    names = suite.known_as(check.ruleset)
    if ready.rulesets.isdisjoint(names):
        return Lacking((f"ruleset {' or '.join(names)}",))
    asked: Asked | Lacking = _as_it_may_be(suite.capabilities, ready, Asked(check, suite.plan(check)))
    for way in _WAYS:
        if not isinstance(asked, Lacking):
            asked = way(suite, ready, asked)
    return asked


def _exactly(suite: Suite, ready: Ready, asked: Asked) -> Asked | Lacking:
    """A check of nothing but what is claimed; who chooses what to declare refuses no declaration."""
    by_itself = ready.declares == BY_ITSELF
    return exactly(suite.capabilities, chooses(ready.claims) if by_itself else ready.claims, asked)


def _as_sets(suite: Suite, ready: Ready, asked: Asked) -> Asked | Lacking:
    return as_sets(suite.rules(asked.check.ruleset), asked) if ready.declarations == "as-a-set" else asked


def _drawing(_suite: Suite, ready: Ready, asked: Asked) -> Asked | Lacking:
    return drawing(ready, asked)


def _later(suite: Suite, ready: Ready, asked: Asked) -> Asked:
    return later(suite, asked) if ready.score == LATER else asked


def _by_itself(_suite: Suite, ready: Ready, asked: Asked) -> Asked:
    return choosing(asked) if ready.declares == BY_ITSELF else asked


def _as_it_may_be(capabilities: Capabilities, ready: Ready, asked: Asked) -> Asked:
    """A check the other way round, for an implementation that carries out nothing irregular."""
    irregular = IRREGULAR_ACTS in asked.plan.needs - ready.claims
    return refusing(capabilities, asked) if irregular else asked


def _set_up(_suite: Suite, ready: Ready, asked: Asked) -> Asked | Lacking:
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


#: In this order: each takes what the one before has made of a check.
_WAYS: Final[tuple[Callable[[Suite, Ready, Asked], Asked | Lacking], ...]] = (
    _exactly,
    _as_sets,
    _drawing,
    _set_up,
    _later,
    _by_itself,
)
