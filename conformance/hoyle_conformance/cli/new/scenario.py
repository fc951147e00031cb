"""`hoyle new scenario`: a scenario's file from the user's editor."""

import os
from pathlib import Path

import click

from hoyle_conformance.cli.exit import exit_with, show_invalid
from hoyle_conformance.cli.names import no_such
from hoyle_conformance.cli.new.edit import edit, is_interactive
from hoyle_conformance.cli.options import spec_option, suite_or_exit
from hoyle_conformance.cli.outputs import Output, output_option, safe_or_exit, write_in_place, write_or_exit
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, shown_path
from hoyle_conformance.files.strict_yaml import load
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.suite.paths import VERSION, is_installed
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.authoring.draft import Draft, UnusableId, require_unused_id
from hoyle_conformance.tools.validate.check_file import check_file
from hoyle_conformance.tools.validate.inherit import inheritance_faults
from hoyle_conformance.wording.text import sanitize


@click.command("scenario", short_help="Write a scenario: a position, and what the rules say about it.")
@click.argument("name", metavar="[ID]", default="")
@click.option(
    "--like", default="", metavar="ID", help="Begin with the rulesets, the position and the steps of this scenario."
)
@output_option("--output", "-o", help="Write the scenario here (- prints it).")
@spec_option
def command(name: str, like: str, output: str | None, spec: Path | None) -> None:
    """Write the file of a scenario: a position, some steps, and what they show.

    Hoyle opens the file in your editor (named by the variable EDITOR), with instructions and a list of every act and
    question. If it has mistakes when you save it, it opens again with the mistakes at the top. To write nothing, leave
    it unchanged or empty.

    \b
    hoyle new scenario
    hoyle new scenario tricks.my-question --like tricks.ace-over-ten

    Derive what the steps show from the source: Hoyle fills in nothing from the reference interpreter.

    \b
    Exit codes:
      0  the file is written, and has no mistake     5  it is written, and has mistakes
      4  nothing is written
    """
    suite = suite_or_exit(spec, drafts=True, mention=False)
    if name:
        _unused_or_exit(suite, name)
    draft = _like_or_exit(suite, name, like) if like else Draft(id=name)
    _writable_or_exit(suite, spec, output)
    if not is_interactive():
        raise click.UsageError(
            "Hoyle opens the file in your editor, which needs a terminal. 'hoyle validate FILE' checks a file that you "
            "write without it."
        )
    _write_edited_or_exit(suite, edit(suite, draft), output)


def _like_or_exit(suite: Suite, name: str, like: str) -> Draft:
    """Return a draft with the position and the steps of another scenario, without its outcomes."""
    if like not in suite.scenarios:
        raise click.UsageError(f"--like: {no_such('scenario', like, suite.scenarios, 'hoyle suite list')}")
    other = suite.scenarios[like]
    return Draft(id=name, rulesets=other.named, given=other.given, steps=tuple(other.steps))


def _unused_or_exit(suite: Suite, name: str) -> str:
    """Return an id that a new scenario may have; raise UsageError if it may not."""
    try:
        return require_unused_id(suite, name)
    except UnusableId as unusable:
        why = sanitize(str(unusable))
        raise click.UsageError(f"ID: {why}{'' if why.endswith(('.', '?')) else '.'}") from unusable


def _writable_or_exit(suite: Suite, spec: Path | None, output: str | None) -> None:
    """Raise UsageError if there is no folder for scenarios."""
    if output or spec or not is_installed(suite.root):
        return
    here = "--spec spec" if (Path("spec") / VERSION).is_file() else "--spec FOLDER/spec"
    raise click.UsageError(
        "This Hoyle was installed without the repository that holds the scenarios: clone it, and name its "
        f"spec folder ({here}), or name a file with --output (- prints it)."
    )


def _write_edited_or_exit(suite: Suite, text: str, output: str | None) -> None:
    """Write the file that comes from the editor; if it cannot be written, print it, since it was typed."""
    if not text:
        click.echo("Nothing was written: you left the file unchanged or empty.", err=True)
        exit_with(Exit.USAGE)
    try:
        draft = Draft(id=_id_or_exit(suite, text))
        path = _write_file_or_exit(suite, draft, text, output)
    except click.UsageError:
        click.echo(text, nl=False)
        raise
    if path:
        _exit_if_wrong(check_file(suite, path) or list(inheritance_faults(suite, path).values()), path)
        _print_next(draft.id)


def _id_or_exit(suite: Suite, text: str) -> str:
    """Return the id in the text of a scenario; raise UsageError if there is none, or no file may have it."""
    try:
        name = str(load(text, "").data["id"])
    except (Invalid, KeyError, TypeError) as error:
        raise click.UsageError("Nothing was written: the file, printed above, has no id that names it.") from error
    return _unused_or_exit(suite, name)


def _write_file_or_exit(suite: Suite, draft: Draft, text: str, output: str | None) -> Path | None:
    """Write the text and return its file, or None for standard output; raise UsageError if it cannot be written."""
    path = Path(output) if output else suite.root / "scenarios" / draft.file
    file = Output("--output", output or str(path))
    if not file.is_standard_output and not Path(os.path.realpath(path)).as_posix().endswith(f"/{draft.file}"):
        raise click.UsageError(f"--output: the file of this id must be named {draft.file}, in any folder.")
    if not output and path.parent.parent.is_dir():
        path.parent.mkdir(exist_ok=True)  # of a new topic
    safe_or_exit([file], suite.root)
    if output:
        write_or_exit(file, text)
    else:
        write_in_place(path, text)
    if file.is_standard_output:
        return None
    click.echo(f"Wrote {shown_path(path)}.")
    return path


def _exit_if_wrong(mistakes: list[Diagnostic], path: Path) -> None:
    """Print the mistakes of the written file, if there are any, and end the command with 5."""
    if mistakes:
        show_invalid(Invalid(mistakes))
        click.echo(f"The file is as you wrote it. Next: hoyle validate {shown_path(path)}", err=True)
        exit_with(Exit.SUITE_INVALID)


def _print_next(name: str) -> None:
    """Print that the file is sound, and the next command."""
    click.echo("The scenario is valid, and the reference interpreter agrees with it.")
    click.echo(f"Next: hoyle explain {name}")
