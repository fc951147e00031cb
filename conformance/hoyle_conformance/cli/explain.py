"""`hoyle explain`: a scenario step by step."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from hoyle_conformance.cli import options as common
from hoyle_conformance.files.diagnostics import printable
from hoyle_conformance.protocol.messages import Wire
from hoyle_conformance.runner.select import checks_named, explain_unknown
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate.check_file import is_proposal
from hoyle_conformance.wording.explain import explanation, prelude_lines


@click.command("explain")
@click.argument("scenario", shell_complete=common.complete_scenarios)
@click.option(
    "--ruleset", "-r", metavar="NAME", shell_complete=common.complete_rulesets, help="Only under this ruleset."
)
@click.option("--prelude", is_flag=True, help="Show how the position is reached from a deal.")
@click.option("--message", is_flag=True, help="Print the messages to an adapter instead, one per line.")
@click.option("--as-sent", is_flag=True, help="Show seats and suits relabelled, as 'hoyle check' sends them.")
@common.seed_option
@common.reading_options
def command(scenario: str, ruleset: str | None, spec: Path | None, **options: Any) -> None:
    """Show a SCENARIO (its id, its name alone, or its file): which sources answer it, and every step with its effects
    and the clauses behind them.

    The scenario has the seats and suits of its file. --as-sent, --seed and --message relabel them as 'hoyle check'
    does.

    \b
    hoyle explain to-score.the-example
    hoyle explain to-score.the-example --as-sent
    hoyle explain last-tricks.ten-and-king@bezique-hoyle+ten-at-whist-rank
    hoyle explain tricks.identical-trumps -r bezique-hoyle --message | ./adapter

    'hoyle suite list' shows the ids.

    --message prints hello, a 'run' for each ruleset, and bye: the lines that 'hoyle check' sends to an engine that
    claims everything. 'hoyle check --log -' shows what it sends to yours.
    """
    chosen = [f"--{name}" for name in ("message", "prelude") if options[name]] + ["--json"] * options["as_json"]
    if len(chosen) > 1:
        raise click.UsageError(f"{chosen[0]} and {chosen[1]} cannot be combined: leave one out.")
    suite = common.suite_or_exit(spec, drafts=True)
    checks = _checks_or_exit(suite, scenario, ruleset)
    common.sound_or_exit(suite, [checks[0].scenario])
    as_sent = options["as_sent"] or options["message"] or options["seed"]
    checks = common.relabelled_or_exit(suite, checks, options["seed"], as_written=not as_sent)
    if options["as_json"]:
        from hoyle_conformance.wording.rulebook_data import explanation_data

        common.print_json(explanation_data(suite, checks))
        return
    if options["message"]:
        lines = _messages(suite, checks)
    elif options["prelude"]:
        lines = (line for check in checks for line in prelude_lines(suite, check))
    else:
        lines = explanation(suite, checks)
    for line in lines:
        click.echo(line)


def _checks_or_exit(suite: Suite, word: str, ruleset: str | None) -> list[Check]:
    """Return the checks of a scenario, all or those of one ruleset; raise UsageError if there are none."""
    name, _, of_ruleset = word.partition("@")
    scenario = scenario_or_exit(suite, name, word)
    checks, wanted = suite.index.checks_of(scenario), of_ruleset or ruleset
    chosen = [check for check in checks if not wanted or check.ruleset == wanted]
    if wanted and not chosen:
        common.rulesets_or_exit(suite, [wanted])
        has = common.join_first([check.ruleset for check in checks], f"hoyle explain {scenario.id}")
        raise click.UsageError(f"The scenario has no outcome for '{wanted}', only for: {has}.")
    return chosen


def scenario_or_exit(suite: Suite, name: str, word: str) -> Scenario:
    """Return the scenario that a word names; raise UsageError if it names none, or several."""
    if name in suite.scenarios:
        return suite.scenarios[name]
    if is_proposal(Path(word)):
        raise click.UsageError(
            f"{printable(word)} only proposes outcomes that nobody has confirmed, so it is not a scenario "
            "yet. Run 'hoyle validate' on it to see what to do."
        )
    found = sorted({check.partition("@")[0] for check in checks_named(suite, word)})
    if not found:
        raise click.UsageError(explain_unknown(suite, word))
    if len(found) > 1:
        raise click.UsageError(f"Which one? {common.join_first(found, 'hoyle suite list')}.")
    return suite.scenarios[found[0]]


def _messages(suite: Suite, checks: list[Check]) -> Iterator[str]:
    """Yield the messages to an adapter that claims everything."""
    from hoyle_conformance.runner.checker import claim_everything, compose_messages

    yield json.dumps(Wire(suite.schemas, suite.version).hello())
    messages = compose_messages(suite, claim_everything(suite), checks)
    yield from (each.decode().rstrip("\n") for each in messages if isinstance(each, bytes))
    yield json.dumps({"type": "bye"})
