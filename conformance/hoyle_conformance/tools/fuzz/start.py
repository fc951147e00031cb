"""Starts of random games: a score near the target, and decks that deal what is rare."""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

from hoyle_reference import Game, Phase, Rules, new_game
from hoyle_reference.chapters.settle import SettleRules
from hoyle_reference.table.acts import Deal
from hoyle_reference.table.cards import Card, rank_of, read_rank, suit_of
from hoyle_reference.table.seats import Seat

_COURT: Final = (read_rank("J"), read_rank("Q"), read_rank("K"))
_SEVEN: Final = read_rank("7")
#: How far below the target a score begins, in percent of it.
_NEAR: Final = (0, 1, 2, 5, 20, 60, 100)
#: The points of a score where a game has no target.
_POINTS: Final = (0, 0, 20, 90, 99, 100, 500, 990, 1500)
#: How strongly a hand has the cards that are wished for: 1 is by chance, 0 as many as there are.
_STRENGTHS: Final = (1.0, 0.6, 0.3, 0.1, 0.0)


def start(rules: Rules, source: random.Random, *, with_scores: bool, with_the_cut: bool) -> Game:
    """Return a game that begins with the cut or with a deal; with a score near the target if an engine can be set up
    with one."""
    game = new_game(rules)
    if with_the_cut and source.random() < 1 / 4:
        return game
    table = game.table
    table.phase = Phase.DEAL
    table.turn = table.dealer = Seat(source.randrange(rules.players))
    if with_scores and source.random() < 1 / 2:
        table.score = [_score(rules, source) for _ in rules.sides]
    return game


def _score(rules: Rules, source: random.Random) -> int:
    """Return a score that is below the target, if there is one, and can come about: a multiple of ten where all are."""
    target = rules.of(SettleRules).target.value
    if not target:
        return source.choice(_POINTS)
    return max(0, target - max(target * source.choice(_NEAR) // 1000 * 10, 1 if "talon" in rules.chapters else 10))


def deal(game: Game, source: random.Random) -> Deal:
    """Return a deal in which each hand has, more or less, the cards that are wished for it."""
    table, rules = game.table, game.rules
    assert table.dealer is not None, "a deal is awaited of a dealer"
    ways = rules.deal.packets.value
    packets = source.choice(ways)[0] if len(ways) > 1 else None
    pack = list(rules.pack)
    source.shuffle(pack)
    as_it_lies = Deal(table.dealer, tuple(pack), packets)
    if source.random() < 1 / 4 or game.check(as_it_lies) is not None:
        return as_it_lies
    dealt = game.clone()
    dealt.apply(as_it_lies)
    return Deal(table.dealer, _with_wishes(pack, dealt.table.hands, source), packets)


def _with_wishes(pack: Sequence[Card], hands: Sequence[Sequence[Card]], source: random.Random) -> tuple[Card, ...]:
    """Return the pack in another order: the places that make up each hand hold the cards wished for it."""
    place = {card: at for at, card in enumerate(pack)}
    left, deck = list(pack), list[Any](pack)
    for hand in source.sample(list(hands), len(hands)):
        wished, strength = source.choice(_WISHES)(source, deck), source.choice(_STRENGTHS)
        left.sort(key=lambda card: source.random() * (strength if wished(card) else 1))
        for card in hand:
            deck[place[card]] = left.pop(0)
    source.shuffle(left)
    taken = {place[card] for hand in hands for card in hand}
    for at in range(len(deck)):
        if at not in taken:
            deck[at] = left.pop()
    return tuple(deck)


_Wish = Callable[[Card], bool]


def _no_court(_source: random.Random, _deck: Sequence[Card]) -> _Wish:
    return lambda card: rank_of(card) not in _COURT


def _courts(_source: random.Random, _deck: Sequence[Card]) -> _Wish:
    return lambda card: rank_of(card) in _COURT


def _sevens(_source: random.Random, _deck: Sequence[Card]) -> _Wish:
    return lambda card: rank_of(card) == _SEVEN


def _suits(source: random.Random, deck: Sequence[Card]) -> _Wish:
    suits = {suit_of(card) for card in source.sample(list(deck), 2)}
    return lambda card: suit_of(card) in suits


def _ranks(source: random.Random, deck: Sequence[Card]) -> _Wish:
    ranks = {rank_of(card) for card in source.sample(list(deck), 3)}
    return lambda card: rank_of(card) in ranks


def _like_the_first(_source: random.Random, deck: Sequence[Card]) -> _Wish:
    ranks = {rank_of(card) for card in deck[:6]}
    return lambda card: rank_of(card) in ranks


#: What may be wished for a hand.
_WISHES: Final = (_no_court, _courts, _sevens, _suits, _ranks, _like_the_first)
