"""`hoyle search`: rules, clauses and positions by words."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hoyle_conformance.cli.exit import exit_with
from hoyle_conformance.cli.names import ruleset_or_exit
from hoyle_conformance.cli.options import spec_option, suite_or_exit

if TYPE_CHECKING:
    from hoyle_conformance.tools.search.entries import SearchEntry

#: So many of each kind are shown, unless all are asked for.
_MOST = 10


@click.command("search", short_help="Find rules, clauses and positions by words.")
@click.argument("words", nargs=-1, required=True, metavar="WORDS…")
@click.option("--ruleset", "-r", metavar="NAME", default="", help="Only results of this ruleset.")
@click.option("--all", "-a", "everything", is_flag=True, help=f"Show all results, not only {_MOST} of each kind.")
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON, for other programs.")
@spec_option
def command(words: tuple[str, ...], ruleset: str, everything: bool, as_json: bool, spec: Path | None) -> None:
    """Find rules, combinations, irregularities, clauses and positions by WORDS, in any order, or by other words for the
    same things. The best results come first: those with most of the words, and with the words in the title.

    \b
    hoyle search renege
    hoyle search marry again -r rubicon-hoyle
    hoyle search who wins if both pass 1000

    \b
    Exit codes:
      0  something was found             4  nothing was found
    """
    from hoyle_conformance.tools.search import search as shown
    from hoyle_conformance.tools.search.entries import search_entries
    from hoyle_conformance.tools.search.search import build_index, find, suggest
    from hoyle_conformance.tools.search.synonyms import searched_words

    suite, asked = suite_or_exit(spec, drafts=True), " ".join(words)
    if ruleset:
        ruleset_or_exit(suite, ruleset)
    if not searched_words(asked):
        raise click.UsageError("Give a word to search for.")
    among = build_index(search_entries(suite, ruleset))
    found = find(among, asked)
    near = "" if found else suggest(among, asked)
    most = None if everything else _MOST
    if as_json:
        _as_json(found, most, near)
    else:
        _as_lines(found, most, shown.no_result_line(asked, near, ruleset))


def _as_json(found: "list[SearchEntry]", most: int | None, near: str) -> None:
    """Print the entries as JSON."""
    from hoyle_conformance.runner.results import Exit
    from hoyle_conformance.tools.search import search as shown

    click.echo(json.dumps(shown.result_data(found, most, near), ensure_ascii=False, indent=2))
    if not found:
        exit_with(Exit.USAGE)


def _as_lines(found: "list[SearchEntry]", most: int | None, nothing: str) -> None:
    """Print the entries."""
    from hoyle_conformance.tools.search import search as shown

    if not found:
        raise click.UsageError(nothing)
    for line in shown.result_lines(found, most):
        click.echo(line)
