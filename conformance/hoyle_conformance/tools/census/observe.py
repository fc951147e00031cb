"""Seeing: what of a game is compared after an act, and whether two games look the same there."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.checks.setup.trace import observed
from hoyle_reference import Phase, Table
from hoyle_reference.events.event import Event
from hoyle_reference.events.tricks import TrickWon

#: What is compared wherever the game stands.
_ALWAYS: Final = ("score", "trick_won_by", "game_won_by", "legal_acts")
#: What is compared while cards lie on the table, if the game has it.
_OF_A_DEAL: Final = ("turn", "dealer", "hands", "stock_left")
_IF_ANY: Final = ("shown", "trumps", "turn_up")
_IN_NO_ORDER: Final = frozenset({"hands", "shown"})
#: All that may be compared.
COMPARED: Final = frozenset({*_ALWAYS, *_OF_A_DEAL, *_IF_ANY, "settled"})
#: What two games must have alike to look the same, beside how many cards are left.
_ALIKE: Final = ("phase", "turn", "score", "dealer", "game_won_by", "settled", "hands", "shown", "trumps", "turn_up")


def keys(table: Table) -> tuple[str, ...]:
    """What is compared where a game stands like this: before a deal nothing of the table, and of a game that is over
    only how it has ended."""
    match table.phase:
        case Phase.CUT:
            return _ALWAYS
        case Phase.DEAL:
            return (*_ALWAYS, "turn", "dealer")
        case Phase.OVER:
            return (*_ALWAYS, "settled")
        case _ if not table.is_dealt:
            return (*_ALWAYS, "turn")
        case _:
            has = {field.name for field in table.rules.fields}
            return (*_ALWAYS, *_OF_A_DEAL, *(key for key in _IF_ANY if key in has))


def seen(table: Table, events: Sequence[Event]) -> Mapping[str, Any]:
    """What is seen of a game after these events, as an observation spells it, the cards of a hand in the order of their
    names."""
    sight = {key: observed(table, events, key) for key in sorted(keys(table))}
    for key in _IN_NO_ORDER.intersection(sight):
        sight[key] = {seat: sorted(cards) for seat, cards in sight[key].items()}
    return sight


def parted(table: Table, events: Sequence[Event], other: Table, others: Sequence[Event]) -> set[str]:
    """What is compared of the one game and is not the same in the other, or not compared there."""
    own, theirs = seen(table, events), seen(other, others)
    return {key for key in own if key not in theirs or own[key] != theirs[key]}


def look_alike(table: Table, events: Sequence[Event], other: Table, others: Sequence[Event]) -> bool:
    """Whether two games are the same as far as can be seen, but for the number of acts that are open."""
    return (
        all(getattr(table, name) == getattr(other, name) for name in _ALIKE)
        and len(table.stock) + len(table.undrawn) == len(other.stock) + len(other.undrawn)
        and trick_won(events) == trick_won(others)
    )


def trick_won(events: Sequence[Event]) -> int | None:
    """Who has won a trick, if one was won."""
    return next((event.seat for event in events if isinstance(event, TrickWon)), None)
