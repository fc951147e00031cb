"""How a whole game of each table goes, told so briefly that two engines of Python can be compared.

It keeps to the standard library and to the names at the top of `hoyle_reference`, since a browser's engine runs it too.
"""

import hashlib
import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hoyle_reference import Game, Phase, compile_rules, new_game, read_act, write_act, write_position


def played(tables: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """How a random game of each table went, by the table's id."""
    return {table["id"]: _game(new_game(compile_rules(table)), seed) for seed, table in enumerate(tables)}


def _game(game: Game, seed: int) -> dict[str, Any]:
    # Of all that draws by chance, `random()` alone is promised to give the same numbers in every version of Python.
    chance = random.Random(seed).random
    told = hashlib.sha256()
    acts = 0
    while not game.is_over:
        act = _act(game, chance)
        told.update(f"{write_act(act)} {game.apply(act)}\n".encode())
        acts += 1
    told.update(str(write_position(game.table)).encode())
    return {"acts": acts, "scores": list(game.scores), "hash": told.hexdigest()}


def _act(game: Game, chance: Callable[[], float]) -> Any:
    """What chance decides next, or any act that is open."""
    rules, table = game.rules, game.table
    if table.phase not in (Phase.CUT, Phase.DEAL):
        legal = game.legal_actions
        return legal[int(chance() * len(legal))]
    faces = [rank + suit for rank in "789TJQKA" for suit in "CDHS"]
    pack = faces + [f"{face}#{copy}" for copy in range(2, rules.packs + 1) for face in faces]
    pack.sort(key=lambda _: chance())
    if table.phase is Phase.CUT:
        return read_act(rules, {"do": "cut", "cards": pack[: rules.players]})
    spelt = {"by": "ABCD"[table.dealer or 0], "do": "deal", "deck": pack}
    ways = rules.deal.packets.value
    return read_act(rules, spelt | ({"packets": ways[0][0]} if len(ways) > 1 else {}))
