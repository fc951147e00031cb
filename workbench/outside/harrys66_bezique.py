"""An adapter for Bezique, by Harry (harrys66): https://github.com/harrys66/Bezique.

Run it with the path of a checkout: ``python workbench/outside/harrys66_bezique.py PATH``. The game is not finished: it
plays the tricks while cards are drawn, and its declarations end with an exception. The adapter asks what is finished:
who wins a trick, and what its cards count.
"""

import sys

from serving import OTHER, Question, serve

sys.path.insert(0, sys.argv[1])

from beziquePack import Card, Game, Hand, OpponentAi, Player

RANKS = {"T": "10"}
SUITS = {"C": "Clubs", "D": "Diamonds", "H": "Hearts", "S": "Spades"}


def card_of(text: str) -> Card:
    """Return the engine's card."""
    return Card(SUITS[text[1]], RANKS.get(text[0], text[0]))


def winner(step: Question) -> str:
    """Return the player who leads after the engine has evaluated the trick."""
    game = Game()
    game.player, game.opponentAI = Player("", Hand()), OpponentAi(Hand())
    game.playerAction, game.trumpSuit = True, SUITS.get(step["trumps"])
    game.evaluateTrick(*map(card_of, step["cards"]))
    return step["by"] if game.playerAction else OTHER[step["by"]]


def counted(step: Question) -> int:
    """Return the points of the cards in a trick."""
    return sum(card_of(text).points for text in step["cards"])


serve(
    {"winner": winner, "counted": counted},
    name="Bezique (harrys66)",
    version="commit 49f8d8f",
    rulesets=["bezique-hoyle"],
    claims=["winner", "counted"],
)
