"""Precedence: who comes first to the target of the game, where points before the play count in the order of reckoning.

Elder calls and scores before younger does; what younger then scores in an earlier class counts before what elder has
scored in a later one.
"""

from typing import Final

from ...table.refusals import Grounds
from ...table.seats import Seat, after, ring
from ...table.states import Cause
from ...table.table import Table
from .classes import CLASSES
from .reckoning import ReckoningRules, is_due_a_repique, is_to_have_a_repique, repique_of
from .specifying import has_more_to_score

#: Under what points are reckoned that are made before the play, in order.
_HEADS: Final = (Cause.BLANK, *map(Cause, CLASSES))


def first_as_reckoned(table: Table) -> tuple[Seat | None, Grounds]:
    """Who has come first to the target, if that is certain, and why (cells `settle.winner`, `reckoning.order`)."""
    target, order = table.rules.settle.target.value, table.rules.of(ReckoningRules).order.grounds
    younger = after(table.elder, table.players)
    sums = [score - sum(made.values()) for score, made in zip(table.score, table.made_of, strict=True)]
    repiques = [repique_of(table, Seat(seat)) for seat in range(table.players)]
    has_played = table.a_trick_is_won or len(table.trick) == table.players
    open_ = not has_played and is_due_a_repique(table, younger)  # whether younger may yet score what comes before
    for head in _HEADS:
        for seat in ring(table.elder, table.players):
            brought_about, points = repiques[seat]
            sums[seat] += table.made_of[seat][head] + (points if head == brought_about else 0)
            if sums[seat] >= target:
                return (None, ()) if _may_be_overtaken(table, seat, open_=open_) else (seat, order)
        open_ = open_ or (not has_played and _may_still_score(table, younger, head))
    in_the_play = (seat for seat in ring(table.elder, table.players) if table.score[seat] >= target)
    return (None, ()) if open_ else (next(in_the_play, None), order)


def _may_be_overtaken(table: Table, seat: Seat, *, open_: bool) -> bool:
    """Whether the other player could still come first: younger by scoring what is open, elder by the repique that is
    made when younger leaves it unscored."""
    if seat == table.elder:
        return open_
    return not table.made_of[table.elder][Cause.BONUS] and is_to_have_a_repique(table, table.elder)


def _may_still_score(table: Table, younger: Seat, head: Cause) -> bool:
    """Whether younger, who counts what is good before playing to the first lead, has more of a class to count."""
    if head not in CLASSES:
        return False
    at = CLASSES.index(head)
    return table.called.decided[at : at + 1] == (younger,) and has_more_to_score(table, younger, head)
