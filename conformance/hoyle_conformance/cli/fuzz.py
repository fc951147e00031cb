"""`hoyle fuzz`: random whole games against an engine."""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import click

from hoyle_conformance.checks.request import Claims
from hoyle_conformance.cli import options as common
from hoyle_conformance.cli.adapter_options import adapter_options, ready_or_exit, sandbox_or_exit
from hoyle_conformance.cli.configuration import AdapterCall, Configurable
from hoyle_conformance.cli.exit import exit_explained, exit_invalid, exit_with
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.reports.progress import counting
from hoyle_conformance.runner.interrupts import INTERRUPTION, deadline
from hoyle_conformance.runner.jobs import workers
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games import fuzz_report
from hoyle_conformance.tools.games.campaign import Campaign, Opponent, Piece, Plan, run_campaign, run_piece, setting_of
from hoyle_conformance.tools.games.random_game import Recipe
from hoyle_conformance.tools.games.shrink import Shrinker, with_readings
from hoyle_conformance.wording.text import plural

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def _recipe(_context: click.Context, _parameter: click.Parameter, text: str | None) -> Recipe | None:
    """Read the recipe of a game; raise BadParameter."""
    try:
        return Recipe.read(text) if text else None
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from error


@click.command("fuzz", cls=Configurable)
@common.rulesets_option("Only this ruleset (repeatable).")
@click.option("--games", type=click.IntRange(1, 10**9), default=200, show_default=True, help="Games for each ruleset.")
@click.option("--seed", type=click.IntRange(0, 10**9), default=1, show_default=True, help="The seed of all games.")
@click.option("--game", callback=_recipe, metavar="RECIPE", help="Play one game again, such as 17 or 17/42:5.")
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1, 256),
    metavar="N",
    help="The number of processes that share the games; by default one for each core.",
)
@click.option("--known", type=_FILE, help="A file of known differences, each with its reason.")
@adapter_options
@common.json_option
@common.rules_option
@common.spec_option
@click.pass_context
def command(context: click.Context, /, spec: Path | None, **options: Any) -> None:
    """Play random whole games on an engine and on the reference, and report where they differ.

    COMMAND starts an adapter; without COMMAND, Hoyle takes that of the configuration file. The games contain legal and
    illegal acts and, as far as the adapter claims them, irregular acts, mishaps and claims of irregularities. After
    each act, Hoyle compares everything that the adapter observes. A difference that another reading of a disputed rule
    explains is reported as a reading. For any other difference, Hoyle shrinks the game.

    A difference does not show which engine is wrong: read the source.

    \b
    hoyle fuzz ./my-engine                          200 games of each ruleset that it claims
    hoyle fuzz --deadline 10m --seed 7 ./my-engine  other games, for ten minutes at most
    hoyle fuzz -r rubicon-hoyle --game 17 ./my-engine
    hoyle fuzz --rules mine.yaml ./my-engine        games by house rules

    \b
    Exit codes:
      0  no difference, or only known ones      3  no game was played
      1  a difference                           4  wrong usage
      2  the adapter cannot be started
    """
    call: AdapterCall = context.obj
    if not call.words:
        raise click.UsageError("Name the command that starts an adapter: hoyle fuzz ./my-engine")
    suite = common.suite_or_exit(spec)
    common.rulesets_or_exit(suite, options["rulesets"])
    known = _known(suite, options["known"])
    sandbox_or_exit(call, wanted=options["sandbox"])
    opponent = Opponent(call.words, options["timeout"], call.folder, options["sandbox"])
    INTERRUPTION.heed()
    try:
        with ready_or_exit(call):
            info = _introduction(suite, opponent)
            rulesets = _rulesets_or_exit(suite, info, options["rulesets"])
            campaign = _run(suite, opponent, rulesets, options)
            reported = _shrink(suite, opponent, campaign, known)
    except BrokenExecutor:
        exit_explained(Exit.TOO_LITTLE_RAN, "a process that played games has ended")
    if options["as_json"]:
        common.print_json(fuzz_report.campaign_data(info, options["seed"], campaign, reported))
        context.with_resource(redirect_stdout(sys.stderr))  # the destination of all other lines then
    else:
        click.echo(f"{info.name} {info.version}, seed {options['seed']}\n")
        fuzz_report.print_campaign(common.console(120), suite, campaign, reported)
    _exit(campaign, reported)


def _known(suite: Suite, path: Path | None) -> Sequence[fuzz_report.KnownDifference]:
    """Read the file of known differences; exit with code 5 if it is invalid."""
    try:
        return fuzz_report.read_known(suite.schemas, path) if path else ()
    except Invalid as invalid:
        exit_invalid(invalid)


def _introduction(suite: Suite, opponent: Opponent) -> AdapterInfo:
    """Return the engine's `ready` message; raise ProtocolError if it is invalid."""
    adapter = opponent.start(suite)
    try:
        return adapter.introduce()
    finally:
        adapter.close()


def _rulesets_or_exit(suite: Suite, info: AdapterInfo, named: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rulesets of the games to play; exit with code 3 if the engine cannot play any."""
    if other := [f"{mode} {own}" for mode, (_, own) in info.unusual_modes.items()]:
        exit_explained(
            Exit.TOO_LITTLE_RAN, f"the adapter uses modes that random games do not support ({', '.join(other)})"
        )
    if info.position == "none" or "play" not in info.claims:
        exit_explained(Exit.TOO_LITTLE_RAN, "the adapter does not claim 'play', or cannot be set up before a deal")
    chosen = named or ((suite.house.ruleset.id,) if suite.house else suite.rules.names)
    claimed = tuple(name for name in chosen if Claims(suite, info).plays(name))
    if not claimed:
        exit_explained(Exit.TOO_LITTLE_RAN, "the adapter claims none of these rulesets")
    return claimed


def _run(suite: Suite, opponent: Opponent, rulesets: tuple[str, ...], options: dict[str, Any]) -> Campaign:
    """Run the campaign, or the one game requested."""
    if options["game"]:
        campaign = Campaign()
        for ruleset in rulesets:
            campaign.add(run_piece(Piece(suite.root, opponent, ruleset, (options["game"],), house=common.rules_file())))
        return campaign
    plan = Plan(suite.root, opponent, rulesets, options["games"], options["seed"], common.rules_file())
    pool = partial(workers, options["jobs"])
    progress = _progress(plan)
    with deadline(options["seconds"]), progress as watch, INTERRUPTION.while_waiting():
        return run_campaign(plan, pool, watch)


@contextmanager
def _progress(plan: Plan) -> Iterator[Callable[[Campaign], object]]:
    """Show the number of games played, unless progress is hidden."""
    games = 0

    def watch(campaign: Campaign) -> None:
        nonlocal games
        played = sum(counts["games"] for counts in campaign.counts.values())
        acts = sum(counts["acts"] for counts in campaign.counts.values())
        causes = plural(len(campaign.found), "cause")
        show(played - games, lambda done, _passed: f"{done:,} games, {acts:,} acts, {causes} of differences")
        games = played

    if common.without_progress():
        yield lambda _campaign: None
        return
    with counting(plan.games * len(plan.rulesets)) as show:
        yield watch


def _shrink(
    suite: Suite, opponent: "Opponent", campaign: "Campaign", known: "Sequence[fuzz_report.KnownDifference]"
) -> list[fuzz_report.Reported]:
    """Return every cause, most frequent first, with its game shrunk unless the difference is known."""
    adapter = opponent.start(suite)
    try:
        info, reported = adapter.introduce(), list[fuzz_report.Reported]()
        for found in sorted(campaign.found.values(), key=lambda each: -each.games):
            reason, shrunk = fuzz_report.reason_for(found.cause, known), None
            if not reason and found.difference:
                setting = with_readings(suite, setting_of(suite, info, found.cause.ruleset), dict(found.readings))
                shrinker = Shrinker(setting, adapter, deals="deal" in info.claims)
                shrunk = shrinker.shrink(found.message, found.difference)
            reported.append(fuzz_report.Reported(found, shrunk, reason))
        return reported
    finally:
        adapter.close()


def _exit(campaign: Campaign, reported: Sequence[fuzz_report.Reported]) -> None:
    """Exit with the command's exit code, and print its reason."""
    if INTERRUPTION.signal:
        exit_with(INTERRUPTION.exit)
    click.echo()
    new = sum(not each.reason for each in reported)
    if new:
        exit_explained(Exit.UNEXPECTED_RESULT, f"{plural(new, 'new cause')} of differences")
    if not sum(counts["acts"] for counts in campaign.counts.values()):
        exit_explained(Exit.TOO_LITTLE_RAN, "no game was played")
    click.echo("No new difference.")
