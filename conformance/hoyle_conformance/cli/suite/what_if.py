"""`hoyle suite what-if`: list the checks that a changed rule affects."""

from pathlib import Path
from typing import Any

import click

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.cli.options import (
    complete_rulesets,
    json_option,
    print_json,
    rules_option,
    ruleset_or_exit,
    sound_or_exit,
    spec_option,
    suite_or_exit,
)
from hoyle_conformance.reports.what_if import what_if_data, what_if_lines
from hoyle_conformance.runner.rule_changes import NoChange, change_rules, read_values, try_check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Rules


@click.command("what-if")
@click.argument("ruleset", shell_complete=complete_rulesets)
@click.argument("changes", nargs=-1, required=True, metavar="CELL=VALUE…")
@click.option(
    "--all", "-a", "everything", is_flag=True, help="Show every check that changes, not only two of each topic."
)
@json_option
@rules_option
@spec_option
def command(ruleset: str, changes: tuple[str, ...], everything: bool, as_json: bool, spec: Path | None) -> None:
    """Run the checks of a RULESET with other values in some cells of its table, and show which outcomes change.

    Write VALUE as in a table. 'hoyle rules RULESET --cells' names every CELL; each field of a combination is a cell.

    \b
    hoyle suite what-if bezique-hoyle settle.target=500
    hoyle suite what-if bezique-hoyle 'deal.packets=[[4, 4]]' seven.points=20
    hoyle suite what-if bezique-hoyle+brisques-at-end declare.melds.bezique.points=50 --all

    The command ends with 0 whether anything changes or not: the last line says so. Nothing is written.
    """
    suite = suite_or_exit(spec, drafts=True)
    rules, values = _rules_and_values_or_exit(suite, ruleset, changes)
    checks = list(suite.index.checks_under(ruleset))
    if not checks:
        raise click.UsageError(f"The suite has no check of {ruleset}.")
    sound_or_exit(suite, [check.scenario for check in checks if not planner_of(suite).can_set_up(check)])
    other = _changed_rules_or_exit(rules, values)
    tried = [try_check(other, each, planner_of(suite).request(each)) for each in checks]
    if as_json:
        print_json(what_if_data(suite, rules, values, tried))
        return
    for line in what_if_lines(suite, rules, values, tried, whole=everything):
        click.echo(line)


def _rules_and_values_or_exit(suite: Suite, ruleset: str, changes: tuple[str, ...]) -> tuple[Rules, dict[str, Any]]:
    """Return the rules and the new values of their cells; raise UsageError if there is no such cell."""
    ruleset_or_exit(suite, ruleset)
    rules = suite.rules.of(ruleset)
    try:
        return rules, read_values(suite, rules, changes)
    except NoChange as no_change:
        raise click.UsageError(str(no_change)) from no_change


def _changed_rules_or_exit(rules: Rules, values: dict[str, Any]) -> Rules:
    """Return the rules with other values; raise UsageError if the table cannot have them."""
    try:
        return change_rules(rules, values)
    except Malformed as malformed:
        raise click.UsageError(f"These values are not valid together: {malformed}.") from malformed
