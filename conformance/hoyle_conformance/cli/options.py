"""Common parts of the commands: options, the suite, the names in it, and shell completion.

For a wrong name, Hoyle prints the name that was probably meant, or the command that lists all names. It never runs its
guess: a word that looks like a command today may be the name of a check next year.
"""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

import click
from click.shell_completion import CompletionItem

from hoyle_conformance.checks.cache.cached_suite import load_requests, open_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.cli.exit import WrongUsageIfInvalid, exit_invalid
from hoyle_conformance.files.diagnostics import Invalid, Suggestion, nearest, printable
from hoyle_conformance.files.stemming import words
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.paths import VERSION, find_spec
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import cut, sanitize
from hoyle_reference import Malformed

if TYPE_CHECKING:
    from rich.console import Console

#: A function that click calls to complete a word of a parameter.
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
#: The key under which the context of a command has the file of the house rules to add to the suite.
_RULES: Final = "hoyle.rules"
_LONGEST: Final = 100  # the number of characters of a wrong name to repeat
_LONGEST_REASON: Final = 500  # the number of characters of a problem with a name to show
_MOST_NAMES: Final = 8  # the number of names in a message


# ---- shell completion; click itself completes commands and options


def complete_from(titles: Callable[[Suite, str], Mapping[str, str]]) -> Completer:
    """Return a completer for the names of a suite, each with its title; `titles` also gets the incomplete word."""

    def complete(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            suite = open_suite(context.params.get("spec"), drafts=True, positions=False)
        except (Invalid, OSError):  # a shell shows no message
            return []
        names = titles(suite, incomplete).items()
        return [CompletionItem(name, help=title) for name, title in names if name.startswith(incomplete)]

    return complete


def named_rulesets(suite: Suite, incomplete: str) -> Mapping[str, str]:
    """Return the rulesets, with their options once the name of the ruleset is complete."""
    whole = incomplete.partition("+")[0] in suite.rulesets
    return {name: suite.rules.title(name) for name in suite.rules.names if whole or "+" not in name}


def _scenarios(suite: Suite, incomplete: str) -> Mapping[str, str]:
    """Return the scenarios, or the checks once there is an @."""
    headings = suite.index.headings.values()
    return {each.id if "@" in incomplete else each.scenario: each.title for each in headings}


def _checks(suite: Suite, incomplete: str) -> Mapping[str, str]:
    """Return the topics, scenarios or checks, and clauses."""
    topics, clauses = sorted(suite.index.checks_by_topic), suite.clauses.values()
    return {**dict.fromkeys(topics, ""), **_scenarios(suite, incomplete), **{each.id: each.where for each in clauses}}


complete_rulesets: Final = complete_from(named_rulesets)
complete_scenarios: Final = complete_from(_scenarios)
complete_checks: Final = complete_from(_checks)


def complete_files(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete the name of a file."""
    return [CompletionItem(incomplete, type="file")]


# ---- options


def rulesets_option(help: str) -> Callable[..., Any]:  # noqa: A002 -- as click calls it
    """Return the option `--ruleset`, which may be repeated, as `rulesets`."""
    return click.option(
        "--ruleset", "-r", "rulesets", multiple=True, metavar="NAME", shell_complete=complete_rulesets, help=help
    )


class RulesFile(click.Path):
    """A file of house rules, or the name of house rules in the suite."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Return the path of the file."""
        named = find_spec() / "house" / f"{Path(value).name}.yaml"
        if not (Path(value).exists() or named.is_file()):
            remedy = Suggestion(value, [each.stem for each in named.parent.iterdir()], "hoyle suite list house-rules")
            self.fail(f"There is no file and there are no house rules '{value}'. {remedy}", parameter, context)
        return super().convert(value if Path(value).exists() else named, parameter, context)


spec_option = click.option(
    "--spec",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Use this spec folder, not the one installed with Hoyle.",
)
rules_option = click.option(
    "--rules",
    type=RulesFile(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE|NAME",
    expose_value=False,
    callback=lambda context, _parameter, file: context.meta.update({_RULES: file}),
    help="Add house rules to the suite: a file, or a name that 'hoyle suite list house-rules' shows.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON, for other programs.")
force_option = click.option("--force", is_flag=True, help="Overwrite the FILE.")
seed_option = click.option(
    "--seed",
    default="",
    metavar="TEXT",
    help="The seed for relabelling the checks and for dealing the cards that do not matter.",
)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the commands that look something up: as JSON, with house rules, in another spec folder."""
    return json_option(rules_option(spec_option(command)))


def print_answer(data: Callable[[], Any], lines: Callable[[], Iterable[str]], *, as_json: bool) -> None:
    """Print an answer as JSON, or line by line."""
    if as_json:
        print_json(data())
        return
    for line in lines():
        click.echo(line)


def print_json(data: Any, stream: TextIO | None = None) -> None:
    """Print one JSON document, on standard output or on another stream."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2), file=stream)


def console(width: int) -> "Console":
    """Return the terminal; for a file or another program, a console with this many columns."""
    from rich.console import Console

    return Console(width=None if sys.stdout.isatty() else width, emoji=False)


def without_cache() -> bool:
    """Whether Hoyle neither reads nor writes the cache."""
    return _is_set("HOYLE_NO_CACHE")


def without_progress() -> bool:
    """Whether progress is hidden."""
    return _is_set("HOYLE_NO_PROGRESS")


def _is_set(variable: str) -> bool:
    """Whether an environment variable is set to yes; raise BadParameter if it is neither yes nor no."""
    return bool(click.BOOL.convert(os.environ.get(variable) or "0", None, None))


# ---- the suite


def suite_or_exit(spec: Path | None, *, drafts: bool = False, positions: bool = False, mention: bool = True) -> Suite:
    """Return the suite; print every mistake and exit with code 5 if its files are invalid.

    With `drafts`, for commands that only look something up, invalid scenarios are skipped, with a `mention`. With
    `positions`, all positions are linted; other commands lint those they use (`sound_or_exit`). House rules are added
    if the command has that option (`rules_option`).
    """
    only_spec_folder(spec)
    load: Callable[..., Suite] = open_suite
    if without_cache():
        from hoyle_conformance.checks.load import load_suite as load
    try:
        suite = load(spec, drafts=drafts, positions=positions)
    except Invalid as invalid:
        exit_invalid(invalid)
    if suite.left_out and mention:
        files = printable(", ".join(sorted({fault.file for fault in suite.left_out})))
        click.echo(f"Left out because of mistakes (see 'hoyle validate'): {files}\n", err=True)
    return _with_house_rules(suite)


def only_spec_folder(spec: Path | None) -> None:
    """Raise UsageError if a given folder is not a spec folder."""
    if spec is not None and not (spec / VERSION).is_file():
        raise click.UsageError(f"{spec} is not a spec folder: it has no {VERSION}.")


def rules_file() -> Path | None:
    """Return the file of house rules, if one is given."""
    file: Path | None = click.get_current_context().meta.get(_RULES)
    return file


def _with_house_rules(suite: Suite) -> Suite:
    """Return the suite with the given house rules; exit with code 4 if they are invalid."""
    file = rules_file()
    if file is None:
        return suite
    from hoyle_conformance.tools.house_rules import read_house_rules

    if planner_of(suite).cache_key:
        load_requests(suite)
    with WrongUsageIfInvalid():
        return read_house_rules(suite, file).joined(suite)


def sound_or_exit(suite: Suite, scenarios: Iterable[Scenario]) -> None:
    """Print every mistake and exit with code 5 if the position of one of these scenarios cannot be set up."""
    once = {each.id: each for each in scenarios if not planner_of(suite).is_linted(each)}
    if not once:
        return
    from hoyle_conformance.checks.load import lint_position

    faults = [fault for scenario in once.values() for fault in lint_position(suite, scenario)]
    if faults:
        exit_invalid(Invalid(faults))


def relabelled_or_exit(suite: Suite, checks: Iterable[Check], seed: str, *, as_written: bool) -> list[Check]:
    """Return the checks relabelled; raise UsageError if both options are given."""
    if as_written:
        if seed:
            raise click.UsageError(
                "--seed and --as-written cannot be combined: checks sent as written are not relabelled."
            )
        return list(checks)
    from hoyle_conformance.runner.checker import relabelled

    return relabelled(suite, checks, seed)


# ---- wrong names


def no_such(what: str, name: str, known: Iterable[str], listed_by: str) -> str:
    """Return a message that there is no such thing, with the nearest name or the command that lists all."""
    near = nearest(name, known)
    remedy = f"Did you mean '{near}'?" if near else f"'{listed_by}' shows them all."
    shown = sanitize(cut(name, _LONGEST)).replace("\n", " ")
    return f"no {what} '{shown}'. {remedy}"


def no_such_file(path: Path) -> str:
    """Return a message that there is no such file, with the nearest name in its folder."""
    near = ""
    with suppress(OSError, ValueError):  # no folder either, or an impossible name
        near = nearest(path.name, [each.name for each in path.parent.iterdir()])
    meant = f" Did you mean '{sanitize(str(path.with_name(near)))}'?" if near else ""
    return f"no such file: '{sanitize(str(path))}'.{meant}"


def join_first(names: Sequence[str], listed_by: str = "") -> str:
    """Join the first of many names, with the number of the others and the command that lists all."""
    shown = ", ".join(names[:_MOST_NAMES])
    if len(names) <= _MOST_NAMES:
        return shown
    where = f": '{listed_by}'" if listed_by else ""
    return f"{shown}, and {len(names) - _MOST_NAMES} more{where}"


def ruleset_or_exit(suite: Suite, name: str) -> None:
    """Raise UsageError unless there is such a ruleset with such options."""
    try:
        suite.rules.cells(name)
    except Malformed as malformed:
        said = sanitize(str(malformed)[:_LONGEST_REASON])
        raise click.UsageError(f"{said}.{similar_rulesets(name, suite)}") from malformed


def rulesets_or_exit(suite: Suite, names: Iterable[str]) -> None:
    """Raise UsageError unless each name is a ruleset with at most one option."""
    for name in names:
        if name in suite.rules.names:
            continue
        ruleset_or_exit(suite, name)
        raise click.UsageError(f"'{name}' has several options; here a ruleset can have one at most.")


def similar_rulesets(name: str, suite: Suite) -> str:
    """Return the rulesets that a wrong name may mean, as a sentence or a list after another sentence; nothing if only
    the name's options are wrong."""
    if name.partition("+")[0] in suite.rulesets:
        return ""
    near, among = nearest(name, suite.rules.names), matching_rulesets(suite, name)
    if len(among) > 1:
        width = max(map(len, among))
        lines = [f"  {each:<{width}}  {suite.rules.title(each)}" for each in among]
        return "\n".join((" These rulesets have it in their name or title:", *lines))
    if meant := near or "".join(among):
        return f" Did you mean '{meant}'?"
    return f" 'hoyle suite list rulesets' shows all {len(suite.rulesets)}."


def matching_rulesets(suite: Suite, text: str) -> list[str]:
    """Return the rulesets with all these words in their name or title."""
    wanted = set(words(text))
    titles = {name: set(words(f"{name} {suite.rules.title(name)}")) for name in suite.rulesets}
    return [name for name, has in titles.items() if wanted and wanted <= has]
