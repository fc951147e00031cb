"""The changes from one run to another: checks that newly fail or pass, disputed rules that are read otherwise, changed
expectations, and what else differs and may be the reason.

Nothing is refused: records of other engines, suites or seeds are compared, and these differences are reported first. A
baseline changes nothing, since a failure that was added to it in the same change would go unnoticed. A check that
fails now counts as newly failing, even if it was not run before.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.protocol.messages import FAULTS
from hoyle_conformance.reports.record import Checked, Record
from hoyle_conformance.reports.side_by_side import house_rules_name, relabelling_name, suite_version
from hoyle_conformance.runner.results import Status


class State(StrEnum):
    """The state of a check in one run, whatever a baseline expects of it."""

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


#: What nobody wants to see in a change: the command ends with 1.
WORSE: Final = frozenset({DiffKind.BROKEN, DiffKind.FAILING})
_UNDONE: Final = frozenset({Status.SKIPPED, Status.UNSUPPORTED})
_WRONG: Final = frozenset({State.FAILS, State.BREAKS})


@dataclass(frozen=True, slots=True)
class CheckChange:
    """One check in both runs, or in one of them."""

    was: Checked | None
    now: Checked | None

    @property
    def checked(self) -> Checked:
        """The check in the new run, or else in the old one."""
        found = self.now or self.was
        assert found, "a change is of a check that one of the two has"
        return found

    @property
    def mirrored(self) -> "CheckChange":
        """The change from the new run to the old one."""
        return CheckChange(self.now, self.was)


@dataclass(frozen=True, slots=True)
class ReadingChange:
    """A disputed rule of a ruleset, and its readings in both runs; none where nothing was seen of it."""

    ruleset: str
    cell: str
    was: tuple[str, ...]
    now: tuple[str, ...]

    @property
    def mirrored(self) -> "ReadingChange":
        """The change from the new run to the old one."""
        return ReadingChange(self.ruleset, self.cell, self.now, self.was)


@dataclass(frozen=True, slots=True)
class RunFact:
    """A fact about a run that differs in the other run."""

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
        """The checks that differ, by the kind of change, in the order of the new run and then of the old."""
        found: dict[DiffKind, list[CheckChange]] = {kind: [] for kind in DiffKind}
        for check in dict.fromkeys((*self.new.by_check, *self.old.by_check)):
            change = CheckChange(self.old.by_check.get(check), self.new.by_check.get(check))
            if kind := kind_of(change):
                found[kind].append(change)
        if self.old.seed != self.new.seed:  # what is expected of a check that was turned otherwise is always another
            found |= {DiffKind.OTHERWISE: [], DiffKind.EXPECTED: []}
        return {kind: some for kind, some in found.items() if some}

    @cached_property
    def readings(self) -> Sequence[ReadingChange]:
        """The disputed rules that are read otherwise, if both runs are whole."""
        was, now = _readings(self.old), _readings(self.new)
        if self.old.cut_off or self.new.cut_off:
            return ()
        at = sorted({*was, *now})
        return [
            ReadingChange(*each, was.get(each, ()), now.get(each, ())) for each in at if was.get(each) != now.get(each)
        ]

    @cached_property
    def said(self) -> Sequence[RunFact]:
        """The facts that differ: the adapter, the suite, and how the checks were sent."""
        pairs = ((what, of(self.old), of(self.new)) for what, of in _ABOUT.items())
        return [RunFact(what, was, now) for what, was, now in pairs if was != now]

    @cached_property
    def claims(self) -> tuple[Sequence[str], Sequence[str]]:
        """The rulesets and words that are no longer claimed, and those that newly are."""
        was, now = (each.implementation.rulesets | each.implementation.claims for each in (self.old, self.new))
        return sorted(was - now), sorted(now - was)

    @property
    def worse(self) -> bool:
        """Whether something fails or breaks that did not."""
        return not WORSE.isdisjoint(self.checks)

    @property
    def nothing(self) -> bool:
        """Whether nothing at all is different."""
        return not (self.checks or self.readings or self.said or any(self.claims))


def kind_of(change: CheckChange) -> DiffKind | None:
    """Return the kind of a change, or None where nothing differs."""
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
    """Return the state of a check; a failure counts as one also where a baseline expects it."""
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
    """Return what differs in a check whose state is the same."""
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


def _not_run(record: Record) -> str:
    return f"{record.not_run:,} of {record.selected:,} checks" if record.not_run else "nothing"


_ABOUT: Final[Mapping[str, Callable[[Record], str]]] = MappingProxyType(
    {
        "engine": lambda record: record.implementation.title,
        "language": lambda record: record.implementation.language,
        "suite": suite_version,
        "house rules": house_rules_name,
        "relabelling": lambda record: relabelling_name(record.seed),
        "Hoyle": lambda record: record.hoyle,
        "not run": _not_run,
    }
)


def worse_by_cause(changes: Changes) -> Iterator[tuple[str, Sequence[CheckChange]]]:
    """Yield what newly fails or breaks by cause, in the order of the new run's causes; each check once."""
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
