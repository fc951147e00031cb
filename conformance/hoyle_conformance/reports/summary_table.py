"""The tables of a run, one for each game: a column for each ruleset, a row for each topic and each option, in each
place how many passed of those that ran; and the same by the rungs of the ladder, in a line."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from rich.table import Table
from rich.text import Text

from hoyle_conformance.runner.results import FAILED, Result, Status
from hoyle_conformance.suite.semantics import RUNGS, rung_of_topic

Counts = Counter[str]
_NOT_RUN: Final = "not run"
#: Between two columns, and what the sum of a column may come to (characters).
_GAP: Final = 2
_WIDEST_SUM: Final = len("999 of 999")


def tables(results: Iterable[Result], width: int) -> Iterator[Table]:
    """Yield the tables of these results, as many columns in each as the width (characters) allows, with the sums below.

    A check under an option counts in the row of the option, and not in that of its topic. Rows in which nothing ran are
    left out, unless there are no others.
    """
    alike = Counter((each.check.ruleset, each.check.scenario.topic, each.status) for each in results)
    counts: dict[tuple[str, str], Counts] = defaultdict(Counter)
    for (name, topic, status), times in alike.items():
        ruleset, plus, option = name.partition("+")
        counts[plus + option or topic, ruleset][_kind(status)] += times
    ran = {row for (row, _), count in counts.items() if count.keys() - {_NOT_RUN}}
    for rulesets in _fitting_groups(counts, width):
        yield _table({key: count for key, count in counts.items() if key[1] in rulesets}, rulesets, ran)


def ladder_line(results: Iterable[Result]) -> str:
    """Return how many checks passed on each rung of the ladder, of those that ran; nothing if only one rung ran."""
    counts: dict[str, Counts] = {rung.name: Counter() for rung in RUNGS}
    for each in results:
        counts[rung_of_topic(each.check.scenario.topic).name][_kind(each.status)] += 1
    ran = {name: count for name, count in counts.items() if count.keys() - {_NOT_RUN}}
    return f"Ladder: {' · '.join(f'{name} {_passed(count)}' for name, count in ran.items())}" if len(ran) > 1 else ""


def _passed(count: Counts) -> str:
    return f"{count['passed']} of {count['passed'] + count['failed'] + count['known']}"


def _fitting_groups(counts: Mapping[tuple[str, str], Counts], width: int) -> Iterator[list[str]]:
    """Yield the rulesets in groups that fit side by side."""
    rulesets = sorted({ruleset for _, ruleset in counts})
    left = room = width - max(len(row) for row, _ in counts) - _GAP
    group: list[str] = []
    for ruleset in rulesets:
        entries = (
            Text.from_markup(_entry(count), emoji=False).cell_len
            for (_, each), count in counts.items()
            if each == ruleset
        )
        heading = _heading(ruleset) if len(rulesets) > 1 else ruleset
        needed = _GAP + max(*map(len, heading.splitlines()), _WIDEST_SUM, *entries)
        if group and needed > left:
            yield group
            group, left = [], room
        group.append(ruleset)
        left -= needed
    yield group


def _heading(ruleset: str) -> str:
    return ruleset.replace("-", "-\n", 1)


def _table(counts: Mapping[tuple[str, str], Counts], rulesets: Sequence[str], ran: Collection[str]) -> Table:
    drawn = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0))
    drawn.add_column("topic", overflow="fold")
    for ruleset in rulesets:
        drawn.add_column(_heading(ruleset) if len(rulesets) > 1 else ruleset, justify="right", no_wrap=True)
    rows = sorted({row for row, _ in counts}, key=lambda row: (row.startswith("+"), row))
    for row in [row for row in rows if row in ran] or rows:
        drawn.add_row(row, *(_entry(counts.get((row, ruleset), Counter())) for ruleset in rulesets))
    if any(count[_NOT_RUN] for count in counts.values()):
        drawn.caption = "+N: N checks not run"
        drawn.caption_justify = "left"
    sums = [sum((counts.get((row, ruleset), Counter()) for row in rows), Counter()) for ruleset in rulesets]
    drawn.add_section()
    drawn.add_row("all", *map(_entry, sums), style="bold")
    return drawn


def _kind(status: Status) -> str:
    if status in {Status.PASS, Status.UNEXPECTED_PASS}:
        return "passed"
    return "failed" if status in FAILED else "known" if status is Status.EXPECTED_FAILURE else _NOT_RUN


def _entry(count: Counts) -> str:
    left = f"[dim]+{count[_NOT_RUN]}[/]" if count[_NOT_RUN] else ""
    if not count.keys() - {_NOT_RUN}:
        return left
    color = "red" if count["failed"] else "yellow" if count["known"] else "green"
    return f"[{color}]{_passed(count)}[/] {left}".rstrip()
