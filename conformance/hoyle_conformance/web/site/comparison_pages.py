"""The books of a game side by side, a page for each chapter: each row has a rule in a few words for each book, and on
demand the whole sentence, its grade and its places.

The query of the address holds the choice of books, since the anchor of a rule follows the `#`. A row has only a few
words, because ten columns of whole sentences fit no screen.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.navigation import NavItem, NavTab, folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import citations
from hoyle_conformance.wording.comparison import ComparisonRow, compare_rules
from hoyle_conformance.wording.html import Markup, drawn, joined, tag, text
from hoyle_conformance.wording.rulebook import templates as wording
from hoyle_conformance.wording.rulebook_entries import Entry, kind_name, value_in_words
from hoyle_conformance.wording.rulings import is_irregularity
from hoyle_conformance.wording.text import join_and
from hoyle_reference.cards import RANK_NAMES, RANKS

#: The page that leads to all games; its address is permanent.
HERE: Final = "rulesets/comparison.md"
#: The groups whose rules have the same names.
_PARTED: Final = ("While cards are drawn", "Tricks without drawing")
#: Short words for the suits of a combination of one rank.
_SUITS: Final = {"one-each": "four suits", "any": "any suits"}
#: The maximum number of lower combinations to name.
_FEW: Final = 1


def pages(suite: Suite) -> Iterator[Page]:
    """Yield a page for each chapter of a game, one that leads to them, and a short page that leads to the games."""
    title, about = "Books side by side", "A page for each game shows its books side by side, rule by rule."
    ways = [(path_of(game), f"{game}: the books side by side", "") for game in suite.rules.games]
    yield links.page("ways", suite, HERE, title=title, about=about, kind="comparison", lead=about, ways=ways)
    for game in suite.rules.games:
        yield from _game(suite, game)
    yield from pair_pages(suite)


# ---- rules, chapter by chapter


@dataclass(frozen=True, slots=True)
class ComparisonChapter:
    """A chapter of the page: its title, and its rules in their order."""

    title: str
    lines: tuple[ComparisonRow, ...]

    @property
    def name(self) -> str:
        """The chapter's name in the address of its page."""
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")

    def title_of(self, line: ComparisonRow) -> str:
        """Return the title of a rule below the title of its chapter."""
        alone = sum(each.heading == line.heading for each in self.lines) == 1
        return line.heading if alone else title(line)


def parts(suite: Suite, game: str, names: Sequence[str]) -> list[ComparisonChapter]:
    """Return every rule of these tables by chapter of the game's rule books; rules that the books do not have, by
    chapter of the vocabulary."""
    lines = {line.path: line for line in compare_rules(suite, names)}
    found: dict[str, list[ComparisonRow]] = {}
    for chapter in wording.chapters(folder(game)):
        for path in [path for path in _said(chapter, list(lines)) if path in lines]:
            found.setdefault(chapter.title, []).append(lines.pop(path))
    for line in lines.values():
        found.setdefault(line.chapter, []).append(line)
    return [ComparisonChapter(title, tuple(some)) for title, some in found.items()]


def _said(chapter: wording.ChapterTemplate, known: Sequence[str]) -> Iterator[str]:
    """Yield the rules of a chapter in its order, with every row of a list."""
    for paragraph in chapter.paragraphs:
        if paragraph.rows:
            yield from (path for path in known if path.startswith(f"{paragraph.rows}."))
        for said in paragraph.says:
            yield from said.of


def title(line: ComparisonRow) -> str:
    """Return the title of a rule on its own; rules of the same name are distinguished by their group."""
    return f"{line.heading}: {line.group.lower()}" if line.group in _PARTED else line.heading


def first_two(suite: Suite, game: str) -> tuple[str, ...]:
    """Return the two books to show at first: of the form with the most books, Hoyle and the one that differs most from
    it."""
    first, *others = next(iter(citations.by_form(suite, links.in_order(suite, game)).values()))
    if not others:
        return (first,)
    return first, max(others, key=lambda each: sum(line.differs for line in compare_rules(suite, (first, each))))


# ---- addresses


def folders(suite: Suite) -> tuple[str, ...]:
    """Return the folders of these pages."""
    own = [folder(game) for game in suite.rules.games]
    return ("rulesets", *own, *(f"{each}/differences" for each in own))


def path_of(game: str) -> str:
    """Return the address of the page that leads to a game's comparison pages."""
    return f"{folder(game)}/differences.html"


def pair_path(game: str, books: Sequence[str]) -> str:
    """Return the address of the page of two books."""
    return f"{folder(game)}/differences/{'-and-'.join(books).lower()}.html"


def _chapter_path(game: str, chapter: ComparisonChapter) -> str:
    return f"{folder(game)}/differences/{chapter.name}.html"


def rule_address(suite: Suite, game: str, cell: str, chosen: Sequence[str] = ()) -> str:
    """Return the address of a rule in the comparison of a game's books, of which some may be chosen; for a rule that
    only options have, the address of all chapters."""
    page = suite.derived(_rule_pages).get((game, cell))
    query = f"?books={','.join(chosen)}" if chosen else ""
    return f"{page}{query}#{cell}" if page else f"{path_of(game)}{query}"


def _rule_pages(suite: Suite) -> Mapping[tuple[str, str], str]:
    return {
        (game, line.path): _chapter_path(game, chapter)
        for game in suite.rules.games
        for chapter in parts(suite, game, links.in_order(suite, game))
        for line in chapter.lines
    }


def rule_beside_others(suite: Suite, ruleset: str, cell: str) -> str:
    """Return the address of a rule next to those of the other books of its form; for a form that only one book has,
    next to that of the same book's first form."""
    name = ruleset.partition("+")[0]
    game = suite.rulesets[name].game
    order = links.in_order(suite, game)
    alike = citations.by_form(suite, order)[citations.form(suite, name)]
    others = [each for each in order if each != name and citations.book(suite, each) == citations.book(suite, name)]
    chosen = alike if len(alike) > 1 else [*(others or order)[:1], name]
    return rule_address(suite, game, cell, list(dict.fromkeys(chosen)))


# ---- pages of a game


def _game(suite: Suite, game: str) -> Iterator[Page]:
    """Yield the page that leads to the chapters, which redirects the former addresses of rules, and the page of each,
    with links to the chapters before and after it."""
    names, kind, index = links.in_order(suite, game), "comparison", path_of(game)
    chapters = [(each.title, _chapter_path(game, each), _rows(each)) for each in parts(suite, game, names)]
    items = [NavItem(title, path) for title, path, _ in chapters]
    around = [None, *items, None]
    contents = NavTab("Differences", index, tuple(items))
    title = f"{game}: where the books differ"
    about = f"Every rule of {game} in each book, side by side, with the differences marked."
    values: dict[str, Any] = {"kind": kind, "tab": game, "contents": contents, "game": game, "differing_of": _differing}
    two = [(" and ".join(books), pair_path(game, books)) for books in pairs(suite, game)]
    yield links.page("comparison_index", suite, index, title=title, about=about, chapters=chapters, two=two, **values)
    first = first_two(suite, game)
    books = [(each, citations.form(suite, each), citations.book(suite, each), each not in first) for each in names]
    for number, (chapter, path, rows) in enumerate(chapters):
        yield links.page(
            "comparison",
            suite,
            path,
            title=f"{chapter}: differences, {game}",
            about=f"{chapter} in each book of {game}, side by side.",
            index=index,
            folder=folder(game),
            first=first,
            all=names,
            books=books,
            chapter=chapter,
            rows=rows,
            grounds=partial(_grounds, suite),
            before=around[number],
            after=around[number + 2],
            **values,
        )


# ---- pages of two books


def pairs(suite: Suite, game: str) -> Mapping[tuple[str, str], Sequence[tuple[str, str]]]:
    """Return every two books that have a form of a game in common, with their tables of each such form."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for names in citations.by_form(suite, links.in_order(suite, game)).values():
        for one, other in combinations(names, 2):
            found.setdefault((citations.book(suite, one), citations.book(suite, other)), []).append((one, other))
    return found


def pair_pages(suite: Suite) -> Iterator[Page]:
    """Yield the page of every two books: the rules in which they differ, by form of the game and by chapter."""
    for game in suite.rules.games:
        for books, tables in pairs(suite, game).items():
            names, here = " and ".join(books), pair_path(game, books)
            title, about = f"{names}: {game} compared", f"The rules of {game} in which {names} differ, by chapter."
            forms = [(citations.form(suite, pair[0]), pair, parts(suite, game, pair)) for pair in tables]
            values: dict[str, Any] = {"books": books, "forms": forms, "index": path_of(game), "rows": _differing_rows}
            values |= {"kind": "comparison", "tab": game, "address": partial(rule_address, suite, game)}
            yield links.page("pair", suite, here, title=title, about=about, **values)


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule as each book has it, in a few words, and whether the books differ as far as these show."""

    line: ComparisonRow
    title: str
    short: tuple[Markup | None, ...]

    @property
    def differs(self) -> bool:
        """Whether the books differ."""
        return len(set(self.short)) > 1


def _rows(chapter: ComparisonChapter) -> list[RuleRow]:
    return [
        RuleRow(line, chapter.title_of(line), tuple(short(entry) if entry else None for entry in line.entries))
        for line in chapter.lines
    ]


def _differing_rows(chapter: ComparisonChapter) -> list[RuleRow]:
    return [row for row in _rows(chapter) if row.differs]


def _differing(rows: Sequence[RuleRow]) -> int:
    """Return the number of rules in which the books differ."""
    return sum(row.differs for row in rows)


def _grounds(suite: Suite, entry: Entry) -> list[str]:
    """Return the grade and the places of a rule, if any."""
    grade = "open" if entry.readings else citations.grade(entry.cell)
    return list(filter(None, (grade, citations.places(suite, entry.cell.cites))))


# ---- rules in a few words


def short(entry: Entry) -> Markup:
    """Return a rule in a few words, with ranks as cards; for an irregularity, the ruling."""
    value = entry.cell.value
    if is_irregularity(value):
        return drawn(str(value["ruling"]))
    if isinstance(value, Mapping):
        return text(_called(value) if "class" in value else _combination(value))
    said = entry.short
    if isinstance(said, Mapping):
        return text(said[str(value)]) if str(value) in said else _plain(value)
    if not said:
        return _plain(value)
    before, _, after = said.replace("{s}", "" if value == 1 else "s").partition("{value}")
    return joined([before, _plain(value), after])


def _plain(value: Any) -> Markup:
    """Return a value in words: ranks as cards, packets, numbers as figures, a word of the vocabulary
    without hyphens."""
    if isinstance(value, str):
        return _ranks(value) if set(value.split()) <= set(RANKS) else text(value.replace("-", " "))
    if isinstance(value, Sequence):
        ways = [_packets(way) for way in value if isinstance(way, Sequence)]
        dealt = f"{sum(value[0])} cards, {join_and(ways, 'or')}" if ways else ""
        return text(dealt or ", ".join(map(str, value)))
    return text(f"{value:,}" if value else "no")


def _packets(way: Sequence[int]) -> str:
    if len(set(way)) > 1:
        return join_and([str(size) for size in way])
    return "one by one" if way[0] == 1 else f"by {value_in_words(way[0])}s"


def _ranks(value: str) -> Markup:
    """Return ranks in their order, drawn as cards, with names for those who do not see them."""
    names = [RANK_NAMES[RANKS.index(rank)] for rank in value.split()]
    cards = (tag("span", "10" if rank == "T" else rank, class_="card") for rank in value.split())
    return tag("span", joined(cards), class_="cards", role="img", aria_label=join_and(names))


def _combination(row: Mapping[str, Any]) -> str:
    """Return the points of a combination, and the requirements on its cards that its name does not state."""
    if not row["points"]:
        return "scores nothing"
    alike = len(row["cards"]) > 1 and len(set(row["cards"])) == 1
    parts = [f"{row['points']:,} points", _SUITS.get(row.get("suits", ""), "") if alike else ""]
    parts += [f"{value_in_words(row['unused'])} of its cards fresh"] if row.get("unused") else []
    parts += [_by_trumps(row["cards_by_trumps"])] if row.get("cards_by_trumps") else []
    parts += ["may make trumps"] if row.get("makes_trumps") else []
    parts += [f"superior to {_lower(row['over'])}"] if row.get("over") else []
    return ", ".join(part for part in parts if part)


def _by_trumps(cards: Mapping[str, Any]) -> str:
    suits = [printed.card(f"A{suit}")[1:] for suit in cards]
    return f"other cards where {join_and(suits, 'or')} is trumps"


def _lower(kinds: Sequence[str]) -> str:
    return join_and([kind_name(kind) for kind in kinds]) if len(kinds) <= _FEW else "those below it"


def _called(row: Mapping[str, Any]) -> str:
    """Return the points of something called in a class."""
    worth = f"{row['points']:,} points" if row["points"] else "scores nothing"
    return f"{row['cards']} cards: {worth}"
