"""Completing a position of a game that begins with an exchange: every card not given is put into a hand, the talon, or
among the cards put away or won."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from hoyle_reference.chapters.calling.classes import CLASSES
from hoyle_reference.chapters.talon import TalonRules
from hoyle_reference.rules import Rules
from hoyle_reference.table.cards import Card
from hoyle_reference.table.seats import SEATS
from hoyle_reference.table.states import Blank

from .filling import Pool, least_important_first
from .given import REST, Given, Incomplete, Places

#: What is taken to have been announced in a class that is elder's, where nothing is said: more than anyone can hold.
_ANYTHING: Final = 12


@dataclass(frozen=True, slots=True)
class _Frame:
    """What is known of a position before any card is filled in."""

    rules: Rules
    given: Given
    elder: str
    younger: str

    @property
    def letters(self) -> str:
        """The seats that are taken."""
        return SEATS[: self.rules.players]

    @property
    def phase(self) -> str:
        """What the table waits for."""
        return "exchange" if "exchanges" in self.given else "announce" if "announces" in self.given else "play"

    @property
    def turn_begins(self) -> str:
        """Who exchanges or announces, or leads to the trick."""
        return str(self.given.get("exchanges") or self.given.get("announces") or self.given["leads"])


def of_the_game(rules: Rules, given: Given) -> dict[str, Any]:
    """What is remembered from deal to deal: the number of this deal, how many are left, and the packets chosen."""
    if "talon" not in rules.chapters or given.get("before") == "cut":
        return {}
    number, least = given.get("deal", 1), rules.settle.least_deals.value
    further = rules.settle.deals_for_a_tie
    left = least - number + 1 if number <= least else (least - number) % further + 1
    dealt = number - (given.get("before") is not None)
    packets = {"packets": dict(given["packets"])} if "packets" in given else {}
    return {"deals": dealt, "deals_left": left if least else 0, **packets}


def complete(
    rules: Rules, given: Given, places: Places, dealer: str, wanted: frozenset[Card], variant: int
) -> dict[str, Any]:
    """The position of the deal; raises Incomplete where the cards given cannot be those of one."""
    letters = SEATS[: rules.players]
    frame = _Frame(rules, given, letters[(letters.index(dealer) + 1) % len(letters)], dealer)
    pool = Pool([card for card in least_important_first(rules.pack, None, variant) if card not in places])
    sizes = _hand_sizes(frame)
    hands = {letter: _fill(given, "hands", letter, sizes[letter], pool, wanted) for letter in letters}
    away = _sizes_put_away(frame)
    discards = {letter: _fill(given, "discarded", letter, away[letter], pool, wanted) for letter in letters}
    stock = _stock(frame, len(rules.pack) - len(letters) * rules.deal.hand_size - sum(away.values()), pool, wanted)
    trick = list(given.get("trick", ()))
    at = (letters.index(frame.turn_begins) + len(trick)) % len(letters)
    return {
        "phase": frame.phase,
        "turn": letters[at],
        "leader": frame.turn_begins if frame.phase == "play" else frame.elder,
        "hands": hands,
        "discards": discards,
        "stock": stock,
        "trick": trick,
        "won": _won(frame, pool),
        "scored": {letter: list(given.get("scored", {}).get(letter, ())) for letter in letters},
        "seen": {letter: [] for letter in letters},
        "blanks": {letter: _blank(given, letter) for letter in letters},
        "made": {letter: given.get("made", {}).get(letter, 0) for letter in letters},
        "called": _called(frame),
    }


def _blank(given: Given, letter: str) -> str:
    return str(Blank.SCORED if letter in given.get("blanks", ()) else Blank.UNSPOKEN)


def _hand_sizes(frame: _Frame) -> dict[str, int]:
    """How many cards each player holds: a full hand, or in the play as many as are given, less the card played."""
    letters, trick = frame.letters, frame.given.get("trick", ())
    at = letters.index(frame.turn_begins)
    played = (letters[at:] + letters[:at])[: len(trick)]
    given = frame.given.get("hands", {}).items() if frame.phase == "play" else ()
    exact = [len(cards) + (letter in played) for letter, cards in given if REST not in cards]
    full = max(exact, default=frame.rules.deal.hand_size)
    return {letter: full - (letter in played) for letter in letters}


def _sizes_put_away(frame: _Frame) -> dict[str, int]:
    """How many cards each player has put away: as many as are given; or elder the full number, and younger the rest."""
    given, whole = frame.given, len(frame.rules.pack) - len(frame.letters) * frame.rules.deal.hand_size
    left = given.get("stock", ())
    whole -= 0 if REST in left else len(left)
    if frame.phase == "exchange" and frame.turn_begins == frame.elder:
        return dict.fromkeys(frame.letters, 0)
    piles = {letter: cards for letter, cards in given.get("discarded", {}).items() if REST not in cards}
    elder = len(piles[frame.elder]) if frame.elder in piles else min(frame.rules.of(TalonRules).elder_most.value, whole)
    if frame.phase == "exchange":
        return {frame.elder: elder, frame.younger: 0}
    return {frame.elder: elder, frame.younger: len(piles.get(frame.younger, range(whole - elder)))}


def _fill(given: Given, key: str, letter: str, size: int, pool: Pool, wanted: frozenset[Card]) -> list[str]:
    """One hand, or the cards one player has put away."""
    cards = given.get(key, {}).get(letter, [REST])
    known = [text for text in cards if text != REST]
    if len(known) > size or (REST not in cards and len(known) != size):
        what = f"{len(known)} cards {'or more ' if REST in cards else ''}where there are {size} here"
        remedy = "Remove some." if len(known) > size else f"Add {REST} for the cards that do not matter."
        raise Incomplete(what, remedy, key, letter)
    return known + pool.take(size - len(known), wanted)


def _stock(frame: _Frame, size: int, pool: Pool, wanted: frozenset[Card]) -> list[str]:
    """What is left of the talon, the top card first."""
    given = frame.given.get("stock", [REST])
    at = given.index(REST) if REST in given else len(given)
    known = [text for text in given if text != REST]
    if len(known) > size or (REST not in given and len(known) != size):
        raise Incomplete(
            f"{len(known)} cards in a talon that holds {size} here",
            f"Give {size}, with {REST} for those that do not matter; or say what was put away, with 'discarded'.",
            "stock",
        )
    return [*given[:at], *pool.take(size - len(known), wanted), *given[at + 1 :]]


def _won(frame: _Frame, pool: Pool) -> dict[str, list[str]]:
    """The cards won so far: those given, and all that are left, in whole tricks."""
    piles, players = frame.given.get("won", {}), frame.rules.players
    won = {letter: [text for text in piles.get(letter, ()) if text != REST] for letter in frame.letters}
    for letter in (frame.turn_begins, *frame.letters):
        if REST in piles.get(letter, [REST]):
            others = [other for other in frame.letters if other != letter and REST in piles.get(other, [REST])]
            odd = sum(len(won[other]) % players for other in others)
            won[letter] += pool.take_last(len(pool.cards) - odd)
    if pool.cards or any(len(pile) % players for pile in won.values()):
        raise Incomplete(
            f"tricks have {players} cards each, and every card lies somewhere",
            f"Give the cards won in whole tricks, with {REST} for those that do not matter.",
            "won" if piles else "hands",
        )
    return won


def _called(frame: _Frame) -> Mapping[str, Any]:
    """How far the calling has come: the classes given are decided; once the play has begun, all of them."""
    given = frame.given.get("called", {})
    classes = CLASSES if frame.phase == "play" else CLASSES[: len(given)]
    if not set(given) <= set(classes):
        first = next(each for each in CLASSES if each not in given)
        raise Incomplete("the classes are decided in their order", f"Say whose '{first}' is, too.", "called")
    decided = [None if given.get(each, "nobody") == "nobody" else given[each] for each in classes]
    return {
        "decided": decided,
        "announced": [_announced(frame, each, who) for each, who in zip(classes, decided, strict=True)],
        "count": 0,
        "height": "",
        "asked": False,
    }


def _announced(frame: _Frame, class_: str, decided: str | None) -> dict[str, Any]:
    """What had been announced of a class."""
    said = frame.given.get("announced", {}).get(class_, {"count": _ANYTHING if decided == frame.elder else 0})
    height = said.get("value", said.get("top", said.get("rank", "")))
    return {"count": said["count"], "height": str(height)}
