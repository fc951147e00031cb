"""`hoyle rules`: a ruleset as a rule book, or several side by side; and chapters, by names or words of titles."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import click

from hoyle_conformance.cli.completion import complete_chapters, complete_rulesets
from hoyle_conformance.cli.json_output import json_option, print_json
from hoyle_conformance.cli.names import ruleset_or_exit
from hoyle_conformance.cli.options import console, rules_option, spec_option, suite_or_exit
from hoyle_conformance.files.diagnostics import nearest
from hoyle_conformance.files.stemming import words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.rulebook_entries import chapters, rule_page
from hoyle_conformance.wording.text import sanitize

#: Columns of a comparison that goes elsewhere than to a terminal.
_WIDTH: Final = 120

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


@click.command("rules", short_help="Print a ruleset as a rule book, or several side by side.")
@click.argument("rulesets", nargs=-1, required=True, metavar="RULESET…", shell_complete=complete_rulesets)
@click.option("--cells", is_flag=True, help="Also print the cell of each rule, as scenario files name it.")
@chapter_option
@click.option("--no-cites", "cites", flag_value=False, default=True, help="Leave out the clauses behind each rule.")
@click.option("--differences", "-d", is_flag=True, help="Of several rulesets, only the rules that differ.")
@json_option
@rules_option
@spec_option
def command(
    rulesets: tuple[str, ...],
    cells: bool,
    chapters: tuple[str, ...],
    cites: bool,
    differences: bool,
    as_json: bool,
    spec: Path | None,
) -> None:
    """Print a RULESET as a rule book: every rule in words, with the clauses it comes from. Print several side by side,
    where ≠ marks the rules that differ.

    \b
    hoyle rules bezique-hoyle
    hoyle rules bezique-hoyle+brisques-at-end
    hoyle rules bezique-hoyle --cells
    hoyle rules piquet-hoyle --chapter tricks --no-cites
    hoyle rules bezique-hoyle bezique-britannica
    hoyle rules bezique-h2g2 bezique-h2g2+three-tricks-first --differences
    """
    suite = suite_or_exit(spec, drafts=True)
    _fitting_or_exit(rulesets, of_one=cells or not cites, of_several=differences)
    for name in rulesets:
        ruleset_or_exit(suite, name)
    only = chapters_or_exit(suite, rulesets, chapters)
    if as_json:
        from hoyle_conformance.wording.rulebook_data import comparison_data, rules_data

        several = len(rulesets) > 1
        print_json(
            comparison_data(suite, rulesets, differences=differences, only=only)
            if several
            else rules_data(suite, rulesets[0], only)
        )
    elif len(rulesets) > 1:
        from hoyle_conformance.wording.comparison import print_comparison

        print_comparison(console(_WIDTH), suite, rulesets, differences=differences, only=only)
    else:
        for line in rule_page(suite, rulesets[0], cells=cells, cites=cites, only=only):
            click.echo(line)


def _fitting_or_exit(rulesets: Sequence[str], *, of_one: bool, of_several: bool) -> None:
    """Raise UsageError if a ruleset is named twice, or an option does not fit the number of rulesets."""
    if len(set(rulesets)) < len(rulesets):
        raise click.UsageError("Name each ruleset once: hoyle rules bezique-hoyle bezique-britannica")
    if of_several and len(rulesets) == 1:
        raise click.UsageError("--differences compares rulesets: name two or more.")
    if of_one and len(rulesets) > 1:
        raise click.UsageError("--cells and --no-cites are for one ruleset.")
