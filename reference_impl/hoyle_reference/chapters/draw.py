"""Drawing: after each trick every player draws a card, the trick's winner first, while the stock lasts."""

from collections.abc import Iterator
from dataclasses import dataclass

from ..cells import Cells, Rule, word
from ..events.draw import Drew
from ..events.event import Event, awaits
from ..table.acts import Counted, Draw
from ..table.refusals import Grounds, Malformed, Refusal
from ..table.seats import after, seat_name
from ..table.states import Phase
from ..table.table import Table
from . import score
from .chapter import Ask, Chapter, Move, during
from .declare import declaring

_DRAWING = frozenset({Phase.DECLARE, Phase.DRAW})


@dataclass(frozen=True, slots=True)
class DrawRules:
    """That the players draw after each trick, who draws first, until when, and who takes the turn-up."""

    first: Rule[str]
    when: Rule[str]
    until: Rule[str]
    turn_up: Rule[str]


def read(cells: Cells) -> DrawRules:
    """The rules of this chapter, from the table."""
    return DrawRules(
        first=cells.rule("draw.first", word),
        when=cells.rule("draw.when", word),
        until=cells.rule("draw.until", word),
        turn_up=cells.rule_if_any("draw.turn_up", word, otherwise=""),
    )


def refuse_draw(table: Table, act: Draw) -> Refusal | None:
    """Players draw in turn after a trick, and only while there are cards to draw (cells `draw.*`)."""
    if table.phase not in _DRAWING:
        return Refusal("not-now", _out_of_time(table))
    return None if act.by == table.turn else Refusal("not-your-turn", table.rules.of(DrawRules).first.grounds)


def _out_of_time(table: Table) -> Grounds:
    if table.phase is not Phase.PLAY:
        return ()
    rules = table.rules.of(DrawRules)
    return rules.when.grounds if table.drawing else rules.until.grounds


def draw(table: Table, act: Draw) -> Iterator[Event]:
    """The player takes the top card, or the turn-up when it alone is left; with the last card the declarations end."""
    card = table.stock[-1] if table.stock else table.turn_up
    assert card is not None, "a table that awaits a draw has a card to draw"
    left_lying = declaring.left_lying(table) if table.left_to_draw == 1 else ()
    yield Drew(act.by, card, _why(table) + left_lying)
    for follows in table.rules.on_draw:
        yield from follows(table, act.by, card)
    if not table.drawing:
        yield from declaring.ends_with_the_stock(table)
    seat = after(act.by, table.players)
    yield awaits(Phase.PLAY if seat == table.leader else Phase.DRAW, seat)


def _why(table: Table) -> Grounds:
    rules = table.rules.of(DrawRules)
    if table.left_to_draw > 1:
        return rules.first.grounds + rules.when.grounds
    return rules.first.grounds + (rules.when if table.stock else rules.turn_up).grounds + rules.until.grounds


def open_draws(table: Table) -> Iterator[Draw]:
    """To draw, for the one whose turn it is."""
    yield Draw(table.turn)


def sense(table: Table) -> None:
    """Raise Malformed where nothing could be drawn, or nobody has won the trick after which it would be."""
    if table.phase not in _DRAWING:
        return
    if table.trick or not table.drawing:
        raise Malformed("before drawing no card is in the trick, and some are left to be drawn")
    if not table.won[table.leader]:
        raise Malformed(f"{seat_name(table.leader)} is to declare or draw first, and has won no trick")


CHAPTER = Chapter(
    "draw",
    read,
    (Move(Draw, refuse_draw, draw, during(*_DRAWING), open_draws, exact=True),),
    (Ask(Counted, score.what_cards_count),),
    phases=_DRAWING,
    fields=lambda _rules: ("trumps", "turn_up"),
    sense=sense,
)
