"""`hoyle suite what-if`: list the checks that a changed rule affects."""

from pathlib import Path

import click

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.cli import options as common
from hoyle_conformance.reports.what_if import what_if_data, what_if_lines
from hoyle_conformance.runner.rule_changes import NoChange, change_rules, read_values, try_check
from hoyle_reference import Malformed


@click.command("what-if")
@click.argument("ruleset", shell_complete=common.complete_rulesets)
@click.argument("changes", nargs=-1, required=True, metavar="CELL=VALUE…")
@click.option(
    "--all", "-a", "everything", is_flag=True, help="Show every check that changes, not only two of each topic."
)
@common.reading_options
def command(ruleset: str, changes: tuple[str, ...], everything: bool, as_json: bool, spec: Path | None) -> None:
    """Run the checks of a RULESET with other values in some cells of its table, and show which outcomes change.

    Write VALUE as in a table. 'hoyle rules RULESET --cells' names every CELL; each field of a combination is a cell.

    \b
    hoyle suite what-if bezique-hoyle settle.target=500
    hoyle suite what-if bezique-hoyle 'deal.packets=[[4, 4]]' seven.points=20
    hoyle suite what-if bezique-hoyle+brisques-at-end declare.melds.bezique.points=50 --all

    The exit code is 0 whether anything changes or not. Nothing is written.
    """
    suite = common.suite_or_exit(spec, drafts=True)
    common.ruleset_or_exit(suite, ruleset)
    rules = suite.rules.of(ruleset)
    try:
        values = read_values(suite, rules, changes)
        other = change_rules(rules, values)
    except NoChange as no_change:
        raise click.UsageError(str(no_change)) from no_change
    except Malformed as malformed:
        raise click.UsageError(f"These values are not valid together: {malformed}.") from malformed
    checks = list(suite.index.checks_under(ruleset))
    if not checks:
        raise click.UsageError(f"The suite has no check of {ruleset}.")
    common.sound_or_exit(suite, [check.scenario for check in checks if not planner_of(suite).can_set_up(check)])
    tried = [try_check(other, each, planner_of(suite).request(each)) for each in checks]
    common.print_answer(
        lambda: what_if_data(suite, rules, values, tried),
        lambda: what_if_lines(suite, rules, values, tried, whole=everything),
        as_json=as_json,
    )
