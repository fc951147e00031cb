"""Evidence: the number of positions that tell one value of a rule from another.

For each rule that differs between two rulesets of a game, that an option changes or that has several readings, an
engine plays the ruleset with the other value of this rule alone. It is checked as any engine: no reasons are compared,
and it may follow any reading. Each position that tells the two apart is counted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from adequacy.mutants import BROKEN, DetectionCheck, Detector
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Status
from hoyle_conformance.runner.rule_changes import change_rules
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cell, Malformed, Rules, compile_cells, read_position

FILE: Final = Path(__file__).with_name("enough.yaml")
#: The number of positions that suffice unless `enough.yaml` has an entry.
USUALLY_REQUIRED: Final = 5
#: Lists of which a ruleset may have a row that another ruleset lacks.
_ROWS: Final = ("classes.combinations.", "classes.nought.", "declare.melds.")
#: Texts for people, which change no outcome.
WORDS: Final = frozenset({"name", "title", "ruling"})
#: The text for a missing row, and for a row that the other ruleset lacks.
NO_ROW, A_ROW = "none", "there is one"


@dataclass(frozen=True, slots=True)
class FewerPositions:
    """A case in which fewer positions suffice, with the reason: patterns of rulesets, of rule paths, and of other
    values."""

    rulesets: Sequence[str]
    rules: Sequence[str]
    others: Sequence[str]
    enough: int
    because: str

    def fits(self, ruleset: str, rule: str, other: str) -> bool:
        """Whether this applies to a ruleset, a rule and its other value."""
        matched = ((ruleset, self.rulesets), (rule, self.rules), (other, self.others))
        return all(any(fnmatchcase(text, pattern) for pattern in patterns) for text, patterns in matched)


@cache
def fewer_positions() -> Sequence[FewerPositions]:
    """Return all cases in which fewer positions suffice, in the order of `enough.yaml`."""
    return [FewerPositions(**{"rulesets": ["*"], "others": ["*"], **each}) for each in read_file(FILE, FILE.name).data]


def required_positions(ruleset: str, rule: str, other: str) -> tuple[int, str]:
    """Return how many positions must tell a ruleset from an engine with another value of a rule, and the reason if
    they are fewer than five."""
    fitting = min(
        (each for each in fewer_positions() if each.fits(ruleset, rule, other)),
        key=lambda each: each.enough,
        default=None,
    )
    return (fitting.enough, fitting.because) if fitting else (USUALLY_REQUIRED, "")


@dataclass(frozen=True, slots=True)
class OtherValue:
    """Another value of a rule: both values as text where they differ, the name of the ruleset or reading that has
    the other, and the rules with this value alone changed."""

    path: str
    own: str
    other: str
    whose: str
    rules: Rules
    is_reading: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """The positions that tell an engine with another value of a rule from a ruleset, counted up to `wanted`;
    `because` is the reason if that is fewer than five."""

    ruleset: str
    path: str
    own: str
    other: str
    whose: str
    positions: tuple[str, ...]
    wanted: int
    because: str = ""

    @property
    def is_thin(self) -> bool:
        """Whether there are fewer positions than wanted."""
        return len(self.positions) < self.wanted


def collect_evidence(detector: Detector) -> list[Evidence]:
    """Return, for each other value of each rule of a ruleset, the positions of its checks that tell the two apart."""
    return [_weigh(detector, other) for other in other_values(detector.suite, detector.rules.id)]


def _weigh(detector: Detector, other: OtherValue) -> Evidence:
    """Return the positions that tell one other value from the ruleset's, likeliest first."""
    wanted, because = required_positions(detector.rules.id, other.path, other.other)
    likeliest_first = sorted(detector.checks, key=lambda detection: other.path not in detection.cells) if wanted else ()
    telling = (detection.check.scenario.id for detection in likeliest_first if tells_apart(detection, other))
    positions = tuple(islice(telling, wanted))
    return Evidence(detector.rules.id, other.path, other.own, other.other, other.whose, positions, wanted, because)


def tells_apart(detection: DetectionCheck, other: OtherValue) -> bool:
    """Whether a check tells an engine with another value from a correct one: the engine fails, or, for another reading,
    follows that reading alone.

    No check does if the position is impossible with that value, if the engine raises an exception, or if its
    observations are those of the ruleset.
    """
    message = _understood_message(other.rules, detection.request.message)
    try:
        seen = observations(other.rules, message)
    except Malformed:
        return _is_a_position(other.rules, message)
    except BROKEN:
        return False
    if seen == detection.observed:
        return False  # comparing is faster than judging
    result = judge(detection.check, detection.request, seen, trusted=False, agreed=detection.consensus)
    return result.status is Status.FAIL or (
        other.is_reading and _is_reading_of(detection.check, result.readings, other)
    )


def _understood_message(rules: Rules, message: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a message without the fields of the position that these rules do not have: an engine ignores them."""
    known = {field.name for field in rules.fields}
    position = {key: value for key, value in message["position"].items() if key in known}
    return {**message, "position": position}


def _is_a_position(rules: Rules, message: Mapping[str, Any]) -> bool:
    try:
        read_position(rules, message["position"])
    except Malformed:
        return False
    return True


def _is_reading_of(check: Check, fitting: Sequence[str], other: OtherValue) -> bool:
    """Whether some readings that fit the observations have this value of the rule, and none has the ruleset's own.
    Readings that differ in another rule as well do not count."""
    own = {each.name: each.cells for each in check.readings}.get(check.follows, {})
    read = {each.name: each.cells for each in check.readings if each.name in fitting}
    cells = other.rules.cells
    alone = [
        ways
        for ways in read.values()
        if all(cells[path].follows == way for path, way in ways.items() if path != other.path)
    ]
    ways_of_it = {ways.get(other.path) for ways in alone}
    return other.whose in ways_of_it and own.get(other.path) not in ways_of_it


def other_values(suite: Suite, ruleset: str) -> Iterator[OtherValue]:
    """Yield each other value of each rule: of its readings, its options and the other rulesets of
    the game; under an option, of the rules that the option changes, the value without it."""
    rules = suite.rules.of(ruleset)
    for (path, _), (cell, whose) in _distinct_cells(suite, ruleset).items():
        others = _changed_rules(rules, path, cell)
        if others is not None:
            own = rules.cells[path].value if path in rules.cells else None
            theirs = None if cell is None else cell.value
            read = path in rules.cells and any(whose == each.name for each in rules.cells[path].readings)
            yield OtherValue(path, _value_text(own, theirs), _value_text(theirs, own), whose, others, read)


def _distinct_cells(suite: Suite, ruleset: str) -> dict[tuple[str, str], tuple[Cell | None, str]]:
    """Return each other cell once, by path and value, with the name of its owner; None is a row that is left out."""
    own = suite.rules.cells(ruleset)
    found: dict[tuple[str, str], tuple[Cell | None, str]] = {}
    for path, cell, whose in (*_cells_of_readings(suite, ruleset), *_cells_of_other_rulesets(suite, ruleset)):
        value = None if cell is None else _without_words(cell.value)
        if value != (_without_words(own[path].value) if path in own else None):
            found.setdefault((path, repr(value)), (cell, whose))
    return found


def _cells_of_readings(suite: Suite, ruleset: str) -> Iterator[tuple[str, Cell, str]]:
    below = suite.rules.cells(ruleset.partition("+")[0])
    for cell in suite.rules.cells(ruleset):
        if "+" not in ruleset or cell.path not in below or below[cell.path].readings != cell.readings:
            yield from ((cell.path, cell.read_as(each.name), each.name) for each in cell.readings)


def _cells_of_other_rulesets(suite: Suite, ruleset: str) -> Iterator[tuple[str, Cell | None, str]]:
    own, base = suite.rules.cells(ruleset), ruleset.partition("+")[0]
    for other in [base] if "+" in ruleset else _other_rulesets(suite, ruleset):
        theirs = suite.rules.cells(other)
        its = {cell.path: cell for cell in theirs}
        for path in dict.fromkeys([*(cell.path for cell in own), *its]):
            row = its.get(path)
            # a row may be in a table only to say that the combination scores nothing
            is_other_row = path.startswith(_ROWS) and (row is None or row.value.get("points") != 0)
            if (path in own and path in its) or is_other_row:
                yield path, row, other


def _other_rulesets(suite: Suite, ruleset: str) -> list[str]:
    """Return the other rulesets of the game: first its own options, then the plain ones, then those with options."""
    game = suite.rulesets[ruleset].game
    named = [name for name in suite.rules.names if suite.rulesets[name.partition("+")[0]].game == game]
    return sorted((name for name in named if name != ruleset), key=lambda name: not name.startswith(f"{ruleset}+"))


def _changed_rules(rules: Rules, path: str, cell: Cell | None) -> Rules | None:
    """Return the rules with another cell in one place, or without that row; None if no table can be so."""
    try:
        if cell is None:
            left = {each.path: each for each in rules.cells if each.path != path}
            return compile_cells(rules.id, type(rules.cells)(left))
        if path not in rules.cells:
            return change_rules(rules, {}, [cell])
        return change_rules(rules, {path: cell.value})
    except Malformed:
        return None


def _without_words(value: Any) -> Any:
    """Return a value without the texts for people."""
    if isinstance(value, dict):
        return {key: _without_words(each) for key, each in value.items() if key not in WORDS}
    return [_without_words(each) for each in value] if isinstance(value, list) else value


def _value_text(value: Any, other: Any) -> str:
    """Return a value in short, where it differs from the other: of rows, the fields that differ, points last."""
    if value is None:
        return NO_ROW
    if not isinstance(value, dict) or not isinstance(other, dict):
        return A_ROW if isinstance(value, dict) else str(value)
    mine, its = _without_words(value), _without_words(other)
    keys = sorted((key for key in mine | its if mine.get(key) != its.get(key)), key=lambda key: key == "points")
    return ", ".join(f"{key} {mine.get(key, 'not given')}" for key in keys)
