"""Options that select checks: by name, ruleset, topic, clause or words, by a part of them, or by failure in the last
run."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any, Final

import click

from hoyle_conformance.cli.options import complete_checks, rules_file, rulesets_option, rulesets_or_exit, without_cache
from hoyle_conformance.runner import select
from hoyle_conformance.suite.model import Check, Heading
from hoyle_conformance.suite.paths import SCENARIO_FILE
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import plural, sanitize

if TYPE_CHECKING:
    from hoyle_conformance.runner.results import Run

_SHARD: Final = re.compile(r"([0-9]{1,5})/([0-9]{1,5})")

ruleset_option = rulesets_option("Only checks of this ruleset (repeatable).")
select_option = click.option(
    "-s",
    "--select",
    "selected",
    multiple=True,
    metavar="CHECK",
    shell_complete=complete_checks,
    help="Only these checks: a check, a scenario, a topic, a clause, a pattern with *, a file or a folder; "
    "and 'census' for whole games (repeatable).",
)
keywords_option = click.option(
    "-k",
    "keywords",
    metavar="WORDS",
    help="Only checks with these words in their title or id, in any form: 'marriage not royal', 'king or queen'.",
)
last_failed_option = click.option(
    "--last-failed",
    "--lf",
    is_flag=True,
    help="Only checks that failed when this COMMAND last ran in this folder; all if none failed.",
)
max_failures_option = click.option(
    "--max-failures",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop after this many failures that are not in the baseline.",
)


def _shard(_context: click.Context, _parameter: click.Parameter, named: str | None) -> select.Shard | None:
    """Read a shard: ``2/5`` is the second of five; raise BadParameter."""
    if named is None:
        return None
    written = _SHARD.fullmatch(named.strip())
    shard = select.Shard(int(written[1]), int(written[2])) if written else None
    if shard is None or not 1 <= shard.number <= shard.of:
        raise click.BadParameter(f"{named[:20]} is not a part. The second of five is 2/5.")
    return shard


shard_option = click.option(
    "--shard",
    callback=_shard,
    metavar="K/N",
    help="Only the K-th of N parts, so that N machines together run every check once.",
)


def headings_or_exit(suite: Suite, patterns: tuple[str, ...], rulesets: tuple[str, ...]) -> list[Heading]:
    """Return the headings of the selected checks; raise UsageError if a word names nothing."""
    rulesets_or_exit(suite, rulesets)
    try:
        return select.choose(suite, patterns, rulesets)
    except select.NothingSelected as nothing:
        hint = f" It is a ruleset: -r {nothing.word}" if nothing.word in suite.rules.names else ""
        raise click.UsageError(f"{nothing}{hint}") from nothing


@dataclass(frozen=True, slots=True)
class Memory:
    """The failures of the last run of a command, and their address in the cache, if caching is allowed."""

    address: str
    failed: frozenset[str]

    def keep(self, suite: Suite, run: "Run") -> None:
        """Store the failures of this run, keeping those of checks that did not run, also from parallel runs. If the
        earlier failures cannot be read, store nothing."""
        if not self.address:
            return
        from hoyle_conformance.runner.results import UNEXPECTED

        ran = {result.check.id: result.status in UNEXPECTED for result in run.results}
        with suppress(OSError):
            before, failed = (
                select.read_last_failed(self.address),
                (name for name, has_failed in ran.items() if has_failed),
            )
            now, headings = select.update_last_failed(before, ran, failed), suite.index.headings
            known = frozenset(name for name in now if name in headings or select.game_ids(suite, name))
            select.store_last_failed(self.address, before, known)


def memory_or_exit(suite: Suite, adapter: tuple[str, ...], options: Mapping[str, Any]) -> Memory:
    """Return the failures of the last run if requested; raise UsageError if caching is off then."""
    if without_cache():
        if options["last_failed"]:
            raise click.UsageError("--last-failed needs the stored results of the last run: unset HOYLE_NO_CACHE.")
        return Memory("", frozenset())

    address = select.address_of_command(adapter, suite.root, rules_file())
    return Memory(address, select.read_last_failed(address) if options["last_failed"] else frozenset())


def command_or_exit(suite: Suite, adapter: tuple[str, ...]) -> None:
    """Raise UsageError if an adapter's command is not a program but selects checks, or names a ruleset."""
    word, *more = adapter or ("",)
    is_one_name = not more and Path(word).name == word  # such as 'cut', a topic and on most systems a program
    if not word or (
        (which(word) or select.is_there(Path(word))) and not is_one_name and not word.endswith(SCENARIO_FILE)
    ):
        return
    option = "-r" if word in suite.rules.names else "-s"
    if option != "-s" or select.checks_named(suite, word):
        also = f"; to start the program, write its path: {which(word)}" if which(word) else ""
        raise click.UsageError(f"'{word}' is not a command. To select checks with it, write: {option} {word}{also}")


def selected_or_exit(suite: Suite, options: Mapping[str, Any], memory: Memory) -> list[Check]:
    """Return the checks to run, and print a line for each option that excludes some; raise UsageError
    if none is left."""
    rulesets = options["rulesets"] or ((suite.house.ruleset.id,) if suite.house else ())
    named, failed = options["selected"], memory.failed if options["last_failed"] else ()
    games = _games_or_exit(suite, named or sorted(filter(select.names_games, failed)), rulesets)
    words = tuple(word for word in named if not select.names_games(word))
    chosen = [] if named and not words else headings_or_exit(suite, words, rulesets)
    chosen += [game.heading for game in games.values()]
    chosen = matching_or_exit(suite, chosen, options["keywords"])
    if options["shard"]:
        chosen = _select_part(chosen, options["shard"])
    if options["last_failed"]:
        chosen = _select_failed(chosen, memory.failed)
    return [games.get(heading.id) or suite.index.checks[heading.id] for heading in chosen]


def _games_or_exit(suite: Suite, selected: Sequence[str], rulesets: Sequence[str]) -> dict[str, Check]:
    """Return the selected games of the census, by id; raise UsageError if a word names none."""
    words = [word for word in selected if select.names_games(word)]
    if not words:
        return {}
    from hoyle_conformance.tools.games.census import games_named

    if suite.house and suite.house.ruleset.id in rulesets:
        raise click.UsageError("The census has no games by house rules. To play whole games: hoyle fuzz --rules FILE")
    rulesets_or_exit(suite, rulesets)
    by_word = {word: games_named(suite, [word], rulesets) for word in words}
    for word in (each for each, games in by_word.items() if not games):
        raise click.UsageError(f"There is no such game: '{sanitize(word)}'. spec/census lists the games.")
    return {game.id: game for games in by_word.values() for game in games}


def matching_or_exit(suite: Suite, chosen: list[Heading], keywords: str | None) -> list[Heading]:
    """Return the headings that have these words; raise UsageError if none has."""
    if keywords is None:
        return chosen

    try:
        return select.with_keywords(suite, chosen, keywords)
    except select.NothingSelected as nothing:
        raise click.UsageError(str(nothing)) from nothing


def _select_part(chosen: list[Heading], shard: select.Shard) -> list[Heading]:
    """Return the headings of a part of the checks."""
    ours = select.take_shard(chosen, shard)
    if not ours:
        raise click.UsageError(
            f"--shard {shard} has nothing to run: {plural(len(chosen), 'check')} cannot make so many parts. Use fewer."
        )
    click.echo(f"Part {shard}: {len(ours):,} of {plural(len(chosen), 'check')}.", err=True)
    return ours


def _select_failed(chosen: list[Heading], failed: frozenset[str]) -> list[Heading]:
    """Return the headings of the checks that failed last time, or all if none did."""
    again = [heading for heading in chosen if heading.id in failed]
    if again:
        count = f"{len(again)} of {plural(len(chosen), 'check')}"
        click.echo(f"Running the checks that failed last time: {count}.", err=True)
        return again
    click.echo(f"No failures are recorded for these checks: running all {len(chosen)}.", err=True)
    return chosen
