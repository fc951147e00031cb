"""Random games for tests: every choice is taken from a tape of bytes, so that a failing one shrinks."""

import pickle
import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, TypeVar

from conftest import ROOT
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_reference import Game, Phase, Rules, new_game
from hoyle_reference.acts import Act, Cut, Deal
from hoyle_reference.events import Event

Sent = TypeVar("Sent")


@cache
def tables() -> tuple[Mapping[str, Any], ...]:
    """Every table of the suite, as the interpreter reads it."""
    read = [read_file(path, path.name).data for path in sorted((ROOT / "spec/rulesets").glob("*.yaml"))]
    by_id = {table["id"]: table for table in read}

    def whole(table: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**table, "extends": whole(by_id[table["extends"]])} if "extends" in table else table

    return tuple(map(whole, read))


def shuffled(rules: Rules, seed: int) -> tuple[int, ...]:
    pack = list(rules.pack)
    random.Random(seed).shuffle(pack)
    return tuple(pack)


def acts(game: Game, seed: int, tape: bytes, most_deals: int = 40) -> Iterator[Act]:
    """The acts of a game to its end (or for so many deals): chance from the seed, choices from the tape."""
    at = deals = 0
    ways = game.rules.deal.packets.value
    packets = ways[seed % len(ways)][0] if len(ways) > 1 else None
    while not game.is_over:
        phase = game.table.phase
        if phase is Phase.CUT:
            seed += 1
            yield Cut(shuffled(game.rules, seed)[: game.rules.players])
        elif phase is Phase.DEAL:
            if deals == most_deals:
                return
            deals += 1
            seed += 1
            assert game.table.dealer is not None
            yield Deal(game.table.dealer, shuffled(game.rules, seed), packets)
        else:
            legal = game.legal_actions
            byte = tape[at % len(tape)] * 251 + tape[(at + 1) % len(tape)] if tape else 0
            at += 1
            yield legal[byte % len(legal)]


def play(rules: Rules, seed: int, tape: bytes, most_deals: int = 40) -> tuple[Game, list[Event]]:
    """A whole game, and everything that happened in it."""
    game = new_game(rules)
    events: list[Event] = []
    for act in acts(game, seed, tape, most_deals):
        events += game.apply(act)
    return game, events


def after(rules: Rules, seed: int, tape: bytes, stop: int, score: int = 0) -> Game:
    """A game after so many acts of its first deal, or after all of them; every side begins with so many points."""
    game = new_game(rules)
    game.table.score = [score] * len(rules.sides)
    for number, act in enumerate(acts(game, seed, tape, most_deals=1)):
        if number == stop:
            break
        game.apply(act)
    return game


def sent(value: Sent) -> Sent:
    """A value as another process gets it."""
    received: Sent = pickle.loads(pickle.dumps(value))  # noqa: S301 -- it was written here
    return received
