"""`hoyle suite adequacy`: how good the suite is."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Never

import click

from hoyle_conformance.cli.completion import complete_rulesets
from hoyle_conformance.cli.exit import exit_explained, exit_with
from hoyle_conformance.cli.json_output import json_option, print_json
from hoyle_conformance.cli.names import rulesets_or_exit
from hoyle_conformance.cli.options import console, spec_option, suite_or_exit
from hoyle_conformance.cli.outputs import (
    MEASURED,
    Output,
    json_alone_or_exit,
    output_option,
    safe_or_exit,
    write_or_exit,
)
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.system.copies import CAN_COPY
from hoyle_reference.frozen import frozen

if TYPE_CHECKING:
    from rich.table import Table

    from hoyle_conformance.tools.adequacy.code_figures import CodeFigures
    from hoyle_conformance.tools.adequacy.code_mutants import CodeMutant, CodeVerdict
    from hoyle_conformance.tools.adequacy.measure import Measurement
    from hoyle_conformance.tools.adequacy.waivers import WaiverScope

#: Columns of a table that goes elsewhere than to a terminal.
_WIDTH = 120
_EVIDENCE_WIDTH = 200
_MOST_JOBS = 256
#: The random games of each ruleset in which crossings are counted.
_GAMES = 100


@frozen
class _Request:
    """A request: the measures of some rulesets, by so many jobs or on a cluster, and where they go."""

    suite: Suite
    rulesets: tuple[str, ...]
    named: bool
    jobs: int
    cluster: str
    everything: bool
    output: Output
    as_json: bool

    def print(self, table: "Table", lines: Sequence[str], width: int = _WIDTH) -> None:
        """Print a report for people, unless the user wants JSON."""
        if self.as_json:
            return
        if table.row_count:
            console(width).print(table)
        for line in lines:
            click.echo(line)

    def deliver(self, data: Mapping[str, Any]) -> None:
        """Print or write the report as JSON, if that is asked for."""
        if self.as_json:
            print_json(data)
        write_or_exit(self.output, json.dumps(data, indent=2) + "\n")


@click.command("adequacy", short_help="Measure how many mutants the checks notice.")
@click.argument("rulesets", nargs=-1, metavar="[RULESET…]", shell_complete=complete_rulesets)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1, max=_MOST_JOBS),
    metavar="N",
    help="The number of processes that share the work; by default one for each core.",
)
@click.option(
    "--cluster",
    default="",
    metavar="ADDRESS",
    help="Let the workers of a Dask cluster do the work. Use only a scheduler that you trust: it can run any "
    "code on this machine.",
)
@click.option("--everything", "-e", is_flag=True, help="Also list the waivers, with their reasons.")
@click.option("--evidence", is_flag=True, help="Count the positions that distinguish the values of a rule.")
@click.option("--silence", is_flag=True, help="Count the checks that rest on values that the source does not state.")
@click.option("--code", is_flag=True, help="Change the code of the built-in reference instead, under all RULESETs.")
@click.option("--most", type=click.IntRange(min=1), metavar="N", help="With --code: try at most this many mutants.")
@click.option("--crossings", is_flag=True, help="Count the effects of rulings in each state of the other chapters.")
@click.option(
    "--games",
    type=click.IntRange(1, 10**6),
    metavar="N",
    help=f"With --crossings: the number of random games of each RULESET; {_GAMES} by default.",
)
@click.option(
    "--seed", type=int, default=0, metavar="S", help="The seed for choosing the mutants of --most, or the games."
)
@output_option("--output", "-o", help="Write the measurements here, as JSON; - is standard output.")
@json_option
@spec_option
def command(
    rulesets: tuple[str, ...],
    jobs: int | None,
    cluster: str,
    everything: bool,
    evidence: bool,
    silence: bool,
    code: bool,
    most: int | None,
    crossings: bool,
    games: int | None,
    seed: int,
    output: str | None,
    as_json: bool,
    spec: Path | None,
) -> None:
    """Run the checks of each RULESET (of all by default) on mutants, engines that are wrong in one thing, and report
    the mutants that no check notices.

    Each mutant changes one rule of a table, drops one refusal or forgets one thing that an event writes. Mutants are
    checked like any engine: their reasons for refusing are not compared, and they may follow any reading. Random play
    also shows situations that no scenario covers.

    Four figures are reported separately: the mutants that checks notice, those that only whole games notice, those
    excused by a waiver, and those that survive.

    \b
    hoyle suite adequacy bezique-hoyle
    hoyle suite adequacy --everything
    hoyle suite adequacy bezique-hoyle --evidence
    hoyle suite adequacy bezique-hoyle --silence
    hoyle suite adequacy --code --most 200
    hoyle suite adequacy --crossings --seed 7
    hoyle suite adequacy --cluster tcp://192.0.2.7:8786

    With --evidence, each rule is set to the value of another ruleset of the game, an option or another reading. The
    command counts the positions that distinguish such an engine from the ruleset, up to the number that is enough,
    which is usually five. It lists the rules that have too few positions. With --everything, it lists all rules, those
    with the fewest positions first.

    With --silence, each rule that the source does not state (it is supplied or implied, or the ledger leaves it open)
    is set to every other value by which a game can be played. The command counts the checks that such an engine fails,
    and lists the values that no entry of adequacy/silence.yaml explains. With --everything, it lists all values.

    With --code, each mutant has one change in one function of the built-in reference: a comparison or a condition is
    reversed, a number is one more, a statement is left out. It runs the checks of all RULESETs and their options that
    reach the change; with RULESETs, changes that none of their checks and games reach are left out. The command only
    reports: it does not fail because mutants survive.

    With --crossings, the command plays random games of each RULESET with irregular acts. A crossing is an effect of a
    ruling and the state of another chapter of the rules in which it occurs. The command counts the games and the checks
    of all rulesets that meet each crossing. A crossing that games meet needs a check.

    \b
    Exit codes:
      0  every mutant is noticed or has a waiver
      1  a check is missing
      3  some mutants were not tried, since their workers were lost
    """
    if games is not None and not crossings:
        raise click.UsageError("--games is the number of games of --crossings.")
    if most is not None and not code:
        raise click.UsageError("--most chooses among the mutants of --code.")
    if code and not CAN_COPY:
        raise click.UsageError("--code needs an operating system that can copy a process, such as Linux or macOS.")
    suite = suite_or_exit(spec, positions=True)
    rulesets_or_exit(suite, rulesets)
    file = Output("--output", output, MEASURED)
    json_alone_or_exit([file], as_json=as_json)
    safe_or_exit([file], suite.root)
    named = rulesets or suite.rules.names
    request = _Request(suite, named, bool(rulesets), jobs or 0, cluster, everything, file, as_json)
    with _cluster_or_exit():
        if evidence:
            _show_evidence(request)
        if silence:
            _show_silence(request)
        if code:
            _show_code(request, most, seed)
        if crossings:
            games = games or _GAMES
            _show_crossings(request, range(seed * games, (seed + 1) * games))
        _show_measures(request)


@contextmanager
def _cluster_or_exit() -> Iterator[None]:
    """Raise UsageError if there is no such cluster; exit with 3 if its workers were lost."""
    from hoyle_conformance.runner.workers import NoCluster
    from hoyle_conformance.tools.adequacy.executor import LostPieces

    try:
        yield
    except LostPieces as lost:
        exit_explained(Exit.TOO_LITTLE_RAN, str(lost))
    except NoCluster as no_cluster:
        raise click.UsageError(f"{no_cluster}.") from no_cluster


def _show_measures(request: _Request) -> Never:
    """Print the measures of each ruleset, and exit."""
    from hoyle_conformance.tools.adequacy.measure import store_measurements, unused_waivers
    from hoyle_conformance.tools.adequacy.report import gap_lines, measurement_table
    from hoyle_conformance.tools.adequacy.report_data import measurements_data

    rows, lost = _measure(request)
    found = [each for row in rows for each in row]
    idle = [] if request.named or lost else unused_waivers(found)
    lacking = sum(len(each.lacking) for each in found)
    sums = f"{lacking} without a check or a waiver." if lacking else "Everything is noticed, or has a waiver."
    lines = [*gap_lines(found, everything=request.everything), *_unused_lines(idle), "", sums]
    request.print(measurement_table(rows), lines)
    if not request.named and not lost:
        store_measurements(request.suite.root, found)
    request.deliver(measurements_data(found, idle, lost))
    if lost:
        exit_explained(Exit.TOO_LITTLE_RAN, lost)
    if lacking:
        exit_explained(
            Exit.UNEXPECTED_RESULT,
            "some mutants have no check and no waiver; write a check, or a waiver with the reason",
        )
    _exit_unless_all_used(idle)
    exit_with(Exit.AS_EXPECTED)


def _unused_lines(idle: "Sequence[WaiverScope]") -> list[str]:
    return [f"A waiver that no longer matches anything: {', '.join(place)}" for place in idle]


def _exit_unless_all_used(idle: "Sequence[WaiverScope]") -> None:
    """Exit with 1 if waivers match nothing."""
    if idle:
        exit_explained(
            Exit.UNEXPECTED_RESULT, "some waivers no longer match anything; remove them from adequacy/waivers.yaml"
        )


def _measure(request: _Request) -> "tuple[list[list[Measurement]], str]":
    """Return the measures of the rulesets, and an explanation if workers were lost."""
    from hoyle_conformance.tools.adequacy.executor import LostPieces, measure_all
    from hoyle_conformance.tools.adequacy.measure import InvalidMeasurement

    rows: list[list[Measurement]] = []
    try:
        rows.extend(measure_all(request.suite.root, request.rulesets, jobs=request.jobs, cluster=request.cluster))
    except LostPieces as lost:
        return rows, f"{lost}: {', '.join(map(str, lost.pieces))}"
    except InvalidMeasurement as void:
        exit_explained(Exit.SUITE_INVALID, f"nothing can be measured: {void}")
    return rows, ""


def _show_evidence(request: _Request) -> Never:
    """Print how many positions tell each value of a rule from others, and exit."""
    from hoyle_conformance.tools.adequacy.executor import collect_all_evidence
    from hoyle_conformance.tools.adequacy.report import evidence_table
    from hoyle_conformance.tools.adequacy.report_data import evidence_data

    rows = collect_all_evidence(request.suite.root, request.rulesets, jobs=request.jobs, cluster=request.cluster)
    found = [each for row in rows for each in row]
    thin = [each for each in found if each.is_thin]
    count = f"{len(found)} other values of rules"
    sums = f"{count}: too few positions distinguish {len(thin)}." if thin else f"{count}: enough positions."
    shown = found if request.everything else thin
    request.print(evidence_table(shown), ["", sums] if thin else [sums], _EVIDENCE_WIDTH)
    request.deliver(evidence_data(found))
    if thin:
        why = (
            "too few positions distinguish some rules; write more, or explain in adequacy/enough.yaml why "
            "these are enough"
        )
        exit_explained(Exit.UNEXPECTED_RESULT, why)
    exit_with(Exit.AS_EXPECTED)


def _show_silence(request: _Request) -> Never:
    """Print the checks that rest on values that the source does not state, and exit."""
    from hoyle_conformance.tools.adequacy.executor import find_all_choices
    from hoyle_conformance.tools.adequacy.report import silence_lines, silence_table
    from hoyle_conformance.tools.adequacy.report_data import silence_data
    from hoyle_conformance.tools.adequacy.silence import unused_reasons

    rows = find_all_choices(request.suite.root, request.rulesets, jobs=request.jobs, cluster=request.cluster)
    found = [each for row in rows for each in row]
    idle = [] if request.named else unused_reasons(found)
    lacking = [each for each in found if each.is_unreviewed]
    shown = [each for each in found if each.checks] if request.everything else lacking
    lines = [*(f"A reason that no longer matches anything: {each}" for each in idle), "", *silence_lines(found)]
    request.print(silence_table(shown), lines, _EVIDENCE_WIDTH)
    request.deliver(silence_data(found, idle))
    if lacking or idle:
        why = (
            "checks rest on values that the source does not state; give the cell readings, let the checks assert less, "
            "or explain in adequacy/silence.yaml which clause the other value contradicts"
        )
        exit_explained(
            Exit.UNEXPECTED_RESULT, why if lacking else "remove the unused reasons from adequacy/silence.yaml"
        )
    exit_with(Exit.AS_EXPECTED)


def _show_code(request: _Request, most: int | None, seed: int) -> Never:
    """Try mutants of the interpreter's code (the most of them, with a seed), print the figures, and exit."""
    from hoyle_conformance.tools.adequacy.code_figures import code_figures, store_verdicts
    from hoyle_conformance.tools.adequacy.code_figures import unused_code_waivers as unused_waivers
    from hoyle_conformance.tools.adequacy.code_mutants import Noticed, choose_mutants, code_mutants
    from hoyle_conformance.tools.adequacy.report import code_lines, code_table
    from hoyle_conformance.tools.adequacy.report_data import code_data

    found, lost = _try_code(request, choose_mutants(most, seed))
    found = [each for each in found if each.reached or not request.named or each.noticed is not Noticed.BY_NOTHING]
    figures = code_figures(found, len(code_mutants()))
    idle = [] if request.named else unused_waivers(figures)
    lines = [*code_lines(figures, everything=request.everything), *_unused_lines(idle), "", _tried_line(figures)]
    request.print(code_table(figures), lines)
    if not request.named and not lost:
        store_verdicts(request.suite.root, found, figures.in_all)
    request.deliver(code_data(found, figures, idle, lost))
    if lost:
        exit_explained(Exit.TOO_LITTLE_RAN, lost)
    exit_with(Exit.AS_EXPECTED)


def _tried_line(figures: "CodeFigures") -> str:
    breaking = sum(each.breaks for each in (*figures.by_checks, *figures.by_games))
    return f"{figures.tried} of {figures.in_all} mutants tried; {breaking} of those noticed break or hang."


def _try_code(request: _Request, mutants: "Sequence[CodeMutant]") -> "tuple[list[CodeVerdict], str]":
    """Return the verdicts on mutants, and an explanation if workers were lost; progress goes to standard error."""
    from hoyle_conformance.tools.adequacy.executor import LostPieces, try_all

    found: list[CodeVerdict] = []
    try:
        for some in try_all(request.suite.root, request.rulesets, mutants, jobs=request.jobs, cluster=request.cluster):
            found += some
            click.echo(f"{len(found)} of {len(mutants)}", err=True)
    except LostPieces as lost:
        return found, str(lost)
    return found, ""


def _show_crossings(request: _Request, seeds: range) -> Never:
    """Print the crossings that games with these seeds and checks meet, and exit."""
    from hoyle_conformance.tools.adequacy.crossings import unused_crossing_waivers
    from hoyle_conformance.tools.adequacy.executor import meet_crossings
    from hoyle_conformance.tools.adequacy.report import crossing_table
    from hoyle_conformance.tools.adequacy.report_data import crossings_data

    rows = meet_crossings(request.suite.root, request.rulesets, seeds, jobs=request.jobs, cluster=request.cluster)
    missing, idle = sum(each.is_missing for each in rows), unused_crossing_waivers(rows)
    need = f"{missing} of {len(rows)} crossings need a check."
    sums = need if missing else "Every crossing has a check or a waiver."
    request.print(crossing_table(rows), [*_unused_lines(idle), "", sums])
    request.deliver(crossings_data(rows, idle))
    if missing:
        exit_explained(
            Exit.UNEXPECTED_RESULT,
            "games meet crossings that no check meets; write a check, or a waiver with the reason",
        )
    _exit_unless_all_used(idle)
    exit_with(Exit.AS_EXPECTED)
