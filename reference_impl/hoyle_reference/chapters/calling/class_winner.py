"""The winner of a class: whose combinations are good, of two hands or of two calls.

Implements SEMANTICS-PIQUET.md, announce-5.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from ...acts import CLASSES, NOUGHT, POINT, SEQUENCE, SET, Call, ClassWinner
from ...cards import read_rank
from ...refusals import Grounds, Malformed
from ...seats import Seat, after
from ...table.table import Table
from ..chapter import Ruling
from . import classes
from .announcements import spoken
from .classes import ClassRules
from .reckoning import class_winner

#: What tells how high a combination is, in each class.
_HEIGHT: Final[Mapping[str, str]] = MappingProxyType({POINT: "value", SEQUENCE: "top", SET: "rank"})


def whose_class_is_good(table: Table, question: ClassWinner) -> Ruling:
    """Return the seat whose combinations of a class are good, or None."""
    if question.class_ not in CLASSES:
        raise Malformed(f"no class '{question.class_}' of combinations")
    if bool(question.hands) == bool(question.calls):
        raise Malformed("a class is compared by 'hands' or by 'calls'")
    if question.hands:
        return Ruling(*class_winner(table, question.by, question.class_, question.hands))
    return Ruling(*_between_calls(table, question.by, question.class_, question.calls))


def _between_calls(table: Table, elder: Seat, class_: str, calls: Sequence[Call]) -> tuple[Seat | None, Grounds]:
    """Return whose call is the better, and why; None where both are equal, or there are none."""
    rules, younger = table.rules.of(ClassRules), after(elder, table.players)
    best, why = [_key(rules, class_, call) for call in calls], rules.best[class_].grounds
    if any(call.top == NOUGHT for call in calls):
        why += tuple(kind.path for kind in rules.by_id.values() if kind.void and kind.class_ == class_)
    if calls[elder].count == calls[younger].count > 0 and not (spoken(calls[elder]) and spoken(calls[younger])):
        raise Malformed(f"both are of {calls[elder].count} cards: '{_HEIGHT[class_]}' decides")
    if best[elder] == best[younger]:
        return None, why + (rules.equal.grounds if calls[elder].count else ())
    return (elder if best[elder] > best[younger] else younger), why


def _key(rules: ClassRules, class_: str, call: Call) -> tuple[int, int]:
    """Return a call as combinations are compared; raise Malformed where none of the class can be called so."""
    told = {key for key in _HEIGHT.values() if getattr(call, key) not in {None, ""}}
    if not told <= ({_HEIGHT[class_]} if call.count else set()):
        raise Malformed(
            f"a {class_} is called by 'count' and '{_HEIGHT[class_]}', and that there is none by a count of 0"
        )
    lengths = {POINT: range(1, 9), SEQUENCE: rules.sequences, SET: rules.sets}[class_]
    if call.count and call.count not in lengths:
        raise Malformed(f"no {class_} has {call.count} cards")
    height = spoken(call)
    high = classes.height_said(class_, height, rules) if height else 0
    if height and not _is_possible(rules, class_, call):
        raise Malformed(f"no {class_} of {call.count} cards has the {_HEIGHT[class_]} {height}")
    return call.count, high


def _is_possible(rules: ClassRules, class_: str, call: Call) -> bool:
    """Whether a set can have the rank that is called, or a sequence of so many cards the top."""
    if class_ == SET:
        return read_rank(call.rank) in rules.set_ranks.value
    if call.top == NOUGHT:
        return any(kind.cards == call.count for kind in rules.by_id.values() if kind.void and kind.class_ == SEQUENCE)
    return class_ == POINT or read_rank(call.top) + 1 >= call.count
