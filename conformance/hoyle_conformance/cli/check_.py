"""`hoyle check`: hold an implementation against the suite."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..files.diagnostics import Invalid
from ..model import Check
from ..run.interrupting import INTERRUPTION
from ..run.results import Exit, Run, Status
from ..suite.value import Suite
from .adapters import (
    WithAdapter,
    deadline_option,
    leave_the_speechless,
    start,
    timeout_option,
)
from .common import (
    checks_or_leave,
    clause_option,
    console,
    leave,
    rules_again,
    rules_file,
    rules_option,
    ruleset_option,
    show_invalid,
    sound_or_leave,
    spec_option,
    suite_or_leave,
    topic_option,
    turned_or_leave,
    turning_options,
)
from .writing import RECORD, Output, leave_written, lines_or_leave, log_of, sure_or_leave, to_write

if TYPE_CHECKING:
    from ..files.writing import LineFile
    from ..protocol.starting import Log, Start
    from ..run.jobs import Helper
    from ..run.record import Recorder

#: More processes than this are not meant.
_MOST_JOBS = 256
#: Columns of a report that goes elsewhere than to a terminal.
_WIDTH = 100


@click.command("check", cls=WithAdapter, short_help="Hold an implementation against the suite.")
@click.argument("patterns", nargs=-1, metavar="[CHECK…] [-- COMMAND…]")
@ruleset_option
@topic_option
@clause_option
@timeout_option
@deadline_option
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1, max=_MOST_JOBS),
    default=1,
    show_default=True,
    metavar="N",
    help="Share the checks out among N processes, each with an adapter of its own. The report is the same.",
)
@click.option(
    "--baseline",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of known failures, one check a line.",
)
@click.option("--record", metavar="FILE", callback=to_write, help="Write the record of the run here, as JSON lines.")
@click.option("--log", metavar="FILE", callback=to_write, help="Write every message to and from the adapter here.")
@click.option(
    "--failures",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="How many causes of failures to show in full.",
)
@turning_options
@click.option(
    "--verbose", "-v", is_flag=True, help="Leave nothing out: all checks that fail, and how disputed rules are read."
)
@rules_option
@spec_option
@click.pass_context
def command(context: click.Context, /, patterns: tuple[str, ...], spec: Path | None, **options: Any) -> None:
    """Hold an implementation against the suite; the built-in reference if no COMMAND is given.

    COMMAND starts an adapter that speaks the protocol of spec/PROTOCOL.md. CHECK is the id of a check or scenario, or a
    pattern with *.

    \b
    hoyle check                                      all checks, against the built-in reference
    hoyle check -- python my_adapter.py              against your engine
    hoyle check 'seven.*' -- node adapter.js         the checks about the seven of trumps
    hoyle check -r bezique-hoyle --record run.jsonl -- ./adapter
    hoyle check --jobs 4 -- ./adapter                four adapters share the checks
    hoyle check --seed monday -- ./adapter           other seats and suits than usual
    hoyle check --rules mine.yaml -- ./adapter       against house rules: see 'hoyle new rules'

    \b
    Every check is sent turned: the players sit in other seats than in its file, and suits that no rule names have
    changed places, always in the same way for the same seed. The report speaks of what was sent.

    \b
    --record and --log overwrite an older record or log, and nothing else. With - they write to
    standard output, and the report goes to standard error.

    \b
    Exit codes:
      0  everything as expected          3  nothing ran, or less than was selected
      1  an unexpected result            4  wrong usage, or a file that cannot be written
      2  the adapter broke               5  the suite itself is invalid
    Interrupted, it reports what was measured and ends as the signal would: 130 after Ctrl-C. When its --deadline has
    passed, it does so too, and ends with 3 if nothing graver was found.
    """
    from ..report.terminal import report

    adapter: tuple[str, ...] = context.meta["adapter"]
    suite = suite_or_leave(spec)
    rulesets = options["rulesets"] or ((suite.house.ruleset.id,) if suite.house else ())
    checks = checks_or_leave(suite, patterns, rulesets, options["topics"], options["clauses"])
    _take_what_is_kept(suite, whole=len(checks) == len(suite.headings))
    # The reference itself tells of a position that cannot be; another implementation may take it for one.
    sound_or_leave(suite, [check.scenario for check in checks if adapter])
    checks = turned_or_leave(suite, checks, options["seed"], as_written=options["as_written"])
    known = _known_failures(suite, options["baseline"])
    record, log = _files(suite, options, adapter)
    INTERRUPTION.heed()
    jobs = _Jobs(start(adapter, options["timeout"]), log.write if log else lambda _line: None, options["jobs"])
    run = _run(suite, jobs, checks, known, _recorder(suite, record, spec, options), options["seconds"])
    if not adapter:
        failed = [result.check.scenario.id for result in run.results if result.status is not Status.PASS]
        sound_or_leave(suite, [suite.scenarios[name] for name in failed])
    how = {"failures": options["failures"], "verbose": options["verbose"]}
    report(console(_WIDTH), suite, run, again=_again(spec, options), **how)
    leave_written([record, log], run)


def _files(suite: Suite, options: dict[str, Any], adapter: tuple[str, ...]) -> "Sequence[LineFile | None]":
    """The files of the record and of the log, where they are asked for."""
    outputs = [Output("--record", options["record"], RECORD), log_of(adapter, options["log"])]
    sure_or_leave(outputs, suite.root, {"--baseline": options["baseline"], "--rules": rules_file()}, adapter)
    return lines_or_leave(outputs)


def _take_what_is_kept(suite: Suite, *, whole: bool) -> None:
    """The plans of a suite that is kept; where they are not, and the `whole` of it is checked, they are from now on."""
    from ..kept.opening import settle, take_plans

    if suite.known.address:
        (settle if whole else take_plans)(suite)


def _known_failures(suite: Suite, baseline: Path | None) -> frozenset[str]:
    if baseline is None:
        return frozenset()
    from ..run.baseline import read_baseline

    try:
        return read_baseline(baseline, suite)
    except Invalid as invalid:
        show_invalid(invalid)
        leave(Exit.USAGE)


class _Jobs(NamedTuple):
    """So many jobs, each with an implementation that is started, and logged, like this."""

    start: "Start"
    log: "Log"
    number: int

    def helpers(self, suite: Suite, selected: list[Check]) -> "Sequence[Helper]":
        """The processes beside this one."""
        if self.number == 1:
            return ()
        from ..run.jobs import helpers

        return helpers(suite, self.start, self.log, selected, self.number)


def _run(
    suite: Suite,
    jobs: _Jobs,
    selected: list[Check],
    known: frozenset[str],
    recorder: "Recorder",
    seconds: float | None,
) -> Run:
    from ..protocol.faults import Fault
    from ..run.in_turn import InTurn
    from ..run.runner import run

    log = InTurn(jobs.log) if jobs.number > 1 else None
    try:
        helpers, implementation = jobs.helpers(suite, selected), jobs.start(suite, log or jobs.log)
        return run(suite, implementation, selected, known, recorder, helpers, seconds=seconds, log=log)
    except Fault as fault:
        leave_the_speechless(fault)


def _recorder(suite: Suite, record: "LineFile | None", spec: Path | None, options: dict[str, Any]) -> "Recorder":
    from ..run.record import Call, Recorder

    if record is None:
        return Recorder(suite)
    from ..report.recorded import teller

    again = _again(spec, options)
    call = Call(again, None if options["as_written"] else options["seed"])
    return Recorder(suite, record.write, call, teller(suite, again))


def _again(spec: Path | None, options: dict[str, Any]) -> list[str]:
    """The words that put a check again as it was."""
    return ["hoyle", "check", *(["--spec", str(spec)] if spec else []), *rules_again(), *_turning(options)]


def _turning(options: dict[str, Any]) -> list[str]:
    """The options that turn the checks in the same way again."""
    if options["as_written"]:
        return ["--as-written"]
    return ["--seed", options["seed"]] if options["seed"] else []
