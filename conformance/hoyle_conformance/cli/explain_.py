"""`hoyle explain`: a scenario step by step."""

from collections.abc import Iterator
from pathlib import Path

import click

from ..model import Check
from ..suite.value import Suite
from .common import rules_option, sound_or_leave, spec_option, suite_or_leave, turned_or_leave, turning_options


@click.command("explain", short_help="Show a scenario step by step, with the rules behind it.")
@click.argument("scenario")
@click.option("--ruleset", "-r", metavar="NAME", help="Only under this ruleset.")
@click.option("--prelude", is_flag=True, help="Show how the position comes about, from a deal.")
@turning_options
@rules_option
@spec_option
def command(scenario: str, ruleset: str | None, prelude: bool, seed: str, as_written: bool, spec: Path | None) -> None:
    """Show the position of a SCENARIO and every step: what happens, and the clauses that make it so.

    It is shown as 'hoyle check' sends it, with the players and the suits turned.

    \b
    hoyle explain to-score.the-example                 'hoyle list' shows the ids
    hoyle explain to-score.the-example --as-written
    hoyle explain last-tricks.ten-and-king@bezique-hoyle+ten-at-whist-rank
    """
    from ..files.names import did_you_mean
    from ..report.explain import explanation

    suite = suite_or_leave(spec, drafts=True)
    name, _, of_ruleset = scenario.partition("@")
    if name not in suite.scenarios:
        raise click.UsageError(f"No scenario '{name}'. {did_you_mean(name, suite.scenarios)}")
    checks = suite.checks_of(suite.scenarios[name])
    wanted = of_ruleset or ruleset
    chosen = [check for check in checks if wanted in {None, "", check.ruleset}]
    if not chosen:
        has = ", ".join(check.ruleset for check in checks)
        raise click.UsageError(f"The scenario says nothing of '{wanted}', only of: {has}.")
    sound_or_leave(suite, [suite.scenarios[name]])
    put = turned_or_leave(suite, chosen, seed, as_written=as_written)
    for line in _histories(suite, put) if prelude else explanation(suite, put):
        click.echo(line)


def _histories(suite: Suite, checks: list[Check]) -> Iterator[str]:
    from ..report.preludes import history_of

    for check in checks:
        yield from history_of(suite, check)
