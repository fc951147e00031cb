"""The changes from one run to another: checks that newly fail or pass, changed readings of disputed rules, changed
expectations, and other differences that may be the cause.

No pair of records is refused: records of other engines, suites or seeds are compared, and these differences are
reported first. Baselines are ignored, because otherwise a failure added to the baseline in the same change would go
unnoticed. A check that fails now counts as newly failing, even if it did not run before.

The parts are: the changes as values, as text for the terminal, in Markdown for a pull request, and as data for
programs.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.protocol.messages import FAULTS
from hoyle_conformance.reports.markdown import BEGINS, text
from hoyle_conformance.reports.record import Checked, Record
from hoyle_conformance.reports.side_by_side import house_rules_name, relabelling_name, suite_version
from hoyle_conformance.reports.summary import totals_line
from hoyle_conformance.runner.results import Status
from hoyle_conformance.wording.failure_view import CauseView
from hoyle_conformance.wording.text import cut, join_and, plural, wrap


class State(StrEnum):
    """The state of a check in one run, regardless of any baseline."""

    PASSES = "passes"
    FAILS = "fails"
    BREAKS = "breaks the conversation"
    NOT_DONE = "not done"
    NOT_ASKED = "not sent"
    NOT_THERE = "missing"


class DiffKind(StrEnum):
    """A kind of change, in the order of the report."""

    BROKEN = "newly broken"
    FAILING = "newly failing"
    OTHERWISE = "still failing, differently"
    EXPECTED = "still failing, with a different expectation"
    NO_LONGER_DONE = "no longer done"
    NO_LONGER_ASKED = "no longer sent"
    PASSING = "newly passing"
    NO_LONGER_BROKEN = "no longer broken, but failing"
    READ = "read differently"
    ASKED = "newly sent, and passing"
    BASELINE = "changed in the baseline"
    GONE = "gone"
    NEW = "new"


#: The changes for the worse, for which the command exits with code 1.
WORSE: Final = frozenset({DiffKind.BROKEN, DiffKind.FAILING})
_UNDONE: Final = frozenset({Status.SKIPPED, Status.UNSUPPORTED})
_WRONG: Final = frozenset({State.FAILS, State.BREAKS})


@dataclass(frozen=True, slots=True)
class CheckChange:
    """One check, in both runs or in only one."""

    was: Checked | None
    now: Checked | None

    @property
    def checked(self) -> Checked:
        """The check in the new run or, if it is not there, in the old one."""
        found = self.now or self.was
        assert found, "a change is of a check that one of the two has"
        return found


@dataclass(frozen=True, slots=True)
class ReadingChange:
    """A disputed rule of a ruleset, and its readings in both runs; empty if a run did not observe it."""

    ruleset: str
    cell: str
    was: tuple[str, ...]
    now: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RunFact:
    """A fact about the runs that differs between them."""

    what: str
    was: str
    now: str


@dataclass(frozen=True)
class Changes:
    """The differences between two runs."""

    old: Record
    new: Record

    @cached_property
    def checks(self) -> Mapping[DiffKind, Sequence[CheckChange]]:
        """The checks that differ, by the kind of change; first in the order of the new run, then in that of the old
        one."""
        found: dict[DiffKind, list[CheckChange]] = {kind: [] for kind in DiffKind}
        for check in dict.fromkeys((*self.new.by_check, *self.old.by_check)):
            change = CheckChange(self.old.by_check.get(check), self.new.by_check.get(check))
            if kind := kind_of(change):
                found[kind].append(change)
        if self.old.seed != self.new.seed:  # a check that is relabelled differently always has other expectations
            found |= {DiffKind.OTHERWISE: [], DiffKind.EXPECTED: []}
        return {kind: some for kind, some in found.items() if some}

    @cached_property
    def readings(self) -> Sequence[ReadingChange]:
        """The disputed rules whose readings changed, if both runs are complete."""
        was, now = _readings(self.old), _readings(self.new)
        if self.old.cut_off or self.new.cut_off:
            return ()
        at = sorted({*was, *now})
        return [
            ReadingChange(*each, was.get(each, ()), now.get(each, ())) for each in at if was.get(each) != now.get(each)
        ]

    @cached_property
    def said(self) -> Sequence[RunFact]:
        """The facts that differ between the runs: the adapter, the suite, and how the checks were sent."""
        pairs = ((what, of(self.old), of(self.new)) for what, of in _ABOUT.items())
        return [RunFact(what, was, now) for what, was, now in pairs if was != now]

    @cached_property
    def claims(self) -> tuple[Sequence[str], Sequence[str]]:
        """The rulesets and words that are no longer claimed, and those that are newly claimed."""
        was, now = (each.implementation.rulesets | each.implementation.claims for each in (self.old, self.new))
        return sorted(was - now), sorted(now - was)

    @property
    def worse(self) -> bool:
        """Whether a check fails or breaks the conversation that did not before."""
        return not WORSE.isdisjoint(self.checks)

    @property
    def nothing(self) -> bool:
        """Whether there is no difference at all."""
        return not (self.checks or self.readings or self.said or any(self.claims))


def kind_of(change: CheckChange) -> DiffKind | None:
    """Return the kind of a change, or None if nothing differs."""
    was, now = state(change.was), state(change.now)
    if was is now:
        return _same(change.was, change.now) if change.was and change.now else None
    if now in _WRONG:
        if was is State.BREAKS:
            return DiffKind.NO_LONGER_BROKEN
        return DiffKind.BROKEN if now is State.BREAKS else DiffKind.FAILING
    if State.NOT_THERE in {was, now}:
        return DiffKind.NEW if was is State.NOT_THERE else DiffKind.GONE
    if now is State.PASSES:
        return DiffKind.PASSING if was in _WRONG else DiffKind.ASKED
    return DiffKind.NO_LONGER_DONE if now is State.NOT_DONE else DiffKind.NO_LONGER_ASKED


def state(of: Checked | None) -> State:
    """Return the state of a check; a failure counts as one even if a baseline expects it."""
    if of is None:
        return State.NOT_THERE
    if of.status in {Status.PASS, Status.UNEXPECTED_PASS}:
        return State.PASSES
    if of.status in {Status.CRASH, Status.TIMEOUT} or (of.status not in _UNDONE and of.code in FAULTS):
        return State.BREAKS
    if of.status not in _UNDONE:
        return State.FAILS
    return State.NOT_ASKED if of.lacks else State.NOT_DONE


def _same(was: Checked, now: Checked) -> DiffKind | None:
    """Return the difference in a check whose state is the same."""
    if state(now) in _WRONG and _compared(was) != _compared(now):
        expected = [[each[2] for each in _compared(of)] for of in (was, now)]
        return DiffKind.OTHERWISE if expected[0] == expected[1] else DiffKind.EXPECTED
    if (was.status, was.known, was.expected_status) != (now.status, now.known, now.expected_status):
        return DiffKind.BASELINE
    return DiffKind.READ if was.readings != now.readings else None


def _compared(of: Checked) -> list[tuple[Any, Any, Any, Any]]:
    return [(each["step"], each["what"], each["expected"], each["observed"]) for each in of.mismatches]


def _readings(record: Record) -> dict[tuple[str, str], tuple[str, ...]]:
    found = record.readings or {}
    return {(ruleset, cell): tuple(ways) for ruleset, cells in found.items() for cell, ways in cells.items()}


_ABOUT: Final[Mapping[str, Callable[[Record], str]]] = MappingProxyType(
    {
        "engine": lambda record: record.implementation.title,
        "language": lambda record: record.implementation.language,
        "suite": suite_version,
        "house rules": house_rules_name,
        "relabelling": lambda record: relabelling_name(record.seed),
        "Hoyle": lambda record: record.hoyle,
        "not run": lambda each: f"{each.not_run:,} of {each.selected:,} checks" if each.not_run else "nothing",
    }
)


def worse_by_cause(changes: Changes) -> Iterator[tuple[str, Sequence[CheckChange]]]:
    """Yield each cause in the order of the new run, with the checks that newly fail or break for it; each check occurs
    once."""
    left = {each.checked.check: each for kind in DiffKind if kind in WORSE for each in changes.checks.get(kind, ())}
    for cause in changes.new.causes:
        some = [left.pop(check) for check in cause.checks if check in left]
        if some:
            yield cause.says, some
    known = [each for each in left.values() if each.checked.known]
    if known:
        yield "they are in the baseline, and did not fail before", known
    if others := [each for each in left.values() if not each.checked.known]:
        yield "the record gives no cause", others


# ---- text for the terminal


#: The maximum numbers of checks shown for a cause, of checks named for a kind, and of causes shown, unless all are
#: requested.
_SHOWN: Final = 3
_NAMED: Final = 12
_CAUSES: Final = 20
#: The maximum length of a text in a comment; the output of a program may be longer.
_LONGEST: Final = 400  # characters
_BEFORE: Final = MappingProxyType(
    {
        **{state: str(state) for state in State},
        State.PASSES: "passed",
        State.FAILS: "failed",
        State.BREAKS: "broke the conversation",
    }
)
_UNFAIR: Final = frozenset({"suite", "house rules", "relabelling", "Hoyle"})


def diff_lines(changes: Changes, *, verbose: bool = False) -> Iterator[str]:
    """Yield the changes line by line, starting with the worst."""
    if changes.nothing:
        yield f"Nothing has changed: {totals_line(changes.new.results)}."
        return
    yield from _run_heading("old", changes.old)
    yield from _run_heading("new", changes.new)
    notes = list(run_notes(changes))
    if notes:
        yield ""
    for note in notes:
        yield from wrap(note, 0, 2)
    for says, some in worse_by_cause(changes):
        yield from _cause_lines(says, some, verbose=verbose)
    for kind, some in changes.checks.items():
        if kind not in WORSE:
            yield from ["", _kind_heading(kind, len(some)), *_check_lines(some, verbose=verbose)]
    if changes.readings:
        yield from ["", f"{plural(len(changes.readings), 'disputed rule')} read differently:"]
    for each in changes.readings:
        yield f"  {reading_line(each)}"
    yield from ["", *wrap(verdict(changes))]


def verdict(changes: Changes) -> str:
    """Return a sentence that says whether the results became worse or better."""
    said = [f"{len(some):,} {kind}" for kind, some in changes.checks.items() if kind in _TELLING]
    return f"{join_and(said)}.".capitalize() if said else "Nothing newly fails, and nothing newly passes."


_TELLING: Final = frozenset(
    {*WORSE, DiffKind.PASSING, DiffKind.NO_LONGER_DONE, DiffKind.NO_LONGER_ASKED, DiffKind.GONE, DiffKind.NEW}
)


def _kind_heading(kind: DiffKind, number: int) -> str:
    return f"{kind.capitalize()}: {plural(number, 'check')}"


def _run_heading(which: str, record: Record) -> Iterator[str]:
    of = record.implementation
    yield f"{which}  {of.title} ({of.language}), {record.started}: {totals_line(record.results)}"
    yield f"     {record.file}"


def run_notes(changes: Changes) -> Iterator[str]:
    """Yield the differences other than the results, one sentence for each."""
    for each in changes.said:
        yield f"Different {each.what}: {each.was} before, {each.now} now."
    if _UNFAIR & {each.what for each in changes.said}:
        yield "Some changes may not come from the engine: the checks or their expected outcomes may differ."
    for what, words in zip(("no longer", "newly"), changes.claims, strict=True):
        if words:
            more = f" and {len(words) - _NAMED} more" if len(words) > _NAMED else ""
            yield f"The engine {what} claims {', '.join(words[:_NAMED])}{more}."


def _cause_lines(says: str, some: Sequence[CheckChange], *, verbose: bool) -> Iterator[str]:
    yield ""
    yield _newly_failing(says, some)
    shown = some if verbose else some[:_SHOWN]
    for each in shown:
        yield f"  {each.checked.check}  ({_BEFORE[state(each.was)]} before)"
        yield f"    {each.checked.title}"
        for what, said in compared_sides(each):
            yield from wrap(f"{what}  {said}", 4, 10)
    if len(shown) < len(some):
        yield f"  and {len(some) - len(shown)} more (-v shows them)"


def _newly_failing(says: str, some: Sequence[CheckChange]) -> str:
    """Return the title of a cause, with the number of checks that newly fail or break for it."""
    kinds = Counter(map(kind_of, some))
    return f"{join_and([f'{count:,} {kind}' for kind, count in kinds.items()]).capitalize()}: {says}"


def compared_sides(change: CheckChange) -> Iterator[tuple[str, str]]:
    """Yield the expected and the observed value of a check that fails now, or the reason why nothing was compared; each
    text is shortened."""
    failure = change.checked.failure
    pairs = [("reason", change.checked.reason or "none given")]
    if failure and failure.steps:
        pairs = [("expected", failure.expected), ("observed", failure.observed)]
    for what, said in pairs:
        yield what, cut(" ".join(said.split()), _LONGEST)


def _check_lines(some: Sequence[CheckChange], *, verbose: bool) -> Iterator[str]:
    shown = some if verbose else some[:_NAMED]
    for each in shown:
        yield f"  {each.checked.check}  {_both_states(each)}"
    if len(shown) < len(some):
        yield f"  and {len(some) - len(shown)} more (-v names them)"


def _both_states(change: CheckChange) -> str:
    """Return both states if they are more specific than the kind of change."""
    was, now = change.was, change.now
    if was and now and was.readings != now.readings:
        return f"({' or '.join(was.readings) or 'nothing'} before, {' or '.join(now.readings) or 'nothing'} now)"
    if was and now and state(was) is state(now):
        return f"({was.status} before, {now.status} now)"
    return f"({_BEFORE[state(was)]} before, {state(now)} now)"


def reading_line(of: ReadingChange) -> str:
    """Return a disputed rule with its old and new readings."""
    was, now = (" or ".join(ways) or "not seen" for ways in (of.was, of.now))
    return f"{of.cell} of {of.ruleset}: {was} before, {now} now"


# ---- Markdown for a pull request


def markdown(changes: Changes) -> str:
    """Return the whole comment."""
    return "\n".join(_markdown_lines(changes)) + "\n"


def _markdown_lines(changes: Changes) -> Iterator[str]:
    of = changes.new.implementation
    yield BEGINS
    yield f"## Hoyle: what has changed in {text(of.title)}\n"
    if changes.nothing:
        yield f"Nothing has changed: {text(totals_line(changes.new.results))}."
        return
    yield f"**{text(verdict(changes))}**\n"
    yield f"- before: {text(totals_line(changes.old.results))}"
    yield f"- now: {text(totals_line(changes.new.results))}"
    yield from (f"- {text(note)}" for note in run_notes(changes))
    causes = list(worse_by_cause(changes))
    for says, some in causes[:_CAUSES]:
        yield f"\n### {text(_newly_failing(says, some))}\n"
        yield from _markdown_list(some, _SHOWN, _failed_before)
    if len(causes) > _CAUSES:
        yield f"\nAnd {len(causes) - _CAUSES} more causes."
    for kind, checks in changes.checks.items():
        if kind not in WORSE:
            yield f"\n<details><summary>{_kind_heading(kind, len(checks))}</summary>\n"
            yield from _markdown_list(checks, _NAMED, lambda each: text(_both_states(each)))
            yield "\n</details>"
    if changes.readings:
        yield f"\n<details><summary>{plural(len(changes.readings), 'disputed rule')} read differently</summary>\n"
        yield from (f"- {text(reading_line(each))}" for each in changes.readings)
        yield "\n</details>"


def _markdown_list(some: Sequence[CheckChange], most: int, said: Callable[[CheckChange], str]) -> Iterator[str]:
    for each in some[:most]:
        yield f"- {text(each.checked.title)} ({text(each.checked.check)}) {said(each)}"
    if len(some) > most:
        yield f"- and {len(some) - most} more"


def _failed_before(change: CheckChange) -> str:
    told = "".join(f"<br>{what}: {text(said)}" for what, said in compared_sides(change))
    return f"{_BEFORE[state(change.was)]} before{told}"


# ---- data for programs (`check`, `report` and `diff`)


def record_data(record: Record) -> dict[str, Any]:
    """Return a run as `report.schema.json#/$defs/run` describes it."""
    adapter = record.implementation
    return {
        "engine": {
            "name": adapter.name,
            "version": adapter.version,
            "language": adapter.language,
            "command": list(adapter.command),
        },
        "hoyle": record.hoyle,
        "suite": {"version": record.suite, "digest": record.digest},
        "seed": record.seed,
        "shard": record.shard,
        "sandbox": dict(record.sandbox) if record.sandbox else None,
        "started": record.started,
        "ended": record.ended,
        "exit": record.exit,
        "explained": record.explained,
        "broken": record.broken,
        "selected": record.selected,
        "totals": _totals(record.results),
        "rulesets": [_ruleset_data(record, name) for name in record.rulesets],
        "readings": {
            name: {cell: list(ways) for cell, ways in cells.items()} for name, cells in (record.readings or {}).items()
        },
        "causes": [_cause_data(each) for each in record.causes],
        "failures": [_failure_data(each) for each in record.failures],
    }


def _totals(results: Iterable[Checked]) -> dict[str, int]:
    """Return the number of checks with each status."""
    return dict(sorted(Counter(str(each.status) for each in results).items()))


def _ruleset_data(record: Record, name: str) -> dict[str, Any]:
    ruleset = record.rulesets[name]
    return {
        "ruleset": name,
        "title": ruleset.title,
        "game": ruleset.game,
        "claimed": name in record.claimed,
        "checks": ruleset.checks,
        "totals": _totals(record.of_rulesets[name]),
    }


def _cause_data(cause: CauseView) -> dict[str, Any]:
    rule = {"ruleset": cause.rule.ruleset, "cell": cause.rule.cell, "says": cause.rule.says} if cause.rule else None
    return {"cause": cause.id, "says": cause.says, "checks": list(cause.checks), "rule": rule}


def _failure_data(checked: Checked) -> dict[str, Any]:
    failure = checked.failure
    return {
        "check": checked.check,
        "title": checked.title,
        "status": str(checked.status),
        "file": checked.file,
        "line": checked.line,
        "cites": list(checked.cites),
        "reason": checked.reason,
        "remedy": checked.remedy,
        "expected": failure.expected if failure else "",
        "observed": failure.observed if failure else "",
        "again": failure.again if failure else "",
    }


def changes_data(changes: Changes) -> dict[str, Any]:
    """Return the changes between two runs, as `diff.schema.json` describes them."""
    gone, new = changes.claims
    return {
        "old": changes.old.file,
        "new": changes.new.file,
        "worse": changes.worse,
        "checks": [
            {"change": str(kind), **_change_data(each)} for kind, some in changes.checks.items() for each in some
        ],
        "readings": [
            {"ruleset": each.ruleset, "cell": each.cell, "was": list(each.was), "now": list(each.now)}
            for each in changes.readings
        ],
        "runs": [{"what": each.what, "was": each.was, "now": each.now} for each in changes.said],
        "claims": {"gone": list(gone), "new": list(new)},
    }


def _change_data(change: CheckChange) -> dict[str, Any]:
    was, now = (each and str(each.status) for each in (change.was, change.now))
    return {"check": change.checked.check, "title": change.checked.title, "was": was, "now": now}
