"""`hoyle report`: reports of recorded runs."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from hoyle_conformance.cli.exit import exit_with, show_invalid
from hoyle_conformance.cli.json_output import json_option, print_json
from hoyle_conformance.cli.outputs import Output, safe_or_exit, write_or_exit
from hoyle_conformance.cli.report_options import FORMATS, render, report_options, report_outputs
from hoyle_conformance.files.denied import words_of
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.suite.paths import find_spec

if TYPE_CHECKING:
    from hoyle_conformance.reports.record import Record

#: Where GitHub takes the summary of a step from.
_SUMMARY: Final = "GITHUB_STEP_SUMMARY"
_MOST_RECORDS: Final = 50


@click.command("report", short_help="Make reports from the record of a run.")
@click.argument("records", nargs=-1, required=True, metavar="RECORD…")
@report_options
@click.option("--github", is_flag=True, help="Print annotations for GitHub Actions, and write the summary of the step.")
@json_option
def command(records: tuple[str, ...], github: bool, as_json: bool, **named: str | None) -> None:
    """Make one or more reports from a RECORD that 'hoyle check --record' has written.

    \b
    hoyle report run.jsonl                                        in short, on the terminal
    hoyle report run.jsonl --html run.html --junit run.xml
    hoyle report run.jsonl --endpoint badge.json                  for a badge of shields.io
    hoyle report run.jsonl --markdown -                           to standard output
    hoyle report run.jsonl --github                               in a step of GitHub Actions
    hoyle report mine.jsonl theirs.jsonl --html beside.html       side by side

    'hoyle check' has the same options, to write reports of its run at once.

    Several records are shown side by side: on the terminal, and by --markdown and --html. A report needs neither the
    suite nor the engine: the record holds everything.

    \b
    Exit codes:
      0  the reports are made            4  a file is no record, or cannot be written
    """
    by_format = report_outputs(named)
    outputs = list(by_format.values())
    _fitting_or_exit(records, outputs, github=github)
    if as_json and (github or any(each.is_standard_output for each in outputs)):
        raise click.UsageError("--json prints to standard output: leave out --github, and name a file for each report.")
    taking = [*outputs, *_github_outputs()] if github else outputs
    safe_or_exit(taking, find_spec(), {f"RECORD {name}": Path(name) for name in records})
    read = list(_records_or_exit(records))
    for name, output in by_format.items():
        if output.named:
            several = FORMATS[name].several if len(read) > 1 else ""
            write_or_exit(output, render(several, read) if several else render(FORMATS[name].one, read[0]))
    if github:
        _write_github(read[0])
    if as_json:
        from hoyle_conformance.reports.record_data import record_data

        print_json({"records": [{"file": each.file, **record_data(each)} for each in read]})
    elif not any(output.named for output in taking):
        _print_short(read)


def _fitting_or_exit(records: Sequence[str], outputs: Sequence[Output], *, github: bool) -> None:
    """Raise UsageError if a report cannot be made of so many records."""
    if "-" in records:
        raise click.UsageError(
            "RECORD is a file: 'hoyle check --record run.jsonl' writes one, 'hoyle report' reads it."
        )
    if len(records) == 1:
        return
    if len(records) > _MOST_RECORDS:
        raise click.UsageError(f"{len(records)} records are too many for a comparison: name {_MOST_RECORDS} at most.")
    of_one = [each.option for each in outputs if each.named and not FORMATS[each.option[2:]].several]
    if of_one or github:
        name = of_one[0] if of_one else "--github"
        raise click.UsageError(f"{name} is made from one record: run the command once for each of them.")


def _records_or_exit(names: Sequence[str]) -> "Iterator[Record]":
    """Yield the records; exit with 4 if one cannot be read."""
    from hoyle_conformance.reports.load_record import LARGEST, read_record

    if sum(Path(name).stat().st_size for name in names if Path(name).is_file()) > LARGEST:
        raise click.UsageError(f"Together the records have more than {LARGEST:,} bytes: name fewer.")
    for name in names:
        try:
            yield read_record(Path(name))
        except Invalid as invalid:
            show_invalid(invalid)
            exit_with(Exit.USAGE)


def _github_outputs() -> list[Output]:
    """Return the outputs of --github: the annotations, and the summary, which is appended."""
    return [Output("--github", "-"), Output(f"--github ({_SUMMARY})", os.environ.get(_SUMMARY), force=True)]


def _write_github(record: "Record") -> None:
    """Print the annotations, and append the summary to the file that GitHub names."""
    from hoyle_conformance.files.write import append
    from hoyle_conformance.reports.github import annotations
    from hoyle_conformance.reports.markdown import markdown

    for line in annotations(record):
        write_or_exit(Output("--github", "-"), f"{line}\n")
    file = os.environ.get(_SUMMARY)
    if not file:
        click.echo(f"No summary was written: {_SUMMARY} is not set, as it is in a step of GitHub Actions.", err=True)
        return
    try:
        append(Path(file), markdown(record))
    except OSError as error:
        why = words_of(error)
        raise click.UsageError(f"--github: cannot write the summary, {file}: {why}.") from error


def _print_short(records: "Sequence[Record]") -> None:
    """Print the records in short."""
    if len(records) > 1:
        click.echo(render("side_by_side:comparison_text", records), nl=False)
        return
    from hoyle_conformance.reports.summary import summary_lines

    for line in summary_lines(records[0]):
        click.echo(line)
