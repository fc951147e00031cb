"""A bot that plays Bézique: it scores what it can, leads its lowest card, and takes tricks with aces and tens.

Run it: ``python environments/examples/bot.py``. It plays ten deals against `RandomPlayer`.
"""

from random import Random

import hoyle
from hoyle_environments import NumberedGame, RandomPlayer, play_out

RULES = hoyle.rules("bezique-hoyle")


class Bot:
    """A player: `choose` returns the number of a legal action."""

    def choose(self, game: NumberedGame) -> int:
        names = {game.catalogue.names[number]: number for number in game.legal_actions()}
        for name, number in names.items():
            if name.startswith(("declare", "exchange", "show", "draw")):
                return number
        plays = sorted(names, key=self.worth)
        trick = game.game.observation(game.current_player())["trick"]
        counts = bool(trick) and trick[0][0] in "AT"
        return names[plays[-1] if counts else plays[0]]

    def worth(self, name: str) -> int:
        """Return how much a card is worth keeping: ``play QS#2`` by its rank."""
        return "789JQKTA".find(name.rsplit(maxsplit=1)[-1][0])


def main() -> None:
    lead = 0
    for deal in range(10):
        game = NumberedGame(RULES, deals=1)
        lead += play_out(game, {"A": Bot(), "B": RandomPlayer(Random(deal))}, Random(deal))["A"]
    print(f"The bot leads by {lead} points after ten deals.")


if __name__ == "__main__":
    main()
