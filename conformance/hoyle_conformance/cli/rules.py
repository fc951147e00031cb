"""`hoyle rules`: a ruleset as a rule book; and chapters, by their names or words of their titles."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import click

from hoyle_conformance.cli.completion import complete_chapters, complete_rulesets
from hoyle_conformance.cli.json_output import json_option, print_json
from hoyle_conformance.cli.names import ruleset_or_exit
from hoyle_conformance.cli.options import rules_option, spec_option, suite_or_exit
from hoyle_conformance.files.stemming import words
from hoyle_conformance.files.suggest import nearest
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.rulebook_entries import chapters, rule_page
from hoyle_conformance.wording.text import sanitize

chapter_option = click.option(
    "--chapter",
    "chapters",
    multiple=True,
    metavar="NAME",
    shell_complete=complete_chapters,
    help="Only this chapter, by its name or a word of its title (repeatable).",
)


def chapters_or_exit(suite: Suite, rulesets: Iterable[str], wanted: Sequence[str]) -> frozenset[str]:
    """Return the names of the chapters that these words mean; raise UsageError if one means none."""
    if not wanted:
        return frozenset()

    titles = {each.name: each.title for name in rulesets for each in chapters(suite, suite.rules.cells(name))}
    return frozenset(name for word in wanted for name in _matching_chapters(titles, word))


def _matching_chapters(titles: Mapping[str, str], word: str) -> list[str]:
    """Return the names of the chapters that a word means."""
    if word in titles:
        return [word]
    wanted = set(words(word))
    having = [name for name, title in titles.items() if wanted and wanted.issubset(words(f"{name} {title}"))]
    if having:
        return having
    of_titles = {said for title in titles.values() for said in (title.lower(), *words(title))}
    near = nearest(word, sorted({*titles, *of_titles}))
    width = max(map(len, titles))
    known = "\n".join(f"  {name:<{width}}  {title}" for name, title in titles.items())
    meant = f" Did you mean '{near}'?" if near else f" There are:\n{known}"
    raise click.UsageError(f"no chapter '{sanitize(word[:40])}'.{meant}")


@click.command("rules", short_help="Print a ruleset as a rule book.")
@click.argument("ruleset", shell_complete=complete_rulesets)
@click.option("--cells", is_flag=True, help="Also print the cell of each rule, as scenario files name it.")
@chapter_option
@click.option("--no-cites", "cites", flag_value=False, default=True, help="Leave out the clauses behind each rule.")
@json_option
@rules_option
@spec_option
def command(
    ruleset: str, cells: bool, chapters: tuple[str, ...], cites: bool, as_json: bool, spec: Path | None
) -> None:
    """Print a RULESET as a rule book: every rule in words, with the clauses it comes from.

    \b
    hoyle rules bezique-hoyle
    hoyle rules bezique-hoyle+brisques-at-end
    hoyle rules bezique-hoyle --cells
    hoyle rules piquet-hoyle --chapter tricks --no-cites
    """
    suite = suite_or_exit(spec, drafts=True)
    ruleset_or_exit(suite, ruleset)
    only = chapters_or_exit(suite, [ruleset], chapters)
    if as_json:
        from hoyle_conformance.wording.rulebook_data import rules_data

        print_json(rules_data(suite, ruleset, only))
        return
    for line in rule_page(suite, ruleset, cells=cells, cites=cites, only=only):
        click.echo(line)
