"""Answers to questions about a position, by the same functions that play uses."""

from collections.abc import Iterable
from typing import Any

from .chapters.chapter import Procedure, Ruling
from .observation import visible
from .table.acts import Question, Visible, word_of
from .table.cards import Card
from .table.refusals import Malformed
from .table.table import Table


def answer(table: Table, question: Question) -> Ruling:
    """Return the answer to a question about this position; raise Malformed for a question that makes no sense."""
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
