"""Ready opponents: a player who acts at random, a greedy one, and one who searches.

    from random import Random
    from hoyle.players import Greedy, Searcher, play_out

    play_out(hoyle.NumberedGame(rules, deals=1), {"A": Greedy(), "B": Searcher(Random(2))}, Random(3))

No player uses cards that lie hidden from it. A searcher's random numbers decide which of the deals that look the same
it tries.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import count
from math import sqrt
from random import Random
from statistics import fmean, stdev
from time import perf_counter
from typing import Any, Final, Protocol

from hoyle._numbered import NumberedGame, exchanges_in
from hoyle_reference.chapters.calling.announcements import EQUAL_TO, GOOD, NOT_GOOD
from hoyle_reference.chapters.declare.declarations import DeclareRules
from hoyle_reference.chapters.declare.melds import Melds
from hoyle_reference.chapters.score import brisque_points
from hoyle_reference.chapters.tricks import duties, winner
from hoyle_reference.machine import Game as Machine
from hoyle_reference.table.acts import (
    Act,
    Announce,
    Answer,
    CarteBlanche,
    Declare,
    Discard,
    Exchange,
    Hold,
    Peep,
    Play,
    Prove,
    Show,
)
from hoyle_reference.table.cards import RANKS, Card, Suit, face_of, rank_of, suit_of
from hoyle_reference.table.table import Table

__all__ = ["Greedy", "Player", "RandomPlayer", "Searcher", "play_out"]


class Player(Protocol):
    """Who chooses an action for the player who is asked."""

    def choose(self, game: NumberedGame) -> int:
        """Return the number of a legal action; the game stays as it is."""
        ...


class RandomPlayer:
    """A player who chooses any legal action, each with the same probability."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, game: NumberedGame) -> int:
        """Return the number of a legal action."""
        return self._rng.choice(game.legal_actions())


class Greedy:
    """A player who scores what can be scored, takes tricks that count with the cheapest card, and otherwise plays and
    puts away the cards that are worth least."""

    def choose(self, game: NumberedGame) -> int:
        """Return the legal action that seems best at first sight, and of equal ones the lowest number."""
        return _by_sight(game)[0]


class Searcher:
    """A player who tries the likeliest actions in deals that look the same, and plays each deal out greedily.

    The greedy action is chosen, unless another one is better by more than chance explains.

    It takes about so many `seconds` for a choice; or exactly so many `deals`, if they are given, and then its choices
    depend on nothing but the game and the random numbers.
    """

    def __init__(self, rng: Random, seconds: float = 0.5, deals: int | None = None) -> None:
        self._rng, self._seconds, self._deals = rng, seconds, deals

    def choose(self, game: NumberedGame) -> int:
        """Return the legal action that seems best after the search."""
        by_sight = _by_sight(game)
        best = by_sight[0]
        if len(by_sight) == 1 or _how_good(game.game._machine.table, game._look()[best]) >= _AT_ONCE:
            return best
        ahead = self._tried(game, by_sight[:_CANDIDATES])
        better = {number: _surplus(ahead[number], ahead[best]) for number in ahead}
        return max(better, key=lambda number: (better[number], number == best))

    def _tried(self, game: NumberedGame, candidates: Sequence[int]) -> dict[int, list[int]]:
        """Return for each candidate by how much the player was ahead at the end of each of the deals (points)."""
        seat, began = game.current_player(), perf_counter()
        assert seat is not None, "a player is asked"
        ahead: dict[int, list[int]] = {number: [] for number in candidates}
        for tried in count():
            enough = perf_counter() - began > self._seconds if self._deals is None else tried >= self._deals
            if enough and tried:
                break
            deal = game.determinise(seat, self._rng)
            for number in candidates:
                ahead[number].append(_outcome(deal, number, seat))
        return ahead


#: A searcher tries no more actions than these, the best at first sight.
_CANDIDATES: Final = 5


def _surplus(ahead: Sequence[int], before: Sequence[int]) -> float:
    """Return by how much one action was better than another on average, less the standard error of that."""
    differences = [one - other for one, other in zip(ahead, before, strict=True)]
    if len(differences) == 1 or not any(differences):
        return 0.0
    return fmean(differences) - stdev(differences) / sqrt(len(differences))


def _outcome(deal: NumberedGame, number: int, seat: str) -> int:
    """Return by how much a player is ahead at the end of a deal, if greedy actions follow this one (points)."""
    tried = deal.clone()
    tried.apply_action(number)
    while tried._cards:  # the rest of an exchange
        tried.apply_action(_by_sight(tried)[0])
    game = tried.game
    while not (game.is_terminal() or game.is_chance_node()):
        game._machine.apply(_seems_best(game._machine))
    return tried._leads()[seat]


def _seems_best(machine: Machine) -> Act:
    """Return the act that seems best to the players, in a position in which chance does not decide."""
    table, best, found = machine.table, -2 * _AT_ONCE, None
    parts = machine.legal_actions.parts
    exchanges = exchanges_in(parts)
    if exchanges is not None:
        least_worth = sorted(exchanges.hand, key=lambda card: (_worth(table, card), card))
        return Discard(exchanges.by, tuple(least_worth[: exchanges.sizes[-1]]))
    for part in parts:
        for act in part:
            if (good := _how_good(table, act)) > best:
                best, found = good, act
    assert found is not None, "a position in which a player decides has a legal act"
    return found


def play_out(game: NumberedGame, players: Mapping[str, Player], chance: Random) -> dict[str, int]:
    """Play a game to its end, and return what each player has won or lost."""
    while not game.is_terminal():
        game.sample_chance(chance)
        asked = game.current_player()
        if asked is not None:
            game.apply_action(players[asked].choose(game))
    return game.returns()


# ---- how good an action seems


def _by_sight(game: NumberedGame) -> list[int]:
    """Return the numbers of the legal actions, that which seems best first, and of equal ones the lowest."""
    table, legal = game.game._machine.table, game._look()
    return sorted(legal, key=lambda number: (-_how_good(table, legal[number]), number))


#: More than any card is worth: what scores is done at once.
_AT_ONCE: Final = 1_000_000
_ANSWERS: Final = {NOT_GOOD: 3, EQUAL_TO: 2, GOOD: 0}


def _how_good(table: Table, act: Any) -> int:
    """Return how good an action seems. For cards the unit is about a tenth of a point; nothing that scores is left
    undone, and nothing is kept back, or passed over, if there is something else."""
    if isinstance(act, int):  # a card that is put away
        return -_worth(table, Card(act))
    judge = _JUDGES.get(type(act))
    return judge(table, act) if judge else 0


def _declaring(table: Table, act: Declare) -> int:
    rules = table.rules.get(DeclareRules)
    return _AT_ONCE + (rules.melds.by_id[act.meld].points if rules else len(act.cards))


def _announcing(_table: Table, act: Announce) -> int:
    height = act.top or act.rank
    return 100 * (act.count or 0) + (act.value or 0) + (RANKS.index(height) if height in RANKS else 0)


def _playing(table: Table, act: Play) -> int:
    """Return how good a card is to play: a trick that counts is taken as cheaply as it can be, and others are left."""
    worth, trick = _worth(table, act.card), (*table.trick, act.card)
    if not table.trick:
        return -worth if table.drawing else worth
    wins = winner(table, trick)[0] == len(table.trick)
    counts = brisque_points(table, trick) + (0 if table.drawing else 1)
    return (_PER_POINT * counts if wins else -_PER_POINT * counts) - worth


#: How much a point counts in a trick, against what a card is worth.
_PER_POINT: Final = 10


def _worth(table: Table, card: Card) -> int:
    """Return how much a card is worth to its player: its strength, its suit, and what it may still score."""
    strength = duties(table).strength.value[rank_of(card)]
    rules = table.rules.get(DeclareRules)
    if rules is None:  # a game in which combinations are called: long suits are worth more
        suit = suit_of(card)
        return 2 * strength + 3 * sum(suit_of(each) == suit for each in table.hands[table.turn])
    trump = 12 if suit_of(card) == table.trumps else 0
    hopes = _hopes(rules.melds, table.trumps)[face_of(card)] if table.drawing else 0
    return 2 * strength + trump + hopes + _PER_POINT * brisque_points(table, [card])


@lru_cache(maxsize=64)
def _hopes(melds: Melds, trumps: Suit | None) -> list[int]:
    """Return for each face a part of the points of all combinations that it belongs to."""
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
    Declare: _declaring,
    **dict.fromkeys((Exchange, Show, CarteBlanche, Prove, Peep), lambda _table, _act: _AT_ONCE),
    Announce: _announcing,
    Answer: lambda _table, act: _ANSWERS.get(act.says, 1),
    Hold: lambda _table, _act: -_AT_ONCE,
    Play: _playing,
    type(None): lambda _table, _act: -_AT_ONCE,
}
