"""`hoyle list`: what the suite holds."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .common import (
    among_the_rulesets,
    clause_option,
    headings_or_leave,
    rules_option,
    ruleset_option,
    spec_option,
    suite_or_leave,
    topic_option,
)

if TYPE_CHECKING:
    from ..suite.value import Suite

#: What is counted over all checks, and so needs all positions.
_COUNTED = ("claims", "engines")


@click.command("list", short_help="List the checks, clauses and rulesets of the suite.")
@click.argument("what", type=click.Choice(["checks", "clauses", "rulesets", "topics", *_COUNTED]), default="checks")
@ruleset_option
@topic_option
@clause_option
@click.option("--disputed", is_flag=True, help="Only checks where no source decides.")
@click.option("--without", metavar="RULESET", help="Only checks of positions that this ruleset does not answer.")
@rules_option
@spec_option
def command(
    what: str,
    rulesets: tuple[str, ...],
    topics: tuple[str, ...],
    clauses: tuple[str, ...],
    disputed: bool,
    without: str | None,
    spec: Path | None,
) -> None:
    """List what the suite holds: its checks (with their titles), the clauses, the rulesets or the topics; the words
    that an engine may claim, with their meanings and how many checks need them; or kinds of engine, with how many
    checks each is asked.

    \b
    hoyle list --topic seven
    hoyle list --clause hoyle/bezique/identical-cards
    hoyle list --ruleset piquet-rubicon-parlett --without piquet-rubicon-hoyle
    hoyle list clauses
    hoyle list claims
    """
    from ..report import listing

    suite = suite_or_leave(spec, positions=True) if what in _COUNTED else suite_or_leave(spec, drafts=True)
    if what != "checks":
        if rulesets or topics or clauses or disputed or without:
            raise click.UsageError(f"The options choose among checks; they have no meaning for {what}.")
        for line in _listed(suite, what):
            click.echo(line)
        return
    if len(clauses) == 1 and (clause := suite.clauses.get(clauses[0])):
        for line in listing.clause(suite, clause):
            click.echo(line)
        if not suite.cites(clause.id):
            return
    among_the_rulesets(suite, [without] if without else [])
    answered = {each.scenario for each in suite.headings.values() if each.ruleset == without}
    chosen = headings_or_leave(suite, (), rulesets, topics, clauses)
    for line in listing.checks(
        [each for each in chosen if (each.follows or not disputed) and each.scenario not in answered]
    ):
        click.echo(line)


def _listed(suite: "Suite", what: str) -> Iterator[str]:
    """The lines that list something else than checks."""
    if what in _COUNTED:
        from ..report import claims

        yield from claims.words(suite) if what == "claims" else claims.engines(suite)
    else:
        from ..report import listing

        yield from getattr(listing, what)(suite)
