"""Links between pages: to clauses, rules, positions and books; and the templates that use them."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Final

from hoyle_conformance.suite.model import Clause, Scenario, Source
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.suite.vocabulary import definitions
from hoyle_conformance.web.explorer.game_state import PREFIX
from hoyle_conformance.web.explorer.layout import VERSION, pack
from hoyle_conformance.web.site.navigation import TABLE, NavTab
from hoyle_conformance.web.site.page import Page, anchor, href, scenario_path
from hoyle_conformance.wording.citations import book, by_form, form, place, rule_path, ruleset_path, with_options
from hoyle_conformance.wording.html import Markup, drawn, joined, tag, text
from hoyle_conformance.wording.render import render

#: Hyphenated or dotted words, any of which could be an id.
_COULD_BE: Final = re.compile(r"[\w-]+(?:[./+][\w-]+)*")
#: The plurals of places that have a number.
_COUNTED: Final = {"paragraph": "Paragraphs", "law": "Laws", "case": "Cases", "footnote": "Footnotes"}
#: The number of the deal that is played first at the table.
_DEAL: Final = 1887
#: The minimum number of clauses in a chapter of a source; smaller parts share a page with their neighbours.
_FEWEST: Final = 12


def fill(template: str, suite: Suite, here: str, /, **values: object) -> Markup:
    """Return the template of this name, filled for the page at `here`. Every template may use

    - `to(path)`, the address of a page of the site;
    - `prose(words)`, with links in place of ids, and cards drawn;
    - `clause_link(id)`, `rule_link(words, ruleset, cell)`, `ruleset_link(id)` and `scenario_link(scenario)`;
    - `book_list(rulesets)`, in a sentence, and `place_list(clauses)`;
    - `deal_at_table(ruleset)`, the address at which a deal is played at the table.
    """
    return render(
        f"web/site/{template}.html.jinja",
        to=partial(href, here=here),
        prose=partial(linked, suite, here=here),
        clause_link=partial(clause_a, suite, here=here),
        rule_link=partial(rule_a, here=here),
        ruleset_link=partial(ruleset_a, suite, here=here),
        scenario_link=partial(scenario_a, here=here),
        book_list=partial(listed, suite, here=here),
        place_list=partial(places_a, suite, here=here),
        deal_at_table=lambda ruleset: href(deal_path(ruleset), here),
        **values,
    )


def page(
    template: str,
    suite: Suite,
    here: str,
    /,
    *,
    title: str,
    about: str,
    kind: str,
    tab: str = "",
    id: str = "",  # noqa: A002 -- the name of the field
    contents: NavTab | None = None,
    **values: object,
) -> Page:
    """Return the page at `here`, a path or its address, with a filled template; see `fill`."""
    body = fill(template, suite, here, title=title, about=about, **values)
    path = here.replace(".html", ".md")
    return Page(path, body=body, title=title, about=about, kind=kind, tab=tab, id=id, contents=contents)


# ---- links


def a(words: str, to: str, here: str, **attributes: str | bool) -> Markup:
    """Return a link to a page of the site (its path, perhaps with an anchor), from the page `here`."""
    return tag("a", words, href=href(to, here), **attributes)


def clause_a(suite: Suite, clause: str, here: str, words: str = "") -> Markup:
    """Return a link to a clause in its ledger, by its place; its id appears as a tooltip."""
    return a(words or place(suite, suite.clauses[clause]), clause_path(suite, clause), here, title=clause)


def places_a(suite: Suite, clauses: Sequence[str], here: str) -> Markup:
    """Return links to clauses in their order, with only the first at each place of a book."""
    shown = {place(suite, suite.clauses[each]): each for each in reversed(clauses)}
    return joined((clause_a(suite, each, here) for each in reversed(shown.values())), "; ")


def rule_a(words: str, ruleset: str, cell: str, here: str) -> Markup:
    """Return a link to a rule on the page of a table."""
    return a(words, rule_path(ruleset, cell), here)


def paragraph_place(address: str) -> tuple[str, str]:
    """Return the id of a paragraph of the semantics, and its path on the site, by its address:
    ``SEMANTICS.md#trick-3``."""
    document, _, id_ = address.partition("#")
    return id_, f"{document.lower()}#{id_}"


def code_a(suite: Suite, cell: str, here: str) -> Markup:
    """Return the path of a cell as code, with a link to the paragraph of the semantics that defines it, if any."""
    defined = [paragraph_place(each) for each in definitions(suite, [cell])]
    return tag("code", a(cell, defined[0][1], here) if defined else text(cell), class_="code")


def ruleset_a(suite: Suite, ruleset: str, here: str, words: str = "") -> Markup:
    """Return a link to the page of a table, by its title."""
    return a(words or suite.rules.title(ruleset), ruleset_path(ruleset), here)


def scenario_a(scenario: Scenario, here: str) -> Markup:
    """Return a link to a position, by its title, with the cards in it drawn."""
    return a(drawn(scenario.title), scenario_path(scenario), here)


def linked(suite: Suite, words: str, here: str) -> Markup:
    """Return prose with its cards drawn, and with links in place of ids: a clause becomes its place in the book, a
    position or a table its title."""
    parts, end = [], 0
    for found in _COULD_BE.finditer(words):
        if link := _link(suite, found[0], here):
            parts += [drawn(words[end : found.start()]), link]
            end = found.end()
    return joined([*parts, drawn(words[end:])])


def _link(suite: Suite, word: str, here: str) -> Markup | None:
    if word in suite.clauses:
        return clause_a(suite, word, here)
    if word in suite.scenarios:
        return scenario_a(suite.scenarios[word], here)
    return ruleset_a(suite, word, here) if "-" in word and word in suite.rules.names else None


def deal_path(ruleset: str) -> str:
    """Return the address at which a deal by these rules is played at the table."""
    game = {"v": VERSION, "ruleset": ruleset, "deals": 1, "people": ["A"], "seed": _DEAL}
    return f"{TABLE.path}#{PREFIX}{pack(game)}"


# ---- books: tables named by form, book and options


def label(suite: Suite, ruleset: str) -> str:
    """Return the name of a table by form and book: ``Bézique for two, Hoyle``."""
    return f"{form(suite, ruleset)}, {book(suite, ruleset)}"


def in_order(suite: Suite, game: str) -> list[str]:
    """Return all tables of a game grouped by form, the form with the most books first, and in each form Hoyle first."""
    tables = sorted(suite.rules.games[game], key=lambda each: each.sources[0] != "hoyle")
    forms = by_form(suite, (each.id for each in tables))
    return [name for names in sorted(forms.values(), key=len, reverse=True) for name in names]


def listed(suite: Suite, rulesets: Collection[str], here: str, cell: str = "") -> Markup:
    """Return tables in a sentence: ``Bézique for two: Hoyle, Bicycle``, or, if that is shorter, ``h2g2: Bézique for
    two, Rubicon Bézique``; each links to its page, or to a rule (its `cell`) on the page."""

    def link(ruleset: str, words: Callable[[Suite, str], str]) -> Markup:
        said = words(suite, ruleset)
        return rule_a(said, ruleset, cell, here) if cell else ruleset_a(suite, ruleset, here, said)

    forms, books = by_form(suite, rulesets), dict[str, list[str]]()
    for name in rulesets:
        books.setdefault(book(suite, name), []).append(name)
    groups, words = (forms, book) if len(forms) <= len(books) else (books, form)
    said = (
        joined([tag("span", f"{of}: ", class_="form"), joined((link(name, words) for name in some), ", ")])
        for of, some in groups.items()
    )
    return joined(said, "; ")


def brief(suite: Suite, rulesets: Collection[str]) -> str:
    """Return tables in words: ``Bézique for two: Hoyle, Bicycle; Rubicon Bézique: Hoyle``. If a table is listed, its
    options are not."""
    named = [each for each in rulesets if "+" not in each or each.partition("+")[0] not in rulesets]
    forms = by_form(suite, named).items()
    return "; ".join(f"{title}: {', '.join(with_options(suite, each) for each in some)}" for title, some in forms)


def books_a(suite: Suite, rulesets: Iterable[str], all_of: Iterable[str], here: str) -> Markup:
    """Return tables in words, as links. A table that is present with all of its options in `all_of` is named once."""
    spoken = set(all_of)
    forms = (
        joined([text(f"{title}: "), joined(_books_of_form(suite, some, spoken, here), ", ")])
        for title, some in by_form(suite, rulesets).items()
    )
    return joined(forms, "; ")


def _books_of_form(suite: Suite, rulesets: list[str], spoken: set[str], here: str) -> list[Markup]:
    shown = []
    whole = {name for name in rulesets if "+" not in name and _is_whole(suite, name, rulesets, spoken)}
    for ruleset in rulesets:
        name, option, _ = ruleset.partition("+")
        if name in whole and option:
            continue
        link = ruleset_a(suite, ruleset, here, with_options(suite, ruleset))
        shown.append(joined([link, text(" with or without its options")]) if name in whole else link)
    return shown


def _is_whole(suite: Suite, name: str, rulesets: list[str], spoken: set[str]) -> bool:
    """Whether a table is present with all its options, of which it has at least one."""
    options = {each for each in spoken if each.startswith(f"{name}+")}
    return len(options) == len(suite.rules.options(name)) > 0 and options <= set(rulesets)


# ---- chapters of sources


@dataclass(frozen=True, slots=True)
class SourcePart:
    """A part of a source: its game if the source covers several, its title, and its clauses."""

    game: str
    title: str
    clauses: tuple[Clause, ...]

    @property
    def anchor(self) -> str:
        """The anchor of its heading."""
        return f"part-{anchor(self.clauses[0].id)}"


@dataclass(frozen=True, slots=True)
class SourceChapter:
    """A chapter of a source: the path of its page, and its parts."""

    path: str
    parts: tuple[SourcePart, ...]

    @property
    def game(self) -> str:
        """The game of the chapter, if the source covers several."""
        return self.parts[0].game

    @property
    def title(self) -> str:
        """The titles of its first and last part."""
        return " \N{EN DASH} ".join(dict.fromkeys((self.parts[0].title, self.parts[-1].title)))

    @property
    def size(self) -> int:
        """The number of its clauses."""
        return sum(len(part.clauses) for part in self.parts)


def source_parts(source: Source) -> list[SourcePart]:
    """Return the parts of a source, in the order of its ledger: neighbouring paragraphs, laws and footnotes merged,
    others under their headings."""
    found = []
    for (game, stem), some in groupby(source.clauses, key=lambda each: (source.game_of(each.section), _stem(each))):
        clauses = tuple(some)
        found.append(SourcePart(game, _title(stem, clauses), clauses))
    return found


def _heading(clause: Clause) -> str:
    return clause.where.partition(",")[0]


def _stem(clause: Clause) -> str:
    """Return the words of a place without its number."""
    stem = _heading(clause).rpartition(" ")[0]
    return stem if stem in _COUNTED else _heading(clause)


def _title(stem: str, clauses: Sequence[Clause]) -> str:
    first, last = (_heading(clause).rpartition(" ")[2] for clause in (clauses[0], clauses[-1]))
    if stem in _COUNTED:
        return f"{_COUNTED[stem]} {first} to {last}" if first != last else f"{stem.capitalize()} {first}"
    return f"{stem[:1].upper()}{stem[1:]}"


def source_chapters(source: Source) -> tuple[SourceChapter, ...]:
    """Return the chapters of a source: neighbouring parts of one game, merged until there are enough clauses for a
    page."""
    found: list[list[SourcePart]] = []
    for part in source_parts(source):
        if found and _joins(found[-1], part):
            found[-1].append(part)
        else:
            found.append([part])
    return tuple(SourceChapter(_path(source, some[0]), tuple(some)) for some in found)


def _joins(chapter: Sequence[SourcePart], part: SourcePart) -> bool:
    """Whether a part belongs to the chapter before it, because one of them is too small for a page."""
    if chapter[0].game != part.game:
        return False
    return min(sum(len(each.clauses) for each in chapter), len(part.clauses)) < _FEWEST


def _path(source: Source, first: SourcePart) -> str:
    return f"sources/{source.id}/{anchor(first.clauses[0].id)}.html"


def clause_path(suite: Suite, clause: str) -> str:
    """Return the address of a clause on the site."""
    return suite.derived(_clause_paths)[clause]


def _clause_paths(suite: Suite) -> Mapping[str, str]:
    return {
        clause.id: f"{chapter.path}#{anchor(clause.id)}"
        for source in suite.sources.values()
        for chapter in source_chapters(source)
        for part in chapter.parts
        for clause in part.clauses
    }
