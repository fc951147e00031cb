"""A process that plays random games with one program, once for each line that it reads.

    python workbench/benchmarks/playing.py hoyle|openspiel

Each line of input is a request in JSON: `{"game": "bezique-hoyle", "deals": 20, "calls": false}`. The answer has the
number of decisions, and the processor time for them in seconds or, with `calls`, the number of function calls. Hoyle is
the one that PYTHONPATH names: the present one, or one of an older commit. The same request gives the
same games.
"""

import cProfile
import json
import random
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from inspect import signature
from typing import Any

#: Plays so many deals of a game, and returns the number of decisions.
Play = Callable[[str, int], int]
SEED = 20
#: Under this reading every deal is played to its end.
READINGS = {"bezique-hoyle": {"settle.winner": "higher-at-the-end"}}


def hoyle() -> Play:
    """Return how Hoyle plays; raises ImportError."""
    from hoyle_reference import Game, Phase, new_game

    rules_of, cut, deal = _hoyle_as_it_is()

    def shuffled(game: Game, chance: random.Random) -> Any:
        deck = list(game.rules.pack)
        chance.shuffle(deck)
        sizes = game.rules.deal.packets
        ways = getattr(sizes, "value", sizes)  # at 4874da4, it was the value itself
        return deal(game.table.dealer, tuple(deck), ways[0][0] if len(ways) > 1 else None)

    def play(ruleset: str, deals: int) -> int:
        rules, chance = rules_of(ruleset), random.Random(SEED)
        decisions = dealt = 0
        while True:
            game = new_game(rules)
            game.apply(cut(rules.pack[7::-1][: rules.players]))
            while not game.is_over:
                if game.table.phase is Phase.CHOOSE and not game.table.deals:
                    game.apply(game.legal_actions[0])
                elif game.table.phase is Phase.DEAL:
                    if dealt == deals:
                        return decisions
                    game.apply(shuffled(game, chance))
                    dealt += 1
                else:
                    acts = game.legal_actions
                    game.apply(acts[int(chance.random() * len(acts))])
                    decisions += 1

    return play


def _hoyle_as_it_is() -> tuple[Callable[[str], Any], Any, Any]:
    """Return what gives the rules of a ruleset, and the acts that cut and deal, wherever this Hoyle has them."""
    load = _first_of(*(f"hoyle_conformance.{each}" for each in ("checks.load", "load", "suite.load"))).load_suite
    suite = load(scenarios=False) if "scenarios" in signature(load).parameters else load()
    of = getattr(suite.rules, "of", suite.rules)
    acts = _first_of("hoyle_reference.acts", "hoyle_reference.table.acts")
    return cache(lambda ruleset: of(ruleset, READINGS.get(ruleset, {}))), acts.Cut, acts.Deal


def _first_of(*modules: str) -> Any:
    """Return the first of these modules that there is; raises ImportError."""
    *others, last = modules
    for name in others:
        with suppress(ImportError):
            return import_module(name)
    return import_module(last)


def openspiel() -> Play:
    """Return how OpenSpiel plays; raises ImportError."""
    import pyspiel

    def play(name: str, deals: int) -> int:
        game, chance, decisions = pyspiel.load_game(name), random.Random(SEED), 0
        for _ in range(deals):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(chance.choice(state.chance_outcomes())[0])
                else:
                    acts = state.legal_actions()
                    state.apply_action(acts[int(chance.random() * len(acts))])
                    decisions += 1
        return decisions

    return play


PROGRAMS: dict[str, Callable[[], Play]] = {
    "hoyle": hoyle,
    "openspiel": openspiel,
}


def measure(play: Play, game: str, deals: int, *, calls: bool) -> dict[str, float]:
    """Play some deals, and return the number of decisions and what they took."""
    if calls:
        play(game, 1)  # what is computed once for all deals
        with cProfile.Profile() as profile:
            decisions = play(game, deals)
        return {"decisions": decisions, "calls": sum(each.callcount for each in profile.getstats())}
    start = time.process_time()
    decisions = play(game, deals)
    return {"decisions": decisions, "seconds": time.process_time() - start}


def main(name: str) -> None:
    """Say that it can play, and answer all requests; end at once without a word if the program is not installed."""
    try:
        play = PROGRAMS[name]()
    except ImportError:
        return
    print(json.dumps("ready"), flush=True)
    for line in sys.stdin:
        print(json.dumps(measure(play, **json.loads(line))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
