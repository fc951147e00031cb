"""The options that write reports, of `hoyle report` and some of them of `hoyle check`: one for each format."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import click

from hoyle_conformance.cli.outputs import Output, OutputKind, output_option, write_or_exit
from hoyle_conformance.reports import FORMATS, render
from hoyle_conformance.reports.load_record import record_of
from hoyle_conformance.runner.results import DEBUG, or_else

#: The help of each format's option, and the kind of its files.
_OPTIONS: Final[Mapping[str, tuple[str, OutputKind]]] = MappingProxyType(
    {
        "junit": (
            "Write JUnit XML, for GitLab and Jenkins.",
            OutputKind("a report in JUnit XML", re.compile(rb'<\?xml [^>]*\?>\s*<testsuites name="hoyle"')),
        ),
        "markdown": (
            "Write Markdown, for a pull request.",
            OutputKind("a report that 'hoyle report' wrote", re.compile(rb"<!-- hoyle report -->\n")),
        ),
        "html": (
            "Write one page that needs no other file.",
            OutputKind("a page that 'hoyle report' wrote", re.compile(rb'<!doctype html>.*content="Hoyle"', re.DOTALL)),
        ),
        "endpoint": (
            "Write JSON for a shields.io badge.",
            OutputKind("a badge of Hoyle's", re.compile(rb'\{"schemaVersion": 1, "label": "hoyle"')),
        ),
    }
)
#: Those that `hoyle check` writes at once; `hoyle report` makes the others from a record.
AT_ONCE: Final = ("junit", "html")


def report_options(*names: str) -> Callable[..., Any]:
    """Return what adds an option for each of these formats, which names the file to write."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(names):
            command = output_option(f"--{name}", help=_OPTIONS[name][0])(command)
        return command

    return add


def report_outputs(options: Mapping[str, Any]) -> dict[str, Output]:
    """Return the outputs of the options, by their formats."""
    return {name: Output(f"--{name}", options[name], kind) for name, (_, kind) in _OPTIONS.items() if name in options}


def write_reports(outputs: Mapping[str, Output], lines: Sequence[bytes]) -> Iterator[str]:
    """Write each report of a run whose record has these lines; yield the reason for each that cannot be written."""
    wanted = {name: output for name, output in outputs.items() if output.named}
    if not wanted or not lines:
        return

    record = or_else(None, record_of, b"".join(lines), "the run")
    for name, output in wanted.items():
        text = or_else("", render, FORMATS[name][0], record) if record else ""
        if not text:
            yield f"{output.option}: Hoyle itself failed. Please report it, with the output of {DEBUG}=1"
            continue
        try:
            write_or_exit(output, text)
        except click.UsageError as error:
            yield error.message.rstrip(".")
