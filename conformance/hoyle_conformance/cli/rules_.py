"""`hoyle rules`: a ruleset as a rule book."""

from pathlib import Path

import click

from .common import rules_option, ruleset_or_leave, spec_option, suite_or_leave


@click.command("rules", short_help="Print a ruleset as a rule book.")
@click.argument("ruleset")
@click.option("--cells", is_flag=True, help="Name the cell of each rule too, as scenario files do.")
@rules_option
@spec_option
def command(ruleset: str, cells: bool, spec: Path | None) -> None:
    """Print a RULESET as a rule book: every rule in words, with the clauses it comes from.

    \b
    hoyle rules bezique-hoyle
    hoyle rules bezique-hoyle+brisques-at-end
    hoyle rules bezique-hoyle --cells
    """
    from ..report.rule_page import rule_page

    suite = suite_or_leave(spec, drafts=True)
    ruleset_or_leave(suite, ruleset)
    for line in rule_page(suite, ruleset, cells=cells):
        click.echo(line)
