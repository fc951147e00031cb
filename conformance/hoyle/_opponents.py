"""Opponents at the table: a greedy one, and one that searches.

No opponent uses cards hidden from it. A searcher's random numbers decide which deals it tries, among those consistent
with its knowledge.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import count
from math import sqrt
from statistics import fmean, stdev
from time import perf_counter
from typing import Any, Final, Protocol

from hoyle._actions import Action
from hoyle._game import Game
from hoyle_reference import Game as Machine
from hoyle_reference import Melds, Table, acts, rules_of
from hoyle_reference.cards import RANKS, Card, Suit, face_of, rank_of, suit_of
from hoyle_reference.questions import brisque_points, duties, trick_winner
from hoyle_reference.seats import Seat


class Opponent(Protocol):
    """An opponent, which chooses an action for a player."""

    def choose(self, game: Game, seat: str, deal: Callable[[], Game]) -> Action:
        """Return a legal action of the player in a seat, leaving the game unchanged. `deal` returns games that look the
        same to that player."""
        ...


class Greedy:
    """An opponent that scores whenever possible, takes tricks that count with the cheapest card, and otherwise plays
    and discards the least valuable cards."""

    def choose(self, game: Game, seat: str, deal: Callable[[], Game]) -> Action:  # noqa: ARG002 -- no deals needed
        """Return the greedy action: the one with the best immediate value."""
        return Action(_by_sight(game._machine, game._seat(seat))[0])


class Searcher:
    """An opponent that tries its best candidate actions in deals that look the same, playing each deal out greedily.

    It chooses the greedy action unless another one is better by more than chance explains.

    A choice takes about `seconds`, or exactly a number of `deals`, if given. With `deals`, its choices depend only on
    the game and the deals provided.
    """

    def __init__(self, seconds: float = 0.5, deals: int | None = None) -> None:
        self._seconds, self._deals = seconds, deals

    def choose(self, game: Game, seat: str, deal: Callable[[], Game]) -> Action:
        """Return the legal action with the best result in the search."""
        by_sight = _by_sight(game._machine, game._seat(seat))
        best = by_sight[0]
        if len(by_sight) == 1 or _how_good(game._machine.table, best) >= _AT_ONCE:
            return Action(best)
        ahead = self._tried(by_sight[:_CANDIDATES], seat, deal)
        better = {act: _surplus(ahead[act], ahead[best]) for act in ahead}
        return Action(max(better, key=lambda act: (better[act], act == best)))

    def _tried(self, candidates: Sequence[acts.Act], seat: str, deal: Callable[[], Game]) -> dict[acts.Act, list[int]]:
        """Return, for each candidate, the player's lead at the end of each deal (points)."""
        began = perf_counter()
        ahead: dict[acts.Act, list[int]] = {act: [] for act in candidates}
        for tried in count():
            enough = perf_counter() - began > self._seconds if self._deals is None else tried >= self._deals
            if enough and tried:
                break
            game = deal()
            for act in candidates:
                ahead[act].append(_outcome(game, act, seat))
        return ahead


#: The maximum number of candidate actions, the best by immediate value.
_CANDIDATES: Final = 5


def _surplus(ahead: Sequence[int], before: Sequence[int]) -> float:
    """Return the average lead of one action over another, less its standard error."""
    differences = [one - other for one, other in zip(ahead, before, strict=True)]
    if len(differences) == 1 or not any(differences):
        return 0.0
    return fmean(differences) - stdev(differences) / sqrt(len(differences))


def _outcome(game: Game, act: acts.Act, seat: str) -> int:
    """Return the lead of a player at the end of a deal if greedy actions follow this one: the score's distance above
    the average, times the number of players (points)."""
    tried = game.clone()
    tried._machine.apply(act)
    while not (tried.is_terminal() or tried.is_chance_node()):
        tried._machine.apply(_by_sight(tried._machine)[0])
    scores = tried.scores()
    return len(scores) * scores[seat] - sum(scores.values())


# ---- value of an action


def _by_sight(machine: Machine, who: Seat | None = None) -> list[acts.Act]:
    """Return the legal acts, or those of one player, best immediate value first, with only the best of the
    exchanges."""
    own = (
        act
        for part in machine.legal_actions.parts
        for act in (_exchanges(machine.table, part) if isinstance(part, acts.Discards) else part)
        if who is None or acts.by(act) == who
    )
    return sorted(own, key=lambda act: -_how_good(machine.table, act))


def _exchanges(table: Table, open_: acts.Discards) -> list[acts.Act]:
    """Return the exchanges of the maximum number of cards: the least valuable ones, and the same with each of the other
    cards in place of the last."""
    cards, most = sorted(open_.hand, key=lambda card: (_worth(table, card), card)), open_.sizes[-1]
    rest = cards[: most - 1]
    return (
        [acts.Discard(open_.by, (*rest, card)) for card in cards[len(rest) :]] if most else [acts.Discard(open_.by, ())]
    )


#: More than the value of any card, so that scoring acts come first.
_AT_ONCE: Final = 1_000_000
_ANSWERS: Final = {acts.NOT_GOOD: 3, acts.EQUAL_TO: 2, acts.GOOD: 0}


def _how_good(table: Table, act: Any) -> int:
    """Return the immediate value of an action, in about a tenth of a point for cards. Scoring acts always come first,
    and keeping cards back or passing comes last."""
    judge = _JUDGES.get(type(act))
    return judge(table, act) if judge else 0


def _declaring(table: Table, act: acts.Declare) -> int:
    rules = rules_of(table)
    return _AT_ONCE + (rules.declare.melds.by_id[act.meld].points if "declare" in rules.chapters else len(act.cards))


def _announcing(_table: Table, act: acts.Announce) -> int:
    height = act.top or act.rank
    return 100 * (act.count or 0) + (act.value or 0) + (RANKS.index(height) if height in RANKS else 0)


def _playing(table: Table, act: acts.Play) -> int:
    """Return the value of playing a card: winning a trick that counts as cheaply as possible, and leaving others."""
    worth, trick = _worth(table, act.card), (*table.trick, act.card)
    if not table.trick:
        return -worth if table.drawing else worth
    wins = trick_winner(table, trick)[0] == len(table.trick)
    counts = brisque_points(table, trick) + (0 if table.drawing else 1)
    return (_PER_POINT * counts if wins else -_PER_POINT * counts) - worth


#: The weight of a point in a trick, relative to the value of a card.
_PER_POINT: Final = 10


def _worth(table: Table, card: Card) -> int:
    """Return the value of a card to its player: its strength, its suit, and its possible scores."""
    strength = duties(table).strength.value[rank_of(card)]
    rules = rules_of(table)
    if "declare" not in rules.chapters:  # in a game with called combinations, long suits are more valuable
        suit = suit_of(card)
        return 2 * strength + 3 * sum(suit_of(each) == suit for each in table.hands[table.turn])
    trump = 12 if suit_of(card) == table.trumps else 0
    hopes = _hopes(rules.declare.melds, table.trumps)[face_of(card)] if table.drawing else 0
    return 2 * strength + trump + hopes + _PER_POINT * brisque_points(table, [card])


@lru_cache(maxsize=64)
def _hopes(melds: Melds, trumps: Suit | None) -> list[int]:
    """Return for each face a share of the points of all combinations that contain it."""
    hopes = [0] * 32
    suit = 4 if trumps is None else trumps
    for meld in melds.by_id.values():
        faces = {face for shape in meld.pattern.shapes[suit] for face in shape}
        ranks = {rank for rank, _ in meld.pattern.ranks}
        size = max((len(shape) for shape in meld.pattern.shapes[suit]), default=4)
        for face in range(32):
            if face in faces or rank_of(face) in ranks:
                hopes[face] += meld.points // (size * size)
    return hopes


_JUDGES: Final[Mapping[type, Callable[[Table, Any], int]]] = {
    acts.Declare: _declaring,
    **dict.fromkeys(
        (acts.Exchange, acts.Show, acts.CarteBlanche, acts.Prove, acts.Peep), lambda _table, _act: _AT_ONCE
    ),
    acts.Announce: _announcing,
    acts.Answer: lambda _table, act: _ANSWERS.get(act.says, 1),
    acts.Hold: lambda _table, _act: -_AT_ONCE,
    acts.Play: _playing,
    acts.Discard: lambda table, act: -sum(_worth(table, card) for card in act.cards),
}
