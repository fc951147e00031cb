"""What was checked and what went wrong, in every format; `FORMATS` has those that are written to a file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """A format of reports: the help of its option, the name and the beginning of its files, and the functions of this
    package that write one record, or several side by side."""

    help: str
    kind: str
    begins: re.Pattern[bytes]
    one: str
    several: str = ""


#: The formats by their options. The functions are imported when they are called.
FORMATS: Final[Mapping[str, ReportFormat]] = MappingProxyType(
    {
        "junit": ReportFormat(
            "Write JUnit XML, for GitLab and Jenkins.",
            "a report in JUnit XML",
            re.compile(rb'<\?xml version="1.0" encoding="UTF-8"\?>\s*<testsuites name="hoyle"'),
            "junit:junit",
        ),
        "markdown": ReportFormat(
            "Write Markdown, for a pull request.",
            "a report that 'hoyle report' wrote",
            re.compile(rb"<!-- hoyle report -->\n"),
            "markdown:markdown",
            "side_by_side:markdown",
        ),
        "html": ReportFormat(
            "Write one page that needs no other file.",
            "a page that 'hoyle report' wrote",
            re.compile(rb'<!doctype html>.*content="Hoyle"', re.DOTALL),
            "html.run:run_page",
            "html.side_by_side:side_by_side_page",
        ),
        "endpoint": ReportFormat(
            "Write JSON for a shields.io badge.",
            "a badge of Hoyle's",
            re.compile(rb'\{"schemaVersion": 1, "label": "hoyle"'),
            "badge:endpoint",
        ),
    }
)


def render(function: str, of: Any) -> str:
    """Import a function of a module of reports, and return the text that it makes of a record, or of several."""
    module, _, name = function.partition(":")
    text: str = getattr(import_module(f"{__name__}.{module}"), name)(of)
    return text
