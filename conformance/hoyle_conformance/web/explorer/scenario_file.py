"""A layout as the file of a scenario, with the results of the reference interpreter as proposals."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final
from unicodedata import normalize

from hoyle_conformance.files.diagnostics import UNSEEN
from hoyle_conformance.suite.model import topic_of
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.draft import Draft, first_free_id, id_taken, order_given
from hoyle_conformance.tools.authoring.layout import scenario_text
from hoyle_conformance.web.explorer.layout import HOUSE, Layout
from hoyle_conformance.web.explorer.proposal import proposals
from hoyle_conformance.web.explorer.walk import TableWalk
from hoyle_conformance.wording import words
from hoyle_conformance.wording.text import sentence

#: The name of a position that has no title to be named after, and the topic of one that is like no other.
_NAME: Final = "my-position"
_TOPIC: Final = "table"
#: So many words of a title make a name.
_WORDS: Final = 6
_LONGEST_TITLE: Final = 200
#: Where a file goes, and what is done with it there.
SEND: Final = {
    "says": "The outcomes in this file are proposals of the reference interpreter; nobody has confirmed them. "
    "Put the file into its folder in spec/scenarios in a clone of Hoyle, and run 'hoyle validate' with its name. "
    "Derive each outcome from the book yourself, and move it from 'proposals' to 'outcomes'.",
    "link": "How to contribute a position",
    "href": "contributing.html",
}


def filed(suite: Suite, layout: Layout, walks: Sequence[TableWalk], name: str, title: str) -> dict[str, Any]:
    """Return the file of a layout after its walks: its name and text, what is left out of it and why,
    and where it goes; without a text where there is nothing to propose."""
    sound = [each for each in walks if each.asked.id != HOUSE and each.problem is None]
    problems = list(_left_out(layout, walks, sound))
    title = _title(title or layout.title, layout, sound)
    name = _whole(suite, layout, name.strip(), title)
    problems += _of_the_name(suite, name)
    draft = Draft(id=name if _is_id(suite, name) else default_id(suite, layout, title))
    answer = {"name": draft.file, "id": draft.id, "title": title, "text": "", "problems": problems, "send": SEND}
    if layout.steps and sound:
        said = {"id": draft.id, "title": title, "given": order_given(suite, layout.given)}
        steps = [dict(step) for step in layout.steps]
        answer["text"] = scenario_text({**said, "steps": steps, "proposals": proposals(suite, layout, sound)})
    return answer


def _whole(suite: Suite, layout: Layout, name: str, title: str) -> str:
    """Return a name whose missing parts, the topic or what follows its dot or both, are those by default."""
    topic, _, rest = name.rpartition(".")
    if topic and rest:
        return name
    own_topic, _, own_rest = default_id(suite, layout, title).partition(".")
    return f"{topic or own_topic}.{rest or own_rest}"


def default_id(suite: Suite, layout: Layout, title: str) -> str:
    """Return an id for a layout: the topic of positions like it, and the first words of its title."""
    said = [] if title == _generated(layout, ()) else re.findall(r"[a-z0-9]+", _ascii(title))
    name = "-".join(said[:_WORDS]) or _NAME
    stem = f"{_topic(suite, layout)}.{name}"
    return first_free_id(suite, (stem if number == 1 else f"{stem}-{number}" for number in count(1)))


def _topic(suite: Suite, layout: Layout) -> str:
    """Return the topic of most positions that end with the same act or question, of the rulesets asked."""
    asked = {each.partition("+")[0] for each in layout.rulesets}
    last = _kind(layout.steps[-1]) if layout.steps else ("", "")
    topics: Counter[str] = Counter()
    for each in suite.scenarios.values():
        if not asked.isdisjoint(name.partition("+")[0] for name in each.rulesets):
            kind = _kind(each.steps[-1])
            topics[topic_of(each.id)] += (kind[0] == last[0]) + 2 * (kind == last)
    return min(topics, key=lambda topic: (-topics[topic], topic), default=_TOPIC)


def _kind(step: Mapping[str, Any]) -> tuple[str, str]:
    """Return an act or question, with the field that characterizes it best."""
    about = next((str(step[key]) for key in ("irregular", "meld", "class", "choice") if key in step), "")
    return str(step.get("do") or step.get("ask")), about


def _ascii(text: str) -> str:
    """Text in small letters without accents, and without cards."""
    return normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()


def _title(said: str, layout: Layout, sound: Sequence[TableWalk]) -> str:
    """Return a title on one line, of characters that a file may have; if there is none, the last step as a question."""
    plain = " ".join(re.sub(UNSEEN, "", said).split())[:_LONGEST_TITLE].strip()
    return plain or _generated(layout, sound)


def _generated(layout: Layout, sound: Sequence[TableWalk]) -> str:
    if not layout.steps:
        return "A position"
    said = words.step(layout.steps[-1], sound[0].asked.melds if sound else {})
    return said if said.endswith("?") else f"{sentence(said).rstrip('.')}: what follows?"


def _left_out(layout: Layout, walks: Sequence[TableWalk], sound: Sequence[TableWalk]) -> Iterator[dict[str, Any]]:
    """Return what is not in the file, and why."""
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
    pattern = suite.schemas.documents["scenario"]["properties"]["id"]["pattern"]
    return re.fullmatch(pattern.removeprefix("^").removesuffix("$"), name, re.ASCII) is not None


def _problem(says: str, remedy: str) -> dict[str, Any]:
    return {"says": says, "remedy": remedy}
