"""Options and errors of the commands that start an adapter."""

import re
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from hoyle_conformance.cli.completion import complete_files
from hoyle_conformance.cli.exit import exit_explained, exit_with
from hoyle_conformance.files.diagnostics import Invalid, printable, shown_path
from hoyle_conformance.files.read import read_json, read_text
from hoyle_conformance.protocol.messages import ProtocolError, Wire
from hoyle_conformance.protocol.process import TIMEOUT
from hoyle_conformance.runner import reference_adapter as starting
from hoyle_conformance.runner.interrupts import INTERRUPTION
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.suite.paths import find_spec
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import sanitize, sentence

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from hoyle_conformance.protocol.messages import AdapterInfo, ProtocolError
    from hoyle_conformance.runner.interrupts import DeadlinePassed
    from hoyle_conformance.runner.reference_adapter import Start
    from hoyle_conformance.runner.results import Run


#: Under this the context of a command knows the configuration file that has the adapter's command, if one has it.
CONFIGURED: Final = "hoyle.configured"
#: Options, by the names of their parameters, that are hardly meant for an adapter where they follow its program.
_OURS_ALONE: Final = frozenset(
    {
        "selected",
        "rulesets",
        "keywords",
        "last_failed",
        "max_failures",
        "baseline",
        "write_baseline",
        "record",
        "shard",
        "as_written",
    }
)


class WithAdapter(click.Command):
    """A command that ends with an adapter's command line: the first word that is no option, and all words after it."""

    allow_extra_args = True
    allow_interspersed_args = False

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options, and keep the adapter's command line as it is in the context's `adapter`."""
        words = list(args)  # click empties the list
        super().parse_args(ctx, args)
        ctx.meta["adapter"] = adapter = tuple(ctx.args)
        if ctx.resilient_parsing:  # while a shell completes a word
            return list(adapter)
        if not any(adapter[:1]) and (adapter or words[-1:] == ["--"]):  # an empty word may come of "$ADAPTER"
            raise click.UsageError("The command of the adapter is empty.", ctx)
        self._warn_of_options_behind(adapter)
        return list(adapter)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters; none for a word of the adapter's command that a shell completes."""
        return [] if ctx.resilient_parsing and ctx.args else super().get_params(ctx)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Return the options that complete a word, and let the shell complete the words of the adapter's command."""
        if ctx.args:
            return complete_files(ctx, self.params[0], incomplete)
        found = super().shell_complete(ctx, incomplete)
        return found or complete_files(ctx, self.params[0], incomplete)

    def _warn_of_options_behind(self, adapter: tuple[str, ...]) -> None:
        """Warn on standard error of options after the adapter's program that only Hoyle has.

        The second word is left out, since it may be an option of an interpreter, as in ``bash -x adapter.sh``.
        """
        ours = {name for each in self.params for name in each.opts if each.name in _OURS_ALONE}
        behind = (word.partition("=")[0] for word in adapter[min(2, len(adapter) - 1) :])
        for name in dict.fromkeys(filter(ours.__contains__, behind)):
            click.echo(
                f"{name} comes after your command, so your command gets it. To give it to Hoyle, put it before "
                "the command.",
                err=True,
            )

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write where this installation describes the protocol."""
        super().format_epilog(ctx, formatter)
        formatter.write(f"\nThe protocol of adapters: {shown_path(find_spec() / 'PROTOCOL.md')}\n")


def _finite(_context: click.Context, _parameter: click.Parameter, seconds: float) -> float:
    """Return the seconds; raise BadParameter if they are not a number."""
    if seconds != seconds:  # noqa: PLR0124 -- that is how not-a-number is known
        raise click.BadParameter("it must be a number of seconds.")
    return seconds


timeout_option = click.option(
    "--timeout",
    type=click.FloatRange(min=0.01, max=86_400),
    callback=_finite,
    default=TIMEOUT,
    show_default=True,
    metavar="SECONDS",
    help="The time that an adapter may take to respond.",
)


_SECONDS: Final = MappingProxyType({"": 1, "s": 1, "m": 60, "h": 3_600})
_LONGEST: Final = 365 * 24 * 3_600  # seconds


def _seconds(_context: click.Context, _parameter: click.Parameter, span: str | None) -> float | None:
    """Read a time such as 90, 90s, 10m or 2h, in seconds; raise BadParameter."""
    if span is None:
        return None
    written = re.fullmatch(r"([0-9]{1,9}(?:[.][0-9]{1,9})?)([smh]?)", span.strip())
    seconds = float(written[1]) * _SECONDS[written[2]] if written else 0
    if not 0 < seconds <= _LONGEST:
        raise click.BadParameter(f"{span} is not a time. Write 90 for seconds, or 90s, 10m, 2h.")
    return seconds


deadline_option = click.option(
    "--deadline",
    "seconds",
    callback=_seconds,
    metavar="TIME",
    help="End the run after this time and report the results so far: 90 for seconds, or 90s, 10m, 2h.",
)


def start(adapter: tuple[str, ...], timeout: float, folder: Path | None = None, *, sandbox: bool = False) -> "Start":
    """Return what starts this command as an adapter, in the working folder or in `folder`, and in a sandbox if
    `sandbox` is set; the built-in reference if the command is empty."""
    if not adapter:
        return starting.start_reference
    return partial(starting.start_command, adapter, timeout, folder=folder, sandbox=sandbox)


def exit_after(run: "Run") -> NoReturn:
    """End the command with the exit code of a run, or of the signal that has interrupted it."""
    exit_with(exit_code(run))


def exit_code(run: "Run") -> int:
    """Return the exit code of a run, or of the signal that has interrupted it."""
    return INTERRUPTION.exit if run.interrupted and INTERRUPTION.signal else run.exit


def exit_without_adapter(fault: "ProtocolError") -> NoReturn:
    """Exit because the adapter cannot be started or did not introduce itself; print why."""
    from hoyle_conformance.reports.words import phrase

    why = sentence(phrase("no-adapter", reason=fault.message))
    click.echo(sanitize(f"{why}\n{_remedy(fault)}"), err=True)
    if fault.stderr:
        click.echo(phrase("no-adapter.output", output=sanitize(fault.stderr[-1000:])), err=True)
    exit_explained(Exit.ADAPTER_BROKE, phrase("no-adapter.exit"))


def exit_not_ready(passed: "DeadlinePassed") -> NoReturn:
    """End the command because its deadline passed before the adapter was ready."""
    from hoyle_conformance.reports.words import phrase, stop_reason

    reason = phrase("not-ready", reason=stop_reason(passed.args[0]))
    exit_explained(Exit.TOO_LITTLE_RAN, reason, phrase("not-ready.remedy"))


def _remedy(fault: "ProtocolError") -> str:
    """Return what to do about a fault; for a command that could not be started, how to write it."""
    adapter: tuple[str, ...] = click.get_current_context().meta.get("adapter", ())
    return start_remedy(adapter) if fault.code == "cannot-start" and adapter else fault.remedy


def start_remedy(adapter: tuple[str, ...]) -> str:
    """Return what to do about a command that cannot be started; on the command line, how to write it."""
    if file := click.get_current_context().meta.get(CONFIGURED):
        return f"Correct 'command' in {shown_path(file)}. The command runs in the folder of that file."
    from hoyle_conformance.cli.adapter_command import how_to_start

    return how_to_start(adapter, click.get_current_context().command_path)


_HOLDS: Final = "It must contain your adapter's answer to 'hello'."


def ready_message_in(path: Path) -> Any:
    """Return the message in a file; raise UsageError if the file is not JSON."""
    try:
        return read_json(read_text(path, shown_path(path), within=path.parent))
    except Invalid as invalid:
        raise click.UsageError(str(invalid)) from invalid
    except ValueError as error:
        raise click.UsageError(f"{shown_path(path)}: {error}. {_HOLDS}") from error


def adapter_info_in(suite: Suite, path: Path, message: Any) -> "AdapterInfo":
    """Return the adapter's introduction from its 'ready' message; raise UsageError if the message is invalid."""
    try:
        return Wire(suite.schemas).ready(message)
    except ProtocolError as fault:
        raise click.UsageError(f"{path}: {printable(fault.message)}. {_HOLDS}") from fault
