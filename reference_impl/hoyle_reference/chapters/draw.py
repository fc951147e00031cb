"""Drawing after each trick: every player draws a card, the trick's winner first, while the stock lasts.

Implements SEMANTICS-BEZIQUE.md, draw-1 to draw-6; SEMANTICS-PENALTIES.md, choice-6 and penalty-state-11.
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Final

from ..acts import Choose, Counted, Draw
from ..cards import Card
from ..cells import Cells, Rule, cell, word
from ..events import Drew, Event, awaits
from ..events.referee import LeftUndrawn, RoundDrawn, ShownTo, Unruled
from ..frozen import frozen
from ..refusals import Grounds, Malformed, Refusal
from ..seats import Seat, after, ring, seat_name
from ..table.states import Phase
from ..table.table import Table
from . import score
from .chapter import Ask, Chapter, Move, Offer, Procedure, during, make_offer
from .declare import declarations
from .referee import rows
from .referee.rows import RefereeRules

#: A global, since Python is slow to look up a member of an enumeration.
_DRAW: Final = Phase.DRAW
_PLAY: Final = Phase.PLAY
_DRAWING: Final = frozenset({Phase.DECLARE, Phase.DRAW})


@frozen
class DrawRules:
    """The rules for drawing after each trick: the order, the end, and who takes the turn-up."""

    #: The cells behind a draw that is not the last.
    in_turn: Grounds
    first: Rule[str]
    when: Rule[str]
    until: Rule[str] = cell("draw.until", word)
    turn_up: Rule[str] = cell("draw.turn_up", word, otherwise="")


def read(cells: Cells) -> DrawRules:
    """Compile the cells of this chapter."""
    first, when = cells.rule("draw.first", word), cells.rule("draw.when", word)
    return cells.compiled(DrawRules, first=first, when=when, in_turn=first.grounds + when.grounds)


def refuse_draw(table: Table, act: Draw) -> Refusal | None:
    """Return why a draw is refused, or None: players draw in turn after a trick, and only while there are cards to draw
    (cells `draw.*`)."""
    rules = table.rules.of(DrawRules)
    if table.phase not in _DRAWING:
        out_of_time = rules.when if table.drawing else rules.until
        return Refusal("not-now", out_of_time.grounds if table.phase is Phase.PLAY else ())
    if act.by != table.turn:
        return Refusal("not-your-turn", rules.first.grounds)
    due, why = due_to_draw(table, act.by)
    if act.count == due:
        return None
    return Refusal("too-few-drawn" if act.count < due else "too-many-drawn", why)


def due_to_draw(table: Table, seat: Seat) -> tuple[int, Grounds]:
    """Return how many cards a player draws after this trick, and why: one, unless the hand is to be corrected; two only
    if they leave a card for each player who has yet to draw."""
    due, why = rows.due_by_the_hand(table, seat)
    if why and due <= max(1, table.left_to_draw - len(table.still_to_draw) + 1):
        return due, why
    return 1, table.rules.of(DrawRules).when.grounds


def sense_of_draw(_table: Table, act: Draw) -> None:
    """Raise Malformed if the number of cards is negative."""
    if act.count < 0:
        raise Malformed(f"{act.count} cards cannot be drawn")


def draw(table: Table, act: Draw) -> Iterator[Event]:
    """Return the draw of a card: the top card, or the turn-up when only it is left; the last card ends the
    declarations.

    If a player may choose a card of the next draw, because nobody has drawn yet and cards already seen are left, the
    choice comes first, and with it both players have drawn.
    """
    may_choose = table.referee.chooser is not None and table.referee.seen_ahead and act.count == 1
    if may_choose and table.left_to_draw > 1 and len(table.still_to_draw) == table.players:
        return _lets_choose(table)
    return chain(takes(table, act), goes_on(table, act))


def takes(table: Table, act: Draw) -> Iterator[Event]:
    """Yield the cards that a player draws, one after another."""
    why = due_to_draw(table, act.by)[1] if act.count != 1 else ()
    for _ in range(act.count):
        yield from _takes(table, act.by, table.stock[-1] if table.stock else table.turn_up)
    if not act.count:
        yield from _misses_the_draw(table, act.by, why)
    elif act.count > 1:
        yield rows.miscount(table, act.by, act.count - 1, why)


def goes_on(table: Table, act: Draw) -> Iterator[Event]:
    """Yield the next player's turn to draw, if a player and a card are left; otherwise the end of the round."""
    following = after(act.by, table.players)
    if following != table.leader and table.drawing and True not in table.referee.drawn_early:
        yield awaits(_DRAW, following)  # the usual case
        return
    owed = [seat for seat in table.still_to_draw if seat != act.by]
    if not (owed and table.drawing):
        for seat in owed:
            yield from _misses_the_draw(table, seat, table.rules.of(DrawRules).until.grounds)
            yield from rows.has_missed_no_draw(table, seat)
        yield from round_is_over(table)
    elif act.by == table.turn:
        yield awaits(Phase.DRAW, owed[0])


def _misses_the_draw(table: Table, seat: Seat, why: Grounds) -> Iterator[Event]:
    """Yield that a player draws no card after this trick, and so has one card too few."""
    for follows in table.rules.of(Procedure).on_missed_draw:
        yield from follows(table, seat)
    yield rows.miscount(table, seat, -1, why)


def _takes(table: Table, seat: Seat, card: Card | None) -> Iterator[Event]:
    assert card is not None, "a table that awaits a draw has a card to draw"
    yield Drew(seat, card, table.rules.of(DrawRules).in_turn if table.left_to_draw > 1 else _why_the_last(table))
    for follows in table.rules.of(Procedure).on_draw:
        yield from follows(table, seat, card)
    if rows.is_ruled(table, seat, rows.SHOWS_NEXT_CARD):
        why = rows.why_ruled(table, rows.SHOWS_NEXT_CARD)
        yield ShownTo(after(seat, table.players), (card,), why)
        yield Unruled(seat, rows.SHOWS_NEXT_CARD, why)


def round_is_over(table: Table) -> Iterator[Event]:
    """Yield the end of a round in which everybody has drawn. Cards too few for another round may be left, and the end
    of the stock ends the declarations."""
    if True in table.referee.drawn_early:
        yield RoundDrawn()
    rules = table.rules.get(RefereeRules) if 0 < table.left_to_draw < table.players else None
    if rules is not None and rules.odd_card_is_left.value:
        yield LeftUndrawn(tuple(table.stock), rules.odd_card_is_left.grounds)
    if not table.drawing:
        yield from declarations.ends_with_the_stock(table)
    yield awaits(_PLAY, table.leader)


# The choice of the next cards

#: The choices: the top card, or the one under it.
UPPER: Final = "upper-card"
LOWER: Final = "lower-card"


def _lets_choose(table: Table) -> Iterator[Event]:
    """Yield the next two cards as seen by the player who chooses between them, and by the others if
    they are turned up."""
    assert table.referee.chooser is not None, "somebody may choose"
    why, cards = rows.why_ruled(table, rows.OTHER_CHOOSES), table.next_cards(2)
    yield ShownTo(table.referee.chooser, cards, why)
    for seat in ring(Seat(0), table.players):
        if rows.is_ruled(table, seat, rows.CARDS_ARE_FACED):
            yield ShownTo(seat, cards, why)
    yield from make_offer(NEXT_CARDS, table, table.referee.chooser)


def next_cards(table: Table, act: Choose) -> Iterator[Event]:
    """Yield the draw of both players: the chooser's card, and the other card for the other player."""
    upper, lower = table.next_cards(2)
    own, others = (upper, lower) if act.choice == UPPER else (lower, upper)
    cards = {act.by: own, after(act.by, table.players): others}
    for seat in ring(table.leader, table.players):
        yield from _takes(table, seat, cards[seat])
    for seat in ring(Seat(0), table.players):
        if rows.is_ruled(table, seat, rows.CARDS_ARE_FACED) and not table.referee.seen_ahead:
            yield Unruled(seat, rows.CARDS_ARE_FACED, rows.why_ruled(table, rows.CARDS_ARE_FACED))
    yield from round_is_over(table)


_UPPER_OR_LOWER: Final = (UPPER, LOWER)
NEXT_CARDS: Final = Offer(
    _UPPER_OR_LOWER,
    lambda table: rows.why_ruled(table, rows.OTHER_CHOOSES),
    next_cards,
    lambda table: _UPPER_OR_LOWER if table.referee.chooser is not None and table.referee.claim is None else (),
)


def _why_the_last(table: Table) -> Grounds:
    """Return the cells behind the last card drawn, after which the cards on the table may stay there."""
    rules = table.rules.of(DrawRules)
    which = rules.when if table.stock else rules.turn_up
    return rules.first.grounds + which.grounds + rules.until.grounds + declarations.left_lying(table)


def open_draws(table: Table) -> list[Draw]:
    """Return the draw of the player whose turn it is."""
    return [_draw_of(table.turn, due_to_draw(table, table.turn)[0])]


@cache
def _draw_of(seat: Seat, count: int) -> Draw:
    return Draw(seat, count)


def sense(table: Table) -> None:
    """Raise Malformed if there is nothing to draw, or nobody has won the trick before the draw."""
    if table.phase not in _DRAWING:
        return
    if table.trick or not table.drawing:
        raise Malformed("before drawing no card is in the trick, and some are left to be drawn")
    if not table.won[table.leader]:
        raise Malformed(f"{seat_name(table.leader)} is to declare or draw first, and has won no trick")


CHAPTER: Chapter = Chapter(
    "draw",
    read,
    (Move(Draw, refuse_draw, draw, during(*_DRAWING), open_draws, exact=True, sense=sense_of_draw),),
    (Ask(Counted, score.what_cards_count),),
    offers=(NEXT_CARDS,),
    phases=_DRAWING,
    fields=lambda _rules: ("trumps", "turn_up"),
    sense=sense,
)
