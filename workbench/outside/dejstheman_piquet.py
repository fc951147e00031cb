"""An adapter for Piquet, by Adedeji Adepetun: https://github.com/dejstheman/Piquet.

Run it with the path of a checkout: ``python workbench/outside/dejstheman_piquet.py PATH``. The engine needs numpy and
more-itertools. The adapter gives hands to the engine's state of a deal, and calls what declares and plays there. The
engine's exchange, which is made for its own players, is not checked.
"""

import sys
from typing import Any

from serving import OTHER, Question, serve

sys.path.insert(0, sys.argv[1])

from Card import Card
from DealState import DealState

RANKS = "789TJQKA"
CLASSES = ("point", "sequence", "set")


def state_of(step: Question) -> Any:
    """Return the state of a deal in which the player of a question is elder, with the hands of the question."""
    state = DealState.__new__(DealState)
    players = state.players = [step["by"], OTHER[step["by"]]]
    state.player_to_play, state.history = players[0], False
    state.deal_scores, state.scores, state.tricks_won = (dict.fromkeys(players, 0) for _ in range(3))
    state.hands = {player: [card_of(text) for text in step.get("hands", {}).get(player, ())] for player in players}
    state.carte_blanche = dict.fromkeys(players, False)
    state.declarations = dict.fromkeys(CLASSES, False)
    state.declaration_values = {player: dict.fromkeys(CLASSES, 0) for player in players}
    state.repique_scored = state.pique_scored = False
    state.current_trick, state.played_cards, state.tricks_in_round = [], {player: [] for player in players}, 12
    return state


def card_of(text: str) -> Any:
    """Return the engine's card."""
    return Card(RANKS.index(text[0]) + 1, text[1])


def class_winner(step: Question) -> str | None:
    """Return the player who has scored in a class after elder has declared it."""
    state = state_of(step)
    state.declare_stat(step["class"])
    return next((player for player, of in state.declaration_values.items() if of[step["class"]]), None)


def reckoning(step: Question) -> dict[str, int]:
    """Return the score of each player when elder has declared all classes, and younger has counted the same."""
    state = state_of(step)
    for each in CLASSES:
        state.declare_stat(each)
    elder, younger = state.players
    state.deal_scores[younger] += sum(state.declaration_values[younger].values())
    return {elder: state.deal_scores[elder], younger: state.deal_scores[younger]}


def trick_points(step: Question) -> dict[str, int]:
    """Return the score of each player for these tricks, without a pique."""
    return dict(_played(step).deal_scores)


def winner(step: Question) -> str:
    """Return the winner of a trick."""
    return str(_played(step).player_to_play)


def _played(step: Question) -> Any:
    state = state_of(step)
    state.pique_scored = True
    for text in step["cards"]:
        state.hands[state.player_to_play] = [card_of(text)]
        state.play_trick(card_of(text))
    return state


def playable(step: Question) -> list[str]:
    """Return the cards that may be played."""
    state, faces = state_of(step), {str(card_of(text)): text for text in step["hand"]}
    state.hands[step["by"]] = [card_of(text) for text in step["hand"]]
    state.current_trick = [(OTHER[step["by"]], card_of(text)) for text in step.get("led", ())]
    return [faces[str(card)] for card in state.get_possible_tricks()]


serve(
    {
        "class-winner": class_winner,
        "reckoning": reckoning,
        "trick-points": trick_points,
        "winner": winner,
        "playable": playable,
    },
    name="Piquet (Adedeji Adepetun)",
    version="commit c9c7304",
    rulesets=["piquet-rubicon-parlett"],
    claims=["class-winner", "reckoning", "trick-points", "winner", "playable"],
)
