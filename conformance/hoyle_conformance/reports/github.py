"""The record of a run for GitHub Actions: an annotation for each cause, as commands on standard output."""

from collections.abc import Iterator
from textwrap import dedent
from typing import Final

from hoyle_conformance.reports.record import Record
from hoyle_conformance.reports.summary import cause_title, example_text
from hoyle_conformance.wording.failure_view import CauseView

#: GitHub shows so many errors of a step, and no more.
MOST: Final = 10
_LONGEST: Final = 4_000  # characters of a message, of which GitHub shows the first lines


def annotations(record: Record) -> Iterator[str]:
    """Yield a command for each annotation: first what is wrong with the run as a whole, then the causes.

    Where there are more than GitHub shows, the last says how many.
    """
    found = [*([_command("The run did not go as expected", record.broken)] if record.broken else [])]
    found += [_of_cause(record, cause) for cause in record.causes]
    if len(found) > MOST:
        left = len(found) - MOST + 1
        found[MOST - 1 :] = [_command(f"{left} causes more", "The summary of this step and the record list them all.")]
    yield from found


def _of_cause(record: Record, cause: CauseView) -> str:
    checked = record.by_check[cause.checks[0]]
    place = f"file={_property(checked.file)},line={checked.line or 1},"
    return _command(cause_title(cause), dedent(example_text(record, cause)), place)


def _command(says: str, message: str, place: str = "") -> str:
    shown = message if len(message) <= _LONGEST else f"{message[: _LONGEST - 1]}…"
    return f"::error {place}title={_property(says)}::{_data(shown)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
