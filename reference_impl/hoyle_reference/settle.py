"""The settlement: when the game is won, and by whom."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from .brisques import counted
from .cells import Cells
from .endings import DealEnded, GameDrawn, GameVoid, GameWon, Tied
from .events import Event, Scored
from .refusals import Grounds
from .seats import Seat
from .table import Table

GAME: Final[Grounds] = ("settle.game",)
TARGET: Final[Grounds] = ("settle.target",)
WINNER: Final[Grounds] = ("settle.winner",)
EQUAL: Final[Grounds] = ("settle.equal_scores",)
STILL_EQUAL: Final[Grounds] = ("settle.still_equal",)
DEALS: Final[Grounds] = ("settle.game", "settle.deals")
WHEN_COUNTED: Final[Grounds] = ("score.brisques.when",)
BRISQUES: Final[Grounds] = ("score.brisques.ranks", "score.brisques.points", *WHEN_COUNTED)
OVER: Final[Grounds] = ("settle.bonus", "settle.rubicon", "settle.over_the_rubicon", "settle.fractions")
UNDER: Final[Grounds] = (
    *("settle.bonus", "settle.bonus_under_the_rubicon", "settle.brisques_under_the_rubicon"),
    *("settle.rubicon", "settle.under_the_rubicon", "settle.fractions"),
)
LEAST_DIFFERENCE: Final[Grounds] = ("settle.least_difference",)
LEAST_OF_THE_LOSER: Final[Grounds] = ("settle.least_of_the_rubiconed",)
SAVED: Final[Grounds] = ("settle.brisques_and_the_rubicon",)
PASSED: Final[Grounds] = ("settle.winner_after_brisques",)
RUBICONED: Final[Grounds] = ("settle.brisques_if_rubiconed",)

Score = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SettleRules:
    """The target (points), whether reaching it ends the game at once or at the end of the deal, and whether the game is
    so many deals instead (one, or a partie); how equal scores are broken, and the settlement by points."""

    target: int
    one_deal: bool
    least_deals: int
    equal_scores: str
    still_equal: str
    #: Why equal scores end as they do, where the table says so.
    equal: Grounds
    #: The events that can end a game.
    decisive: frozenset[type]
    settlement: "SettlementRules | None"

    @property
    def brisques_decide(self) -> bool:
        """Whether the brisques in the tricks decide between equal scores."""
        return self.equal_scores == "brisques-decide"

    @property
    def deals_for_a_tie(self) -> int:
        """How many deals more are played between equal scores, where that is what breaks them."""
        return 2 if self.equal_scores == "two-more-deals" else 1


@dataclass(frozen=True, slots=True)
class SettlementRules:
    """What the winner gets: a bonus with the difference of the scores or, where the loser stands below the rubicon, one
    with their sum (points); what brisques may change; and which of these rules the table has."""

    bonus: int
    bonus_under: int
    rubicon: int
    difference_over: bool
    total_under: bool
    fractions: str
    least_difference: int
    least_of_the_loser: int
    brisques_save: bool
    passing_wins: bool
    added_if_rubiconed: bool
    over: Grounds
    under: Grounds


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game ends: its winner (a side, by its first seat), the points that are settled for, whether the brisques
    are added to the scores, and why."""

    winner: Seat | None
    points: int | None
    grounds: Grounds
    with_brisques: bool = False


def read(cells: Cells) -> SettleRules:
    """The rules of this chapter, from the table."""
    game = cells.word("settle.game")
    to_target = game == "to-the-target"
    at_once = to_target and cells.word("settle.winner") == "first-to-reach"
    return SettleRules(
        target=cells.number("settle.target") if to_target else 0,
        one_deal=game == "one-deal",
        least_deals=cells.number("settle.deals") if game == "so-many-deals" else 0,
        equal=EQUAL if EQUAL[0] in cells else (),
        equal_scores=cells.word(EQUAL[0]) if EQUAL[0] in cells else "",
        still_equal=cells.word(STILL_EQUAL[0]) if STILL_EQUAL[0] in cells else "",
        decisive=frozenset({Scored, DealEnded} if at_once else {DealEnded}),
        settlement=_read_settlement(cells) if "settle.bonus" in cells else None,
    )


def _read_settlement(cells: Cells) -> SettlementRules:
    def points(path: str, without: int = 0) -> int:
        return cells.number(path) if path in cells else without

    def is_so(path: str, word: str) -> bool:
        return path in cells and cells.word(path) == word

    under = points("settle.bonus_under_the_rubicon", points("settle.bonus"))
    return SettlementRules(
        bonus=points("settle.bonus"),
        bonus_under=under + points("settle.brisques_under_the_rubicon"),
        rubicon=points("settle.rubicon"),
        difference_over=is_so("settle.over_the_rubicon", "difference"),
        total_under=is_so("settle.under_the_rubicon", "total"),
        fractions=cells.word("settle.fractions") if "settle.fractions" in cells else "",
        least_difference=points(LEAST_DIFFERENCE[0]),
        least_of_the_loser=points(LEAST_OF_THE_LOSER[0]),
        brisques_save=is_so(SAVED[0], "save-it"),
        passing_wins=is_so(PASSED[0], "most-points"),
        added_if_rubiconed=is_so(RUBICONED[0], "are-added"),
        over=tuple(path for path in OVER if path in cells),
        under=tuple(path for path in UNDER if path in cells),
    )


def after_event(table: Table, event: Event) -> list[Event]:
    """What ends the game, if what has just happened brings it about (cells `settle.*`)."""
    rules = table.rules.settle
    if isinstance(event, Scored):
        won = table.score[table.rules.side_of[event.seat]] >= rules.target
        return [GameWon(table.rules.side_of[event.seat], None, GAME + TARGET + WINNER)] if won else []
    if isinstance(event, DealEnded) and not table.deals_left and max(table.score) >= rules.target:
        return list(_decided(table))
    return []


def of_deals(table: Table) -> Grounds:
    """Why the game has this deal, and goes on after it or may end: how many deals it is, and that a tie is broken by
    more."""
    least = table.rules.settle.least_deals
    return () if not least else DEALS if table.deals <= least else DEALS + EQUAL


def _decided(table: Table) -> Iterator[Event]:
    """Who has won now that a deal is over, or that nobody has yet."""
    rules = table.rules.settle
    why = DEALS if rules.least_deals else GAME if rules.one_deal else GAME + TARGET + WINNER
    sides = table.rules.sides
    brisques = tuple(sum(counted(table, table.won[seat]) for seat in side) for side in sides)
    ended = settlement(rules, tuple(table.score), brisques)
    if ended.with_brisques:
        for side, points in zip(sides, brisques, strict=True):
            if points:
                yield Scored(side[0], points, "brisques", BRISQUES)
    if ended.winner is not None:
        left_out = rules.brisques_decide and not ended.with_brisques
        yield GameWon(ended.winner, ended.points, why + ended.grounds + (WHEN_COUNTED if left_out else ()))
    else:
        yield _undecided(table, why + ended.grounds)


def _undecided(table: Table, why: Grounds) -> Event:
    """What follows where nobody has won: further deals, or a game that is drawn or void."""
    rules = table.rules.settle
    extra_deals = bool(rules.least_deals) and table.deals > rules.least_deals
    ends = rules.still_equal if rules.brisques_decide or extra_deals else rules.equal_scores
    if extra_deals:
        why = tuple(path for path in why if path not in EQUAL)
    if rules.brisques_decide or extra_deals:
        why += STILL_EQUAL
    if ends == "drawn":
        return GameDrawn(why)
    return GameVoid(why) if ends == "void" else Tied(rules.deals_for_a_tie, why)


def settlement(rules: SettleRules, score: Score, brisques: Score) -> Ended:
    """Who wins with these scores, and brisques in the tricks, for how many points (none where a game is not settled by
    points), and why."""
    tied = _are_equal(score)
    decisive = _added(score, brisques) if tied and rules.brisques_decide else score
    if _are_equal(decisive):
        void = rules.settlement is None or (rules.brisques_decide and rules.still_equal == "void")
        return Ended(None, None if void else 0, rules.equal)
    winner, loser = (Seat(decisive.index(best(decisive))) for best in (max, min))
    if rules.settlement is None:
        return Ended(winner, None, ())
    ended = _settled(rules.settlement, score, brisques, winner, loser, tied=tied)
    return replace(ended, grounds=rules.equal + ended.grounds) if tied else ended


def _are_equal(score: Score) -> bool:
    """Whether nobody has most."""
    return score.count(max(score)) > 1


def _added(score: Score, brisques: Score) -> Score:
    return tuple(map(sum, zip(score, brisques, strict=True)))


def _settled(rules: SettlementRules, score: Score, brisques: Score, winner: Seat, loser: Seat, *, tied: bool) -> Ended:
    """What the winner gets, and whether brisques are added: where they have decided, or save the loser."""
    full = _added(score, brisques)
    counted = tied or (score[loser] < rules.rubicon and rules.brisques_save)
    saved = rules.brisques_save and score[loser] < rules.rubicon <= full[loser]
    passed = saved and full[loser] > full[winner]
    if passed and rules.passing_wins:
        winner, loser = loser, winner
    below = _below(rules, score, full, loser)
    added = counted and (not below or rules.added_if_rubiconed)
    points, grounds = _points(rules, *((full if added else score)[seat] for seat in (winner, loser)), under=below)
    why = (SAVED if saved else ()) + (PASSED if passed else ())
    return Ended(winner, points, grounds + why + (RUBICONED if below and counted and any(brisques) else ()), added)


def _below(rules: SettlementRules, score: Score, full: Score, loser: Seat) -> bool:
    """Whether the loser is rubiconed: too low, and not saved by brisques where these can save."""
    return (full if rules.brisques_save else score)[loser] < rules.rubicon


def _points(rules: SettlementRules, winners: int, losers: int, *, under: bool) -> tuple[int, Grounds]:
    """The bonus, with the difference of the two scores or their sum (points)."""
    bonus, why = (rules.bonus_under, rules.under) if under else (rules.bonus, rules.over)
    if rules.fractions == "left-off-each-score":
        winners, losers = _hundreds(winners), _hundreds(losers)
    least_of_all = LEAST_OF_THE_LOSER if under and losers < rules.least_of_the_loser else ()
    if under:
        losers = max(losers, rules.least_of_the_loser)
    least: Grounds = ()
    by_total = rules.total_under if under else not rules.difference_over
    if by_total:
        together = winners + losers
    else:
        together = max(winners - losers, rules.least_difference)
        least = LEAST_DIFFERENCE if 0 < rules.least_difference > winners - losers else ()
    if rules.fractions == "left-off-the-sum":
        together = _hundreds(together)
    return bonus + together, why + least_of_all + least


def _hundreds(points: int) -> int:
    """The full hundreds in a number of points."""
    return points // 100 * 100
