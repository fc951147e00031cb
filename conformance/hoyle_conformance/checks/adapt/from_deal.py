"""Checks for adapters that cannot be set up in a position: legal acts lead there from a deal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import POSITION, Adapted, Unsupported, unsupported
from hoyle_conformance.checks.adapt.draws import declares_once_a_trick, group_rounds, join_draws_to_declarations
from hoyle_conformance.checks.adapt.grouping import reference_steps
from hoyle_conformance.checks.preludes.prelude import NoPrelude, Prelude
from hoyle_conformance.checks.preludes.store import prelude_of
from hoyle_conformance.checks.request import RequestSteps
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

Step = Mapping[str, Any]

#: What the table waits for before any card is dealt.
_BEFORE_THE_DEAL: Final = frozenset({"cut", "choose", "deal"})


#: Whatever gives a check its prelude, or says why it has none.
Preludes = Callable[[Suite, Check], Prelude | NoPrelude]


def from_deal(
    suite: Suite, info: AdapterInfo, check: Check, adapted: Adapted, preludes: Preludes | None = None
) -> Adapted | Unsupported:
    """Begin a check with a deal and the acts that lead to its position, for an adapter that takes all of these acts."""
    position = adapted.plan.message["position"]
    if position["phase"] in _BEFORE_THE_DEAL and "hands" not in position:
        return adapted if info.position == "from-deal" or is_new(position) else Unsupported((POSITION,))
    prelude = (preludes or prelude_of)(suite, check)
    if isinstance(prelude, NoPrelude) or prelude.rests_on:
        return Unsupported((POSITION,))
    if info.position == "deal" and not prelude.from_new_game:
        return Unsupported((POSITION,))
    begins, acts = _beginning(info, prelude)
    unclaimed = {suite.capabilities.word(act) for act in acts} - info.claims - _implied_claims(info)
    sent = _as_sent(info, acts, len(adapted.plan.seats))
    at_once = info.draws != "with-the-declaration" or declares_once_a_trick(suite.rules.of(check.ruleset), begins, acts)
    if sent is None or not at_once:
        return Unsupported((POSITION,))
    return unsupported(unclaimed) if unclaimed else _add_prelude(adapted, prelude, begins, acts, sent)


def is_new(position: Mapping[str, Any]) -> bool:
    """Whether a position is the beginning of a game: nobody has scored, and nothing has been dealt."""
    return not any(position["score"].values()) and not position.get("deals")


def _beginning(info: AdapterInfo, prelude: Prelude) -> tuple[Mapping[str, Any], Sequence[Step]]:
    """Return the position in which an adapter begins, and the acts from there."""
    if info.position == "deal":
        return prelude.before, (prelude.deal, *prelude.acts)
    return prelude.start, prelude.acts


def _implied_claims(info: AdapterInfo) -> frozenset[str]:
    """Return the words that need no claim: an adapter that begins with a pack takes the deal of that pack."""
    return frozenset({"deal"}) if info.position == "deal" else frozenset()


def _as_sent(info: AdapterInfo, acts: Sequence[Step], players: int) -> Sequence[Step] | None:
    """Return the acts in the form that an adapter takes; None if they cannot lead it to the position."""
    declares_so = info.declares == "as-asked" and info.declarations == "one-by-one"
    if not declares_so and any(act["do"] == "declare" for act in acts):
        return None
    if info.draws == "one-by-one":
        return acts
    together = group_rounds(acts, players)
    groups = join_draws_to_declarations(together) if info.draws == "with-the-declaration" else together
    sent = [group.step for group in groups]
    return None if any(act["do"] == "draw" for act in sent) else sent


def _add_prelude(
    adapted: Adapted, prelude: Prelude, begins: Mapping[str, Any], acts: Sequence[Step], sent: Sequence[Step]
) -> Adapted:
    """Add a prelude to a check: to the message sent, and to the steps of the reference."""
    course = reference_steps(adapted.plan)
    whole = {**course.message, "position": begins, "steps": [*acts, *course.message["steps"]]}
    at = tuple(len(acts) + each for each in course.at)
    message = {**adapted.plan.message, "position": begins, "prelude": list(sent)}
    return replace(
        adapted, plan=replace(adapted.plan, message=message, course=RequestSteps(whole, at, prelude.reached))
    )
