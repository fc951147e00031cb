"""What was declared in the deal that a history is found for."""

from collections.abc import Iterator
from dataclasses import dataclass

from hoyle_conformance.checks.preludes.follow import PreludeTarget
from hoyle_reference.cards import Card
from hoyle_reference.seats import Seat


@dataclass(frozen=True, slots=True)
class DeclaredInDeal:
    """A declaration of the deal: a combination, scored or `kept` to score; or, without a name, a seven that was shown.
    `by` is the declaring seat; `makes_trumps` is true if there were no trumps before."""

    by: Seat
    meld: str
    cards: tuple[Card, ...]
    kept: bool = False
    makes_trumps: bool = False


def declared(sought: PreludeTarget) -> tuple[tuple[DeclaredInDeal, ...], ...]:
    """Return the declarations of each side, in its order."""
    table, rules = sought.table, sought.rules
    return tuple(
        (
            *(_told(sought, Seat(side), each.meld, each.cards) for each in table.scored[side]),
            *(_told(sought, Seat(side), each.meld, each.cards, kept=True) for each in table.kept[side]),
            *(DeclaredInDeal(seat, "", (seven,)) for seat, seven in _shown(sought) if rules.side_of[seat] == side),
        )
        for side in range(len(rules.sides))
    )


def _told(
    sought: PreludeTarget, side: Seat, meld: str, cards: tuple[Card, ...], *, kept: bool = False
) -> DeclaredInDeal:
    """Return a combination as declared by the player of the side who holds most of its cards."""
    rules = sought.rules
    held = {seat: len({*cards} & {*sought.table.hands[seat]}) for seat in rules.side(side)}
    by = max(held, key=held.__getitem__)
    return DeclaredInDeal(by, meld, cards, kept)


def _shown(sought: PreludeTarget) -> Iterator[tuple[Seat, Card]]:
    """Yield the sevens of trumps that have been shown: those that have scored and are not turned up."""
    table = sought.table
    for seven in sorted(table.claimed - {table.turn_up}):
        places = [seat for seat in sought.seats if seven in table.hands[seat]]
        piles = [seat for seat in sought.seats if seven in table.won[seat]]
        yield (places or piles or [table.leader])[0], seven
