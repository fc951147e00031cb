"""`hoyle validate`: check scenario, ruleset and source files."""

from pathlib import Path

import click

from ..files.diagnostics import Diagnostic, Invalid
from ..run.results import Exit
from ..suite.load import Suite, kind_of
from .common import leave, show_invalid, spec_option, suite_or_leave


@click.command("validate", short_help="Check scenario, ruleset and source files.")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE…]")
@click.option("--lock", is_flag=True, help="Add new ids to spec/ids.lock. An id that has been published stays for ever.")
@spec_option
def command(paths: tuple[Path, ...], lock: bool, spec: Path | None) -> None:
    """Check FILES, or the whole suite if none is given. Every mistake is shown with its place and the remedy.

    A scenario must prove itself on the reference interpreter: its position can be completed, every clause it cites is at
    work in it, the outcome does not depend on cards left open, no card is lost, and a refused act changes nothing.

    \b
    hoyle validate
    hoyle validate spec/scenarios/seven/my-new-one.scenario.yaml
    """
    from ..suite import truth

    if not paths:
        suite = suite_or_leave(spec)
        if lock:
            _lock(suite)
        faults = [fault for scenario in suite.scenarios.values() for fault in truth.check(suite, scenario)]
        faults += _ids(suite)
        _finish(faults, f"{len(suite.scenarios)} scenarios, {len(suite.rulesets)} rulesets and {len(suite.clauses)} clauses are sound.")
        return
    faults = []
    for path in paths:
        faults += _one(path, spec)
    _finish(faults, f"{len(paths)} file{'' if len(paths) == 1 else 's'} checked and sound.")


def _ids(suite: Suite) -> list[Diagnostic]:
    from ..suite import ids

    return ids.check(suite)


def _lock(suite: Suite) -> None:
    from ..suite import ids

    (suite.root / ids.LOCK).write_text(ids.updated(suite), encoding="utf-8")


def _one(path: Path, spec: Path | None) -> list[Diagnostic]:
    """What is wrong with one file, wherever it lies."""
    from ..files.yaml_text import read_file
    from ..suite import links, truth
    from ..suite.model import scenario_from

    kind = kind_of(path)
    if kind is None:
        return [Diagnostic(str(path), 1, 1, "file-name", "this is no file of the suite", "Its name ends in .scenario.yaml, .ruleset.yaml or .source.yaml.")]
    suite = suite_or_leave(spec)
    try:
        document = read_file(path, str(path))
    except Invalid as invalid:
        return list(invalid.diagnostics)
    faults = suite.schemas.check(kind, document)
    if faults or kind != "scenario":
        return faults
    scenario = scenario_from(document)
    known = suite.scenarios.get(scenario.id)
    if known and (suite.root.parent / known.file).resolve() != path.resolve():
        return [document.diagnose(["id"], "id-in-use", f"the id '{scenario.id}' is already in use", f"It belongs to {known.file}: choose another.")]
    return list(links.of_scenario(suite, scenario)) or truth.check(suite, scenario)


def _finish(faults: list[Diagnostic], sound: str) -> None:
    if faults:
        show_invalid(Invalid(faults))
        leave(Exit.SUITE_INVALID)
    click.echo(sound)
