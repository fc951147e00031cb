"""Evidence: on how many positions it rests that an engine has one value of a rule and not another.

For each rule that two rulesets of a game have otherwise, that an option changes or that can be read in two ways, an
engine plays a ruleset with the other's value in this rule alone. It is asked as any engine: no reasons are compared,
and it may follow any reading. Each position in which it is told from the ruleset is counted.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Status
from hoyle_conformance.runner.what_if import changed
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.detect import DetectionCheck, Noticing
from hoyle_conformance.tools.adequacy.enough import enough
from hoyle_conformance.tools.adequacy.mutants import BROKEN
from hoyle_reference import Cell, Malformed, Rules, compile_cells, read_position
from hoyle_reference.frozen import frozen

#: The lists of which a ruleset may have a row that another has not.
_ROWS: Final = ("classes.combinations.", "classes.nought.", "declare.melds.")
#: What a row says in words for people, and does not play by.
_WORDS: Final = frozenset({"name", "title", "ruling"})
#: What is said of a row that is not there, and of one that is there where the other ruleset has none.
NO_ROW, A_ROW = "none", "there is one"


@frozen
class Other:
    """Another value of a rule of a ruleset: what both say where they differ, whose it is (that of a ruleset, or of a
    reading by its name), and the rules that have it in this place alone."""

    path: str
    own: str
    said: str
    whose: str
    rules: Rules
    is_reading: bool = False


@frozen
class Evidence:
    """The positions in which an engine with another value of a rule is told from a ruleset, counted until they are as
    many as are `wanted`; `because` says why, if those are fewer than five."""

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
        """Whether it rests on too few."""
        return len(self.positions) < self.wanted


def evidence(suite: Suite, ruleset: str) -> list[Evidence]:
    """On which positions among the checks of a ruleset it rests that it has none of the other values of its rules."""
    noticing = Noticing(suite, ruleset)
    return [_of(noticing, other) for other in others(suite, ruleset)]


def _of(noticing: Noticing, other: Other) -> Evidence:
    wanted, because = enough(noticing.rules.id, other.path, other.said)
    likeliest_first = sorted(noticing.asked, key=lambda asked: other.path not in asked.cells) if wanted else ()
    telling = (asked.check.scenario.id for asked in likeliest_first if tells(asked, other))
    positions = tuple(islice(telling, wanted))
    return Evidence(noticing.rules.id, other.path, other.own, other.said, other.whose, positions, wanted, because)


def tells(asked: DetectionCheck, other: Other) -> bool:
    """Whether a check tells an engine with another value from a right one: it fails, or, of another reading, it follows
    that alone. Not where such an engine could not be in this position, or breaks off, or is observed to do all that an
    engine with the own value does."""
    message = _as_it_is_understood(other.rules, asked.plan.message)
    try:
        seen = observations(other.rules, message)
    except Malformed:
        return _is_a_position(other.rules, message)
    except BROKEN:
        return False
    if seen == asked.observed:
        return False  # which is quicker than to judge it
    result = judge(asked.check, asked.plan, seen, trusted=False, agreed=asked.agreed)
    return result.status is Status.FAIL or (other.is_reading and _is_of(asked.check, result.readings, other))


def _as_it_is_understood(rules: Rules, message: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message without what a position does not hold by these rules: an engine passes over what it does not know."""
    known = {field.name for field in rules.fields}
    position = {key: value for key, value in message["position"].items() if key in known}
    return {**message, "position": position}


def _is_a_position(rules: Rules, message: Mapping[str, Any]) -> bool:
    try:
        read_position(rules, message["position"])
    except Malformed:
        return False
    return True


def _is_of(check: Check, fitting: Sequence[str], other: Other) -> bool:
    """Whether of the readings that fit what was seen some read the rule so, and none as the ruleset does; those do not
    count by which another rule is read otherwise too."""
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


def others(suite: Suite, ruleset: str) -> Iterator[Other]:
    """Each other value that its readings, its options and the other rulesets of its game have for each of its rules;
    under an option, for those that the option changes, what they are without it."""
    rules = suite.rules(ruleset)
    for (path, _), (cell, whose) in _distinct(suite, ruleset).items():
        others = _changed(rules, path, cell)
        if others is not None:
            own = rules.cells[path].value if path in rules.cells else None
            theirs = None if cell is None else cell.value
            read = path in rules.cells and any(whose == each.name for each in rules.cells[path].readings)
            yield Other(path, _said(own, theirs), _said(theirs, own), whose, others, read)


def _distinct(suite: Suite, ruleset: str) -> dict[tuple[str, str], tuple[Cell | None, str]]:
    """By path and value, each other cell once, with whose it is; no cell is a row that is left out."""
    own = suite.cells(ruleset)
    found: dict[tuple[str, str], tuple[Cell | None, str]] = {}
    for path, cell, whose in (*_readings(suite, ruleset), *_of_other_rulesets(suite, ruleset)):
        played = None if cell is None else _played(cell.value)
        if played != (_played(own[path].value) if path in own else None):
            found.setdefault((path, repr(played)), (cell, whose))
    return found


def _readings(suite: Suite, ruleset: str) -> Iterator[tuple[str, Cell, str]]:
    below = suite.cells(ruleset.partition("+")[0])
    for cell in suite.cells(ruleset):
        if "+" not in ruleset or cell.path not in below or below[cell.path].readings != cell.readings:
            yield from ((cell.path, cell.read_as(each.name), each.name) for each in cell.readings)


def _of_other_rulesets(suite: Suite, ruleset: str) -> Iterator[tuple[str, Cell | None, str]]:
    own, base = suite.cells(ruleset), ruleset.partition("+")[0]
    for other in [base] if "+" in ruleset else _of_the_game(suite, ruleset):
        theirs = suite.cells(other)
        its = {cell.path: cell for cell in theirs}
        for path in dict.fromkeys([*(cell.path for cell in own), *its]):
            if (path in own and path in its) or (path.startswith(_ROWS) and not _of_nothing(its.get(path))):
                yield path, its.get(path), other


def _of_nothing(row: Cell | None) -> bool:
    """Whether a row stands in a table only to say that the combination scores nothing."""
    return row is not None and row.value.get("points") == 0


def _of_the_game(suite: Suite, ruleset: str) -> list[str]:
    """The other rulesets of its game: first its own options, then the plain ones, then those with options."""
    game = suite.rulesets[ruleset].game
    named = [name for name in suite.ruleset_names if suite.rulesets[name.partition("+")[0]].game == game]
    return sorted((name for name in named if name != ruleset), key=lambda name: not name.startswith(f"{ruleset}+"))


def _changed(rules: Rules, path: str, cell: Cell | None) -> Rules | None:
    """The rules with another cell in one place, or without that row; nothing where no table can be so."""
    try:
        if cell is None:
            left = {each.path: each for each in rules.cells if each.path != path}
            return compile_cells(rules.id, type(rules.cells)(left))
        if path not in rules.cells:
            return changed(rules, {}, [cell])
        return changed(rules, {path: cell.value})
    except Malformed:
        return None


def _played(value: Any) -> Any:
    """A value without what it says in words for people."""
    if isinstance(value, dict):
        return {key: _played(each) for key, each in value.items() if key not in _WORDS}
    return [_played(each) for each in value] if isinstance(value, list) else value


def _said(value: Any, other: Any) -> str:
    """A value in short, where it differs from the other: of rows, their fields that do, points last."""
    if value is None:
        return NO_ROW
    if not isinstance(value, dict) or not isinstance(other, dict):
        return A_ROW if isinstance(value, dict) else str(value)
    mine, its = _played(value), _played(other)
    keys = sorted((key for key in mine | its if mine.get(key) != its.get(key)), key=lambda key: key == "points")
    return ", ".join(f"{key} {mine.get(key, 'not given')}" for key in keys)
