"""Played: deals of a ruleset in which everything is chosen by counting through a hash, and what is tried in them.

At every point acts that were legal elsewhere are tried too, so that what may be refused is refused.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Final

from hoyle_reference import Game, Malformed, Phase, Rules, new_game
from hoyle_reference.table.acts import Act, Cut, Deal
from hoyle_reference.table.cards import Card

#: How many deals are played, and how many acts are kept to be tried elsewhere.
DEALS: Final = 30
_TRIED: Final = 60
#: Acts in one deal, at most.
_LONGEST: Final = 400

#: A point in a game and an act: what the machine makes of it there.
Look = Callable[[Game, Act], None]


def play(rules: Rules, look: Look, deals: int = DEALS) -> None:
    """Play so many deals; each act that is chosen, and each that is tried, is looked at before anything happens."""
    elsewhere: list[Act] = []
    game, number = new_game(rules), 0
    for deal in range(deals):
        game = new_game(rules) if game.is_over else game
        for number, act in enumerate(_deal(game, f"{rules.id}/{deal}")):
            for other in elsewhere:
                _look(look, game, other)
            look(game, act)
            game.apply(act)
            _keep(elsewhere, act, deal * _LONGEST + number)


def _keep(elsewhere: list[Act], act: Act, number: int) -> None:
    """Keep an act to be tried, in the place of another when there are enough."""
    if len(elsewhere) < _TRIED:
        elsewhere.append(act)
    elif number % 3 == 0:
        elsewhere[_hash(f"{number}") % _TRIED] = act


def _look(look: Look, game: Game, act: Act) -> None:
    try:
        look(game, act)
    except Malformed:
        return


def _deal(game: Game, seed: str) -> Iterator[Act]:
    """The acts of one deal, with the cut before it if the game has just begun."""
    dealt = False
    for number in range(_LONGEST):
        phase, here = game.table.phase, f"{seed}/{number}"
        if game.is_over or (phase is Phase.DEAL and dealt):
            return
        if phase is Phase.CUT:
            yield Cut(_pack(game.rules, here)[: game.rules.players])
        elif phase is Phase.DEAL:
            dealt = True
            yield _dealt(game, here)
        else:
            legal = game.legal_actions
            yield legal[_hash(here) % len(legal)]


def _dealt(game: Game, seed: str) -> Deal:
    """A deal in packets that are allowed, where there are several ways."""
    assert game.table.dealer is not None, "somebody deals"
    ways = game.rules.deal.packets.value
    sizes = [way[0] for way in ways] if len(ways) > 1 else [None]
    first = _hash(seed) % len(sizes)
    deals = [Deal(game.table.dealer, _pack(game.rules, seed), size) for size in (*sizes[first:], *sizes[:first])]
    return next(deal for deal in deals if game.check(deal) is None)


def _pack(rules: Rules, seed: str) -> tuple[Card, ...]:
    return tuple(sorted(rules.pack, key=lambda card: sha256(f"{seed}/{card}".encode()).digest()))


def _hash(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:6], "big")
