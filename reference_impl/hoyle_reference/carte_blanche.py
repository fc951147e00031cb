"""Carte blanche: a hand dealt without certain ranks, shown and scored before a card is played; and again with each card
drawn that leaves it as it was."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from .acts import CarteBlanche
from .cards import Card, rank_of, read_rank
from .cells import Cells
from .events import CarteBlancheDrawn, CarteBlancheShown, Event, Scored
from .refusals import Grounds, Malformed, Violation
from .seats import Seat, ring
from .table import Blank, Phase, Table

POINTS: Final[Grounds] = ("carte_blanche.points",)
WITHOUT: Final[Grounds] = ("carte_blanche.without",)
WHEN: Final[Grounds] = ("carte_blanche.when",)
AGAIN: Final[Grounds] = ("carte_blanche.again",)
NOT_SHOWN: Final[Grounds] = ("carte_blanche.a_card_not_shown",)
UNTIL: Final[Grounds] = ("declare.until",)
BOTH: Final[Grounds] = ("carte_blanche.both_partners", "carte_blanche.both_partners_in")


@dataclass(frozen=True, slots=True)
class CarteBlancheRules:
    """What carte blanche scores (points), the ranks it may not hold, whether it scores again with each card drawn, only
    as long as each is shown, and what that of both partners scores: a number of points, which counts in a certain way.
    """

    points: int
    without: frozenset[int]
    again: bool
    ends_unless_shown: bool
    both: int
    both_in: str


def read(cells: Cells) -> CarteBlancheRules:
    """The rules of this chapter, from the table."""
    partners = BOTH[0] in cells
    if partners and cells.number(BOTH[0]) < cells.number(POINTS[0]):
        raise Malformed("both partners score less than one", BOTH[0])
    return CarteBlancheRules(
        points=cells.number("carte_blanche.points"),
        without=frozenset(map(read_rank, cells.words("carte_blanche.without"))),
        again=cells.word("carte_blanche.again") == "after-each-card-drawn",
        ends_unless_shown=NOT_SHOWN[0] in cells and cells.word(NOT_SHOWN[0]) == "ends-it",
        both=cells.number("carte_blanche.both_partners") if partners else 0,
        both_in=cells.word("carte_blanche.both_partners_in") if partners else "",
    )


def may_show(table: Table, act: CarteBlanche) -> Violation | None:
    """It is shown before the first card is played, by whoever was dealt it; afterwards only by whoever has shown it,
    between drawing a card and playing one (cells `carte_blanche.*`)."""
    if table.phase not in {Phase.PLAY, Phase.DECLARE, Phase.DRAW}:
        return Violation("not-now", WHEN)
    blank = table.blanks[act.by]
    if court_cards(table, act.by):
        return Violation("not-a-blank", WITHOUT)
    if not _has_played(table, act.by):
        return None if blank is Blank.UNSPOKEN else Violation("nothing-new-to-show", AGAIN)
    if blank is Blank.UNSPOKEN:
        return Violation("too-late-for-carte-blanche", WHEN)
    if blank is Blank.DRAWN and _drawn_last(table):
        return Violation("stock-is-gone", UNTIL)
    drawn = blank is Blank.DRAWN and _may_show_the_card(table, act.by)
    return None if drawn else Violation("nothing-new-to-show", AGAIN)


def court_cards(table: Table, seat: Seat) -> list[Card]:
    """The cards in a player's hand that carte blanche may not hold (cell `carte_blanche.without`)."""
    return [card for card in table.hands[seat] if rank_of(card) in table.rules.carte_blanche.without]


def _has_played(table: Table, seat: Seat) -> bool:
    """Whether a player has played a card in this deal."""
    return any(table.won) or seat in table.have_played


def _may_show_the_card(table: Table, seat: Seat) -> bool:
    """Whether a player has drawn since the last trick, and has not played since."""
    if table.phase is Phase.PLAY:
        return seat not in table.have_played
    order = ring(table.leader, table.players)
    return table.phase is Phase.DRAW and order.index(seat) < order.index(table.turn)


def _drawn_last(table: Table) -> bool:
    """Whether the card drawn is of the last round of drawing: nothing is left for another."""
    to_draw = ring(table.turn, table.players)[: (table.leader - table.turn) % table.players]
    return table.left_to_draw == (len(to_draw) if table.phase is Phase.DRAW else 0)


def show(table: Table, act: CarteBlanche) -> Iterator[Event]:
    """The hand is shown and scores; both partners may score more together than each alone."""
    drawn = table.drawn[act.by]
    if table.blanks[act.by] is Blank.DRAWN and drawn is not None:
        yield CarteBlancheShown(act.by, (drawn,), WITHOUT + AGAIN)
        yield Scored(act.by, table.rules.carte_blanche.points, "carte-blanche", POINTS)
        return
    yield CarteBlancheShown(act.by, tuple(sorted(table.hands[act.by])), WITHOUT + WHEN)
    if any(table.blanks[seat] is not Blank.UNSPOKEN for seat in _partners(table, act.by)):
        yield Scored(act.by, _with_the_partner(table), "double-carte-blanche", POINTS + BOTH)
    else:
        yield Scored(act.by, table.rules.carte_blanche.points, "carte-blanche", POINTS)


def _partners(table: Table, seat: Seat) -> tuple[Seat, ...]:
    """Who scores together with a player."""
    return tuple(other for other in table.rules.side(seat) if other != seat)


def _with_the_partner(table: Table) -> int:
    """What the second partner scores, the first having scored (points; cell `carte_blanche.both_partners_in`)."""
    rules = table.rules.carte_blanche
    match rules.both_in:
        case "all":
            return rules.both - rules.points
        case "place-of-the-second":
            return rules.both
        case _:
            return rules.points + rules.both


def by_drawing(table: Table, seat: Seat, card: Card) -> Iterable[CarteBlancheDrawn]:
    """A card drawn to a carte blanche that has been shown leaves it as it was, or ends it (cell `carte_blanche.again`);
    and one that was drawn and not shown may end it too (cell `carte_blanche.a_card_not_shown`)."""
    rules, blank = table.rules.carte_blanche, table.blanks[seat]
    if blank not in {Blank.SCORED, Blank.DRAWN}:
        return ()
    if rank_of(card) in rules.without:
        return (CarteBlancheDrawn(seat, card, ends=True, grounds=AGAIN + WITHOUT),)
    if not rules.again:
        return ()
    ends = blank is Blank.DRAWN and rules.ends_unless_shown
    passed_over = NOT_SHOWN if blank is Blank.DRAWN else ()
    return (CarteBlancheDrawn(seat, card, ends=ends, grounds=AGAIN + passed_over),)


def choices_to_show(table: Table) -> list[CarteBlanche]:
    """To show it, for whoever may; after the first trick only somebody who has shown it before."""
    if any(table.won) and Blank.DRAWN not in table.blanks:
        return []
    acts = [CarteBlanche(seat) for seat in ring(Seat(0), table.players)]
    return [act for act in acts if may_show(table, act) is None]
