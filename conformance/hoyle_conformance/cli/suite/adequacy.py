"""`hoyle suite adequacy`: how good the suite is."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Never

import click

from hoyle_conformance.cli.completion import complete_rulesets
from hoyle_conformance.cli.exit import exit_explained, exit_with
from hoyle_conformance.cli.names import rulesets_or_exit
from hoyle_conformance.cli.options import console, spec_option, suite_or_exit
from hoyle_conformance.cli.outputs import MEASURED, Output, output_option, safe_or_exit, write_or_exit
from hoyle_conformance.suite.suite import Suite

if TYPE_CHECKING:
    from hoyle_conformance.tools.adequacy.code_mutants import CodeMutant, CodeVerdict
    from hoyle_conformance.tools.adequacy.evidence import Evidence
    from hoyle_conformance.tools.adequacy.measure import Measurement
    from hoyle_conformance.tools.adequacy.waivers import WaiverScope

#: Columns of a table that goes elsewhere than to a terminal.
_WIDTH = 120
_EVIDENCE_WIDTH = 200
_MOST_JOBS = 256
#: The random games of each ruleset in which crossings are counted.
_GAMES = 100


@click.command("adequacy", short_help="Measure how many mutants the checks notice.")
@click.argument("rulesets", nargs=-1, metavar="[RULESET…]", shell_complete=complete_rulesets)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1, max=_MOST_JOBS),
    metavar="N",
    help="The number of processes that share the work; by default one for each core.",
)
@click.option("--cluster", default="", metavar="ADDRESS", help="Let the workers of a Dask cluster do the work.")
@click.option("--everything", "-e", is_flag=True, help="Also list the waivers, with their reasons.")
@click.option("--evidence", is_flag=True, help="Count the positions that distinguish the values of a rule.")
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
@spec_option
def command(
    rulesets: tuple[str, ...],
    jobs: int | None,
    cluster: str,
    everything: bool,
    evidence: bool,
    code: bool,
    most: int | None,
    crossings: bool,
    games: int | None,
    seed: int,
    output: str | None,
    spec: Path | None,
) -> None:
    """Run the checks of each RULESET (of all by default) on mutants, engines that are wrong in one thing, and report
    the mutants that no check notices.

    Each mutant changes one rule of a table, drops one refusal, forgets one thing that an event writes, or plays another
    ruleset of the game. Mutants are checked like any engine: their reasons for refusing are not compared, and they may
    follow any reading. Random play also shows situations that no scenario covers.

    Four figures are reported separately: the mutants that checks notice, those that only whole games notice, those
    excused by a waiver, and those that survive.

    \b
    hoyle suite adequacy bezique-hoyle
    hoyle suite adequacy --everything
    hoyle suite adequacy bezique-hoyle --evidence
    hoyle suite adequacy --code --most 200
    hoyle suite adequacy --crossings --seed 7
    hoyle suite adequacy --cluster tcp://192.0.2.7:8786

    With --evidence, each rule is set to the value of another ruleset of the game, an option or another reading. The
    command counts the positions that distinguish such an engine from the ruleset, up to the number that is enough,
    which is usually five. It lists the rules that have too few positions. With --everything, it lists all rules, those
    with the fewest positions first.

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
    if evidence:
        _show_evidence(rulesets, jobs or 0, cluster, everything, output, spec)
    if code:
        _show_code(rulesets, (most, seed), (jobs or 0, cluster), everything, output, spec)
    if crossings:
        games = games or _GAMES
        _show_crossings(rulesets, range(seed * games, (seed + 1) * games), (jobs or 0, cluster), output, spec)
    _show_measures(rulesets, jobs or 0, cluster, everything, output, spec)


def _show_measures(
    rulesets: tuple[str, ...], jobs: int, cluster: str, everything: bool, output: str | None, spec: Path | None
) -> Never:
    """Print the measures of each ruleset, and exit."""
    from hoyle_conformance.runner.results import Exit
    from hoyle_conformance.tools.adequacy.measure import store_measurements, unused_waivers
    from hoyle_conformance.tools.adequacy.report import gap_lines, measurement_table

    suite = suite_or_exit(spec, positions=True)
    output_file = _output_or_exit(suite, output)
    rows, lost = _measure(suite, _rulesets_or_all(suite, rulesets), jobs, cluster)
    console(_WIDTH).print(measurement_table(rows))
    found = [each for row in rows for each in row]
    for line in gap_lines(found, everything=everything):
        click.echo(line)
    idle = [] if rulesets or lost else unused_waivers(found)
    _list_unused(idle)
    if not rulesets and not lost:
        store_measurements(suite.root, found)
    _write(output_file, found)
    lacking = sum(len(each.lacking) for each in found)
    click.echo(f"\n{lacking} without a check or a waiver." if lacking else "\nEverything is noticed, or has a waiver.")
    if lost:
        exit_explained(Exit.TOO_LITTLE_RAN, lost)
    if lacking:
        exit_explained(
            Exit.UNEXPECTED_RESULT,
            "some mutants have no check and no waiver; write a check, or a waiver with the reason",
        )
    _exit_unless_all_used(idle)
    exit_with(Exit.AS_EXPECTED)


def _list_unused(idle: "Sequence[WaiverScope]") -> None:
    for place in idle:
        click.echo(f"A waiver that no longer matches anything: {', '.join(place)}")


def _exit_unless_all_used(idle: "Sequence[WaiverScope]") -> None:
    """Exit with 1 if waivers match nothing."""
    from hoyle_conformance.runner.results import Exit

    if idle:
        exit_explained(
            Exit.UNEXPECTED_RESULT, "some waivers no longer match anything; remove them from adequacy/waivers.yaml"
        )


def _measure(suite: Suite, rulesets: tuple[str, ...], jobs: int, cluster: str) -> "tuple[list[list[Measurement]], str]":
    """Return the measures of these rulesets, and an explanation if workers were lost."""
    from hoyle_conformance.runner.results import Exit
    from hoyle_conformance.runner.workers import NoCluster
    from hoyle_conformance.tools.adequacy.executor import LostPieces, measure_all
    from hoyle_conformance.tools.adequacy.measure import InvalidMeasurement

    rows: list[list[Measurement]] = []
    try:
        rows.extend(measure_all(suite.root, rulesets, jobs=jobs, cluster=cluster))
    except LostPieces as lost:
        return rows, f"{lost}: {', '.join(map(str, lost.pieces))}"
    except NoCluster as no_cluster:
        raise click.UsageError(f"{no_cluster}.") from no_cluster
    except InvalidMeasurement as void:
        exit_explained(Exit.SUITE_INVALID, f"nothing can be measured: {void}")
    return rows, ""


def _output_or_exit(suite: Suite, named: str | None) -> Output:
    """Return the output for the measurements."""
    output = Output("--output", named, MEASURED)
    safe_or_exit([output], suite.root)
    return output


def _write(output: Output, found: "Sequence[Measurement | Evidence]") -> None:
    """Write the measurements as JSON."""
    _write_rows(output, [asdict(each) for each in found])


def _write_rows(output: Output, rows: Sequence[Mapping[str, Any]]) -> None:
    write_or_exit(output, json.dumps(rows, indent=1) + "\n")


def _rulesets_or_all(suite: Suite, rulesets: tuple[str, ...]) -> tuple[str, ...]:
    """Return the named rulesets, or all."""
    rulesets_or_exit(suite, rulesets)
    return rulesets or suite.rules.names


def _show_evidence(
    rulesets: tuple[str, ...], jobs: int, cluster: str, everything: bool, output: str | None, spec: Path | None
) -> Never:
    """Print how many positions tell each value of a rule from others, and exit."""
    from hoyle_conformance.runner.results import Exit
    from hoyle_conformance.runner.workers import NoCluster
    from hoyle_conformance.tools.adequacy.executor import LostPieces, collect_all_evidence
    from hoyle_conformance.tools.adequacy.report import evidence_table

    suite = suite_or_exit(spec, positions=True)
    output_file = _output_or_exit(suite, output)
    try:
        rows = collect_all_evidence(suite.root, _rulesets_or_all(suite, rulesets), jobs=jobs, cluster=cluster)
        found = [each for row in rows for each in row]
    except LostPieces as lost:
        exit_explained(Exit.TOO_LITTLE_RAN, str(lost))
    except NoCluster as no_cluster:
        raise click.UsageError(f"{no_cluster}.") from no_cluster
    thin = [each for each in found if each.is_thin]
    if shown := found if everything else thin:
        console(_EVIDENCE_WIDTH).print(evidence_table(shown))
    _write(output_file, found)
    count = f"{len(found)} other values of rules"
    click.echo(f"\n{count}: too few positions distinguish {len(thin)}." if thin else f"{count}: enough positions.")
    if thin:
        why = (
            "too few positions distinguish some rules; write more, or explain in adequacy/enough.yaml why "
            "these are enough"
        )
        exit_explained(Exit.UNEXPECTED_RESULT, why)
    exit_with(Exit.AS_EXPECTED)


def _show_code(
    rulesets: tuple[str, ...],
    chosen: tuple[int | None, int],
    shared: tuple[int, str],
    everything: bool,
    output: str | None,
    spec: Path | None,
) -> Never:
    """Try mutants of the interpreter's code (the most of them, with a seed) by so many jobs or on a cluster, print the
    figures, and exit."""
    from hoyle_conformance.runner.results import Exit
    from hoyle_conformance.tools.adequacy.code_figures import code_figures, store_verdicts, verdict_row
    from hoyle_conformance.tools.adequacy.code_figures import unused_code_waivers as unused_waivers
    from hoyle_conformance.tools.adequacy.code_mutants import Noticed, choose_mutants, code_mutants
    from hoyle_conformance.tools.adequacy.report import code_lines, code_table

    if not hasattr(os, "fork"):
        raise click.UsageError("--code needs an operating system that can copy a process, such as Linux or macOS.")
    suite = suite_or_exit(spec, positions=True)
    output_file = _output_or_exit(suite, output)
    found, lost = _try_code(suite, _rulesets_or_all(suite, rulesets), choose_mutants(*chosen), shared)
    found = [each for each in found if each.reached or not rulesets or each.noticed is not Noticed.BY_NOTHING]
    figures = code_figures(found, len(code_mutants()))
    console(_WIDTH).print(code_table(figures))
    for line in code_lines(figures, everything=everything):
        click.echo(line)
    idle = [] if rulesets else unused_waivers(figures)
    _list_unused(idle)
    if not rulesets and not lost:
        store_verdicts(suite.root, found, figures.in_all)
    _write_rows(output_file, [verdict_row(each) for each in found])
    breaking = sum(each.breaks for each in (*figures.by_checks, *figures.by_games))
    click.echo(f"\n{figures.tried} of {figures.in_all} mutants tried; {breaking} of those noticed break or hang.")
    if lost:
        exit_explained(Exit.TOO_LITTLE_RAN, lost)
    exit_with(Exit.AS_EXPECTED)


def _try_code(
    suite: Suite, rulesets: tuple[str, ...], mutants: "Sequence[CodeMutant]", shared: tuple[int, str]
) -> "tuple[list[CodeVerdict], str]":
    """Return the verdicts on mutants, and an explanation if workers were lost; progress goes to standard error."""
    from hoyle_conformance.runner.workers import NoCluster
    from hoyle_conformance.tools.adequacy.executor import LostPieces, try_all

    found: list[CodeVerdict] = []
    jobs, cluster = shared
    try:
        for some in try_all(suite.root, rulesets, mutants, jobs=jobs, cluster=cluster):
            found += some
            click.echo(f"{len(found)} of {len(mutants)}", err=True)
    except LostPieces as lost:
        return found, str(lost)
    except NoCluster as no_cluster:
        raise click.UsageError(f"{no_cluster}.") from no_cluster
    return found, ""


def _show_crossings(
    rulesets: tuple[str, ...], seeds: range, shared: tuple[int, str], output: str | None, spec: Path | None
) -> Never:
    """Print the crossings that games with these seeds and checks meet, by so many jobs or on a cluster, and exit."""
    from hoyle_conformance.runner.results import Exit
    from hoyle_conformance.runner.workers import NoCluster
    from hoyle_conformance.tools.adequacy.crossings import unused_crossing_waivers
    from hoyle_conformance.tools.adequacy.executor import LostPieces, meet_crossings
    from hoyle_conformance.tools.adequacy.report import crossing_table

    suite = suite_or_exit(spec, positions=True)
    output_file = _output_or_exit(suite, output)
    jobs, cluster = shared
    try:
        rows = meet_crossings(suite.root, _rulesets_or_all(suite, rulesets), seeds, jobs=jobs, cluster=cluster)
    except LostPieces as lost:
        exit_explained(Exit.TOO_LITTLE_RAN, str(lost))
    except NoCluster as no_cluster:
        raise click.UsageError(f"{no_cluster}.") from no_cluster
    console(_WIDTH).print(crossing_table(rows))
    _write_rows(output_file, [asdict(each) for each in rows])
    missing, idle = sum(each.is_missing for each in rows), unused_crossing_waivers(rows)
    _list_unused(idle)
    click.echo(
        f"\n{missing} of {len(rows)} crossings need a check."
        if missing
        else "\nEvery crossing has a check or a waiver."
    )
    if missing:
        exit_explained(
            Exit.UNEXPECTED_RESULT,
            "games meet crossings that no check meets; write a check, or a waiver with the reason",
        )
    _exit_unless_all_used(idle)
    exit_with(Exit.AS_EXPECTED)
