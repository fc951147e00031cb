"""The search of the site: its page, and the index from which docs/assets/asking.js answers in the browser.

The index covers rules (once for all books with the same words), terms, clauses by their place, open questions,
positions by their titles, and the other pages by their headings.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from textwrap import shorten
from typing import Any, Final

from hoyle_conformance.files.stemming import words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask.answer import CERTAINTIES, rules_said
from hoyle_conformance.tools.ask.export import WordNumbers, understanding, written_rulesets
from hoyle_conformance.tools.ask.report import group_sentence
from hoyle_conformance.tools.ask.words import tokens
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.dispute_pages import path_of, questions
from hoyle_conformance.web.site.glossary_pages import term_path
from hoyle_conformance.web.site.links import clause_path
from hoyle_conformance.web.site.navigation import tabs
from hoyle_conformance.web.site.page import Page, href, scenario_path
from hoyle_conformance.wording import citations
from hoyle_conformance.wording.glossary import terms

#: The file of the index: a script that a page can also load from the file system.
INDEX: Final = "assets/search-index.js"
PAGE: Final = "search.md"
#: The maximum number of characters of an entry's text to show.
_LETTERS: Final = 160
#: The headings of a document at the two levels that are listed, and its code.
_HEADING: Final = re.compile(r"^(##?) (.+)$", re.MULTILINE)
_FENCED: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
#: The document of which only the title is listed: its headings are versions.
_WHOLE: Final = "changelog.md"


class ThingKind(StrEnum):
    """The kinds of entries in the site's search that are neither rules nor clauses."""

    TERM = "term"
    QUESTION = "question"
    DOCUMENT = "document"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class Listed:
    """An entry of the search that is neither a rule nor a clause: its kind, title, text, other words, address and
    context.

    It also has its games (none: all).
    """

    kind: ThingKind
    id: str
    title: str
    says: str
    context: str
    address: str
    note: str
    games: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def files(suite: Suite, documents: Iterable[Page]) -> Iterator[Page]:
    """Yield the page of the search, and the index as a script; the project's `documents` are also pages of the site."""
    yield page(suite)
    index = written(suite, list(everything(suite, documents)))
    data = json.dumps(index, ensure_ascii=False, separators=(",", ":"), default=sorted)
    yield Page(INDEX, f"window.HOYLE_INDEX={data};\n")


def everything(suite: Suite, documents: Iterable[Page]) -> Iterator[Listed]:
    """Yield all entries of the site except rules and clauses."""
    yield from _terms()
    yield from _questions(suite)
    yield from _documents(suite, documents)
    yield from _positions(suite)


def written(suite: Suite, listed: Sequence[Listed]) -> Mapping[str, Any]:
    """Return the index as data: the vocabulary for questions, the texts of rules and clauses, and the entries.

    An entry is (kind, title, words, note, address, games as bits, names, text), with words and notes as numbers.
    """
    numbered, games, notes = WordNumbers({}), list(suite.rules.games), dict[str, int]()
    for each in listed:
        notes.setdefault(each.note, len(notes))
    asking = understanding(suite, numbered)
    things = [_written(each, numbered, games, notes) for each in listed]
    return {
        "kinds": list(ThingKind),
        "certainties": list(CERTAINTIES),
        "games": games,
        "notes": list(notes),
        "things": things,
        "books": {name: [citations.form(suite, name), citations.book(suite, name)] for name in suite.rulesets},
        "asking": asking,
        "rules": {game: dict(_said(suite, game)) for game in games},
        "clauses": dict(_clauses(suite)),
        "lexicon": list(numbered.of),
    }


def _written(each: Listed, numbered: WordNumbers, games: Sequence[str], notes: Mapping[str, int]) -> list[Any]:
    names = list(dict.fromkeys(name for text in (each.title, *each.names) if (name := tuple(tokens(text)))))
    text = set(tokens(f"{each.says} {each.context}")) - {word for name in names for word in name}
    says = shorten(each.says, _LETTERS, placeholder=" …")
    called = [numbered.numbers(name) for name in names]
    kind = list(ThingKind).index(each.kind)
    of = [notes[each.note], each.address, _bits(games, each.games)]
    return [kind, each.title, says, *of, called, numbered.numbers(sorted(text))]


def _bits(every: Iterable[str], some: Iterable[str]) -> int:
    """Return some of the names as an integer, with one bit for each of all names."""
    chosen = set(some)
    return sum(1 << number for number, each in enumerate(every) if each in chosen)


def _said(suite: Suite, game: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every rule of a game with its title, and its statements, with the books that agree on each."""
    numbers = {name: number for number, name in enumerate(written_rulesets(suite))}
    for path, subject in rules_said(suite, game):
        groups: dict[tuple[str, int], list[int]] = {}
        for group in subject.groups:
            said = groups.setdefault((group_sentence(group), CERTAINTIES.index(group.certainty)), [])
            said += [numbers[name] for name in group.rulesets]
        yield path, {"title": subject.title, "groups": [[having, *said] for said, having in groups.items()]}


def _clauses(suite: Suite) -> Iterator[tuple[str, list[Any]]]:
    """Yield every clause with its place, text, address and book."""
    for source in suite.sources.values():
        for clause in source.clauses:
            yield clause.id, [citations.place(suite, clause), clause.says, clause_path(suite, clause.id), source.title]


# ---- entries


def _terms() -> Iterator[Listed]:
    for term in terms():
        also = f"Also: {', '.join(term.also)}. " if term.also else ""
        alike = len(set(term.says.values())) == 1
        says = dict.fromkeys(each if alike else f"{game}: {each}" for game, each in term.says.items())
        title, address = term.name[:1].upper() + term.name[1:], href(term_path(term.id), "")
        note, games = " · ".join(term.says), tuple(term.says)
        yield Listed(ThingKind.TERM, term.id, title, also + " ".join(says), note, address, note, games, term.also)


def _questions(suite: Suite) -> Iterator[Listed]:
    """Yield every open question of a game, with its readings."""
    for game in suite.rules.games:
        for question in (each for some in questions(suite, game).values() for each in some):
            having = list(dict.fromkeys(name.partition("+")[0] for said in question.open for name in said.entries))
            read = [reading for said in question.open for reading in said.entry.readings]
            says = " Or: ".join(dict.fromkeys(reading.sentence for reading in read))
            beside = [
                question.title,
                game,
                "open question disputed",
                *dict.fromkeys(reading.argument for reading in read),
            ]
            address = href(path_of(question.path), "")
            note = _books(suite, having)
            yield Listed(
                ThingKind.QUESTION, question.path, question.asks, says, " ".join(beside), address, note, (game,)
            )


def _positions(suite: Suite) -> Iterator[Listed]:
    titles: dict[str, dict[str, None]] = {}
    for heading in suite.index.headings.values():
        titles.setdefault(heading.scenario, {})[heading.title] = None
    for scenario in suite.scenarios.values():
        games = tuple(dict.fromkeys(suite.rulesets[name.partition("+")[0]].game for name in scenario.rulesets))
        topic = " ".join(words(scenario.topic)).removeprefix("piquet ").capitalize()
        beside = " ".join([topic, *games, *titles.get(scenario.id, ())])
        address = href(scenario_path(scenario), "")
        note = " · ".join([*games, topic])
        yield Listed(ThingKind.POSITION, scenario.id, scenario.title, "", beside, address, note, games)


def _documents(suite: Suite, documents: Iterable[Page]) -> Iterator[Listed]:
    """Yield the rule books, the pages of the tabs, and all documents by their headings."""
    for ruleset in suite.rulesets.values():
        address = f"rulesets/{ruleset.id}.html"
        note, games = f"{ruleset.game}: rules by book", (ruleset.game,)
        yield Listed(ThingKind.DOCUMENT, ruleset.id, ruleset.title, ruleset.summary, "rules book", address, note, games)
    by_hand = (Page(path.name, path.read_text("utf-8")) for path in sorted((suite.root.parent / "docs").glob("*.md")))
    texts = {each.path: each.text for each in (*documents, *by_hand)}
    for tab in tabs(suite):
        own = (tab.title,) if tab.title in suite.rules.games else ()
        for item in tab.pages:
            if f"{item.path.removesuffix('.html')}.md" not in texts:
                title = f"{tab.title}: {item.title.lower()}" if own else item.title
                yield Listed(ThingKind.DOCUMENT, item.path, title, "", tab.title, item.path, tab.title, own)
    for path, text in texts.items():
        yield from _headings(path, text)


def _headings(path: str, text: str) -> Iterator[Listed]:
    """Yield the entries of a document: its title, and its headings."""
    page, whole = f"{path.removesuffix('.md')}.html", ""
    for level, heading in _HEADING.findall(_FENCED.sub("", text)):
        title = heading.replace("`", "")
        if level == "#":
            whole = title
            yield Listed(ThingKind.DOCUMENT, page, title, "", path, page, "Page")
        elif path != _WHOLE:
            address = f"{page}#{slug(title)}"
            yield Listed(ThingKind.DOCUMENT, address, title, "", whole, address, whole)


def slug(heading: str) -> str:
    """Return the anchor of a heading in a document, as the Markdown of the site makes it."""
    plain = re.sub(r"[^\w\s-]", "", heading).strip().lower()
    return re.sub(r"[-\s]+", "-", plain)


# ---- books


def _books(suite: Suite, having: Iterable[str]) -> str:
    """Return the books of a statement in words: by form of the game, or a note that all books of the game agree."""
    names = list(having)
    game = suite.rulesets[names[0]].game
    if len(names) == len(suite.rules.games[game]):
        return f"{game}: every book"
    said = {
        form: [citations.book(suite, name) for name in some] for form, some in citations.by_form(suite, names).items()
    }
    return " · ".join(f"{form}: {', '.join(some)}" for form, some in said.items())


# ---- page


def page(suite: Suite) -> Page:
    """Return the page that lists results; without JavaScript it lists other places to look."""
    games = [tab for tab in tabs(suite) if tab.title in suite.rules.games]
    about = "Find a rule, a term, a clause or a position by words."
    return links.page("search", suite, PAGE, title="Search", about=about, kind="documents", games=games)
