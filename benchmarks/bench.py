"""Measures what the design sets goals for, in one run, each figure beside its goal.

A figure is the best of several tries, since whatever else the machine does only makes it worse. Nothing here is a test:
speed is looked at, never asserted.
"""

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from hoyle_conformance.load import load_suite
from hoyle_conformance.positions.plan import plan
from hoyle_conformance.protocol import starting
from hoyle_conformance.protocol.implementations import Command
from hoyle_conformance.protocol.messages import Wire
from hoyle_conformance.run.jobs import helpers
from hoyle_conformance.run.judge import judge
from hoyle_conformance.run.runner import run
from hoyle_reference import Game, Phase, Rules, machine, new_game
from hoyle_reference.table.acts import Act, Cut, Deal

HERE = Path(__file__).parent
HOYLE = [sys.executable, "-m", "hoyle_conformance"]
#: Where `make compiled` leaves the interpreter as machine code.
COMPILED = HERE.parent / "build" / "compiled"
CONFORMANCE = HERE.parent / "conformance"
EXAMPLE = [sys.executable, str(CONFORMANCE / "adapters/python/rubicon.py")]
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


def best(tries: int, measure: Callable[[], float]) -> float:
    """The least of so many measurements."""
    return min(measure() for _ in range(tries))


def seconds(act: Callable[[], object]) -> float:
    """How long something takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def process(*words: str) -> float:
    """A whole `hoyle` process, from start to end, in seconds."""
    return seconds(lambda: subprocess.run([*HOYLE, *words], capture_output=True, check=True))


def through_the_protocol() -> float:
    """Scenarios a second through a child process: message built and checked, sent, answered, answer checked, judged."""
    suite = load_suite()
    planned = [(check, plan(check, suite.rules(check.ruleset), suite.capabilities)) for check in suite.checks.values()]
    adapter = Command(Wire(suite.schemas, suite.version), [sys.executable, str(HERE / "trivial.py")], 10)
    adapter.introduce()

    def all_of_them() -> None:
        for seq, (check, prepared) in enumerate(planned, start=1):
            answer = adapter.run(seq, prepared.message)
            judge(check, prepared, answer.steps, trusted=False)

    try:
        return len(planned) / best(7, lambda: seconds(all_of_them))
    finally:
        adapter.close()


def of_one_job(larger: int, words: Sequence[str] = ()) -> float:
    """How long two jobs take for a suite so many times as large, in percent of what one needs, without loading it.

    The run is that of `hoyle check`, and includes that the second job is started and ended. Both are measured in turn,
    so that whatever else the machine does concerns both alike.
    """
    suite = load_suite()
    start = partial(starting.adapter, words, 100) if words else starting.built_in
    checks = [*suite.checks.values()] * larger

    def checked(jobs: int) -> float:
        fresh = replace(suite)  # nothing is planned yet
        return seconds(
            lambda: run(
                fresh,
                start(fresh, _unlogged),
                checks,
                helpers=helpers(fresh, start, _unlogged, checks, jobs) if jobs > 1 else (),
            )
        )

    tries = [(checked(2), checked(1)) for _ in range(3)]
    return 100 * min(two for two, _ in tries) / min(one for _, one in tries)


def _unlogged(_line: bytes) -> None:
    """Nothing is logged."""


def all_deals() -> list[float]:
    """Random complete deals a second, of each game."""
    suite = load_suite(scenarios=False)
    return [random_deals(suite.rules(game.ruleset, game.readings), game.deals) for game in GAMES]


def compiled_deals() -> list[float]:
    """The same in a process that has the compiled interpreter."""
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
    """Random complete deals a second, every choice taken from the legal actions, all events made."""
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


def line(what: str, value: float, unit: str, goal: float, *, least: bool) -> str:
    """One figure beside its goal; the ratio is above 1 where the goal is met."""
    ratio = value / goal if least else goal / value
    bound = "at least" if least else "under"
    return f"{what:<52} {value:>9,.0f} {unit:<4} {bound:>8} {goal:>6,.0f}   {ratio:5.2f} x"


def main() -> None:
    """Print every figure."""
    print(f"{'':<52} {'measured':>9} {'':<4} {'goal':>15}   goal met if 1 or more")
    print(line("hoyle --version, whole process", 1000 * best(15, lambda: process("--version")), "ms", 150, least=False))
    print(line("hoyle check, whole process", 1000 * best(5, lambda: process("check")), "ms", 2000, least=False))
    print(line("scenarios through the protocol", through_the_protocol(), "/s", 5000, least=True))
    print(line("a larger suite with two jobs, of the time of one", of_one_job(3), "%", 60, least=False))
    print(line("the same with adapters (the example of Rubicon)", of_one_job(10, EXAMPLE), "%", 60, least=False))
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
