"""Adapters in which all players draw in one act, or as part of a declaration.

Where a declaration draws too, it does so wherever everyone could draw after it: the check cannot be stopped before. If
its steps go on without the draws, these are inserted, unless that changes what comes of the later steps; refused acts
and questions before the draws are dropped.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.adapt.adapted import (
    Adapted,
    Unsupported,
    cut_after,
    drop_places,
    refused_places,
    refused_throughout,
    with_expectations,
)
from hoyle_conformance.checks.adapt.grouping import ANY_TIME, StepGroup, group_steps
from hoyle_conformance.checks.adapt.insert import insert_acts
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_reference import Game, Phase, Refusal, Rules, read_act, read_position
from hoyle_reference.seats import SEATS, seat_name

Step = Mapping[str, Any]

#: The word for what an adapter lacks that lets nobody draw alone.
_ONE_BY_ONE: Final = "draws one by one"
#: The ways to draw, and the act by which everyone does.
TOGETHER: Final = "together"
WITH_THE_DECLARATION: Final = "with-the-declaration"
ALL_DRAW: Final = "draw-all"
#: The acts by which a player declares after winning a trick.
_DECLARATIONS: Final = frozenset({"declare", "hold", "exchange", "show"})


def group_draws(rules: Rules, info: AdapterInfo, adapted: Adapted) -> Adapted | Unsupported:
    """Group the draws as an adapter makes them; return Unsupported if the check stops or looks between two draws."""
    if info.draws == WITH_THE_DECLARATION and rules.draws:
        return _draw_with_declarations(rules, adapted) or Unsupported((_ONE_BY_ONE,))
    if info.draws == TOGETHER and any(step.get("do") == "draw" for step in adapted.plan.message["steps"]):
        return _send_rounds(adapted, lambda groups: groups)
    return adapted


def _send_rounds(
    adapted: Adapted, joined: Callable[[Iterable[StepGroup]], Iterable[StepGroup]]
) -> Adapted | Unsupported:
    """Send every round of draws as one act, or as it is `joined` to others."""
    groups = list(group_rounds(adapted.plan.message["steps"], len(adapted.plan.seats)))
    if any(group.step.get("do") == "draw" for group in groups):
        return Unsupported((_ONE_BY_ONE,))
    return group_steps(adapted, list(joined(groups)), _ONE_BY_ONE)


def group_rounds(steps: Sequence[Step], players: int) -> Iterator[StepGroup]:
    """Yield the steps, with every round of plain draws as one group."""
    at = 0
    while at < len(steps):
        if _is_round(steps[at : at + players], players):
            yield StepGroup({"by": steps[at]["by"], "do": ALL_DRAW}, at, at + players - 1)
            at += players
        else:
            yield StepGroup(steps[at], at, at)
            at += 1


def _is_round(steps: Sequence[Step], players: int) -> bool:
    """Whether in these steps each player draws a card."""
    return len({step["by"] for step in steps if step.get("do") == "draw" and step.keys() == {"by", "do"}}) == players


def join_draws_to_declarations(
    groups: Iterable[StepGroup], refused: frozenset[int] = frozenset()
) -> Iterator[StepGroup]:
    """Join a round of draws to the declaration before it, unless that is refused."""
    before: StepGroup | None = None
    for group in groups:
        declared = before is not None and before.step.get("do") in _DECLARATIONS and before.last not in refused
        if before is not None and declared and group.step.get("do") == ALL_DRAW:
            before = StepGroup({**before.step, "then": ALL_DRAW}, before.first, group.last)
            continue
        if before is not None:
            yield before
        before = group
    if before is not None:
        yield before


class _Declaration(NamedTuple):
    """A declaration of the winner of a trick: its place, whether it is refused, and the draws of all players that could
    follow, the winner first; none if somebody could not draw."""

    at: int
    refused: bool
    draws: Sequence[Step]


def _declarations(rules: Rules, position: Mapping[str, Any], steps: Sequence[Step]) -> Iterator[_Declaration]:
    """Yield the declarations among these steps."""
    game = Game(read_position(rules, position))
    for at, step in enumerate(steps):
        if "ask" in step:
            continue
        declares = game.table.phase is Phase.DECLARE and step["do"] in _DECLARATIONS
        refused = isinstance(game.attempt(read_act(rules, step)), Refusal)
        if declares:
            yield _Declaration(at, refused, () if refused else _draws(game))


def _draws(game: Game) -> Sequence[Step]:
    """Return the draws of all players in their order, the winner of the trick first; none if somebody cannot draw."""
    rules, drawing = game.rules, game.clone()
    seats = SEATS[: rules.players]
    first = seats.index(seat_name(game.table.leader))
    draws = [{"by": seat, "do": "draw"} for seat in (*seats[first:], *seats[:first])]
    if any(isinstance(drawing.attempt(read_act(rules, draw)), Refusal) for draw in draws):
        return []
    return draws


def declares_once_a_trick(rules: Rules, position: Mapping[str, Any], acts: Sequence[Step]) -> bool:
    """Whether everyone draws directly after every declaration of these acts, as far as they can."""
    return not _missing_draws(acts, _declarations(rules, position, acts))


def _missing_draws(steps: Sequence[Step], declarations: Iterable[_Declaration]) -> dict[int, Sequence[Step]]:
    """Return the draws that could follow declarations and do not, by the places of these."""
    return {
        each.at: each.draws
        for each in declarations
        if each.draws and not _is_round(steps[each.at + 1 : each.at + 1 + len(each.draws)], len(each.draws))
    }


def _draw_with_declarations(rules: Rules, adapted: Adapted) -> Adapted | Unsupported | None:
    """Let everyone draw with every declaration; return None if this changes what comes of other steps.

    A check ends with a declaration that some reading refuses and another accepts: whether everyone has drawn is open
    after it.
    """
    declarations = list(_declarations(rules, adapted.plan.position, adapted.plan.message["steps"]))
    disputed = refused_places(adapted) - refused_throughout(adapted)
    last = next((each.at for each in declarations if each.at in disputed), None)
    if last is not None:
        adapted = _end_with(adapted, sum(end <= last for end in adapted.plan.ends) + 1)
        declarations = [each for each in declarations if each.at < last]
    whole = _draw_after(rules, _without_acts_before_draws(adapted, declarations), but_the_last=last is not None)
    if whole is None:
        return None
    refused = refused_places(whole)
    sent = _send_rounds(whole, lambda groups: join_draws_to_declarations(groups, refused))
    if last is None or isinstance(sent, Unsupported):
        return sent
    return replace(sent, plan=replace(sent.plan, undecided=frozenset({len(sent.plan.message["steps"]) - 1})))


def _end_with(adapted: Adapted, step: int) -> Adapted:
    """Cut a check after a step, and expect of that nothing that draws could change."""
    cut = cut_after(adapted, step)
    lasting = ANY_TIME | {"refused"}
    branches = {
        name: {**expected, step: {key: each for key, each in expected[step].items() if key in lasting}}
        if step in expected
        else expected
        for name, expected in cut.check.branches.items()
    }
    return with_expectations(cut, branches)


def _without_acts_before_draws(adapted: Adapted, declarations: Iterable[_Declaration]) -> Adapted:
    """Drop the questions and refused acts that come between a declaration and the draws."""
    steps, refused = adapted.plan.message["steps"], refused_throughout(adapted)
    dropped: set[int] = set()
    for each in declarations:
        following = range(each.at + 1, len(steps))
        draws = next((at for at in following if "do" in steps[at] and at not in refused), len(steps))
        if each.draws and _is_round(steps[draws : draws + len(each.draws)], len(each.draws)):
            dropped.update(range(each.at + 1, draws))
    return (
        replace(drop_places(adapted, frozenset(dropped)), partly=(*adapted.partly, _ONE_BY_ONE)) if dropped else adapted
    )


def _draw_after(rules: Rules, adapted: Adapted, *, but_the_last: bool) -> Adapted | None:
    """Insert the draws that could follow declarations and do not, `but_the_last` step if that is open; return None if
    this changes what is expected."""
    steps = adapted.plan.message["steps"]
    before = steps[:-1] if but_the_last else steps
    more = _missing_draws(before, _declarations(rules, adapted.plan.position, before))
    if not more:
        return adapted
    whole = insert_acts(rules, adapted, more)
    return whole if whole and _expects_the_same(rules, adapted, whole, more) else None


def _expects_the_same(rules: Rules, adapted: Adapted, whole: Adapted, more: Mapping[int, Sequence[Step]]) -> bool:
    """Whether the draws change nothing that the declarations before them are expected to lead to."""
    plan = adapted.plan
    numbers = [number for number, end in enumerate(plan.ends, start=1) if more.get(end - 1)]
    keys = {
        key for expected in adapted.check.branches.values() for number in numbers for key in expected.get(number, {})
    }
    observe = sorted(keys - ANY_TIME)
    if not observe:
        return True
    before, after = (observations(rules, {**each.plan.message, "observe": observe}) for each in (adapted, whole))
    ends = ((plan.ends[number - 1] - 1, whole.plan.ends[number - 1] - 1) for number in numbers)
    return all(before[one][key] == after[other][key] for one, other in ends for key in observe)
