"""A position laid out as on a table: the cards in their places, and beside them what is counted and said."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.calls import MADE_BY
from hoyle_conformance.wording.words import Names
from hoyle_reference.cards import RANKS, SUITS

#: A card that the position leaves open: it is there, and which it is matters to nobody.
ANY: Final = "..."
_TITLES: Final = {"shown": "on the table", "discards": "put away", "seen": "has seen", "kept": "kept to score"}


class CardPlace(NamedTuple):
    """A place of cards: its kind (``hand``, ``shown``, ``trick`` …), and the seat in front of which it is, if any."""

    kind: str
    seat: str = ""

    @property
    def title(self) -> str:
        """The words for the place beside its cards."""
        return _TITLES.get(self.kind, self.kind)


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table as it is shown.

    The cards in each place (those left open as ``...``), what is said beside them by what it is about (the score of a
    seat, the stock, trumps …), and which of both are new since the step before.
    """

    seats: tuple[str, ...]
    cards: Mapping[CardPlace, tuple[str, ...]]
    facts: Mapping[CardPlace, str]
    new_cards: Mapping[CardPlace, Collection[str]] = field(default_factory=dict)
    new_facts: Collection[CardPlace] = ()

    def since(self, before: "ShownTable") -> "ShownTable":
        """Return the same table, with the cards that did not lie in their place before, and the facts that are new."""
        cards = {
            place: fresh
            for place, lie in self.cards.items()
            if (fresh := frozenset(Counter(lie) - Counter(before.cards.get(place, ()))))
        }
        facts = frozenset(place for place, said in self.facts.items() if before.facts.get(place) != said)
        return replace(self, new_cards=cards, new_facts=facts)


def cards_named(content: Any) -> frozenset[str]:
    """Return every card that a position and its steps name."""
    return frozenset(_cards_in(content))


def _cards_in(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        if len(content) in {2, 4} and content[0] in RANKS and content[1] in SUITS:
            yield content
    elif isinstance(content, Mapping):
        for each in content.values():
            yield from _cards_in(each)
    elif isinstance(content, Sequence):
        for each in content:
            yield from _cards_in(each)


def lay_out(position: Mapping[str, Any], known: Collection[str], melds: Names) -> ShownTable:
    """Return a whole position as a table, on which the cards that are not `known` lie open for nobody."""
    seats = tuple(position.get("hands") or position["score"])
    cards = {place: lie for place, lie in _lie(position, known) if lie}
    return ShownTable(seats, cards, dict(_facts(position, melds)))


def _lie(position: Mapping[str, Any], known: Collection[str]) -> Iterator[tuple[CardPlace, tuple[str, ...]]]:
    shown = position.get("shown", {})
    for seat, hand in position.get("hands", {}).items():
        on_the_table = shown.get(seat, ())
        hidden = list((Counter(hand) - Counter(on_the_table)).elements()) if on_the_table else list(hand)
        yield CardPlace("shown", seat), tuple(printed.sort_hand(on_the_table))
        yield CardPlace("hand", seat), _sorted(hidden, known)
        for kind in ("discards", "seen"):
            yield CardPlace(kind, seat), _sorted(position.get(kind, {}).get(seat, ()), known)
    yield CardPlace("trick"), tuple(position.get("trick", ()))
    if position.get("turn_up"):
        yield CardPlace("turn-up"), (position["turn_up"],)


def _sorted(cards: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    """Return cards as a player sorts them, those that are left open at the end."""
    faces = printed.sort_hand(card for card in cards if card in known)
    return (*faces, *[ANY] * (len(cards) - len(faces)))


def _facts(position: Mapping[str, Any], melds: Names) -> Iterator[tuple[CardPlace, str]]:
    yield from _of_seats(position, melds)
    if position.get("stock"):
        yield CardPlace("stock"), f"{len(position['stock'])} in the {'stock' if 'turn_up' in position else 'talon'}"
    if position.get("trumps"):
        yield CardPlace("trumps"), f"trumps {printed.SYMBOLS[position['trumps']]}"
    if position.get("game_won_by"):
        yield CardPlace("over"), f"{position['game_won_by']} has won the game"


def _of_seats(position: Mapping[str, Any], melds: Names) -> Iterator[tuple[CardPlace, str]]:
    for seat, points in position["score"].items():
        yield CardPlace("score", seat), f"{points:,}"
    for seat, kept in position.get("kept", {}).items():
        if kept:
            names = (f"{melds.get(each['meld'], each['meld'])} {printed.cards(each['cards'])}" for each in kept)
            yield CardPlace("kept", seat), ", ".join(names)
    for seat, made in position.get("made_of", {}).items():
        points = [f"{count} {MADE_BY[cause]}" for cause, count in made.items() if count]
        if points:
            yield CardPlace("made", seat), f"in this deal {', '.join(points)}"
    for seat, pile in position.get("won", {}).items():
        if pile:
            yield CardPlace("won", seat), f"{len(pile)} cards won"
