"""`hoyle validate`: check scenario, ruleset and source files."""

from pathlib import Path

import click

from ..files.diagnostics import Diagnostic, Invalid
from ..run.results import Exit
from ..suite.load import Suite
from .common import leave, show_invalid, spec_option, suite_or_leave


@click.command("validate", short_help="Check scenario, ruleset and source files.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE…]")
@click.option(
    "--lock", is_flag=True, help="Add new ids to spec/ids.lock. An id that has been published stays for ever."
)
@spec_option
def command(paths: tuple[Path, ...], lock: bool, spec: Path | None) -> None:
    r"""Check FILES, or the whole suite if none is given; every mistake is shown with its place and the remedy.

    A scenario must prove itself on the reference interpreter: its position can be completed, every clause it cites is
    at work in it, the outcome does not depend on cards left open, no card is lost, and a refused act changes nothing.

    \b
    hoyle validate
    hoyle validate spec/scenarios/seven/my-new-one.scenario.yaml
    """
    from .. import truth

    suite = suite_or_leave(spec)
    if paths:
        faults = [fault for path in paths for fault in truth.check_file(suite, path)]
        _finish(faults, f"{len(paths)} file{'' if len(paths) == 1 else 's'} checked and sound.")
        return
    if lock:
        _lock(suite)
    faults = [fault for scenario in suite.scenarios.values() for fault in truth.check(suite, scenario)]
    counts = f"{len(suite.scenarios)} scenarios, {len(suite.rulesets)} rulesets and {len(suite.clauses)} clauses"
    _finish([*faults, *_ids(suite)], f"{counts} are sound.")


def _ids(suite: Suite) -> list[Diagnostic]:
    from ..suite import ids

    return ids.check(suite)


def _lock(suite: Suite) -> None:
    from ..suite import ids

    (suite.root / ids.LOCK).write_text(ids.updated(suite), encoding="utf-8")


def _finish(faults: list[Diagnostic], sound: str) -> None:
    if faults:
        show_invalid(Invalid(faults))
        leave(Exit.SUITE_INVALID)
    click.echo(sound)
