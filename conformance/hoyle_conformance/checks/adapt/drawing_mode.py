"""Adapters in which all players draw in one act, or as part of a declaration."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import Adapted, Unsupported, refused_in
from hoyle_conformance.checks.adapt.grouping import StepGroup, grouped
from hoyle_conformance.protocol.messages import AdapterInfo

#: What an implementation lacks that lets nobody draw alone.
_ONE_BY_ONE: Final = "draws one by one"
TOGETHER: Final = "draw-all"


def drawing(ready: AdapterInfo, asked: Adapted) -> Adapted | Unsupported:
    """Group the draws as an adapter makes them; return Unsupported if the check stops or looks between two draws."""
    steps = asked.plan.message["steps"]
    if ready.draws == "one-by-one" or all(step.get("do") != "draw" for step in steps):
        return asked
    groups = list(rounds(steps, len(asked.plan.seats)))
    if any(group.step.get("do") == "draw" for group in groups):
        return Unsupported((_ONE_BY_ONE,))
    if ready.draws == "with-the-declaration":
        groups = list(with_the_declaration(groups, refused_in(asked)))
    return grouped(asked, groups, _ONE_BY_ONE)


def rounds(steps: Sequence[Mapping[str, Any]], players: int) -> Iterator[StepGroup]:
    """Yield the steps, with every round of plain draws as one group."""
    at = 0
    while at < len(steps):
        if len({step["by"] for step in steps[at : at + players] if _is_plain(step)}) == players:
            yield StepGroup({"by": steps[at]["by"], "do": TOGETHER}, at, at + players - 1)
            at += players
        else:
            yield StepGroup(steps[at], at, at)
            at += 1


def _is_plain(step: Mapping[str, Any]) -> bool:
    return step.get("do") == "draw" and step.keys() == {"by", "do"}


def with_the_declaration(groups: Iterable[StepGroup], refused: frozenset[int] = frozenset()) -> Iterator[StepGroup]:
    """Join a round of draws to the declaration before it, unless that is refused."""
    before: StepGroup | None = None
    for group in groups:
        declared = before is not None and before.step.get("do") == "declare" and before.last not in refused
        if before is not None and declared and group.step.get("do") == TOGETHER:
            before = StepGroup({**before.step, "then": TOGETHER}, before.first, group.last)
            continue
        if before is not None:
            yield before
        before = group
    if before is not None:
        yield before
