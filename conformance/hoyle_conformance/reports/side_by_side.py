"""Several records side by side, by ruleset and topic: as values, as text for the terminal, and in Markdown."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.reports.markdown import BEGINS, text
from hoyle_conformance.reports.record import Record
from hoyle_conformance.reports.summary import NOTHING, Count, count_by_topic
from hoyle_conformance.wording.text import cut, join_and, plural, wrap

#: The width of a terminal in columns, as in other reports; and of it the widths for the names of rulesets, and for each
#: engine.
_WIDTH: Final = 100
_FIRST: Final = 26
_EACH: Final = 18


@dataclass(frozen=True, slots=True)
class Column:
    """One record, by its number and a unique name; its checks are counted by ruleset and row."""

    number: int
    name: str
    record: Record
    counts: Mapping[str, Mapping[str, Count]]

    def total(self, ruleset: str) -> Count:
        """Return the total count of a ruleset."""
        return sum(self.counts.get(ruleset, {}).values(), NOTHING)

    def at(self, ruleset: str, row: str) -> Count:
        """Return the count of one row of a ruleset."""
        return self.counts.get(ruleset, {}).get(row, NOTHING)

    def why_nothing(self, ruleset: str) -> str:
        """Return the reason why no check of a ruleset was sent."""
        claimed = any(name.partition("+")[0] == ruleset for name in self.record.implementation.rulesets)
        return "not sent" if claimed else "not claimed"


def columns(records: Sequence[Record]) -> Sequence[Column]:
    """Return a column for each record, in the order given."""
    names = _unique_names(records)
    return [Column(at + 1, names[at], each, count_by_topic(each)) for at, each in enumerate(records)]


def rulesets_in(some: Sequence[Column]) -> Sequence[str]:
    """Return the rulesets, sorted by name, for which at least one column was sent a check."""
    return sorted({name for each in some for name in each.counts})


def rows_of(some: Sequence[Column], ruleset: str) -> Sequence[str]:
    """Return the topics of a ruleset, and then its options."""
    found = {row for each in some for row in each.counts.get(ruleset, {})}
    return sorted(found, key=lambda row: (row.startswith("+"), row))


def ruleset_title(some: Sequence[Column], ruleset: str) -> str:
    """Return the title of a ruleset."""
    return next((each.record.rulesets[ruleset].title for each in some if ruleset in each.record.rulesets), ruleset)


def _unique_names(records: Sequence[Record]) -> list[str]:
    """Return a unique name for each record.

    The name is the engine's name; engines with the same name also get their version, and then the record's number. If
    an engine's own name looks like one of these, all names begin with their number.
    """
    of = [each.implementation for each in records]
    names = _replace_repeated([" ".join(each.name.split()) for each in of], [each.title for each in of])
    names = _replace_repeated(names, [f"{name} (record {number})" for number, name in enumerate(names, start=1)])
    return names if len({*names}) == len(names) else [f"{number}. {name}" for number, name in enumerate(names, start=1)]


def _replace_repeated(names: list[str], others: list[str]) -> list[str]:
    """Return the names, replacing each repeated one with its alternative."""
    times = Counter(names)
    return [other if times[name] > 1 else name for name, other in zip(names, others, strict=True)]


# ---- differences that make the comparison unfair


def warnings(some: Sequence[Column]) -> Iterator[str]:
    """Yield the differences, other than the engines, that make the comparison unfair, one sentence for each."""
    yield from _differences(some, "different suites", suite_version)
    yield from _differences(some, "different house rules", house_rules_name)
    yield from _differences(some, "checks that were relabelled differently", lambda each: relabelling_name(each.seed))
    if len({frozenset(each.record.by_check) for each in some if not each.record.not_run}) > 1:
        chosen = [f"{plural(each.record.selected, 'check')} for {each.name}" for each in some]
        yield f"The engines were not sent the same checks: {join_and(chosen)}."
    yield from _differences(some, "different versions of Hoyle", lambda each: each.hoyle)
    for each in some:
        if each.record.not_run or each.record.cut_off:
            yield f"{each.name}: {each.record.broken or 'not every check was run.'}"


def suite_version(record: Record) -> str:
    """Return the version of a record's suite and the beginning of its digest."""
    return f"{record.suite} ({record.digest[:8]})"


def house_rules_name(record: Record) -> str:
    """Return the name of the house rules that were joined to the suite."""
    return str(record.house["id"]) if record.house else "none"


def relabelling_name(of: str | None) -> str:
    """Return a short description of how checks are relabelled."""
    return "as written" if of is None else f"by '{of}'" if of else "as usual"


def selection(record: Record) -> str:
    """Return the number of selected checks, and how they are relabelled."""
    return f"{record.selected:,}, {'' if record.seed is None else 'relabelled '}{relabelling_name(record.seed)}"


def _differences(some: Sequence[Column], what: str, of: Callable[[Record], str]) -> Iterator[str]:
    found: dict[str, list[str]] = {}
    for each in some:
        found.setdefault(of(each.record), []).append(each.name)
    if len(found) > 1:
        yield (f"They were sent {what}: " + "; ".join(f"{which} for {join_and(n)}" for which, n in found.items()) + ".")


# ---- text for the terminal


def comparison_text(records: Sequence[Record]) -> str:
    """Return the whole report for a terminal."""
    return "\n".join(_comparison_lines(columns(records))) + "\n"


def _comparison_lines(some: Sequence[Column]) -> Iterator[str]:
    """Yield the engines, the reasons why the comparison is unfair, and the passed checks among those sent, with the
    topics that have failures."""
    for each in some:
        of, record = each.record.implementation, each.record
        yield f"{each.number}  {of.title} ({of.language}), suite {suite_version(record)}, {record.started}"
        yield f"   {record.file}"
    for warning in warnings(some):
        yield from ["", *wrap(warning, 0, 2)]
    at_once = (_WIDTH - _FIRST) // _EACH
    for first in range(0, len(some), at_once):
        yield from _table(some, some[first : first + at_once])
    yield ""
    yield "Each figure gives the checks that passed, of those sent. Hoyle does not send what an engine does not claim."
    yield "Topics without failures are left out; --html and --markdown include them."


def _table(some: Sequence[Column], shown: Sequence[Column]) -> Iterator[str]:
    yield ""
    yield _line("ruleset, topic", [f"{each.number} {each.name}" for each in shown])
    for ruleset in rulesets_in(some):
        yield _line(ruleset, [cell_text(each, ruleset, None) for each in shown])
        for row in rows_of(some, ruleset):
            if any(each.at(ruleset, row).failed for each in some):
                yield _line(f"  {row}", [cell_text(each, ruleset, row) for each in shown])


def _line(first: str, others: Sequence[str]) -> str:
    cells = [cut(first, _FIRST - 2).ljust(_FIRST), *(cut(each, _EACH - 2).ljust(_EACH) for each in others)]
    return "".join(cells).rstrip()


def cell_text(column: Column, ruleset: str, row: str | None) -> str:
    """Return the passed checks among those sent, for a ruleset or one of its rows; or the reason why none was sent."""
    count = column.total(ruleset) if row is None else column.at(ruleset, row)
    return str(count) if count.asked else column.why_nothing(ruleset)


# ---- Markdown


def markdown(records: Sequence[Record]) -> str:
    """Return the whole page."""
    return "\n".join(_markdown_lines(columns(records))) + "\n"


def _markdown_lines(some: Sequence[Column]) -> Iterator[str]:
    yield BEGINS
    yield "## Engines side by side"
    yield ""
    yield _row(["Engine", "Version", "Language", "Suite", "Checks", "When"])
    yield _row(["---"] * 6)
    for each in some:
        of, record = each.record.implementation, each.record
        yield _row(
            map(text, (each.name, of.version, of.language, suite_version(record), selection(record), record.started))
        )
    for warning in warnings(some):
        yield f"\n> **{text(warning)}**"
    yield (
        "\nEach figure gives the checks that passed, of those sent. Hoyle does not send what an engine does not claim, "
        "and does not count it as a failure.\n"
    )
    names = rulesets_in(some)
    totals = {f"{ruleset_title(some, name)}, {name}": [cell_text(each, name, None) for each in some] for name in names}
    yield from _grid(some, "Ruleset", totals)
    for name in names:
        topics = {row: [cell_text(each, name, row) for each in some] for row in rows_of(some, name)}
        yield f"\n<details><summary>{text(ruleset_title(some, name))}, by topic</summary>\n"
        yield from _grid(some, "Topic", topics)
        yield "\n</details>"


def _grid(some: Sequence[Column], first: str, rows: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield a table with a row for each of these names, and a column for each engine."""
    yield _row([first, *(text(each.name) for each in some)])
    yield _row(["---", *["---:"] * len(some)])
    for name, cells in rows.items():
        yield _row([text(name), *cells])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
