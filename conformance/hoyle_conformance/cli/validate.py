"""`hoyle validate`: check scenario, ruleset, source and census files, and house rules."""

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import click

from hoyle_conformance.checks.cache.proofs import ALL_ANEW, Proofs, stored_proofs
from hoyle_conformance.cli import options as common
from hoyle_conformance.cli.exit import MISTAKES_IN, exit_invalid
from hoyle_conformance.cli.outputs import write_in_place
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, printable, shown_path
from hoyle_conformance.files.read import files_below
from hoyle_conformance.suite.lint.ids import updated
from hoyle_conformance.suite.paths import AT_WORK, LOCK, find_spec, kind_of
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate.check_file import check_file, is_proposal, proposal_in, proposal_lines
from hoyle_conformance.tools.validate.inherit import inheritance_faults, updated_at_work
from hoyle_conformance.tools.validate.whole_suite import locked_faults, read_and_lint, suite_faults
from hoyle_conformance.wording.text import plural


@click.command("validate")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE|FOLDER…]")
@click.option(
    "--lock",
    is_flag=True,
    help="Add the new ids of all scenarios, or of those named, to spec/ids.lock, permanently, and the outcomes "
    "that other rulesets inherit from them to spec/at-work.jsonl.",
)
@common.json_option
@common.spec_option
def command(paths: tuple[Path, ...], lock: bool, as_json: bool, spec: Path | None) -> None:
    """Check each FILE, every file in a FOLDER, or the whole suite if none is given. The command shows every mistake
    with its location and the remedy.

    Hoyle plays each scenario on the reference interpreter. It must be possible to complete the position, and the
    position must not be proved unreachable. Every clause that the scenario cites must be at work in it, and the
    outcome must not depend on cards left open. No card may be lost, and a refused act must change nothing. Options and
    extending rulesets that inherit an outcome must reach it, and spec/at-work.jsonl must list them. The games of a
    census must follow from the rules, and the stored preludes must lead to their positions. In a complete ledger,
    something must cite every clause that can be tested.

    The first validation of the whole suite takes minutes. Later ones play again only what an edit can change.
    With HOYLE_NO_CACHE=1 it plays everything again.

    The table of the site writes files with proposals instead of outcomes. Such a file can be valid, but proves nothing:
    it is not part of the suite until you confirm each outcome from its source.

    \b
    hoyle validate
    hoyle validate spec/scenarios/seven/my-new-one.scenario.yaml
    hoyle validate seven.my-new-one                    by its id
    hoyle validate mine.yaml                           house rules, as 'hoyle new rules' writes them
    """
    if as_json:
        click.get_current_context().meta[MISTAKES_IN] = _print_mistakes
    if paths:
        _validate_some(common.suite_or_exit(spec, drafts=True, mention=False), paths, lock=lock)
        return
    common.only_spec_folder(spec)
    root = spec or find_spec()
    with nullcontext(ALL_ANEW) if common.without_cache() else stored_proofs(root) as proofs:
        try:
            suite = read_and_lint(root, proofs)
            faults = list(suite_faults(suite, proofs))
            if lock and not faults:
                suite = replace(suite, lock=updated(suite))
                write_in_place(root / LOCK, suite.lock)
                _write_at_work(suite, None, proofs)
            faults += locked_faults(suite, proofs)
        except Invalid as invalid:
            exit_invalid(invalid)
        sizes = ((suite.scenarios, "scenario"), (suite.rulesets, "ruleset"), (suite.clauses, "clause"))
        counts = [plural(len(things), noun) for things, noun in sizes]
        _finish(faults, f"{counts[0]}, {counts[1]} and {counts[2]}: all valid.")


def _print_mistakes(mistakes: Iterable[Diagnostic]) -> None:
    """Print the mistakes as `validate.schema.json` describes them."""
    keys = ("file", "line", "column", "code", "message")
    found = [{**{key: getattr(each, key) for key in keys}, "remedy": str(each.remedy)} for each in mistakes]
    common.print_json({"valid": not found, "mistakes": found})


def _validate_some(suite: Suite, paths: tuple[Path, ...], *, lock: bool) -> None:
    """Validate the named files, and lock their ids if requested."""
    try:
        found = list(_files_in(suite, paths))
    except Invalid as invalid:
        exit_invalid(invalid)
    if lock:
        _only_scenarios(found)
    faults = [fault for path in found for fault in check_file(suite, path) or inheritance_faults(suite, path).values()]
    lines = [f"{plural(len(found), 'file')} checked and valid."]
    if lock and not faults:
        of = {(suite.root.parent / each.file).resolve(): each.id for each in suite.scenarios.values()}
        if outside := [path for path in found if path.resolve() not in of]:
            where = printable(str(suite.root / "scenarios"))
            raise click.UsageError(
                f"{printable(str(outside[0]))} is valid, but is not in {where}: move it there first."
            )
        names = [of[path.resolve()] for path in found]
        write_in_place(suite.root / LOCK, updated(suite, [("scenario", name) for name in names]))
        faults += _write_at_work(suite, frozenset(names), ALL_ANEW)
        lines[0] += f" {suite.shown(suite.root / LOCK)} has {'its id' if len(found) == 1 else 'their ids'}."
    for scenario in () if faults else filter(None, map(proposal_in, found)):
        lines += proposal_lines(suite, scenario)
    _finish(faults, "\n".join(lines))


def _write_at_work(suite: Suite, only: frozenset[str] | None, proofs: Proofs) -> list[Diagnostic]:
    """Write the file of inherited outcomes; if some outcomes do not hold, return those instead."""
    text, faults, _ = updated_at_work(suite, only, proofs)
    if not faults:
        write_in_place(suite.root / AT_WORK, text)
    return faults


def _only_scenarios(paths: list[Path]) -> None:
    """Raise UsageError unless each file is a scenario with outcomes."""
    for path in paths:
        if is_proposal(path):
            raise click.UsageError(
                f"{printable(str(path))} only proposes outcomes: confirm them first, then lock its id."
            )
        if kind_of(path) != "scenario":
            raise click.UsageError(
                f"{printable(str(path))} is not a scenario: to lock what is new in rulesets and sources, give no FILE."
            )


def _files_in(suite: Suite, paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files that are named, by their paths, folders or the ids of scenarios; raise UsageError if there are
    none."""
    for named in paths:
        topic, _, name = str(named).partition(".")
        file = suite.root / "scenarios" / topic / f"{name}.scenario.yaml"
        path = named if named.exists() or not file.is_file() else file
        if not path.exists():
            Path.cwd()  # which raises if the current folder itself has been deleted
            raise click.UsageError(common.no_such_file(path))
        inside = [path]
        if path.is_dir():
            inside = [each for each in files_below(path, shown_path(path), within=path) if each.suffix == ".yaml"]
        if not inside:
            raise click.UsageError(f"There is no YAML file in {printable(str(path))}.")
        yield from inside


def _finish(faults: list[Diagnostic], sound: str) -> None:
    """Print the mistakes and exit, or print that there are none."""
    if faults:
        exit_invalid(Invalid(faults))
    if MISTAKES_IN in click.get_current_context().meta:
        _print_mistakes(())
        return
    click.echo(sound)
