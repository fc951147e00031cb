"""Open questions: what a book leaves open, as it would be asked at the table, with what books say of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.suite.vocabulary import question
from hoyle_conformance.web.site import comparison_pages as comparison
from hoyle_conformance.web.site import links
from hoyle_conformance.wording.comparison import ComparisonRow
from hoyle_conformance.wording.rulebook_entries import Entry, ReadingEntry
from hoyle_conformance.wording.rulings import is_irregularity


@dataclass(frozen=True, slots=True)
class SharedStatement:
    """What some tables of a game say alike of a rule: each with its entry; of an open question the same doubt, and
    the same readings of which the same is followed."""

    entries: dict[str, Entry]

    @property
    def entry(self) -> Entry:
        """What they say."""
        return next(iter(self.entries.values()))

    @property
    def cites(self) -> tuple[str, ...]:
        """The clauses that it rests on in all of them."""
        return tuple(dict.fromkeys(clause for entry in self.entries.values() for clause in entry.cell.cites))


@dataclass(frozen=True, slots=True)
class DisputeQuestion:
    """A rule that some book of a game leaves open: the question, its path and title, who leaves it open, and who
    settles it and how."""

    game: str
    path: str
    asks: str
    title: str
    open: tuple[SharedStatement, ...]
    settled: tuple[SharedStatement, ...]


@dataclass(frozen=True, slots=True)
class DisputedChapter:
    """The open questions of a chapter."""

    title: str
    questions: tuple[DisputeQuestion, ...]


def asked(suite: Suite, line: ComparisonRow) -> str:
    """Return the question about an open rule; of one for which the vocabulary has none, with its title."""
    if known := question(suite, line.path):
        return known
    irregular = any(entry and is_irregularity(entry.cell.value) for entry in line.entries)
    return f"What is the ruling: {line.title}?" if irregular else f"What is the rule: {line.title}?"


def questions(suite: Suite, game: str) -> list[DisputedChapter]:
    """Return the open questions of a game, by the chapters of its rule books.

    A question that every book settles may be open under an option: then the options that open it are asked too.
    """
    names = links.in_order(suite, game)
    options = [f"{name}+{option}" for name in names for option in suite.rules.options(name)]
    opening = [each for each in options if _open_cells(suite, each) - _open_cells(suite, each.partition("+")[0])]
    chapters = []
    for part in comparison.parts(suite, game, [*names, *opening]):
        found = []
        for line in part.lines:
            entries = [(name, each) for name, each in zip([*names, *opening], line.entries, strict=True) if each]
            of_books = [(name, each) for name, each in entries if name in names]
            if any(each.readings for _, each in of_books):
                found.append(_question(suite, game, of_books, line))
            elif any(each.readings for _, each in entries):
                found.append(_question(suite, game, [*of_books, *((n, e) for n, e in entries if e.readings)], line))
        if found:
            chapters.append(DisputedChapter(part.title, tuple(found)))
    return chapters


def _open_cells(suite: Suite, table: str) -> set[str]:
    return {cell.path for cell in suite.rules.cells(table) if cell.status == "disputed"}


def alike(chapter: DisputedChapter) -> Iterator[tuple[DisputeQuestion, ...]]:
    """Yield the questions of a chapter, neighbours together of which the books say word for word the same."""

    def doubt(question: DisputeQuestion) -> tuple[object, ...]:
        return tuple((tuple(said.entries), _doubt(said.entry)) for said in question.open)

    for _, some in groupby(chapter.questions, doubt):
        yield tuple(some)


def _question(suite: Suite, game: str, entries: Sequence[tuple[str, Entry]], line: ComparisonRow) -> DisputeQuestion:
    return DisputeQuestion(
        game,
        line.path,
        asked(suite, line),
        line.title,
        _together([each for each in entries if each[1].readings], _doubt_and_words),
        _together([each for each in entries if not each[1].readings], line.says),
    )


def _together(entries: Sequence[tuple[str, Entry]], what: Callable[[Entry], object]) -> tuple[SharedStatement, ...]:
    found: dict[object, dict[str, Entry]] = {}
    for name, entry in entries:
        found.setdefault(what(entry), {})[name] = entry
    return tuple(map(SharedStatement, found.values()))


def _doubt(entry: Entry) -> tuple[object, ...]:
    """Return a doubt and its readings, without the sentence of each reading."""
    readings = tuple((reading.name, reading.argument) for reading in entry.readings)
    return entry.cell.because, entry.cell.follows, readings


def _doubt_and_words(entry: Entry) -> tuple[object, ...]:
    return entry.cell.because, entry.cell.follows, entry.readings


def followed(entry: Entry) -> ReadingEntry:
    """Return the reading that is followed here."""
    return next(reading for reading in entry.readings if reading.name == entry.cell.follows)


def turning(suite: Suite, path: str, game: str) -> list[Scenario]:
    """Return the positions of a game that turn on an open question."""
    found = [each for each in suite.scenarios.values() if any(path in reading.cells for reading in each.readings)]
    return [each for each in found if any(_game(suite, check.ruleset) == game for check in suite.index.checks_of(each))]


def _game(suite: Suite, ruleset: str) -> str:
    return suite.rulesets[ruleset.partition("+")[0]].game
