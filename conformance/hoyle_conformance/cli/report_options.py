"""The options that write reports, of `hoyle report` and some of them of `hoyle check`: one for each format."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

import click

from hoyle_conformance.cli.outputs import (
    ENDPOINT,
    HTML,
    JUNIT,
    MARKDOWN,
    Output,
    OutputKind,
    output_option,
    write_or_exit,
)
from hoyle_conformance.reports.load_record import record_of
from hoyle_conformance.runner.guard import DEBUG, or_else


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """The help of its option, the file of a format, and the functions of `reports` that write one record, or several
    side by side."""

    help: str
    kind: OutputKind
    one: str
    several: str = ""


#: The format of each option. The functions are imported when they are called.
FORMATS: Final[Mapping[str, ReportFormat]] = MappingProxyType(
    {
        "junit": ReportFormat("Write JUnit XML, for GitLab and Jenkins.", JUNIT, "junit:junit"),
        "markdown": ReportFormat(
            "Write Markdown, for a pull request.", MARKDOWN, "markdown:markdown", "side_by_side:markdown"
        ),
        "html": ReportFormat(
            "Write one page that needs no other file.",
            HTML,
            "html.run:run_page",
            "html.side_by_side:side_by_side_page",
        ),
        "endpoint": ReportFormat("Write JSON for a shields.io badge.", ENDPOINT, "badge:endpoint"),
    }
)


#: Those that `hoyle check` writes at once; `hoyle report` makes the others from a record.
AT_ONCE: Final = ("junit", "html")


def report_options(*names: str) -> Callable[..., Any]:
    """Return what adds an option for each of these formats, which names the file to write."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed(names):
            command = output_option(f"--{name}", help=FORMATS[name].help)(command)
        return command

    return add


def report_outputs(options: Mapping[str, Any]) -> dict[str, Output]:
    """Return the outputs of the options, by their formats."""
    return {name: Output(f"--{name}", options[name], each.kind) for name, each in FORMATS.items() if name in options}


def render(function: str, of: Any) -> str:
    """Import a function of a module of reports, and return the text that it makes of a record, or of several."""
    module, _, name = function.partition(":")
    text: str = getattr(import_module(f"hoyle_conformance.reports.{module}"), name)(of)
    return text


def write_reports(outputs: Mapping[str, Output], lines: Sequence[bytes]) -> Iterator[str]:
    """Write each report of a run whose record has these lines; yield the reason for each that cannot be written."""
    wanted = {name: output for name, output in outputs.items() if output.named}
    if not wanted or not lines:
        return

    record = or_else(None, record_of, b"".join(lines), "the run")
    for name, output in wanted.items():
        text = or_else("", render, FORMATS[name].one, record) if record else ""
        if not text:
            yield f"{output.option}: Hoyle itself failed. Please report it, with the output of {DEBUG}=1"
            continue
        try:
            write_or_exit(output, text)
        except click.UsageError as error:
            yield error.message.rstrip(".")
