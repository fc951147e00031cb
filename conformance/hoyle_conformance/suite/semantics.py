"""The paragraphs of `spec/SEMANTICS*.md`, the rungs of the ladder of conformance, and the paragraphs that each ruleset
needs.

The paragraphs define each word of the vocabulary and name scenarios that show it. A paragraph is a fourth-level heading
with its id alone (`draw-2`), its text, and a list of facts, such as "- Act: `draw`".
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hoyle_conformance.suite.suite import Suite

#: The facts that a paragraph may state, in order.
FACTS: Final = ("Act", "Question", "Phase", "Fields", "Refused", "Shown by")
_HEADING: Final = re.compile(r"^(#{2,4}) (.+)$", re.MULTILINE)
_MARK: Final = re.compile(r"<!-- made: (?:cell|rows) ([a-z_.]+) -->")
_FACT: Final = re.compile(rf"^- ({'|'.join(FACTS)}): (.+(?:\n  .+)*)$", re.MULTILINE)
_ID: Final = re.compile(r"[a-z]+(?:-[a-z]+)*-[1-9][0-9]*")
_LINK: Final = re.compile(rf"\]\((?:SEMANTICS[A-Z-]*\.md)?#({_ID.pattern})\)")
_MADE: Final = re.compile(r"<!-- made: .*?<!-- end -->", re.DOTALL)
_FIRST_CELL: Final = re.compile(r"^\| `([a-z-]+)` \|", re.MULTILINE)
_TERM: Final = re.compile(r"(?<![*\w])\*([^\W\d][\w\s-]+)\*(?![*\w])")
#: The words in italics that are not terms.
_EMPHASIS: Final = frozenset({"after", "are", "before", "optional"})
_LEAD: Final = re.compile(r"`[a-z-]+`(?:(?:, | and )`[a-z-]+`)*:")
_CODE: Final = re.compile(r"`([^`]+)`")
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


@dataclass(frozen=True, slots=True)
class Rung:
    """A rung of the ladder of conformance: the topics of its checks, and the chapters to read for it."""

    name: str
    topics: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()


#: The chapters of notation and conventions, which refer to all others.
_NOTATION: Final = (
    *("General", "Cards", "Seats and sides", "Points", "Positions", "Acts", "Observation", "Phases", "Refusals"),
    *("Positions in full", "What an engine must remember"),
)
_PENALTIES: Final = (
    *("Irregularities", "Mishaps", "Claims", "Choices", "Effects"),
    "Irregularities and the other chapters",
)
#: The chapters whose references make no other paragraph needed.
_REFERRING: Final = frozenset({*_NOTATION, "Irregularities"})
#: The chapters from which a game needs only paragraphs that something in the game refers to.
_AS_NEEDED: Final = frozenset(_PENALTIES[1:])
#: The ladder. Topics and chapters that no other rung names belong to the deal rung.
DEAL: Final = Rung("a deal")
RUNGS: Final = (
    Rung("tricks", ("last-tricks", "piquet-tricks", "tricks"), (*_NOTATION, "Tricks")),
    DEAL,
    Rung(
        "a game", ("census", "cut", "game", "hundred", "next-deal", "partie", "settlement"), ("The cut", "Settlement")
    ),
    Rung("irregularities", ("irregular",), _PENALTIES),
)


def rung_of_topic(topic: str) -> Rung:
    """Return the rung for the checks of a topic."""
    return next((rung for rung in RUNGS if topic in rung.topics), DEAL)


@dataclass(frozen=True, slots=True)
class SemanticParagraph:
    """One numbered paragraph: its id, its document and chapter, its text, the cells that it defines, and its facts by
    name."""

    id: str
    document: str
    chapter: str
    text: str
    cells: tuple[str, ...]
    facts: Mapping[str, tuple[str, ...]]

    @property
    def address(self) -> str:
        """The document and anchor within the spec folder: `SEMANTICS.md#trick-3`."""
        return f"{self.document}#{self.id}"

    @property
    def words(self) -> int:
        """The number of words in the text, including tables."""
        return len(self.text.split())

    @property
    def links(self) -> frozenset[str]:
        """The ids of the paragraphs that the text refers to."""
        return frozenset(_LINK.findall(self.text))

    @property
    def by_hand(self) -> str:
        """The text without its generated parts."""
        return _MADE.sub("", self.text)

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms that the text defines, which are in italics."""
        terms = (" ".join(found.split()) for found in _TERM.findall(self.by_hand))
        return tuple(term for term in terms if term not in _EMPHASIS)

    @property
    def defines(self) -> frozenset[str]:
        """The words at the beginning of the text, or of the rows of its tables, which it defines."""
        return frozenset([*_FIRST_CELL.findall(self.by_hand), *self.leads])

    @property
    def leads(self) -> frozenset[str]:
        """The words at the beginning of the text, if it is only about them."""
        return frozenset(_CODE.findall(lead[0]) if (lead := _LEAD.match(self.text.strip())) else ())

    @property
    def rung(self) -> Rung:
        """The rung of the ladder for the paragraph's chapter."""
        return next((rung for rung in RUNGS if self.chapter in rung.chapters), DEAL)


def documents(spec: Path) -> list[Path]:
    """Return the documents that define the vocabulary, starting with the common one."""
    return sorted(spec.glob("SEMANTICS*.md"), key=lambda path: (path.stem.count("-"), path.name))


def paragraphs(spec: Path) -> Iterator[SemanticParagraph]:
    """Yield every numbered paragraph of a spec folder, in the order of its documents."""
    for path in documents(spec):
        text, chapter = path.read_text("utf-8"), ""
        headings = [*_HEADING.finditer(text)]
        ends = [heading.start() for heading in headings[1:]] + [len(text)]
        for heading, end in zip(headings, ends, strict=True):
            level, title = heading[1], heading[2].strip()
            if level == "##":
                chapter = title
            elif _ID.fullmatch(title):
                body = text[heading.end() : end]
                facts = {found[1]: tuple(_CODE.findall(found[2])) for found in _FACT.finditer(body)}
                yield SemanticParagraph(title, path.name, chapter, body, tuple(_MARK.findall(body)), facts)


def defined_in(spec: Path) -> Mapping[str, SemanticParagraph]:
    """Return the paragraph that defines each cell or list of rows, by its path."""
    return {path: paragraph for paragraph in paragraphs(spec) for path in paragraph.cells}


# ---- the paragraphs that a ruleset needs


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


def needed_by(suite: "Suite", ruleset: str) -> list[SemanticParagraph]:
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


def _words_of_rows(suite: "Suite", ruleset: str) -> frozenset[str]:
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
