"""The answers of all rulesets to a layout, those together that agree in every step; and the last one in a sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.layout import Layout
from hoyle_conformance.web.explorer.step import StepView, disputed, line, rules, step_view
from hoyle_conformance.web.explorer.walk import TableWalk
from hoyle_conformance.wording import cards as printed


@dataclass(frozen=True, slots=True)
class AgreeingWalks:
    """Walks that agree in every step, and the steps as they are shown."""

    walks: tuple[TableWalk, ...]
    steps: tuple[StepView, ...]


def answers(suite: Suite, layout: Layout, walks: Sequence[TableWalk]) -> list[dict[str, Any]]:
    """Return the answer of each group of rulesets: first those that differ from the most, then these, last those that
    fail."""
    groups = grouped(layout, walks)
    parting = _parting(groups)
    return [_answer(suite, group, parting) for group in groups]


def grouped(layout: Layout, walks: Sequence[TableWalk]) -> list[AgreeingWalks]:
    """Return the walks, those together in which all that counts is alike; the largest group last but for those whose
    rules cannot come to this position."""
    faces = frozenset(map(printed.card, layout.known))
    found: dict[str, list[TableWalk]] = {}
    stories: dict[str, tuple[StepView, ...]] = {}
    for each in walks:
        story = tuple(step_view(each.asked, stage, faces) for stage in each.stages)
        key = repr((each.problem and each.problem.cannot, [step.alike for step in story]))
        found.setdefault(key, []).append(each)
        stories.setdefault(key, story)
    groups = [AgreeingWalks(tuple(some), stories[key]) for key, some in found.items()]
    largest = max(groups, key=lambda group: (group.walks[0].problem is None, len(group.walks)))
    return sorted(groups, key=lambda group: (group.walks[0].problem is not None, group is largest))


def _parting(groups: Sequence[AgreeingWalks]) -> frozenset[int]:
    """Return the steps (from 1) of which not all groups say the same."""
    most = max(len(group.steps) for group in groups)
    return frozenset(
        number
        for number in range(1, most + 1)
        if len({group.steps[number - 1].alike for group in groups if len(group.steps) >= number}) > 1
    )


def _answer(suite: Suite, group: AgreeingWalks, parting: frozenset[int]) -> dict[str, Any]:
    walks, last = group.walks, group.walks[0].stages[-1:]
    problem, table = walks[0].problem, walks[0].table
    says = problem.says if problem else line(group.steps[-1], last[0]) if last else ""
    score = dict(zip(walks[0].asked.rules.side_letters, table.score, strict=True)) if table else {}
    return {
        "rulesets": [each.asked.shown for each in walks],
        "cannot": problem.cannot if problem else None,
        "says": says,
        "brief": _brief(walks[0]),
        "refused": bool(group.steps) and problem is None and group.steps[-1].refused,
        "score": score,
        "steps": [_step(suite, group, number, parts=number in parting) for number in range(1, len(group.steps) + 1)],
        "open": [each for walk in walks for each in disputed(suite, walk.asked, walk.stages)],
    }


def _brief(walk: TableWalk) -> str:
    """Return what comes of the last step in a word or two: what it scores, an answer, or that it is refused."""
    if walk.problem:
        return "cannot arise" if walk.problem.cannot else "cannot be played"
    if not walk.stages:
        return "no step yet"
    last, before = walk.stages[-1], walk.stages[-2].after if len(walk.stages) > 1 else walk.begins
    if any(one.refusal for one in last.taken):
        return "refused"
    scored = zip(walk.asked.rules.side_letters, last.after.score, before.score if before else (), strict=True)
    made = [f"{seat} {now - was:+,}" for seat, now, was in scored if now != was]
    return ", ".join(made) or ("allowed" if "do" in last.step else "answered")


def _step(suite: Suite, group: AgreeingWalks, number: int, *, parts: bool) -> dict[str, Any]:
    step = group.steps[number - 1]
    stages = [walk.stages[number - 1] for walk in group.walks]
    return {
        "number": number,
        "said": step.said,
        "refused": step.refused,
        "follows": list(step.follows),
        "parts": parts,
        "rules": rules(suite, [walk.asked for walk in group.walks], stages),
    }


def spoken(answers: Sequence[Mapping[str, Any]], table: Mapping[str, Any] | None, drawn_by: TableWalk) -> str:
    """Return what the rules of the drawn table say of the last step, or what is in the way; and how many others
    differ."""
    if drawn_by.problem:
        return drawn_by.problem.says
    own = next(each for each in answers if any(of["id"] == drawn_by.asked.id for of in each["rulesets"]))
    others = len(answers) - 1
    parting = f"{others} other answer{'s' if others > 1 else ''}." if others else ""
    awaited = str(table["says"]) if table else ""
    return " ".join(filter(None, (str(own["says"]), awaited, parting)))
