"""Engines whose faults show in whole games, from deal to deal or act to act."""

from collections.abc import Callable
from typing import Any

from faults import Respond, adapter, reference

from hoyle_conformance.checks.setup import trace
from hoyle_reference import Game, Table


@adapter
def remembers_the_sevens() -> Respond:
    """A seven that has scored in one deal has scored in the next."""
    return _carrying("claimed")


@adapter
def counts_both_copies() -> Respond:
    """Of two kings of spades each is a card to lead."""
    right = trace.legal_acts

    def each_copy(table: Table) -> int | None:
        if right(table) is None:
            return None
        return sum(getattr(act, "by", None) == table.turn for act in Game(table).legal_actions)

    trace.legal_acts = each_copy
    return reference()


def _carrying(name: str) -> Respond:
    """The reference, with one field of the table that is not begun anew after a deal."""
    right: Callable[[Table], None] = Table.clear_the_deal

    def clear_the_rest(self: Table) -> None:
        kept: Any = getattr(self, name)
        right(self)
        setattr(self, name, kept)

    Table.clear_the_deal = clear_the_rest  # type: ignore[method-assign]  # that is the fault
    return reference()
