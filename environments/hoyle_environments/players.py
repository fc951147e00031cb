"""Players of numbered games: the opponents of Hoyle's table, and one who acts at random.

    from random import Random
    from hoyle_environments import Greedy, NumberedGame, Searcher, play_out

    play_out(NumberedGame(rules, deals=1), {"A": Greedy(), "B": Searcher(Random(2))}, Random(3))

No player uses cards that lie hidden from it.
"""

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Protocol

from hoyle import _opponents as opponents
from hoyle_environments.catalogue import PUT_AWAY, PUT_NO_MORE
from hoyle_environments.numbered import NumberedGame
from hoyle_environments.sampling import determinise
from hoyle_reference.acts import Discard
from hoyle_reference.cards import name


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
        """Return the legal action that seems best at first sight."""
        return _choice(opponents.Greedy(), game, Random(0))  # noqa: S311 -- it draws nothing


class Searcher:
    """A player who tries the likeliest actions in deals that look the same, and plays each deal out greedily.

    It takes about so many `seconds` for a choice; or exactly so many `deals`, if they are given, and then its choices
    depend on nothing but the game and the random numbers.
    """

    def __init__(self, rng: Random, seconds: float = 0.5, deals: int | None = None) -> None:
        self._rng, self._opponent = rng, opponents.Searcher(seconds, deals)

    def choose(self, game: NumberedGame) -> int:
        """Return the legal action that seems best after the search."""
        return _choice(self._opponent, game, self._rng)


def _choice(opponent: opponents.Opponent, game: NumberedGame, rng: Random) -> int:
    """Return the number of the action that an opponent of the table chooses; of an exchange, the next card of it."""
    seat = game.current_player()
    assert seat is not None, "a player is asked"
    action = opponent.choose(game.game, seat, partial(determinise, game.game, seat, rng))
    if not isinstance(action._act, Discard):
        return game.catalogue.number(action)
    left = [f"{PUT_AWAY} {name(card)}" for card in action._act.cards if card not in game._cards]
    return game.catalogue.number(left[0] if left else PUT_NO_MORE)


def play_out(game: NumberedGame, players: Mapping[str, Player], chance: Random) -> dict[str, int]:
    """Play a game to its end, and return what each player has won or lost."""
    while not game.is_terminal():
        game.sample_chance(chance)
        asked = game.current_player()
        if asked is not None:
            game.apply_action(players[asked].choose(game))
    return game.returns()
