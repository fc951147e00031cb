"""The end of a game: when a player wins, who wins, and the consequences of a deal after which nobody has won.

Implements SEMANTICS.md, settle-1 to settle-14.
"""

from collections.abc import Iterator

from ..events import DealEnded, Event, FirstToTarget, GameDrawn, GameVoid, GameWon, Played, Scored, Tied, awaits
from ..events.combinations import ClassDecided
from ..refusals import Grounds
from ..seats import Seat, ring
from ..table.states import Phase
from ..table.table import Table
from .chapter import Procedure
from .referee.rows import RUBICONED, VOIDED, cap_of_the_rubiconed, is_ruled, why_ruled
from .score import ScoreRules, brisque_points
from .settle import AS_RECKONED_AT_THE_END, Ended, SettleRules, settled_points, settlement, won_game


def after_event(table: Table, event: Event) -> list[Event]:
    """Return the events that end the game, if this one does (cells `settle.*`)."""
    rules = table.rules.of(SettleRules)
    if table.first_to_target is not None:
        won = isinstance(event, DealEnded)
        return _won(table, table.first_to_target, table.settled, rules.why) if won else []
    if isinstance(event, (Scored, ClassDecided, Played)):
        return _reached(table, *table.rules.of(Procedure).first_to_reach(table, event))
    if isinstance(event, DealEnded) and not table.deals_left and max(table.score) >= rules.target.value:
        return list(_decided(table))
    return []


def _reached(table: Table, winner: Seat | None, losers: int, why: Grounds) -> list[Event]:
    """Return the events after somebody has reached the target, against a player with this many points by then: the game
    is over, or the deal is first played out."""
    if winner is None:
        return []
    rules = table.rules.of(SettleRules)
    ended = won_game(rules, winner, losers)
    why = rules.why + why + ended.grounds
    if rules.winner.value == AS_RECKONED_AT_THE_END:
        return [FirstToTarget(winner, ended.points, why)]
    return _won(table, winner, ended.points, why)


def _won(table: Table, winner: Seat, points: int | None, why: Grounds) -> list[Event]:
    """Return the events of a game that is won."""
    return [GameWon(winner, points, why), awaits(Phase.OVER, table.turn)]


def _decided(table: Table) -> Iterator[Event]:
    """Yield the winner after a deal, or the consequences if there is none yet."""
    rules, score = table.rules.of(SettleRules), table.rules.of(ScoreRules)
    if any(is_ruled(table, seat, VOIDED) for seat in ring(Seat(0), table.players)):
        yield GameVoid(why_ruled(table, VOIDED))
        yield awaits(Phase.OVER, table.turn)
        return
    sides = table.rules.sides
    brisques = tuple(sum(brisque_points(table, table.won[seat]) for seat in side) for side in sides)
    ended = _if_rubiconed(table) or settlement(rules, tuple(table.score), brisques)
    for side, points in zip(sides, brisques, strict=True) if ended.with_brisques else ():
        if points:
            yield Scored(side[0], points, "brisques", score.counting.grounds + score.as_won.grounds)
    if ended.winner is None:
        yield from _undecided(table, ended.grounds)
        return
    left_out = rules.brisques_decide and not ended.with_brisques
    why = rules.why + ended.grounds + (score.as_won.grounds if left_out else ())
    yield GameWon(ended.winner, ended.points, why)
    yield awaits(Phase.OVER, table.turn)


def _if_rubiconed(table: Table) -> Ended | None:
    """Return the end of the game if a player has been ruled to be rubiconed, or None: the other side wins, and the
    player's score counts up to a maximum."""
    rules, score = table.rules.of(SettleRules).settlement, table.score
    loser = next((Seat(seat) for seat in range(table.players) if is_ruled(table, Seat(seat), RUBICONED)), None)
    if rules is None or loser is None:
        return None
    side = table.rules.side_of[loser]
    winner = next(each[0] for each in table.rules.sides if each[0] != side)
    points, why = settled_points(rules, score[winner], min(score[side], cap_of_the_rubiconed(table, loser)), under=True)
    return Ended(winner, points, why + why_ruled(table, RUBICONED))


def _undecided(table: Table, equal: Grounds) -> Iterator[Event]:
    """Yield the consequences if nobody has won: further deals, or a drawn or void game."""
    rules = table.rules.of(SettleRules)
    extra_deals = bool(rules.least_deals.value) and table.deals > rules.least_deals.value
    last_resort = rules.brisques_decide or extra_deals
    ends = (rules.still_equal if last_resort else rules.equal_scores).value
    why = rules.why + (() if extra_deals else equal) + (rules.still_equal.grounds if last_resort else ())
    if ends == "drawn":
        yield GameDrawn(why)
    elif ends == "void":
        yield GameVoid(why)
    else:
        yield Tied(rules.deals_for_a_tie, why)
    over = ends in {"drawn", "void"}
    yield awaits(Phase.OVER, table.turn) if over else awaits(Phase.DEAL, _dealer(table))


def _dealer(table: Table) -> Seat:
    assert table.dealer is not None, "a deal has ended"
    return table.dealer
