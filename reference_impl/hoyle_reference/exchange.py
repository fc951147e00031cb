"""The exchange: the seven of trumps, given for the turn-up or shown, and what it scores."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from .acts import Exchange, Show
from .cards import Card, card, face_of, rank_of, suit_of
from .cells import Cells
from .deal import SEVEN
from .events import Event, Exchanged, Scored, Shown
from .refusals import Grounds, Violation
from .table import Phase, Table

WHEN: Final[Grounds] = ("exchange.seven.when",)
MAY: Final[Grounds] = ("exchange.seven.may",)
POINTS: Final[Grounds] = ("exchange.seven.points",)
SECOND_MAY: Final[Grounds] = ("exchange.second_seven.may",)
SECOND_POINTS: Final[Grounds] = ("exchange.second_seven.points",)
SECOND_IS: Final[Grounds] = ("exchange.second_seven.which",)
AGAIN: Final[Grounds] = ("exchange.seven.after_being_shown",)
LIES: Final[Grounds] = ("exchange.seven.shown",)
BESIDE: Final[Grounds] = ("exchange.seven.with_a_declaration",)


@dataclass(frozen=True, slots=True)
class ExchangeRules:
    """What the two sevens of trumps score (points), and what may be done with them."""

    first: int
    second: int
    first_may_be_shown: bool
    second_may_be_exchanged: bool
    takes_the_place_of_a_declaration: bool
    second_when_the_first_is_gone: bool
    exchanged_after_being_shown: bool
    lies_on_the_table: bool


def read(cells: Cells) -> ExchangeRules:
    """The rules of this chapter, from the table."""
    return ExchangeRules(
        first=cells.number("exchange.seven.points"),
        second=cells.number("exchange.second_seven.points"),
        first_may_be_shown=cells.word("exchange.seven.may") == "be-exchanged-or-shown",
        second_may_be_exchanged=cells.word("exchange.second_seven.may") == "be-exchanged-or-shown",
        takes_the_place_of_a_declaration=cells.word("exchange.seven.with_a_declaration") == "instead",
        second_when_the_first_is_gone=cells.word("exchange.second_seven.which") == "after-one-that-is-gone",
        exchanged_after_being_shown=cells.word("exchange.seven.after_being_shown") == "exchange-without-points",
        lies_on_the_table=cells.word("exchange.seven.shown") == "lies-on-the-table",
    )


def is_second(table: Table, seven: Card) -> bool:
    """Whether this is the second seven of trumps: the other has had its turn (cell `exchange.second_seven.which`)."""
    turned_up = table.turn_up is not None and rank_of(table.turn_up) == SEVEN
    if turned_up or table.claimed - {seven}:
        return True
    return table.rules.exchange.second_when_the_first_is_gone and _another_is_gone(table, seven)


def _another_is_gone(table: Table, seven: Card) -> bool:
    played = (card for pile in (*table.won, table.trick) for card in pile)
    return any(face_of(card) == face_of(seven) for card in played)


def may_exchange(table: Table, act: Exchange) -> Violation | None:
    """The first seven of trumps may be given for the turn-up, by the winner of a trick (cells `exchange.*`)."""
    refused = _may_claim(table, act)
    if refused is None and is_second(table, act.card) and not table.rules.exchange.second_may_be_exchanged:
        return Violation("not-to-exchange", SECOND_MAY + SECOND_IS)
    return refused


def may_show(table: Table, act: Show) -> Violation | None:
    """A seven of trumps may be shown and scored without an exchange (cells `exchange.*`)."""
    refused = _may_claim(table, act)
    if refused is None and not is_second(table, act.card) and not table.rules.exchange.first_may_be_shown:
        return Violation("not-to-show", MAY)
    return refused


def _may_claim(table: Table, act: Exchange | Show) -> Violation | None:
    if table.phase is not Phase.DECLARE or act.by != table.turn:
        return Violation("only-after-winning-a-trick", WHEN)
    if act.card not in table.hands[act.by]:
        return Violation("card-not-held", MAY)
    if rank_of(act.card) != SEVEN or suit_of(act.card) != table.trumps:
        return Violation("not-the-seven", MAY)
    if act.card in table.claimed:
        again = isinstance(act, Exchange) and table.rules.exchange.exchanged_after_being_shown
        return None if again else Violation("seven-has-scored", POINTS + (AGAIN if isinstance(act, Exchange) else ()))
    rules = table.rules
    if rules.exchange.takes_the_place_of_a_declaration and spent(table) >= rules.declare.scored_per_trick:
        return Violation("one-score-a-trick", BESIDE)
    return None


def spent(table: Table) -> int:
    """How much of what may be scored after one trick is used up, where a seven counts as a combination does."""
    instead = table.rules.exchange.takes_the_place_of_a_declaration
    return table.scored_now + (table.claimed_now if instead else 0)


def exchange(table: Table, act: Exchange) -> Iterator[Event]:
    """The seven takes the place of the turn-up, and scores, unless it has scored before."""
    assert table.turn_up is not None, "while players declare, the turn-up lies on the table"
    again, score = act.card in table.claimed, _score(table, act)
    yield Exchanged(act.by, act.card, table.turn_up, AGAIN if again else _liberty(table, act))
    if not again:
        yield score


def show(table: Table, act: Show) -> Iterator[Event]:
    """The seven is shown, scores, and still belongs to the hand."""
    lies = table.rules.exchange.lies_on_the_table
    score = _score(table, act)
    yield Shown(act.by, act.card, lies, _liberty(table, act) + LIES)
    yield score


def _liberty(table: Table, act: Exchange | Show) -> Grounds:
    second = is_second(table, act.card)
    gone = SECOND_IS if _another_is_gone(table, act.card) else ()
    return (SECOND_MAY if second else MAY) + WHEN + gone + (BESIDE if table.scored_now else ())


def _score(table: Table, act: Exchange | Show) -> Scored:
    rules = table.rules.exchange
    if is_second(table, act.card):
        return Scored(act.by, rules.second, "second-seven", SECOND_POINTS)
    return Scored(act.by, rules.first, "seven", POINTS)


def choices_to_claim(table: Table) -> Iterator[Exchange | Show]:
    """Every seven that may be exchanged, and every one that may be shown."""
    seven = face_of(card(SEVEN, table.trumps or 0))
    for held in table.hands[table.turn]:
        if held & 31 == seven:
            exchange_it, show_it = Exchange(table.turn, held), Show(table.turn, held)
            if may_exchange(table, exchange_it) is None:
                yield exchange_it
            if may_show(table, show_it) is None:
                yield show_it
