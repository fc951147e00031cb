"""The books side by side: for each game a page on which every rule is a row, and what each book says of it a few words,
behind which the whole sentence stands, how certain it is, and where.

The choice of books is in the query of the address, since the anchor of a rule has the place after `#`. Ten columns of
whole sentences fit no screen.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import book_links as books
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.web.site.short_values import short
from hoyle_conformance.wording.comparison import ComparisonRow, compare_rules
from hoyle_conformance.wording.html import Markup, drawn, joined, tag, text
from hoyle_conformance.wording.rulebook import templates as wording
from hoyle_conformance.wording.rulebook_entries import Entry
from hoyle_reference.frozen import frozen

#: The page that led to all games, which is an address that stays.
HERE = "rulesets/comparison.md"
#: Groups whose rules have the same names.
_PARTED = ("While cards are drawn", "Tricks without drawing")


@frozen
class ComparisonChapter:
    """A chapter of the page: its title, and its rules in their order."""

    title: str
    lines: tuple[ComparisonRow, ...]

    def title_of(self, line: ComparisonRow) -> str:
        """What a rule is called where its chapter is told above it."""
        alone = sum(each.heading == line.heading for each in self.lines) == 1
        return line.heading if alone else title(line)


def pages(suite: Suite) -> Iterator[Page]:
    """One page a game, and the short one that leads to them."""
    yield _overview(suite)
    for game in suite.rules.games:
        yield _game(suite, game)


def path_of(game: str) -> str:
    """Where the books of a game stand side by side."""
    return f"{folder(game)}/differences.html"


def title(line: ComparisonRow) -> str:
    """What a rule is called by itself: those of one name are told apart by their group."""
    return f"{line.heading}: {line.group.lower()}" if line.group in _PARTED else line.heading


def rule_beside_others(suite: Suite, ruleset: str, cell: str) -> str:
    """Where a rule of a table stands beside those of the other books of its form; of a form that only one book has,
    beside that of the same book's first form."""
    name = ruleset.partition("+")[0]
    game = suite.rulesets[name].game
    order = books.in_order(suite, game)
    alike = books.by_form(suite, order)[books.form(suite, name)]
    others = [each for each in order if each != name and books.book(suite, each) == books.book(suite, name)]
    chosen = alike if len(alike) > 1 else [*(others or order)[:1], name]
    return f"{path_of(game)}?books={','.join(dict.fromkeys(chosen))}#{cell}"


def parts(suite: Suite, game: str, names: Sequence[str]) -> list[ComparisonChapter]:
    """Every rule that one of these tables has, in the chapters of the game's rule books; those that these do not say,
    in the chapters of the vocabulary."""
    lines = {line.path: line for line in compare_rules(suite, names)}
    found: dict[str, list[ComparisonRow]] = {}
    for chapter in wording.chapters(folder(game)):
        for path in [path for path in _said(chapter, list(lines)) if path in lines]:
            found.setdefault(chapter.title, []).append(lines.pop(path))
    for line in lines.values():
        found.setdefault(line.chapter, []).append(line)
    return [ComparisonChapter(title, tuple(some)) for title, some in found.items()]


def _said(chapter: wording.ChapterTemplate, known: Sequence[str]) -> Iterator[str]:
    """The rules that a chapter says, in its order: of a list all its rows."""
    for paragraph in chapter.paragraphs:
        if paragraph.rows:
            yield from (path for path in known if path.startswith(f"{paragraph.rows}."))
        for said in paragraph.says:
            yield from said.of


def first_two(suite: Suite, game: str) -> tuple[str, ...]:
    """The two books that stand there to begin with: of the form with the most books the two that differ in most rules;
    they show best what the page is for."""
    forms = list(books.by_form(suite, books.in_order(suite, game)).values())
    names = forms[0] if len(forms[0]) > 1 else books.in_order(suite, game)
    pairs = combinations(names, 2)
    return max(pairs, key=lambda pair: sum(line.differs for line in compare_rules(suite, pair)), default=tuple(names))


def _overview(suite: Suite) -> Page:
    games = [tag("li", links.a(f"{game}: the books side by side", path_of(game), HERE)) for game in suite.rules.games]
    words = "Each game has a page on which its books stand side by side, rule by rule."
    body = joined([tag("h1", "Books side by side"), tag("p", words), tag("ul", *games)])
    return Page(HERE, body=body, title="Books side by side", about=words, kind="comparison")


def _game(suite: Suite, game: str) -> Page:
    here = path_of(game)
    names = books.in_order(suite, game)
    found = parts(suite, game, names)
    about = f"Every rule of {game}, as each book has it, side by side, with what differs marked."
    body = joined([tag("h1", f"{game}: where the books differ"), _introduction(found), _table(suite, game, found)])
    return Page(
        here.replace(".html", ".md"),
        body=body,
        title=f"{game}: where the books differ",
        about=about,
        kind="comparison",
        tab=game,
    )


def _introduction(found: Sequence[ComparisonChapter]) -> Markup:
    lines = [line for part in found for line in part.lines]
    differ = sum(map(_differs, lines))
    count = f"Of {len(lines)} rules {differ} are not the same in all of these books; they are marked ≠."
    how = "What a book says is told in a few words: open them for the whole rule, and where it stands."
    return joined([tag("p", how), tag("p", count, class_="count", role="status")])


def _table(suite: Suite, game: str, found: Sequence[ComparisonChapter]) -> Markup:
    names, first = books.in_order(suite, game), first_two(suite, game)
    inside = joined([_head(suite, game, first), *(_part(suite, game, part, first) for part in found)])
    table = tag("table", inside, role="table")
    label = f"{game}: the books side by side"
    scrolls = tag("div", table, class_="scrolls", role="region", aria_label=label, tabindex="0")
    only = joined(
        [
            tag("input", type="checkbox", id="differences"),
            tag("label", "Differences only", for_="differences"),
        ],
        " ",
    )
    return joined(
        [
            tag("div", only, class_="only"),
            tag("hoyle-comparison", scrolls, data_first=" ".join(first), data_all=" ".join(names)),
        ]
    )


def _head(suite: Suite, game: str, first: Sequence[str]) -> Markup:
    here = path_of(game)
    cells = [tag("th", "Rule", scope="col", role="columnheader")]
    for name in books.in_order(suite, game):
        form = tag("span", books.form(suite, name), class_="form")
        book = links.ruleset_a(suite, name, here, books.book(suite, name))
        more = name not in first and "more"
        cells.append(tag("th", form, " ", book, scope="col", role="columnheader", data_book=name, class_=more))
    return tag("thead", tag("tr", *cells, role="row"), role="rowgroup")


def _part(suite: Suite, game: str, part: ComparisonChapter, first: Sequence[str]) -> Markup:
    """A chapter; whether anything differs in it decides whether it is there where only differences are."""
    wide = str(len(part.lines[0].entries) + 1)
    heading = tag("th", part.title, scope="rowgroup", colspan=wide, role="columnheader")
    kind = "" if any(map(_differs, part.lines)) else " same"
    chapter = tag("tr", heading, class_=f"chapter{kind}", role="row")
    return tag("tbody", chapter, *(_row(suite, game, part, line, first) for line in part.lines), role="rowgroup")


def _differs(line: ComparisonRow) -> bool:
    """Whether the books say different things, so that it can be seen in a few words."""
    return len({entry and short(entry) for entry in line.entries}) > 1


def _row(suite: Suite, game: str, part: ComparisonChapter, line: ComparisonRow, first: Sequence[str]) -> Markup:
    here, title = path_of(game), part.title_of(line)
    inside = [tag("span", drawn(title), class_="title"), Markup(" ")]
    inside += [links.a("¶", f"#{line.path}", here, class_="anchor", aria_label=f"Link to: {title}")]
    cells = [
        _cell(suite, game, line, name, entry, first)
        for name, entry in zip(books.in_order(suite, game), line.entries, strict=True)
    ]
    heading = tag("th", *inside, scope="row", role="rowheader")
    return tag("tr", heading, *cells, id=line.path, class_="differs" if _differs(line) else "same", role="row")


def _cell(suite: Suite, game: str, line: ComparisonRow, name: str, entry: Entry | None, first: Sequence[str]) -> Markup:
    form = tag("span", f"{books.form(suite, name)}, ", class_="form")
    of = tag("span", form, books.book(suite, name), class_="of")
    more = "more" if name not in first else False
    if entry is None:
        return tag("td", of, tag("span", "—", class_="none", title="no such rule"), role="cell", class_=more)
    inside = [of, tag("details", *_said_of(suite, game, line, name, entry))]
    if entry.readings:
        inside.append(links.a("open question", f"{folder(game)}/open.html#{line.path}", path_of(game), class_="mark"))
    return tag("td", *inside, role="cell", class_=more)


def _said_of(suite: Suite, game: str, line: ComparisonRow, name: str, entry: Entry) -> Iterator[Markup]:
    """A rule in a few words, and behind them the sentence, how certain it is, its places, and the way to it."""
    yield tag("summary", short(entry))
    yield tag("p", drawn(line.says(entry)))
    grade = "open" if entry.readings else links.grade(entry.cell)
    where = [text(grade)] if grade else []
    where += [places] if (places := books.places(suite, entry.cell.cites)) else []
    rule = links.rule_a(f"the rule in {books.book(suite, name)}", name, line.path, path_of(game))
    yield tag("p", joined([*where, rule], " · "), class_="small")
