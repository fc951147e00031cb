"""The options that write reports, of `hoyle report` and some of them of `hoyle check`: one for each format."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import click

from hoyle_conformance.cli.outputs import Output, OutputKind, output_option, write_or_exit
from hoyle_conformance.reports import FORMATS, render
from hoyle_conformance.reports.load_record import record_of
from hoyle_conformance.runner.guard import DEBUG, or_else

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
    kinds = {name: OutputKind(each.kind, each.begins) for name, each in FORMATS.items() if name in options}
    return {name: Output(f"--{name}", options[name], kind) for name, kind in kinds.items()}


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
