"""Precedence: who comes first to the target of the game, where points before the play count in the order of reckoning.

Elder calls and scores before younger does; what younger then scores in an earlier class counts before what elder has
scored in a later one.
"""

from typing import Final

from ...table.refusals import Grounds
from ...table.seats import Seat, ring
from ...table.states import Cause
from ...table.table import Table
from .classes import CLASSES
from .reckoning import ReckoningRules, repique_of

#: Under what points are reckoned that are made before the play, in order.
_HEADS: Final = (Cause.BLANK, *map(Cause, CLASSES))


def first_as_reckoned(table: Table) -> tuple[Seat | None, Grounds]:
    """Who has come first to the target, if that is certain, and why (cells `settle.winner`, `reckoning.order`)."""
    target, order = table.rules.settle.target.value, table.rules.of(ReckoningRules).order.grounds
    sums = [score - sum(made.values()) for score, made in zip(table.score, table.made_of, strict=True)]
    for at, head in enumerate(_HEADS):
        for seat in ring(table.elder, table.players):
            sums[seat] += _made_under(table, seat, head)
            if sums[seat] >= target:
                return seat, order
        if at and _may_still_score(table, at - 1):
            return None, ()
    in_the_play = (seat for seat in ring(table.elder, table.players) if table.score[seat] >= target)
    return next(in_the_play, None), order


def _made_under(table: Table, seat: Seat, head: Cause) -> int:
    """What a player has made under a head of the reckoning, with the repique it has brought about (points)."""
    brought_about, points = repique_of(table, seat)
    return table.made_of[seat][head] + (points if head == brought_about else 0)


def _may_still_score(table: Table, class_: int) -> bool:
    """Whether a class is good for younger, who has still to play to the first lead, and scores it before that."""
    has_played = table.a_trick_is_won or len(table.trick) == table.players
    return not has_played and table.called.decided[class_ : class_ + 1] == (table.dealer,)
