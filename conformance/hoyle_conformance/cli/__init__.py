"""The `hoyle` command. Each subcommand lives in a module of its own and is imported only when it is used."""

from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

import click

from hoyle_conformance import __version__

#: Each command and the line that the overview shows for it.
COMMANDS: Final = MappingProxyType(
    {
        "check": "Hold an implementation against the suite.",
        "init": "Write an adapter to begin with, in your language.",
        "doctor": "Find out what is wrong with an adapter.",
        "report": "Make reports of the record of a run.",
        "diff": "Say what has changed from one run to another.",
        "census": "Hold an implementation against whole games.",
        "identify": "Find out which rules an implementation plays.",
        "explain": "Show a scenario step by step, with the rules behind it.",
        "list": "List the checks, clauses and rulesets of the suite.",
        "search": "Find rules, clauses and positions by words.",
        "table": "Lay out a position, and see what every source says of it.",
        "rule": "Say what the ruling is, in one ruleset or in all.",
        "rules": "Print a ruleset as a rule book.",
        "compare": "Print rulesets side by side.",
        "try": "Show which checks a changed rule changes.",
        "new": "Begin a scenario, house rules or the ledger of a source.",
        "preludes": "List which positions can be reached from a deal.",
        "validate": "Check scenario, ruleset and source files.",
        "adequacy": "Measure how good the suite is, by engines that are wrong.",
        "build": "Compile the suite to JSON for other languages.",
        "serve": "Answer the protocol with the reference interpreter.",
    }
)

#: A command makes much and lets go of little, and then ends: it is enough to look for garbage after so many objects.
_OBJECTS: Final = 1_000_000


#: Under this the context of a command knows the words with which it was called.
_WORDS: Final = "hoyle.words"


class _Lazy(click.Group):
    """A group that knows its commands' names and imports a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"{__name__}.{name}_").command
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS:
            from hoyle_conformance.cli.adapter_command import instead_of_a_name
            from hoyle_conformance.files.suggest import did_you_mean

            options = {name for each in self.get_params(ctx) for name in each.opts}
            near = f"Write: hoyle --{args[0]}" if f"--{args[0]}" in options else did_you_mean(args[0], COMMANDS)
            hint = instead_of_a_name(args) or f" {near}"
            raise click.UsageError(f"No such command '{args[0]}'.{hint}", ctx)
        ctx.meta[_WORDS] = args
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; where the call is wrong, it is looked whether an adapter's command is in the wrong place."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            name, *args = ctx.meta.get(_WORDS) or [""]
            command = self.get_command(ctx, name)
            raise (_better(error, command, args) if command else error) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _better(error: click.UsageError, command: click.Command, args: list[str]) -> click.UsageError:
    """What is said of a wrong call with these words, with the remedy where it is known."""
    from hoyle_conformance.cli import adapter_command as command_line  # hardly ever is it needed

    if isinstance(error, click.MissingParameter | click.BadOptionUsage):
        return command_line.with_what_is_missing(error, command)
    return command_line.put_right(error, command, args)


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="hoyle", message="%(prog)s %(version)s")
def main() -> None:
    """Hoyle says what the rules of Bézique and Piquet are, and whether a program plays them.

    \b
    hoyle init --language go         an adapter to begin with
    hoyle doctor -- ./my-adapter     does it talk as it should?
    hoyle check -- ./my-adapter      are its answers right?
    hoyle rules bezique-hoyle        a rule book
    hoyle explain tricks.identical-plain-cards
                                     a position, step by step

    'hoyle COMMAND --help' says all of a command.
    """


def run() -> None:
    """Run the command and leave with the exit codes of `hoyle`: those of `run.results.Exit` and of `leaving`, and
    whatever is wrong with the call is 4, not click's 2."""
    import atexit
    import gc

    from hoyle_conformance.cli.exit import end

    gc.set_threshold(_OBJECTS)
    atexit.register(gc.freeze)  # else it all is looked through once more, which takes as long as to open a suite
    end(_exit_code())


def _exit_code() -> int:
    """Run the command; with what it is to end."""
    import sys

    from hoyle_conformance.cli import exit as leaving

    try:
        leaving.ready_the_streams()
        code = main.main(prog_name="hoyle", standalone_mode=False)
        sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt):
        return _interrupted()
    except click.ClickException as error:
        error.show()
        return 4
    except leaving.ClosedPipe:
        return leaving.CLOSED_PIPE
    except OSError as error:
        click.echo(f"Hoyle cannot go on: {_why(error)}.", err=True)
        return leaving.NOT_WRITTEN
    except Exception:  # whatever it is, it must not look like the result of a check
        _own_fault()
        return leaving.OWN_FAULT
    return code if isinstance(code, int) else 0


def _why(error: OSError) -> str:
    """What the system has against it; of a folder that is gone it names nothing."""
    import os

    try:
        os.getcwd()  # noqa: PTH109 -- what pathlib would do with it is of no concern
    except OSError:
        name = os.environ.get("PWD", "")
        gone = f"the folder in which it was started is gone{f' ({name})' if name.isprintable() and name else ''}"
        return f"{gone}; go to another one, with 'cd', and call it again"
    what = f"{error.filename}: " if error.filename else ""
    return f"{what}{(error.strerror or str(error)).lower()}"


def _interrupted() -> int:
    from hoyle_conformance.runner.interrupts import INTERRUPTION

    click.echo("Interrupted.", err=True)
    return INTERRUPTION.exit


def _own_fault() -> None:
    from traceback import format_exc

    click.echo(f"{format_exc()}\nThis is a fault of Hoyle itself: please report it, with the lines above.", err=True)
