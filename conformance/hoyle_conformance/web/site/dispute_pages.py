"""The pages of the open questions: for each game what its books leave open, and a page for each question by itself."""

from collections.abc import Iterator, Sequence
from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import book_links as books
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
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.html import Markup, drawn, joined, tag
from hoyle_conformance.wording.rulebook_entries import ReadingEntry

#: The page that led to all of them, which is an address that stays.
OVERVIEW: Final = "disputes.md"
_ABOUT: Final = (
    "A book can be silent, be damaged, or say two things. Then the ways to read it stand side by side here, with what "
    "speaks for each. One of them is followed on this site; at a table, agree on one before you begin."
)


def pages(suite: Suite) -> Iterator[Page]:
    """One page a game, one a question, and the short one that leads to those of the games."""
    found = {game: questions(suite, game) for game in suite.rules.games}
    yield _overview(found)
    by_path: dict[str, list[DisputeQuestion]] = {}
    for game, chapters in found.items():
        yield _game(suite, game, chapters)
        for question in (each for chapter in chapters for each in chapter.questions):
            by_path.setdefault(question.path, []).append(question)
    for path, of_games in by_path.items():
        yield _question(suite, path, of_games)


def path_of(cell: str) -> str:
    """Where the page of an open question lies."""
    return f"disputes/{cell.replace('.', '-')}.md"


def open_path(game: str) -> str:
    """Where the open questions of a game stand."""
    return f"{folder(game)}/open.html"


def _overview(found: dict[str, list[DisputedChapter]]) -> Page:
    games = [
        tag("li", links.a(f"Open questions at {game}", open_path(game), OVERVIEW), f": {_count(chapters)}")
        for game, chapters in found.items()
    ]
    body = joined([tag("h1", "Open questions"), tag("p", _ABOUT), tag("ul", *games)])
    return Page(OVERVIEW, body=body, title="Open questions", about=_ABOUT, kind="questions")


def _count(chapters: Sequence[DisputedChapter]) -> int:
    return sum(len(chapter.questions) for chapter in chapters)


def _game(suite: Suite, game: str, chapters: Sequence[DisputedChapter]) -> Page:
    here = open_path(game)
    contents = [
        tag("li", links.a(chapter.title, f"#{_anchor(chapter)}", here), " ", tag("span", str(len(chapter.questions))))
        for chapter in chapters
    ]
    body = joined(
        [
            tag("h1", f"{game}: open questions"),
            tag("p", f"{_count(chapters)} questions that a book leaves open. {_ABOUT}"),
            tag("nav", tag("ul", *contents), class_="contents", aria_label="Chapters") if chapters else "",
            *(_chapter(suite, chapter, here) for chapter in chapters),
        ]
    )
    about = f"What the books of {game} leave open: each question with its readings, and which of them is followed."
    path = here.replace(".html", ".md")
    return Page(path, body=body, title=f"{game}: open questions", about=about, kind="questions", tab=game)


def _anchor(chapter: DisputedChapter) -> str:
    return "-".join(chapter.title.lower().split())


def _chapter(suite: Suite, chapter: DisputedChapter, here: str) -> Markup:
    asked = [_asked(suite, some, here) for some in alike(chapter)]
    return tag("section", tag("h2", chapter.title, id=_anchor(chapter)), *asked)


def _asked(suite: Suite, some: Sequence[DisputeQuestion], here: str) -> Markup:
    """A question: who leaves it open and which reading is followed here; folded, all that can be said of it."""
    first, *others = some
    also = [
        joined([tag("span", id=each.path), links.a(each.title.rpartition(": ")[2], path_of(each.path), here)])
        for each in others
    ]
    inside = [
        tag("h3", links.a(first.asks, path_of(first.path), here)),
        tag("p", "The same of: ", joined(also, "; "), ".", class_="small") if also else "",
        *_followed(suite, first, here),
        tag("details", tag("summary", "Why it is open, and what others say"), *_all(suite, first, here)),
    ]
    return tag("article", *inside, class_="question", id=first.path)


def _followed(suite: Suite, question: DisputeQuestion, here: str) -> Iterator[Markup]:
    """What is followed here, once for all the tables for which it is the same."""
    of: dict[str, list[str]] = {}
    for said in question.open:
        of.setdefault(followed(said.entry).sentence, []).extend(said.entries)
    for sentence, names in of.items():
        who = tag("span", "Followed for ", books.listed(suite, names, here, question.path), class_="who")
        yield tag("p", who, " ", drawn(sentence), class_="followed")


def _all(suite: Suite, question: DisputeQuestion, here: str) -> Iterator[Markup]:
    """The doubt of each book with its readings; who settles it and how; and the positions that turn on it."""
    for said in question.open:
        yield from _doubt(suite, said, question.path, here)
    if question.settled:
        rows = [
            tag("li", drawn(said.entry.sentence), " ", _grounds(suite, said, question.path, here))
            for said in question.settled
        ]
        yield joined([tag("h4", "Settled in other books"), tag("ul", *rows)])
    if found := turning(suite, question.path, question.game):
        rows = [tag("li", links.scenario_a(each, here)) for each in found]
        yield joined([tag("h4", "Positions that turn on it"), tag("ul", *rows)])
    beside = f"{comparison.path_of(question.game)}#{question.path}"
    yield tag("p", links.a("All books side by side", beside, here), class_="small")


def _doubt(suite: Suite, said: SharedStatement, path: str, here: str) -> Iterator[Markup]:
    cell = said.entry.cell
    yield tag("h4", books.listed(suite, list(said.entries), here, path))
    yield tag("p", links.linked(suite, cell.because, here), " ", _clauses(suite, said.cites, here))
    first = followed(said.entry)
    yield tag("ul", _reading(suite, first, "Followed here", here), *_others(suite, said, first, here))


def _others(suite: Suite, said: SharedStatement, first: ReadingEntry, here: str) -> Iterator[Markup]:
    yield from (_reading(suite, each, "Or", here) for each in said.entry.readings if each != first)


def _reading(suite: Suite, reading: ReadingEntry, mark: str, here: str) -> Markup:
    argument = tag("span", links.linked(suite, reading.argument, here), class_="argument")
    return tag("li", tag("b", f"{mark}:"), " ", tag("span", drawn(reading.sentence)), " ", argument)


def _grounds(suite: Suite, said: SharedStatement, path: str, here: str) -> Markup:
    """Who says something, and where it stands."""
    who = books.listed(suite, list(said.entries), here, path)
    return tag("span", who, " ", _clauses(suite, said.cites, here), class_="small")


def _clauses(suite: Suite, cites: Sequence[str], here: str) -> Markup:
    shown = {links.place(suite, suite.clauses[each]): each for each in reversed(cites)}
    if not shown:
        return Markup("")
    found = joined((links.clause_a(suite, shown[place], here) for place in reversed(shown)), "; ")
    return tag("span", "(", found, ")", class_="small")


def _question(suite: Suite, path: str, of_games: Sequence[DisputeQuestion]) -> Page:
    """A question by itself, with everything unfolded."""
    here, first = path_of(path), of_games[0]
    body = [
        tag("p", joined((_way_back(each, here) for each in of_games), " · "), class_="crumbs"),
        tag("h1", first.asks),
    ]
    for question in of_games:
        if len(of_games) > 1:
            body.append(tag("h2", question.game))
        body += _followed(suite, question, here)
        body += _raised(_all(suite, question, here), by=2 if len(of_games) == 1 else 1)
    games = " and ".join(question.game for question in of_games)
    about = f"An open question of {games}: the readings, what speaks for each, and which is followed here."
    page = tag("div", *body, class_="question")
    return Page(here, body=page, title=first.asks, about=about, kind="questions", tab=first.game, id=path)


def _way_back(question: DisputeQuestion, here: str) -> Markup:
    return links.a(f"Open questions at {question.game}", f"{open_path(question.game)}#{question.path}", here)


def _raised(parts: Iterator[Markup], by: int) -> Iterator[Markup]:
    """Headings that stand below no other than the title."""
    for part in parts:
        yield Markup(part.replace("<h4>", f"<h{4 - by}>").replace("</h4>", f"</h{4 - by}>"))
