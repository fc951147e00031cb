"""Irregularities at a table: the players responsible, and whether they may still be claimed.

Implements SEMANTICS-PENALTIES.md, irregular-4, claim-1 and claim-2.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from ...refusals import Grounds
from ...seats import Seat, after, ring
from ...table.states import Error, Phase
from ...table.table import Table
from ..score import brisque_points
from ..talon import is_before_elders
from .rows import Irregularity, RefereeRules


def _dealer_has_played(table: Table) -> bool:
    return table.a_trick_is_won or table.dealer in table.have_played


def _play_has_begun(table: Table) -> bool:
    return table.a_trick_is_won or bool(table.trick)


def _who(table: Table, sign: int) -> list[Seat]:
    """Return the players who have too many cards (1), too few (-1), or the right number (0); nobody has too many after
    the last trick."""
    if sign > 0 and after_the_deal(table):
        return []
    signs = [(more > 0) - (more < 0) for more in table.referee.surplus]
    return [seat for seat in ring(Seat(0), table.players) if signs[seat] == sign]


def _who_play(table: Table, sign: int) -> list[Seat]:
    """Return the same players, once the dealer has played."""
    return _who(table, sign) if _dealer_has_played(table) else []


def _one(table: Table, sign: int) -> list[Seat]:
    """Return the only player with a wrong number of cards, if the others have the right one."""
    alone = len(_who(table, 0)) == table.players - 1
    return _who_play(table, sign) if alone else []


def _all(table: Table, sign: int) -> list[Seat]:
    who = _who_play(table, sign)
    return who if len(who) == table.players else []


def _more_than_another(table: Table) -> list[Seat]:
    who = _who_play(table, 1)
    return who if len(who) < table.players else []


def _dealt_wrongly(word: str) -> Callable[[Table], list[Seat]]:
    """Return the finding that elder may point out before exchanging, by the cards that the players have been dealt. A
    younger with two cards too many or too few is found even after elder's exchange."""

    def find(table: Table) -> list[Seat]:
        if table.phase is not Phase.EXCHANGE:
            return []
        elder = table.elder
        dealt = (table.referee.surplus[elder], table.referee.surplus[after(elder, table.players)])
        if not is_before_elders(table):
            dealt = (0, dealt[1] if abs(dealt[1]) > 1 else 0)
        return [elder] if _DEALT.get(dealt, _TOO_WRONGLY) == word else []

    return find


#: The deals with one card wrong, by the cards too many of elder and of younger; all other wrong deals are made again.
_TOO_WRONGLY: Final = "dealt-too-wrongly"
_DEALT: Final[Mapping[tuple[int, int], str]] = MappingProxyType(
    {
        (0, 0): "",
        (1, 0): "non-dealer-dealt-one-too-many",
        (1, -1): "non-dealer-dealt-one-too-many",
        (-1, 1): "non-dealer-dealt-one-too-few",
        (0, 1): "dealer-alone-dealt-one-too-many",
    }
)


def _brisques_lie_open(table: Table) -> list[Seat]:
    """Return the players who have left a trick open that they should have turned."""
    return [
        Seat(seat)
        for seat, pile in enumerate(table.won)
        if brisque_points(table, [card for card in pile if card in table.referee.heap])
    ]


#: The findings at a table, by the word for each: a function that returns the players concerned.
FINDS: Final[Mapping[str, Callable[[Table], list[Seat]]]] = MappingProxyType(
    {
        "holds-too-few": lambda table: [] if _who(table, 1) else _who(table, -1),
        "holds-too-many": lambda table: _who(table, 1),
        "dealer-holds-too-many": lambda table: [seat for seat in _who(table, 1) if seat == table.dealer],
        "non-dealer-holds-too-many": lambda table: [seat for seat in _who(table, 1) if seat != table.dealer],
        "plays-with-too-few": lambda table: _who_play(table, -1),
        "plays-with-too-many": lambda table: _who_play(table, 1),
        "plays-with-more-another-not": _more_than_another,
        "one-plays-with-too-many": lambda table: _one(table, 1),
        "one-plays-with-too-few": lambda table: _one(table, -1),
        "all-play-with-too-many": lambda table: _all(table, 1),
        "all-play-with-too-few": lambda table: _all(table, -1),
        "one-plays-with-more-another-with-fewer": lambda table: _who_play(table, 1) if _who(table, -1) else [],
        "brisques-lie-open": _brisques_lie_open,
        **{word: _dealt_wrongly(word) for word in (*_DEALT.values(), _TOO_WRONGLY) if word},
    }
)


def tricks_won(table: Table) -> int:
    """Return the number of tricks won in this deal."""
    return sum(map(len, table.won)) // table.players


def after_the_deal(table: Table) -> bool:
    """Whether the last trick has been scored, and the next deal has not been dealt."""
    return table.phase is Phase.DEAL


def after_one_that_stands(table: Table, error: Error) -> bool:
    """Whether the same player has made the same error after an earlier trick without a ruling."""
    same = (error.irregularity, error.seat)
    return any((each.irregularity, each.seat) == same and each.tricks < error.tricks for each in table.referee.errors)


def _stands_at_once(table: Table, error: Error) -> bool:
    """Whether a false score stands at once (cell `referee.false_score_after_one_that_stands`)."""
    return table.rules.of(RefereeRules).false_scores_stand_together.value and after_one_that_stands(table, error)


#: The time limits for claiming an irregularity, by the word for each: whether there is still time. A finding at the
#: table may be claimed as long as it exists.
WINDOWS: Final[Mapping[str, Callable[[Table, Error], bool]]] = MappingProxyType(
    {
        "at-once": lambda _table, _error: True,
        "end-of-the-deal": lambda table, _error: (
            not (after_the_deal(table) and table.rules.of(RefereeRules).claims_after_the_deal.value == "refused")
        ),
        "end-of-the-game": lambda _table, _error: True,
        "pack-is-cut": lambda table, _error: not table.is_dealt,
        "cards-are-taken-up": lambda table, _error: all(table.referee.untouched),
        "dealer-plays": lambda table, _error: not _dealer_has_played(table),
        "stock-is-taken-from": lambda table, _error: is_before_elders(table),
        "offender-plays": lambda table, error: not (table.a_trick_is_won or error.seat in table.have_played),
        "exchange-is-over": lambda table, _error: table.phase is Phase.EXCHANGE,
        "play-begins": lambda table, _error: not _play_has_begun(table),
        "other-player-draws": lambda table, error: table.referee.drawn_early[error.seat],
        "card-is-played-to": lambda table, error: tricks_won(table) == error.tricks and len(table.trick) == 1,
        "card-of-the-next-trick": lambda table, error: (
            tricks_won(table) == error.tricks and not table.trick and not _stands_at_once(table, error)
        ),
        "trick-is-turned-or-a-card-drawn": lambda table, error: table.left_to_draw == error.left,
    }
)


#: The findings that concern all players together, and are ruled on once.
_OF_ALL: Final = frozenset({"all-play-with-too-many", "all-play-with-too-few"})


def ruled_together(table: Table, row: Irregularity, error: Error) -> tuple[Seat, ...]:
    """Return the players to whom the ruling on a finding applies: the one responsible, or all together."""
    if not row.finds:
        return ()
    if row.finds not in _OF_ALL:
        return (error.seat,)
    return tuple(seat for seat in ring(Seat(0), table.players) if row.id not in table.referee.ruled[seat])


def led_out_of_turn(table: Table) -> bool:
    """Whether the card in the trick was led out of turn, without a ruling so far."""
    now, rows = (tricks_won(table), table.left_to_draw, tuple(table.trick)), table.rules.of(RefereeRules)
    return any(
        (error.tricks, error.left, error.cards) == now and "not-your-turn" in rows.row(error.irregularity).breaks
        for error in table.referee.errors
    )


def has_begun(table: Table, since: str) -> bool:
    """Whether an irregularity is already possible: some are possible only once the play has begun."""
    return since != "play-begins" or _play_has_begun(table)


#: The findings about a hand in play, but not about one dealt so.
_IN_PLAY: Final = frozenset({"plays-with-too-few", "plays-with-more-another-not", "one-plays-with-too-many"})


def _is_believed(table: Table, error: Error) -> bool:
    """Whether an error is no call, or a call that nobody has denied: its class is undecided, or good for the caller."""
    return table.good_for.get(error.meld, error.seat) == error.seat


def _has_been_played_to(table: Table, row: Irregularity, error: Error) -> bool:
    """Whether the player has played a card since for whom a claim may have to wait."""
    waits_for = {"offender-plays": error.seat, "younger-plays": table.dealer}.get(row.since)
    return waits_for is None or tricks_won(table) > error.tricks or waits_for in table.have_played


def call_to_correct(table: Table, seat: Seat) -> Error | None:
    """Return a player's last false call that has not been denied, if there is one."""
    calls = (each for each in reversed(table.referee.errors) if each.seat == seat and each.meld and not each.cards)
    return next((each for each in calls if _is_believed(table, each)), None)


def by_the_deal(table: Table, row: Irregularity, seat: Seat) -> Grounds:
    """Return why it matters that another player dealt a wrong number of cards to this one, if so: only while nobody has
    drawn (cell `referee.hand_dealt_wrongly`)."""
    won = tricks_won(table)
    undrawn = won == 0 or (won == 1 and len(table.still_to_draw) == table.players)
    misdealt = undrawn and row.finds in _IN_PLAY and seat != table.dealer
    return table.rules.of(RefereeRules).misdealt_costs_nothing.grounds if misdealt else ()


def open_errors(table: Table, row: Irregularity, by: Seat) -> list[Error]:
    """Return the irregularities of a kind at the table without a ruling. Those of other sides precede those of the
    player who asks, or the partner; within these, errors, last first, precede findings, next player first."""
    of_the_kind = [each for each in reversed(table.referee.errors) if each.irregularity == row.id]
    done = [error for error in of_the_kind if _is_believed(table, error) and _has_been_played_to(table, row, error)]
    not_yet = {error.seat for error in of_the_kind} - {error.seat for error in done}
    faulty = set(FINDS[row.finds](table) if row.finds else ()) - not_yet
    excused = table.rules.of(RefereeRules).misdealt_costs_nothing.value
    seats = [
        seat
        for seat in ring(after(by, table.players), table.players)
        if seat in faulty and not (excused and by_the_deal(table, row, seat))
    ]
    now = tricks_won(table), table.left_to_draw
    found = [Error(seat, row.id, *now) for seat in seats if row.id not in table.referee.ruled[seat]]
    own = table.rules.side(by)
    return sorted(done + found, key=lambda error: error.seat in own)


def in_time(table: Table, row: Irregularity, errors: list[Error]) -> list[Error]:
    """Return those of the errors that may still be claimed."""
    return [error for error in errors if WINDOWS[row.until](table, error)]
