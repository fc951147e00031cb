"""Chapters of rule books, chosen by name or by the words of their titles."""

from collections.abc import Iterable, Mapping, Sequence

import click

from hoyle_conformance.files.stemming import words
from hoyle_conformance.files.suggest import nearest
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import sanitize

chapter_option = click.option(
    "--chapter",
    "chapters",
    multiple=True,
    metavar="NAME",
    help="Only this chapter, by its name or a word of its title. Repeatable.",
)


def chapters_or_leave(suite: Suite, rulesets: Iterable[str], wanted: Sequence[str]) -> frozenset[str]:
    """The names of the chapters that these words mean, none where there are no words; raises UsageError where one means
    no chapter of these rulesets, and shows which there are."""
    if not wanted:
        return frozenset()
    from hoyle_conformance.wording.rulebook_entries import chapters

    titles = {each.name: each.title for name in rulesets for each in chapters(suite, suite.rules.cells(name))}
    return frozenset(name for word in wanted for name in _meant(titles, word))


def _meant(titles: Mapping[str, str], word: str) -> list[str]:
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
