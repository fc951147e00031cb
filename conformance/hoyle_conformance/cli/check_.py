"""`hoyle check`: hold an implementation against the suite."""

import signal
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..files.diagnostics import Invalid
from ..model import Check
from ..run.results import Exit, Run, Status
from ..suite.value import Suite
from .common import (
    checks_or_leave,
    clause_option,
    console,
    leave,
    ruleset_option,
    show_invalid,
    sound_or_leave,
    spec_option,
    suite_or_leave,
    topic_option,
    turned_or_leave,
    turning_options,
)

if TYPE_CHECKING:
    from ..protocol.starting import Log, Start
    from ..run.jobs import Helper
    from ..run.record import LineFile, Recorder

#: More processes than this are not meant.
_MOST_JOBS = 256
#: Columns of a report that goes elsewhere than to a terminal.
_WIDTH = 100


class _WithAdapter(click.Command):
    """A command line of two halves: ours, and after ``--`` the adapter's."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ours, adapter = args, None
        if "--" in args:
            at = args.index("--")
            ours, adapter = args[:at], tuple(args[at + 1 :])
        if adapter == ():
            raise click.UsageError("A command must follow '--'.", ctx)
        ctx.meta["adapter"] = adapter or ()
        return super().parse_args(ctx, ours)


def _finite(_context: click.Context, _parameter: click.Parameter, seconds: float) -> float:
    if seconds != seconds:  # noqa: PLR0124 -- that is how not-a-number is known
        raise click.BadParameter("it must be a number of seconds.")
    return seconds


_TO_WRITE = click.Path(dir_okay=False, path_type=Path)


@click.command("check", cls=_WithAdapter, short_help="Hold an implementation against the suite.")
@click.argument("patterns", nargs=-1, metavar="[CHECK…] [-- COMMAND…]")
@ruleset_option
@topic_option
@clause_option
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.01, max=86_400),
    callback=_finite,
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long an adapter may take for an answer.",
)
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
@click.option("--record", type=_TO_WRITE, help="Write the record of the run here, as JSON lines.")
@click.option("--log", type=_TO_WRITE, help="Write every message to and from the adapter here.")
@click.option(
    "--failures",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="How many failures to show in full.",
)
@turning_options
@click.option("--verbose", "-v", is_flag=True, help="Also list the readings that the reference follows.")
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

    \b
    Every check is sent turned: the players sit in other seats than in its file, and suits that no rule names have
    changed places, always in the same way for the same seed. The report speaks of what was sent.

    \b
    Exit codes:
      0  everything as expected          3  nothing ran, or less than was selected
      1  an unexpected result            4  wrong usage, or a file that cannot be written
      2  the adapter broke               5  the suite itself is invalid
    """
    from ..report.terminal import report

    adapter: tuple[str, ...] = context.meta["adapter"]
    suite = suite_or_leave(spec)
    checks = checks_or_leave(suite, patterns, options["rulesets"], options["topics"], options["clauses"])
    _take_what_is_kept(suite, whole=len(checks) == len(suite.headings))
    checks = turned_or_leave(suite, checks, options["seed"], as_written=options["as_written"])
    # The reference itself tells of a position that cannot be; another implementation may take it for one.
    sound_or_leave(suite, [check.scenario for check in checks if adapter])
    known = _known_failures(suite, options["baseline"])
    files = _files_to_write(options["record"], options["log"], adapter)
    record, log = files["--record"], files["--log"]
    _end_adapters_when_ended()
    jobs = _Jobs(_start(adapter, options["timeout"]), log.write if log else lambda _line: None, options["jobs"])
    run = _run(suite, jobs, checks, known, _recorder(suite, record, options))
    if not adapter:
        sound_or_leave(suite, [result.check.scenario for result in run.results if result.status is not Status.PASS])
    again = ["hoyle", "check", *(["--spec", str(spec)] if spec else []), *_turning(options)]
    report(console(_WIDTH), suite, run, again=again, failures=options["failures"], verbose=options["verbose"])
    unwritten = [f"{file.path}: {file.failed}" for file in files.values() if file and file.failed]
    if unwritten:
        click.echo(f"Not everything could be written. {'; '.join(unwritten)}.", err=True)
        leave(run.exit or Exit.USAGE)
    leave(run.exit)


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


def _files_to_write(record: Path | None, log: Path | None, adapter: tuple[str, ...]) -> "dict[str, LineFile | None]":
    from ..run.record import LineFile

    if log and not adapter:
        raise click.UsageError("--log keeps the messages of an adapter: give its command after '--'.")
    if record and log and record.resolve() == log.resolve():
        raise click.UsageError("--record and --log cannot be the same file.")
    opened: dict[str, LineFile | None] = {}
    for option, path in (("--record", record), ("--log", log)):
        try:
            opened[option] = file = LineFile(path) if path else None
        except OSError as error:
            raise click.UsageError(f"{option}: cannot write {path}: {(error.strerror or '').lower()}.") from error
        if file:
            click.get_current_context().call_on_close(file.close)
    return opened


def _start(adapter: tuple[str, ...], timeout: float) -> "Start":
    from ..protocol import starting

    return partial(starting.adapter, adapter, timeout) if adapter else starting.built_in


def _end_adapters_when_ended() -> None:
    """A signal that ends Hoyle is taken as an interruption: the report is printed, and the adapter ended too."""

    def interrupt(_signal: int, _frame: Any) -> None:
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), interrupt)


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


def _run(suite: Suite, jobs: _Jobs, selected: list[Check], known: frozenset[str], recorder: "Recorder") -> Run:
    from ..protocol.faults import Fault
    from ..report.layout import harmless
    from ..run.runner import run

    try:
        helpers, implementation = jobs.helpers(suite, selected), jobs.start(suite, jobs.log)
        return run(suite, implementation, selected, known, recorder, helpers)
    except Fault as fault:
        click.echo(harmless(f"The adapter cannot be spoken to: {fault.message}.\n{fault.remedy}"), err=True)
        if fault.stderr:
            click.echo(f"Its error output ends:\n{harmless(fault.stderr[-1000:])}", err=True)
        leave(Exit.ADAPTER_BROKE)


def _recorder(suite: Suite, record: "LineFile | None", options: dict[str, Any]) -> "Recorder":
    from ..run.record import Recorder

    return Recorder(suite, record.write if record else None, None if options["as_written"] else options["seed"])


def _turning(options: dict[str, Any]) -> list[str]:
    """The options that turn the checks in the same way again."""
    if options["as_written"]:
        return ["--as-written"]
    return ["--seed", options["seed"]] if options["seed"] else []
