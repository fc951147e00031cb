"""The request of a check, fitted to what an adapter claims and to the way in which it plays."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from hoyle_conformance.checks.adapt.adapted import POSITION, Adapted, Unsupported, drop_places, with_steps
from hoyle_conformance.checks.adapt.claims import drop_unclaimed, expect_refusal
from hoyle_conformance.checks.adapt.class_sets import declare_as_sets
from hoyle_conformance.checks.adapt.draws import group_draws
from hoyle_conformance.checks.adapt.leads_on import drop_turns
from hoyle_conformance.checks.adapt.modes import (
    claims_of_a_chooser,
    expect_late_score,
    leave_declarations_open,
)
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.standalone import StandaloneKeys
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.suite.capabilities import IRREGULAR_ACTS, Capabilities
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Rules

if TYPE_CHECKING:
    from hoyle_conformance.checks.adapt.from_deal import Preludes

LATER: Final = "later"
BY_ITSELF: Final = "by-itself"
AS_A_SET: Final = "as-a-set"


def plays(suite: Suite, info: AdapterInfo, ruleset: str) -> bool:
    """Whether an adapter claims a ruleset, by any of its names."""
    return not info.rulesets.isdisjoint(suite.rules.claimable_names(ruleset))


def adapt(suite: Suite, info: AdapterInfo, check: Check, preludes: "Preludes | None" = None) -> Adapted | Unsupported:
    """Return a check fitted to an adapter, or what the adapter lacks for it.

    Raises CannotSetUp if the position cannot be completed.
    """
    if not plays(suite, info, check.ruleset):
        return Unsupported((f"ruleset {' or '.join(suite.rules.claimable_names(check.ruleset))}",))
    adapted: Adapted | Unsupported = _expect_refusal(
        suite.capabilities, info, Adapted(check, planner_of(suite).request(check))
    )
    for way in _BEFORE:
        adapted = adapted if isinstance(adapted, Unsupported) else way(suite, info, adapted)
    adapted = adapted if isinstance(adapted, Unsupported) else _lead_to_position(suite, info, check, adapted, preludes)
    for way in _AFTER:
        adapted = adapted if isinstance(adapted, Unsupported) else way(suite, info, adapted)
    return adapted


@dataclass(frozen=True, slots=True)
class CheckAdapter:
    """Fits checks to one adapter. A check that was fitted `ahead` of its turn is stored until then."""

    suite: Suite
    info: AdapterInfo
    _ahead: dict[str, tuple[Check, Adapted | Unsupported]] = field(default_factory=dict)

    def adapt_ahead(self, check: Check) -> Adapted | Unsupported | None:
        """Fit a check before its turn and return it; None if its position cannot be completed."""
        try:
            adapted = adapt(self.suite, self.info, check)
        except CannotSetUp:
            return None
        self._ahead[check.id] = check, adapted
        return adapted

    def __call__(self, check: Check) -> Adapted | Unsupported:
        """Return a fitted check, from the store if it was fitted ahead; raises CannotSetUp if its position cannot be
        completed."""
        of, adapted = self._ahead.pop(check.id, (None, None))
        return adapted if adapted is not None and of is check else adapt(self.suite, self.info, check)


def _lead_to_position(
    suite: Suite, info: AdapterInfo, check: Check, adapted: Adapted, preludes: "Preludes | None"
) -> Adapted | Unsupported:
    """Lead the adapter to the position of a check, if it cannot be set up there and the steps need a position."""
    if info.position == "any":
        return adapted
    rules, steps = suite.rules.of(check.ruleset), adapted.plan.message["steps"]
    standalone_keys = StandaloneKeys(suite.schemas)
    if all(standalone_keys.can_stand_alone(rules, step) for step in steps):
        return adapted
    if info.position == "none" and all("ask" in step for step in steps):
        return ask_of_hands(standalone_keys, rules, adapted)
    if info.position == "none":
        return Unsupported((POSITION,))
    from hoyle_conformance.checks.adapt.from_deal import from_deal  # all of the preludes comes with it

    return from_deal(suite, info, check, adapted, preludes)


def ask_of_hands(standalone_keys: StandaloneKeys, rules: Rules, adapted: Adapted) -> Adapted | Unsupported:
    """Complete the questions that can stand alone, for an adapter without positions; drop those among them that cannot
    be completed, and return Unsupported if nothing is left."""
    message = adapted.plan.message
    asked = [standalone_keys.complete_if_alone(rules, step, message["position"]) for step in message["steps"]]
    left_out = frozenset(at for at, step in enumerate(asked) if step is None)
    steps = [step or message["steps"][at] for at, step in enumerate(asked)]
    plan = replace(adapted.plan, message=with_steps(message, steps))
    rest = drop_places(replace(adapted, plan=plan), left_out)
    return rest if any(rest.check.branches.values()) else Unsupported((POSITION,))


def _drop_unclaimed(suite: Suite, info: AdapterInfo, adapted: Adapted) -> Adapted | Unsupported:
    """Drop what the adapter does not claim. An adapter that chooses what to declare refuses no declaration."""
    by_itself = info.declares == BY_ITSELF
    return drop_unclaimed(suite.capabilities, claims_of_a_chooser(info.claims) if by_itself else info.claims, adapted)


def _drop_turns(suite: Suite, info: AdapterInfo, adapted: Adapted) -> Adapted | Unsupported:
    return drop_turns(suite.capabilities, info.claims, suite.rules.of(adapted.check.ruleset), adapted)


def _declare_as_sets(suite: Suite, info: AdapterInfo, adapted: Adapted) -> Adapted | Unsupported:
    if info.declarations != AS_A_SET:
        return adapted
    rules, word = suite.rules.of(adapted.check.ruleset), suite.capabilities.word
    return declare_as_sets(rules, adapted, lambda act: word(act) in info.claims)


def _group_draws(suite: Suite, info: AdapterInfo, adapted: Adapted) -> Adapted | Unsupported:
    return group_draws(suite.rules.of(adapted.check.ruleset), info, adapted)


def _expect_late_score(suite: Suite, info: AdapterInfo, adapted: Adapted) -> Adapted:
    return expect_late_score(suite, adapted) if info.score == LATER else adapted


def _leave_declarations_open(_suite: Suite, info: AdapterInfo, adapted: Adapted) -> Adapted:
    return leave_declarations_open(adapted) if info.declares == BY_ITSELF else adapted


def _expect_refusal(capabilities: Capabilities, info: AdapterInfo, adapted: Adapted) -> Adapted:
    """Expect the refusal of an irregular act from an adapter that carries out none."""
    irregular = IRREGULAR_ACTS in adapted.plan.needs - info.claims
    return expect_refusal(capabilities, adapted) if irregular else adapted


_Fitting = Callable[[Suite, AdapterInfo, Adapted], Adapted | Unsupported]
#: In this order: each takes what the one before has made of a check.
_BEFORE: Final[tuple[_Fitting, ...]] = (_drop_unclaimed, _drop_turns, _declare_as_sets, _group_draws)
_AFTER: Final[tuple[_Fitting, ...]] = (_expect_late_score, _leave_declarations_open)
