"""Told: one step of a course in words, with what can be observed after it, and the rules that make it so."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from hoyle_reference.cells import Cell

from ..report import citing, explain, rulebook, words
from ..report.layout import sentence
from ..report.tracks import decisive, left_open
from ..suite.value import Suite
from .asked import Asked
from .course import Stage
from .layout import HOUSE

#: What can be observed that names cards which may matter to nobody.
_OF_CARDS: Final = frozenset({"hands", "seen", "shown", "turn_up", "answer"})


@dataclass(frozen=True, slots=True)
class Told:
    """A step as it is told: what is done or asked, whether it is refused, what follows, and the facts after it; of a
    step that stands for several acts the facts after `each`."""

    said: str
    refused: bool
    follows: tuple[str, ...]
    facts: dict[str, Any] = field(hash=False)
    each: tuple[dict[str, Any], ...] = ()


def told(asked: Asked, stage: Stage, faces: Collection[str]) -> Told:
    """A step in words; a card that is none of these faces matters to nobody."""
    happens = explain.happenings(asked.rules, stage.step, stage.taken, asked.melds)
    follows = tuple(left_open(each.said, faces) for each in happens if not each.restates)
    said = left_open(sentence(words.step(stage.step, asked.melds)), faces)
    each = tuple(dict(single.observation) for single in stage.taken)
    return Told(said, any(one.refusal for one in stage.taken), follows, each[-1], each if len(each) > 1 else ())


def line(told: Told, stage: Stage) -> str:
    """One line of a step: refused and why, answered, or accepted and what follows."""
    if told.follows:
        refused = [each for each in told.follows if each.startswith("Refused")]
        return " ".join(refused or told.follows)
    return "Nothing else follows." if "do" in stage.step else "Answered."


def sight(told: Told, known: Collection[str]) -> dict[str, Any]:
    """The facts by which courses are held to go alike: which of the cards left open lies where matters to nobody."""
    return {key: _open(value, known) if key in _OF_CARDS else value for key, value in told.facts.items()}


def _open(value: Any, known: Collection[str]) -> Any:
    if isinstance(value, dict):
        return {key: _open(each, known) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return sorted((_open(each, known) for each in value), key=repr)
    return value if not isinstance(value, str) or value in known or len(value) not in {2, 4} else "..."


def rules(suite: Suite, asked: Sequence[Asked], stages: Sequence[Stage]) -> list[dict[str, Any]]:
    """The rules that make a step go as it does, in words, those that several rulesets say alike once: where they stand
    in the first, and in the others `also`."""
    found: dict[tuple[str, str], list[tuple[Asked, Cell]]] = {}
    for one, stage in zip(asked, stages, strict=True):
        for path in dict.fromkeys(decisive(stage.taken)):
            cell = one.rules.cells[path]
            found.setdefault((path, in_words(suite, cell)), []).append((one, cell))
    return [
        {"cell": path, "says": says, **_where(suite, *those[0]), "also": [_beside(suite, *each) for each in those[1:]]}
        for (path, says), those in found.items()
    ]


def in_words(suite: Suite, cell: Cell) -> str:
    """A rule in words."""
    return rulebook.sentence(rulebook.parameter(suite, cell.path), cell.value)


def _where(suite: Suite, asked: Asked, cell: Cell) -> dict[str, str]:
    place = citing.places(suite, cell.cites) if asked.id != HOUSE or cell.status != "house rule" else "Your change"
    return {"place": place, "href": f"{asked.href}#{cell.path}", "status": citing.grade(cell)}


def _beside(suite: Suite, asked: Asked, cell: Cell) -> dict[str, str]:
    return {"ruleset": asked.id, "name": asked.name, **_where(suite, asked, cell)}


def disputed(suite: Suite, asked: Asked, stages: Sequence[Stage]) -> Iterator[dict[str, Any]]:
    """The disputed rules at work in some steps, each with the ways in which it may be read."""
    at_work = dict.fromkeys(path for stage in stages for single in stage.taken for path in single.grounds)
    for path in at_work:
        cell = asked.rules.cells[path]
        if cell.readings:
            schema = rulebook.parameter(suite, path)
            readings = [
                {
                    "name": each.name,
                    "says": rulebook.read_as(suite, cell, each.value, schema),
                    "argument": each.argument,
                }
                for each in cell.readings
            ]
            shown = {"says": in_words(suite, cell), "href": f"{asked.href}#{path}", "chosen": cell.follows}
            yield {"ruleset": asked.id, "cell": path, **shown, "readings": readings}
