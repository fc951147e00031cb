"""Simulate how many workers share `hoyle suite adequacy` and `hoyle fuzz`, from measured times of pieces of the work.

    python workbench/benchmarks/scaling.py [RULESET…]

Each piece is measured here, one after another, in processor time. In the simulation, each worker takes the next piece
when it is free. It prepares for a ruleset when it first comes to it, as a real worker does. Pieces of `hoyle fuzz` also
wait until the earlier ones are done that they follow.
"""

import math
import os
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from heapq import heapreplace
from itertools import chain
from typing import Final, NamedTuple

from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.measure import RulesetMutants, measure_unit
from hoyle_conformance.tools.adequacy.mutants import MEMORY, REACH, REFUSALS
from hoyle_conformance.tools.adequacy.units import shared_pieces, units_of
from hoyle_conformance.tools.fuzz.campaign import GAMES_OF_A_PIECE, pieces_ahead
from hoyle_conformance.tools.fuzz.game import Recipe
from hoyle_conformance.tools.fuzz.piece import Opponent, Piece, run_piece

RULESETS: Final = ("bezique-hoyle", "piquet-saunt-parlett", "rubicon-hoyle", "four-handed-h2g2")
#: The rulesets for which a worker is prepared at most.
REMEMBERED: Final = 2
WORKERS: Final = (1, 2, 4, 10, 30, 100)
#: As many rulesets and options as the suite has, about.
TIMES: Final = 10
#: The games of each ruleset in the simulation of `hoyle fuzz`, the pieces of which are measured once, and its engine.
GAMES: Final = 2000
MEASURED_PIECES: Final = 8
ENGINE: Final = (sys.executable, "conformance/adapters/python/rubicon_referee.py")
FUZZED: Final = "rubicon-hoyle"


class Task(NamedTuple):
    """A piece of work: its seconds, and the seconds of what a worker prepares once for its ruleset, by name."""

    ruleset: str
    seconds: float
    needs: Mapping[str, float]


def main(*rulesets: str) -> None:
    """Measure, and print both simulations."""
    imported = time.process_time()
    open_suite(positions=False)  # compiles the suite after a change
    start = imported + _seconds(lambda: open_suite(positions=False))
    suite = open_suite(positions=False)
    units = [tuple(measured_units(suite, ruleset)) for ruleset in rulesets or RULESETS]
    for own in (*([each] for each in units), [*units]):
        names = ", ".join(each[0].ruleset for each in own)
        _print(f"hoyle suite adequacy {names}", partial(shared, own), start)
    every = [
        tuple(task._replace(ruleset=f"{task.ruleset}{copy}") for task in each)
        for copy in range(TIMES)
        for each in units
    ]
    _print(f"{TIMES} times as many rulesets", partial(shared, every), start)
    pieces = list(measured_pieces()) * (GAMES // GAMES_OF_A_PIECE // MEASURED_PIECES)
    _print(f"hoyle fuzz, {GAMES} games of one ruleset", lambda _workers: pieces, start, partial(pieces_ahead, 1))


def shared(units: Sequence[tuple[Task, ...]], workers: int) -> list[Task]:
    """Return the pieces of the work as so many workers share it."""
    pieces = shared_pieces(units, workers)
    needs = [dict(chain.from_iterable(task.needs.items() for task in piece)) for piece in pieces]
    return [
        Task(piece[0].ruleset, sum(task.seconds for task in piece), own)
        for piece, own in zip(pieces, needs, strict=True)
    ]


def measured_units(suite: Suite, ruleset: str) -> Iterator[Task]:
    """Yield the units of a ruleset, with the seconds that each takes when all is prepared."""
    mutants = RulesetMutants(suite, ruleset)
    prepared = {
        "checks": _seconds(lambda: RulesetMutants(suite, ruleset)),
        "games": _seconds(lambda: mutants.games),
        "refusals": _seconds(lambda: mutants.refusals),
        "states": _seconds(lambda: mutants.states),
    }
    also = {REACH: {"refusals"}, REFUSALS: {"refusals"}, MEMORY: {"states"}}
    for unit in units_of(ruleset):
        names = {"checks", "games", *also.get(unit.measure, ())}
        needs = {name: prepared[name] for name in names}
        yield Task(ruleset, _seconds(partial(measure_unit, mutants, unit)), needs)


def measured_pieces() -> Iterator[Task]:
    """Yield pieces of a campaign, with the seconds that each takes, its engine included."""
    for number in range(MEASURED_PIECES):
        recipes = tuple(Recipe(number * GAMES_OF_A_PIECE + game) for game in range(GAMES_OF_A_PIECE))
        piece = Piece(find_spec(), Opponent(ENGINE, 10), FUZZED, recipes)
        yield Task(FUZZED, _seconds(partial(run_piece, piece)), {})


def _seconds(act: Callable[[], object]) -> float:
    """Return the processor time of something and of the processes that it starts."""
    before = os.times()
    act()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def _print(
    what: str,
    tasks: Callable[[int], Sequence[Task]],
    start: float,
    ahead: Callable[[int], float] = lambda _taken: math.inf,
) -> None:
    """Print how long so many workers take, and how many times as fast they are as one."""
    print(f"\n{what}")
    one = simulated(tasks(1), 1, start, ahead)
    for workers in WORKERS:
        taken = simulated(tasks(workers), workers, start, ahead)
        print(f"{workers:>5} workers {taken:>8.1f} s   {taken / one:>6.3f} of the time of one   {one / taken:>5.1f} x")


def simulated(tasks: Sequence[Task], workers: int, start: float, ahead: Callable[[int], float]) -> float:
    """Return after how many seconds the last of these tasks is done."""
    free = [(start, worker) for worker in range(workers)]
    prepared: list[OrderedDict[str, set[str]]] = [OrderedDict() for _ in free]
    done: list[float] = []  # the time at which a task and all before it are done
    for number, task in enumerate(tasks):
        begin, worker = free[0]
        if number >= (before := ahead(number)):
            begin = max(begin, done[number - int(before)])
        end = begin + _preparation(prepared[worker], task) + task.seconds
        heapreplace(free, (end, worker))
        done.append(max(end, done[-1] if done else 0))
    return done[-1]


def _preparation(prepared: OrderedDict[str, set[str]], task: Task) -> float:
    """Return how long a worker prepares for a task; it remembers the last two rulesets."""
    has = prepared.setdefault(task.ruleset, set())
    prepared.move_to_end(task.ruleset)
    if len(prepared) > REMEMBERED:
        prepared.popitem(last=False)
    seconds = sum(each for name, each in task.needs.items() if name not in has)
    has.update(task.needs)
    return seconds


if __name__ == "__main__":
    main(*sys.argv[1:])
