"""The option that runs an adapter in a sandbox."""

import click

from hoyle_conformance.cli.exit import exit_explained
from hoyle_conformance.runner.results import Exit

sandbox_option = click.option(
    "--sandbox",
    is_flag=True,
    help="Run the adapter without network, without write access, and with limits; exit with 2 if this system cannot.",
)


def sandbox_or_exit(context: click.Context, *, wanted: bool) -> bool:
    """Return whether the adapter runs in a sandbox; exit with 2 if this system cannot set one up. Raise UsageError if
    there is no adapter."""
    if not wanted:
        return False
    if not context.meta["adapter"]:
        raise click.UsageError("A sandbox needs an adapter: give the COMMAND that starts it.")
    from hoyle_conformance.protocol import sandbox

    if problem := sandbox.problem():
        exit_explained(Exit.ADAPTER_BROKE, "this system has no sandbox, so the adapter was not started", problem)
    return True
