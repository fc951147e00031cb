"""A player's view of a position, and the answers to questions about it, from the same functions that play uses. Other
programs call some of these functions through this module.

An observation is written like a position, and made from the table's description of each field. Cards that a player does
not see in other hands, in the stock or among those won appear only as a number.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .acts import Question, Visible, word_of
from .cards import BY_NAME, Card
from .chapters.calling.classes import whole_combinations
from .chapters.chapter import Procedure, Ruling
from .chapters.deal import order_of_the_deal
from .chapters.score import brisque_points
from .chapters.tricks import duties, playable, trick_winner
from .frozen import frozen
from .refusals import Malformed
from .seats import Seat, seat_name
from .table.fields import Seen
from .table.table import Table

__all__ = [
    "Observation",
    "answer",
    "brisque_points",
    "duties",
    "observe",
    "order_of_the_deal",
    "playable",
    "trick_winner",
    "visible",
    "whole_combinations",
]


@frozen
class Observation:
    """A position as one seat sees it: the visible part of each field, as a position is written."""

    seat: Seat
    sees: Mapping[str, Any]

    def __getitem__(self, field: str) -> Any:
        return self.sees[field]


def observe(table: Table, seat: Seat) -> Observation:
    """Return the position as the player in `seat` sees it: by the description of each field, then by the rules of the
    chapters."""
    rules, own = table.rules, seat_name(seat)
    sees = {field.name: _by_right(field.seen, own, field.kind.write(rules, field.get(table))) for field in rules.fields}
    for name, seen_by in rules.of(Procedure).sees.items():
        sees[name] = seen_by(table, seat, sees[name])
    return Observation(seat, sees)


def _by_right(seen: Seen, own: str, written: Any) -> Any:
    if seen is Seen.BY_ALL:
        return written
    if seen is Seen.BY_OWNER_ALONE:
        return {letter: each for letter, each in written.items() if letter == own}
    if seen is Seen.BY_OWNER:
        return {letter: each if letter == own else len(each) for letter, each in written.items()}
    return len(written) if isinstance(written, list) else {letter: len(each) for letter, each in written.items()}


def visible(table: Table, seat: Seat) -> tuple[Card, ...]:
    """Return the cards that a player may look at, in their order: the player's own hand, and cards that lie open, were
    seen or were put away."""
    seen = observe(table, seat)
    fields = (field for field in table.rules.fields if field.place or field.in_sight)
    names = {name for field in fields for name in _named(seen[field.name])}
    return tuple(sorted(BY_NAME[table.rules.packs][name] for name in names))


def _named(seen: Any) -> Iterator[str]:
    """Yield the names of cards in the visible part of a field."""
    if isinstance(seen, str):
        yield seen
    elif isinstance(seen, Mapping):
        for each in seen.values():
            yield from _named(each)
    elif isinstance(seen, list):
        yield from seen


def answer(table: Table, question: Question) -> Ruling:
    """Return the answer to a question about this position; raise Malformed for an invalid question."""
    if isinstance(question, Visible):
        return Ruling(visible(table, question.by), table.rules.of(Procedure).sight)
    ask = table.rules.of(Procedure).asks.get(type(question))
    if ask is None:
        raise Malformed(f"there is no such question in this game: {word_of(type(question))}")
    named = [
        card for field in ("cards", "hands", "hand", "led") for card in _flat(getattr(question, field, None) or ())
    ]
    if len(set(named)) != len(named):
        raise Malformed("a card is named twice")
    return ask.answer(table, question)


def _flat(cards: Iterable[Any]) -> Iterable[Card]:
    """Yield the cards of a row, or of several rows."""
    for each in cards:
        yield from each if isinstance(each, tuple) else (each,)
