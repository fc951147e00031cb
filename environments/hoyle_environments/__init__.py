"""Hoyle's games for bots and learners: every decision is a number, and so is what a player sees.

    import hoyle
    from hoyle_environments import NumberedGame

    game = NumberedGame(hoyle.rules("piquet-hoyle"), deals=1)

`hoyle_environments.pettingzoo` and `hoyle_environments.openspiel` have the games for these libraries.
"""

from hoyle_environments.catalogue import Catalogue
from hoyle_environments.numbered import NumberedGame
from hoyle_environments.planes import Plane
from hoyle_environments.players import Greedy, Player, RandomPlayer, Searcher, play_out
from hoyle_environments.sampling import determinise

__all__ = [
    "Catalogue",
    "Greedy",
    "NumberedGame",
    "Plane",
    "Player",
    "RandomPlayer",
    "Searcher",
    "determinise",
    "play_out",
]
