"""Silence: the checks that rest on a value that the source does not state.

For each rule that is supplied or implied, or that a clause of the ledger leaves open, an engine plays the ruleset with
another value of this rule alone. It is checked as any engine: no reasons are compared, and it may follow any reading.
Such an engine may fail a check only if `silence.yaml` says why its value contradicts the source.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, Final

from adequacy.cell_mutants import values_of
from adequacy.evidence import WORDS, OtherValue, tells_apart
from adequacy.mutants import BROKEN, Detector
from hoyle_conformance.runner.checker import claim_everything
from hoyle_conformance.runner.rule_changes import change_rules
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.campaign import setting_of
from hoyle_conformance.tools.games.random_game import Recipe, play
from hoyle_conformance.web.site.source_pages import Reason, reasons
from hoyle_reference import Cell, Malformed, Rules

#: How certain a cell is if the source does not state it, and no reading of it is accepted.
_OURS: Final = frozenset({"supplied", "implied"})


@dataclass(frozen=True, slots=True)
class Choice:
    """Another value of a cell of a ruleset, with the checks that an engine with this value fails."""

    ruleset: str
    cell: str
    value: str
    checks: tuple[str, ...]

    @property
    def because(self) -> str:
        """The reason why such an engine may fail; empty if nobody has given one, or no check fails."""
        if not self.checks:
            return ""
        return next((each.because for each in reasons() if each.fits(self.ruleset, self.cell, self.value)), "")

    @property
    def is_unreviewed(self) -> bool:
        """Whether checks fail without a reason."""
        return bool(self.checks and not self.because)


def unused_reasons(found: Sequence[Choice]) -> list[str]:
    """Return the patterns of reasons that no choice of a whole measurement needs."""
    used = [
        next((each for each in reasons() if each.fits(choice.ruleset, choice.cell, choice.value)), None)
        if choice.checks
        else None
        for choice in found
    ]
    return [
        f"{pattern} ({reason.because})"
        for reason in reasons()
        for pattern in _unused(reason, [choice for choice, its in zip(found, used, strict=True) if its is reason])
    ]


def _unused(reason: Reason, found: Sequence[Choice]) -> Iterator[str]:
    """Yield the patterns of a reason that fit none of the choices that have it."""
    for patterns, words in (
        (reason.rulesets, {each.ruleset for each in found}),
        (reason.cells, {each.cell for each in found}),
        (reason.values, {each.value for each in found}),
    ):
        yield from (pattern for pattern in patterns if not any(fnmatchcase(each, pattern) for each in words))


def choices(detector: Detector) -> list[Choice]:
    """Return each other value of the cells of a ruleset that its source does not state."""
    found = []
    for cell, words, value in _other_values(detector.suite, detector.rules.id):
        try:
            others = change_rules(detector.rules, {cell.path: value})
        except Malformed:
            continue  # no valid table has this value
        other = OtherValue(cell.path, "", words, "", others)
        failing = tuple(each.check.id for each in detector.checks if tells_apart(each, other))
        if not failing or _is_playable(detector.suite, others):
            found.append(Choice(detector.rules.id, cell.path, words, failing))
    return found


def unstated_cells(suite: Suite, ruleset: str) -> list[Cell]:
    """Return the cells that are supplied or implied, or that a clause behind the ruleset leaves open without readings
    here; under an option, its own."""
    base = ruleset.partition("+")[0]
    cells, below = suite.rules.cells(ruleset), suite.rules.cells(base)
    opened = {path for clause in suite.rules.cited_by(ruleset) for path in suite.clauses[clause].open}
    return [
        cell
        for cell in cells
        if (ruleset == base or cell.path not in below or below[cell.path] != cell)
        and (cell.status in _OURS or (cell.path in opened and not cell.readings))
    ]


def _other_values(suite: Suite, ruleset: str) -> Iterator[tuple[Cell, str, Any]]:
    """Yield each other value of each cell that is not stated, with its words: those that the schema offers, and those
    of other rulesets of the game and their readings."""
    game = suite.rulesets[ruleset.partition("+")[0]].game
    alike = [name for name in suite.rules.names if suite.rulesets[name.partition("+")[0]].game == game]
    for cell in unstated_cells(suite, ruleset):
        others = dict[str, tuple[str, Any]]()
        for name in alike:
            for value in _values_at(suite, name, cell.path):
                for words, other in _values_of_another(cell.value, value, name):
                    others.setdefault(repr(other), (words, other))
        for words, other in values_of(suite, cell):
            others.setdefault(repr(other), (words, other))
        yield from ((cell, *each) for each in others.values() if each[1] != cell.value)


def _values_at(suite: Suite, ruleset: str, path: str) -> list[Any]:
    cells = suite.rules.cells(ruleset)
    return [cells[path].value, *(each.value for each in cells[path].readings)] if path in cells else []


def _values_of_another(own: Any, value: Any, whose: str) -> Iterator[tuple[str, Any]]:
    """Yield the value of another ruleset; of a row, each field that differs, except texts for people."""
    if not isinstance(own, Mapping):
        yield str(value), value
        return
    for key in sorted((own.keys() | value.keys()) - WORDS):
        if own.get(key) != value.get(key):
            changed = {**own, key: value[key]} if key in value else {name: own[name] for name in own if name != key}
            scalar = not isinstance(value.get(key), list | dict)
            yield f"{key} {value.get(key, 'not given')}" if scalar else f"{key} as in {whose}", changed


def _is_playable(suite: Suite, rules: Rules) -> bool:
    """Whether a random game can be played by these rules."""
    setting = replace(setting_of(suite, claim_everything(suite), rules.id), rules=rules)
    try:
        play(setting, Recipe(1))
    except (*BROKEN, Malformed):
        return False
    return True
