"""Putting: a check as it is put to an implementation that has said this of itself."""

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Final

from hoyle_conformance.checks.adapt.adapted import POSITION, Adapted, Unsupported
from hoyle_conformance.checks.adapt.booking_mode import later
from hoyle_conformance.checks.adapt.claims import exactly
from hoyle_conformance.checks.adapt.class_sets import as_sets
from hoyle_conformance.checks.adapt.drawing_mode import drawing
from hoyle_conformance.checks.adapt.own_declarations import chooses, choosing
from hoyle_conformance.checks.adapt.refusal_claims import refusing
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.standalone import Alone
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.suite.capabilities import IRREGULAR_ACTS, Capabilities
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.frozen import frozen

if TYPE_CHECKING:
    from hoyle_conformance.checks.adapt.from_deal import Preludes

LATER: Final = "later"
BY_ITSELF: Final = "by-itself"
AS_A_SET: Final = "as-a-set"


def plays(suite: Suite, ready: AdapterInfo, ruleset: str) -> bool:
    """Whether an implementation claims a ruleset, by one of the names that it is known as."""
    return not ready.rulesets.isdisjoint(suite.rules.claimable_names(ruleset))


def put(suite: Suite, ready: AdapterInfo, check: Check, preludes: "Preludes | None" = None) -> Adapted | Unsupported:
    """A check as it is put to an implementation, or what that lacks for it; raises Incomplete where its position cannot
    be completed."""
    if not plays(suite, ready, check.ruleset):
        return Unsupported((f"ruleset {' or '.join(suite.rules.claimable_names(check.ruleset))}",))
    asked: Adapted | Unsupported = _as_it_may_be(
        suite.capabilities, ready, Adapted(check, planner_of(suite).request(check))
    )
    for way in _BEFORE:
        asked = asked if isinstance(asked, Unsupported) else way(suite, ready, asked)
    asked = asked if isinstance(asked, Unsupported) else _set_up(suite, ready, check, asked, preludes)
    for way in _AFTER:
        asked = asked if isinstance(asked, Unsupported) else way(suite, ready, asked)
    return asked


@frozen
class Putting:
    """Puts checks to an implementation that has said this of itself; what was put `ahead` of its turn is kept until
    then."""

    suite: Suite
    ready: AdapterInfo
    _ahead: dict[str, tuple[Check, Adapted | Unsupported]] = field(default_factory=dict)

    def ahead(self, check: Check) -> Adapted | Unsupported | None:
        """A check as it will be put; nothing where its position cannot be completed."""
        try:
            asked = put(self.suite, self.ready, check)
        except CannotSetUp:
            return None
        self._ahead[check.id] = check, asked
        return asked

    def __call__(self, check: Check) -> Adapted | Unsupported:
        """A check as it is put, once; raises Incomplete where its position cannot be completed."""
        of, asked = self._ahead.pop(check.id, (None, None))
        return asked if asked is not None and of is check else put(self.suite, self.ready, check)


def _set_up(
    suite: Suite, ready: AdapterInfo, check: Check, asked: Adapted, preludes: "Preludes | None"
) -> Adapted | Unsupported:
    """A check whose position the implementation gets into; questions that stand alone need none."""
    if ready.position == "any":
        return asked
    rules, alone, steps = suite.rules.of(check.ruleset), Alone(suite.schemas), asked.plan.message["steps"]
    if ready.position == "none" and all("ask" in step for step in steps):
        return asked
    if all(alone.stands(rules, step) for step in steps):
        return asked
    if ready.position == "none":
        return Unsupported((POSITION,))
    from hoyle_conformance.checks.adapt.from_deal import from_deal  # all of the preludes comes with it

    return from_deal(suite, ready, check, asked, preludes)


def _exactly(suite: Suite, ready: AdapterInfo, asked: Adapted) -> Adapted | Unsupported:
    """A check of nothing but what is claimed; who chooses what to declare refuses no declaration."""
    by_itself = ready.declares == BY_ITSELF
    return exactly(suite.capabilities, chooses(ready.claims) if by_itself else ready.claims, asked)


def _as_sets(suite: Suite, ready: AdapterInfo, asked: Adapted) -> Adapted | Unsupported:
    if ready.declarations != AS_A_SET:
        return asked
    rules, word = suite.rules.of(asked.check.ruleset), suite.capabilities.word
    return as_sets(rules, asked, lambda act: word(act) in ready.claims)


def _drawing(_suite: Suite, ready: AdapterInfo, asked: Adapted) -> Adapted | Unsupported:
    return drawing(ready, asked)


def _later(suite: Suite, ready: AdapterInfo, asked: Adapted) -> Adapted:
    return later(suite, asked) if ready.score == LATER else asked


def _by_itself(_suite: Suite, ready: AdapterInfo, asked: Adapted) -> Adapted:
    return choosing(asked) if ready.declares == BY_ITSELF else asked


def _as_it_may_be(capabilities: Capabilities, ready: AdapterInfo, asked: Adapted) -> Adapted:
    """A check the other way round, for an implementation that carries out nothing irregular."""
    irregular = IRREGULAR_ACTS in asked.plan.needs - ready.claims
    return refusing(capabilities, asked) if irregular else asked


_Way = Callable[[Suite, AdapterInfo, Adapted], Adapted | Unsupported]
#: In this order: each takes what the one before has made of a check.
_BEFORE: Final[tuple[_Way, ...]] = (_exactly, _as_sets, _drawing)
_AFTER: Final[tuple[_Way, ...]] = (_later, _by_itself)
