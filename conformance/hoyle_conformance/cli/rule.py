"""`hoyle rule`: the ruling on an irregularity, and what a rule says."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from hoyle_conformance.cli.options import rules_option, spec_option, suite_or_exit
from hoyle_conformance.suite.suite import Suite

if TYPE_CHECKING:
    from hoyle_conformance.tools.search.entries import SearchEntry
    from hoyle_conformance.tools.search.subjects import SubjectIndex


def _complete(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the names of rulesets and irregularities that complete a word."""
    from hoyle_conformance.checks.cache.cached_suite import open_suite
    from hoyle_conformance.files.diagnostics import Invalid
    from hoyle_conformance.tools.search.subjects import index_subjects, irregularities

    try:
        suite = open_suite(context.params.get("spec"), drafts=True, positions=False)
    except (Invalid, OSError):
        return []
    before = (*(context.params.get("words") or ()), "")
    ruleset = before[0] if suite.rules.knows(before[0]) else ""
    names = [] if any(before) else [CompletionItem(name, help=suite.rules.title(name)) for name in suite.rules.names]
    known = irregularities(index_subjects(suite).index.entries, ruleset)
    items = [*(CompletionItem(each.id, help=each.title) for each in known), *names]
    return [item for item in items if item.value.startswith(incomplete)]


@click.command("rule", short_help="Look up a ruling, in one ruleset or in all.")
@click.argument("words", nargs=-1, required=True, metavar="[RULESET] WORDS…", shell_complete=_complete)
@rules_option
@spec_option
def command(words: tuple[str, ...], spec: Path | None) -> None:
    """Show the ruling on an irregularity, or a rule, named by its id or by a few WORDS: what follows, who chooses,
    until when it may be claimed, and the clauses behind it.

    Without a RULESET, the command shows the rulings of all rulesets side by side, and groups rulesets that agree.
    With only a RULESET, the command lists the irregularities on which that ruleset rules.

    \b
    hoyle rule revoke
    hoyle rule rubicon-hoyle "drew two cards"
    hoyle rule may a married queen marry again
    hoyle rule who wins if both pass 1,000

    \b
    Exit codes:
      0  something was found             4  nothing was found
    """
    from hoyle_conformance.tools.search.subjects import index_subjects

    suite = suite_or_exit(spec, drafts=True)
    subjects = index_subjects(suite)
    ruleset, asked = _split_ruleset(suite, subjects, words)
    if not ruleset and not asked.strip():
        raise click.UsageError("Give a word to search for.")
    for line in (
        _ruling_lines(suite, subjects, ruleset, asked) if asked else _irregularity_lines(suite, subjects, ruleset)
    ):
        click.echo(line)


def _split_ruleset(suite: Suite, subjects: "SubjectIndex", words: tuple[str, ...]) -> tuple[str, str]:
    """Return the ruleset, if the first word names one, and the words to look for; raise UsageError if it nearly
    does."""
    from hoyle_conformance.files.suggest import nearest
    from hoyle_conformance.tools.search.subjects import subjects_named

    first = words[0]
    if suite.rules.knows(first):
        return first, " ".join(words[1:]).strip()
    known = {*suite.rules.names, *(each.id for each in subjects.index.entries)}
    near = nearest(first, known) if "-" in first and not subjects_named(subjects, first) else ""
    if near in suite.rules.names:
        raise click.UsageError(f"No ruleset '{first}'. Did you mean '{near}'?")
    return "", " ".join(words)


def _ruling_lines(suite: Suite, subjects: "SubjectIndex", ruleset: str, asked: str) -> Iterator[str]:
    """Yield the rulings on the subject, and what else was found; raise UsageError if nothing was."""
    from hoyle_conformance.tools.search.search import no_result_line
    from hoyle_conformance.tools.search.subjects import cell_path, find_subjects, suggest_subject
    from hoyle_conformance.wording import ruling_lookup as rulings

    about, others = find_subjects(subjects, asked)
    if not about:
        raise click.UsageError(no_result_line(asked, suggest_subject(subjects, asked), ""))
    if ruleset:
        about, others = _in_ruleset(subjects, ruleset, asked, about, others)
    paths = [cell_path(each) for each in about]
    yield from rulings.ruleset_rulings(suite, ruleset, paths) if ruleset else rulings.side_by_side(suite, paths)
    of = f"{ruleset} " if ruleset else ""
    titles = {f"hoyle rule {of}{each.id}": rulings.title(suite, cell_path(each), ruleset) for each in others}
    yield from rulings.other_results(titles)


def _in_ruleset(
    subjects: "SubjectIndex", ruleset: str, asked: str, about: "list[SearchEntry]", others: "list[SearchEntry]"
) -> "tuple[list[SearchEntry], list[SearchEntry]]":
    """Return the subjects that a ruleset has; if it has none, the subject itself with what it has instead."""
    from hoyle_conformance.tools.search.subjects import alternatives, subjects_named

    own = [each for each in about if ruleset in each.rulesets]
    if not own:
        own = about[:1] if subjects_named(subjects, asked) else [*about[:1], *alternatives(about, others, ruleset)]
    return own, [each for each in others if ruleset in each.rulesets and each not in own]


def _irregularity_lines(suite: Suite, subjects: "SubjectIndex", ruleset: str) -> Iterator[str]:
    """Yield the irregularities of a ruleset."""
    from hoyle_conformance.tools.search.subjects import cell_path, irregularities
    from hoyle_conformance.wording import ruling_lookup as rulings

    own = irregularities(subjects.index.entries, ruleset)
    return rulings.list_rulings(suite, ruleset, {cell_path(each): f"hoyle rule {ruleset} {each.id}" for each in own})
