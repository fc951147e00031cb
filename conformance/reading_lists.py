"""The paragraphs of `spec/SEMANTICS*.md` that each ruleset needs."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.suite.semantics import NOTATION, PENALTIES, RUNGS, SemanticParagraph, paragraphs
from hoyle_conformance.suite.suite import Suite

#: Match the statement that a rule applies to games that lack its cell.
_WITHOUT: Final = re.compile(r"[Ww]ithout\s+the\s+cell|is\s+missing|or\s+missing")
#: Match the beginning of a paragraph without cells that is about one family of games.
_FAMILY: Final = re.compile(r"[^.]*\bgame with (drawing|a talon)\b")
#: The chapter of cells that the games of a family, or all games of a document, have.
_HAVE: Final = {
    "drawing": "draw",
    "a talon": "talon",
    "SEMANTICS-BEZIQUE.md": "draw",
    "SEMANTICS-PIQUET.md": "talon",
    "SEMANTICS-PENALTIES.md": "referee",
}
#: The chapters whose references make no other paragraph needed.
_REFERRING: Final = frozenset({*NOTATION, "Irregularities"})
#: The chapters from which a game needs only paragraphs that something in the game refers to.
_AS_NEEDED: Final = frozenset(PENALTIES[1:])


@dataclass(frozen=True, slots=True)
class _Games:
    """The contents of the games of a ruleset.

    These are their chapters, lists and cells by path; the words of their irregularities, and those of the
    irregularities of other games; and the scenarios checked under the ruleset, with the words of their acts and
    questions.
    """

    cells: frozenset[str]
    words: frozenset[str]
    foreign: frozenset[str]
    scenarios: frozenset[str]
    steps: frozenset[str]


def needed_by(suite: Suite, ruleset: str) -> list[SemanticParagraph]:
    """Return the paragraphs that the games of a ruleset need, sorted by rung and then by document.

    They are the paragraphs that define its cells, the words of its irregularities, or the acts and questions of its
    checks; those that its checks show; those without cells in the chapters of its games; and those that a needed
    paragraph refers to, if they are about these games.
    """
    known = {each.id: each for each in paragraphs(suite.root)}
    chapters: dict[str, set[str]] = {}
    for each in known.values():
        chapters.setdefault(each.chapter, set()).update(path.partition(".")[0] for path in each.cells)
    words = {name: _words_of_rows(suite, name) for name in {*suite.rulesets, ruleset}}
    scenarios = {each.scenario for each in suite.index.headings.values() if each.id.partition("@")[2] == ruleset}
    steps = [step for name in scenarios for step in suite.scenarios[name].steps]
    games = _Games(
        frozenset(part for each in suite.rules.cells(ruleset) for part in _parts_of(each.path)),
        words[ruleset],
        frozenset().union(*words.values()) - words[ruleset],
        frozenset(scenarios),
        frozenset(str(step[key]) for step in steps for key in ("do", "ask") if key in step),
    )
    about = {each.id for each in known.values() if _is_about(each, games, chapters[each.chapter])}
    needed = {each.id for each in known.values() if _is_needed(each, games, about=each.id in about)}
    ahead = list(needed)
    while ahead:
        each = known[ahead.pop()]
        new = each.links & about - needed if each.chapter not in _REFERRING else frozenset()
        needed |= new
        ahead += new
    return sorted((each for each in known.values() if each.id in needed), key=lambda each: RUNGS.index(each.rung))


def _parts_of(path: str) -> Iterator[str]:
    """Yield the path of a cell, and the paths of its chapter and its list."""
    parts = path.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts) + 1))


def _words_of_rows(suite: Suite, ruleset: str) -> frozenset[str]:
    """Return the words in the rows of a ruleset's irregularities: those of findings, remedies, effects and so on."""

    def words(value: object) -> Iterator[str]:
        if isinstance(value, Mapping):
            yield from (word for each in value.values() for word in words(each))
        elif isinstance(value, str):
            yield value
        elif isinstance(value, Iterable):
            yield from (word for each in value for word in words(each))

    rows = suite.rules.cells(ruleset).rows("referee.irregularities")
    return frozenset(word for row in rows for word in words(row.value) if "-" in word and " " not in word)


def _is_about(paragraph: SemanticParagraph, games: _Games, chapters: Collection[str]) -> bool:
    """Return whether a paragraph is about these games, which have one of the `chapters` of cells that the paragraph's
    chapter defines.

    A paragraph is about a family of games if its beginning says so, and about an effect or another word of
    irregularities if it defines only that. If the games lack its only cell, the paragraph must state what applies
    without the cell.
    """
    family = None if paragraph.cells else _FAMILY.match(paragraph.text.strip())
    have = {_HAVE[each] for each in (paragraph.document, family and family[1]) if each in _HAVE}
    if have - games.cells or (chapters and not games.cells.intersection(chapters)):
        return False
    if paragraph.leads & games.foreign and not paragraph.leads & games.words:
        return False
    if not paragraph.cells or games.cells.intersection(paragraph.cells):
        return True
    return len(paragraph.cells) == 1 and bool(_WITHOUT.search(paragraph.text)) and not paragraph.defines & games.foreign


def _is_needed(paragraph: SemanticParagraph, games: _Games, *, about: bool) -> bool:
    """Return whether a paragraph is needed in itself, not only because another refers to it."""
    facts = paragraph.facts
    defined = {*facts.get("Act", ()), *facts.get("Question", ())}
    return bool(
        games.cells.intersection(paragraph.cells)
        or games.scenarios.intersection(facts.get("Shown by", ()))
        or paragraph.defines & games.words
        or (about and defined & games.steps)
        or (about and not paragraph.cells and paragraph.chapter not in _AS_NEEDED)
    )
