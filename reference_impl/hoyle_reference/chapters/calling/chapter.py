"""The chapters `classes` and `reckoning` as values, and the positions that make no sense in them.

Implements SEMANTICS-PIQUET.md, announce-1 and reckon-2.
"""

from typing import Final

from ...acts import CLASSES, Announce, Answer, ClassWinner, Declare, Reckoning, TrickPoints, Worth
from ...refusals import Malformed
from ...seats import Seat, ring, seat_name
from ...table.states import BlankState, Cause, Phase
from ...table.table import Table
from ..blank import BlankRules
from ..chapter import Ask, Chapter, Follows, Move, during
from ..declare.declarations import sense_of_combination
from . import announcements, class_scores, classes, reckoning
from .class_winner import whose_class_is_good
from .classes import ClassRules
from .precedence import first_as_reckoned
from .trick_points import trick_points


def sense(table: Table) -> None:
    """Raise Malformed where the classes are not decided in their time, or a height is none."""
    called = table.called
    if len(called.announced) != len(called.decided):
        raise Malformed("for each class that is decided it is said what was announced")
    decided = {
        Phase.ANNOUNCE: range(len(CLASSES)),
        Phase.PLAY: range(len(CLASSES), len(CLASSES) + 1),
    }.get(table.phase, range(1))
    if table.is_dealt and len(called.decided) not in decided:
        raise Malformed(f"{len(called.decided)} classes are decided, which cannot be in the phase '{table.phase}'")
    heights = [(class_, height) for class_, (_, height) in zip(CLASSES, called.announced, strict=False)]
    if table.phase is Phase.ANNOUNCE:
        heights.append((announcements.class_being_called(table), called.height))
    for class_, height in heights:
        if height:
            classes.height_said(class_, height, table.rules.of(ClassRules))


def sense_of_what_was_made(table: Table) -> None:
    """Raise Malformed where points of this deal are said to be made by what has not brought them."""
    for seat in ring(Seat(0), table.players):
        made, letter = table.made_of[seat], seat_name(seat)
        blank = table.rules.of(BlankRules).points.value if table.blanks[seat] is BlankState.SCORED else 0
        if made[Cause.BLANK] != blank:
            raise Malformed(f"by 'blanks' {letter} has made {blank} with a blank, by 'made_of' {made[Cause.BLANK]}")
        for at, class_ in enumerate(CLASSES):
            if made[class_] and seat not in table.called.decided[at : at + 1]:
                raise Malformed(f"{letter} has made {made[class_]} by the {class_}, which is not good for {letter}")
            scored = reckoning.scored_in(table, seat, class_)
            if made[class_] < scored:
                raise Malformed(f"by 'scored' {letter} has made {scored} by the {class_}, by 'made_of' {made[class_]}")
        if made[Cause.TRICKS] and not table.trick and not table.a_trick_is_won:
            raise Malformed(f"{letter} has made {made[Cause.TRICKS]} by tricks, and no card has been played")


_CALLS: Final = during(Phase.EXCHANGE, Phase.ANNOUNCE)
_ANSWERS: Final = during(Phase.ANNOUNCE)
_SPECIFIES: Final = during(Phase.ANNOUNCE, Phase.PLAY)

CHAPTER: Chapter = Chapter(
    "classes",
    classes.read,
    (
        Move(
            Announce,
            announcements.refuse_announce,
            announcements.announce,
            _CALLS,
            announcements.open_announcements,
            sense=announcements.sense_of_announcement,
        ),
        Move(Answer, announcements.refuse_answer, announcements.answer, _ANSWERS, announcements.open_answers),
        Move(
            Declare,
            class_scores.refuse_declare,
            class_scores.declare,
            _SPECIFIES,
            class_scores.open_declarations,
            sense=sense_of_combination,
        ),
    ),
    (Ask(Worth, class_scores.what_it_is_worth), Ask(ClassWinner, whose_class_is_good)),
    fields=lambda _rules: ("called",),
    combinations=lambda rules: rules.by_id,
    sense=sense,
)

RECKONING: Chapter = Chapter(
    "reckoning",
    reckoning.read,
    asks=(Ask(Reckoning, reckoning.what_hands_bring), Ask(TrickPoints, trick_points)),
    fields=lambda _rules: ("made_of",),
    sense=sense_of_what_was_made,
    follows=lambda _rules: Follows(
        on_play=reckoning.after_play,
        on_trick_points=reckoning.after_trick_points,
        first_as_reckoned=first_as_reckoned,
    ),
)
