"""A step of a walk in words, with what can be observed after it, and the rules that decide it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hoyle_conformance.checks.setup.trace import TracedAct
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.layout import HOUSE
from hoyle_conformance.web.explorer.rulesets import AskedRuleset
from hoyle_conformance.web.explorer.walk import Stage
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import citations as citing
from hoyle_conformance.wording import explain, words
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.text import sentence
from hoyle_conformance.wording.walkthrough import decisive_grounds, hide_other_cards
from hoyle_reference import Cell
from hoyle_reference.cards import read_card

#: What can be observed by which a rule is seen to differ: beside it, how many cards there are is another game's matter,
#: and where those lie that are left open nobody's.
_COUNTS: Final = (
    *("accepted", "reason", "answer", "score", "trick_won_by", "turn", "dealer", "trumps", "game_won_by"),
    *("settled", "choices"),
)


@dataclass(frozen=True, slots=True)
class StepView:
    """A step as it is shown: what is done or asked, whether it is refused, and what follows; and what of it must be
    `alike` for two rulesets to agree, whatever they call it."""

    said: str
    refused: bool
    follows: tuple[str, ...]
    alike: str = field(repr=False)


def step_view(asked: AskedRuleset, stage: Stage, faces: Collection[str]) -> StepView:
    """Return a step in words; a card that is none of these faces matters to nobody."""
    happens = explain.happenings(asked.rules, stage.step, stage.taken, asked.melds)
    follows = tuple(hide_other_cards(each.said, faces) for each in happens if not each.restates)
    said = hide_other_cards(sentence(words.step(stage.step, asked.melds)), faces)
    refused = any(one.refusal for one in stage.taken)
    alike = repr(
        ([words.with_ids(each, asked.melds) for each in follows], [_counts(one, faces) for one in stage.taken])
    )
    return StepView(said, refused, follows, alike)


def _counts(taken: TracedAct, faces: Collection[str]) -> list[Any]:
    shows = {**taken.observation, "answer": _open(taken.observation.get("answer"), faces)}
    made = {seat: points for seat, points in shows.get("score", {}).items() if points}  # a third player may have none
    return [made if key == "score" else shows.get(key) for key in _COUNTS]


def line(view: StepView, stage: Stage) -> str:
    """Return one line of a step: refused and why, answered, or accepted and what follows."""
    if view.follows:
        refused = [each for each in view.follows if each.startswith("Refused")]
        return " ".join(refused or view.follows)
    return "Accepted; nothing else follows." if "do" in stage.step else "Answered."


def _open(value: Any, faces: Collection[str]) -> Any:
    """Return an answer in which a card left open is any card."""
    if isinstance(value, Mapping):
        return {key: _open(each, faces) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return sorted((_open(each, faces) for each in value), key=repr)
    a_card = isinstance(value, str) and read_card(value) is not None
    return "..." if a_card and printed.card(value) not in faces else value


def rules(suite: Suite, asked: Sequence[AskedRuleset], stages: Sequence[Stage]) -> list[dict[str, Any]]:
    """Return the rules that decide a step, in words, those that several rulesets say alike once: where they are
    in the first, and in the others `also`."""
    found: dict[tuple[str, str], list[tuple[AskedRuleset, Cell]]] = {}
    for one, stage in zip(asked, stages, strict=True):
        for path in dict.fromkeys(decisive_grounds(stage.taken)):
            cell = one.rules.cells[path]
            found.setdefault((path, in_words(suite, cell)), []).append((one, cell))
    return [
        {"cell": path, "says": says, **_where(suite, *those[0]), "also": [_beside(suite, *each) for each in those[1:]]}
        for (path, says), those in found.items()
    ]


def in_words(suite: Suite, cell: Cell) -> str:
    """Return a rule in words."""
    return rulebook.sentence(rulebook.parameter_schema(suite, cell.path), cell.value)


def _where(suite: Suite, asked: AskedRuleset, cell: Cell) -> dict[str, str]:
    place = citing.places(suite, cell.cites) if asked.id != HOUSE or cell.status != "house rule" else "Your change"
    return {"place": place, "href": f"{asked.href}#{cell.path}", "status": citing.grade(cell)}


def _beside(suite: Suite, asked: AskedRuleset, cell: Cell) -> dict[str, str]:
    return {"ruleset": asked.id, "name": asked.name, **_where(suite, asked, cell)}


def disputed(suite: Suite, asked: AskedRuleset, stages: Sequence[Stage]) -> Iterator[dict[str, Any]]:
    """Yield the disputed rules at work in some steps, each with the ways in which it may be read; one `matters` if it
    decides how a step goes."""
    at_work = dict.fromkeys(path for stage in stages for single in stage.taken for path in single.grounds)
    deciding = {path for stage in stages for path in decisive_grounds(stage.taken)}
    for path in at_work:
        cell = asked.rules.cells[path]
        if cell.readings:
            schema = rulebook.parameter_schema(suite, path)
            readings = [
                {
                    "name": each.name,
                    "says": rulebook.sentence(schema, each.value),
                    "argument": each.argument,
                }
                for each in cell.readings
            ]
            shown: dict[str, Any] = {
                "says": in_words(suite, cell),
                "href": f"{asked.href}#{path}",
                "chosen": cell.follows,
            }
            shown["matters"] = path in deciding
            yield {"ruleset": asked.id, "cell": path, **shown, "readings": readings}
