"""The data for understanding questions, exported so that `docs/assets/asking.js` understands them in the same way on
the site.

Each word is written once and referred to by its number; so are rulesets, including those with an option.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hoyle_conformance.files.stemming import words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask.measures import measures
from hoyle_conformance.tools.ask.rank import WORTH
from hoyle_conformance.tools.ask.scope import entry_words, own_words, scope_data, stems_of
from hoyle_conformance.tools.ask.subjects import AskedSubject, SubjectKind, options_of, stated_with, subject_data
from hoyle_conformance.tools.ask.sums import rubicon
from hoyle_conformance.tools.ask.terms import HOYLE, AskedTerm, asked_terms
from hoyle_conformance.tools.ask.understand import GameSubjects, known_subjects
from hoyle_conformance.tools.ask.words import word_table

#: The kinds of subjects, by their numbers.
KINDS = list(SubjectKind)


@dataclass(frozen=True, slots=True)
class WordNumbers:
    """Numbers of words; a new word gets the next number."""

    of: dict[str, int]

    def numbers(self, some: Iterable[str]) -> list[int]:
        """Return the numbers of some words."""
        return [self.of.setdefault(word, len(self.of)) for word in some]


def understanding(suite: Suite, numbered: WordNumbers) -> dict[str, Any]:
    """Return all data for understanding questions, except the words by their numbers; some of them are sets."""
    names = written_rulesets(suite)
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


def written_subject(subject: AskedSubject, numbered: WordNumbers, rulesets: Mapping[str, int]) -> list[Any]:
    """Return a subject as (kind, id, names, text, clauses, rulesets); a clause has only its names."""
    own = subject.kind in {SubjectKind.RULE, SubjectKind.IRREGULARITY}
    names = [numbered.numbers(name) for name in subject.names[0 if own else 1 :]]
    return [
        KINDS.index(subject.kind),
        subject.id,
        names,
        numbered.numbers(sorted(subject.text)) if own else [],
        subject.clauses if own else [],
        sorted(rulesets[name] for name in subject.rulesets),
    ]


def written_rulesets(suite: Suite) -> list[str]:
    """Return the rulesets in the order of their numbers, with those with an option last."""
    return [*suite.rulesets, *(option for name in suite.rulesets for option in options_of(suite, name))]


def _game(known: GameSubjects, numbered: WordNumbers, rulesets: Mapping[str, int]) -> dict[str, Any]:
    subjects = [written_subject(each, numbered, rulesets) for each in known.subjects]
    return {
        "subjects": subjects,
        "elsewhere": [written_subject(each, numbered, rulesets) for each in known.elsewhere],
        "weights": [[*numbered.numbers([word]), weight] for word, weight in sorted(known.weights.items())],
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


def _phrases(forms: Sequence[str]) -> list[list[str]]:
    return [words(form) for form in forms]
