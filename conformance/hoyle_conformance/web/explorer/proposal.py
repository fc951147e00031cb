"""Proposals for a layout: the results of the reference interpreter as outcomes of a scenario."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.setup.given import REST
from hoyle_conformance.checks.setup.trace import observation_of
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.layout import Layout
from hoyle_conformance.web.explorer.walk import Stage, TableWalk
from hoyle_conformance.wording.text import join_and
from hoyle_conformance.wording.walkthrough import decisive_grounds

#: What is said of a step, in this order, where anything of the kind happens in it under some ruleset.
_EVENTS: Final = ("scores", "trick_won_by", "dealer", "trumps", "turn_up", "choices", "game_won_by", "settled")
#: What is said of it where rulesets part in it.
_PARTING: Final = ("turn", "dealer", "trumps", "choices", "game_won_by", "settled")
#: What is said of an act that shows nothing at all: one of these.
_NOTHING: Final = ("turn", "scores")
#: What an open deck decides, and so matters to nobody.
_OF_THE_DECK: Final = frozenset({"trumps", "turn_up"})

#: What a proposal has only where there is something to say.
_IF_ANY: Final = frozenset({"cells", "why"})

Said = dict[str, Any]
Expect = dict[int, Said]


def proposals(suite: Suite, layout: Layout, walks: Sequence[TableWalk]) -> list[dict[str, Any]]:
    """Return a proposal for all rulesets that give the same, as read in the same way."""
    alike: dict[str, tuple[dict[str, Any], dict[str, None]]] = {}
    for walk, expect in zip(walks, expected(walks), strict=True):
        read = _read_otherwise(suite, layout, walk)
        shown = {str(number): said for number, said in expect.items()}
        same = json.dumps([read, shown, _why(walk, expect)])
        cites = dict.fromkeys(_at_work(walk, expect))
        if same not in alike:
            why = _why(walk, expect)
            row = {"rulesets": [], "cells": read, "cites": [], "why": why, "expect": shown}
            alike[same] = {key: each for key, each in row.items() if each or key not in _IF_ANY}, {}
        alike[same][0]["rulesets"].append(walk.asked.id)
        alike[same][1].update(cites)
    return [{**row, "cites": list(cites)} for row, cites in alike.values()]


def several_refused(walks: Iterable[TableWalk]) -> frozenset[int]:
    """Return the steps of several acts, one of which is refused: a scenario has each as a step of its own."""
    return frozenset(
        number
        for walk in walks
        for number, stage in enumerate(walk.stages)
        if len(stage.acts) > 1 and any(single.refusal for single in stage.taken)
    )


def one_by_one(layout: Layout, walks: Sequence[TableWalk], apart: Collection[int]) -> Layout:
    """Return the layout with the acts of some of its steps as steps of their own."""
    steps: list[Mapping[str, Any]] = []
    for number, step in enumerate(layout.steps):
        taken = next((walk.stages[number] for walk in walks if number < len(walk.stages)), None)
        steps += taken.acts if taken and number in apart else [step]
    return replace(layout, steps=tuple(steps))


def expected(walks: Sequence[TableWalk]) -> list[Expect]:
    """Return the expectations of each step, for each of some walks through the same steps."""
    found: list[Expect] = [{} for _ in walks]
    before = [_shows(walk) for walk in walks]
    steps = len(walks[0].stages) if walks else 0
    for number in range(1, steps + 1):
        stages = [walk.stages[number - 1] for walk in walks]
        is_last = number == steps and not all(found)
        for at, said in enumerate(_step(stages, before, is_last=is_last)):
            if said:
                found[at][number] = said
    return found


def _step(stages: Sequence[Stage], before: Sequence[dict[str, Any]], *, is_last: bool) -> list[Said]:
    """Return the expectations of one step, for each walk; their observations are noted in `before`."""
    said: list[Said] = [{} for _ in stages]
    accepted: dict[int, dict[str, Any]] = {}
    for at, stage in enumerate(stages):
        last = stage.taken[-1]
        if "ask" in stage.step:
            said[at] = {"answer": last.observation["answer"]}
        elif last.refusal:
            said[at] = {"refused": last.refusal.code}
        else:
            accepted[at] = {**last.observation, "scores": _scores(before[at], last.observation)}
    keys = _keys(stages[0].step, accepted, before, is_last=is_last)
    for at, shows in accepted.items():
        said[at] = {key: shows[key] for key in keys}
        before[at].update(shows)
    return said


def _keys(
    step: Mapping[str, Any],
    accepted: Mapping[int, Mapping[str, Any]],
    before: Sequence[Mapping[str, Any]],
    *,
    is_last: bool,
) -> list[str]:
    """Return the expectations of an accepted act; of the `last` at least one, if there are none so far."""
    if not accepted:
        return []
    happens = {key for at, shows in accepted.items() for key in _EVENTS if _happens(key, shows[key], before[at])}
    parts = {key for key in _PARTING if len({json.dumps(shows[key]) for shows in accepted.values()}) > 1}
    keys = (happens | parts) - (_OF_THE_DECK if REST in step.get("deck", ()) else set())
    if is_last and not keys:
        passes = any(shows["turn"] != before[at]["turn"] for at, shows in accepted.items())
        keys = {_NOTHING[0] if passes else _NOTHING[1]}
    if any(shows["turn"] is None for shows in accepted.values()):
        keys.discard("turn")
    return [key for key in dict.fromkeys((*_EVENTS, *_PARTING)) if key in keys]


def _happens(key: str, value: Any, before: Mapping[str, Any]) -> bool:
    """Whether something worth a word has happened."""
    if key in {"scores", "trick_won_by"}:
        return bool(value)
    if key == "settled":
        return value is not None and value["points"] is not None and value != before[key]
    return bool(value) and value != before[key]


def _scores(before: Mapping[str, Any], shows: Mapping[str, Any]) -> dict[str, int]:
    return {seat: now - before["score"][seat] for seat, now in shows["score"].items() if now != before["score"][seat]}


def _shows(walk: TableWalk) -> dict[str, Any]:
    """Return the observation before the first step."""
    assert walk.begins is not None, "only walks through all steps are proposed"
    return {key: observation_of(walk.begins, (), key) for key in ("score", "turn", *_PARTING, "turn_up")}


def _read_otherwise(suite: Suite, layout: Layout, walk: TableWalk) -> dict[str, str]:
    """Return the disputed cells that a layout reads otherwise than the table does."""
    chosen = layout.readings.get(walk.asked.id, {})
    own = suite.rules.cells(walk.asked.id)
    return {path: name for path, name in sorted(chosen.items()) if own[path].follows != name}


def _why(walk: TableWalk, expect: Expect) -> str:
    """Which disputed cells are at work in what is said, and how they are read."""
    cells = walk.asked.rules.cells
    paths = (path for number in expect for path in decisive_grounds(walk.stages[number - 1].taken))
    disputed = [cells[path] for path in dict.fromkeys(paths) if cells[path].readings]
    if not disputed:
        return ""
    read = (
        f"{cell.path} is read as {cell.follows} and could be read as "
        f"{join_and([each.name for each in cell.readings if each.name != cell.follows], 'or')}"
        for cell in disputed
    )
    return f"Disputed: {'; '.join(read)}. If that changes the outcome, give readings instead."


def _at_work(walk: TableWalk, expect: Expect) -> Iterator[str]:
    """Return the clauses behind the expectations; if there are none, those behind all that happens."""
    cells = walk.asked.rules.cells
    stages = [walk.stages[number - 1] for number in expect]
    decided = cells.clauses(path for stage in stages for path in decisive_grounds(stage.taken))
    everything = (path for stage in walk.stages for single in stage.taken for path in single.grounds)
    yield from sorted(decided or cells.clauses(everything))
