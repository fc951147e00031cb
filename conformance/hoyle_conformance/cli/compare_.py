"""`hoyle compare`: rulesets side by side."""

import sys
from pathlib import Path

import click

from .common import spec_option, suite_or_leave

#: Columns where the output goes to a file or another program.
_WIDTH_OF_A_FILE = 120


@click.command("compare", short_help="Print rulesets side by side.")
@click.argument("rulesets", nargs=-1, required=True, metavar="RULESET RULESET...")
@click.option("--differences", "-d", is_flag=True, help="Only the rules that differ.")
@spec_option
def command(rulesets: tuple[str, ...], differences: bool, spec: Path | None) -> None:
    """Print two or more RULESETs side by side, with the clauses of each rule; those that differ are marked with ≠.

    \b
    hoyle compare bezique-hoyle bezique-britannica
    hoyle compare bezique-hoyle bezique-britannica --differences
    hoyle compare bezique-h2g2 bezique-h2g2+three-tricks-first -d
    """
    from rich.console import Console

    from hoyle_reference import Malformed

    from ..report.comparison import comparison

    suite = suite_or_leave(spec, drafts=True)
    if len(set(rulesets)) < len(rulesets) or len(rulesets) == 1:
        raise click.UsageError("Name two rulesets or more, each once: hoyle compare bezique-hoyle bezique-britannica")
    try:
        for name in rulesets:
            suite.rules(name)
    except Malformed as malformed:
        raise click.UsageError(f"{malformed}.") from malformed
    width = None if sys.stdout.isatty() else _WIDTH_OF_A_FILE
    comparison(Console(width=width), suite, rulesets, differences=differences)
