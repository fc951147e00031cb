"""Choosing: which acts a player of the census may take, in two pools: what tells most of an engine, and the rest."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain, islice
from typing import Final

from hoyle_conformance.tools.census import decks as chance
from hoyle_reference import Game, Phase
from hoyle_reference.chapters.blank import BLANK
from hoyle_reference.table.acts import (
    Act,
    Announce,
    CarteBlanche,
    Cut,
    Deal,
    Declare,
    Discard,
    Exchange,
    Hold,
    Peep,
    Play,
    Prove,
    Show,
)
from hoyle_reference.table.cards import rank_of, read_rank, suit_of

Pools = tuple[Sequence[Act], Sequence[Act]]

#: What scores, or is done rarely if it is left to chance.
_SCORES: Final = (Declare, Exchange, Hold, Peep, Show)
#: The lowest of the ranks of which most combinations are made.
_COUNTS: Final = read_rank("J")


def pools(game: Game, number: int, deck: int, cuts: int) -> Pools:
    """The acts that may be taken next in a game of the census; the deck of a number is the next to be dealt, and so
    many cuts were made."""
    table = game.table
    if table.phase is Phase.CUT:
        return (), [Cut(chance.cut(game.rules, number, cuts))]
    if table.phase is Phase.DEAL:
        return (), _deals(game, number, deck)
    parts = game.legal_actions.parts
    listed = sorted(chain.from_iterable(part for part in parts if isinstance(part, list)), key=repr)
    if shown := [act for act in listed if _shows_a_blank(act)]:
        return shown, ()
    scores = [act for act in listed if isinstance(act, _SCORES)]
    first = scores or _best_call(parts) or [act for act in listed if _is_played_sooner(game, act)]
    rest = [act for act in listed if act not in first]
    many = next((part for part in parts if not isinstance(part, list)), ())
    return (first or _keeps_its_long_suits(game), many) if many else (first, rest)


def _shows_a_blank(act: Act) -> bool:
    """Whether an act is of a hand without court cards: such hands are rare, and never passed over."""
    return isinstance(act, (CarteBlanche, Prove)) or (isinstance(act, Announce) and act.class_ == BLANK)


def _best_call(parts: Sequence[Sequence[Act]]) -> list[Act]:
    """To announce the best of a class, which is listed first of those that are held."""
    calls = (act for part in parts if isinstance(part, list) for act in part)
    return list(islice((act for act in calls if isinstance(act, Announce) and act.count), 1))


def _is_played_sooner(game: Game, act: Act) -> bool:
    """Whether a card is played that is no trump and of which few combinations are made, so that more of them come
    together; where nothing is drawn, one that may well win."""
    if not isinstance(act, Play):
        return False
    is_high = rank_of(act.card) >= _COUNTS
    return not is_high and suit_of(act.card) != game.table.trumps if game.rules.draws else is_high


def _keeps_its_long_suits(game: Game) -> list[Discard]:
    """To put away cards of the shortest suits, the lowest first, as many as that may be: so more comes together."""
    by = game.table.turn
    held = game.table.hands[by]
    length = Counter(map(suit_of, held))
    hand = sorted(held, key=lambda card: (length[suit_of(card)], rank_of(card), card))
    acts = [Discard(by, tuple(hand[:count])) for count in range(len(hand) + 1)]
    return [act for act in acts if game.check(act) is None]


def _deals(game: Game, number: int, deck: int) -> list[Deal]:
    """The deal of a deck, in each kind of packets that the dealer may choose."""
    table, ways = game.table, game.rules.deal.packets.value
    assert table.dealer is not None, "a deal is awaited of a dealer"
    cards = chance.deck(game.rules, number, deck)
    acts = [Deal(table.dealer, cards, way[0] if len(ways) > 1 else None) for way in ways]
    return [act for act in acts if game.check(act) is None]
