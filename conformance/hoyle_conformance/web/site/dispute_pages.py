"""Pages of open questions: for each game what its books leave open, and a page for each question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import comparison_pages as comparison
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.dispute_questions import (
    DisputedChapter,
    DisputeQuestion,
    SharedStatement,
    alike,
    followed,
    questions,
    turning,
)
from hoyle_conformance.web.site.links import Way, fill, page_of_ways
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.rulebook_entries import ReadingEntry

#: The page that leads to all of them, an address that stays.
OVERVIEW: Final = "disputes.md"
_ABOUT: Final = (
    "A book can be silent, be damaged, or say two different things. Each question lists the possible readings with "
    "the arguments for them, and marks the reading that this site follows. Before you play, agree on one."
)


def pages(suite: Suite) -> Iterator[Page]:
    """Yield one page a game, one a question, and the short one that leads to those of the games."""
    found = {game: questions(suite, game) for game in suite.rules.games}
    yield _overview(suite, found)
    by_path: dict[str, list[DisputeQuestion]] = {}
    for game, chapters in found.items():
        yield _game(suite, game, chapters)
        for question in (each for chapter in chapters for each in chapter.questions):
            by_path.setdefault(question.path, []).append(question)
    for path, of_games in by_path.items():
        yield _question(suite, path, of_games)


def path_of(cell: str) -> str:
    """Return the path of an open question's page."""
    return f"disputes/{cell.replace('.', '-')}.md"


def open_path(game: str) -> str:
    """Return the address of a game's open questions."""
    return f"{folder(game)}/open.html"


def _overview(suite: Suite, found: dict[str, list[DisputedChapter]]) -> Page:
    ways = [Way(open_path(game), f"Open questions in {game}", f": {_count(some)}") for game, some in found.items()]
    return page_of_ways(suite, OVERVIEW, "Open questions", _ABOUT, ways, kind="questions")


def _count(chapters: Sequence[DisputedChapter]) -> int:
    return sum(len(chapter.questions) for chapter in chapters)


# ---- a question


@dataclass(frozen=True, slots=True)
class Statement:
    """What some tables say alike: the tables, the sentence, and the clauses behind it, of those at one place one."""

    books: tuple[str, ...]
    sentence: str
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubt of some books: why, the clauses behind it, and the readings, the one that is followed first."""

    books: tuple[str, ...]
    because: str
    clauses: tuple[str, ...]
    readings: tuple[ReadingEntry, ...]


@dataclass(frozen=True, slots=True)
class QuestionBlock:
    """A question with the readings that are followed, the doubts, the books that settle it, the positions that turn on
    it, and the address of all books side by side."""

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


# ---- the page of a game, and that of a question


@dataclass(frozen=True, slots=True)
class SharedQuestion:
    """A question, and others of which the books say word for word the same: path, name and page of each."""

    block: QuestionBlock
    page: str
    also: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class QuestionChapter:
    """A chapter with its questions, those together that are shared, and how many there are."""

    anchor: str
    title: str
    count: int
    questions: tuple[SharedQuestion, ...]


def _game(suite: Suite, game: str, chapters: Sequence[DisputedChapter]) -> Page:
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


def _question(suite: Suite, path: str, of_games: Sequence[DisputeQuestion]) -> Page:
    """Return the page of a question, with everything unfolded."""
    here, first = path_of(path), of_games[0]
    ways_back = [(each.game, f"{open_path(each.game)}#{each.path}") for each in of_games]
    blocks = [_block(suite, question) for question in of_games]
    body = fill("open_question", suite, here, asks=first.asks, ways_back=ways_back, blocks=blocks)
    games = " and ".join(question.game for question in of_games)
    about = f"An open question in {games}: the readings, the arguments for each, and the one that this site follows."
    return Page(here, body=body, title=first.asks, about=about, kind="questions", tab=first.game, id=path)
