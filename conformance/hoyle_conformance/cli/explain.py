"""`hoyle explain`: a scenario step by step."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from hoyle_conformance.cli.options import (
    complete_rulesets,
    complete_scenarios,
    join_first,
    json_option,
    print_json,
    relabelled_or_exit,
    rules_option,
    rulesets_or_exit,
    seed_option,
    sound_or_exit,
    spec_option,
    suite_or_exit,
)
from hoyle_conformance.files.diagnostics import Invalid, printable, shown_path
from hoyle_conformance.files.read import read_json, read_text
from hoyle_conformance.protocol.messages import AdapterInfo, ProtocolError, Wire
from hoyle_conformance.runner.results import Result
from hoyle_conformance.runner.select import checks_named, explain_unknown
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate.check_file import is_proposal
from hoyle_conformance.wording.explain import explanation, prelude_lines


@click.command("explain")
@click.argument("scenario", shell_complete=complete_scenarios)
@click.option("--ruleset", "-r", metavar="NAME", shell_complete=complete_rulesets, help="Only under this ruleset.")
@click.option("--prelude", is_flag=True, help="Show how the position is reached from a deal.")
@click.option("--message", is_flag=True, help="Print the messages to an adapter instead, one per line.")
@click.option(
    "--ready",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="With --message, print the messages for the adapter whose response to hello is in this file.",
)
@json_option
@click.option("--as-sent", is_flag=True, help="Show seats and suits relabelled, as 'hoyle check' sends them.")
@seed_option
@rules_option
@spec_option
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
    claims everything, or to the one of --ready.
    """
    if options["ready"] and not options["message"]:
        raise click.UsageError(
            "--ready needs --message: its file is the engine's answer to hello, which decides what is sent."
        )
    if options["prelude"] and options["message"]:
        raise click.UsageError("--prelude and --message cannot be combined: 'from-deal' in --ready sends the prelude.")
    if options["as_json"] and (options["message"] or options["prelude"]):
        raise click.UsageError("--json prints the explanation: leave out --message and --prelude.")
    suite = suite_or_exit(spec, drafts=True)
    checks = _checks_or_exit(suite, scenario, ruleset)
    sound_or_exit(suite, [checks[0].scenario])
    as_sent = options["as_sent"] or options["message"] or options["seed"]
    checks = relabelled_or_exit(suite, checks, options["seed"], as_written=not as_sent)
    if options["as_json"]:
        from hoyle_conformance.wording.rulebook_data import explanation_data

        print_json(explanation_data(suite, checks))
        return
    for line in _lines(suite, checks, options):
        click.echo(line)


def _lines(suite: Suite, checks: list[Check], options: dict[str, Any]) -> Iterator[str]:
    """Return the lines of the explanation, the prelude or the messages, as the options request."""
    if options["message"]:
        return _messages(suite, checks, options["ready"])
    if options["prelude"]:
        return (line for check in checks for line in prelude_lines(suite, check))
    return explanation(suite, checks)


def _checks_or_exit(suite: Suite, word: str, ruleset: str | None) -> list[Check]:
    """Return the checks of a scenario, all or those of one ruleset; raise UsageError if there are none."""
    name, _, of_ruleset = word.partition("@")
    scenario = scenario_or_exit(suite, name, word)
    checks, wanted = suite.index.checks_of(scenario), of_ruleset or ruleset
    chosen = [check for check in checks if not wanted or check.ruleset == wanted]
    if wanted and not chosen:
        rulesets_or_exit(suite, [wanted])
        has = join_first([check.ruleset for check in checks], f"hoyle explain {scenario.id}")
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
        raise click.UsageError(f"Which one? {join_first(found, 'hoyle suite list')}.")
    return suite.scenarios[found[0]]


def _messages(suite: Suite, checks: list[Check], ready: Path | None) -> Iterator[str]:
    """Yield the messages to the adapter, and report those that are not sent; raise UsageError if nothing is sent."""
    from hoyle_conformance.reports.words import reason
    from hoyle_conformance.runner.checker import claim_everything, compose_messages

    engine = _introduction_or_exit(suite, ready) if ready else claim_everything(suite)
    lines: list[bytes] = []
    for each in compose_messages(suite, engine, checks):
        if isinstance(each, Result):
            click.echo(f"{each.check.id} is not sent: {reason(each)}.", err=True)
        else:
            lines.append(each)
    if not lines:
        raise click.UsageError("Hoyle sends none of this to an engine that claims so little.")
    yield json.dumps(Wire(suite.schemas, suite.version).hello())
    yield from (line.decode().rstrip("\n") for line in lines)
    yield json.dumps({"type": "bye"})


def _introduction_or_exit(suite: Suite, path: Path) -> AdapterInfo:
    """Return the `ready` message of an adapter from a file; raise UsageError if the file has none."""
    holds = "It must contain your adapter's answer to 'hello'."
    try:
        return Wire(suite.schemas).ready(read_json(read_text(path, shown_path(path), within=path.parent)))
    except Invalid as invalid:
        raise click.UsageError(str(invalid)) from invalid
    except ValueError as error:
        raise click.UsageError(f"{shown_path(path)}: {error}. {holds}") from error
    except ProtocolError as fault:
        raise click.UsageError(f"{path}: {printable(fault.message)}. {holds}") from fault
