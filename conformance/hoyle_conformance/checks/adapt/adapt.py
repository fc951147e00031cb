"""The request of a check, fitted to what an adapter claims and to the way in which it plays."""

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
    """Whether an adapter claims a ruleset, by any of its names."""
    return not ready.rulesets.isdisjoint(suite.rules.claimable_names(ruleset))


def put(suite: Suite, ready: AdapterInfo, check: Check, preludes: "Preludes | None" = None) -> Adapted | Unsupported:
    """Return a check fitted to an adapter, or what the adapter lacks for it.

    Raises CannotSetUp if the position cannot be completed.
    """
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
    """Fits checks to one adapter. A check that was fitted `ahead` of its turn is stored until then."""

    suite: Suite
    ready: AdapterInfo
    _ahead: dict[str, tuple[Check, Adapted | Unsupported]] = field(default_factory=dict)

    def ahead(self, check: Check) -> Adapted | Unsupported | None:
        """Fit a check before its turn and return it; None if its position cannot be completed."""
        try:
            asked = put(self.suite, self.ready, check)
        except CannotSetUp:
            return None
        self._ahead[check.id] = check, asked
        return asked

    def __call__(self, check: Check) -> Adapted | Unsupported:
        """Return a fitted check, from the store if it was fitted ahead; raises CannotSetUp if its position cannot be
        completed."""
        of, asked = self._ahead.pop(check.id, (None, None))
        return asked if asked is not None and of is check else put(self.suite, self.ready, check)


def _set_up(
    suite: Suite, ready: AdapterInfo, check: Check, asked: Adapted, preludes: "Preludes | None"
) -> Adapted | Unsupported:
    """Lead the adapter to the position of a check, if it cannot be set up there and the steps need a position."""
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
    """Drop what the adapter does not claim. An adapter that chooses what to declare refuses no declaration."""
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
    """Expect the refusal of an irregular act from an adapter that carries out none."""
    irregular = IRREGULAR_ACTS in asked.plan.needs - ready.claims
    return refusing(capabilities, asked) if irregular else asked


_Way = Callable[[Suite, AdapterInfo, Adapted], Adapted | Unsupported]
#: In this order: each takes what the one before has made of a check.
_BEFORE: Final[tuple[_Way, ...]] = (_exactly, _as_sets, _drawing)
_AFTER: Final[tuple[_Way, ...]] = (_later, _by_itself)
