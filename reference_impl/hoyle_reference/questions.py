"""Questions: what may be asked of a position without changing it, answered by the same functions that play uses."""

from dataclasses import dataclass

from . import declare, reuse, score, tricks
from .acts import Counted, Declarable, Declare, Playable, Question, Winner, Worth
from .cards import Card
from .refusals import Grounds, Malformed
from .seats import Seat
from .table import Phase, Table


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rules answer (a seat, points, cards or declarations), and the cells that decide it."""

    value: Seat | int | tuple[Card, ...] | tuple[Declare, ...]
    grounds: Grounds


def answer(table: Table, question: Question) -> Answer:
    """The answer to a question about this position; raises Malformed for what makes no sense."""
    match question:
        case Winner(by, cards):
            _all_different(cards)
            if len(cards) != table.players:
                raise Malformed(f"a trick has {table.players} cards")
            index, why = tricks.winner(table, cards)
            return Answer(Seat((by + index) % table.players), why)
        case Playable(by):
            return _playable(table, by)
        case Worth(meld, cards):
            _all_different(cards)
            row = table.rules.declare.melds.by_id[meld]
            return Answer(row.points if row.pattern.fits(cards, table.trumps) else 0, (row.path,))
        case Declarable(by):
            return _declarable(table, by)
        case Counted(cards):
            _all_different(cards)
            return Answer(score.counted(table, cards), score.COUNTING_CARDS)
        case _:
            raise Malformed(f"no such question: {question}")


def _all_different(cards: tuple[Card, ...]) -> None:
    if len(set(cards)) != len(cards):
        raise Malformed("a card is named twice")


def _playable(table: Table, seat: Seat) -> Answer:
    if table.phase is not Phase.PLAY:
        return Answer((), tricks.DRAW_FIRST)
    if seat != table.turn:
        return Answer((), tricks.IN_TURN)
    allowed, refusal = tricks.playable(table, seat)
    return Answer(tuple(sorted(allowed)), refusal.grounds if refusal else tricks.liberties_of(table, seat))


def _declarable(table: Table, seat: Seat) -> Answer:
    acts = tuple(declare.choices_to_declare(table)) if seat == table.turn else ()
    rows = tuple(table.rules.declare.melds.by_id[act.meld].path for act in acts)
    used = tuple(path for act in acts for path in reuse.liberties(table, act))
    closed = declare.not_the_moment(table, seat)
    why = closed.grounds if closed else (*declare.WHEN, *(declare.PER_TRICK if table.scored_now else ()))
    return Answer(acts, (*rows, *used, *why, *(declare.IN_HAND if acts else ())))
