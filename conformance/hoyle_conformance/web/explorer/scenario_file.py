"""A layout as a scenario file, with the reference interpreter's results as proposals."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from unicodedata import normalize

from hoyle_conformance.checks.setup.given import REST
from hoyle_conformance.checks.setup.trace import observation_of
from hoyle_conformance.files.diagnostics import UNSEEN
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.draft import id_taken, order_given, scenario_text
from hoyle_conformance.web.explorer.layout import HOUSE, Layout
from hoyle_conformance.web.explorer.walk import Stage, TableWalk
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import join_and, sentence
from hoyle_conformance.wording.walkthrough import decisive_grounds

#: The number of words of a title in a name.
_WORDS: Final = 6
_LONGEST_TITLE: Final = 200


def filed(suite: Suite, layout: Layout, walks: Sequence[TableWalk], name: str, title: str) -> dict[str, Any]:
    """Return the file of a layout after its walks: its name and text, and the parts left out with reasons; without a
    text if there is nothing to propose."""
    sound = [each for each in walks if each.asked.id != HOUSE and each.problem is None]
    title = " ".join(re.sub(UNSEEN, "", title or layout.title).split())[:_LONGEST_TITLE].strip()
    name = name.strip() or _default_id(title)
    problems = [*_left_out(layout, walks, sound), *_of_the_name(suite, name)]
    name, text = name if _is_id(suite, name) else _default_id(title), ""
    if layout.steps and sound:
        said = {"id": name, "title": title or _question(layout, sound), "given": order_given(suite, layout.given)}
        steps = [dict(step) for step in layout.steps]
        text = scenario_text({**said, "steps": steps, "proposals": proposals(suite, layout, sound)})
    return {"name": f"{name.partition('.')[2]}.scenario.yaml", "text": text, "problems": problems}


def _default_id(title: str) -> str:
    """Return an id for a layout without a name: the first words of its title, without accents and cards."""
    said = re.findall(r"[a-z0-9]+", normalize("NFKD", title.lower()).encode("ascii", "ignore").decode())
    return f"table.{'-'.join(said[:_WORDS]) or 'my-position'}"


def _question(layout: Layout, sound: Sequence[TableWalk]) -> str:
    """Return the last step as a question, the title of a layout without one."""
    said = words.step(layout.steps[-1], sound[0].asked.melds)
    return said if said.endswith("?") else f"{sentence(said).rstrip('.')}: what follows?"


def _left_out(layout: Layout, walks: Sequence[TableWalk], sound: Sequence[TableWalk]) -> Iterator[dict[str, Any]]:
    """Return the parts that are not in the file, with reasons."""
    if not layout.steps:
        yield _problem("The scenario has no step yet.", "Add at least one act or question.")
    for each in walks:
        if each.asked.id == HOUSE:
            yield _problem(
                "Your changes to the rules are left out: a scenario of the suite covers books only.",
                "Save your changes as house rules: 'hoyle new rules' writes them.",
            )
        elif each.problem:
            says = f"{each.asked.title} is left out. {each.problem.says}"
            yield {**_problem(says, each.problem.remedy), "rulesets": [each.asked.id]}
    if not sound:
        yield _problem("No outcome can be proposed.", "Change the position, or choose other books.")


def _of_the_name(suite: Suite, name: str) -> Iterator[dict[str, Any]]:
    if not _is_id(suite, name):
        yield _problem(
            "This is not a valid name for a position.",
            "Write a topic, a dot and a name in small letters: tricks.my-king.",
        )
    elif why := id_taken(suite, name):
        yield _problem(sentence(why.says), sentence(why.remedy))


def _is_id(suite: Suite, name: str) -> bool:
    """Return whether a name is an id, without the validator, which a browser lacks."""
    pattern = suite.schemas.documents["scenario"]["properties"]["id"]["pattern"]
    return re.fullmatch(pattern.removeprefix("^").removesuffix("$"), name, re.ASCII) is not None


def _problem(says: str, remedy: str) -> dict[str, Any]:
    return {"says": says, "remedy": remedy}


# ---- proposals


#: The expectations of a step, in this order, if anything of the kind happens in it under some ruleset.
_EVENTS: Final = ("scores", "trick_won_by", "dealer", "trumps", "turn_up", "choices", "game_won_by", "settled")
#: The expectations of a step in which rulesets differ.
_PARTING: Final = ("turn", "dealer", "trumps", "choices", "game_won_by", "settled")
#: The expectations of an act without any visible effect: one of these is used.
_NOTHING: Final = ("turn", "scores")
#: The observables that the order of the deck decides, and so are irrelevant.
_OF_THE_DECK: Final = frozenset({"trumps", "turn_up"})

Said = dict[str, Any]
Expect = dict[int, Said]


def proposals(suite: Suite, layout: Layout, walks: Sequence[TableWalk]) -> list[dict[str, Any]]:
    """Return a proposal for each group of rulesets with equal results under the same readings."""
    alike: dict[str, dict[str, Any]] = {}
    for walk, expect in zip(walks, expected(walks), strict=True):
        read, why = _read_otherwise(suite, layout, walk), _why(walk, expect)
        optional = {**({"cells": read} if read else {}), "cites": [], **({"why": why} if why else {})}
        row: dict[str, Any] = {
            "rulesets": [],
            **optional,
            "expect": {str(number): said for number, said in expect.items()},
        }
        row = alike.setdefault(json.dumps(row), row)
        row["rulesets"].append(walk.asked.id)
        row["cites"] = list(dict.fromkeys([*row["cites"], *_at_work(walk, expect)]))
    return list(alike.values())


def one_by_one(layout: Layout, walks: Sequence[TableWalk]) -> Layout:
    """Return a layout with the acts of a step as separate steps if one of them is refused, as a scenario needs them."""
    steps: list[Mapping[str, Any]] = []
    for number, step in enumerate(layout.steps):
        stages = [walk.stages[number] for walk in walks if number < len(walk.stages)]
        apart = any(len(stage.acts) > 1 and any(single.refusal for single in stage.taken) for stage in stages)
        steps += stages[0].acts if apart else [step]
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
    """Return the expectations of one step, for each walk, and store their observations in `before`."""
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
    """Return the keys to expect of an accepted act; for the `last` act at least one, if there are none so far."""
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
    """Whether something worth an expectation has happened."""
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
    """Return the disputed cells that a layout reads differently from the table."""
    chosen = layout.readings.get(walk.asked.id, {})
    own = suite.rules.cells(walk.asked.id)
    return {path: name for path, name in sorted(chosen.items()) if own[path].follows != name}


def _why(walk: TableWalk, expect: Expect) -> str:
    """Describe the disputed cells that affect the expectations, with their readings."""
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
    """Return the clauses behind the expectations; if there are none, those behind all events."""
    cells = walk.asked.rules.cells
    stages = [walk.stages[number - 1] for number in expect]
    decided = cells.clauses(path for stage in stages for path in decisive_grounds(stage.taken))
    everything = (path for stage in walk.stages for single in stage.taken for path in single.grounds)
    yield from sorted(decided or cells.clauses(everything))
