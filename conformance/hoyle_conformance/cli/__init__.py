"""The `hoyle` command. Each subcommand has its own module, which is imported only when it is called."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import click

from hoyle_conformance import __version__
from hoyle_conformance.cli.group import MainGroup
from hoyle_conformance.system import DENIED, reason_of

#: Each command by its heading, with the line that the overview shows for it.
COMMANDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "Test an engine": {
            "doctor": "Find out what is wrong with an adapter.",
            "check": "Check an engine against the suite.",
            "fuzz": "Play random games, and compare an engine with the reference.",
            "identify": "Find out which rules an engine plays.",
            "report": "Make reports of recorded runs, or show what has changed.",
        },
        "Read the rules": {
            "ask": "Answer a question about the rules.",
            "rules": "Print a ruleset as a rule book, or several side by side.",
            "explain": "Show a scenario step by step, with the rules behind it.",
            "table": "Set up a position in a browser, under the rules of every source.",
        },
        "Begin and validate files": {
            "new": "Begin an adapter, a scenario, house rules or a ledger.",
            "validate": "Check scenario, ruleset and source files.",
        },
        "The suite itself": {
            "suite": "List the suite; play whole games.",
        },
    }
)

#: The number of allocations between garbage collections: a command makes many objects, frees few of them, and exits.
_OBJECTS: Final = 1_000_000


@click.group(
    cls=MainGroup,
    sections=COMMANDS,
    package=__name__,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="hoyle", message="%(prog)s %(version)s")
def main() -> None:
    """Hoyle knows the rules of Bézique and Piquet, and checks whether a program follows them."""


def run() -> None:
    """Run the command and exit with its code: those of `runner.results.Exit` and of `cli.exit`.

    An invalid call exits with 4, where click would exit with 2.
    """
    import atexit
    import gc

    from hoyle_conformance.cli.exit import end

    gc.set_threshold(_OBJECTS)
    atexit.register(gc.freeze)  # otherwise everything is collected once more, which takes as long as opening the suite
    end(_exit_code())


def _exit_code() -> int:
    """Run the command and return its exit code, even if the system denies access that it or an error message needs."""
    from hoyle_conformance.cli.exit import NOT_WRITTEN

    try:
        return _code_of_command()
    except DENIED as denied:
        click.echo(f"Hoyle cannot continue: {_reason(denied)}.", err=True)
        return NOT_WRITTEN


def _code_of_command() -> int:
    """Run the command and return its exit code; raise the errors of access that the system denies."""
    import sys

    from hoyle_conformance.cli import exit as exits

    try:
        exits.prepare_streams()
        # Click must not expand patterns of checks and words of adapters, as it does on Windows.
        code = main.main(prog_name="hoyle", standalone_mode=False, windows_expand_args=False)
        sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt):
        from hoyle_conformance.runner.interrupts import INTERRUPTION

        click.echo("Interrupted.", err=True)
        return INTERRUPTION.exit
    except click.ClickException as error:
        error.show()
        return 4
    except exits.ClosedPipe:
        return exits.CLOSED_PIPE
    except (*DENIED, SystemExit):
        raise
    except BaseException as error:  # also a panic in Rust, which is not an Exception
        return exits.code_of_fault(error)
    return code if isinstance(code, int) else 0


def _reason(denied: OSError | MemoryError) -> str:
    """Return why the system has denied something; for a missing working folder, the remedy."""
    import os

    try:
        os.getcwd()  # noqa: PTH109 -- the exception of os.getcwd is wanted, not that of pathlib
    except OSError:
        name = os.environ.get("PWD", "")
        gone = f"the current folder no longer exists{f' ({name})' if name.isprintable() and name else ''}"
        return f"{gone}; change to another folder, with 'cd', and run the command again"
    return reason_of(denied)


def command_names() -> list[str]:
    """Return the names of all commands; those of `hoyle suite` have two words."""
    from hoyle_conformance.cli.suite import command as suite

    return [*main.modules, *(f"suite {name}" for name in suite.modules)]
