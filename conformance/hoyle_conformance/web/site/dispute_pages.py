"""Open questions: a page for each game listing the questions that its books leave open, and a page for
each question."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from hoyle_conformance.suite import vocabulary
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import comparison_pages as comparison
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.links import Way, fill, page_of_ways
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.comparison import ComparisonRow
from hoyle_conformance.wording.rulebook_entries import Entry, ReadingEntry
from hoyle_conformance.wording.rulings import is_irregularity

#: The page that leads to all of them; its address is permanent.
OVERVIEW: Final = "disputes.md"
_ABOUT: Final = (
    "A book can be silent, be damaged, or say two different things. Each question lists the possible readings with "
    "the arguments for them, and marks the reading that this site follows. Before you play, agree on one."
)


def pages(suite: Suite) -> Iterator[Page]:
    """Yield one page a game, one page a question, and the short page that leads to those of the games."""
    found = {game: questions(suite, game) for game in suite.rules.games}
    yield _overview(suite, found)
    by_path: dict[str, list[DisputeQuestion]] = {}
    for game, chapters in found.items():
        yield _page_of_game(suite, game, chapters)
        for question in (each for chapter in chapters for each in chapter.questions):
            by_path.setdefault(question.path, []).append(question)
    for path, of_games in by_path.items():
        yield _page_of_question(suite, path, of_games)


def path_of(cell: str) -> str:
    """Return the path of an open question's page."""
    return f"disputes/{cell.replace('.', '-')}.md"


def open_path(game: str) -> str:
    """Return the address of a game's open questions."""
    return f"{folder(game)}/open.html"


# ---- the open questions of a game


@dataclass(frozen=True, slots=True)
class SharedStatement:
    """A common statement of some tables of a game about a rule, with each table's entry. If the rule is an open
    question, the tables share the doubt, the readings and the reading followed."""

    entries: dict[str, Entry]

    @property
    def entry(self) -> Entry:
        """The entry that they share."""
        return next(iter(self.entries.values()))

    @property
    def cites(self) -> tuple[str, ...]:
        """The clauses that the rule rests on in any of them."""
        return tuple(dict.fromkeys(clause for entry in self.entries.values() for clause in entry.cell.cites))


@dataclass(frozen=True, slots=True)
class DisputeQuestion:
    """A rule that some book of a game leaves open: the question, its path and title, the books that leave it open, and
    the books that settle it, with their answers."""

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


def questions(suite: Suite, game: str) -> list[DisputedChapter]:
    """Return the open questions of a game, by the chapters of its rule books.

    An option may open a question that every book settles; then the options that open it are included.
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


def _question(suite: Suite, game: str, entries: Sequence[tuple[str, Entry]], line: ComparisonRow) -> DisputeQuestion:
    return DisputeQuestion(
        game,
        line.path,
        asked(suite, line),
        line.title,
        _together(
            [each for each in entries if each[1].readings],
            lambda entry: (entry.cell.because, entry.cell.follows, entry.readings),
        ),
        _together([each for each in entries if not each[1].readings], line.says),
    )


def _together(entries: Sequence[tuple[str, Entry]], what: Callable[[Entry], object]) -> tuple[SharedStatement, ...]:
    found: dict[object, dict[str, Entry]] = {}
    for name, entry in entries:
        found.setdefault(what(entry), {})[name] = entry
    return tuple(map(SharedStatement, found.values()))


def asked(suite: Suite, line: ComparisonRow) -> str:
    """Return the question about an open rule; if the vocabulary has none, one made from its title."""
    if known := vocabulary.question(suite, line.path):
        return known
    irregular = any(entry and is_irregularity(entry.cell.value) for entry in line.entries)
    return f"What is the ruling: {line.title}?" if irregular else f"What is the rule: {line.title}?"


def alike(chapter: DisputedChapter) -> Iterator[tuple[DisputeQuestion, ...]]:
    """Yield the questions of a chapter, with neighbours merged if the books answer them word for word alike."""

    def doubts(question: DisputeQuestion) -> list[object]:
        return [
            (
                tuple(said.entries),
                said.entry.cell.because,
                said.entry.cell.follows,
                [(reading.name, reading.argument) for reading in said.entry.readings],
            )
            for said in question.open
        ]

    for _, some in groupby(chapter.questions, doubts):
        yield tuple(some)


def followed(entry: Entry) -> ReadingEntry:
    """Return the reading that Hoyle follows."""
    return next(reading for reading in entry.readings if reading.name == entry.cell.follows)


def turning(suite: Suite, path: str, game: str) -> list[Scenario]:
    """Return the positions of a game that depend on an open question."""
    found = [each for each in suite.scenarios.values() if any(path in reading.cells for reading in each.readings)]
    own = {ruleset.id for ruleset in suite.rules.games[game]}
    return [
        each for each in found if any(check.ruleset.partition("+")[0] in own for check in suite.index.checks_of(each))
    ]


# ---- a question


@dataclass(frozen=True, slots=True)
class Statement:
    """A common statement of some tables: the tables, the sentence, and the clauses behind it, one for each place."""

    books: tuple[str, ...]
    sentence: str
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubt of some books: the reason, the clauses behind it, and the readings, with the one followed first."""

    books: tuple[str, ...]
    because: str
    clauses: tuple[str, ...]
    readings: tuple[ReadingEntry, ...]


@dataclass(frozen=True, slots=True)
class QuestionBlock:
    """A question with the readings followed, the doubts, the books that settle it, the positions that depend on it, and
    the address of its comparison page."""

    question: DisputeQuestion
    followed: tuple[Statement, ...]
    doubts: tuple[Doubt, ...]
    settled: tuple[Statement, ...]
    positions: tuple[Scenario, ...]
    beside: str


def _block(suite: Suite, question: DisputeQuestion) -> QuestionBlock:
    of: dict[str, list[str]] = {}
    for said in question.open:
        of.setdefault(followed(said.entry).sentence, []).extend(said.entries)
    return QuestionBlock(
        question,
        tuple(Statement(tuple(names), sentence) for sentence, names in of.items()),
        tuple(_doubt(suite, said) for said in question.open),
        tuple(
            Statement(tuple(said.entries), said.entry.sentence, links.one_a_place(suite, said.cites))
            for said in question.settled
        ),
        tuple(turning(suite, question.path, question.game)),
        comparison.rule_address(suite, question.game, question.path),
    )


def _doubt(suite: Suite, said: SharedStatement) -> Doubt:
    first = followed(said.entry)
    readings = (first, *(each for each in said.entry.readings if each != first))
    return Doubt(tuple(said.entries), said.entry.cell.because, links.one_a_place(suite, said.cites), readings)


# ---- pages


def _overview(suite: Suite, found: dict[str, list[DisputedChapter]]) -> Page:
    ways = [Way(open_path(game), f"Open questions in {game}", f": {_count(some)}") for game, some in found.items()]
    return page_of_ways(suite, OVERVIEW, "Open questions", _ABOUT, ways, kind="questions")


def _count(chapters: Sequence[DisputedChapter]) -> int:
    return sum(len(chapter.questions) for chapter in chapters)


@dataclass(frozen=True, slots=True)
class SharedQuestion:
    """A question, and others to which the books give word for word the same answers: path, name and page of each."""

    block: QuestionBlock
    page: str
    also: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class QuestionChapter:
    """A chapter with its questions, shared ones merged, and their number."""

    anchor: str
    title: str
    count: int
    questions: tuple[SharedQuestion, ...]


def _page_of_game(suite: Suite, game: str, chapters: Sequence[DisputedChapter]) -> Page:
    here, title = open_path(game), f"{game}: open questions"
    shown = [_chapter(suite, chapter) for chapter in chapters]
    body = fill("open_questions", suite, here, title=title, count=_count(chapters), about=_ABOUT, chapters=shown)
    about = f"Questions that the books on {game} leave open, each with its readings and the one that this site follows."
    path = here.replace(".html", ".md")
    return Page(path, body=body, title=title, about=about, kind="questions", tab=game)


def _chapter(suite: Suite, chapter: DisputedChapter) -> QuestionChapter:
    anchor = "-".join(chapter.title.lower().split())
    shared = tuple(_shared(suite, *some) for some in alike(chapter))
    return QuestionChapter(anchor, chapter.title, len(chapter.questions), shared)


def _shared(suite: Suite, first: DisputeQuestion, *others: DisputeQuestion) -> SharedQuestion:
    also = tuple((each.path, each.title.rpartition(": ")[2], path_of(each.path)) for each in others)
    return SharedQuestion(_block(suite, first), path_of(first.path), also)


def _page_of_question(suite: Suite, path: str, of_games: Sequence[DisputeQuestion]) -> Page:
    """Return the page of a question, with everything unfolded."""
    here, first = path_of(path), of_games[0]
    ways_back = [(each.game, f"{open_path(each.game)}#{each.path}") for each in of_games]
    blocks = [_block(suite, question) for question in of_games]
    body = fill("open_question", suite, here, asks=first.asks, ways_back=ways_back, blocks=blocks)
    games = " and ".join(question.game for question in of_games)
    about = f"An open question in {games}: the readings, the arguments for each, and the one that this site follows."
    return Page(here, body=body, title=first.asks, about=about, kind="questions", tab=first.game, id=path)
