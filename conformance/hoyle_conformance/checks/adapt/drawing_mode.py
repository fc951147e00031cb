"""Adapters in which all players draw in one act, or as part of a declaration."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapted import Adapted, Unsupported, refused_places
from hoyle_conformance.checks.adapt.grouping import StepGroup, group_steps
from hoyle_conformance.protocol.messages import AdapterInfo

#: What an implementation lacks that lets nobody draw alone.
_ONE_BY_ONE: Final = "draws one by one"
TOGETHER: Final = "draw-all"


def group_draws(info: AdapterInfo, adapted: Adapted) -> Adapted | Unsupported:
    """Group the draws as an adapter makes them; return Unsupported if the check stops or looks between two draws."""
    steps = adapted.plan.message["steps"]
    if info.draws == "one-by-one" or all(step.get("do") != "draw" for step in steps):
        return adapted
    groups = list(group_rounds(steps, len(adapted.plan.seats)))
    if any(group.step.get("do") == "draw" for group in groups):
        return Unsupported((_ONE_BY_ONE,))
    if info.draws == "with-the-declaration":
        groups = list(join_draws_to_declarations(groups, refused_places(adapted)))
    return group_steps(adapted, groups, _ONE_BY_ONE)


def group_rounds(steps: Sequence[Mapping[str, Any]], players: int) -> Iterator[StepGroup]:
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


def join_draws_to_declarations(
    groups: Iterable[StepGroup], refused: frozenset[int] = frozenset()
) -> Iterator[StepGroup]:
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
