"""Shorthands of transcripts, which stand for several acts, and cards whose copies are not numbered."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.tools.transcript.model import LoggedAct
from hoyle_reference.frozen import frozen
from hoyle_reference.table.seats import SEATS

#: How many players a trick can have.
_PLAYERS: Final = range(2, len(SEATS) + 1)


@frozen
class Shorthand:
    """An act that stands for others: what is wrong with one (empty if nothing), and its acts for so many players."""

    complaint: Callable[[Mapping[str, Any]], str]
    acts: Callable[[Mapping[str, Any], int], Sequence[Mapping[str, Any]]]


def _seats_from(first: str, players: int) -> Iterator[str]:
    at = SEATS.index(first)
    return (SEATS[(at + number) % players] for number in range(players))


def _trick_complaint(act: Mapping[str, Any]) -> str:
    if other := sorted(act.keys() - {"by", "do", "cards"}):
        return f"a trick has no '{other[0]}'"
    if "by" not in act or len(act.get("cards", ())) not in _PLAYERS:
        return "a trick needs 'by', who leads, and 'cards', the card of each player"
    return ""


def _draw_all_complaint(act: Mapping[str, Any]) -> str:
    if other := sorted(act.keys() - {"by", "do"}):
        return f"'draw-all' has no '{other[0]}'"
    return "" if "by" in act else "'draw-all' needs 'by', who draws first"


def _tricks_acts(act: Mapping[str, Any], players: int) -> list[Mapping[str, Any]]:
    seats = _seats_from(act["by"], players)
    return [{"by": seat, "do": "play", "card": card} for seat, card in zip(seats, act["cards"], strict=False)]


SHORTHANDS: Final[Mapping[str, Shorthand]] = MappingProxyType(
    {
        "trick": Shorthand(_trick_complaint, _tricks_acts),
        "draw-all": Shorthand(
            _draw_all_complaint,
            lambda act, players: [{"by": seat, "do": "draw"} for seat in _seats_from(act["by"], players)],
        ),
    }
)


def expand(acts: Sequence[LoggedAct], players: int) -> tuple[LoggedAct, ...]:
    """Return acts with every shorthand as its single acts; what was observed belongs to the last of them."""
    found: list[LoggedAct] = []
    for act in acts:
        shorthand = SHORTHANDS.get(act.step["do"])
        if shorthand is None:
            found.append(act)
            continue
        *first, last = shorthand.acts(act.step, players)
        found += [LoggedAct(step, {}, act.line) for step in first]
        found.append(LoggedAct(last, act.facts, act.line))
    return tuple(found)


def number_copies(act: Mapping[str, Any]) -> dict[str, Any]:
    """Return an act in which each card of a list has its own name: the second card of a kind becomes ``QS#2``."""
    return {key: _numbered(value) if key in {"cards", "deck"} else value for key, value in act.items()}


def _numbered(cards: Sequence[str]) -> list[str]:
    seen = Counter[str]()
    named: list[str] = []
    for card in cards:
        seen[card] += 1
        named.append(card if seen[card] == 1 or "#" in card else f"{card}#{seen[card]}")
    return named
