"""The positions of a suite, by the words of their titles, and their outcomes in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from hoyle_conformance.suite.model import Check, Expected
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask.subjects import POSITIONS, AskedSubject, SubjectKind, also_asked
from hoyle_conformance.tools.ask.words import tokens
from hoyle_conformance.wording.text import sentence
from hoyle_conformance.wording.words import expectation
from hoyle_conformance.wording.words import step as step_said


@dataclass(frozen=True, slots=True)
class FoundPosition:
    """A position: its scenario, its title, and the rulesets that have it."""

    scenario: str
    title: str
    rulesets: tuple[str, ...]


def _positions(suite: Suite) -> Mapping[str, FoundPosition]:
    """Return the positions by their scenarios, in the order of the suite."""
    found: dict[str, FoundPosition] = {}
    for each in suite.index.headings.values():
        known = found.get(each.scenario) or FoundPosition(each.scenario, each.title, ())
        found[each.scenario] = replace(known, rulesets=(*known.rulesets, each.ruleset))
    return found


def situations(suite: Suite) -> Sequence[AskedSubject]:
    """Return the positions with an act that a question may describe, by their titles and other search words."""
    found = _positions(suite)
    done = (key for key, each in suite.scenarios.items() if key in found and any("do" in step for step in each.steps))
    subjects = (_subject(found[key], *also_asked(f"{POSITIONS}{key}")) for key in done)
    return [replace(each, id=f"{POSITIONS}{each.id}") for each in subjects]


def outcome_said(suite: Suite, check: Check, expected: Expected) -> str:
    """Return, in sentences, the expectations of each step with visible results."""
    melds = suite.rules.meld_names(check.ruleset)
    found = ((check.scenario.steps[number - 1], said) for number, said in sorted(expected.items()))
    return " ".join(
        f"{sentence(step_said(each, melds))} {sentence('; '.join(expectation(each, said, melds)) or 'accepted')}"
        for each, said in found
    )


def _subject(position: FoundPosition, *also: Sequence[str]) -> AskedSubject:
    title = tuple(tokens(position.title))
    names = tuple(dict.fromkeys(name for each in (title, *also) if (name := tuple(each))))
    bases = frozenset(name.partition("+")[0] for name in position.rulesets)
    return AskedSubject(SubjectKind.POSITION, position.scenario, names, frozenset(title), (), bases)
