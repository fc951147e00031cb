"""`hoyle suite census`: whole games against an engine."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from hoyle_conformance.cli.adapter_options import adapter_options, ready_or_exit, start_or_exit
from hoyle_conformance.cli.configuration import AdapterCall, Configurable
from hoyle_conformance.cli.exit import exit_code, exit_explained
from hoyle_conformance.cli.options import (
    console,
    json_option,
    print_json,
    rulesets_option,
    rulesets_or_exit,
    spec_option,
    suite_or_exit,
)
from hoyle_conformance.cli.outputs import exit_when_written, log_option, open_log_or_exit
from hoyle_conformance.runner.reference_adapter import Log, Start
from hoyle_conformance.runner.results import Exit, Run
from hoyle_conformance.runner.run import run
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.census import CensusGames, StaleCensus, game_checks
from hoyle_conformance.tools.games.census_report import census_data, print_report

#: The number of columns of a report that is not for a terminal.
_WIDTH = 100


@click.command("census", cls=Configurable)
@rulesets_option("Only games of this ruleset (repeatable).")
@click.option(
    "--game", "-g", "games", multiple=True, type=click.IntRange(min=1), metavar="N", help="Only this game (repeatable)."
)
@adapter_options
@log_option
@json_option
@spec_option
@click.pass_obj
def command(call: AdapterCall, /, spec: Path | None, **options: Any) -> None:
    """Check an engine in whole games of at least two deals; without COMMAND, the engine of the configuration file, or
    else the built-in reference.

    Games show what single positions cannot: what carries over from deal to deal, and how many acts are legal at each
    point. COMMAND starts an adapter that claims 'census'. Hoyle sends each game from the cut, or from the first deal,
    to its end, and compares everything that the adapter observes after every act.

    No game depends on a disputed rule: engines that follow different readings play them alike.

    \b
    hoyle suite census                                  all games, with the built-in reference
    hoyle suite census ./adapter                        the games of every ruleset that it claims
    hoyle suite census -r rubicon-hoyle ./adapter       the games of one ruleset
    hoyle suite census -r rubicon-hoyle --game 3 ./adapter

    --log overwrites an older log, and nothing else. With -, it writes to standard output, and the report goes to
    standard error.

    \b
    Exit codes:
      0  everything as expected          3  nothing ran, or less than was selected
      1  an unexpected result            4  wrong usage, or a file that cannot be written
      2  the adapter broke               5  the suite itself is invalid, or its census is stale
    """
    suite = suite_or_exit(spec)
    games = _games_or_exit(suite, options["rulesets"], options["games"])
    log = open_log_or_exit(call.words, options["log"], suite.root, as_json=options["as_json"])
    start = start_or_exit(call, options["timeout"], sandbox=options["sandbox"])
    with ready_or_exit(call):
        run = _run(suite, start, games, log.write if log else lambda _line: None, options["seconds"])
    repeat = ["hoyle", "suite", "census", *(["--spec", str(spec)] if spec else [])], call.at_the_end
    if options["as_json"]:
        print_json(census_data(suite, run, repeat, exit_code(run)))
    else:
        print_report(console(_WIDTH), suite, run, repeat, exit_code(run))
    exit_when_written([log], run)


def _games_or_exit(suite: Suite, named: tuple[str, ...], numbers: tuple[int, ...]) -> list[Check]:
    """Return the selected games; raise UsageError if there are none."""
    rulesets_or_exit(suite, named)
    by_table = sorted(suite.rules.names, key=lambda name: list(suite.rulesets).index(name.partition("+")[0]))
    chosen = game_checks(suite, list(dict.fromkeys(named)) or by_table, numbers)
    if not chosen:
        raise click.UsageError("The suite has no such game: spec/census lists the games.")
    return chosen


def _run(suite: Suite, start: Start, games: list[Check], log: Log, seconds: float | None) -> Run:
    """Play the games; exit with code 5 if they differ from what the rules give."""
    try:
        return run(suite, start(suite, log), games, games=partial(CensusGames, suite), seconds=seconds)
    except StaleCensus as stale:
        click.echo(f"The census does not match the rules: {stale}.", err=True)
        exit_explained(Exit.SUITE_INVALID, "the census is stale; 'hoyle validate' shows more")
