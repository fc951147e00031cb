"""An adapter for pyquet, by Zach Smith: https://github.com/subsetpark/pyquet.

Run it with the path of a checkout: ``python workbench/outside/pyquet.py PATH``. It asks the engine's own functions for
the classes, the scores before the play, the tricks and the settlement. The engine's exchange and its players are not
checked: they cannot be given a pack.
"""

import sys
from typing import Any

from serving import OTHER, Question, serve

sys.path.insert(0, sys.argv[1])

from core.game import Card, Deal, Partie, Rank, Suit
from core.players import Rabelais

RANKS = dict(zip("789TJQKA", Rank, strict=True))
SUITS = {"D": Suit.DIAMONDS, "H": Suit.HEARTS, "S": Suit.SPADES, "C": Suit.CLUBS}
#: The place, among the cards of a deal's tricks, of the lead to the last.
LAST = 22
CLASSES = {"point": "point", "sequence": "sequences", "set": "sets"}


def deal_of(step: Question) -> tuple[Deal, dict[str, Any]]:
    """Return a deal in which the player of a question is elder, and the players by seat, with their hands."""
    players = {seat: Rabelais(seat) for seat in "AB"}
    elder, younger = players[step["by"]], players[OTHER[step["by"]]]
    deal = Deal(Partie(elder, younger), elder, younger)
    for seat, hand in step.get("hands", {}).items():
        players[seat].draw([card_of(text) for text in hand])
    return deal, players


def card_of(text: str) -> Card:
    """Return the engine's card."""
    return Card(RANKS[text[0]], SUITS[text[1]])


def class_winner(step: Question) -> str | None:
    """Return the player whose declaration is the greater, as the engine's score_declarations compares them."""
    _, players = deal_of(step)
    one, other = (players[seat].declare(CLASSES[step["class"]]) for seat in "AB")
    return max(one, other).player.name if one != other else None


def reckoning(step: Question) -> dict[str, int]:
    """Return the score of each player before the play."""
    deal, _ = deal_of(step)
    deal.score_declarations()
    return {player.name: points for player, points in deal.score.items()}


def trick_points(step: Question) -> dict[str, int]:
    """Return the score of each player for these tricks."""
    deal, _ = _played(step)
    return {player.name: points for player, points in deal.score.items()}


def winner(step: Question) -> str:
    """Return the winner of a trick."""
    return _played(step)[1]


def _played(step: Question) -> tuple[Deal, str]:
    """Return a deal after these tricks, and the winner of the last one. No pique is made in it, and it ends with the
    twelfth trick."""
    deal, players = deal_of(step)
    deal.pique, leader, cards = deal.elder, step["by"], step["cards"]
    for at in range(0, len(cards), 2):
        plays = [
            {"player": players[seat], "card": card_of(text)}
            for seat, text in zip((leader, OTHER[leader]), cards[at : at + 2], strict=True)
        ]
        for play in plays:  # the engine ends the deal when no card is left
            left = {"more": play["card"]} if at < LAST else {}
            play["player"].hand = {play["card"].hash(): play["card"], **left}
        leader = deal.play_trick(*plays)["winner"].name
    return deal, leader


def settlement(step: Question) -> dict[str, Any]:
    """Return the winner of a partie and the final score."""
    players = [Rabelais(seat) for seat in "AB"]
    partie = Partie(*players)
    partie.score = {player: step["score"][player.name] for player in players}
    points = partie.get_final_score()
    return {"winner": partie.winner.name, "points": points}


serve(
    {
        "class-winner": class_winner,
        "reckoning": reckoning,
        "trick-points": trick_points,
        "winner": winner,
        "settlement": settlement,
    },
    name="pyquet (Zach Smith)",
    version="commit b391783",
    rulesets=["piquet-rubicon-parlett"],
    claims=["class-winner", "reckoning", "trick-points", "winner", "settlement"],
)
