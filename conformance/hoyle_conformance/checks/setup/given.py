"""The part of a position that a scenario gives, checked for seats, cards and keys that the game does not have."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from hoyle_conformance.checks.request import CannotSetUp
from hoyle_reference import Rules, Table
from hoyle_reference.cards import RANK_NAMES, SUIT_NAMES, Card, rank_of, read_card, suit_of
from hoyle_reference.seats import SEATS, Seat, ring, seat_name

REST: Final = "..."
#: In a game of two packs, each card has one other copy.
_TWO_ALIKE: Final = 2
_NUMBERS: Final = {2: "two", 4: "four", 6: "six", 8: "eight"}

Given = Mapping[str, Any]
#: The path of a value in the given position: ``("hands", "A", 0)``.
Path = tuple[str | int, ...]


class PartlyGiven:
    """A table of which some parts are given."""

    __slots__ = ()
    table: Table
    given: Given

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats, starting with A."""
        return ring(Seat(0), self.table.players)

    def is_open(self, key: str, seat: Seat) -> bool:
        """Return whether a pile of a player may have more cards than are given."""
        return REST in self.given.get(key, {}).get(seat_name(seat), (REST,))

    @property
    def stock_is_open(self) -> bool:
        """Whether the stock may have more cards than are given."""
        return REST in self.given.get("stock", (REST,))


def read_seat(letter: str) -> Seat:
    """Return the seat of a letter, whether or not it is occupied."""
    return Seat(SEATS.index(letter))


def pile_of(table: Table, key: str, seat: Seat) -> list[Card]:
    """Return the cards of a player under a key: a hand, or the cards put away or won."""
    pile: list[Card] = getattr(table, "discards" if key == "discarded" else key)[seat]
    return pile


def side(rules: Rules, seat: str) -> str:
    """Return the letters of a player and of any partners who share the score."""
    return "".join(map(seat_name, rules.side(read_seat(seat))))


def nothing_is_left_to_draw(given: Given) -> bool:
    """Return whether the stock, and with it the turn-up, is given as gone."""
    return given.get("stock") == [] and "turn_up" not in given


def check_words(rules: Rules, given: Given) -> None:
    """Raise CannotSetUp if the game lacks a given seat or another given word."""
    _check_seats(rules, given)
    for key in not_given(rules):
        if key in given:
            says = _NOT_THERE[key].format(f"under {rules.id}")
            message = f"there is no '{key}' under {rules.id}"
            raise CannotSetUp(message, "The position cannot arise there.", key, table=(says, ""))


def not_given(rules: Rules) -> Iterator[str]:
    """Yield the keys that are given only in other games."""
    yield from _ONLY_DRAWN if "talon" in rules.chapters else _ONLY_HANDLED
    if rules.chapters.isdisjoint({"blank", "carte_blanche"}):
        yield "blanks"
    if "reckoning" not in rules.chapters:
        yield "made_of"
    if "seven" not in rules.chapters:
        yield "claimed"
    if not rules.tricks.lie_open:
        yield "heap"
    if "referee" not in rules.chapters:
        yield from ("surplus", "untouched", "last_tricks")


#: The message for each key that a game does not have.
_NOT_THERE: Final = {
    "has_won": "nobody declares and draws after a trick {}",
    "trumps": "there are no trumps {}",
    "turn_up": "no card is turned up {}",
    "kept": "combinations are not kept to score later {}",
    "claimed": "no sevens are exchanged or shown {}",
    "last_trick_won_by": "no trick before the very last counts as the last {}",
    "exchanges": "no cards are exchanged with a talon {}",
    "announces": "no combinations are announced {}",
    "discarded": "no cards are discarded {}",
    "called": "no combinations are called {}",
    "announced": "no combinations are announced {}",
    "deal": "deals are not counted {}",
    "packets": "the dealer does not choose the packets {}",
    "blanks": "there is no blank and no carte blanche {}",
    "made_of": "the score is not broken down by what it was made of {}",
    "heap": "the tricks won are not left face up {}",
    "surplus": "there is no ruling on a hand with too many or too few cards {}",
    "untouched": "there is no ruling on a hand that has not been taken up {}",
    "last_tricks": "the last tricks are not counted separately {}",
}
#: The keys that are given only in games with draws, and those only in games that begin with an exchange.
_ONLY_DRAWN: Final = ("has_won", "trumps", "turn_up", "kept", "claimed", "last_trick_won_by")
_ONLY_HANDLED: Final = ("exchanges", "announces", "discarded", "called", "announced", "deal", "packets")


def _check_seats(rules: Rules, given: Given) -> None:
    for key in ("leads", "has_won", "exchanges", "announces", "dealer", "last_trick_won_by"):
        if key in given:
            check_seat(rules, given[key], key)
    for key in ("hands", "won", "discarded", "scored", "kept", "score", "made_of", "packets", "surplus", "last_tricks"):
        for seat in given.get(key, ()):
            check_seat(rules, seat, key, seat)
    for seat in given.get("score", ()):
        first = side(rules, seat)[0]
        if seat != first:
            message = f"{seat} scores together with {first}"
            table = ("", f"Give the score of both to {first}.")
            raise CannotSetUp(message, f"Write their score under {first}.", "score", seat, table=table)
    for key in ("blanks", "untouched"):
        for at, seat in enumerate(given.get(key, ())):
            check_seat(rules, seat, key, at)


def check_seat(rules: Rules, seat: str, *path: str | int) -> None:
    """Raise CannotSetUp if a named seat is not occupied."""
    if seat not in SEATS[: rules.players]:
        remedy = f"The players are {', '.join(SEATS[: rules.players])}."
        raise CannotSetUp(f"there is no player {seat} in a game of {rules.players}", remedy, *path)


def check_card(rules: Rules, text: str, *path: str | int) -> Card:
    """Return the named card; raises CannotSetUp if the game lacks it."""
    card = read_card(text, rules.packs)
    if card is None:
        raise CannotSetUp(
            f"there is no {text} in {rules.packs} piquet pack{'' if rules.packs == 1 else 's'}",
            f"Write {_copies(text[:2], rules.packs)}.",
            *path,
            table=_no_such_card(text, rules.packs),
        )
    return card


def _no_such_card(text: str, packs: int) -> tuple[str, str]:
    """Return the message and the remedy for a card that the packs of the game do not have, or have in fewer copies."""
    card = read_card(text)
    if card is None:
        return f"there is no {text} in a piquet pack", "Choose another card."
    rank, suit = RANK_NAMES[rank_of(card)], SUIT_NAMES[suit_of(card)]
    many = _NUMBERS.get(packs, str(packs))
    has = f"one pack has only one {rank}" if packs == 1 else f"{many} packs have only {many} {rank}s"
    return f"{has} of {suit}, so there is no {text}", "Remove it."


def another(rules: Rules, text: str) -> str:
    """Return the remedy for a card in two places, for a user who moves cards on screen."""
    if "#" in text or rules.packs == 1:
        return "Remove one of them."
    other = f"the other {text}" if rules.packs == _TWO_ALIKE else f"another {text}"
    return f"Remove one of them, or choose {other}."


def _copies(face: str, packs: int) -> str:
    """Return the names of the copies of a face: ``KS or KS#2``."""
    return " or ".join([face, *(f"{face}#{copy}" for copy in range(2, packs + 1))])


def other_copy(rules: Rules, text: str) -> str:
    """Return the remedy for a card that is named twice."""
    if "#" in text or rules.packs == 1:
        return "Remove one of them."
    return f"Write {text}#2 for {'another' if rules.packs > _TWO_ALIKE else 'the other'} one."
