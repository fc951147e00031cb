"""`hoyle rules`: a ruleset as a rule book."""

from pathlib import Path

import click

from hoyle_conformance.cli.options import rules_option, ruleset_or_leave, spec_option, suite_or_leave
from hoyle_conformance.cli.topic_options import chapter_option, chapters_or_leave


@click.command("rules", short_help="Print a ruleset as a rule book.")
@click.argument("ruleset")
@click.option("--cells", is_flag=True, help="Name the cell of each rule too, as scenario files do.")
@chapter_option
@click.option("--no-cites", "cites", flag_value=False, default=True, help="Leave out the clauses behind each rule.")
@rules_option
@spec_option
def command(ruleset: str, cells: bool, chapters: tuple[str, ...], cites: bool, spec: Path | None) -> None:
    """Print a RULESET as a rule book: every rule in words, with the clauses it comes from.

    \b
    hoyle rules bezique-hoyle
    hoyle rules bezique-hoyle+brisques-at-end
    hoyle rules bezique-hoyle --cells
    hoyle rules piquet-hoyle --chapter tricks --no-cites
    """
    from hoyle_conformance.wording.rulebook_entries import rule_page

    suite = suite_or_leave(spec, drafts=True)
    ruleset_or_leave(suite, ruleset)
    only = chapters_or_leave(suite, [ruleset], chapters)
    for line in rule_page(suite, ruleset, cells=cells, cites=cites, only=only):
        click.echo(line)
