"""The figures for which the design has goals, measured in one run, each beside its goal.

A figure is the best of several tries, since whatever else the machine does only makes it worse. Nothing here is a test:
speed is looked at, never asserted.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import before
import commands
import sharing
from hoyle_conformance.checks.load import load_suite
from hoyle_reference import Game, Phase, Rules, machine, new_game
from hoyle_reference.table.acts import Act, Cut, Deal
from measuring import line, seconds

HERE = Path(__file__).parent
#: Where `make compiled` leaves the interpreter as machine code.
COMPILED = HERE.parent / "build" / "compiled"
CONFORMANCE = HERE.parent / "conformance"
#: What is asked of this script by itself: nothing but the deals, as JSON.
DEALS = "deals"


class Played(NamedTuple):
    """A game of which random deals are played: so many of them, and the goal for each second."""

    name: str
    ruleset: str
    readings: dict[str, str]
    deals: int
    goal: int


GAMES = (
    # Under this reading every deal is played to its end, so that only whole deals are counted.
    Played("Bézique", "bezique-hoyle", {"settle.winner": "higher-at-the-end"}, 400, 1000),
    Played("Rubicon", "rubicon-hoyle", {}, 200, 500),
    Played("Piquet", "piquet-rubicon-parlett", {}, 1200, 3500),
)


def all_deals() -> list[float]:
    """Measure random complete deals a second, of each game."""
    suite = load_suite(scenarios=False)
    return [random_deals(suite.rules.of(game.ruleset, game.readings), game.deals) for game in GAMES]


def compiled_deals() -> list[float]:
    """Return the figures of `all_deals` in a process that has the compiled interpreter."""
    told = subprocess.run(
        [sys.executable, __file__, DEALS],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(COMPILED), str(CONFORMANCE)))},
        stdout=subprocess.PIPE,
        check=True,
    )
    answer: dict[str, Any] = json.loads(told.stdout)
    assert Path(answer["interpreter"]).is_relative_to(COMPILED), "PYTHONPATH comes before what is installed"
    return list(answer["deals"])


def random_deals(rules: Rules, deals: int) -> float:
    """Measure random complete deals a second, every choice taken from the legal actions, all events made."""
    chance = random.Random(20)
    counts: list[int] = []

    def play() -> None:
        dealt = 0
        while dealt < deals:
            game = new_game(rules)
            game.apply(Cut(rules.pack[7::-1][: rules.players]))
            while not game.is_over:
                if game.table.phase is Phase.CHOOSE and not game.table.deals:
                    game.apply(game.legal_actions[0])
                elif game.table.phase is Phase.DEAL:
                    game.apply(_shuffled_deal(game, chance))
                    dealt += 1
                else:
                    game.apply(_any(game, chance))
        counts.append(dealt)

    return max(1 / (seconds(play) / counts[-1]) for _ in range(5))


def _shuffled_deal(game: Game, chance: random.Random) -> Deal:
    assert game.table.dealer is not None, "a deal has a dealer"
    deck = list(game.rules.pack)
    chance.shuffle(deck)
    ways = game.rules.deal.packets.value
    return Deal(game.table.dealer, tuple(deck), ways[0][0] if len(ways) > 1 else None)


def _any(game: Game, chance: random.Random) -> Act:
    acts = game.legal_actions
    return acts[int(chance.random() * len(acts))]


def main() -> None:
    """Print every figure."""
    commands.main()
    before.main()
    sharing.main()
    print(f"\n{'':<52} {'measured':>9} {'':<4} {'goal':>15}   goal met if 1 or more")
    interpreted = all_deals()
    for game, deals in zip(GAMES, interpreted, strict=True):
        print(line(f"random complete deals of {game.name}, with events", deals, "/s", game.goal, least=True))
    if not COMPILED.is_dir():
        print("To compare with the compiled interpreter: make compiled LEVEL=3")
        return
    for game, deals, compiled in zip(GAMES, interpreted, compiled_deals(), strict=True):
        what = f"the same of {game.name}, compiled"
        print(f"{what:<52} {compiled:>9,.0f} /s   {compiled / deals:>15.2f} times as many")


if __name__ == "__main__":
    if sys.argv[1:] == [DEALS]:
        print(json.dumps({"interpreter": machine.__file__, "deals": all_deals()}))
    else:
        main()
