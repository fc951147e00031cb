"""The player who reaches the target of the game first, where points before the play count in the order of reckoning.

Elder calls and scores before younger does, but younger's score in an earlier class counts before elder's score in a
later one.

The game ends only when it is certain who is first: elder, who scores first, may have to wait for the good combinations
in younger's hand.

Implements SEMANTICS-PIQUET.md, reckon-3 to reckon-7.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from ...acts import CLASSES
from ...events import Event, Scored
from ...events.combinations import ClassDecided
from ...events.referee import RECKONS_NOTHING, reckoned_so_far
from ...refusals import Grounds
from ...seats import Seat, ring
from ...table.states import Cause
from ...table.table import Table
from ..referee.rows import is_ruled
from ..score import CAPOT, CARDS, ScoreRules, certain_of_the_cards
from ..settle import SettleRules
from . import reckoning
from .class_scores import most_to_score
from .reckoning import ReckoningRules

#: The heads of the points before the play, in the order of reckoning.
_CLASSES: Final = tuple(map(Cause, CLASSES))
_HEADS: Final = (Cause.BLANK, *_CLASSES)
#: The cause that a repique counts with, or none; and its score (points).
Repique = tuple[Cause | None, int]


def first_as_reckoned(table: Table, event: Event) -> tuple[Seat | None, int, Grounds]:
    """Return who has reached the target first, if an event makes that certain, the other player's points that count
    before that, and why (cells `settle.winner`, `settle.bonuses`, `settle.repique_once_won`, `reckoning.order`)."""
    rules = table.rules.of(SettleRules)
    target = rules.target.value
    if max(table.score) < target:
        return None, 0, ()
    elder, younger = ring(table.elder, table.players)
    why = table.rules.of(ReckoningRules).order.grounds + rules.bonuses_last.grounds
    if isinstance(event, Scored) and event.cause in _CLASSES:
        brings_a_repique = reckoning.brings_a_repique(table, event.seat, event.points)
    else:
        brings_a_repique = isinstance(event, ClassDecided) and reckoning.is_due_a_repique(table, elder)
    if brings_a_repique:
        if rules.repique_once_won.value:  # this score is marked first
            return None, 0, ()
        why += rules.repique_once_won.grounds
    elif isinstance(event, Scored) and event.what == reckoning.REPIQUE:
        why += rules.repique_once_won.grounds
    elders, youngers = (_sums(table, table, seat, reckoning.repique_of(table, seat)) for seat in (elder, younger))
    could_be = _youngers_at_most(table, younger)
    sets_to_come = len(table.called.decided) < len(CLASSES)
    for head in range(len(elders)):
        if elders[head] >= target:
            after_the_sets = head == len(_HEADS)
            is_open = head > 0 and (could_be[head - 1] >= target or (after_the_sets and sets_to_come))
            is_open |= not table.good_for.keys() >= set(CLASSES[: max(head - 1, 0)])
            return (None, 0, ()) if is_open else (elder, could_be[max(0, head - 1)], why)
        if youngers[head] >= target:
            return (None, 0, ()) if _elder_could_be_first(table, elder, head) else (younger, elders[head], why)
    is_open = sets_to_come or could_be[-1] >= target
    to_come = could_be[-1] - youngers[-1]
    return (None, 0, ()) if is_open else (_first_in_the_play(table, event), min(table.score) + to_come, why)


def _sums(table: Table, counted: Table, seat: Seat, repique: Repique) -> Sequence[int]:
    """Return a player's points after each head before the play, including those counted on another table in this deal.
    A repique counts with its own cause, or under a separate head after the others."""
    made, (brought_about, points) = counted.made_of[seat], repique
    if is_ruled(table, seat, RECKONS_NOTHING):
        made, points = {**dict.fromkeys(_HEADS, 0), Cause.BLANK: made[Cause.BLANK]}, 0
    heads = [made[head] + (points if head == brought_about else 0) for head in _HEADS]
    if table.rules.of(SettleRules).bonuses_last.value:
        heads = [*(made[head] for head in _HEADS), points]
    before = table.score[seat] - reckoned_so_far(table, seat)
    return list(accumulate(heads, initial=before))[1:]


def _youngers_at_most(table: Table, younger: Seat) -> Sequence[int]:
    """Return younger's maximum points after each head, counting everything good before younger plays to
    the first lead."""
    counted = table.copy()
    if not table.a_trick_is_won and len(table.trick) < table.players:
        for class_, winner in table.good_for.items():
            counted.made_of[younger][class_] += most_to_score(table, younger, class_) if winner == younger else 0
    repique = reckoning.repique_of(counted, younger)
    if reckoning.is_due_a_repique(counted, younger):
        repique = reckoning.reached_with(counted, younger), table.rules.of(ReckoningRules).repique.value
    return _sums(table, counted, younger, repique)


def _elder_could_be_first(table: Table, elder: Seat, head: int) -> bool:
    """Whether elder could reach the target before one of younger's heads through a repique that younger's play without
    scoring would make."""
    if head == 0 or not reckoning.is_to_have_a_repique(table, elder):
        return False
    repique = reckoning.reached_with(table, elder), table.rules.of(ReckoningRules).repique.value
    return _sums(table, table, elder, repique)[head - 1] >= table.rules.of(SettleRules).target.value


def _first_in_the_play(table: Table, event: Event) -> Seat | None:
    """Return who has reached the target in the play, where a pique counts with its own cause; or, after the play, by
    the cards or by capot."""
    bonus = event if isinstance(event, Scored) and event.what in {CARDS, CAPOT} else None
    score = list(table.score)
    if table.rules.of(SettleRules).bonuses_last.value and (bonus is None or all(table.hands)):
        for seat in ring(table.elder, table.players):
            score[seat] -= _pique_of(table, seat)
    stages = [score]
    if bonus is not None:
        before = list(score)
        before[bonus.seat] -= bonus.points
        stages.insert(0, before)
    target = table.rules.of(SettleRules).target.value
    return next((seat for points in stages for seat in ring(table.elder, 2) if points[seat] >= target), None)


def _pique_of(table: Table, seat: Seat) -> int:
    """Return a player's points for a pique during the play: of the bonuses, neither the repique nor the cards, if these
    are scored as soon as they are certain."""
    bonus = table.made_of[seat][Cause.BONUS] - reckoning.repique_of(table, seat)[1]
    cards = table.rules.of(ScoreRules).cards.value if certain_of_the_cards(table) == seat else 0
    return 0 if bonus in {0, cards} else table.rules.of(ReckoningRules).pique.value
