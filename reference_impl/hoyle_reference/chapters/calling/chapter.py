"""The chapters `classes` and `reckoning` as values, their impossible positions, and questions about hands, calls and
tricks.

Implements SEMANTICS-PIQUET.md, announce-1, announce-5, count-5 and reckon-2.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from ...acts import (
    CLASSES,
    NOUGHT,
    POINT,
    SEQUENCE,
    SET,
    Announce,
    Answer,
    Call,
    ClassWinner,
    Declare,
    Play,
    Reckoning,
    TrickPoints,
    Worth,
)
from ...cards import Card, read_rank
from ...events import PIQUE, Event, Scored
from ...refusals import Grounds, Malformed
from ...seats import Seat, after, ring, seat_name
from ...table.states import BlankState, Cause, Phase
from ...table.table import Table, new_table
from ..blank import BlankRules
from ..chapter import Ask, Chapter, Follows, Move, Ruling, during
from ..deal import DealRules
from ..declare.declarations import sense_of_combination
from ..score import CARDS
from ..tricks import play, refuse_play, trick_winner
from . import announcements, class_scores, classes, reckoning
from .announcements import spoken
from .classes import ClassRules
from .precedence import first_as_reckoned
from .reckoning import CARTE_ROUGE, ReckoningRules, class_winner


def sense(table: Table) -> None:
    """Raise Malformed if the classes are not decided in order, or a height is invalid."""
    called = table.called
    if len(called.announced) != len(called.decided):
        raise Malformed("for each class that is decided it is said what was announced")
    decided = {
        Phase.ANNOUNCE: range(len(CLASSES)),
        Phase.PLAY: range(len(CLASSES), len(CLASSES) + 1),
    }.get(table.phase, range(1))
    if table.is_dealt and len(called.decided) not in decided:
        raise Malformed(f"{len(called.decided)} classes are decided, which cannot be in the phase '{table.phase}'")
    heights = [(class_, height) for class_, (_, height) in zip(table.classes, called.announced, strict=False)]
    if table.phase is Phase.ANNOUNCE:
        heights.append((announcements.class_being_called(table), called.height))
    for class_, height in heights:
        if height:
            classes.height_said(class_, height, table.rules.of(ClassRules))


def sense_of_what_was_made(table: Table) -> None:
    """Raise Malformed if the points of this deal include points for something that has not scored."""
    for seat in ring(Seat(0), table.players):
        made, letter = table.made_of[seat], seat_name(seat)
        blank = table.rules.of(BlankRules).points.value if table.blanks[seat] is BlankState.SCORED else 0
        if made[Cause.BLANK] != blank:
            raise Malformed(f"by 'blanks' {letter} has made {blank} with a blank, by 'made_of' {made[Cause.BLANK]}")
        for class_ in CLASSES:
            if made[class_] and table.good_for.get(class_) != seat:
                raise Malformed(f"{letter} has made {made[class_]} by the {class_}, which is not good for {letter}")
            scored = reckoning.scored_in(table, seat, class_)
            if made[class_] < scored:
                raise Malformed(f"by 'scored' {letter} has made {scored} by the {class_}, by 'made_of' {made[class_]}")
        if made[Cause.TRICKS] and not table.trick and not table.a_trick_is_won:
            raise Malformed(f"{letter} has made {made[Cause.TRICKS]} by tricks, and no card has been played")


#: The field that gives the height of a combination, in each class.
_HEIGHT: Final[Mapping[str, str]] = MappingProxyType({POINT: "value", SEQUENCE: "top", SET: "rank"})


def whose_class_is_good(table: Table, question: ClassWinner) -> Ruling:
    """Return the seat whose combinations of a class are good, or None."""
    if question.class_ not in CLASSES:
        raise Malformed(f"no class '{question.class_}' of combinations")
    if bool(question.hands) == bool(question.calls):
        raise Malformed("a class is compared by 'hands' or by 'calls'")
    if question.hands:
        return Ruling(*class_winner(table, question.by, question.class_, question.hands))
    return Ruling(*_between_calls(table, question.by, question.class_, question.calls))


def _between_calls(table: Table, elder: Seat, class_: str, calls: Sequence[Call]) -> tuple[Seat | None, Grounds]:
    """Return whose call is better, and why; None if both are equal, or there are none."""
    rules, younger = table.rules.of(ClassRules), after(elder, table.players)
    best, why = [_key(rules, class_, call) for call in calls], rules.best[class_].grounds
    if any(call.top == NOUGHT for call in calls):
        why += tuple(kind.path for kind in rules.by_id.values() if kind.void and kind.class_ == class_)
    if calls[elder].count == calls[younger].count > 0 and not (spoken(calls[elder]) and spoken(calls[younger])):
        raise Malformed(f"both are of {calls[elder].count} cards: '{_HEIGHT[class_]}' decides")
    if best[elder] == best[younger]:
        return None, why + (rules.equal.grounds if calls[elder].count else ())
    return (elder if best[elder] > best[younger] else younger), why


def _key(rules: ClassRules, class_: str, call: Call) -> tuple[int, int]:
    """Return a call in the form in which combinations are compared; raise Malformed if the class allows
    no such call."""
    told = {key for key in _HEIGHT.values() if getattr(call, key) not in {None, ""}}
    if not told <= ({_HEIGHT[class_]} if call.count else set()):
        raise Malformed(
            f"a {class_} is called by 'count' and '{_HEIGHT[class_]}', and that there is none by a count of 0"
        )
    lengths = {POINT: range(1, 9), SEQUENCE: rules.sequences, SET: rules.sets}[class_]
    if call.count and call.count not in lengths:
        raise Malformed(f"no {class_} has {call.count} cards")
    height = spoken(call)
    high = classes.height_said(class_, height, rules) if height else 0
    if height and not _is_possible(rules, class_, call):
        raise Malformed(f"no {class_} of {call.count} cards has the {_HEIGHT[class_]} {height}")
    return call.count, high


def _is_possible(rules: ClassRules, class_: str, call: Call) -> bool:
    """Whether a set can have the rank called, or a sequence of this length the top card called."""
    if class_ == SET:
        return read_rank(call.rank) in rules.set_ranks.value
    if call.top == NOUGHT:
        return any(kind.cards == call.count for kind in rules.by_id.values() if kind.void and kind.class_ == SEQUENCE)
    return class_ == POINT or read_rank(call.top) + 1 >= call.count


#: The causes of points in a deal that do not belong to these tricks alone.
_NOT_OF_A_DEAL: Final = frozenset({PIQUE, CARTE_ROUGE})
_NOT_OF_TRICKS: Final = _NOT_OF_A_DEAL | {CARDS}


def trick_points(table: Table, question: TrickPoints) -> Ruling:
    """Return the points of tricks, by playing them, without the bonuses that they contribute to. The scores at the end
    of a deal (the last trick, the cards, capot) count only if these are all its tricks."""
    players, leader, cards = table.players, question.by, question.cards
    tricks, whole = len(cards) // players, table.rules.of(DealRules).hand_size
    if len(cards) % players or not 0 < tricks <= whole:
        raise Malformed(f"the cards of 1 to {whole} tricks are {players} for each, not {len(cards)}")
    played = _table_of(table, leader, cards)
    others = [] if tricks == whole else [card for card in table.rules.pack if card not in cards]
    left_out = _NOT_OF_A_DEAL if tricks == whole else _NOT_OF_TRICKS
    grounds: list[str] = []
    for card in cards:
        for event in _played(played, card, others):
            if isinstance(event, Scored) and event.what in left_out:
                continue
            event.change(played)
            grounds += event.grounds
    return Ruling(tuple(sum(made.values()) for made in played.made_of), tuple(grounds))


def _played(table: Table, card: Card, others: list[Card]) -> Iterator[Event]:
    """Yield the events of playing the next card; raise Malformed if it may not be played. While the deal goes on, a
    player is left with one unknown card."""
    seat = table.turn
    act = Play(seat, card)
    if (refused := refuse_play(table, act)) is not None:
        raise Malformed(f"a card of these cannot be played: {refused.message}")
    if others and len(table.hands[seat]) == 1:
        table.hands[seat].append(others.pop())
    yield from play(table, act)


def _table_of(table: Table, leader: Seat, cards: tuple[Card, ...]) -> Table:
    """Return a table for playing these cards, at which each player holds the cards to come from that seat."""
    fresh = new_table(table.rules)
    fresh.phase, fresh.leader, fresh.turn = Phase.PLAY, leader, leader
    fresh.dealer = after(leader, table.players)
    for at in range(0, len(cards), table.players):
        trick, order = cards[at : at + table.players], ring(leader, table.players)
        for seat, card in zip(order, trick, strict=True):
            fresh.hands[seat].append(card)
        leader = order[trick_winner(fresh, trick)[0]]
    return fresh


CHAPTER: Chapter = Chapter(
    "classes",
    classes.read,
    (
        Move(
            Announce,
            announcements.refuse_announce,
            announcements.announce,
            during(Phase.EXCHANGE, Phase.ANNOUNCE),
            announcements.open_announcements,
            sense=announcements.sense_of_announcement,
        ),
        Move(
            Answer,
            announcements.refuse_answer,
            announcements.answer,
            during(Phase.ANNOUNCE),
            announcements.open_answers,
        ),
        Move(
            Declare,
            class_scores.refuse_declare,
            class_scores.declare,
            during(Phase.ANNOUNCE, Phase.PLAY),
            class_scores.open_declarations,
            sense=sense_of_combination,
        ),
    ),
    (Ask(Worth, class_scores.what_it_is_worth), Ask(ClassWinner, whose_class_is_good)),
    fields=lambda rules: ("called", "sets_first") if rules.order.value else ("called",),
    combinations=lambda rules: rules.by_id,
    sense=sense,
)

RECKONING: Chapter = Chapter(
    "reckoning",
    lambda cells: cells.compiled(ReckoningRules),
    asks=(Ask(Reckoning, reckoning.what_hands_bring), Ask(TrickPoints, trick_points)),
    fields=lambda _rules: ("made_of",),
    sense=sense_of_what_was_made,
    follows=lambda _rules: Follows(
        on_play=reckoning.after_play,
        on_trick_points=reckoning.after_trick_points,
        first_as_reckoned=first_as_reckoned,
    ),
)
