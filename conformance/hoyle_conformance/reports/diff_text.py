"""The changes between two runs as text: for the terminal, and in Markdown for a pull request."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from types import MappingProxyType
from typing import Final

from hoyle_conformance.reports import diff
from hoyle_conformance.reports.diff import Changes, CheckChange, DiffKind, ReadingChange, State, state
from hoyle_conformance.reports.markdown import BEGINS, text
from hoyle_conformance.reports.record import Record
from hoyle_conformance.reports.summary import totals_line
from hoyle_conformance.wording.text import join_and, plural, wrap

#: So many checks of a kind, or of a cause, are shown, and so many causes, unless all are asked for.
_SHOWN: Final = 3
_NAMED: Final = 12
_CAUSES: Final = 20
#: In a comment a text may be so long; what a program has said may be longer.
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
    """Yield the changes line by line, the worst first."""
    if changes.nothing:
        yield f"Nothing has changed: {totals_line(changes.new.results)}."
        return
    yield from _run_heading("old", changes.old)
    yield from _run_heading("new", changes.new)
    yield from _note_lines(changes)
    for says, some in diff.worse_by_cause(changes):
        yield from _cause_lines(says, some, verbose=verbose)
    for kind, some in changes.checks.items():
        if kind not in diff.WORSE:
            yield from ["", _kind_heading(kind, len(some)), *_check_lines(some, verbose=verbose)]
    yield from _reading_lines(changes.readings)
    yield from ["", *wrap(verdict(changes))]


def verdict(changes: Changes) -> str:
    """Return what has become worse or better, in a sentence."""
    said = [f"{len(some):,} {kind}" for kind, some in changes.checks.items() if kind in _TELLING]
    return f"{join_and(said)}.".capitalize() if said else "Nothing newly fails, and nothing newly passes."


_TELLING: Final = frozenset(
    {*diff.WORSE, DiffKind.PASSING, DiffKind.NO_LONGER_DONE, DiffKind.NO_LONGER_ASKED, DiffKind.GONE, DiffKind.NEW}
)


def _kind_heading(kind: DiffKind, number: int) -> str:
    return f"{kind.capitalize()}: {plural(number, 'check')}"


def _run_heading(which: str, record: Record) -> Iterator[str]:
    of = record.implementation
    yield f"{which}  {of.title} ({of.language}), {record.started}: {totals_line(record.results)}"
    yield f"     {record.file}"


def _note_lines(changes: Changes) -> Iterator[str]:
    """Yield what else differs between the runs, and may be the reason."""
    notes = list(run_notes(changes))
    if notes:
        yield ""
    for note in notes:
        yield from wrap(note, 0, 2)


def run_notes(changes: Changes) -> Iterator[str]:
    """Yield what differs beside the results, a sentence each."""
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
    """Return what went wrong, with the number of checks that newly fail or break for it."""
    kinds = Counter(map(diff.kind_of, some))
    return f"{join_and([f'{count:,} {kind}' for kind, count in kinds.items()]).capitalize()}: {says}"


def compared_sides(change: CheckChange) -> Iterator[tuple[str, str]]:
    """Yield what was expected and observed of a check that fails now, or why nothing was compared; in short."""
    failure = change.checked.failure
    pairs = [("reason", change.checked.reason or "none given")]
    if failure and failure.steps:
        pairs = [("expected", failure.expected), ("observed", failure.observed)]
    for what, said in pairs:
        line = " ".join(said.split())
        yield what, line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _check_lines(some: Sequence[CheckChange], *, verbose: bool) -> Iterator[str]:
    shown = some if verbose else some[:_NAMED]
    for each in shown:
        yield f"  {each.checked.check}  {_both_states(each)}"
    if len(shown) < len(some):
        yield f"  and {len(some) - len(shown)} more (-v names them)"


def _both_states(change: CheckChange) -> str:
    """Return both states, where they say more than the kind of change."""
    was, now = change.was, change.now
    if was and now and was.readings != now.readings:
        return f"({' or '.join(was.readings) or 'nothing'} before, {' or '.join(now.readings) or 'nothing'} now)"
    if was and now and state(was) is state(now):
        return f"({was.status} before, {now.status} now)"
    return f"({_BEFORE[state(was)]} before, {state(now)} now)"


def _reading_lines(readings: Sequence[ReadingChange]) -> Iterator[str]:
    if readings:
        yield from ["", f"{plural(len(readings), 'disputed rule')} read differently:"]
    for each in readings:
        yield f"  {reading_line(each)}"


def reading_line(of: ReadingChange) -> str:
    """Return how a disputed rule was and is read."""
    was, now = (" or ".join(ways) or "not seen" for ways in (of.was, of.now))
    return f"{of.cell} of {of.ruleset}: {was} before, {now} now"


# ---- Markdown


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
    causes = list(diff.worse_by_cause(changes))
    for says, some in causes[:_CAUSES]:
        yield f"\n### {text(_newly_failing(says, some))}\n"
        yield from _markdown_list(some, _SHOWN, _failed_before)
    if len(causes) > _CAUSES:
        yield f"\nAnd {len(causes) - _CAUSES} more causes."
    for kind, checks in changes.checks.items():
        if kind not in diff.WORSE:
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
