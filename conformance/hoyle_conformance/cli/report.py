"""`hoyle report`: all that is made of the record of a run."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from hoyle_conformance.cli.exit import leave, show_invalid
from hoyle_conformance.cli.outputs import (
    BADGE,
    CTRF,
    ENDPOINT,
    HTML,
    JUNIT,
    MARKDOWN,
    Output,
    OutputKind,
    sure_or_leave,
    to_write,
    write_or_leave,
)
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.runner.results import Exit
from hoyle_reference.frozen import frozen

if TYPE_CHECKING:
    from hoyle_conformance.reports.record import Record

#: Where GitHub takes the summary of a step from.
_SUMMARY: Final = "GITHUB_STEP_SUMMARY"
_MOST_RECORDS: Final = 50


@frozen
class _Made:
    """What an option makes: of one record, or of several side by side, if that makes sense; and its kind of file."""

    kind: OutputKind
    of_one: "Callable[[Record], str]"
    of_several: "Callable[[Sequence[Record]], str] | None" = None


def _option(name: str, what: str) -> Callable[..., Any]:
    return click.option(f"--{name}", metavar="FILE", callback=to_write, help=what)


@click.command("report", short_help="Make reports from the record of a run.")
@click.argument("records", nargs=-1, required=True, metavar="RECORD…")
@_option("junit", "JUnit XML, as GitLab and Jenkins read it.")
@_option("ctrf", "The Common Test Report Format, JSON.")
@_option("markdown", "Markdown, for a merge request.")
@_option("html", "One page that needs nothing else.")
@_option("badge", "A badge, as SVG.")
@_option("endpoint", "A badge, as JSON for shields.io.")
@click.option("--github", is_flag=True, help="Annotations for GitHub Actions, and the summary of the step.")
def command(records: tuple[str, ...], github: bool, **named: str | None) -> None:
    """Make reports of RECORD, which 'hoyle check --record' has written; as many at once as are asked for.

    \b
    hoyle report run.jsonl                               in short, for the terminal
    hoyle report run.jsonl --junit junit.xml --html run.html
    hoyle report run.jsonl --badge badge.svg --endpoint badge.json
    hoyle report run.jsonl --markdown -                  to standard output
    hoyle report run.jsonl --github                      in a step of GitHub Actions
    hoyle report mine.jsonl theirs.jsonl --html beside.html

    \b
    Several records are put side by side: in the terminal, and by --markdown and --html.
    Neither the suite nor the engine is needed: the record holds all.

    \b
    Exit codes: 0, whatever the record says of the engine; 4 where a file is no record, or cannot be written.
    """
    made = _made()
    outputs = [Output(f"--{name}", file, made[name].kind) for name, file in named.items()]
    _fitting_or_leave(records, outputs, made, github=github)
    taking = [*outputs, *_of_github()] if github else outputs
    sure_or_leave(taking, _suite_folder(), {f"RECORD {name}": Path(name) for name in records})
    read = list(_read_or_leave(records))
    for name, output in zip(named, outputs, strict=True):
        if output.named:
            of_several = made[name].of_several
            write_or_leave(output, of_several(read) if of_several and len(read) > 1 else made[name].of_one(read[0]))
    if github:
        _github(read[0])
    if not any(output.named for output in taking):
        _in_short(read)


def _made() -> Mapping[str, _Made]:
    """What each option makes; imported only now, and each of them only when it is asked for."""
    return {
        "junit": _Made(JUNIT, _later("junit", "junit")),
        "ctrf": _Made(CTRF, _later("ctrf", "ctrf")),
        "markdown": _Made(MARKDOWN, _later("markdown", "markdown"), _later("side_by_side", "markdown")),
        "html": _Made(HTML, _later("html.run", "run_page"), _later("html.side_by_side", "html")),
        "badge": _Made(BADGE, _later("badge", "svg")),
        "endpoint": _Made(ENDPOINT, _later("badge", "endpoint")),
    }


def _later(module: str, name: str) -> Callable[[Any], str]:
    """A function of a module of the records, which is imported when it is called."""

    def make(of: Any) -> str:
        from importlib import import_module

        made: str = getattr(import_module(f"hoyle_conformance.reports.{module}"), name)(of)
        return made

    return make


def _fitting_or_leave(
    records: Sequence[str], outputs: Sequence[Output], made: Mapping[str, _Made], *, github: bool
) -> None:
    """Raises UsageError where what is asked for cannot be made of so many records."""
    if "-" in records:
        raise click.UsageError(
            "RECORD is a file: 'hoyle check --record run.jsonl' writes one, 'hoyle report' reads it."
        )
    if len(records) == 1:
        return
    if len(records) > _MOST_RECORDS:
        raise click.UsageError(f"{len(records)} records are too many to be put side by side: name {_MOST_RECORDS}.")
    of_one = [each.option for each in outputs if each.named and not made[each.option[2:]].of_several]
    if of_one or github:
        name = of_one[0] if of_one else "--github"
        raise click.UsageError(f"{name} is made of one record: call it once for each of them.")


def _suite_folder() -> Path:
    from hoyle_conformance.suite.paths import find_spec

    return find_spec()


def _read_or_leave(names: Sequence[str]) -> "Iterator[Record]":
    """The records; where one cannot be read, what is wrong with it is printed and the command ends with 4."""
    from hoyle_conformance.reports.load_record import LARGEST, read_record

    if sum(Path(name).stat().st_size for name in names if Path(name).is_file()) > LARGEST:
        raise click.UsageError(f"Together the records have more than {LARGEST:,} bytes: name fewer.")
    for name in names:
        try:
            yield read_record(Path(name))
        except Invalid as invalid:
            show_invalid(invalid)
            leave(Exit.USAGE)


def _of_github() -> list[Output]:
    """What --github writes: annotations, and behind what stands there the summary."""
    return [Output("--github", "-"), Output(f"--github ({_SUMMARY})", os.environ.get(_SUMMARY), force=True)]


def _github(record: "Record") -> None:
    """Annotations on standard output, and the summary where GitHub takes it from."""
    from hoyle_conformance.files.write import append
    from hoyle_conformance.reports.github import annotations
    from hoyle_conformance.reports.markdown import markdown

    for line in annotations(record):
        write_or_leave(Output("--github", "-"), f"{line}\n")
    file = os.environ.get(_SUMMARY)
    if not file:
        click.echo(f"No summary is written: {_SUMMARY} is not set, as it is in a step of GitHub Actions.", err=True)
        return
    try:
        append(Path(file), markdown(record))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise click.UsageError(f"--github: cannot write the summary, {file}: {why}.") from error


def _in_short(records: "Sequence[Record]") -> None:
    if len(records) > 1:
        click.echo(_later("side_by_side", "comparison_text")(records), nl=False)
        return
    from hoyle_conformance.reports.summary import summary_lines

    for line in summary_lines(records[0]):
        click.echo(line)
