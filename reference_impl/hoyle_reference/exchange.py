"""The exchange: the seven of trumps, given for the turn-up or shown, and what it scores."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from .acts import Exchange, Show
from .cards import Card, card, face_of, rank_of, suit_of
from .cells import Cells
from .deal import SEVEN, TRUMPS_MADE
from .events import Event, Exchanged, Scored, Shown
from .moments import BESIDE, TRICKS_FIRST, spent, too_early
from .refusals import Grounds, Violation
from .seats import Seat, ring
from .table import Phase, Table

WHEN: Final[Grounds] = ("exchange.seven.when",)
UNTIL: Final[Grounds] = ("exchange.seven.until",)
MAY: Final[Grounds] = ("exchange.seven.may",)
POINTS: Final[Grounds] = ("exchange.seven.points",)
SECOND_MAY: Final[Grounds] = ("exchange.second_seven.may",)
SECOND_POINTS: Final[Grounds] = ("exchange.second_seven.points",)
SECOND_WHEN: Final[Grounds] = ("exchange.second_seven.when",)
SECOND_IS: Final[Grounds] = ("exchange.second_seven.which",)
AGAIN: Final[Grounds] = ("exchange.seven.after_being_shown",)
LIES: Final[Grounds] = ("exchange.seven.shown",)


@dataclass(frozen=True, slots=True)
class ExchangeRules:
    """What the two sevens of trumps score (points), what may be done with them, and when."""

    first: int
    second: int
    first_may_be_shown: bool
    second_may_be_exchanged: bool
    second_by_itself: bool
    before_the_last_draw: bool
    takes_the_place_of_a_declaration: bool
    which_is_second: str
    exchanged_after_being_shown: bool
    lies_on_the_table: bool


def read(cells: Cells) -> ExchangeRules:
    """The rules of this chapter, from the table."""
    may_be_shown = cells.word("exchange.seven.may") == "be-exchanged-or-shown"
    again = may_be_shown and cells.word("exchange.seven.after_being_shown") == "exchange-without-points"
    return ExchangeRules(
        first=cells.number("exchange.seven.points"),
        second=cells.number("exchange.second_seven.points"),
        first_may_be_shown=may_be_shown,
        second_may_be_exchanged=cells.word("exchange.second_seven.may") == "be-exchanged-or-shown",
        second_by_itself=cells.word("exchange.second_seven.when") == "when-drawn-or-played",
        before_the_last_draw=cells.word("exchange.seven.until") == "stock-is-gone",
        takes_the_place_of_a_declaration=cells.word("exchange.seven.with_a_declaration") == "instead",
        which_is_second=cells.word("exchange.second_seven.which"),
        exchanged_after_being_shown=again,
        lies_on_the_table=cells.word("exchange.seven.shown") == "lies-on-the-table",
    )


def is_second(table: Table, seven: Card) -> bool:
    """Whether this is the second seven of trumps: the other has had its turn (cell `exchange.second_seven.which`)."""
    rules = table.rules.exchange
    if rules.which_is_second == "while-a-seven-is-turned-up":
        return table.turn_up is not None and rank_of(table.turn_up) == SEVEN
    if table.claimed - {seven}:
        return True
    return rules.which_is_second == "after-one-that-is-gone" and _another_is_gone(table, seven)


def _another_is_gone(table: Table, seven: Card) -> bool:
    played = (card for pile in (*table.won, table.trick) for card in pile)
    return any(face_of(card) == face_of(seven) and card != seven for card in played)


def may_exchange(table: Table, act: Exchange) -> Violation | None:
    """The first seven of trumps may be given for the turn-up, by the winner of a trick (cells `exchange.*`)."""
    refused = _may_claim(table, act)
    if refused is not None:
        return refused
    if table.turn_up is None:
        return Violation("no-turn-up", TRUMPS_MADE)
    if is_second(table, act.card) and not table.rules.exchange.second_may_be_exchanged:
        return Violation("not-to-exchange", SECOND_MAY + SECOND_IS)
    return None


def may_show(table: Table, act: Show) -> Violation | None:
    """A seven of trumps may be shown and scored without an exchange (cells `exchange.*`)."""
    rules = table.rules.exchange
    if rules.second_by_itself and act.card in table.hands[act.by] and is_second(table, act.card):
        if act.card in table.claimed:
            return Violation("seven-has-scored", SECOND_POINTS)
        if _is_seven_of_trumps(table, act.card):
            return None
    refused = _may_claim(table, act)
    if refused is None and not is_second(table, act.card) and not table.rules.exchange.first_may_be_shown:
        return Violation("not-to-show", MAY)
    return refused


def scores_by_itself(table: Table, card: Card) -> bool:
    """Whether a card is a second seven that needs no trick to be won, and has not scored yet (cell
    `exchange.second_seven.when`)."""
    return (
        table.rules.exchange.second_by_itself
        and _is_seven_of_trumps(table, card)
        and card not in table.claimed
        and is_second(table, card)
    )


def _is_seven_of_trumps(table: Table, card: Card) -> bool:
    return rank_of(card) == SEVEN and suit_of(card) == table.trumps


def _may_claim(table: Table, act: Exchange | Show) -> Violation | None:
    rules = table.rules.exchange
    if table.phase is not Phase.DECLARE or act.by != table.turn:
        seven = _is_seven_of_trumps(table, act.card) and is_second(table, act.card)
        return Violation("only-after-winning-a-trick", SECOND_WHEN if seven else WHEN)
    if act.card not in table.hands[act.by]:
        return Violation("card-not-held", MAY)
    if not _is_seven_of_trumps(table, act.card):
        return Violation("not-the-seven", MAY)
    if act.card in table.claimed:
        again = isinstance(act, Exchange) and rules.exchanged_after_being_shown
        scored = POINTS + (AGAIN if isinstance(act, Exchange) and rules.first_may_be_shown else ())
        return None if again else Violation("seven-has-scored", scored)
    if table.last_draw and not rules.before_the_last_draw:
        return Violation("too-late-to-declare", UNTIL)
    return _as_a_declaration(table, act)


def _as_a_declaration(table: Table, act: Exchange | Show) -> Violation | None:
    """What a seven shares with the combinations, where it takes the place of one."""
    if not table.rules.exchange.takes_the_place_of_a_declaration:
        return None
    if too_early(table, act.by):
        return Violation("too-few-tricks-won", TRICKS_FIRST)
    return Violation("one-score-a-trick", BESIDE) if spent(table) else None


def exchange(table: Table, act: Exchange) -> Iterator[Event]:
    """The seven takes the place of the turn-up, and scores, unless it has scored before."""
    assert table.turn_up is not None, "an exchange is refused where there is no turn-up"
    again, score = act.card in table.claimed, _score(table, act.by, act.card)
    yield Exchanged(act.by, act.card, table.turn_up, not again, AGAIN if again else _liberty(table, act))
    if not again:
        yield score


def show(table: Table, act: Show) -> Iterator[Event]:
    """The seven is shown, scores, and still belongs to the hand."""
    lies = table.rules.exchange.lies_on_the_table
    score = _score(table, act.by, act.card)
    if scores_by_itself(table, act.card):
        yield Shown(act.by, act.card, lies, declared=False, grounds=SECOND_WHEN + SECOND_IS + LIES)
    else:
        yield Shown(act.by, act.card, lies, declared=True, grounds=_liberty(table, act) + LIES)
    yield score


def by_playing(table: Table, seat: Seat, card: Card) -> Iterable[Event]:
    """A second seven that needs no trick to be won scores when it is played."""
    return _scored_by_playing(table, seat, card) if scores_by_itself(table, card) else ()


def _scored_by_playing(table: Table, seat: Seat, card: Card) -> Iterator[Event]:
    score = _score(table, seat, card)
    yield Shown(seat, card, lies=False, declared=False, grounds=SECOND_WHEN + SECOND_IS)
    yield score


def _liberty(table: Table, act: Exchange | Show) -> Grounds:
    second = is_second(table, act.card)
    which = SECOND_IS if second or table.claimed or _another_is_gone(table, act.card) else ()
    last = UNTIL if table.last_draw else ()
    may, when = (SECOND_MAY, SECOND_WHEN) if second else (MAY, WHEN)
    return may + when + which + last + (BESIDE if table.scored_now else ())


def _score(table: Table, seat: Seat, card: Card) -> Scored:
    rules = table.rules.exchange
    if is_second(table, card):
        return Scored(seat, rules.second, "second-seven", SECOND_POINTS)
    return Scored(seat, rules.first, "seven", POINTS)


def choices_to_claim(table: Table) -> Iterator[Exchange | Show]:
    """Every seven that may be exchanged, and every one that may be shown, whoever holds it."""
    by_itself = table.rules.exchange.second_by_itself
    if table.trumps is None or not (by_itself or table.phase is Phase.DECLARE):
        return
    seven = face_of(card(SEVEN, table.trumps))
    for seat in ring(Seat(0), table.players) if by_itself else (table.turn,):
        for held in table.hands[seat]:
            if held & 31 == seven:
                exchange_it, show_it = Exchange(seat, held), Show(seat, held)
                if may_exchange(table, exchange_it) is None:
                    yield exchange_it
                if may_show(table, show_it) is None:
                    yield show_it
