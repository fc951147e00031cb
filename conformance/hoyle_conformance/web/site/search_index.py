"""The search of the site: its page, and the index from which docs/assets/finding.js answers in the browser.

It holds what a reader looks for here: each rule once for all books that say it in the same
words, terms, clauses by their place, open questions, positions by their titles, and the other pages by their headings.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import shorten
from typing import Any, Final

from hoyle_conformance.files.stemming import words
from hoyle_conformance.suite.model import Source
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.search.entries import EntryKind, SearchEntry, names_of
from hoyle_conformance.tools.search.search import KIND_WEIGHTS, build_index
from hoyle_conformance.tools.search.synonyms import IDLE, NEAR, THE_SAME
from hoyle_conformance.web.site import book_links as books
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.dispute_pages import path_of
from hoyle_conformance.web.site.dispute_questions import questions
from hoyle_conformance.web.site.fill import fill
from hoyle_conformance.web.site.navigation import tabs
from hoyle_conformance.web.site.page import Page, anchor, href, scenario_path
from hoyle_conformance.web.site.term_links import term_path
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.glossary import terms
from hoyle_conformance.wording.rulebook.compose import Chapter, book
from hoyle_conformance.wording.rulings import is_irregularity
from hoyle_reference.frozen import frozen

#: Where the index lies: a script that a page can load from the file system too.
INDEX: Final = "assets/search-index.js"
PAGE: Final = "search.md"
#: Letters of what a thing says that are shown.
_LETTERS: Final = 160
#: Numbers as one letter.
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
#: The headings of a document, at the two levels that are listed; and what stands in it as code.
_HEADING: Final = re.compile(r"^(##?) (.+)$", re.MULTILINE)
_FENCED: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
#: The document of which only the title is listed: its headings are versions.
_WHOLE: Final = "changelog.md"


@frozen
class Listed:
    """A thing as the search lists it: with a note of what it belongs to, and the games that it is of (none: of all)."""

    thing: SearchEntry
    note: str
    games: tuple[str, ...] = ()


def files(suite: Suite, documents: Iterable[Page]) -> Iterator[Page]:
    """Yield the page of the search, and the index as a script; the project's `documents` are pages of the site too."""
    yield page(suite)
    listed = list(everything(suite, documents))
    yield Page(
        INDEX, f"window.HOYLE_INDEX={json.dumps(written(suite, listed), ensure_ascii=False, separators=(',', ':'))};\n"
    )


def everything(suite: Suite, documents: Iterable[Page]) -> Iterator[Listed]:
    """Yield all that is found on the site."""
    yield from _terms()
    yield from _rules(suite)
    yield from _questions(suite)
    yield from _clauses(suite)
    yield from _documents(suite, documents)
    yield from _positions(suite)


def written(suite: Suite, listed: Sequence[Listed]) -> Mapping[str, Any]:
    """Return the index as data: things as (kind, title, words, note, address, games by their bits), kinds and notes by
    their numbers; the lengths of their titles, a letter each; for each stem the things it stands in, by how much it
    counts, each number less the one before; and the other words."""
    among = build_index([each.thing for each in listed])
    games, notes = list(suite.rules.games), dict[str, int]()
    for each in listed:
        notes.setdefault(each.note, len(notes))
    return {
        "kinds": [[kind.value, counts] for kind, counts in KIND_WEIGHTS.items()],
        "games": games,
        "notes": list(notes),
        "names": {number: each.thing.names for number, each in enumerate(listed) if each.thing.names},
        "books": {number: len(each.thing.rulesets) for number, each in enumerate(listed) if each.thing.rulesets},
        "lengths": "".join(_DIGITS[min(len(title), len(_DIGITS) - 1)] for title in among.titles),
        "things": [_written(each, games, notes) for each in listed],
        "points": {stem: _by_counts(points) for stem, points in sorted(among.points.items())},
        "words": " ".join(among.words),
        "same": THE_SAME,
        "near": NEAR,
        "idle": IDLE,
    }


def _written(each: Listed, games: Sequence[str], notes: Mapping[str, int]) -> list[Any]:
    thing = each.thing
    bits = sum(1 << number for number, game in enumerate(games) if game in each.games)
    says = shorten(thing.says, _LETTERS, placeholder=" …")
    return [list(KIND_WEIGHTS).index(thing.kind), thing.title, says, notes[each.note], thing.next, bits]


def _by_counts(points: Mapping[int, int]) -> dict[int, list[int]]:
    by: dict[int, list[int]] = {}
    last: dict[int, int] = {}
    for number, counts in sorted(points.items()):
        by.setdefault(counts, []).append(number - last.get(counts, 0))
        last[counts] = number
    return by


# ---- what there is


def _terms() -> Iterator[Listed]:
    for term in terms():
        also = f"Also: {', '.join(term.also)}. " if term.also else ""
        alike = len(set(term.says.values())) == 1
        says = dict.fromkeys(each if alike else f"{game}: {each}" for game, each in term.says.items())
        title, address = term.name[:1].upper() + term.name[1:], href(term_path(term.id), "")
        names = (term.name, *term.also)
        thing = SearchEntry(
            EntryKind.TERM, term.id, title, also + " ".join(says), " ".join(term.says), (), address, names
        )
        yield Listed(thing, " · ".join(term.says), tuple(term.says))


def _rules(suite: Suite) -> Iterator[Listed]:
    """Yield every rule that says something, once for all books of a game that say the same."""
    said: dict[tuple[str, str, str], dict[str, _Rule]] = {}
    for name in (name for game in suite.rules.games for name in books.in_order(suite, game)):
        game = suite.rulesets[name].game
        for chapter in book(suite, name):
            for rule in _of_chapter(chapter):
                said.setdefault((game, rule.entry.cell.path, rule.says), {})[name] = rule
    for (game, path, says), having in said.items():
        first, rule = next(iter(having.items()))
        beside = [rule.chapter, game, *(books.label(suite, name) for name in having), *_behind(suite, having)]
        title, address = _title(rule.entry), links.rule_path(first, path)
        thing = SearchEntry(
            _kind(rule.entry), path, title, says, " ".join(beside), tuple(having), address, names_of(path)
        )
        yield Listed(thing, _books(suite, having), (game,))


@frozen
class _Rule:
    """A rule in a book: the title of its chapter, what it says, and the words in which it is said with others."""

    entry: rulebook.Entry
    chapter: str
    says: str
    together: str


def _of_chapter(chapter: Chapter) -> Iterator[_Rule]:
    """Yield the rules that a chapter says; one that is said with others in its own words."""
    for sentence in (each for paragraph in chapter.paragraphs for each in paragraph.sentences if each.words):
        for entry in sentence.entries:
            alone = len(sentence.entries) == 1
            yield _Rule(entry, chapter.title, sentence.words if alone else entry.sentence, sentence.words)


def _kind(entry: rulebook.Entry) -> EntryKind:
    if is_irregularity(entry.cell.value):
        return EntryKind.IRREGULARITY
    return EntryKind.COMBINATION if isinstance(entry.cell.value, Mapping) else EntryKind.RULE


def _title(entry: rulebook.Entry) -> str:
    """Return the heading of a rule, with that of its group if it needs one; of an irregularity that has a
    word, with that."""
    kind, word = _kind(entry), entry.cell.path.rpartition(".")[2]
    if kind is EntryKind.IRREGULARITY and "-" not in word:
        return f"{word.capitalize()}: {entry.heading[:1].lower()}{entry.heading[1:]}"
    group = entry.group if kind is EntryKind.RULE and entry.group.lower() not in entry.heading.lower() else ""
    return f"{group}: {entry.heading}" if group else entry.heading


def _behind(suite: Suite, having: Mapping[str, _Rule]) -> Iterator[str]:
    """Yield the words in which a rule is said with others, those of the vocabulary, and those of the clauses behind
    it."""
    yield from dict.fromkeys(words for rule in having.values() for words in (rule.together, rule.entry.sentence))
    for clause in dict.fromkeys(clause for rule in having.values() for clause in rule.entry.cell.cites):
        yield suite.clauses[clause].says


def _questions(suite: Suite) -> Iterator[Listed]:
    """Yield every open question of a game, with its readings."""
    for game in suite.rules.games:
        for question in (each for chapter in questions(suite, game) for each in chapter.questions):
            tables = (name.partition("+")[0] for said in question.open for name in said.entries)
            having = list(dict.fromkeys(tables))
            read = [reading for said in question.open for reading in said.entry.readings]
            says = " Or: ".join(dict.fromkeys(reading.sentence for reading in read))
            beside = [question.title, game, "open question", *dict.fromkeys(reading.argument for reading in read)]
            address = href(path_of(question.path), "")
            thing = SearchEntry(
                EntryKind.QUESTION, question.path, question.asks, says, " ".join(beside), tuple(having), address
            )
            yield Listed(thing, _books(suite, having), (game,))


def _clauses(suite: Suite) -> Iterator[Listed]:
    for source in suite.sources.values():
        for clause in source.clauses:
            games = _games_of(suite, source, clause.section)
            title, address = links.place(suite, clause), f"sources/{source.id}.html#{anchor(clause.id)}"
            beside = f"{clause.kind} {source.title} {' '.join(games)}"
            thing = SearchEntry(EntryKind.CLAUSE, clause.id, title, clause.says, beside, (), address)
            yield Listed(thing, f"{source.title} · {' · '.join(games)}", games)


def _games_of(suite: Suite, source: Source, section: str) -> tuple[str, ...]:
    if of := source.game_of(section):
        return (of,)
    return tuple(
        game for game, rulesets in suite.rules.games.items() if any(source.id in each.sources for each in rulesets)
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
        thing = SearchEntry(EntryKind.POSITION, scenario.id, scenario.title, "", beside, (), address)
        yield Listed(thing, " · ".join([*games, topic]), games)


def _documents(suite: Suite, documents: Iterable[Page]) -> Iterator[Listed]:
    """Yield the rule books, the pages of the tabs, and all documents by their headings."""
    for ruleset in suite.rulesets.values():
        address = f"rulesets/{ruleset.id}.html"
        thing = SearchEntry(EntryKind.DOCUMENT, ruleset.id, ruleset.title, ruleset.summary, "rules book", (), address)
        yield Listed(thing, f"{ruleset.game}: rules by book", (ruleset.game,))
    by_hand = (Page(path.name, path.read_text("utf-8")) for path in sorted((suite.root.parent / "docs").glob("*.md")))
    texts = {each.path: each.text for each in (*documents, *by_hand)}
    for tab in tabs(suite):
        own = (tab.title,) if tab.title in suite.rules.games else ()
        for item in tab.pages:
            if f"{item.path.removesuffix('.html')}.md" not in texts:
                title = f"{tab.title}: {item.title.lower()}" if own else item.title
                yield Listed(
                    SearchEntry(EntryKind.DOCUMENT, item.path, title, "", tab.title, (), item.path), tab.title, own
                )
    for path, text in texts.items():
        yield from _headings(path, text)


def _headings(path: str, text: str) -> Iterator[Listed]:
    """Yield a document by its title, and by the headings in it."""
    page, whole = f"{path.removesuffix('.md')}.html", ""
    for level, heading in _HEADING.findall(_FENCED.sub("", text)):
        title = heading.replace("`", "")
        if level == "#":
            whole = title
            yield Listed(SearchEntry(EntryKind.DOCUMENT, page, title, "", path, (), page), "Page")
        elif path != _WHOLE:
            address = f"{page}#{slug(title)}"
            yield Listed(SearchEntry(EntryKind.DOCUMENT, address, title, "", whole, (), address), whole)


def slug(heading: str) -> str:
    """Return the anchor of a heading in a document, as the Markdown of the site makes it."""
    plain = re.sub(r"[^\w\s-]", "", heading).strip().lower()
    return re.sub(r"[-\s]+", "-", plain)


# ---- books


def _books(suite: Suite, having: Iterable[str]) -> str:
    """Return the books that say it: by the forms of the game, each with its books; or that all of the game do."""
    names = list(having)
    game = suite.rulesets[names[0]].game
    if len(names) == len(suite.rules.games[game]):
        return f"{game}: every book"
    said = {form: [books.book(suite, name) for name in some] for form, some in books.by_form(suite, names).items()}
    return " · ".join(f"{form}: {', '.join(some)}" for form, some in said.items())


# ---- the page


def page(suite: Suite) -> Page:
    """Return the page on which results are listed; without JavaScript it lists where to look instead."""
    body = fill("search", suite, PAGE, games=[tab for tab in tabs(suite) if tab.title in suite.rules.games])
    about = "Find a rule, a term, a clause or a position by words."
    return Page(PAGE, body=body, title="Search", about=about, kind="documents")
