"""The settlement of a game: its rules, its winner by these scores, and the points that it is settled for.

Brisques that only decide the game, or are added only in some cases, belong to the settlement and not to the score. One
function settles the end of a game and answers the question about it. A void game has no winner and no points; a drawn
one has no winner and 0 points.

Implements SEMANTICS.md, points-3 and settle-1 to settle-15.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from ..acts import Partie, Settlement
from ..cells import Cells, Rule, cell, equals, number, word
from ..events import DealEnded, Played, Scored
from ..events.combinations import ClassDecided
from ..frozen import frozen
from ..refusals import Grounds
from ..seats import Seat
from ..table.table import Table
from .chapter import Ask, Chapter, Ruling

Score = tuple[int, ...]
#: The rules on who wins a game to a target: the first by the order of scoring or by the order of reckoning; whether
#: the game then ends at once, or with the deal.
AS_SCORED: Final = "first-to-reach"
AS_RECKONED: Final = "first-as-reckoned"
AS_RECKONED_AT_THE_END: Final = "as-reckoned-at-the-end-of-the-deal"
#: The events that can end a game to a target before a deal is over, for each rule on the winner.
_DECISIVE: Final[Mapping[str, frozenset[type]]] = MappingProxyType(
    {
        AS_SCORED: frozenset({Scored, DealEnded}),
        AS_RECKONED: frozenset({Scored, ClassDecided, Played, DealEnded}),
        AS_RECKONED_AT_THE_END: frozenset({Scored, ClassDecided, Played, DealEnded}),
    }
)


@frozen
class SettleRules:
    """The rules of a game's end: its length (one deal, a number of deals, or as many as the target needs), its target
    (points), and the winner if it is reached.

    Bonuses: whether repique and pique count after the other points before the play and in it, and whether a repique is
    marked though the combination has won. Further: how ties are broken, and the settlement by points, if there is one.
    """

    game: Rule[str]
    target: Rule[int]
    winner: Rule[str]
    least_deals: Rule[int]
    #: The events that can end a game.
    decisive: frozenset[type]
    settlement: "SettlementRules | None"
    bonuses_last: Rule[bool] = cell("settle.bonuses", equals("after-the-hand-and-the-play"), otherwise=False)
    repique_once_won: Rule[bool] = cell("settle.repique_once_won", equals("marked"), otherwise=False)
    equal_scores: Rule[str] = cell("settle.equal_scores", word, otherwise="")
    still_equal: Rule[str] = cell("settle.still_equal", word, otherwise="")
    doubled_deals: Rule[tuple[int, ...]] = cell("settle.doubled_deals", tuple, otherwise=())
    double_below: Rule[int] = cell("settle.double_below", number, otherwise=0)
    games_for_a_partie: Rule[int] = cell("settle.games_for_a_partie", number, otherwise=0)

    @property
    def brisques_decide(self) -> bool:
        """Whether the brisques in the tricks break a tie."""
        return self.equal_scores.value == "brisques-decide"

    @property
    def deals_for_a_tie(self) -> int:
        """The number of further deals after a tie, if they are to break it."""
        return 2 if self.equal_scores.value == "two-more-deals" else 1

    @property
    def why(self) -> Grounds:
        """The cells by which the game can end after a deal."""
        if self.least_deals.value:
            return self.game.grounds + self.least_deals.grounds
        return self.game.grounds + self.target.grounds + self.winner.grounds


@frozen
class SettlementRules:
    """The winner's settlement: a bonus with the difference of the scores or, if the loser is below the rubicon, with
    their sum (points); and the effects of brisques. A value of 0 means that the game has no such part."""

    bonus: Rule[int]
    bonus_under: Rule[int]
    brisques_under: Rule[int] = cell("settle.brisques_under_the_rubicon", number, otherwise=0)
    rubicon: Rule[int] = cell("settle.rubicon", number, otherwise=0)
    over: Rule[str] = cell("settle.over_the_rubicon", word, otherwise="total")
    total_under: Rule[bool] = cell("settle.under_the_rubicon", equals("total"), otherwise=False)
    fractions: Rule[str] = cell("settle.fractions", word, otherwise="")
    least_difference: Rule[int] = cell("settle.least_difference", number, otherwise=0)
    least_of_the_loser: Rule[int] = cell("settle.least_of_the_rubiconed", number, otherwise=0)
    brisques_save: Rule[bool] = cell("settle.brisques_and_the_rubicon", equals("save-it"), otherwise=False)
    passing_wins: Rule[bool] = cell("settle.winner_after_brisques", equals("most-points"), otherwise=False)
    added_if_rubiconed: Rule[bool] = cell("settle.brisques_if_rubiconed", equals("are-added"), otherwise=False)


@frozen
class Ended:
    """The end of a game: its winner (a side, by its first seat), the points settled, whether brisques are added to the
    scores, and why."""

    winner: Seat | None
    points: int | None
    grounds: Grounds
    with_brisques: bool = False


def is_one_deal(cells: Cells) -> bool:
    """Whether each deal is a separate game."""
    return _game(cells).value == "one-deal"


def _game(cells: Cells) -> Rule[str]:
    return cells.rule("settle.game", word)


def read(cells: Cells) -> SettleRules:
    """Compile the cells of this chapter; the settlement by points is None in a game without a bonus for the winner."""
    game, none, bonus = _game(cells), Rule(0), cells.rule_if_any("settle.bonus", number, otherwise=0)
    to_target = game.value == "to-the-target"
    winner = cells.rule("settle.winner", word) if to_target else Rule("")
    bonus_under = cells.rule_if_any("settle.bonus_under_the_rubicon", number, otherwise=bonus.value)
    return cells.compiled(
        SettleRules,
        game=game,
        target=cells.rule("settle.target", number) if to_target else none,
        winner=winner,
        least_deals=cells.rule("settle.deals", number) if game.value == "so-many-deals" else none,
        decisive=_DECISIVE.get(winner.value, frozenset({DealEnded})),
        settlement=cells.compiled(SettlementRules, bonus=bonus, bonus_under=bonus_under) if bonus.grounds else None,
    )


def of_deals(table: Table) -> Grounds:
    """Return the cells by which the game has this deal, and continues after it or may end: its number of deals, and
    further deals for a tie."""
    rules = table.rules.of(SettleRules)
    if not rules.least_deals.value:
        return ()
    return rules.why if table.deals <= rules.least_deals.value else rules.why + rules.equal_scores.grounds


def settlement(rules: SettleRules, score: Score, brisques: Score) -> Ended:
    """Return the winner with these scores and brisques in the tricks, the points settled (None if games are not settled
    by points), and why."""
    tied, in_all = _are_equal(score), tuple(map(sum, zip(score, brisques, strict=True)))
    broken = tied and rules.brisques_decide
    decisive = in_all if broken else score
    level = _level_by_saving(rules.settlement, score, in_all)
    if _are_equal(decisive) or level:
        void = rules.settlement is None or (rules.brisques_decide and rules.still_equal.value == "void")
        added = rules.settlement is not None and (broken or bool(level))
        return Ended(None, None if void else 0, level or rules.equal_scores.grounds, added)
    winner, loser = (Seat(decisive.index(best(decisive))) for best in (max, min))
    if rules.settlement is None:
        return won_game(rules, winner, score[loser])
    ended = _settled(rules.settlement, score, in_all, winner, loser, tied=tied)
    return replace(ended, grounds=rules.equal_scores.grounds + ended.grounds) if tied else ended


def won_game(rules: SettleRules, winner: Seat, losers: int) -> Ended:
    """Return the end of a game that is not settled by its scores: a single game, or a double one against a loser with
    few points, in games that have double ones (cell `settle.double_below`)."""
    if not rules.double_below.value:
        return Ended(winner, None, ())
    return Ended(winner, 2 if losers < rules.double_below.value else 1, rules.double_below.grounds)


def _are_equal(score: Score) -> bool:
    """Whether the highest score is shared."""
    return score.count(max(score)) > 1


def _level_by_saving(rules: SettlementRules | None, score: Score, in_all: Score) -> Grounds:
    """Return why nobody has won, if the brisques that save the loser equalize the scores (cell
    `settle.winner_after_brisques`)."""
    if rules is None or not (rules.passing_wins.value and rules.brisques_save.value):
        return ()
    saved = min(score) < rules.rubicon.value <= min(in_all)
    return rules.brisques_save.grounds + rules.passing_wins.grounds if saved and _are_equal(in_all) else ()


def _settled(rules: SettlementRules, score: Score, full: Score, winner: Seat, loser: Seat, *, tied: bool) -> Ended:
    """Return the winner's points, and whether brisques are added: they are if they have decided the game or save the
    loser."""
    rubicon, save = rules.rubicon.value, rules.brisques_save.value
    counted = tied or (score[loser] < rubicon and save)
    saved = save and score[loser] < rubicon <= full[loser]
    reached = saved and full[loser] >= full[winner]
    if reached and rules.passing_wins.value:
        winner, loser = loser, winner
    below = (full if save else score)[loser] < rubicon
    added = counted and (not below or rules.added_if_rubiconed.value)
    counting = full if added else score
    points, grounds = settled_points(rules, counting[winner], counting[loser], under=below)
    grounds += rules.brisques_save.grounds if saved else ()
    grounds += rules.passing_wins.grounds if reached else ()
    grounds += rules.added_if_rubiconed.grounds if below and counted and full != score else ()
    return Ended(winner, points, grounds, added)


def settled_points(rules: SettlementRules, winners: int, losers: int, *, under: bool) -> tuple[int, Grounds]:
    """Return the bonus, with the difference of the two scores or their sum (points), and why."""
    if rules.fractions.value == "left-off-each-score":
        winners, losers = _hundreds(winners), _hundreds(losers)
    bonus, why = rules.bonus.value, rules.bonus.grounds
    if under:
        bonus = rules.bonus_under.value + rules.brisques_under.value
        why += rules.bonus_under.grounds + rules.brisques_under.grounds + rules.rubicon.grounds
        why += rules.total_under.grounds + rules.fractions.grounds
        why += rules.least_of_the_loser.grounds if losers < rules.least_of_the_loser.value else ()
        losers = max(losers, rules.least_of_the_loser.value)
    else:
        why += rules.rubicon.grounds + rules.over.grounds + rules.fractions.grounds
        if rules.over.value == "nothing":
            return bonus, why
    if rules.total_under.value if under else rules.over.value == "total":
        together = winners + losers
    else:
        together, least = max(winners - losers, rules.least_difference.value), rules.least_difference
        why += least.grounds if 0 < least.value > winners - losers else ()
    if rules.fractions.value == "left-off-the-sum":
        together = _hundreds(together)
    return bonus + together, why


def _hundreds(points: int) -> int:
    """Return the number of points rounded down to full hundreds."""
    return points // 100 * 100


def how_it_is_settled(table: Table, question: Settlement) -> Ruling:
    """Return the winner of a game that ends with these scores, and the points settled."""
    rules = table.rules.of(SettleRules)
    in_tricks = question.brisques or (0,) * len(question.score)
    ended = settlement(rules, question.score, in_tricks)
    return Ruling((ended.winner, ended.points), rules.game.grounds + ended.grounds)


def who_wins_the_partie(table: Table, question: Partie) -> Ruling:
    """Return the side that has won enough games for the partie (cell `settle.games_for_a_partie`), a double game
    counted as two; None if there is none."""
    needed = table.rules.of(SettleRules).games_for_a_partie
    won = [once + 2 * twice for once, twice in zip(question.single, question.double, strict=True)]
    return Ruling(Seat(won.index(max(won))) if max(won) >= needed.value else None, needed.grounds)


CHAPTER: Chapter = Chapter(
    "settle",
    read,
    asks=(
        Ask(Settlement, how_it_is_settled),
        Ask(Partie, who_wins_the_partie, lambda rules: bool(rules.games_for_a_partie.grounds)),
    ),
    always=True,
    fields=lambda rules: ("first_to_target",) if rules.winner.value == AS_RECKONED_AT_THE_END else (),
)
