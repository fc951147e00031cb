"""Records of runs: one that is read can be reported in every form; any other is refused, with its place."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.reports import FORMATS, render
from hoyle_conformance.reports.diff import Changes, changes_data, diff_lines, record_data
from hoyle_conformance.reports.diff import markdown as changes_markdown
from hoyle_conformance.reports.load_record import record_of
from hoyle_conformance.reports.markdown import annotations
from hoyle_conformance.reports.record import Record
from hoyle_conformance.reports.side_by_side import comparison_text
from hoyle_conformance.reports.summary import summary_lines
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.engine_pages import engine_of

from .properties import assert_explained, assert_printable
from .target import Input, Read
from .words import MARKUP

VARIANTS: Final = ("run",)
_OTHER: Final = Path(__file__).parents[2] / "tests" / "records" / "wrong.jsonl"
_XML: Final = frozenset({"junit"})
_ESCAPED: Final = frozenset({"junit", "html", "markdown"})
_JSON: Final = frozenset({"endpoint"})


def prepare(_suite: Suite, _folder: Path) -> Read:
    """Return the function that reads records and reports them, also beside another."""
    other = record_of(_OTHER.read_bytes(), "other.jsonl")

    def read(given: Input) -> None:
        try:
            record = record_of(given.content, "run.jsonl")
        except Invalid as invalid:
            assert_explained(invalid, given.content)
            return
        _check_reports(record)
        _check_comparisons(record, other)

    return read


def _check_reports(record: Record) -> None:
    for name, (one, _) in FORMATS.items():
        text = render(one, record)
        assert name not in _ESCAPED or MARKUP not in text, name
        if name in _XML:
            ET.fromstring(text)  # noqa: S314 -- Hoyle has written it
        elif name in _JSON:
            json.loads(text)
    json.dumps(record_data(record), allow_nan=False)
    engine_of("engine", record)
    _check_lines(summary_lines(record))
    _check_lines(annotations(record))


def _check_comparisons(record: Record, other: Record) -> None:
    for changes in (Changes(other, record), Changes(record, other), Changes(record, record)):
        _check_lines(diff_lines(changes, verbose=True))
        assert MARKUP not in changes_markdown(changes)
        json.dumps(changes_data(changes), allow_nan=False)
    _check_lines(iter(comparison_text([record, other]).split("\n")))
    for _, several in FORMATS.values():
        assert not several or MARKUP not in render(several, [record, other])


def _check_lines(lines: Iterator[str]) -> None:
    for text in lines:
        for line in text.split("\n"):
            assert_printable(line)
