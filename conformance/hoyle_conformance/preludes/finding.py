"""Finding: the prelude of a check, if it has one."""

from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from hoyle_reference import Refusal, Rules, Table, read_position, write_act, write_position

from ..model import Check
from ..positions.complete import complete
from ..positions.plan import IRREGULAR
from ..positions.prepared import Incomplete, Plan
from ..suite.value import Suite
from . import drawn, exchanged
from .playing import Course, Played, before_the_deal, comes_to, play
from .proving import comes_out_alike, differs
from .value import NoPrelude, Prelude, Why
from .wanted import Wanted, wanted

#: The variants by which the position is completed, one after the other; how many tricks are tried for each, and how
#: many whole histories.
_VARIANTS: Final = (0, 1, 2, 3, 4)
_HISTORIES: Final = 12


def find(suite: Suite, check: Check) -> Prelude | NoPrelude:
    given = check.scenario.given
    if "before" in given:
        return NoPrelude(Why.BEFORE_THE_DEAL, "no cards are dealt yet")
    irregular = sorted(IRREGULAR & given.keys())
    if irregular:
        return NoPrelude(Why.IRREGULAR, "what is irregular in it comes about by an irregular act")
    rules, plan = suite.rules(check.ruleset), suite.plan(check)
    reasons: list[NoPrelude] = []
    for variant in _VARIANTS:
        try:
            position = plan.message["position"] if not variant else complete(rules, given, check.scenario.steps, variant)
        except Incomplete:
            continue
        then = read_position(rules, position)
        sought = wanted(then, given)
        found = _find(suite, check, plan, sought, position, reasons)
        if found:
            return found
    return max(reasons, key=lambda each: list(Why).index(each.why), default=NoPrelude(Why.NOT_FOUND, "no history was found"))


def _find(suite, check, plan, sought, position, reasons) -> Prelude | None:
    rules = sought.rules
    game = exchanged if "talon" in rules.chapters else drawn
    for course in islice(game.histories(sought), _HISTORIES):
        before = before_the_deal(sought.table, [0] * len(rules.sides))
        played = play(before, course, sought.table.packets)
        if isinstance(played, Refusal):
            reasons.append(NoPrelude(Why.NOT_FOUND, "refused "+played.code))
            continue
        if sought.given.get("score"):
            score = [0] * len(rules.sides)
            for letter, points in sought.given["score"].items():
                side = "ABCD".index(letter)
                score[side] = points - played.reached.score[side]
            if min(score) < 0:
                reasons.append(NoPrelude(Why.NOT_FOUND, "score"))
                continue
            if any(score):
                played = play(before_the_deal(sought.table, score), course, sought.table.packets)
                if isinstance(played, Refusal):
                    reasons.append(NoPrelude(Why.NOT_FOUND, "refused with score "+played.code))
                    continue
        wrong = differs(sought.table, sought.given, played.reached)
        if wrong:
            reasons.append(NoPrelude(Why.NOT_FOUND, "differs " + wrong))
            continue
        reached = write_position(played.reached)
        if not comes_out_alike(rules, check, plan, position, reached):
            reasons.append(NoPrelude(Why.MATTERS, "outcome"))
            continue
        disputed = _disputed(suite, check, plan, played, position, reached)
        if disputed:
            reasons.append(NoPrelude(Why.DISPUTED, disputed))
            continue
        return Prelude(write_position(played.start), tuple(map(write_act, played.acts)), reached, write_act(played.deal), write_position(played.before), not any(played.before.score) and not played.before.deals, course.tricks)
    return None


def _disputed(suite: Suite, check: Check, plan: Plan, played: Played, position, reached) -> str:
    for cell in suite.cells(check.ruleset):
        if cell.path.startswith("referee."):
            continue
        for each in cell.readings:
            if each.name == cell.follows:
                continue
            rules = suite.rules(check.ruleset, {cell.path: each.name})
            table = comes_to(rules, played)
            if table is None or not _alike(played.reached, table):
                return cell.path
    return ""


def _alike(one: Table, other: Table) -> bool:
    """Whether two tables show the same, however the tricks lie that were won."""
    return one.is_dealt == other.is_dealt and all(
        each.kind.same(getattr(one, each.name)) == each.kind.same(getattr(other, each.name))
        for each in one.told
        if each.name != "heap"
    )
