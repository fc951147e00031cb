"""Open questions: a page for each game listing the questions that its books leave open, and a page for
each question."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, Final

from hoyle_conformance.suite import vocabulary
from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import comparison_pages as comparison
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.comparison import ComparisonRow
from hoyle_conformance.wording.rulebook_entries import Agreement, Entry, followed

#: The page that leads to all of them; its address is permanent.
OVERVIEW: Final = "disputes.md"
_LEAD: Final = (
    "A book can be silent, be damaged, or say two different things. Each question lists the possible readings with "
    "the arguments for them, and marks the reading that this site follows. Before you play, agree on one."
)


def pages(suite: Suite) -> Iterator[Page]:
    """Yield the short page that leads to those of the games, one page a game, and one page a question."""
    found = {game: questions(suite, game) for game in suite.rules.games}
    counts = {game: sum(map(len, chapters.values())) for game, chapters in found.items()}
    ways = [(open_path(game), f"Open questions in {game}", f": {count}") for game, count in counts.items()]
    title, kind = "Open questions", "questions"
    yield links.page("ways", suite, OVERVIEW, title=title, about=_LEAD, kind=kind, lead=_LEAD, ways=ways)
    of_a_question: Mapping[str, Any] = {
        "followed": followed,
        "followed_by_books": _followed_by_books,
        "positions": partial(_positions, suite),
        "beside": partial(comparison.rule_address, suite),
    }
    by_path: dict[str, list[DisputeQuestion]] = {}
    for game, chapters in found.items():
        yield links.page(
            "open_questions",
            suite,
            open_path(game),
            title=f"{game}: open questions",
            about=f"Questions that the books on {game} leave open, each with its readings and the one that this site "
            "follows.",
            kind=kind,
            tab=game,
            count=counts[game],
            lead=_LEAD,
            chapters=chapters,
            alike=_alike,
            path_of=path_of,
            **of_a_question,
        )
        for question in (each for some in chapters.values() for each in some):
            by_path.setdefault(question.path, []).append(question)
    for path, some in by_path.items():
        games = " and ".join(question.game for question in some)
        yield links.page(
            "open_question",
            suite,
            path_of(path),
            title=some[0].asks,
            about=f"An open question in {games}: the readings, the arguments for each, and the one that this site "
            "follows.",
            kind=kind,
            tab=some[0].game,
            id=path,
            questions=some,
            open_path=open_path,
            **of_a_question,
        )


def path_of(cell: str) -> str:
    """Return the path of an open question's page."""
    return f"disputes/{cell.replace('.', '-')}.md"


def open_path(game: str) -> str:
    """Return the address of a game's open questions."""
    return f"{folder(game)}/open.html"


# ---- the open questions of a game


@dataclass(frozen=True, slots=True)
class DisputeQuestion:
    """A rule that some book of a game leaves open: the question, its path and title, the books that leave it open, and
    the books that settle it, with their answers. Books that leave it open agree if they share the doubt, the readings
    and the reading followed."""

    game: str
    path: str
    asks: str
    title: str
    open: tuple[Agreement, ...]
    settled: tuple[Agreement, ...]


def questions(suite: Suite, game: str) -> dict[str, list[DisputeQuestion]]:
    """Return the open questions of a game, by the chapters of its rule books.

    An option may open a question that every book settles; then the options that open it are included.
    """
    names = links.in_order(suite, game)
    options = [f"{name}+{option}" for name in names for option in suite.rules.options(name)]
    opening = [each for each in options if _open_cells(suite, each) - _open_cells(suite, each.partition("+")[0])]
    found: dict[str, list[DisputeQuestion]] = {}
    for part in comparison.parts(suite, game, [*names, *opening]):
        for line in part.lines:
            entries = {name: each for name, each in zip([*names, *opening], line.entries, strict=True) if each}
            in_books = any(each.readings for name, each in entries.items() if name in names)
            wanted = {name: e for name, e in entries.items() if name in names or (e.readings and not in_books)}
            if any(each.readings for each in wanted.values()):
                found.setdefault(part.title, []).append(_question(suite, game, wanted, line))
    return found


def _open_cells(suite: Suite, table: str) -> set[str]:
    return {cell.path for cell in suite.rules.cells(table) if cell.status == "disputed"}


def _question(suite: Suite, game: str, entries: Mapping[str, Entry], line: ComparisonRow) -> DisputeQuestion:
    open_ = {name: each for name, each in entries.items() if each.readings}
    settled = {name: each for name, each in entries.items() if not each.readings}
    return DisputeQuestion(
        game,
        line.path,
        vocabulary.question(suite, line.path) or f"What is the rule: {line.title}?",
        line.title,
        _together(open_, lambda entry: (entry.cell.because, entry.cell.follows, entry.readings)),
        _together(settled, line.says),
    )


def _together(entries: Mapping[str, Entry], what: Callable[[Entry], object]) -> tuple[Agreement, ...]:
    found: dict[object, dict[str, Entry]] = {}
    for name, entry in entries.items():
        found.setdefault(what(entry), {})[name] = entry
    return tuple(map(Agreement, found.values()))


def _alike(some: Sequence[DisputeQuestion]) -> Iterator[list[DisputeQuestion]]:
    """Yield the questions of a chapter, with neighbours merged if the books answer them word for word alike."""

    def doubts(question: DisputeQuestion) -> list[object]:
        cells = ((tuple(said.entries), said.entry.cell, said.entry.readings) for said in question.open)
        return [
            (names, cell.because, cell.follows, [(reading.name, reading.argument) for reading in readings])
            for names, cell, readings in cells
        ]

    return (list(group) for _, group in groupby(some, doubts))


def _followed_by_books(question: DisputeQuestion) -> Mapping[str, Sequence[str]]:
    """Return the sentence of each reading followed, with the tables that follow it."""
    found: dict[str, list[str]] = {}
    for said in question.open:
        found.setdefault(followed(said.entry).sentence, []).extend(said.entries)
    return found


def _positions(suite: Suite, question: DisputeQuestion) -> list[Scenario]:
    """Return the positions of the game that depend on an open question."""
    own = {ruleset.id for ruleset in suite.rules.games[question.game]}
    return [
        each
        for each in suite.scenarios.values()
        if any(question.path in reading.cells for reading in each.readings)
        and any(check.ruleset.partition("+")[0] in own for check in suite.index.checks_of(each))
    ]
