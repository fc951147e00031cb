"""A record in short, for the terminal."""

from collections.abc import Iterator
from typing import Final

from hoyle_conformance.reports.record import Record
from hoyle_conformance.reports.status_words import of_suite, title, totals
from hoyle_conformance.wording.text import counted, wrap

_SHORT: Final = 94  # characters


def in_short(record: Record) -> Iterator[str]:
    """Who was held against what and when, what became of the checks of each ruleset, and what went wrong, by cause."""
    of = record.implementation
    yield f"{record.file}: {of.title} ({' '.join(of.language.split())}), {record.started}"
    yield f"Hoyle {record.hoyle}, suite {of_suite(record)}"
    yield ""
    width = max(map(len, record.claimed), default=0)
    for name, results in record.claimed.items():
        yield f"  {name:<{width}}  {totals(results)}, of {counted(record.rulesets[name].checks, 'check')} in the suite"
    if others := len(record.rulesets) - len(record.claimed):
        yield f"  {counted(others, 'other ruleset')} not claimed"
    yield from _causes(record)
    if record.broken or record.explained:
        yield ""
        yield from wrap(record.broken)
    if record.explained:  # how the run ended, not this command
        yield from wrap(f"The run ended with {record.explained}")


def _causes(record: Record) -> Iterator[str]:
    if record.causes:
        yield ""
    for number, cause in enumerate(record.causes, start=1):
        said = title(cause)
        yield f"  {number:>3}. {said if len(said) <= _SHORT else f'{said[: _SHORT - 1]}…'}"
        yield f"       such as {cause.checks[0]}"
