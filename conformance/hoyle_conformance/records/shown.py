"""A record in short, for the terminal."""

from collections.abc import Iterator

from ..report.layout import counted, wrap
from .record import Record
from .words import title, totals


def in_short(record: Record) -> Iterator[str]:
    """Who was held against what and when, what became of the checks of each ruleset, and what went wrong, by cause."""
    of = record.implementation
    yield f"{record.file}: {of.title} ({of.language}), {record.started}"
    yield f"Hoyle {record.hoyle}, suite {record.suite} ({record.digest[:8]})"
    yield ""
    claimed = {name: results for name, results in record.of_rulesets.items() if name in of.rulesets}
    width = max(map(len, claimed), default=0)
    for name, results in claimed.items():
        yield f"  {name:<{width}}  {totals(results)}, of {counted(record.rulesets[name].checks, 'check')} in the suite"
    if others := len(record.rulesets) - len(claimed):
        yield f"  {counted(others, 'other ruleset')} not claimed"
    yield from _causes(record)
    if record.broken or record.explained:
        yield ""
        yield from wrap(record.broken)
        yield from wrap(record.explained)


def _causes(record: Record) -> Iterator[str]:
    if record.causes:
        yield ""
    for number, cause in enumerate(record.causes, start=1):
        yield f"  {number:>3}. {title(cause)}, such as {cause.example}"
