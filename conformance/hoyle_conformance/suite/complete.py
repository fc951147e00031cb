"""Completing: from a position given in part to one in which every card of the pack lies somewhere.

``...`` stands for cards that matter to nobody. They are dealt out by one fixed order, low cards of the plain suits
first, so that the same scenario always makes the same position. A card without a copy number is the first of its kind.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from hoyle_reference.cards import RANKS, SUITS, Card, name, names, rank_of, read_card, suit_of
from hoyle_reference.rules import Rules
from hoyle_reference.seats import SEATS

REST: Final = "..."
#: How little a rank matters, the least first. A seven may be the seven of trumps; brisques come last.
_FILLERS: Final = "987JQKTA"


class Incomplete(Exception):
    """A position that cannot be completed; `path` leads to the place in the scenario's file."""

    def __init__(self, message: str, remedy: str, *path: str | int) -> None:
        super().__init__(message)
        self.message, self.remedy, self.path = message, remedy, path


def no_such_card(rules: Rules, text: str, *path: str | int) -> Incomplete:
    """A card is named that the game does not have."""
    copies = words_for_copies(text[:2], rules.packs)
    return Incomplete(f"there is no {text} in {rules.packs} piquet packs", f"Write {copies}.", *path)


def words_for_copies(face: str, packs: int) -> str:
    """How the copies of a face are written: ``KS or KS#2``."""
    return " or ".join([face, *(f"{face}#{copy}" for copy in range(2, packs + 1))])


@dataclass(slots=True)
class _Pool:
    """The cards not placed yet, the least important first."""

    cards: list[Card]

    def take(self, count: int, fit: frozenset[Card] = frozenset()) -> list[Card]:
        """The next cards for a hand or the top of the stock, passing over those in `fit` as long as others are left."""
        taken = [card for card in self.cards if card not in fit][:count]
        taken += [card for card in self.cards if card in fit][: count - len(taken)]
        gone = set(taken)
        self.cards = [card for card in self.cards if card not in gone]
        return taken

    def take_last(self, count: int) -> list[Card]:
        """The most important cards left, for piles that nobody looks at."""
        at = len(self.cards) - count
        self.cards, taken = self.cards[:at], self.cards[at:]
        return taken


def complete(
    rules: Rules, given: Mapping[str, Any], steps: Sequence[Mapping[str, Any]], variant: int = 0
) -> dict[str, Any]:
    """The whole position, as the protocol spells it; `variant` deals the cards that do not matter in another order.

    Raises Incomplete where the cards given cannot be those of a position.
    """
    letters = SEATS[: rules.players]
    dealer = given.get("dealer", "B")
    score = {letter: given.get("score", {}).get(letter, 0) for letter in letters}
    before = given.get("before")
    if before == "cut":
        return {"phase": "cut", "turn": "A", "dealer": None, "score": score}
    if before == "deal":
        return {"phase": "deal", "turn": dealer, "dealer": dealer, "score": score}
    return {"dealer": dealer, "score": score, **_deal_position(rules, given, steps, letters, variant)}


def _deal_position(
    rules: Rules, given: Mapping[str, Any], steps: Sequence[Mapping[str, Any]], letters: str, variant: int
) -> dict[str, Any]:
    leader = given.get("leads") or given["has_won"]
    trick = given.get("trick", [])
    drawing = given.get("stock") != [] or "turn_up" in given
    trumps = given.get("trumps") or given.get("turn_up", "xC")[1]
    _check_trumps(given, trumps)
    placed = _placed(rules, given)
    pool = _Pool(_fillers(rules, placed, trumps, variant))
    wanted = _named_in_steps(rules, steps)
    turn_up = _turn_up(given, pool, trumps, wanted) if drawing else None
    sizes = _hand_sizes(rules, given, leader, letters, drawing=drawing)
    hands = {
        letter: _fill(given.get("hands", {}).get(letter, [REST]), sizes[letter], pool, wanted, "hands", letter)
        for letter in letters
    }
    won, stock = _won_and_stock(rules, given, pool, letters, turn_up)
    scored, kept = given.get("scored", {}), given.get("kept", {})
    return {
        "phase": "declare" if "has_won" in given else "play",
        "turn": letters[(letters.index(leader) + len(trick)) % len(letters)],
        "leader": leader,
        "trumps": trumps,
        "turn_up": turn_up,
        "hands": hands,
        "shown": {
            letter: _shown(hands[letter], [*scored.get(letter, ()), *kept.get(letter, ())]) for letter in letters
        },
        "stock": stock,
        "trick": list(trick),
        "won": won,
        "scored": {letter: list(scored.get(letter, ())) for letter in letters},
        "kept": {letter: list(kept.get(letter, ())) for letter in letters},
        "claimed": list(given.get("claimed", ())),
        "scored_now": 0,
        "claimed_now": 0,
    }


def _check_trumps(given: Mapping[str, Any], trumps: str) -> None:
    if "turn_up" in given and given["turn_up"][1] != trumps and not given.get("claimed"):
        raise Incomplete(
            f"the turn-up {given['turn_up']} is not of the trump suit {trumps}", "Leave one of them out.", "turn_up"
        )


def _placed(rules: Rules, given: Mapping[str, Any]) -> set[Card]:
    """The cards whose place is given; each may have one place only."""
    placed: dict[Card, str] = {}
    for path, text in _mentions(given):
        card = read_card(text, rules.packs)
        if card is None:
            raise no_such_card(rules, text, *path)
        if card in placed:
            twin = (
                f"Write {name(card)}#2 for the other one."
                if "#" not in name(card) and rules.packs > 1
                else "Remove one of them."
            )
            raise Incomplete(f"{text} lies in two places", twin, *path)
        placed[card] = text
    return set(placed)


def _mentions(given: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if "turn_up" in given:
        yield ("turn_up",), given["turn_up"]
    for key in ("stock", "trick"):
        for at, text in enumerate(given.get(key, ())):
            if text != REST:
                yield (key, at), text
    for key in ("hands", "won"):
        for letter, cards in given.get(key, {}).items():
            for at, text in enumerate(cards):
                if text != REST:
                    yield (key, letter, at), text


def _fillers(rules: Rules, placed: set[Card], trumps: str, variant: int) -> list[Card]:
    """The other cards, the least important first."""
    return [card for card in _least_important_first(rules.pack, trumps, variant) if card not in placed]


@cache
def _least_important_first(pack: tuple[Card, ...], trumps: str, variant: int) -> tuple[Card, ...]:
    """The whole pack in the order in which open places are filled; a variant has another order of suits and copies."""
    suits = [suit for suit in SUITS if suit != trumps] + [trumps]
    turn = variant % 3
    suits[:3] = suits[turn:3] + suits[:turn]
    copies = -1 if variant % 2 else 1

    def importance(card: Card) -> tuple[bool, int, int, int]:
        suit = SUITS[suit_of(card)]
        return suit == trumps, _FILLERS.index(RANKS[rank_of(card)]), suits.index(suit), copies * card

    return tuple(sorted(pack, key=importance))


def _named_in_steps(rules: Rules, steps: Sequence[Mapping[str, Any]]) -> frozenset[Card]:
    """All copies of the cards that steps speak of: none of them is dealt out by chance if it can be helped."""
    texts = [text for step in steps for key in ("card", "cards") for text in _as_list(step.get(key, ()))]
    faces = {text[:2] for text in texts}
    return frozenset(card for card in rules.pack if name(card)[:2] in faces)


def _as_list(value: Any) -> Iterable[str]:
    return [value] if isinstance(value, str) else value


def _turn_up(given: Mapping[str, Any], pool: _Pool, trumps: str, wanted: frozenset[Card]) -> str:
    if "turn_up" in given:
        return str(given["turn_up"])
    low = [card for card in pool.cards if SUITS[suit_of(card)] == trumps and card not in wanted]
    if not low:
        raise Incomplete("no trump is left to be turned up", "Give the turn-up.", "trumps")
    pool.cards.remove(low[0])
    return name(low[0])


def _hand_sizes(rules: Rules, given: Mapping[str, Any], leader: str, letters: str, *, drawing: bool) -> dict[str, int]:
    """How many cards each player holds: a full hand, less the card that is played or not yet drawn."""
    played = {letters[(letters.index(leader) + n) % len(letters)] for n in range(len(given.get("trick", ())))}
    if drawing:
        full = rules.deal.hand_size - ("has_won" in given)
    else:
        exact = [
            len(cards) + (letter in played) for letter, cards in given.get("hands", {}).items() if REST not in cards
        ]
        full = max(exact, default=rules.deal.hand_size)
    return {letter: full - (letter in played) for letter in letters}


def _fill(cards: Sequence[str], size: int, pool: _Pool, wanted: frozenset[Card], *path: str) -> list[str]:
    known = [text for text in cards if text != REST]
    if len(known) > size or (REST not in cards and len(known) != size):
        given, more = len(known), "or more " if REST in cards else ""
        remedy = "Remove some." if len(known) > size else f"Add {REST} for the cards that do not matter."
        raise Incomplete(f"{given} cards {more}in a hand that holds {size} here", remedy, *path)
    return known + names(pool.take(size - len(known), wanted))


def _won_and_stock(
    rules: Rules, given: Mapping[str, Any], pool: _Pool, letters: str, turn_up: str | None
) -> tuple[dict[str, list[str]], list[str]]:
    """What has been won and what is still to be drawn: as few tricks as can be, unless the stock is given."""
    won = {letter: [text for text in given.get("won", {}).get(letter, ()) if text != REST] for letter in letters}
    stock = given.get("stock", [REST])
    top = [text for text in stock if text != REST]
    if REST in stock:
        for letter, pile in won.items():
            size = max(_tricks_won(given, letter) * rules.players, _up(len(pile), rules.players))
            pile.extend(names(pool.take_last(size - len(pile))))
        if given.get("leads") == given.get("dealer", "B") and not any(won.values()):
            won[given["leads"]] += names(pool.take_last(rules.players))
        top += names(pool.take(len(pool.cards)))
    if (len(top) + (turn_up is not None)) % rules.players:
        what = "With the turn-up it must hold as many cards for each player."
        path = "stock" if "stock" in given else "won"
        raise Incomplete("the stock does not last for a whole number of tricks", what, path)
    if REST not in stock:
        _share_out(given, won, pool, rules.players)
    return won, top


def _tricks_won(given: Mapping[str, Any], letter: str) -> int:
    """How many tricks a player must have won at least: one for every combination, and the last."""
    combinations = len(given.get("scored", {}).get(letter, ())) + (letter in given.get("kept", {}))
    return max(combinations, int(given.get("has_won") == letter))


def _up(count: int, step: int) -> int:
    return -(-count // step) * step


def _share_out(given: Mapping[str, Any], won: dict[str, list[str]], pool: _Pool, players: int) -> None:
    """Put all the cards left into the won piles that are open, in whole tricks."""
    piles = given.get("won", {})
    open_ = [letter for letter in won if REST in piles.get(letter, [REST])]
    for letter in open_:
        size = _up(max(len(won[letter]), _tricks_won(given, letter) * players), players)
        won[letter] += names(pool.take_last(min(size - len(won[letter]), len(pool.cards))))
    share = _up(len(pool.cards) // max(1, len(open_)), players)
    for letter in open_:
        won[letter] += names(pool.take_last(min(share, len(pool.cards))))
    if pool.cards:
        raise Incomplete(
            f"cards without a place ({len(pool.cards)}): the stock and the cards won are all given",
            f"Add {REST} to the stock or to the cards a player has won.",
            "won" if "won" in given else "stock",
        )


def _shown(hand: Sequence[str], combinations: Iterable[Mapping[str, Any]]) -> list[str]:
    laid = {text for combination in combinations for text in combination["cards"]}
    return [text for text in hand if text in laid]
