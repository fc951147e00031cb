"""The answers of all rulesets to a layout, grouped by agreement in every step, and each step in words with the rules
that decide it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hoyle_conformance.checks.setup.trace import TracedAct
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.layout import HOUSE, Layout
from hoyle_conformance.web.explorer.rulesets import AskedRuleset
from hoyle_conformance.web.explorer.walk import Stage, TableWalk
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import citations as citing
from hoyle_conformance.wording import explain, words
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.text import sentence
from hoyle_conformance.wording.walkthrough import decisive_grounds, hide_other_cards
from hoyle_reference import Cell
from hoyle_reference.cards import read_card
from hoyle_reference.events import Scored

# ---- steps


#: The observables by which rulesets are compared. Numbers of cards are left out, since they differ between games, and
#: so are the places of cards left open.
_COUNTS: Final = (
    *("accepted", "reason", "answer", "score", "trick_won_by", "turn", "dealer", "trumps", "game_won_by"),
    *("settled", "choices"),
)


@dataclass(frozen=True, slots=True)
class StepView:
    """A step as shown: the act or question, whether it is refused, and the consequences. Two rulesets agree if their
    steps have equal `alike`, whatever names they use."""

    said: str
    refused: bool
    follows: tuple[str, ...]
    alike: str = field(repr=False)


def step_view(asked: AskedRuleset, stage: Stage, faces: Collection[str]) -> StepView:
    """Return a step in words; cards other than these faces are not named."""
    happens = explain.happenings(asked.rules, stage.step, stage.taken, asked.melds)
    follows = tuple(hide_other_cards(each.said, faces) for each in happens if not each.restates)
    said = hide_other_cards(sentence(words.step(stage.step, asked.melds)), faces)
    refused = any(one.refusal for one in stage.taken)
    alike = repr(
        ([words.with_ids(each, asked.melds) for each in follows], [_counts(one, faces) for one in stage.taken])
    )
    return StepView(said, refused, follows, alike)


def _counts(taken: TracedAct, faces: Collection[str]) -> list[Any]:
    shows = {**taken.observation, "answer": _with_open_cards(taken.observation.get("answer"), faces)}
    made = {seat: points for seat, points in shows.get("score", {}).items() if points}  # a third player may have none
    return [made if key == "score" else shows.get(key) for key in _COUNTS]


def line(view: StepView, stage: Stage) -> str:
    """Return one line for a step: the refusal and its reason, an answer, or the consequences of an accepted act."""
    refused = [each for each in view.follows if each.startswith("Refused")]
    return " ".join(refused or view.follows) or (
        "Accepted; nothing else follows." if "do" in stage.step else "Answered."
    )


def _with_open_cards(value: Any, faces: Collection[str]) -> Any:
    """Return an answer with a placeholder for each card left open."""
    if isinstance(value, Mapping):
        return {key: _with_open_cards(each, faces) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return sorted((_with_open_cards(each, faces) for each in value), key=repr)
    a_card = isinstance(value, str) and read_card(value) is not None
    return "..." if a_card and printed.card(value) not in faces else value


def rules(suite: Suite, asked: Sequence[AskedRuleset], stages: Sequence[Stage]) -> list[dict[str, str]]:
    """Return the rules that score in a step and that decide it, in words. A rule that several rulesets share is listed
    once, with its place in the first of them."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for one, stage in zip(asked, stages, strict=True):
        events = [event for taken in stage.taken for event in taken.events]
        scoring = [path for event in events if isinstance(event, Scored) for path in event.grounds]
        for path in dict.fromkeys([*scoring, *decisive_grounds(stage.taken)]):
            cell = one.rules.cells[path]
            says = in_words(suite, cell)
            found.setdefault((path, says), {"cell": path, "says": says, **_where(suite, one, cell)})
    return list(found.values())


def in_words(suite: Suite, cell: Cell) -> str:
    """Return a rule in words."""
    return rulebook.sentence(rulebook.parameter_schema(suite, cell.path), cell.value)


def _where(suite: Suite, asked: AskedRuleset, cell: Cell) -> dict[str, str]:
    place = citing.places(suite, cell.cites) if asked.id != HOUSE or cell.status != "house rule" else "Your change"
    return {"place": place, "href": f"{asked.href}#{cell.path}", "status": citing.grade(cell)}


def disputed(suite: Suite, asked: AskedRuleset, stages: Sequence[Stage]) -> Iterator[dict[str, Any]]:
    """Yield the disputed rules that affect some steps, each with its readings; one `matters` if it decides the result
    of a step."""
    deciding = {path for stage in stages for path in decisive_grounds(stage.taken)}
    for path in dict.fromkeys(path for stage in stages for single in stage.taken for path in single.grounds):
        cell = asked.rules.cells[path]
        if not cell.readings:
            continue
        schema = rulebook.parameter_schema(suite, path)
        yield {
            "ruleset": asked.id,
            "cell": path,
            "says": in_words(suite, cell),
            "href": f"{asked.href}#{path}",
            "chosen": cell.follows,
            "matters": path in deciding,
            "readings": [
                {"name": each.name, "says": rulebook.sentence(schema, each.value), "argument": each.argument}
                for each in cell.readings
            ],
        }


# ---- all rulesets


@dataclass(frozen=True, slots=True)
class AgreeingWalks:
    """Walks that agree in every step, and their steps as shown."""

    walks: tuple[TableWalk, ...]
    steps: tuple[StepView, ...]


def answers(suite: Suite, layout: Layout, walks: Sequence[TableWalk]) -> list[dict[str, Any]]:
    """Return the answer of each group of rulesets: first the minority answers, then the majority, and last the rulesets
    that cannot reach the position."""
    groups = grouped(layout, walks)
    most = max(len(group.steps) for group in groups)
    parting = frozenset(  # the steps, from 1, on which groups differ
        number
        for number in range(1, most + 1)
        if len({group.steps[number - 1].alike for group in groups if len(group.steps) >= number}) > 1
    )
    return [_answer(suite, group, parting) for group in groups]


def grouped(layout: Layout, walks: Sequence[TableWalk]) -> list[AgreeingWalks]:
    """Return the walks grouped by agreement; the largest group comes last, except for groups whose rules cannot reach
    this position."""
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
    """Return the result of the last step in a word or two: its score, an answer or a refusal."""
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
    """Return the answer of the drawn table's rules to the last step, or its problem, and the number of differing
    answers."""
    if drawn_by.problem:
        return drawn_by.problem.says
    own = next(each for each in answers if any(of["id"] == drawn_by.asked.id for of in each["rulesets"]))
    others = len(answers) - 1
    parting = f"{others} other answer{'s' if others > 1 else ''}." if others else ""
    awaited = str(table["says"]) if table else ""
    return " ".join(filter(None, (str(own["says"]), awaited, parting)))
