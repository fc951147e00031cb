"""House rules: load a file that extends a ruleset of the suite as a ruleset, and recompute its checks.

If the changed rules do not affect its outcome, a check stays that of the ruleset, with its clauses. Otherwise the
interpreter computes the outcome, and the check is marked as computed. A dispute among the sources remains open unless
the house rules settle it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.plan import plan
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp, RunRequest
from hoyle_conformance.checks.setup.fill import VARIANTS
from hoyle_conformance.checks.setup.trace import Traced, observations, trace
from hoyle_conformance.files.diagnostics import (
    Diagnostic,
    Invalid,
    Suggestion,
    did_you_mean,
    nearest,
    printable,
    shown_path,
)
from hoyle_conformance.files.document import Document
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.rule_changes import NoChange, change_cell
from hoyle_conformance.suite.build import ruleset_from
from hoyle_conformance.suite.capabilities import observed_as
from hoyle_conformance.suite.lint.ids import unknown_clauses
from hoyle_conformance.suite.load import read_document
from hoyle_conformance.suite.model import Check, Expectation, Expected, Followed, Outcome, Reading, Ruleset
from hoyle_conformance.suite.suite import JoinedRules, Suite
from hoyle_conformance.wording.rulebook_entries import parameter_schema
from hoyle_reference import Cell, Cells, Malformed

#: The certainty of a rule that is in no source.
STATUS: Final = "house rule"
_LEFT_OUT: Final = "A part of this rule is left out."
#: The fields of an irregularity that its ruling expresses in words.
_IN_THE_RULING: Final = frozenset({"since", "until", "chooses", "at_first", "remedies", "beyond_play"})
#: The names of readings of disputed cells, by the paths.
ReadingNames = Mapping[str, str]
#: Additional seeds for the open cards of a deck, since other packets deal other cards.
_SEEDS: Final = ("a", "b", "c", "d", "e", "f", "g", "h")
_BECAUSE: Final = "The house rules leave this open, and no source decides it."


@dataclass(frozen=True, slots=True)
class HouseRules:
    """House rules: their table, the ruleset (with its options) that they extend, the paths of the changed cells, and
    the data of their file."""

    ruleset: Ruleset
    base: str
    changed: tuple[str, ...]
    written: Mapping[str, Any]

    @property
    def other_names(self) -> tuple[str, ...]:
        """The name that the file gives to send, or else the ruleset that they extend, with and without its options."""
        sent_as = self.written.get("sent_as")
        return (sent_as,) if sent_as else tuple(dict.fromkeys((self.base, self.base.partition("+")[0])))

    @property
    def changes(self) -> tuple[str, ...]:
        """The paths of the changed cells, and of what the file leaves out, other than fields of these cells."""
        left_out = self.written.get("without", ())
        return (*self.changed, *(path for path in left_out if path.rpartition(".")[0] not in self.changed))

    @property
    def checked_as(self) -> tuple[str, ...]:
        """The ruleset that they extend: with all its options, with one of them, and without any."""
        plain, *options = self.base.split("+")
        return (self.base, *(f"{plain}+{option}" for option in options), plain)

    def check(self, suite: Suite, base: Check) -> Check | None:
        """Return a check of the extended ruleset under these rules; None if its position is impossible under them, or a
        step is invalid or cannot be judged."""
        try:
            check = _Recomputation(suite, self, base).check()
            return None if _depends_on_open_cards(suite, check) else check
        except (CannotSetUp, Malformed, Inexpressible, AssertionError, LookupError, TypeError, ValueError):
            return None  # the last four: the interpreter cannot continue, since these rules contradict each other here

    def joined(self, suite: Suite) -> Suite:
        """Return the suite with these rules as an additional ruleset; it is never cached."""
        other = replace(suite, rulesets={**suite.rulesets, self.ruleset.id: self.ruleset}, house=self)
        planner_of(other).share(planner_of(suite))
        return other.preset(suite.digest)


def read_house_rules(suite: Suite, path: Path) -> HouseRules:
    """Return the house rules in a file; raise Invalid if there are faults in it."""
    document = read_document(suite.schemas, "house", path, shown_path(path), within=path.parent)
    return house_rules_from(suite, document)


def join_all(suite: Suite, paths: Iterable[Path]) -> Suite:
    """Return the suite with the house rules of some files as additional rulesets, without checks; later files may
    extend earlier ones. Raise Invalid if a file is invalid."""
    joined = suite
    for path in paths:
        joined = read_house_rules(joined, path).joined(joined)
    if joined is suite:
        return suite
    other = replace(suite, rulesets=joined.rulesets)
    return other.preset(suite.digest, lambda: suite.index.headings)  # computed when needed


def named(suite: Suite) -> Iterator[HouseRules]:
    """Yield the house rules that the suite offers by name; raise Invalid if a file is invalid."""
    return (read_house_rules(suite, path) for path in sorted(suite.root.glob("house/*.yaml")))


def named_as(suite: Suite, cells: Cells, regardless_of: Iterable[str]) -> HouseRules | None:
    """Return the house rules with a name that have the values of these cells, except of some at these paths."""

    def values(of: Cells) -> dict[str, Any]:
        return {cell.path: cell.value for cell in of if cell.path not in regardless_of}

    return next(
        (each for each in named(suite) if values(each.joined(suite).rules.cells(each.ruleset.id)) == values(cells)),
        None,
    )


def named_lines(suite: Suite) -> Iterator[str]:
    """Yield the house rules with a name, each with its title and the ruleset that it extends."""
    return ("{name}  {title} (extends {extends})".format(**each) for each in named_data(suite))


def named_data(suite: Suite) -> list[dict[str, str]]:
    """Return the house rules with a name as data."""
    return [{"name": each.ruleset.id, "title": each.ruleset.title, "extends": each.base} for each in named(suite)]


def house_rules_from(suite: Suite, document: Document) -> HouseRules:
    """Return the house rules of a document that is valid by its schema; raise Invalid if they do not fit the suite."""
    faults = list(_name_faults(suite, document))
    if faults:
        raise Invalid(faults)
    base = _extended_ruleset(suite, document.data)
    values, faults = _changed_values(suite, document, base)
    faults += _stale_rulings(document, values)
    faults += _without_faults(suite, document, base)
    if faults:
        raise Invalid(faults)
    values, shortened = _without_fields(suite, document, base, values)
    house = HouseRules(
        ruleset_from(replace(document, data=_table_data(suite, document, base, values, shortened))),
        base,
        tuple(values),
        document.data,
    )
    try:
        house.joined(suite).rules.of(house.ruleset.id)
    except Malformed as malformed:
        raise Invalid([_contradiction(document, malformed)]) from malformed
    return house


def _name_faults(suite: Suite, document: Document) -> Iterator[Diagnostic]:
    """Yield the faults in the names of the rules, of the ruleset they extend, and of its options."""
    name, extends = document.data["id"], document.data["extends"]
    if name == extends:
        remedy = f"Name a ruleset of the suite: {', '.join(suite.rulesets)}."
        yield document.diagnose(["extends"], "unknown-ruleset", "house rules cannot extend themselves", remedy)
        return
    if name in suite.rulesets:
        message = f"the id '{name}' belongs to a ruleset of the suite"
        yield document.diagnose(["id"], "id-in-use", message, "Give your rules a name of their own.")
    if extends not in suite.rulesets:
        remedy = did_you_mean(extends, suite.rulesets)
        yield document.diagnose(["extends"], "unknown-ruleset", f"no ruleset '{extends}' to extend", remedy)
        return
    offered = suite.rules.options(extends)
    for at, option in enumerate(document.data.get("options", ())):
        if option not in offered:
            message, remedy = f"{extends} has no option '{option}'", did_you_mean(option, offered)
            yield document.diagnose(["options", at], "unknown-option", message, remedy)
    sent_as, game = document.data.get("sent_as", extends), suite.rulesets[extends].game
    of_game = [each for each in suite.rules.names if suite.rulesets[each.partition("+")[0]].game == game]
    if sent_as not in of_game:
        message, remedy = f"no ruleset '{sent_as}' of {game}", did_you_mean(sent_as, of_game)
        yield document.diagnose(["sent_as"], "unknown-ruleset", message, remedy)


def _extended_ruleset(suite: Suite, data: Mapping[str, Any]) -> str:
    """Return the extended ruleset with the chosen options, in the ruleset's order."""
    chosen = data.get("options", ())
    return "+".join([data["extends"], *(option for option in suite.rules.options(data["extends"]) if option in chosen)])


def _changed_values(suite: Suite, document: Document, base: str) -> tuple[dict[str, Any], list[Diagnostic]]:
    """Return each changed cell's value and grounds, by its path, and the faults."""
    known, values, grounds = _known_cells(suite, base), dict[str, Any](), dict[str, dict[str, Any]]()
    faults: list[Diagnostic] = []
    for written, said in (document.data.get("rules") or {}).items():
        place, more = ["rules", written], said if isinstance(said, Mapping) and "is" in said else {"is": said}
        faults += unknown_clauses(suite, document, [*place, "cites"], more.get("cites", ()))
        cells = _with_new_row(suite, known, base, written, more["is"])
        try:
            path, value = change_cell(suite, document.data["extends"], cells, written, more["is"], values)
            _refuse_incomplete_row(suite, known, path, value)
        except NoChange as no_change:
            message, _, remedy = str(no_change).partition(". ")
            missing = message.startswith("no cell")
            faults.append(document.diagnose(place, "no-change", message.removesuffix("."), remedy, key=missing))
            continue
        values[path] = value
        line = f"{printable(document.file)}, line {document.line_of(place)}."
        grounds[path] = {"cites": more.get("cites", ()), "status": STATUS, "because": more.get("because", line)}
    return {path: (value, grounds[path]) for path, value in values.items()}, faults


def _stale_rulings(document: Document, values: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield a fault for each irregularity with a changed rule that its printed ruling mentions, if the ruling is not
    changed too; `values` are the paths of the changed cells."""
    written = document.data.get("rules") or {}
    for path in values:
        changes = [(name, field) for name in written for field in _fields_given(path, name, written[name])]
        stale = [(name, field) for name, field in changes if field in _IN_THE_RULING]
        if stale and all(field != "ruling" for _, field in changes):
            message = f"'{stale[0][1]}' is changed, but not the ruling in words, which is printed"
            remedy = f"Also give '{path}.ruling', in whole sentences: the consequences, who chooses, and until when."
            yield document.diagnose(["rules", stale[0][0]], "stale-ruling", message, remedy, key=True)


def _fields_given(path: str, written: str, value: Any) -> list[str]:
    """Return the fields of a row that an entry of the file gives, in a row or as single fields."""
    if written == path:
        value = value["is"] if isinstance(value, Mapping) and "is" in value else value
        return [*value] if isinstance(value, Mapping) else []
    return [written.removeprefix(f"{path}.")] if written.startswith(f"{path}.") else []


def _known_cells(suite: Suite, base: str) -> Cells:
    """Return the cells of a ruleset, and the cells of its game that it lacks: those of other rulesets
    and of options."""
    game = suite.rulesets[base.partition("+")[0]].game
    names = [name for name in suite.rules.names if suite.rulesets[name.partition("+")[0]].game == game]
    upward = (*sorted(names, key=lambda name: "+" in name)[::-1], base)
    return Cells({cell.path: cell for name in upward for cell in suite.rules.cells(name)})


def _with_new_row(suite: Suite, known: Cells, base: str, written: str, value: Any) -> Cells:
    """Return these cells with an added row for a combination of the file: one that no ruleset has, or one described
    completely that the extended ruleset lacks."""
    above, _, name = written.rpartition(".")
    if not isinstance(value, Mapping) or not any(known.rows(above)) or above in known:
        return known
    complete = written not in suite.rules.cells(base) and value.keys() >= {*_needed_fields(suite, written)}
    if written in known and not complete:
        return known
    return known.with_cells([Cell(written, {"id": name}, ())])


def _needed_fields(suite: Suite, path: str) -> list[str]:
    """Return the fields besides its id that a row must have in the list at the head of this path."""
    kind = parameter_schema(suite, path)["items"]["$ref"].rpartition("/")[2]
    return [field for field in suite.schemas.documents["ruleset"]["$defs"][kind]["required"] if field != "id"]


def _refuse_incomplete_row(suite: Suite, known: Cells, path: str, value: Any) -> None:
    """Raise NoChange if the description of a combination that no ruleset has is incomplete."""
    if path in known:
        return
    needed, name = _needed_fields(suite, path), path.rpartition(".")[2]
    missing = [field for field in needed if field not in value]
    if missing:
        near = nearest(name, [cell.path.rpartition(".")[2] for cell in known.rows(path.rpartition(".")[0])])
        meant = f" Or did you mean '{near}'?" if near else ""
        message = f"'{name}' is in no ruleset of this game, and has no '{missing[0]}' here"
        raise NoChange(f"{message}. Describe it with {', '.join(needed)}.{meant}")


def _without_faults(suite: Suite, document: Document, base: str) -> Iterator[Diagnostic]:
    """Yield the faults in the cells to leave out."""
    cells = suite.rules.cells(base)
    paths = [*(cell.path for cell in cells), *_optional_fields(suite, cells)]
    known = {path[:at] for path in paths for at, sign in enumerate(f"{path}.") if sign == "."}
    for at, path in enumerate(document.data.get("without", ())):
        if path not in known:
            message, remedy = f"no cell '{path}' in {base}", Suggestion(path, known, f"hoyle rules {base} --cells")
            yield document.diagnose(["without", at], "unknown-cell", message, remedy)


def _optional_fields(suite: Suite, cells: Cells) -> Iterator[str]:
    """Yield the paths of the optional fields in a row."""
    for cell in cells:
        if isinstance(cell.value, Mapping):
            needed = _needed_fields(suite, cell.path)
            yield from (f"{cell.path}.{field}" for field in cell.value if field not in {"id", *needed})


def _without_fields(
    suite: Suite, document: Document, base: str, values: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Return the values with each row that omits a field, and the paths of these rows."""
    cells, rows = suite.rules.cells(base), dict(values)
    fields = [path for path in document.data.get("without", ()) if path in {*_optional_fields(suite, cells)}]
    for path, _, left_out in (path.rpartition(".") for path in fields):
        value, grounds = rows.get(path, (cells[path].value, {"cites": (), "status": STATUS, "because": _LEFT_OUT}))
        rows[path] = {key: each for key, each in value.items() if key != left_out}, grounds
    return rows, list(dict.fromkeys(path.rpartition(".")[0] for path in fields))


def _table_data(
    suite: Suite, document: Document, base: str, values: Mapping[str, Any], shortened: Sequence[str]
) -> dict[str, Any]:
    """Return the data of a table that extends the ruleset, with its options; `shortened` rows replace those of the
    ruleset."""
    data, extended = document.data, suite.rulesets[document.data["extends"]]
    changes: dict[str, Any] = {
        "cells": _nest(values),
        "without": [*data.get("without", ()), *shortened],
        "without_options": list(suite.rules.options(extended.id)),
    }
    return {
        "id": data["id"],
        "title": data.get("title", f"{extended.title}, with house rules"),
        "game": extended.game,
        "form": extended.form,
        "summary": f"House rules: {suite.rules.title(base)}; rules changed: {len(values)}.",
        "sources": list(extended.sources),
        "extends": base,
        "changes": changes,
    }


def _nest(values: Mapping[str, tuple[Any, Mapping[str, Any]]]) -> dict[str, Any]:
    """Return values and their grounds nested by chapter, as in a table."""
    nested: dict[str, Any] = {}
    for path, (value, grounds) in values.items():
        *above, last = path.split(".")
        if isinstance(value, Mapping):
            *above, last = above
        branch = nested
        for chapter in above:
            branch = branch.setdefault(chapter, {})
        if isinstance(value, Mapping):
            branch.setdefault(last, []).append({**value, **grounds})
        else:
            branch[last] = {"is": value, **grounds}
    return nested


def _contradiction(document: Document, malformed: Malformed) -> Diagnostic:
    """Return the fault that the rules contradict each other, located at the rule concerned."""
    left_out: Sequence[str] = document.data.get("without", ())
    named = malformed.where in left_out
    place: Sequence[str | int] = ["without", left_out.index(malformed.where)] if named else ["rules", malformed.where]
    needed = f"Also give '{malformed.where}' a value, or leave out the rule that needs it."
    remedy = "Every game needs this rule: do not leave it out." if named else needed
    return document.diagnose(place, "senseless-cell", f"these values are not valid together: {malformed}", remedy)


# ---- checks under house rules


class Inexpressible(Exception):
    """Some acts of one step are refused and others are not, which no expectation can express."""


def observed_expectation(plan: RunRequest, wanted: Sequence[Expected], traced: Sequence[Traced]) -> Expected:
    """Return the observations of a check's steps for the previously expected keys; raise Inexpressible if no
    expectation can express them.

    An act that is now accepted instead of refused also shows the points, if scores are observed.
    """
    score: Mapping[str, int] = plan.message["position"]["score"]
    expected: dict[int, Expectation] = {}
    for step, end in enumerate(plan.ends, start=1):
        singles = traced[plan.start(step) : end]
        observed = _step_expectation(singles, [each[step] for each in wanted if step in each], score)
        if observed:
            expected[step] = observed
        score = singles[-1].observation.get("score", score)
    return expected


def _step_expectation(
    singles: Sequence[Traced], before: Sequence[Expectation], score: Mapping[str, int]
) -> dict[str, Any]:
    last = singles[-1].observation
    if "answer" in last:
        return {"answer": last["answer"]}
    refused = [each.refusal for each in singles]
    if any(refused) and not all(refused):
        raise Inexpressible
    if refused[-1]:
        return {"refused": refused[-1].code}
    keys = {key for each in before for key in each}
    wanted = (keys - {"refused"}) | ({"scores"} if "refused" in keys and "score" in last else set())
    return {key: _expected_value(key, last, before, score) for key in sorted(wanted)}


def _expected_value(key: str, last: Mapping[str, Any], before: Sequence[Expectation], score: Mapping[str, int]) -> Any:
    value = last[observed_as(key) or key]
    if key == "scores":
        made = {seat: points - score.get(seat, 0) for seat, points in value.items()}
        return {seat: points for seat, points in made.items() if points}
    named = {name for each in before if isinstance(each.get(key), Mapping) for name in each[key]}
    return {name: value[name] for name in value if name in named} if isinstance(value, Mapping) and named else value


def _depends_on_open_cards(suite: Suite, check: Check) -> bool:
    """Whether a check has another outcome if the open cards are dealt differently."""
    rules, only = suite.rules.of(check.ruleset), replace(check, branches={check.follows: check.expect})
    deals = any(step.get("do") == "deal" for step in check.scenario.steps)
    for variant in (*range(1, len(VARIANTS)), *(_SEEDS if deals else ())):
        other = plan(check, rules, suite.capabilities, variant)
        if judge(only, other, observations(rules, other.message), trusted=True).mismatch:
            return True
    return False


@dataclass(frozen=True)
class _Recomputation:
    """A check of a ruleset, played by the interpreter under house rules that change it."""

    suite: Suite
    house: JoinedRules
    base: Check
    _traces: dict[frozenset[tuple[str, str]], Sequence[Traced]] = field(default_factory=dict)

    def check(self) -> Check:
        """Return the check under these rules."""
        if self._holds:
            branches = {
                frozenset(self._disputed_cells(each).items()): (each.name, each.expect) for each in self._open_readings
            }
            ways = {name: (dict(way), expect) for way, (name, expect) in branches.items()}
            return self._make_check(ways or {"": ({}, self.base.expect)}, computed=False)
        return self._make_check(dict(self._outcomes()), computed=True)

    @cached_property
    def _cells(self) -> Cells:
        return self.suite.rules.cells(self.house.ruleset.id)

    @cached_property
    def _plan(self) -> RunRequest:
        """Return the request, with the position completed under the house rules."""
        under = replace(self.base, ruleset=self.house.ruleset.id)
        return plan(under, self.suite.rules.of(self.house.ruleset.id), self.suite.capabilities)

    def _trace(self, way: ReadingNames) -> Sequence[Traced]:
        """Return the trace with these readings, computed once; raise Malformed if the position is
        impossible with them."""
        key = frozenset(way.items())
        if key not in self._traces:
            self._traces[key] = trace(self.suite.rules.of(self.house.ruleset.id, way), self._plan.message)
        return self._traces[key]

    # ---- unchanged outcomes

    @cached_property
    def _open_readings(self) -> Sequence[Reading]:
        """The readings of the scenario that remain possible under the house rules; none if a source decides."""
        cells, readings = self.suite.rules.cells(self.base.ruleset), self.base.readings
        return [
            reading
            for reading in (readings if self.base.follows else ())
            if all(
                self._cells[path].readings or self._cells[path].value == cells[path].read_as(name).value
                for path, name in reading.cells.items()
                if path in self._cells
            )
        ]

    def _disputed_cells(self, reading: Reading) -> ReadingNames:
        """Return the cells of a reading that are still disputed."""
        return {
            path: name for path, name in reading.cells.items() if path in self._cells and self._cells[path].readings
        }

    @cached_property
    def _holds(self) -> bool:
        """Whether the expectations still hold under each remaining reading."""
        undecided = [(self._disputed_cells(each), each.expect) for each in self._open_readings]
        branches = undecided if self.base.follows else [({}, self.base.expect)]
        followed = next((expect for way, expect in branches if self._is_followed(way)), None)
        if followed is None or not all(self._agrees(way, expect) for way, expect in branches):
            return False
        ways = {frozenset(way.items()) for way, _ in branches}
        named = {path for way, _ in branches for path in way} if len(ways) > 1 else set[str]()
        return not self._changes_are_at_work or all(self._agrees(way, followed) for way in self._other_ways(named))

    def _is_followed(self, way: ReadingNames) -> bool:
        return all(self._cells[path].follows == name for path, name in way.items())

    def _agrees(self, way: ReadingNames, expect: Expected) -> bool:
        """Whether these expectations hold with these readings, or the position is impossible with them."""
        only = replace(self.base, branches={"": expect}, follows="")
        try:
            observed = [each.observation for each in self._trace(way)]
        except Malformed:
            return bool(way)
        return judge(only, self._plan, observed, trusted=True).mismatch is None

    @property
    def _changes_are_at_work(self) -> bool:
        """Whether a rule that differs from those of the check affects the trace."""
        before, now = self.suite.rules.cells(self.base.ruleset), self._cells
        at_work = {path for each in self._trace({}) for path in each.grounds if path in now}
        return any(path not in before or before[path] != now[path] for path in at_work)

    def _other_ways(self, named: set[str]) -> Iterator[ReadingNames]:
        """Yield each alternative reading of each disputed cell, except the cells `named`."""
        for cell in self._cells:
            others = (each.name for each in cell.readings if each.name != cell.follows and cell.path not in named)
            yield from ({cell.path: name} for name in others)

    # ---- computed outcomes

    def _expectation(self, way: ReadingNames) -> Expected | None:
        """Return the observations with these readings; None if the position is impossible or the steps are invalid with
        them."""
        try:
            return observed_expectation(self._plan, list(self.base.branches.values()), self._trace(way))
        except (Malformed, Inexpressible):
            return None

    def _outcomes(self) -> Iterator[tuple[str, tuple[ReadingNames, Expected]]]:
        """Yield the outcomes by the readings that they depend on, each with a name; "" if they depend on none."""
        as_followed = observed_expectation(self._plan, list(self.base.branches.values()), self._trace({}))
        decisive = {path for way in self._other_ways(set()) if self._expectation(way) != as_followed for path in way}
        paths = sorted(decisive.union(*map(self._disputed_cells, self._open_readings)))
        every = product(*([each.name for each in self._cells[path].readings] for path in paths))
        ways = [dict(zip(paths, names, strict=True)) for names in every]
        outcomes = [(way, each) for way in ways if (each := self._expectation(way)) is not None]
        if all(each == as_followed for _, each in outcomes):
            yield "", ({}, as_followed)
            return
        yield from (("-and-".join(way.values()), (way, each)) for way, each in outcomes)

    def _make_check(self, ways: Mapping[str, tuple[ReadingNames, Expected]], *, computed: bool) -> Check:
        """Return the check with a branch for each of these ways."""
        name, cites = self.house.ruleset.id, () if computed else self.base.cites
        bare = replace(self.base.scenario, outcomes=(), readings=(), followed_by=())
        branches = {way: expect for way, (_, expect) in ways.items()}
        if len(ways) == 1:
            (expect,) = branches.values()
            scenario = replace(bare, outcomes=(Outcome((name,), cites, expect),))
            return Check(scenario, name, cites, {"": expect}, "", computed=computed)
        readings = tuple(Reading(each, way, self._argument(each), expect) for each, (way, expect) in ways.items())
        follows = next(name for name, (way, _) in ways.items() if self._is_followed(way))
        followed = Followed((name,), follows, cites, _BECAUSE)
        scenario = replace(bare, readings=readings, followed_by=(followed,))
        return Check(scenario, name, cites, branches, follows, computed=computed)

    def _argument(self, reading: str) -> str:
        return next((each.argument for each in self.base.readings if each.name == reading), "")
