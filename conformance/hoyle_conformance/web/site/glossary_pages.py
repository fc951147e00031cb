"""The pages of terms: of each what it means, what else it is called, and its rules by book; and for each game all of
them in a list."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import book_links as books
from hoyle_conformance.web.site import comparison_pages as comparison
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.web.site.short_values import short
from hoyle_conformance.web.site.term_links import first_uses, term_path
from hoyle_conformance.wording.comparison import ComparisonRow, compare_rules
from hoyle_conformance.wording.glossary import Term, terms
from hoyle_conformance.wording.html import Markup, drawn, joined, tag
from hoyle_conformance.wording.rulebook_entries import Entry

#: So many positions are shown of a term at most.
_POSITIONS: Final = 4
#: Every rule of a game, by its path, beside each other in the tables named first.
Rules = tuple[Sequence[str], Mapping[str, ComparisonRow]]


def pages(suite: Suite) -> Iterator[Page]:
    """A list of terms for each game, and a page of each term."""
    rules = {game: _rules(suite, game) for game in suite.rules.games if any(game in term.says for term in terms())}
    yield from map(_list, rules)
    yield from (_page(suite, term, rules) for term in terms() if rules.keys() & term.says.keys())


def list_path(game: str) -> str:
    """Where the terms of a game are listed."""
    return f"{folder(game)}/terms.html"


def _rules(suite: Suite, game: str) -> Rules:
    """The rules of a game in all its tables, those with an option last."""
    plain = books.in_order(suite, game)
    options = [name for name in suite.rules.names if "+" in name and name.partition("+")[0] in plain]
    names = [*plain, *options]
    return names, {line.path: line for line in compare_rules(suite, names)}


def _list(game: str) -> Page:
    here = list_path(game)
    own = [term for term in terms() if game in term.says]
    letters = [(letter, list(some)) for letter, some in groupby(own, _letter)]
    about = f"The words of {game} and what they mean, {len(own)} of them, from {own[0].name} to {own[-1].name}."
    body = joined(
        [
            tag("h1", f"Terms of {game}"),
            tag("p", *(tag("a", letter, href=f"#{letter}") for letter, _ in letters), class_="letters"),
            *(_of_letter(letter, some, game, here) for letter, some in letters),
        ]
    )
    title = f"Terms of {game}"
    return Page(here.replace(".html", ".md"), body=body, title=title, about=about, kind="terms", tab=game)


def _letter(term: Term) -> str:
    return term.id[0].upper()


def _of_letter(letter: str, some: Sequence[Term], game: str, here: str) -> Markup:
    entries = (part for term in some for part in _entry(term, game, here))
    return tag("section", tag("h2", letter), tag("dl", *entries), id=letter)


def _entry(term: Term, game: str, here: str) -> Iterator[Markup]:
    yield tag("dt", links.a(term.name, term_path(term.id), here), id=term.id)
    also = [tag("span", f"Also {', '.join(term.also)}.", class_="also")] if term.also else []
    yield tag("dd", joined([drawn(term.says[game]), *also], " "))


def _page(suite: Suite, term: Term, rules: Mapping[str, Rules]) -> Page:
    here, seen = term_path(term.id), set[str]()
    games = [game for game in rules if game in term.says]
    name = term.name[:1].upper() + term.name[1:]
    crumbs = joined((links.a(f"Terms of {game}", list_path(game), here) for game in games), " · ")
    body = joined(
        [
            tag("p", crumbs, class_="crumbs"),
            tag("h1", name),
            *([tag("p", f"Also called {', '.join(term.also)}.", class_="also")] if term.also else []),
            *(_of_game(suite, term, game, rules[game], seen) for game in games),
            *_see(term, here),
            *_positions(suite, term, here),
        ]
    )
    about = " ".join(f"{name} at {game}: {term.says[game]}" for game in games)
    return Page(here.replace(".html", ".md"), body=body, title=name, about=about, kind="term", tab=games[0])


def _of_game(suite: Suite, term: Term, game: str, rules: Rules, seen: set[str]) -> Markup:
    """What it means in a game, where a book defines it, and its rules there."""
    here = term_path(term.id)
    heading = [tag("h2", f"At {game}")]
    says = tag("p", first_uses(term.says[game], game, here, seen), class_="says")
    defining = [each for each in term.clauses if each in suite.clauses and _game(suite, each) == game]
    places = {links.place(suite, suite.clauses[clause]): clause for clause in reversed(defining)}
    cited = joined((links.clause_a(suite, clause, here) for clause in reversed(places.values())), "; ")
    where = [tag("p", "Defined in ", cited, ".", class_="small")] if defining else []
    lines = [rules[1][path] for path in term.rules if path in rules[1]]
    rows = [tag("tr", *_row(suite, line, rules[0], here)) for line in lines]
    head = tag("thead", tag("tr", tag("th", "Rule", scope="col"), tag("th", "By book", scope="col")))
    table = [tag("table", head, tag("tbody", *rows), class_="by-book")] if rows else []
    return tag("section", *heading, says, *where, *table, id=folder(game))


def _game(suite: Suite, clause: str) -> str:
    """The game that a clause is about: of a book on several, told by its chapter, or else the first."""
    source, chapter, *_ = clause.split("/")
    by_chapter = [game for game in suite.rules.games if folder(game) == chapter]
    having = [game for game, of in suite.rules.games.items() if any(source in each.sources for each in of)]
    return (by_chapter or having)[0]


def _row(suite: Suite, line: ComparisonRow, names: Sequence[str], here: str) -> Iterator[Markup]:
    """A rule, and what the books say of it, those together that say the same; of one that only options have, these."""
    having = {name: entry for name, entry in zip(names, line.entries, strict=True) if entry}
    plain = {name: entry for name, entry in having.items() if "+" not in name}
    said: dict[str, list[tuple[str, Entry]]] = {}
    for name, entry in (plain or having).items():
        said.setdefault(entry.sentence, []).append((name, entry))
    every = len(said) == 1 and len(plain) == sum("+" not in name for name in names)
    yield tag("th", comparison.title(line), scope="row")
    yield tag("td", *(tag("p", _said(suite, line.path, some, here, every=every)) for some in said.values()))


def _said(suite: Suite, path: str, some: Sequence[tuple[str, Entry]], here: str, *, every: bool) -> Markup:
    names = [name for name, _ in some]
    if every:
        where = links.a("every book", comparison.rule_beside_others(suite, names[0], path), here)
    elif any("+" in name for name in names):
        where = joined((links.rule_a(suite.rules.title(name), name, path, here) for name in names), "; ")
    else:
        where = books.listed(suite, names, here, path)
    return joined([tag("b", short(some[0][1])), " ", tag("span", where, class_="small")])


def _see(term: Term, here: str) -> Iterator[Markup]:
    if term.see:
        named = {each.id: each.name for each in terms()}
        others = joined((links.a(named[id_], term_path(id_), here) for id_ in term.see), ", ")
        yield tag("p", "See also ", others, ".", class_="see")


def _positions(suite: Suite, term: Term, here: str) -> Iterator[Markup]:
    """Some positions that ask about it: its word is in their titles, and the most answers are given to them."""
    forms = "|".join(map(re.escape, sorted({term.name, *term.linked}, key=len, reverse=True)))
    asked = re.compile(rf"(?<![\w-])(?:{forms})(?![\w-])", re.IGNORECASE)
    own = {ruleset.id for game in term.says for ruleset in suite.rules.games.get(game, ())}
    found = [
        scenario
        for scenario in suite.scenarios.values()
        if asked.search(scenario.title) and own & {name.partition("+")[0] for name in scenario.rulesets}
    ]
    if best := sorted(found, key=lambda each: (-_answers(each), len(each.title), each.id))[:_POSITIONS]:
        yield tag("h2", "Asked about it")
        yield tag("ul", *(tag("li", links.scenario_a(scenario, here)) for scenario in best), class_="positions")


def _answers(scenario: Scenario) -> int:
    """How many answers a position has."""
    return len(scenario.outcomes) + len(scenario.readings)
