"""The position after a walk, as the page draws it."""

from collections.abc import Iterable
from typing import Any, Final

from hoyle_conformance.web.explorer.layout import Layout
from hoyle_conformance.web.explorer.turn import awaits
from hoyle_conformance.web.explorer.walk import TableWalk
from hoyle_conformance.wording.events import CardPlace, ShownTable, lay_out
from hoyle_reference import Table, write_position
from hoyle_reference.cards import name
from hoyle_reference.events import Event, TrickWon
from hoyle_reference.seats import seat_name

#: Places and facts by the keys under which a layout gives them.
_KEYS: Final = {"hand": "hands", "discards": "discarded", "turn-up": "turn_up", "over": "game_won_by"}


def drawn(walk: TableWalk, layout: Layout) -> dict[str, Any] | None:
    """Return the table at the end of a walk; None if there is no such position."""
    table = walk.table
    if table is None or walk.begins is None:
        return None
    known = layout.known
    laid = _laid(table, walk, known)
    if walk.stages:
        before = walk.stages[-2].after if len(walk.stages) > 1 else walk.begins
        laid = laid.since(_laid(before, walk, known))
    last = walk.stages[-1].taken if walk.stages else ()
    return shown(laid, walk.asked.rules.letters, table, [event for one in last for event in one.events])


def shown(
    laid: ShownTable, seats: Iterable[str], table: Table, last: Iterable[Event], seen_by: str | None = None
) -> dict[str, Any]:
    """Return a table as plain data, with whose turn it is, and the trick that the `last` events have finished; nothing
    more than one player sees, if one is given."""
    turn, says = awaits(table, seen_by)
    return {
        "seats": list(seats),
        "turn": turn,
        "says": says,
        "over": turn is None and table.game_won_by is not None,
        "places": [*(_place(laid, place) for place in laid.cards), *_finished_trick(table, last)],
        "facts": [_fact(laid, place) for place in laid.facts],
    }


def _finished_trick(table: Table, last: Iterable[Event]) -> list[dict[str, Any]]:
    """Return the trick that the last step has finished, as a place: it stays in sight until the next step."""
    won = [event for event in last if isinstance(event, TrickWon) and not table.trick]
    return [
        {"key": "last_trick", "title": f"{seat_name(each.seat)} takes the trick", "cards": _names(each), "new": []}
        for each in won[-1:]
    ]


def _names(won: TrickWon) -> list[str]:
    return [name(card) for card in won.cards]


def _laid(table: Table, walk: TableWalk, known: frozenset[str]) -> ShownTable:
    return lay_out(write_position(table), known, walk.asked.melds)


def _place(laid: ShownTable, place: CardPlace) -> dict[str, Any]:
    seat = {"seat": place.seat} if place.seat else {}
    title = place.title if not place.seat else place.seat if place.kind == "hand" else f"{place.seat} {place.title}"
    new = sorted(laid.new_cards.get(place, ()))
    return {"key": _key(place), **seat, "title": title, "cards": list(laid.cards[place]), "new": new}


def _fact(laid: ShownTable, place: CardPlace) -> dict[str, Any]:
    seat = {"seat": place.seat} if place.seat else {}
    return {"key": _key(place), **seat, "says": laid.facts[place], "new": place in laid.new_facts}


def _key(place: CardPlace) -> str:
    return _KEYS.get(place.kind, place.kind)
