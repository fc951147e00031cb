"""`hoyle check`: hold an implementation against the suite."""

from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from ..files.diagnostics import Invalid
from ..run.results import Exit, Run
from ..suite.load import Suite
from ..suite.model import Check
from .common import leave, show_invalid, spec_option, suite_or_leave

if TYPE_CHECKING:
    from ..protocol.implementations import Implementation
    from ..run.record import Recorder


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


@click.command("check", cls=_WithAdapter, short_help="Hold an implementation against the suite.")
@click.argument("patterns", nargs=-1, metavar="[CHECK…] [-- COMMAND…]")
@click.option(
    "--ruleset", "-r", "rulesets", multiple=True, metavar="NAME", help="Only checks of this ruleset. Repeatable."
)
@click.option("--topic", "-t", "topics", multiple=True, metavar="NAME", help="Only checks of this topic. Repeatable.")
@click.option(
    "--clause", "-c", "clauses", multiple=True, metavar="ID", help="Only checks that cite this clause. Repeatable."
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.01),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long an adapter may take for an answer.",
)
@click.option(
    "--baseline",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of known failures, one check a line.",
)
@click.option(
    "--record", type=click.File("w", "utf-8", lazy=False), help="Write the record of the run here, as JSON lines."
)
@click.option("--log", type=click.File("wb", lazy=False), help="Write every message to and from the adapter here.")
@click.option(
    "--failures",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="How many failures to show in full.",
)
@click.option("--verbose", "-v", is_flag=True, help="Also list the readings that the reference follows.")
@spec_option
@click.pass_context
def command(
    context: click.Context,
    patterns: tuple[str, ...],
    rulesets: tuple[str, ...],
    topics: tuple[str, ...],
    clauses: tuple[str, ...],
    timeout: float,
    baseline: Path | None,
    record: IO[str] | None,
    log: IO[bytes] | None,
    failures: int,
    verbose: bool,
    spec: Path | None,
) -> None:
    r"""Hold an implementation against the suite; the built-in reference if no COMMAND is given.

    COMMAND starts an adapter that speaks the protocol of spec/PROTOCOL.md. CHECK is the id of a check or scenario, or a
    pattern with *.

    \b
    hoyle check                                      all checks, against the built-in reference
    hoyle check -- python my_adapter.py              against your engine
    hoyle check 'seven.*' -- node adapter.js         the checks about the seven of trumps
    hoyle check -r bezique-hoyle --record run.jsonl -- ./adapter

    \b
    Exit codes:
      0  everything as expected          3  nothing ran, or less than was selected
      1  an unexpected result            4  wrong usage
      2  the adapter broke               5  the suite itself is invalid
    """
    from ..run.record import Recorder

    suite = suite_or_leave(spec)
    selected = _selected(suite, patterns, rulesets, topics, clauses)
    known = _known_failures(suite, baseline)
    implementation = _implementation(suite, context.meta["adapter"], timeout, log)
    run = _run(suite, implementation, selected, known, Recorder(suite, record))
    _report(suite, run, failures, verbose=verbose)
    leave(run.exit)


def _selected(
    suite: Suite,
    patterns: tuple[str, ...],
    rulesets: tuple[str, ...],
    topics: tuple[str, ...],
    clauses: tuple[str, ...],
) -> list[Check]:
    from ..run.select import NothingSelected, select

    try:
        return select(suite, patterns, rulesets, topics, clauses)
    except NothingSelected as nothing:
        raise click.UsageError(str(nothing)) from nothing


def _known_failures(suite: Suite, baseline: Path | None) -> frozenset[str]:
    from ..run.baseline import read_baseline

    try:
        return read_baseline(baseline, suite) if baseline else frozenset()
    except Invalid as invalid:
        show_invalid(invalid)
        leave(Exit.USAGE)


def _implementation(suite: Suite, adapter: tuple[str, ...], timeout: float, log: IO[bytes] | None) -> "Implementation":
    from ..protocol.implementations import Command, InProcess
    from ..protocol.messages import Wire
    from ..protocol.reference import Reference

    wire = Wire(suite.schemas, suite.version)
    if adapter:
        return Command(wire, adapter, timeout, log.write if log else lambda _line: None)
    return InProcess(wire, Reference(suite), trusted=True)


def _run(
    suite: Suite, implementation: "Implementation", selected: list[Check], known: frozenset[str], recorder: "Recorder"
) -> Run:
    from ..protocol.faults import Fault
    from ..run.runner import run

    try:
        return run(suite, implementation, selected, known, recorder)
    except Fault as fault:
        click.echo(f"The adapter cannot be spoken to: {fault.message}.\n{fault.remedy}", err=True)
        if fault.stderr:
            click.echo(f"Its error output ends:\n{fault.stderr[-1000:]}", err=True)
        leave(Exit.ADAPTER_BROKE)


def _report(suite: Suite, run: Run, failures: int, *, verbose: bool) -> None:
    from rich.console import Console

    from ..report.terminal import report

    report(Console(), suite, run, failures=failures, verbose=verbose)
