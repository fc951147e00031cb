"""The search of the site: its page, and the index from which docs/assets/asking.js answers in the browser.

The index covers rules (once for all books with the same words), terms, clauses by their place, open questions,
positions by their titles, and the other pages by their headings. It also has the data for understanding questions. Each
word is written once and referred to by its number; so are rulesets, including those with an option.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from textwrap import shorten
from typing import Any, Final

from hoyle_conformance.files.stemming import words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask.answer import CERTAINTIES, rubicon, rules_said
from hoyle_conformance.tools.ask.measures import measures
from hoyle_conformance.tools.ask.rank import WORTH
from hoyle_conformance.tools.ask.report import group_sentence
from hoyle_conformance.tools.ask.scope import entry_words, own_words, scope_data, stems_of
from hoyle_conformance.tools.ask.subjects import AskedSubject, SubjectKind, options_of, stated_with, subject_data
from hoyle_conformance.tools.ask.terms import HOYLE, AskedTerm, asked_terms
from hoyle_conformance.tools.ask.understand import GameSubjects, known_subjects
from hoyle_conformance.tools.ask.words import tokens, word_table
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
#: The kinds of subjects, by their numbers.
_SUBJECTS: Final = list(SubjectKind)


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


def _numbers(numbered: dict[str, int], some: Iterable[str]) -> list[int]:
    """Return the numbers of some words; a new word gets the next number."""
    return [numbered.setdefault(word, len(numbered)) for word in some]


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
    numbered, notes, games = dict[str, int](), dict[str, int](), list(suite.rules.games)
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
        "lexicon": list(numbered),
    }


def _written(each: Listed, numbered: dict[str, int], games: Sequence[str], notes: Mapping[str, int]) -> list[Any]:
    names = list(dict.fromkeys(name for text in (each.title, *each.names) if (name := tuple(tokens(text)))))
    text = set(tokens(f"{each.says} {each.context}")) - {word for name in names for word in name}
    says = shorten(each.says, _LETTERS, placeholder=" …")
    called = [_numbers(numbered, name) for name in names]
    kind = list(ThingKind).index(each.kind)
    of = [notes[each.note], each.address, _bits(games, each.games)]
    return [kind, each.title, says, *of, called, _numbers(numbered, sorted(text))]


def _bits(every: Iterable[str], some: Iterable[str]) -> int:
    """Return some of the names as an integer, with one bit for each of all names."""
    chosen = set(some)
    return sum(1 << number for number, each in enumerate(every) if each in chosen)


def _said(suite: Suite, game: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield every rule of a game with its title, and its statements, with the books that agree on each."""
    numbers = {name: number for number, name in enumerate(_rulesets(suite))}
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


# ---- the data for understanding questions, as docs/assets/asking.js reads them


def understanding(suite: Suite, numbered: dict[str, int]) -> dict[str, Any]:
    """Return all data for understanding questions, except the words by their numbers; some of them are sets."""
    names = _rulesets(suite)
    numbers = {name: number for number, name in enumerate(names)}
    games = dict.fromkeys(each.game for each in suite.rulesets.values())
    joined = ((each, list(stated_with(each))) for each in subject_data())
    return {
        "measures": measures(),
        "worth": WORTH,
        "words": asdict(word_table()),
        "scopes": _scopes(),
        "rulesets": [_ruleset(suite, name) for name in names],
        "with": {each: others for each, others in joined if others},
        "games": {game: _game(known_subjects(suite, game), numbered, numbers) for game in games},
        "terms": [_term(each) for each in asked_terms()],
    }


def _term(term: AskedTerm) -> list[Any]:
    """Return a term as (id, game, rules, forms, definition); each term of a game has its own page."""
    return [term.id, term.of, term.rules, list(map(list, sorted(term.forms))), term.says if term.of == HOYLE else ""]


def _ruleset(suite: Suite, name: str) -> list[Any]:
    """Return a ruleset as (name, game, sources, rubicon); one with an option only by its name."""
    base = suite.rulesets.get(name)
    return [name, base.game, list(base.sources), rubicon(suite, name)] if base else [name]


def _subject(subject: AskedSubject, numbered: dict[str, int], rulesets: Mapping[str, int]) -> list[Any]:
    """Return a subject as (kind, id, names, text, clauses, rulesets); a clause has only its names."""
    own = subject.kind in {SubjectKind.RULE, SubjectKind.IRREGULARITY}
    names = [_numbers(numbered, name) for name in subject.names[0 if own else 1 :]]
    return [
        _SUBJECTS.index(subject.kind),
        subject.id,
        names,
        _numbers(numbered, sorted(subject.text)) if own else [],
        subject.clauses if own else [],
        sorted(rulesets[name] for name in subject.rulesets),
    ]


def _rulesets(suite: Suite) -> list[str]:
    """Return the rulesets in the order of their numbers, with those with an option last."""
    return [*suite.rulesets, *(option for name in suite.rulesets for option in options_of(suite, name))]


def _game(known: GameSubjects, numbered: dict[str, int], rulesets: Mapping[str, int]) -> dict[str, Any]:
    return {
        "subjects": [_subject(each, numbered, rulesets) for each in known.subjects],
        "elsewhere": [_subject(each, numbered, rulesets) for each in known.elsewhere],
        "weights": [[*_numbers(numbered, [word]), weight] for word, weight in sorted(known.weights.items())],
    }


def _scopes() -> dict[str, Any]:
    """Return the words that name games, books and forms; those compared word by word are lists of words."""
    data = scope_data()
    return {
        **data,
        "games": {game: _phrases(forms) for game, forms in data["games"].items()},
        "words": [
            {game: [stems_of(words(each)) for each in own] for game, own in tier.items()} for tier in data["words"]
        ],
        "terms": own_words(),
        "books": [{"words": _phrases(each["words"]), "sources": each["sources"]} for each in data["books"]],
        "forms": [{**each, "words": _phrases(each["words"])} for each in data["forms"]],
        "compare": _phrases(data["compare"]),
        "entry": entry_words(),
    }


def _phrases(forms: Iterable[str]) -> list[list[str]]:
    return list(map(words, forms))


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
