"""The paragraphs of `spec/SEMANTICS*.md`, and the rungs of the ladder of conformance.

The paragraphs define each word of the vocabulary and name scenarios that show it. A paragraph is a fourth-level heading
with its id alone (`draw-2`), its text, and a list of facts, such as "- Act: `draw`".
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

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


@dataclass(frozen=True, slots=True)
class Rung:
    """A rung of the ladder of conformance: the topics of its checks, and the chapters to read for it."""

    name: str
    topics: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()


#: The chapters of notation and conventions, which refer to all others.
NOTATION: Final = (
    *("General", "Cards", "Seats and sides", "Points", "Positions", "Acts", "Observation", "Phases", "Refusals"),
    *("Positions in full", "What an engine must remember"),
)
PENALTIES: Final = (
    *("Irregularities", "Mishaps", "Claims", "Choices", "Effects"),
    "Irregularities and the other chapters",
)
#: The ladder. Topics and chapters that no other rung names belong to the deal rung.
DEAL: Final = Rung("a deal")
RUNGS: Final = (
    Rung("tricks", ("last-tricks", "piquet-tricks", "tricks"), (*NOTATION, "Tricks")),
    DEAL,
    Rung(
        "a game", ("census", "cut", "game", "hundred", "next-deal", "partie", "settlement"), ("The cut", "Settlement")
    ),
    Rung("irregularities", ("irregular",), PENALTIES),
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
