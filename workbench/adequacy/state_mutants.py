"""State mutants: the reference with an event that does not write one field of the table.

The fields that each event changes are recorded while the checks are played; there is a mutant for each event and each
field that it changes in any check.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Final

from adequacy.mutants import MEMORY, DetectionCheck, Detector, Mutant, MutantTrial, Patch
from hoyle_conformance.checks.setup.trace import observations
from hoyle_reference import Table, events
from hoyle_reference.events import Event, combinations, referee
from hoyle_reference.table import FIELDS
from hoyle_reference.table.fields import Field

ChangeTable = Callable[[Any, Table], None]

#: The event that sets whose turn it is: nothing works without it.
_LEFT_OUT: Final = frozenset({"Awaits"})
#: An event and a field that it changes.
EventField = tuple[str, str]


def _event_kinds() -> Iterator[type[Event]]:
    """Yield every kind of event."""
    for module in (events, combinations, referee):
        for thing in vars(module).values():
            own = isinstance(thing, type) and thing.__module__ == module.__name__ and thing is not Event
            if own and "change" in vars(thing):
                yield thing


EVENTS: Final[Mapping[str, type[Event]]] = {
    kind.__name__: kind for kind in _event_kinds() if kind.__name__ not in _LEFT_OUT
}


def state_mutants(detector: Detector) -> Iterator[MutantTrial]:
    """Yield a mutant for each event and each field that it changes in some check, with those checks."""
    fields = {each.name: each for each in FIELDS}
    held = {field.name for field in detector.rules.fields}
    for (event, field), detection in sorted(_checks_by_field(detector).items(), key=lambda item: item[0]):
        if field not in held:  # this game does not have the field
            continue
        patch = Patch(EVENTS[event], "change", _forget_field(EVENTS[event], fields[field]))
        yield MutantTrial(Mutant(MEMORY, event, f"{field} stays", patch=patch), detection)


def _checks_by_field(detector: Detector) -> Mapping[EventField, Sequence[DetectionCheck]]:
    """Return the checks in which each event changes each field."""
    found: dict[EventField, list[DetectionCheck]] = defaultdict(list)
    changed: set[EventField] = set()
    with ExitStack() as stack:
        for name, kind in EVENTS.items():
            stack.enter_context(Patch(kind, "change", _record_changes(changed, name, vars(kind)["change"])).applied())
        for detection in detector.checks:
            changed.clear()
            observations(detector.rules, detection.request.message)
            for pair in changed:
                found[pair].append(detection)
    return found


def _record_changes(changed: set[EventField], name: str, change: ChangeTable) -> ChangeTable:
    """Return an event's `change` that also records the fields that it changes."""

    def change_and_record(event: Any, table: Table) -> None:
        before = table.copy()
        change(event, table)
        changed.update((name, each.name) for each in FIELDS if _differ(each, before, table))

    return change_and_record


def _forget_field(kind: type[Event], field: Field) -> ChangeTable:
    """Return an event's `change` that leaves one field as it was."""
    change: ChangeTable = vars(kind)["change"]

    def change_others(event: Any, table: Table) -> None:
        was = field.kind.copy(field.get(table))
        change(event, table)
        field.put(table, was)

    return change_others


def _differ(field: Field, one: Table, other: Table) -> bool:
    return bool(field.kind.same(field.get(one)) != field.kind.same(field.get(other)))
