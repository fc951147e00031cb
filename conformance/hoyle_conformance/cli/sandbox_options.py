"""The options that run an adapter in a sandbox."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from hoyle_conformance.cli.exit import exit_explained
from hoyle_conformance.runner.results import Exit

if TYPE_CHECKING:
    from hoyle_conformance.protocol.sandbox.protections import Sandbox

_sandbox_option = click.option(
    "--sandbox",
    is_flag=True,
    help="Run the adapter without network, without write access, and with limits; exit with 2 if this system cannot.",
)
_best_effort_option = click.option(
    "--sandbox-best-effort",
    is_flag=True,
    help="Run the adapter in a sandbox with the protections that this system has, and name the missing ones.",
)


def sandbox_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the sandbox."""
    return _sandbox_option(_best_effort_option(command))


def sandbox_or_exit(context: click.Context, *, wanted: bool, best_effort: bool) -> "Sandbox | None":
    """Return the sandbox of the adapter, if one is asked for; exit with 2 if something is missing from it, unless that
    is accepted. Raise UsageError if there is no adapter."""
    if not wanted and not best_effort:
        return None
    if not context.meta["adapter"]:
        raise click.UsageError("A sandbox needs an adapter: give the COMMAND that starts it.")
    from hoyle_conformance.protocol.sandbox.probe import find_sandbox
    from hoyle_conformance.reports.sandbox_text import missing_lines

    sandbox = find_sandbox()
    if sandbox.missing:
        click.echo("\n".join(missing_lines(sandbox)), err=True)
    if sandbox.missing and not best_effort:
        click.echo(
            f"{sandbox.remedy} Or use --sandbox-best-effort to run the adapter with the other protections.", err=True
        )
        exit_explained(Exit.ADAPTER_BROKE, "this system cannot set up the whole sandbox; the adapter was not started")
    return sandbox
