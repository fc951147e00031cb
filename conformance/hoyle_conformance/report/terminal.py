"""The report of a run, for the terminal: by topic and ruleset, then what went wrong, the totals, and what to do next."""

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .. import __version__
from ..protocol.messages import Ready
from ..run.results import FAILED, PASSED, SKIPPED, Result, Run, Status
from ..suite.load import Suite
from .failure import failure

_BUILT_IN = "built in"


def heading(console: Console, suite: Suite, ready: Ready, command: Sequence[str]) -> None:
    """Who is held against what."""
    console.print(f"Hoyle {__version__}, suite {suite.version} ({suite.digest[:8]})", highlight=False)
    how = " ".join(command) if command else _BUILT_IN
    console.print(
        f"Checking: [bold]{_safe(ready.name)} {_safe(ready.version)}[/] ({_safe(ready.language)}), {_safe(how)}", highlight=False
    )


def report(console: Console, suite: Suite, run: Run, *, failures: int, verbose: bool) -> None:
    """The whole report of a finished run; at most so many `failures` are shown in full."""
    heading(console, suite, run.ready, run.command)
    console.print()
    console.print(_table(run.results))
    if verbose or run.command:
        _readings(console, run.results)
    _unsupported(console, run.results)
    _failures(console, suite, run, failures)
    _next_steps(console, run)
    _totals(console, run)


def _table(results: Iterable[Result]) -> Table:
    """One row a topic, one column a ruleset; each entry says how many passed of those that ran."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for result in results:
        key = result.check.scenario.topic, result.check.ruleset
        kind = "passed" if result.status in PASSED else "failed" if result.status in FAILED else "left"
        counts.setdefault(key, Counter())[kind] += 1
    topics = sorted({topic for topic, _ in counts})
    rulesets = sorted({ruleset for _, ruleset in counts})
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("topic")
    for ruleset in rulesets:
        table.add_column(ruleset.replace("+", "\n+"), justify="right")
    for topic in topics:
        table.add_row(topic, *(_entry(counts.get((topic, ruleset))) for ruleset in rulesets))
    sums = [_sum(counts, ruleset) for ruleset in rulesets]
    table.add_section()
    table.add_row("all", *map(_entry, sums), style="bold")
    return table


def _sum(counts: dict[tuple[str, str], Counter[str]], ruleset: str) -> Counter[str]:
    total: Counter[str] = Counter()
    for (_, each), count in counts.items():
        if each == ruleset:
            total += count
    return total


def _entry(count: Counter[str] | None) -> str:
    if not count:
        return ""
    ran = count["passed"] + count["failed"]
    if not ran:
        return f"[dim]{count['left']} not run[/]"
    color = "green" if not count["failed"] else "red"
    left = f" [dim]+{count['left']} not run[/]" if count["left"] else ""
    return f"[{color}]{count['passed']} of {ran}[/]{left}"


def _readings(console: Console, results: Iterable[Result]) -> None:
    followed = [result for result in results if result.reading]
    if not followed:
        return
    console.print("\nWhere the source does not decide, this implementation follows:")
    for result in followed:
        own = "" if result.reading == result.check.follows else f"  (the table follows {result.check.follows})"
        console.print(f"  {result.check.id}: reading({result.reading}){own}", highlight=False, soft_wrap=True)


def _unsupported(console: Console, results: Sequence[Result]) -> None:
    unsupported = [result for result in results if result.status is Status.UNSUPPORTED]
    if not unsupported:
        return
    needs = Counter(need for result in unsupported for need in (result.reason or "no reason given").split(", "))
    console.print(f"\n{len(unsupported)} unsupported: they need what this implementation does not claim.")
    for need, count in sorted(needs.items()):
        console.print(f"  {_safe(need)}: {count}", highlight=False)


def _failures(console: Console, suite: Suite, run: Run, most: int) -> None:
    failed = [result for result in run.results if result.status in FAILED]
    for result in failed[:most]:
        console.print()
        console.print(escape(failure(suite, result, run.command)), highlight=False, soft_wrap=True)
    if len(failed) > most:
        console.print(f"\nand {len(failed) - most} more:")
        for result in failed[most:]:
            console.print(f"  {result.status}  {result.check.id}", highlight=False, soft_wrap=True)


def _next_steps(console: Console, run: Run) -> None:
    console.print()
    if run.gave_up:
        console.print(f"[red]{run.gave_up}: {run.not_run} checks were not run.[/]")
    failed = [result for result in run.results if result.status in FAILED]
    if failed:
        scenario = failed[0].check.scenario.id
        console.print(f"Next: look at one of them with 'hoyle explain {scenario}', and mend the engine or its adapter.", highlight=False)
        console.print("A failure you want to live with for now goes into a file, one check a line: --baseline FILE.", highlight=False)
    elif not run.command:
        console.print("Next: hold your own engine against the suite with 'hoyle check -- COMMAND'.", highlight=False)
        console.print("Writing the adapter is described in spec/PROTOCOL.md; 'hoyle explain ID' shows any scenario step by step.", highlight=False)
    elif any(result.ran for result in run.results):
        console.print("Everything that this implementation claims is as the sources have it.")
    else:
        console.print("Nothing was run: the implementation claims no ruleset and capability that the selected checks need.")


def _totals(console: Console, run: Run) -> None:
    odd = {Status.EXPECTED_FAILURE, Status.UNEXPECTED_PASS, Status.ERROR, Status.TIMEOUT, Status.CRASH}
    parts = [f"{status} {run.totals[status]}" for status in Status if status in odd and run.totals[status]]
    if parts:
        console.print(f"Among them: {', '.join(parts)}.", highlight=False)
    if run.count([Status.UNSUPPORTED]):
        console.print(f"{run.count([Status.UNSUPPORTED])} unsupported")
    color = "red" if run.count(FAILED) or run.exit else "green"
    console.print(
        f"[bold {color}]{run.count(PASSED)} passed, {run.count(FAILED)} failed, {run.count(SKIPPED)} skipped[/]", highlight=False
    )


def _safe(text: str) -> str:
    """Text from an adapter, made harmless for the terminal."""
    return escape("".join(char if char.isprintable() else "�" for char in text))
