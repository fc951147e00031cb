"""A history played to the position of a check, and verified there; and checks to which none can lead."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.preludes.play import Played, PlayedHistory, before_the_deal, play
from hoyle_conformance.checks.preludes.prelude import NoPrelude, Prelude, Why
from hoyle_conformance.checks.preludes.target import PreludeTarget, wanted
from hoyle_conformance.checks.preludes.unreachable import impossible
from hoyle_conformance.checks.preludes.verify import comes_out_alike, differs
from hoyle_conformance.checks.request import CannotSetUp, RunRequest
from hoyle_conformance.checks.setup.complete import complete
from hoyle_conformance.checks.setup.given import read_seat
from hoyle_conformance.suite.capabilities import IRREGULAR_FIELDS
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Refusal, Rules, read_position, write_act, write_position

NO_HISTORY: Final = NoPrelude(Why.NOT_FOUND, "no legal history was found within the bounds of the search")
_SCORE: Final = NoPrelude(Why.SCORE, "every history that was found scores more points than the position has")
_MATTERS: Final = NoPrelude(Why.MATTERS, "after every history that was found, the steps have a different outcome")


@dataclass(frozen=True, slots=True)
class TriedVariant:
    """A check whose position is completed in one way, for which histories are tried."""

    suite: Suite
    check: Check
    plan: RunRequest
    variant: int
    position: Mapping[str, Any]
    sought: PreludeTarget

    @property
    def rules(self) -> Rules:
        """The rules of the check's own ruleset."""
        return self.suite.rules.of(self.check.ruleset)


@dataclass(frozen=True, slots=True)
class FoundHistory:
    """A history that was found, and the variant of the position's completion that it leads to."""

    played: Played
    variant: int
    tricks: int
    rests_on: tuple[str, ...] = ()

    @property
    def prelude(self) -> Prelude:
        """The history as the protocol writes it."""
        before = self.played.before
        is_new = not any(before.score) and not before.deals and not any(before.packets)
        return Prelude(
            start=write_position(self.played.start),
            acts=tuple(map(write_act, self.played.acts)),
            reached=write_position(self.played.reached),
            before=write_position(before),
            deal=write_act(self.played.deal),
            from_new_game=is_new and before.deals_left == before.rules.least_deals,
            tricks=self.tricks,
            rests_on=self.rests_on,
        )


def never(check: Check) -> NoPrelude | None:
    """Return why a check has no prelude whatever the rules: no cards are dealt in it, or something is irregular
    already."""
    given = check.scenario.given
    if "before" in given:
        return NoPrelude(Why.BEFORE_THE_DEAL, "no cards have been dealt")
    if irregular := sorted(IRREGULAR_FIELDS & given.keys()):
        named = " and ".join(f"'{key}'" for key in irregular)
        return NoPrelude(Why.IRREGULAR, f"{named}: an irregularity leads to such a position, or it is set up by hand")
    return None


def proved_impossible(suite: Suite, check: Check) -> NoPrelude | None:
    """Return why no legal history can lead to the position of a check; None if that is not proved."""
    trying = None if never(check) else tried(suite, check, 0)
    why = impossible(trying.sought) if trying else ""
    return NoPrelude(Why.IMPOSSIBLE, f"impossible: {why}") if why else None


def tried(suite: Suite, check: Check, variant: int) -> TriedVariant | None:
    """Complete the position of a check by a variant; return None if it cannot be completed so."""
    rules, plan, scenario = suite.rules.of(check.ruleset), planner_of(suite).request(check), check.scenario
    try:
        position = complete(rules, scenario.given, scenario.steps, variant) if variant else plan.message["position"]
    except CannotSetUp:
        return None
    sought = wanted(read_position(rules, position), scenario.given)
    return TriedVariant(suite, check, plan, variant, position, sought)


def follow(trying: TriedVariant, course: PlayedHistory) -> FoundHistory | NoPrelude:
    """Play a history and verify it under the check's own rules; return what is wrong if it fails."""
    sought = trying.sought
    nothing = [0] * len(sought.rules.sides)
    played = play(before_the_deal(sought.table, nothing), course, sought.table.packets)
    if isinstance(played, Refusal):
        return NO_HISTORY
    score = _score_before(sought, played)
    if min(score) < 0:
        return _SCORE
    if any(score):
        played = play(before_the_deal(sought.table, score), course, sought.table.packets)
    if isinstance(played, Refusal) or differs(sought.table, sought.given, played.reached):
        return NO_HISTORY
    reached = write_position(played.reached)
    if not comes_out_alike(trying.rules, trying.check, trying.plan, trying.position, reached):
        return _MATTERS
    return FoundHistory(played, trying.variant, course.tricks)


def _score_before(sought: PreludeTarget, played: Played) -> list[int]:
    """Return the score before the deal: what is given, less what was made since; 0 if none is given."""
    score = [0] * len(sought.rules.sides)
    for letter, points in sought.given.get("score", {}).items():
        side = read_seat(letter)
        score[side] = points - played.reached.score[side]
    return score
