"""Questions: what may be asked of a position without changing it, answered by the same functions that play uses."""

from dataclasses import dataclass

from . import declare, score, tricks
from .acts import Counted, Declarable, Declare, Playable, Question, Winner, Worth
from .cards import Card
from .refusals import Grounds, Malformed
from .seats import Seat
from .table import Table


@dataclass(frozen=True, slots=True)
class Answer:
    """What the rules answer (a seat, points, cards or declarations), and the cells that decide it."""

    value: Seat | int | tuple[Card, ...] | tuple[Declare, ...]
    grounds: Grounds


def answer(table: Table, question: Question) -> Answer:
    """The answer to a question about this position; raises Malformed for what is no question."""
    match question:
        case Winner(by, cards):
            index, why = tricks.winner(table, cards)
            return Answer(Seat((by + index) % table.players), why)
        case Playable(by):
            return _playable(table, by)
        case Worth(meld, cards):
            row = table.rules.declare.melds.by_id[meld]
            fits = row.pattern.fits(cards, table.trumps)
            return Answer(row.points if fits else 0, (row.path,))
        case Declarable():
            acts = tuple(declare.choices_to_declare(table))
            rows = tuple(table.rules.declare.melds.by_id[act.meld].path for act in acts)
            return Answer(acts, (*rows, *declare.WHEN, *declare.IN_HAND))
        case Counted(cards):
            return Answer(score.counted(table, cards), score.COUNTING_CARDS)
        case _:
            raise Malformed(f"no such question: {question}")


def _playable(table: Table, seat: Seat) -> Answer:
    allowed, refusal = tricks.playable(table, seat)
    duties = tricks.duties(table)
    free = duties.follow + duties.win + duties.trump
    return Answer(tuple(sorted(allowed)), refusal.grounds if refusal else free)
