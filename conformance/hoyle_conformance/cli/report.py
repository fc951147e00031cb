"""`hoyle report`: reports of recorded runs."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NoReturn

import click

from hoyle_conformance.cli.exit import WrongUsageIfInvalid, exit_with
from hoyle_conformance.cli.options import json_option, print_json
from hoyle_conformance.cli.outputs import Output, report_options, report_outputs, safe_or_exit, write_or_exit
from hoyle_conformance.files.write import append
from hoyle_conformance.reports import FORMATS, diff, load_record, render
from hoyle_conformance.reports.markdown import annotations, markdown
from hoyle_conformance.reports.record import Record
from hoyle_conformance.reports.summary import summary_lines
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.system import words_of

#: The environment variable with GitHub's file for the summary of a step.
_SUMMARY: Final = "GITHUB_STEP_SUMMARY"
_MOST_RECORDS: Final = 50
_MARKDOWN: Final = "markdown"


@click.command("report")
@click.argument("records", nargs=-1, required=True, metavar="RECORD…")
@report_options(*FORMATS)
@click.option("--since", metavar="OLD", help="Show what has changed since this record, or write it by --markdown.")
@click.option("--verbose", "-v", is_flag=True, help="With --since: show every check that differs in any way.")
@click.option("--github", is_flag=True, help="Print annotations for GitHub Actions, and write the summary of the step.")
@json_option
def command(
    records: tuple[str, ...], since: str | None, verbose: bool, github: bool, as_json: bool, **named: str | None
) -> None:
    """Make one or more reports from a RECORD that 'hoyle check --record' has written.

    \b
    hoyle report run.jsonl                                        in short, on the terminal
    hoyle report run.jsonl --html run.html --junit run.xml
    hoyle report run.jsonl --endpoint badge.json                  for a badge of shields.io
    hoyle report run.jsonl --markdown -                           to standard output
    hoyle report run.jsonl --github                               in a step of GitHub Actions
    hoyle report mine.jsonl theirs.jsonl --html beside.html       side by side
    hoyle report engines --html engines.html                      all records of a folder
    hoyle report branch.jsonl --since main.jsonl                  what has changed
    hoyle report branch.jsonl --since main.jsonl --markdown -     for a pull request

    'hoyle check' has --junit and --html too, to write these reports of its run at once.

    Several records are shown side by side: on the terminal, and by --markdown and --html. A folder stands for the
    records in it, compressed with gzip or not; of two runs of an engine, --html shows what has changed. A report needs
    neither the suite nor the engine: the record holds everything.

    With --since, new failures come first, with what was expected and what was observed. New passes, checks that no
    longer run, and disputed rules that are read differently follow. A baseline has no effect here: a known failure
    counts as a failure. The command reports a different engine, suite or seed, or different house rules, and compares
    the records anyway.

    \b
    Exit codes:
      0  the reports are made            4  a file is no record, or cannot be written
      1  with --since, a new failure, or a new error of the adapter
    """
    files = (load_record.record_files(Path(name)) or (name,) for name in records)
    by_format, records = report_outputs(named), tuple(str(each) for some in files for each in some)
    outputs = list(by_format.values())
    _fitting_or_exit(records, outputs, since=since is not None, github=github)
    if as_json and (github or any(each.is_standard_output for each in outputs)):
        raise click.UsageError("--json prints to standard output: leave out --github, and name a file for each report.")
    appended = Output(f"--github ({_SUMMARY})", os.environ.get(_SUMMARY), force=True)
    taking = [*outputs, Output("--github", "-"), appended] if github else outputs
    reading = {f"RECORD {name}": Path(name) for name in records} | ({"OLD": Path(since)} if since else {})
    safe_or_exit(taking, find_spec(), reading)
    if since is not None:
        old, new = _records_or_exit([since, *records])
        _show_changes(old, new, by_format[_MARKDOWN], verbose=verbose, as_json=as_json)
    read = list(_records_or_exit(records))
    for name, output in by_format.items():
        if output.named:
            several = FORMATS[name][1] if len(read) > 1 else ""
            write_or_exit(output, render(several, read) if several else render(FORMATS[name][0], read[0]))
    if github:
        _write_github(read[0])
    if as_json:
        print_json({"records": [{"file": each.file, **diff.record_data(each)} for each in read]})
    elif not any(output.named for output in taking):
        several = render("side_by_side:comparison_text", read).removesuffix("\n") if len(read) > 1 else ""
        click.echo(several or "\n".join(summary_lines(read[0])))


def _show_changes(old: Record, new: Record, output: Output, *, verbose: bool, as_json: bool) -> NoReturn:
    """Show or write the changes between two records, and exit: with code 1 if the result is worse."""
    changes = diff.Changes(old, new)
    if output.named:
        write_or_exit(output, diff.markdown(changes))
    if as_json:
        print_json(diff.changes_data(changes))
    elif not output.is_standard_output:
        for line in diff.diff_lines(changes, verbose=verbose):
            click.echo(line)
    exit_with(Exit.UNEXPECTED_RESULT if changes.worse else Exit.AS_EXPECTED)


def _fitting_or_exit(records: Sequence[str], outputs: Sequence[Output], *, since: bool, github: bool) -> None:
    """Raise UsageError if a report cannot be made from this number of records, or not from changes."""
    others = [each.option for each in outputs if each.named and each.option != f"--{_MARKDOWN}"]
    if since and (len(records) > 1 or others or github):
        raise click.UsageError("--since compares one record with another, on the terminal, by --markdown or by --json.")
    if "-" in records:
        raise click.UsageError(
            "RECORD is a file: 'hoyle check --record run.jsonl' writes one, 'hoyle report' reads it."
        )
    if len(records) == 1:
        return
    if len(records) > _MOST_RECORDS:
        raise click.UsageError(f"{len(records)} records are too many for a comparison: name {_MOST_RECORDS} at most.")
    of_one = [each.option for each in outputs if each.named and not FORMATS[each.option[2:]][1]]
    if of_one or github:
        name = of_one[0] if of_one else "--github"
        raise click.UsageError(f"{name} is made from one record: run the command once for each of them.")


def _records_or_exit(names: Sequence[str]) -> Iterator[Record]:
    """Yield the records; exit with code 4 if one cannot be read."""
    if sum(Path(name).stat().st_size for name in names if Path(name).is_file()) > load_record.LARGEST:
        raise click.UsageError(f"Together the records have more than {load_record.LARGEST:,} bytes: name fewer.")
    for name in names:
        with WrongUsageIfInvalid():
            yield load_record.read_record(Path(name))


def _write_github(record: Record) -> None:
    """Print the annotations, and append the summary to the file that GitHub names."""
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
