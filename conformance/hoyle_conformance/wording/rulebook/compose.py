"""The rule book of one table, composed chapter by chapter from the templates of its game."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hoyle_conformance.files.stemming import words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.rulebook import templates as wording
from hoyle_conformance.wording.rulebook.templates import fill, places_in, value_at
from hoyle_reference import Cells


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a paragraph: its words, and the rules that it states."""

    words: str
    entries: tuple[rulebook.Entry, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a rule book: its id, its number in the chapter (from 1; lists have none), and its sentences; for a
    list, also its path."""

    id: str
    number: int
    sentences: tuple[Sentence, ...]
    rows: str = ""

    @property
    def words(self) -> str:
        """The whole text."""
        return " ".join(each.words for each in self.sentences)

    @property
    def entries(self) -> tuple[rulebook.Entry, ...]:
        """The rules that the paragraph states."""
        return tuple(entry for each in self.sentences for entry in each.entries)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of a rule book: its name, its number (from 1), its title and its paragraphs."""

    name: str
    number: int
    title: str
    paragraphs: tuple[Paragraph, ...]


def book(suite: Suite, ruleset: str) -> list[Chapter]:
    """Return the rule book of a table, in the order of play; chapters without a rule are left out."""
    cells = suite.rules.cells(ruleset)
    printed = rulebook.printed_chapters(suite, cells)
    entries = {entry.cell.path: entry for chapter in printed for entry in chapter.entries}
    of = wording.chapters(_folder_of(suite, ruleset))
    said = [(chapter, tuple(_paragraphs(chapter, cells, entries))) for chapter in of]
    found = [(each.name, each.title, paragraphs) for each, paragraphs in said if paragraphs]
    if others := tuple(_remaining_rules(entries, [paragraph for _, _, some in found for paragraph in some])):
        found.append(("others", "Other rules", others))
    return [Chapter(name, number, title, some) for number, (name, title, some) in enumerate(found, start=1)]


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact about a book: its title; and its words, or ranks to be drawn, from the highest."""

    title: str
    words: str
    ranks: tuple[str, ...] = ()


def facts(suite: Suite, ruleset: str) -> Iterator[Fact]:
    """Yield the facts at the beginning of a book."""
    cells = suite.rules.cells(ruleset)
    for each in wording.facts(_folder_of(suite, ruleset)):
        if each.cards in cells:
            yield Fact(each.title, "", tuple(cells[each.cards].value.split()))
        elif case := next((case for case in each.cases if holds(case, cells)), None):
            yield Fact(each.title, fill(case.say, cells))


def folder(game: str) -> str:
    """Return the name of the folder for the wording and pages of a game."""
    return "-".join(words(game))


def _folder_of(suite: Suite, ruleset: str) -> str:
    return folder(suite.rulesets[ruleset.partition("+")[0]].game)


def _paragraphs(
    chapter: wording.ChapterTemplate, cells: Cells, entries: Mapping[str, rulebook.Entry]
) -> Iterator[Paragraph]:
    number = 0
    for each in chapter.paragraphs:
        sentences = tuple(_sentences(each, cells, entries))
        if sentences:
            number += not each.rows
            yield Paragraph(each.id, number, sentences, each.rows)


def _sentences(
    paragraph: wording.ParagraphTemplate, cells: Cells, entries: Mapping[str, rulebook.Entry]
) -> Iterator[Sentence]:
    rows = cells.rows(paragraph.rows) if paragraph.rows else ()
    for entry in (entries[row.path] for row in rows if row.path in entries):
        yield Sentence(entry.sentence, (entry,))
    for said in paragraph.says:
        some = tuple(entries[path] for path in said.of if path in entries)
        if some:
            case = next((each for each in said.cases if holds(each, cells)), None)
            if case:
                yield Sentence(fill(case.say, cells), tuple(some))
            else:
                yield from (Sentence(entry.sentence, (entry,)) for entry in some)


def holds(case: wording.Case, cells: Cells) -> bool:
    """Return whether the rules have the values of a case, and every rule that its words refer to exists."""
    as_wanted = all(_value(path, cells) in values for path, values in case.when.items())
    return as_wanted and all(_value(place, cells) is not wording.ABSENT for place in places_in(case.say))


def _value(place: str, cells: Cells) -> Any:
    """Return the value of a rule, or of a part of a row in a list."""
    try:
        return value_at(place, cells)
    except KeyError:
        return wording.ABSENT


def _remaining_rules(entries: Mapping[str, rulebook.Entry], said: Sequence[Paragraph]) -> Iterator[Paragraph]:
    """Yield the rules that are in no paragraph, each in its own, because their table has no wording yet."""
    done = {entry.cell.path for paragraph in said for entry in paragraph.entries}
    rest = [entry for path, entry in entries.items() if path not in done]
    for number, entry in enumerate(rest, start=1):
        yield Paragraph(entry.cell.path.replace(".", "-"), number, (Sentence(entry.sentence, (entry,)),))
