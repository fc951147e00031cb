"""Descriptions of the fields of a position: the kind of each, its text, to what it belongs, and who sees it."""

from collections.abc import Callable
from dataclasses import field, fields
from enum import StrEnum
from typing import Any

from ..frozen import frozen
from ..seats import Setting
from .field_kinds import Kind


class Seen(StrEnum):
    """Who sees what a field holds: everybody; only how many cards it is; the owner, and the others how many cards;
    the owner alone."""

    BY_ALL = "by all"
    AS_A_COUNT = "as a count"
    BY_OWNER = "by the owner"
    BY_OWNER_ALONE = "by the owner alone"


class Of(StrEnum):
    """What a field belongs to: the game, or the deal that is being played; or how the game has ended."""

    GAME = "game"
    DEAL = "deal"
    END = "end"


@frozen
class Field:
    """One thing that a position holds, and what it says in words.

    It is there `everywhere`, or only in games with a chapter that needs it (`Chapter.fields`). Cards may lie in it
    (`place`), or lie elsewhere and be `in_sight`; a position may have to give it (`needed`); it may be `left_out` where
    it is empty.
    """

    name: str
    #: The attribute of the table that holds the state with this field; none where the table itself has it.
    part: str
    kind: Kind
    says: str
    of: Of
    new: Callable[[Setting], Any]
    everywhere: bool
    place: bool
    in_sight: bool
    needed: bool
    left_out: bool
    seen: Seen

    def get(self, table: object) -> Any:
        """Return what the field holds at a table."""
        return getattr(getattr(table, self.part) if self.part else table, self.name)

    def put(self, table: object, value: Any) -> None:
        """Make the field hold a value at a table."""
        setattr(getattr(table, self.part) if self.part else table, self.name, value)


def described(
    kind: Kind,
    says: str,
    *,
    of: Of = Of.DEAL,
    new: Callable[[Setting], Any] | None = None,
    everywhere: bool = True,
    place: bool = False,
    in_sight: bool = False,
    needed: bool = False,
    left_out: bool = False,
    seen: Seen = Seen.BY_ALL,
) -> Any:
    """Declare a field of the table, with its description (see `Field`)."""
    described = {"kind": kind, "says": says, "of": of, "new": new or kind.empty, "everywhere": everywhere}
    more = {"place": place, "in_sight": in_sight, "needed": needed, "left_out": left_out, "seen": seen}
    return field(init=False, metadata={**described, **more})


def fields_of(state: type[Any], part: str = "") -> tuple[Field, ...]:
    """Return the fields that a class describes, in order; `part` is the attribute of the table that holds its value."""
    return tuple(Field(name=each.name, part=part, **each.metadata) for each in fields(state) if each.metadata)
