"""`hoyle rules`: a ruleset as a rule book, or several side by side; and chapters, by names or words of titles."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import click

from hoyle_conformance.cli import options as common
from hoyle_conformance.files.diagnostics import nearest
from hoyle_conformance.files.stemming import words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.rulebook_entries import chapters, rule_page
from hoyle_conformance.wording.text import sanitize

#: The number of columns of a comparison that is not for a terminal.
_WIDTH: Final = 120


def _titles_of_chapters(suite: Suite, _incomplete: str) -> Mapping[str, str]:
    """Return the names and titles of the chapters."""
    known = suite.schemas.documents["ruleset"]["properties"]
    return {name: each["title"] for name, each in known.items() if "title" in each and "properties" in each}


def _chapters_or_exit(suite: Suite, rulesets: Iterable[str], wanted: Iterable[str]) -> frozenset[str]:
    """Return the names of the chapters that these words match; raise UsageError if a word matches none."""
    titles = {each.name: each.title for name in rulesets for each in chapters(suite, suite.rules.cells(name))}
    found: set[str] = set()
    for word in wanted:
        said = set(words(word))
        having = [name for name, title in titles.items() if said and said.issubset(words(f"{name} {title}"))]
        if word not in titles and not having:
            of_titles = {each for title in titles.values() for each in (title.lower(), *words(title))}
            near = nearest(word, sorted({*titles, *of_titles}))
            width = max(map(len, titles))
            known = "\n".join(f"  {name:<{width}}  {title}" for name, title in titles.items())
            meant = f" Did you mean '{near}'?" if near else f" There are:\n{known}"
            raise click.UsageError(f"no chapter '{sanitize(word[:40])}'.{meant}")
        found.update([word] if word in titles else having)
    return frozenset(found)


@click.command("rules")
@click.argument("rulesets", nargs=-1, required=True, metavar="RULESET…", shell_complete=common.complete_rulesets)
@click.option("--cells", is_flag=True, help="Also print the cell of each rule, as scenario files name it.")
@click.option(
    "--chapter",
    "chapters",
    multiple=True,
    metavar="NAME",
    shell_complete=common.complete_from(_titles_of_chapters),
    help="Only this chapter, by its name or a word of its title (repeatable).",
)
@click.option("--no-cites", "cites", flag_value=False, default=True, help="Leave out the clauses behind each rule.")
@click.option("--differences", "-d", is_flag=True, help="Of several rulesets, only the rules that differ.")
@common.reading_options
def command(rulesets: tuple[str, ...], spec: Path | None, **options: Any) -> None:
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
    suite, several = common.suite_or_exit(spec, drafts=True), len(rulesets) > 1
    cells, cites, differences = (options[name] for name in ("cells", "cites", "differences"))
    if len(set(rulesets)) < len(rulesets):
        raise click.UsageError("Name each ruleset once: hoyle rules bezique-hoyle bezique-britannica")
    if differences and not several:
        raise click.UsageError("--differences compares rulesets: name two or more.")
    if several and (cells or not cites):
        raise click.UsageError("--cells and --no-cites are for one ruleset.")
    for name in rulesets:
        common.ruleset_or_exit(suite, name)
    only = _chapters_or_exit(suite, rulesets, options["chapters"]) if options["chapters"] else frozenset[str]()
    if options["as_json"]:
        from hoyle_conformance.wording.rulebook_data import comparison_data, rules_data

        compared = comparison_data(suite, rulesets, differences=differences, only=only) if several else None
        common.print_json(compared or rules_data(suite, rulesets[0], only))
    elif several:
        from hoyle_conformance.wording.comparison import print_comparison

        print_comparison(common.console(_WIDTH), suite, rulesets, differences=differences, only=only)
    else:
        for line in rule_page(suite, rulesets[0], cells=cells, cites=cites, only=only):
            click.echo(line)
