"""Terms: a list of them for each game, a page for each term with its rules by book, and links to them in prose."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Final

from hoyle_conformance.suite.model import Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import comparison_pages as comparison
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.comparison_pages import short
from hoyle_conformance.web.site.links import a
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.comparison import ComparisonRow, compare_rules
from hoyle_conformance.wording.glossary import Term, terms
from hoyle_conformance.wording.html import Markup, drawn, joined

#: The maximum number of positions to show for a term.
_MOST: Final = 4
#: The names of all tables of a game, and all their rules, by path.
Rules = tuple[Sequence[str], Mapping[str, ComparisonRow]]
#: Pieces of HTML: a link with its content, a card or a tag; everything between them is words.
_PIECE = re.compile(r"<a\b.*?</a>|<span class=\"card.*?</span>|<[^>]*>|[^<]+", re.DOTALL)


def pages(suite: Suite) -> Iterator[Page]:
    """Yield a list of terms for each game, and a page for each term."""
    rules = {game: _rules(suite, game) for game in suite.rules.games if any(game in term.says for term in terms())}
    yield from (_list(suite, game) for game in rules)
    yield from (_page(suite, term, rules) for term in terms() if rules.keys() & term.says.keys())


def list_path(game: str) -> str:
    """Return the address of a game's list of terms."""
    return f"{folder(game)}/terms.html"


def _rules(suite: Suite, game: str) -> Rules:
    """Return the rules of a game in all its tables, those with an option last."""
    plain = links.in_order(suite, game)
    options = [name for name in suite.rules.names if "+" in name and name.partition("+")[0] in plain]
    names = [*plain, *options]
    return names, {line.path: line for line in compare_rules(suite, names)}


def _list(suite: Suite, game: str) -> Page:
    own = [term for term in terms() if game in term.says]
    return links.page(
        "terms",
        suite,
        list_path(game),
        title=f"Terms of {game}",
        about=f"The words of {game} and what they mean, {len(own)} of them, from {own[0].name} to {own[-1].name}.",
        kind="terms",
        tab=game,
        game=game,
        letters=[(letter, list(some)) for letter, some in groupby(own, lambda term: term.id[0].upper())],
        term_path=term_path,
    )


# ---- page of a term


def _page(suite: Suite, term: Term, rules: Mapping[str, Rules]) -> Page:
    here, seen = term_path(term.id), set[str]()
    games = [game for game in rules if game in term.says]
    name = term.name[:1].upper() + term.name[1:]
    named = {each.id: each.name for each in terms()}
    return links.page(
        "term",
        suite,
        here,
        title=name,
        about=" ".join(f"{name} in {game}: {term.says[game]}" for game in games),
        kind="term",
        tab=games[0],
        also=term.also,
        lists=[(game, list_path(game)) for game in games],
        games=[
            {
                "game": game,
                "folder": folder(game),
                "says": first_uses(term.says[game], game, here, seen),
                "defined": [each for each in term.clauses if each in suite.clauses and _game(suite, each) == game],
                "rules": list(_term_rules(suite, term, rules[game], here)),
            }
            for game in games
        ],
        see=[(named[id_], term_path(id_)) for id_ in term.see],
        positions=_positions(suite, term),
    )


def _game(suite: Suite, clause: str) -> str:
    """Return the game of a clause: if its book covers several, that of its chapter, otherwise the first."""
    source, chapter, *_ = clause.split("/")
    by_chapter = [game for game in suite.rules.games if folder(game) == chapter]
    having = [game for game, of in suite.rules.games.items() if any(source in each.sources for each in of)]
    return (by_chapter or having)[0]


def _term_rules(
    suite: Suite, term: Term, rules: Rules, here: str
) -> Iterator[tuple[str, Sequence[tuple[Markup, Markup]]]]:
    """Yield the rules of a term by their titles, each with its values in the books, equal ones merged; for a rule that
    only options have, with their values."""
    names, rows = rules
    for row in (rows[path] for path in term.rules if path in rows):
        having = {name: entry for name, entry in zip(names, row.entries, strict=True) if entry}
        plain = {name: entry for name, entry in having.items() if "+" not in name}
        said: dict[str, list[str]] = {}
        for name, entry in (plain or having).items():
            said.setdefault(entry.sentence, []).append(name)
        every = len(said) == 1 and len(plain) == sum("+" not in name for name in names)
        shown = ((short(having[some[0]]), _books(suite, row.path, some, here, every=every)) for some in said.values())
        yield comparison.title(row), list(shown)


def _books(suite: Suite, path: str, names: Sequence[str], here: str, *, every: bool) -> Markup:
    """Return links to a rule in these tables, or, if they are all, to the comparison page."""
    if every:
        return links.a("every book", comparison.rule_beside_others(suite, names[0], path), here)
    if any("+" in name for name in names):
        return joined((links.rule_a(suite.rules.title(name), name, path, here) for name in names), "; ")
    return links.listed(suite, names, here, path)


def _positions(suite: Suite, term: Term) -> list[Scenario]:
    """Return some positions about a term: the term is in their titles, and they have the most answers."""
    forms = "|".join(map(re.escape, sorted({term.name, *term.linked}, key=len, reverse=True)))
    asked = re.compile(rf"(?<![\w-])(?:{forms})(?![\w-])", re.IGNORECASE)
    own = {ruleset.id for game in term.says for ruleset in suite.rules.games.get(game, ())}
    found = [
        scenario
        for scenario in suite.scenarios.values()
        if asked.search(scenario.title) and own & {name.partition("+")[0] for name in scenario.rulesets}
    ]
    return sorted(found, key=lambda each: (-len(each.outcomes) - len(each.readings), len(each.title), each.id))[:_MOST]


# ---- links to terms in prose


def term_path(id_: str) -> str:
    """Return the address of a term, which never changes."""
    return f"terms/{id_}.html"


def first_uses(words: str, game: str, here: str, seen: set[str]) -> Markup:
    """Return prose with cards drawn, and with a link at the first use of each term of this game. `seen` holds the terms
    already linked on the page, and receives the new ones. Markup is kept as it is, and links never nest."""
    shown = words if isinstance(words, Markup) else drawn(words)
    pattern, ids = _forms(game)
    if not ids:
        return shown
    return joined(
        Markup(piece) if piece.startswith("<") else _linked(piece, pattern, ids, here, seen)
        for piece in _PIECE.findall(shown)
    )


def _linked(piece: str, pattern: re.Pattern[str], ids: dict[str, str], here: str, seen: set[str]) -> Markup:
    def put(found: re.Match[str]) -> str:
        term = ids[found[0]]
        if term in seen or here == term_path(term):
            return found[0]
        seen.add(term)
        return a(Markup(found[0]), term_path(term), here, class_="term")

    return Markup(pattern.sub(put, piece))


@cache
def _forms(game: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern of the terms of a game, longest first, and the term of each form of words. The name of a game is
    not a term, nor is a word that is part of such a name (Rubicon Bézique)."""
    games = {name for term in terms() for name in term.says}
    forms = {form: term.id for term in terms() if game in term.says for form in term.linked}
    capital = {form[:1].upper() + form[1:]: id_ for form, id_ in forms.items()}
    ids = {form: id_ for form, id_ in (capital | forms).items() if form not in games}
    longest = "|".join(map(re.escape, sorted(ids, key=len, reverse=True)))
    return re.compile(rf"(?<![\w-])(?:{longest})(?![\w-])(?! (?:{'|'.join(sorted(games))})\b)"), ids
