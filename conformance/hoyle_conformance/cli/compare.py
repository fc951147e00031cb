"""`hoyle compare`: rulesets side by side."""

from pathlib import Path

import click

from hoyle_conformance.cli.completion import complete_rulesets
from hoyle_conformance.cli.json_output import json_option, print_json
from hoyle_conformance.cli.names import ruleset_or_exit
from hoyle_conformance.cli.options import console, rules_option, spec_option, suite_or_exit
from hoyle_conformance.cli.rules import chapter_option, chapters_or_exit
from hoyle_conformance.wording.comparison import print_comparison

#: Columns of a comparison that goes elsewhere than to a terminal.
_WIDTH = 120


@click.command("compare", short_help="Print rulesets side by side.")
@click.argument("rulesets", nargs=-1, required=True, metavar="RULESET RULESET…", shell_complete=complete_rulesets)
@click.option("--differences", "-d", is_flag=True, help="Only the rules that differ.")
@chapter_option
@json_option
@rules_option
@spec_option
def command(
    rulesets: tuple[str, ...], differences: bool, chapters: tuple[str, ...], as_json: bool, spec: Path | None
) -> None:
    """Print two or more RULESETs side by side, with the clauses of each rule; ≠ marks the rules that differ.

    \b
    hoyle compare bezique-hoyle bezique-britannica
    hoyle compare bezique-hoyle bezique-britannica --differences
    hoyle compare piquet-rubicon-hoyle piquet-rubicon-parlett --chapter settle
    hoyle compare bezique-h2g2 bezique-h2g2+three-tricks-first -d
    """
    suite = suite_or_exit(spec, drafts=True)
    if len(set(rulesets)) < len(rulesets) or len(rulesets) == 1:
        raise click.UsageError("Name two rulesets or more, each once: hoyle compare bezique-hoyle bezique-britannica")
    for name in rulesets:
        ruleset_or_exit(suite, name)
    only = chapters_or_exit(suite, rulesets, chapters)
    if as_json:
        from hoyle_conformance.wording.rulebook_data import comparison_data

        print_json(comparison_data(suite, rulesets, differences=differences, only=only))
        return
    print_comparison(console(_WIDTH), suite, rulesets, differences=differences, only=only)
