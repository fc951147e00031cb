"""Forgetful engines: the reference when an event fails to write, or to clear, one thing of what it changes.

Which event writes what is seen by watching the checks played: there is an engine for each event and each field that it
changes in any of them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.tools.adequacy.detect import DetectionCheck, MutantTrial, Noticing
from hoyle_conformance.tools.adequacy.mutants import MEMORY, Mutant, Patch
from hoyle_reference import events
from hoyle_reference.events.event import Event
from hoyle_reference.table.table import FIELDS, Field, Table

Change = Callable[[Any, Table], None]

#: Whom the table waits for is said by an event of its own, which nothing works without.
_LEFT_OUT: Final = frozenset({"Awaits"})


def _kinds() -> Iterator[type[Event]]:
    """Every kind of event."""
    for found in iter_modules(events.__path__, f"{events.__name__}."):
        for thing in vars(import_module(found.name)).values():
            if isinstance(thing, type) and thing.__module__ == found.name and "change" in vars(thing):
                yield thing


EVENTS: Final[Mapping[str, type[Event]]] = {kind.__name__: kind for kind in _kinds() if kind.__name__ not in _LEFT_OUT}


#: An event and a field that it changes.
Pair = tuple[str, str]


def forgetful(noticing: Noticing) -> Iterator[MutantTrial]:
    """An engine for each event and each field that it changes in some check, with those checks."""
    fields = {each.name: each for each in FIELDS}
    held = {field.name for field in noticing.rules.fields}
    for (event, field), asked in sorted(_checks_with(noticing).items(), key=lambda item: item[0]):
        if field not in held:  # it means nothing in this game
            continue
        patch = Patch(EVENTS[event], "change", _forgets(EVENTS[event], fields[field]))
        yield MutantTrial(Mutant(MEMORY, event, f"{field} stays", patch=patch), asked)


def _checks_with(noticing: Noticing) -> Mapping[Pair, Sequence[DetectionCheck]]:
    """The checks in which each event changes each field."""
    found: dict[Pair, list[DetectionCheck]] = defaultdict(list)
    seen: set[Pair] = set()
    with ExitStack() as stack:
        for name, kind in EVENTS.items():
            stack.enter_context(Patch(kind, "change", _noting(seen, name, vars(kind)["change"])).made())
        for asked in noticing.asked:
            seen.clear()
            observations(noticing.rules, asked.plan.message)
            for pair in seen:
                found[pair].append(asked)
    return found


def _noting(seen: set[Pair], name: str, change: Change) -> Change:
    """What an event does, and notes what it has changed."""

    def noting(event: Any, table: Table) -> None:
        before = table.copy()
        change(event, table)
        seen.update((name, each.name) for each in FIELDS if _differ(each, before, table))

    return noting


def _forgets(kind: type[Event], field: Field) -> Change:
    """What an event does, but for one field, which stays as it was."""
    change: Change = vars(kind)["change"]

    def forgetting(event: Any, table: Table) -> None:
        was = field.kind.copy(getattr(table, field.name))
        change(event, table)
        setattr(table, field.name, was)

    return forgetting


def _differ(field: Field, one: Table, other: Table) -> bool:
    return bool(field.kind.same(getattr(one, field.name)) != field.kind.same(getattr(other, field.name)))
