"""The settlement: when the game is won, and by whom."""

from dataclasses import dataclass
from typing import Final

from .cells import Cells
from .events import DealEnded, Event, GameDrawn, GameWon, Scored, Tied
from .refusals import Grounds
from .seats import Seat
from .table import Table

GAME: Final[Grounds] = ("settle.game",)
TARGET: Final[Grounds] = ("settle.target",)
WINNER: Final[Grounds] = ("settle.winner",)
EQUAL: Final[Grounds] = ("settle.equal_scores",)
STILL_EQUAL: Final[Grounds] = ("settle.still_equal",)
DEALS: Final[Grounds] = ("settle.game", "settle.deals")
DIFFERENCE: Final[Grounds] = ("settle.bonus", "settle.rubicon", "settle.over_the_rubicon")
TOTAL: Final[Grounds] = ("settle.bonus", "settle.rubicon", "settle.under_the_rubicon")


@dataclass(frozen=True, slots=True)
class SettleRules:
    """The target (points), whether reaching it ends the game at once or at the end of the deal, and whether the game is
    so many deals instead (one, or a partie); how equal scores are broken, in deals, and the settlement of a partie."""

    target: int
    one_deal: bool
    least_deals: int
    deals_for_a_tie: int
    tie_may_stand: bool
    #: The events that can end a game.
    decisive: frozenset[type]
    settlement: "SettlementRules | None"


@dataclass(frozen=True, slots=True)
class SettlementRules:
    """What the winner of a partie gets: the bonus with the difference of the scores or, where the loser stands below
    the rubicon, with their sum (points)."""

    bonus: int
    rubicon: int
    difference_over: bool
    total_under: bool


def read(cells: Cells) -> SettleRules:
    """The rules of this chapter, from the table."""
    game = cells.word("settle.game")
    to_target = game == "to-the-target"
    tie = cells.word("settle.equal_scores") if "settle.equal_scores" in cells else ""
    at_once = to_target and cells.word("settle.winner") == "first-to-reach"
    return SettleRules(
        target=cells.number("settle.target") if to_target else 0,
        one_deal=game == "one-deal",
        least_deals=cells.number("settle.deals") if game == "so-many-deals" else 0,
        deals_for_a_tie=2 if tie == "two-more-deals" else 1,
        tie_may_stand="settle.still_equal" in cells and cells.word("settle.still_equal") == "drawn",
        decisive=frozenset({Scored, DealEnded} if at_once else {DealEnded}),
        settlement=_read_settlement(cells) if "settle.bonus" in cells else None,
    )


def _read_settlement(cells: Cells) -> SettlementRules:
    return SettlementRules(
        bonus=cells.number("settle.bonus"),
        rubicon=cells.number("settle.rubicon"),
        difference_over=cells.word("settle.over_the_rubicon") == "difference",
        total_under=cells.word("settle.under_the_rubicon") == "total",
    )


def after_event(table: Table, event: Event) -> GameWon | GameDrawn | Tied | None:
    """The end of the game, if what has just happened brings it about (cells `settle.*`)."""
    rules = table.rules.settle
    if isinstance(event, Scored):
        won = table.score[event.seat] >= rules.target
        return GameWon(event.seat, None, GAME + TARGET + WINNER) if won else None
    if isinstance(event, DealEnded) and not table.deals_left and max(table.score) >= rules.target:
        return _decided(table)
    return None


def of_deals(table: Table) -> Grounds:
    """Why the game has this deal, and goes on after it or may end: how many deals it is, and that a tie is broken by
    more."""
    least = table.rules.settle.least_deals
    return () if not least else DEALS if table.deals <= least else DEALS + EQUAL


def _decided(table: Table) -> GameWon | GameDrawn | Tied:
    """Who has won now that a deal is over, or that nobody has yet."""
    rules, best = table.rules.settle, max(table.score)
    why = DEALS if rules.least_deals else GAME if rules.one_deal else GAME + TARGET + WINNER
    if table.score.count(best) == 1:
        settled = settlement(rules, tuple(table.score))
        return GameWon(Seat(table.score.index(best)), settled[1], why + settled[2])
    if rules.least_deals and table.deals > rules.least_deals:
        return GameDrawn(why + STILL_EQUAL) if rules.tie_may_stand else Tied(rules.deals_for_a_tie, why + STILL_EQUAL)
    return Tied(rules.deals_for_a_tie, why + EQUAL)


def settlement(rules: SettleRules, score: tuple[int, ...]) -> tuple[Seat | None, int | None, Grounds]:
    """Who wins with these scores, for how many points (none where a game is not settled by points), and why."""
    best = max(score)
    if score.count(best) > 1:
        return None, 0 if rules.settlement else None, EQUAL
    winner = Seat(score.index(best))
    if rules.settlement is None:
        return winner, None, ()
    loser = min(score)
    over = loser >= rules.settlement.rubicon
    by_difference = rules.settlement.difference_over if over else not rules.settlement.total_under
    points = rules.settlement.bonus + (best - loser if by_difference else best + loser)
    return winner, points, DIFFERENCE if over else TOTAL
