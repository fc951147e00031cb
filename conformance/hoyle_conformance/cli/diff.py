"""`hoyle diff`: what has changed from one run to another."""

from pathlib import Path

import click

from hoyle_conformance.cli.exit import exit_with, show_invalid
from hoyle_conformance.cli.json_output import json_option, print_json
from hoyle_conformance.cli.outputs import (
    MARKDOWN,
    Output,
    json_alone_or_exit,
    output_option,
    safe_or_exit,
    write_or_exit,
)
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.runner.results import Exit


@click.command("diff", short_help="Show what has changed between two runs.")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@output_option("--markdown", help="Write the changes here, for a pull request.")
@click.option("--verbose", "-v", is_flag=True, help="Show every check that differs in any way.")
@json_option
def command(old: str, new: str, markdown: str | None, *, verbose: bool, as_json: bool) -> None:
    """Show what has changed from OLD to NEW, two records that 'hoyle check --record' has written.

    \b
    hoyle diff main.jsonl branch.jsonl
    hoyle diff main.jsonl branch.jsonl --markdown comment.md
    hoyle diff main.jsonl branch.jsonl --markdown - | gh pr comment --body-file -

    New failures come first, with what was expected and what was observed; then new passes, checks that no longer run,
    disputed rules that are read differently, and checks that are removed or added. A baseline has no effect here: a
    known failure counts as a failure. The command reports a different engine, suite or seed, or different house rules,
    and compares the records anyway.

    \b
    Exit codes:
      0  no new failures                 4  a file is no record, or cannot be written
      1  a new failure, or a new error of the adapter
    """
    from hoyle_conformance.reports.diff import Changes
    from hoyle_conformance.reports.diff_text import diff_lines
    from hoyle_conformance.reports.diff_text import markdown as as_markdown
    from hoyle_conformance.reports.load_record import read_record
    from hoyle_conformance.suite.paths import find_spec

    output = Output("--markdown", markdown, MARKDOWN)
    json_alone_or_exit([output], as_json=as_json)
    safe_or_exit([output], find_spec(), {"OLD": Path(old), "NEW": Path(new)})
    try:
        changes = Changes(read_record(Path(old)), read_record(Path(new)))
    except Invalid as invalid:
        show_invalid(invalid)
        exit_with(Exit.USAGE)
    if output.named:
        write_or_exit(output, as_markdown(changes))
    if as_json:
        from hoyle_conformance.reports.record_data import changes_data

        print_json(changes_data(changes))
    elif not output.is_standard_output:
        for line in diff_lines(changes, verbose=verbose):
            click.echo(line)
    exit_with(Exit.UNEXPECTED_RESULT if changes.worse else Exit.AS_EXPECTED)
