"""Decks and acts chosen through a hash: the same in every run and in any programming language.

The acts that a player may take are in two pools: the acts that reveal most of an engine, and the others.
"""

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from itertools import chain, islice
from typing import Final

from hoyle_reference import Game, Phase
from hoyle_reference.chapters.blank import BLANK
from hoyle_reference.rules import Rules
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
from hoyle_reference.table.cards import Card, name, rank_of, read_rank, suit_of
from hoyle_reference.table.seats import Seat

#: The length of a number, in bytes of the hash.
_BYTES: Final = 8
Pools = tuple[Sequence[Act], Sequence[Act]]
#: Acts that score, or are rare in random play.
_SCORING_ACTS: Final = (Declare, Exchange, Hold, Peep, Show)
#: The lowest of the ranks that most combinations need.
_LOWEST_COUNTING_RANK: Final = read_rank("J")


def shuffled_deck(rules: Rules, game: int, number: int) -> tuple[Card, ...]:
    """Return a deck of a game, top card first: the pack in the order of the hashes of the cards' names.

    Deck 0 is cut from; the others are dealt, one after the other.
    """
    return tuple(sorted(rules.pack, key=lambda card: _hash(f"{rules.id} {game} {number} {name(card)}")))


def first_dealer(rules: Rules, game: int) -> Seat:
    """Return who deals first in a game that begins before the deal."""
    return Seat(int.from_bytes(_hash(f"{rules.id} {game} dealer"), "big") % rules.players)


def cut_cards(rules: Rules, game: int, times: int) -> tuple[Card, ...]:
    """Return the card that each player cuts, after so many earlier cuts."""
    first = times * rules.players
    return shuffled_deck(rules, game, 0)[first : first + rules.players]


def choice_number(rules: Rules, game: int, act: int, count: int) -> int:
    """Return the number that chooses an act, after `count` such numbers were passed over."""
    return int.from_bytes(_hash(f"{rules.id} {game} act {act} {count}")[:_BYTES], "big")


def pick(number: int, pools: Sequence[int]) -> tuple[int, int]:
    """Return which of two pools a number picks from, and the index in it: from the first pool two times in three,
    unless it is empty."""
    first, second = pools
    at = int(second > 0 and (first == 0 or number % 3 == 2))  # noqa: PLR2004 -- two times of three
    return at, number // 3 % pools[at]


def _hash(text: str) -> bytes:
    return sha256(text.encode()).digest()


def choice_pools(game: Game, number: int, deck: int, cuts: int) -> Pools:
    """Return the acts that may be taken next, in two pools; the next deck to be dealt has number `deck`, and `cuts`
    cuts were made."""
    table = game.table
    if table.phase is Phase.CUT:
        return (), [Cut(cut_cards(game.rules, number, cuts))]
    if table.phase is Phase.DEAL:
        return (), _legal_deals(game, number, deck)
    parts = game.legal_actions.parts
    listed = sorted(chain.from_iterable(part for part in parts if isinstance(part, list)), key=repr)
    if shown := [act for act in listed if _is_of_a_blank(act)]:
        return shown, ()
    scores = [act for act in listed if isinstance(act, _SCORING_ACTS)]
    first = scores or _best_call(parts) or [act for act in listed if _is_preferred_play(game, act)]
    rest = [act for act in listed if act not in first]
    many = next((part for part in parts if not isinstance(part, list)), ())
    return (first or _short_suit_discards(game), many) if many else (first, rest)


def _is_of_a_blank(act: Act) -> bool:
    """Whether an act is about a hand without court cards: such hands are rare, and always shown."""
    return isinstance(act, (CarteBlanche, Prove)) or (isinstance(act, Announce) and act.class_ == BLANK)


def _best_call(parts: Sequence[Sequence[Act]]) -> list[Act]:
    """Return the announcement of the best combination of a class, which is listed first; an empty list if there is
    none."""
    calls = (act for part in parts if isinstance(part, list) for act in part)
    return list(islice((act for act in calls if isinstance(act, Announce) and act.count), 1))


def _is_preferred_play(game: Game, act: Act) -> bool:
    """Whether a play is preferred: where cards are drawn, a plain card that few combinations need, so that more
    combinations come together; elsewhere, a card that may win."""
    if not isinstance(act, Play):
        return False
    is_high = rank_of(act.card) >= _LOWEST_COUNTING_RANK
    return not is_high and suit_of(act.card) != game.table.trumps if game.rules.draws else is_high


def _short_suit_discards(game: Game) -> list[Discard]:
    """Return the legal discards of cards from the shortest suits, lowest first: that leaves more combinations."""
    by = game.table.turn
    held = game.table.hands[by]
    length = Counter(map(suit_of, held))
    hand = sorted(held, key=lambda card: (length[suit_of(card)], rank_of(card), card))
    acts = [Discard(by, tuple(hand[:count])) for count in range(len(hand) + 1)]
    return [act for act in acts if game.check(act) is None]


def _legal_deals(game: Game, number: int, deck: int) -> list[Deal]:
    """Return the deal of a deck, in each packet size that the dealer may choose."""
    table, ways = game.table, game.rules.deal.packets.value
    assert table.dealer is not None, "a deal is awaited of a dealer"
    cards = shuffled_deck(game.rules, number, deck)
    acts = [Deal(table.dealer, cards, way[0] if len(ways) > 1 else None) for way in ways]
    return [act for act in acts if game.check(act) is None]
