"""`hoyle list`: what the suite holds."""

from pathlib import Path

import click

from .common import spec_option, suite_or_leave


@click.command("list", short_help="List the checks, clauses and rulesets of the suite.")
@click.argument("what", type=click.Choice(["checks", "clauses", "rulesets", "topics"]), default="checks")
@click.option(
    "--ruleset", "-r", "rulesets", multiple=True, metavar="NAME", help="Only checks of this ruleset. Repeatable."
)
@click.option("--topic", "-t", "topics", multiple=True, metavar="NAME", help="Only checks of this topic. Repeatable.")
@click.option(
    "--clause", "-c", "clauses", multiple=True, metavar="ID", help="Only checks that cite this clause. Repeatable."
)
@click.option("--disputed", is_flag=True, help="Only checks where no source decides.")
@spec_option
def command(
    what: str,
    rulesets: tuple[str, ...],
    topics: tuple[str, ...],
    clauses: tuple[str, ...],
    disputed: bool,
    spec: Path | None,
) -> None:
    r"""List what the suite holds: its checks (with their titles), the clauses, the rulesets or the topics.

    \b
    hoyle list --topic seven
    hoyle list --clause hoyle/bezique/identical-cards
    hoyle list clauses
    """
    from ..report import listing
    from ..run.select import NothingSelected, select

    suite = suite_or_leave(spec)
    if what != "checks":
        for line in getattr(listing, what)(suite):
            click.echo(line)
        return
    try:
        checks = select(suite, (), rulesets, topics, clauses)
    except NothingSelected as nothing:
        if len(clauses) == 1 and clauses[0] in suite.clauses:
            for line in listing.clause_without_checks(suite, clauses[0]):
                click.echo(line)
            return
        raise click.UsageError(str(nothing)) from nothing
    for line in listing.checks([check for check in checks if check.follows or not disputed]):
        click.echo(line)
