"""The option `--transcript` of `hoyle check` and `hoyle identify`, for games recorded by an engine."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from hoyle_conformance.cli.exit import WrongUsageIfInvalid, exit_explained
from hoyle_conformance.cli.options import print_json, ruleset_or_exit, similar_rulesets, suite_or_exit
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import plural, sanitize

if TYPE_CHECKING:
    from hoyle_conformance.tools.transcript.read import Transcript

#: The parameters that every command allows together with transcripts.
_WITH_TRANSCRIPTS: Final = frozenset({"transcripts", "rules", "spec", "as_json"})

transcript_option: Callable[..., Any] = click.option(
    "--transcript",
    "transcripts",
    multiple=True,
    type=click.Path(exists=True, path_type=Path),
    metavar="PATH",
    help="Judge the games in this file, or in the files of this folder, instead of starting an engine (repeatable).",
)


def refuse_other_options(context: click.Context, *also: str) -> None:
    """Raise UsageError if a command has transcripts and also an adapter, or an option that needs one; `also` lists
    other parameters allowed with transcripts."""
    given = [
        each
        for each in context.command.params
        if each.name and context.get_parameter_source(each.name) is click.core.ParameterSource.COMMANDLINE
    ]
    if not context.params.get("transcripts"):
        return
    if context.obj.words:
        raise click.UsageError("--transcript needs no COMMAND: the games have been played already. Leave one out.")
    if other := [each.opts[-1] for each in given if each.name not in {*_WITH_TRANSCRIPTS, *also}]:
        raise click.UsageError(f"--transcript and {other[0]} cannot be combined: leave one out.")


def check_transcripts(paths: Sequence[Path], rulesets: Sequence[str], spec: Path | None, *, as_json: bool) -> NoReturn:
    """Judge the games in files, print the report, and exit."""
    from hoyle_conformance.tools.transcript.judge import judge_run
    from hoyle_conformance.tools.transcript.read import load_transcripts
    from hoyle_conformance.tools.transcript.report import run_data, run_lines

    suite = suite_or_exit(spec)
    if len(rulesets) > 1:
        raise click.UsageError("--transcript judges by one ruleset: give -r once, or name it in the files.")
    for name in rulesets:
        ruleset_or_exit(suite, name)
    ruleset = "".join(rulesets) or (suite.house.ruleset.id if suite.house else "")
    with WrongUsageIfInvalid():
        by_ruleset = _by_ruleset(suite, load_transcripts(suite, paths), ruleset)
        runs = [judge_run(suite, name, some) for name, some in by_ruleset.items()]
    if as_json:
        print_json({"transcripts": [run_data(suite, run) for run in runs]})
    for run in () if as_json else runs:
        click.echo(sanitize("\n".join(run_lines(suite, run))) + "\n")
    if departures := sum(run.departures for run in runs):
        verb = "differs" if departures == 1 else "differ"
        exit_explained(Exit.UNEXPECTED_RESULT, f"{plural(departures, 'act')} {verb} from the rules")
    exit_explained(Exit.AS_EXPECTED)


def identify_transcripts(paths: Sequence[Path], spec: Path | None, *, as_json: bool) -> None:
    """Identify the rules of the games in files, and print the report; exit with code 4 if a file is invalid."""
    from hoyle_conformance.tools.transcript.judge import nearest_rules
    from hoyle_conformance.tools.transcript.read import load_transcripts
    from hoyle_conformance.tools.transcript.report import nearest_data, nearest_lines

    suite = suite_or_exit(spec)
    with WrongUsageIfInvalid():
        found = nearest_rules(suite, load_transcripts(suite, paths))
    if as_json:
        print_json({"transcripts": [nearest_data(suite, found)]})
        return
    for line in nearest_lines(suite, found):
        click.echo(sanitize(line))
    again = " ".join(f"--transcript {path}" for path in paths)
    click.echo(f"\nNext: hoyle check -r {found[0].ruleset} {again}")


def _by_ruleset(suite: Suite, games: "Sequence[Transcript]", ruleset: str) -> "Mapping[str, list[Transcript]]":
    """Return the games by the ruleset that judges them; raise Invalid if a game names no known ruleset."""
    found: dict[str, list[Transcript]] = {}
    for game in games:
        name = ruleset or game.ruleset
        if not name:
            message = f"{game.title} does not name its ruleset"
            remedy = "Name it with -r, or in the file; 'hoyle identify --transcript' finds the nearest."
            raise game.invalid(game.line, "ruleset", message, remedy)
        if not suite.rules.knows(name):
            remedy = similar_rulesets(name, suite).strip() or "'hoyle suite list rulesets' shows them all."
            raise game.invalid(game.line, "ruleset", f"no ruleset '{name}'", remedy)
        found.setdefault(name, []).append(game)
    return found
