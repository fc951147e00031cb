"""Answers to questions about a position, by the same functions that play uses; and those of these functions that other
programs call."""

from collections.abc import Iterable
from typing import Any

from .acts import Question, Visible, word_of
from .cards import Card
from .chapters.calling.classes import whole_combinations
from .chapters.chapter import Procedure, Ruling
from .chapters.deal import order_of_the_deal
from .chapters.score import brisque_points
from .chapters.tricks import duties, playable, trick_winner
from .observation import observe, visible
from .refusals import Malformed
from .table.table import Table

__all__ = [
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
