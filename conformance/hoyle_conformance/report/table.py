"""The tables of a run, one for each game: one column a ruleset, one row a topic, and one for each option; in each place
how many passed of those that ran."""

from collections import Counter
from collections.abc import Iterable

from rich.table import Table

from ..run.results import FAILED, Result, Status

Counts = Counter[str]


def table(results: Iterable[Result]) -> Table:
    """The table of these results, with the sums of its columns below. A check under an option counts in the row of the
    option, and not in that of its topic."""
    counts: dict[tuple[str, str], Counts] = {}
    for result in results:
        ruleset, plus, option = result.check.ruleset.partition("+")
        row = plus + option or result.check.scenario.topic
        counts.setdefault((row, ruleset), Counter())[_kind(result.status)] += 1
    rulesets = sorted({ruleset for _, ruleset in counts})
    drawn = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    drawn.add_column("topic", overflow="fold")
    for ruleset in rulesets:
        heading = ruleset.replace("-", "-\n", 1) if len(rulesets) > 1 else ruleset
        drawn.add_column(heading, justify="right", no_wrap=True)
    rows = sorted({row for row, _ in counts}, key=lambda row: (row.startswith("+"), row))
    for row in rows:
        drawn.add_row(row, *(_entry(counts.get((row, ruleset), Counter())) for ruleset in rulesets))
    if any(count["not run"] for count in counts.values()):
        drawn.caption = "+N: so many not run"
        drawn.caption_justify = "left"
    sums = [sum((counts.get((row, ruleset), Counter()) for row in rows), Counter()) for ruleset in rulesets]
    drawn.add_section()
    drawn.add_row("all", *map(_entry, sums), style="bold")
    return drawn


def _kind(status: Status) -> str:
    if status is Status.PASS:
        return "passed"
    return "failed" if status in FAILED else "known" if status is Status.EXPECTED_FAILURE else "not run"


def _entry(count: Counts) -> str:
    ran = count["passed"] + count["failed"] + count["known"]
    left = f"[dim]+{count['not run']}[/]" if count["not run"] else ""
    if not ran:
        return left
    color = "red" if count["failed"] else "yellow" if count["known"] else "green"
    return f"[{color}]{count['passed']} of {ran}[/] {left}".rstrip()
