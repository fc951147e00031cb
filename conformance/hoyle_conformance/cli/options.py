"""Options that several commands share, and the suite that they select."""

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hoyle_conformance.checks.cache.cached_suite import load_requests, open_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.cli.completion import complete_rulesets
from hoyle_conformance.cli.exit import exit_invalid
from hoyle_conformance.files.diagnostics import Invalid, printable
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.paths import VERSION
from hoyle_conformance.suite.suite import Suite

if TYPE_CHECKING:
    from rich.console import Console


spec_option = click.option(
    "--spec",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Use this spec folder, not the one installed with Hoyle.",
)


def _is_set(variable: str) -> bool:
    """Whether an environment variable is set to yes; raise BadParameter if it is neither yes nor no."""
    return bool(click.BOOL.convert(os.environ.get(variable) or "0", None, None))


def without_cache() -> bool:
    """Whether Hoyle neither reads nor writes the cache."""
    return _is_set("HOYLE_NO_CACHE")


def without_progress() -> bool:
    """Whether no progress is to be shown."""
    return _is_set("HOYLE_NO_PROGRESS")


def rulesets_option(help: str) -> Callable[..., Any]:  # noqa: A002 -- as click calls it
    """Return the option `--ruleset`, which may be repeated, as `rulesets`."""
    return click.option(
        "--ruleset",
        "-r",
        "rulesets",
        multiple=True,
        metavar="NAME",
        shell_complete=complete_rulesets,
        help=help,
    )


force_option = click.option("--force", is_flag=True, help="Overwrite the FILE.")

seed_option = click.option(
    "--seed",
    default="",
    metavar="TEXT",
    help="The seed for relabelling the checks and for dealing the cards that do not matter.",
)
_as_written_option = click.option(
    "--as-written", is_flag=True, help="Do not relabel the checks: send seats and suits as they are in the file."
)


def relabel_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how checks are relabelled: by a seed, or not at all."""
    return seed_option(_as_written_option(command))


def relabelled_or_exit(suite: Suite, checks: Iterable[Check], seed: str, *, as_written: bool) -> list[Check]:
    """Return the checks relabelled; raise UsageError if both options are given."""
    if as_written:
        if seed:
            raise click.UsageError(
                "--seed and --as-written cannot be combined: checks sent as written are not relabelled."
            )
        return list(checks)

    relabelled = map(Relabeller(suite, seed), checks)
    if not seed:
        return list(relabelled)
    from hoyle_conformance.runner.checker import deal_by_seed

    return [deal_by_seed(suite, check) for check in relabelled]


#: Under this it knows the file of the house rules to join to the suite.
_RULES = "hoyle.rules"


def _rules(context: click.Context, _parameter: click.Parameter, file: Path | None) -> None:
    """Store the option in the context."""
    context.meta[_RULES] = file


rules_option = click.option(
    "--rules",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    expose_value=False,
    callback=_rules,
    help="Add house rules to the suite: a file like the one that 'hoyle new rules' writes.",
)


def rules_file() -> Path | None:
    """Return the file of house rules, if one is given."""
    file: Path | None = click.get_current_context().meta.get(_RULES)
    return file


def rules_option_again() -> list[str]:
    """Return the option that adds the same house rules again."""
    file = rules_file()
    return ["--rules", str(file)] if file else []


def _with_house_rules(suite: Suite) -> Suite:
    """Return the suite with the house rules that are given; exit with 4 if they are invalid."""
    file = rules_file()
    if file is None:
        return suite
    from hoyle_conformance.runner.results import Exit
    from hoyle_conformance.tools.house_rules.load import read_house_rules

    if planner_of(suite).cache_key:
        load_requests(suite)
    try:
        return read_house_rules(suite, file).joined(suite)
    except Invalid as invalid:
        exit_invalid(invalid, Exit.USAGE)


def suite_or_exit(spec: Path | None, *, drafts: bool = False, positions: bool = False, mention: bool = True) -> Suite:
    """Return the suite; print every mistake and exit with 5 if its files are invalid.

    With `drafts`, for commands that only look something up, invalid scenarios are left out, with a `mention`. With
    `positions`, all positions are linted; other commands lint those they use (`sound_or_exit`). House rules are added
    if the command has that option (`rules_option`).
    """
    only_spec_folder(spec)
    load = _load if without_cache() else open_suite
    try:
        suite = load(spec, drafts=drafts, positions=positions)
    except Invalid as invalid:
        exit_invalid(invalid)
    if suite.left_out and mention:
        files = printable(", ".join(sorted({fault.file for fault in suite.left_out})))
        click.echo(f"Left out because of mistakes (see 'hoyle validate'): {files}\n", err=True)
    return _with_house_rules(suite)


def only_spec_folder(spec: Path | None) -> None:
    """Raise UsageError if a folder is given that is no spec folder."""
    if spec is not None and not (spec / VERSION).is_file():
        raise click.UsageError(f"{spec} is not a spec folder: it has no {VERSION}.")


def _load(spec: Path | None, *, drafts: bool, positions: bool) -> Suite:
    """Load the suite without the cache."""
    from hoyle_conformance.checks.load import load_suite

    return load_suite(spec, drafts=drafts, positions=positions)


def sound_or_exit(suite: Suite, scenarios: Iterable[Scenario]) -> None:
    """Print every mistake and exit with 5 if the position of one of these scenarios cannot be set up."""
    once = {each.id: each for each in scenarios if not planner_of(suite).is_linted(each)}
    if not once:
        return
    from hoyle_conformance.checks.load import lint_position

    faults = [fault for scenario in once.values() for fault in lint_position(suite, scenario)]
    if faults:
        exit_invalid(Invalid(faults))


def console(width: int) -> "Console":
    """Return the terminal; for a file or another program one with so many columns."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else width, emoji=False)
