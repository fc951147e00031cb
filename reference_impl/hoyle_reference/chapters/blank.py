"""The blank (carte blanche): a hand without a face card, announced before the exchange and proved by being shown."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..cells import Cells, Rule, equals, number, word
from ..events.blank import BlankAnnounced, BlankShown
from ..events.event import Event
from ..events.score import Scored
from ..table.acts import Announce, Prove
from ..table.cards import rank_of
from ..table.refusals import Grounds, Malformed, Refusal
from ..table.seats import Seat, ring
from ..table.states import BlankState, Cause, Phase
from ..table.table import Table
from .carte_blanche import ranks
from .chapter import Chapter, Move, during

BLANK: Final = "blank"


@dataclass(frozen=True, slots=True)
class BlankRules:
    """What a blank scores (points), the ranks it may not hold, and whether younger shows it only after elder's
    exchange."""

    points: Rule[int]
    without: Rule[frozenset[int]]
    announced: Rule[str]
    elder_shows: Rule[str]
    younger_waits: Rule[bool]


def read(cells: Cells) -> BlankRules:
    """The rules of this chapter, from the table."""
    return BlankRules(
        points=cells.rule("blank.points", number),
        without=cells.rule("blank.without", ranks),
        announced=cells.rule("blank.announced", word),
        elder_shows=cells.rule("blank.elder_shows", word),
        younger_waits=cells.rule("blank.younger_shows", equals("after-elders-exchange")),
    )


def refuse_announce(table: Table, act: Announce) -> Refusal | None:
    """A blank is announced, once, before any card is exchanged (cells `blank.*`)."""
    rules = table.rules.of(BlankRules)
    if table.phase is not Phase.EXCHANGE or table.turn != table.leader:
        return Refusal("not-now", rules.announced.grounds)
    if any(rank_of(card) in rules.without.value for card in table.hands[act.by]):
        return Refusal("not-a-blank", rules.without.grounds)
    unspoken = table.blanks[act.by] is BlankState.UNSPOKEN
    return None if unspoken else Refusal("blank-was-announced", rules.points.grounds)


def announce(table: Table, act: Announce) -> Iterator[Event]:
    """Elder shows the blank and scores at once; younger may have to wait."""
    rules = table.rules.of(BlankRules)
    why = rules.announced.grounds + rules.without.grounds
    if act.by != table.leader and rules.younger_waits.value:
        yield BlankAnnounced(act.by, why)
    else:
        yield from _shown(table, act.by, why)


def refuse_prove(table: Table, act: Prove) -> Refusal | None:
    """Younger shows an announced blank after elder's exchange, before exchanging (cell `blank.younger_shows`)."""
    rules = table.rules.of(BlankRules)
    if table.phase is not Phase.EXCHANGE or table.turn == table.leader or act.by != table.turn:
        return Refusal("not-now", rules.younger_waits.grounds)
    announced = table.blanks[act.by] is BlankState.ANNOUNCED
    return None if announced else Refusal("blank-not-announced", rules.announced.grounds)


def prove(table: Table, act: Prove) -> Iterator[Event]:
    """The hand is shown, and scores."""
    yield from _shown(table, act.by, ())


def _shown(table: Table, seat: Seat, grounds: Grounds) -> Iterator[Event]:
    rules = table.rules.of(BlankRules)
    shows = (rules.elder_shows if seat == table.leader else rules.younger_waits).grounds
    yield BlankShown(seat, tuple(sorted(table.hands[seat])), grounds + shows)
    yield Scored(seat, rules.points.value, BLANK, rules.points.grounds, Cause.BLANK)


def open_announcements(table: Table) -> list[Announce]:
    """To announce a blank, for whoever holds one."""
    return [Announce(seat, BLANK) for seat in ring(table.leader, table.players)]


def open_proofs(table: Table) -> list[Prove]:
    """To show the blank that was announced."""
    return [Prove(table.turn)]


def sense(table: Table) -> None:
    """Raise Malformed where a blank is said to be what it cannot be in a game in which it is announced."""
    for blank in table.blanks:
        if blank in {BlankState.DRAWN, BlankState.OVER}:
            raise Malformed(f"a blank is unspoken, announced, scored, not {str(blank)!r}")


CHAPTER: Chapter = Chapter(
    "blank",
    read,
    (Move(Prove, refuse_prove, prove, during(Phase.EXCHANGE), open_proofs),),
    fields=lambda _rules: ("blanks",),
    sense=sense,
)
