"""Positions as plain mappings, for scenario files and the protocol, and their JSON Schema.

Cards are listed by name; the stock with its top card first. The table describes the fields of a position
(`table.table.FIELDS`); the chapters define which values are valid together, and this module does so for every game.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ..cards import name
from ..chapters.chapter import IN_A_DEAL, Procedure
from ..refusals import Malformed
from ..rules import Rules
from ..seats import Seat, ring, seat_name
from ..table.fields import Field, Of
from ..table.states import Phase
from ..table.table import FIELDS, OF_THE_DEAL, OF_THE_END, OF_THE_GAME, Table


def read_position(rules: Rules, spelt: Mapping[str, Any], *, finished: bool = False) -> Table:
    """Return the table that a mapping in the form of `position.schema.json` describes. Only with `finished` may the
    game be over, since no engine is asked to set up such a position.

    Raise Malformed if a value is missing or of the wrong kind, if cards are missing, duplicated or miscounted, or if
    the turn does not fit the phase.
    """
    strange = spelt.keys() - {field.name for field in rules.fields}
    if strange:
        raise Malformed(f"there is no '{min(strange)}' in a position of this game")
    table = Table(rules)
    _read_fields(table, OF_THE_GAME, {**spelt, "phase": Phase.DEAL} if finished else spelt)
    table.begin(OF_THE_END)
    if finished:
        table.phase = Phase.OVER
        _read_fields(table, OF_THE_END, spelt)
    if table.phase in IN_A_DEAL or (table.phase in _MAY_BE_DEALT and "hands" in spelt):
        _read_fields(table, OF_THE_DEAL, spelt)
        table.deals = max(1, table.deals)
        _check_cards(table)
    else:
        table.begin(OF_THE_DEAL)
    if finished:  # at any point of a deal, where nobody is to act
        return table
    _check_phase(table)
    settled = _before_the_claim(table)
    for chapter in rules.book:
        if chapter.sense is not None:
            chapter.sense(settled)
    return table


#: The phases in which cards may lie on the table or not.
_MAY_BE_DEALT: Final = frozenset({Phase.CHOOSE, Phase.OVER})


def _read_fields(table: Table, fields: Iterable[Field], spelt: Mapping[str, Any]) -> None:
    """Read the given fields; a missing field has its first value, unless it is required."""
    rules, first = table.rules, table.rules.first
    for field in fields:
        name, kind = field.name, field.kind
        given = name in spelt or field.needed
        field.put(table, kind.read(rules, name, spelt.get(name)) if given else kind.copy(first[name]))


def _check_phase(table: Table) -> None:
    """Raise Malformed unless the game has this phase, there is a dealer by then, the offer can be made at this point,
    and the turn belongs to a player who may act in the phase."""
    if table.phase not in table.rules.of(Procedure).phases:
        raise Malformed(f"there is no phase '{table.phase}' in this game")
    if table.dealer is None and (table.is_dealt or table.phase is Phase.DEAL):
        raise Malformed("'dealer' is missing")
    if table.phase is Phase.CHOOSE:
        _check_options(table)
    elif table.phase is not Phase.CUT:
        expected = _who_may_act(table)
        if table.turn not in expected:
            players = " or ".join(map(seat_name, sorted(expected)))
            raise Malformed(f"in this position it is the turn of {players}, not of {seat_name(table.turn)}")


def _before_the_claim(table: Table) -> Table:
    """Return the position as it was before the claim that is being dealt with, or the same one without a claim; raise
    Malformed if a claim is open without a choice."""
    claim = table.referee.claim
    if claim is None:
        return table
    if table.phase is not Phase.CHOOSE:
        raise Malformed("a 'claim' is dealt with where a remedy is chosen")
    before = table.copy()
    before.phase, before.turn, before.referee.claim = claim.phase, claim.turn, None
    return before


def _check_options(table: Table) -> None:
    fit = [choices for offer in table.rules.of(Procedure).offers if (choices := offer.open(table))]
    if not fit:
        raise Malformed("there is nothing to choose at this point of the game")
    if not any(set(table.choices) <= set(choices) for choices in fit) or not table.choices:
        known = " and ".join(choice for choices in fit for choice in choices)
        raise Malformed(f"the choices are {known}, not {', '.join(table.choices) or 'nothing'}")


def _who_may_act(table: Table) -> set[Seat]:
    """Return the players whose turn it could be, by the phase and the cards that have been played."""
    if table.phase is Phase.DEAL and table.dealer is not None:
        return {table.dealer}
    order = ring(table.leader, table.players)
    match table.phase:
        case Phase.PLAY:
            return {order[len(table.trick) % table.players]}
        case Phase.DECLARE:
            return {table.leader}
        case Phase.DRAW:
            return set(order[1:])
        case _:
            return set(order)


def _check_cards(table: Table) -> None:
    """Raise Malformed unless every card of the pack lies in exactly one place; cards outside the pack
    cannot be read."""
    cards = list(table.cards())
    if len(cards) == len(set(cards)) == len(table.rules.pack):
        return
    lying = Counter(cards)
    doubled = [card for card, times in lying.items() if times > 1]
    if doubled:
        raise Malformed(f"{name(doubled[0])} is in two places")
    missing = [card for card in table.rules.pack if card not in lying]
    raise Malformed(f"{len(missing)} cards lie nowhere, {name(missing[0])} among them")


def write_position(table: Table) -> dict[str, Any]:
    """Return the mapping that describes a table."""
    return dict(_written(table, table.fields_in_use))


def write_places(table: Table) -> dict[str, Any]:
    """Return the part of a position with the place of every card; nothing before there has been a deal."""
    return dict(_written(table, table.places_in_use))


def _written(table: Table, told: Iterable[Field]) -> Iterator[tuple[str, Any]]:
    for field in told:
        value = field.get(table)
        if not (field.left_out and value == table.rules.first[field.name]):
            yield field.name, field.kind.write(table.rules, value)


def position_schema() -> dict[str, Any]:
    """Return the content of `position.schema.json`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "position.schema.json",
        "title": "a position",
        "description": "Where every card of the pack is, and what has happened so far in this deal.",
        "type": "object",
        "additionalProperties": False,
        "required": [field.name for field in FIELDS if field.needed and field.of is Of.GAME],
        "properties": {
            field.name: {**field.kind.schema, **({"description": field.says} if field.says else {})} for field in FIELDS
        },
    }
