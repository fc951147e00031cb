"""The report of a run, for the terminal: by topic and ruleset, what went wrong, the totals, and what to do next."""

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


def say(console: Console, text: str = "") -> None:
    """Print a line of text: no line breaks but its own, and no colours but those marked in it."""
    console.print(text, highlight=False, soft_wrap=True)


def heading(console: Console, suite: Suite, ready: Ready, command: Sequence[str]) -> None:
    """Who is held against what."""
    say(console, f"Hoyle {__version__}, suite {suite.version} ({suite.digest[:8]})")
    how = " ".join(command) if command else _BUILT_IN
    say(
        console,
        f"Checking: [bold]{_safe(ready.name)} {_safe(ready.version)}[/] ({_safe(ready.language)}), {_safe(how)}",
    )


def report(console: Console, suite: Suite, run: Run, *, failures: int, verbose: bool) -> None:
    """The whole report of a finished run; at most so many `failures` are shown in full."""
    heading(console, suite, run.ready, run.command)
    say(console)
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
    say(console, "\nWhere the source does not decide, this implementation follows:")
    for result in followed:
        own = "" if result.reading == result.check.follows else f"  (the table follows {result.check.follows})"
        say(console, f"  {result.check.id}: reading({result.reading}){own}")


def _unsupported(console: Console, results: Sequence[Result]) -> None:
    unsupported = [result for result in results if result.status is Status.UNSUPPORTED]
    if not unsupported:
        return
    needs = Counter(need for result in unsupported for need in (result.reason or "no reason given").split(", "))
    say(console, f"\n{len(unsupported)} unsupported: they need what this implementation does not claim.")
    for need, count in sorted(needs.items()):
        say(console, f"  {_safe(need)}: {count}")


def _failures(console: Console, suite: Suite, run: Run, most: int) -> None:
    failed = [result for result in run.results if result.status in FAILED]
    for result in failed[:most]:
        say(console)
        say(console, escape(failure(suite, result, run.command)))
    if len(failed) > most:
        say(console, f"\nand {len(failed) - most} more:")
        for result in failed[most:]:
            say(console, f"  {result.status}  {result.check.id}")


def _next_steps(console: Console, run: Run) -> None:
    say(console)
    if run.gave_up:
        say(console, f"[red]{run.gave_up}: {run.not_run} checks were not run.[/]")
    failed = [result for result in run.results if result.status in FAILED]
    if failed:
        scenario = failed[0].check.scenario.id
        say(
            console,
            f"Next: look at one of them with 'hoyle explain {scenario}', and mend the engine or its adapter.",
        )
        say(
            console,
            "A failure you want to live with for now goes into a file, one check a line: --baseline FILE.",
        )
    elif not run.command:
        say(console, "Next: hold your own engine against the suite with 'hoyle check -- COMMAND'.")
        say(
            console,
            "Writing the adapter is described in spec/PROTOCOL.md; 'hoyle explain ID' shows any scenario step by step.",
        )
    elif any(result.ran for result in run.results):
        say(console, "Everything that this implementation claims is as the sources have it.")
    else:
        say(console, "Nothing was run: every check was skipped, or needs what this implementation does not claim.")


def _totals(console: Console, run: Run) -> None:
    odd = {Status.EXPECTED_FAILURE, Status.UNEXPECTED_PASS, Status.ERROR, Status.TIMEOUT, Status.CRASH}
    parts = [f"{status} {run.totals[status]}" for status in Status if status in odd and run.totals[status]]
    if parts:
        say(console, f"Among them: {', '.join(parts)}.")
    if run.count([Status.UNSUPPORTED]):
        say(console, f"{run.count([Status.UNSUPPORTED])} unsupported")
    color = "red" if run.count(FAILED) or run.exit else "green"
    say(
        console,
        f"[bold {color}]{run.count(PASSED)} passed, {run.count(FAILED)} failed, {run.count(SKIPPED)} skipped[/]",
    )


def _safe(text: str) -> str:
    """Text from an adapter, made harmless for the terminal."""
    return escape("".join(char if char.isprintable() else "�" for char in text))
