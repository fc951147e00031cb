"""What several commands share: loading the suite, and leaving with one clear message."""

from pathlib import Path
from typing import NoReturn

import click

from ..files.diagnostics import Invalid
from ..run.results import Exit
from ..suite.load import Suite, load_suite

spec_option = click.option(
    "--spec",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A spec folder to use instead of the one installed with Hoyle.",
)


def suite_or_leave(spec: Path | None) -> Suite:
    """The suite; where its files are invalid, every mistake is printed and the command ends with 5."""
    if spec is not None and not (spec / "VERSION").is_file():
        raise click.UsageError(f"{spec} is not a spec folder: it has no VERSION.")
    try:
        return load_suite(spec)
    except Invalid as invalid:
        show_invalid(invalid)
        leave(Exit.SUITE_INVALID)


def show_invalid(invalid: Invalid) -> None:
    """Print every mistake, and how many there are."""
    for diagnostic in invalid.diagnostics:
        click.echo(f"{diagnostic}\n", err=True)
    count = len(invalid.diagnostics)
    click.echo(f"{count} mistake{'' if count == 1 else 's'} found.", err=True)


def leave(code: Exit) -> NoReturn:
    """End the command with an exit code."""
    click.get_current_context().exit(int(code))
    raise AssertionError("exit does not return")
