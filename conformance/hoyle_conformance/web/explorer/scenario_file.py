"""A layout as a scenario file, with the reference interpreter's results as proposals."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Final
from unicodedata import normalize

from hoyle_conformance.checks.setup.given import REST
from hoyle_conformance.checks.setup.trace import observation_of
from hoyle_conformance.files.diagnostics import UNSEEN
from hoyle_conformance.suite.model import topic_of
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.draft import id_taken, malformed_id, order_given, scenario_file, scenario_text
from hoyle_conformance.web.explorer.layout import HOUSE, Layout
from hoyle_conformance.web.explorer.walk import Stage, TableWalk
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import join_and, sentence
from hoyle_conformance.wording.walkthrough import decisive_grounds

#: The default name of a position without a title, and the default topic.
_NAME: Final = "my-position"
_TOPIC: Final = "table"
#: The number of words of a title in a name.
_WORDS: Final = 6
_LONGEST_TITLE: Final = 200
#: Where to save a file, and what to do with it there.
SEND: Final = {
    "says": "The outcomes in this file are proposals of the reference interpreter; nobody has confirmed them. "
    "Put the file into its folder in spec/scenarios in a clone of Hoyle, and run 'hoyle validate' with its name. "
    "Derive each outcome from the book yourself, and move it from 'proposals' to 'outcomes'.",
    "link": "How to contribute a position",
    "href": "contributing.html",
}


def filed(suite: Suite, layout: Layout, walks: Sequence[TableWalk], name: str, title: str) -> dict[str, Any]:
    """Return the file of a layout after its walks: its name and text, the parts left out with reasons, and where to
    save it; without a text if there is nothing to propose."""
    sound = [each for each in walks if each.asked.id != HOUSE and each.problem is None]
    problems = list(_left_out(layout, walks, sound))
    title = _title(title or layout.title, layout, sound)
    name = _whole(suite, layout, name.strip(), title)
    problems += _of_the_name(suite, name)
    name = default_id(suite, layout, title) if malformed_id(suite, name) else name
    answer = {"name": scenario_file(name), "id": name, "title": title, "text": "", "problems": problems, "send": SEND}
    if layout.steps and sound:
        said = {"id": name, "title": title, "given": order_given(suite, layout.given)}
        steps = [dict(step) for step in layout.steps]
        answer["text"] = scenario_text({**said, "steps": steps, "proposals": proposals(suite, layout, sound)})
    return answer


def _whole(suite: Suite, layout: Layout, name: str, title: str) -> str:
    """Return a name, with defaults for a missing topic or a missing part after the dot."""
    topic, _, rest = name.rpartition(".")
    if topic and rest:
        return name
    own_topic, _, own_rest = default_id(suite, layout, title).partition(".")
    return f"{topic or own_topic}.{rest or own_rest}"


def default_id(suite: Suite, layout: Layout, title: str) -> str:
    """Return an id for a layout: the topic of similar positions, and the first words of its title."""
    said = [] if title == _generated(layout, ()) else re.findall(r"[a-z0-9]+", _ascii(title))
    name = "-".join(said[:_WORDS]) or _NAME
    stem = f"{_topic(suite, layout)}.{name}"
    names = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
    return next(each for each in names if id_taken(suite, each) is None)


def _topic(suite: Suite, layout: Layout) -> str:
    """Return the topic of most positions that end with the same act or question, among those of the rulesets asked."""
    asked = {each.partition("+")[0] for each in layout.rulesets}
    last = _kind(layout.steps[-1]) if layout.steps else ("", "")
    topics: Counter[str] = Counter()
    for each in suite.scenarios.values():
        if not asked.isdisjoint(name.partition("+")[0] for name in each.rulesets):
            kind = _kind(each.steps[-1])
            topics[topic_of(each.id)] += (kind[0] == last[0]) + 2 * (kind == last)
    return min(topics, key=lambda topic: (-topics[topic], topic), default=_TOPIC)


def _kind(step: Mapping[str, Any]) -> tuple[str, str]:
    """Return an act or question, with its most characteristic field."""
    about = next((str(step[key]) for key in ("irregular", "meld", "class", "choice") if key in step), "")
    return str(step.get("do") or step.get("ask")), about


def _ascii(text: str) -> str:
    """Return text in small letters without accents, and without cards."""
    return normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()


def _title(said: str, layout: Layout, sound: Sequence[TableWalk]) -> str:
    """Return a title on one line, of characters that a file may have; by default, the last step as a question."""
    plain = " ".join(re.sub(UNSEEN, "", said).split())[:_LONGEST_TITLE].strip()
    return plain or _generated(layout, sound)


def _generated(layout: Layout, sound: Sequence[TableWalk]) -> str:
    if not layout.steps:
        return "A position"
    said = words.step(layout.steps[-1], sound[0].asked.melds if sound else {})
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
    if why := malformed_id(suite, name) or id_taken(suite, name):
        yield _problem(sentence(why.says), sentence(why.remedy))


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

#: The keys that a proposal has only if they are not empty.
_IF_ANY: Final = frozenset({"cells", "why"})

Said = dict[str, Any]
Expect = dict[int, Said]


def proposals(suite: Suite, layout: Layout, walks: Sequence[TableWalk]) -> list[dict[str, Any]]:
    """Return a proposal for each group of rulesets with equal results under the same readings."""
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
    """Return the steps of several acts of which one is refused: a scenario needs each act as its own step."""
    return frozenset(
        number
        for walk in walks
        for number, stage in enumerate(walk.stages)
        if len(stage.acts) > 1 and any(single.refusal for single in stage.taken)
    )


def one_by_one(layout: Layout, walks: Sequence[TableWalk], apart: Collection[int]) -> Layout:
    """Return the layout with the acts of some of its steps as separate steps."""
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
