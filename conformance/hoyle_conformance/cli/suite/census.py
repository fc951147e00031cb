"""`hoyle suite census`: whole games against an engine."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from hoyle_conformance.cli.adapter_options import (
    deadline_option,
    exit_code,
    exit_not_ready,
    exit_without_adapter,
    start,
    timeout_option,
)
from hoyle_conformance.cli.configuration import (
    Configurable,
    configuration_option,
    configured_folder,
    words_at_the_end,
)
from hoyle_conformance.cli.exit import exit_explained
from hoyle_conformance.cli.json_output import json_option, print_json
from hoyle_conformance.cli.names import rulesets_or_exit
from hoyle_conformance.cli.options import console, rulesets_option, spec_option, suite_or_exit
from hoyle_conformance.cli.outputs import (
    exit_when_written,
    json_alone_or_exit,
    log_of,
    log_option,
    open_lines_or_exit,
    safe_or_exit,
)
from hoyle_conformance.cli.sandbox_options import sandbox_option, sandbox_or_exit
from hoyle_conformance.runner.interrupts import INTERRUPTION
from hoyle_conformance.runner.results import Exit, Run
from hoyle_conformance.suite.suite import Suite

if TYPE_CHECKING:
    from hoyle_conformance.files.write import LineFile
    from hoyle_conformance.runner.reference_adapter import Log, Start
    from hoyle_conformance.suite.model import Check

#: Columns of a report that goes elsewhere than to a terminal.
_WIDTH = 100


@click.command(
    "census",
    cls=Configurable,
    short_help="Check an engine in whole games, act by act.",
    options_metavar="[OPTIONS] [COMMAND…]",
)
@rulesets_option("Only games of this ruleset (repeatable).")
@click.option(
    "--game", "-g", "games", multiple=True, type=click.IntRange(min=1), metavar="N", help="Only this game (repeatable)."
)
@timeout_option
@deadline_option
@sandbox_option
@log_option
@json_option
@configuration_option
@spec_option
@click.pass_context
def command(context: click.Context, /, spec: Path | None, **options: Any) -> None:
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
    adapter: tuple[str, ...] = context.meta["adapter"]
    suite = suite_or_exit(spec)
    games = _games(suite, _rulesets(suite, options["rulesets"]), options["games"])
    log = _log(suite, options, adapter)
    confined = sandbox_or_exit(context, wanted=options["sandbox"])
    INTERRUPTION.heed()
    started = start(adapter, options["timeout"], configured_folder(context), sandbox=confined)
    run = _run(suite, started, games, log.write if log else lambda _line: None, options["seconds"])
    from hoyle_conformance.tools.games.census_report import census_data, print_report

    begin = ["hoyle", "suite", "census", *(["--spec", str(spec)] if spec else [])]
    repeat = begin, words_at_the_end(context)
    if options["as_json"]:
        print_json(census_data(suite, run, repeat, exit_code(run)))
    else:
        print_report(console(_WIDTH), suite, run, repeat, exit_code(run))
    exit_when_written([log], run)


def _log(suite: Suite, options: dict[str, Any], adapter: tuple[str, ...]) -> "LineFile | None":
    """Open the log, if it is asked for."""
    log = log_of(adapter, options["log"])
    json_alone_or_exit([log], as_json=options["as_json"])
    safe_or_exit([log], suite.root, command=adapter)
    return open_lines_or_exit([log])[0]


def _rulesets(suite: Suite, named: tuple[str, ...]) -> list[str]:
    """Return the rulesets whose games are played."""
    rulesets_or_exit(suite, named)
    by_table = sorted(suite.rules.names, key=lambda name: list(suite.rulesets).index(name.partition("+")[0]))
    return list(dict.fromkeys(named)) or by_table


def _games(suite: Suite, rulesets: list[str], numbers: tuple[int, ...]) -> "list[Check]":
    """Return the selected games; exit with 5 if they are stale."""
    from hoyle_conformance.tools.games.census import game_checks

    chosen = game_checks(suite, rulesets, numbers)
    if not chosen:
        raise click.UsageError("The suite has no such game: spec/census lists the games.")
    return chosen


def _run(suite: Suite, started: "Start", games: "list[Check]", log: "Log", seconds: float | None) -> Run:
    """Play the games; exit if the adapter cannot be started, or the games are stale."""
    from hoyle_conformance.protocol.messages import ProtocolError
    from hoyle_conformance.runner.interrupts import DeadlinePassed
    from hoyle_conformance.runner.run import run
    from hoyle_conformance.tools.games.census import CensusGames, StaleCensus

    try:
        return run(suite, started(suite, log), games, games=partial(CensusGames, suite), seconds=seconds)
    except ProtocolError as fault:
        exit_without_adapter(fault)
    except DeadlinePassed as passed:
        exit_not_ready(passed)
    except StaleCensus as stale:
        _exit_stale(stale)


def _exit_stale(stale: Exception) -> NoReturn:
    """Exit with 5 because the games are not what the rules give."""
    click.echo(f"The census does not match the rules: {stale}.", err=True)
    exit_explained(Exit.SUITE_INVALID, "the census is stale; 'hoyle validate' shows more")
