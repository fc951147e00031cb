"""The blank (carte blanche): a hand without a face card, announced before the exchange and proved by being shown."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from .acts import Announce, Prove
from .cards import rank_of, read_rank
from .cells import Cells
from .events import Event, Scored
from .handling import BlankAnnounced, BlankShown
from .refusals import Grounds, Violation
from .seats import Seat, ring
from .table import Blank, Phase, Table

BLANK: Final = "blank"
POINTS: Final[Grounds] = ("blank.points",)
WITHOUT: Final[Grounds] = ("blank.without",)
WHEN: Final[Grounds] = ("blank.announced",)
ELDER_SHOWS: Final[Grounds] = ("blank.elder_shows",)
YOUNGER_SHOWS: Final[Grounds] = ("blank.younger_shows",)


@dataclass(frozen=True, slots=True)
class BlankRules:
    """What a blank scores (points), the ranks it may not hold, and whether younger shows it only after elder's
    exchange."""

    points: int
    without: frozenset[int]
    younger_waits: bool


def read(cells: Cells) -> BlankRules:
    """The rules of this chapter, from the table."""
    return BlankRules(
        points=cells.number("blank.points"),
        without=frozenset(map(read_rank, cells.words("blank.without"))),
        younger_waits=cells.word("blank.younger_shows") == "after-elders-exchange",
    )


def may_announce(table: Table, act: Announce) -> Violation | None:
    """A blank is announced, once, before any card is exchanged (cells `blank.*`)."""
    if table.phase is not Phase.EXCHANGE or table.turn != table.leader:
        return Violation("not-now", WHEN)
    if any(rank_of(card) in table.rules.blank.without for card in table.hands[act.by]):
        return Violation("not-a-blank", WITHOUT)
    return None if table.blanks[act.by] is Blank.UNSPOKEN else Violation("blank-was-announced", POINTS)


def announce(table: Table, act: Announce) -> Iterator[Event]:
    """Elder shows the blank and scores at once; younger may have to wait."""
    if act.by != table.leader and table.rules.blank.younger_waits:
        yield BlankAnnounced(act.by, WHEN + WITHOUT)
    else:
        yield from _shown(table, act.by, WHEN + WITHOUT)


def may_prove(table: Table, act: Prove) -> Violation | None:
    """Younger shows an announced blank after elder's exchange, before exchanging (cell `blank.younger_shows`)."""
    if table.phase is not Phase.EXCHANGE or table.turn == table.leader or act.by != table.turn:
        return Violation("not-now", YOUNGER_SHOWS)
    return None if table.blanks[act.by] is Blank.ANNOUNCED else Violation("blank-not-announced", WHEN)


def prove(table: Table, act: Prove) -> Iterator[Event]:
    """The hand is shown, and scores."""
    yield from _shown(table, act.by, ())


def _shown(table: Table, seat: Seat, grounds: Grounds) -> Iterator[Event]:
    shows = ELDER_SHOWS if seat == table.leader else YOUNGER_SHOWS
    yield BlankShown(seat, tuple(sorted(table.hands[seat])), grounds + shows)
    yield Scored(seat, table.rules.blank.points, BLANK, POINTS)


def choices_to_announce(table: Table) -> list[Announce]:
    """To announce a blank, for whoever holds one."""
    acts = [Announce(seat, BLANK) for seat in ring(table.leader, table.players)]
    return [act for act in acts if may_announce(table, act) is None]


def choices_to_prove(table: Table) -> list[Prove]:
    """To show the blank that was announced."""
    act = Prove(table.turn)
    return [] if may_prove(table, act) else [act]
