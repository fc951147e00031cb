"""The paragraphs of `spec/SEMANTICS*.md`, which define each word of the vocabulary and name scenarios that show it.

A paragraph is a heading of the fourth level that is only its id (`draw-2`), its text, and a list of facts, such as "-
Act: `draw`".
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from hoyle_reference.frozen import frozen

#: The facts that a paragraph may state, in their order.
FACTS: Final = ("Act", "Question", "Phase", "Fields", "Refused", "Shown by")
_HEADING: Final = re.compile(r"^(#{2,4}) (.+)$", re.MULTILINE)
_MARK: Final = re.compile(r"<!-- made: (?:cell|rows) ([a-z_.]+) -->")
_FACT: Final = re.compile(rf"^- ({'|'.join(FACTS)}): (.+(?:\n  .+)*)$", re.MULTILINE)
_ID: Final = re.compile(r"[a-z]+(?:-[a-z]+)*-[1-9][0-9]*")


@frozen
class SemanticParagraph:
    """One numbered paragraph: its id, the document and chapter it belongs to, its text, the cells that it defines, and
    its facts by name."""

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


def documents(spec: Path) -> list[Path]:
    """Return the documents that define the vocabulary, the common one first."""
    return sorted(spec.glob("SEMANTICS*.md"), key=lambda path: (path.stem.count("-"), path.name))


def paragraphs(spec: Path) -> Iterator[SemanticParagraph]:
    """Yield every numbered paragraph of a spec folder, in the order of its documents."""
    for path in documents(spec):
        yield from _paragraphs_of(path.name, path.read_text("utf-8"))


def _paragraphs_of(document: str, text: str) -> Iterator[SemanticParagraph]:
    headings = [*_HEADING.finditer(text)]
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    chapter = ""
    for heading, end in zip(headings, ends, strict=True):
        level, title = heading[1], heading[2].strip()
        if level == "##":
            chapter = title
        elif _ID.fullmatch(title):
            body = text[heading.end() : end]
            facts = {found[1]: tuple(re.findall(r"`([^`]+)`", found[2])) for found in _FACT.finditer(body)}
            yield SemanticParagraph(title, document, chapter, body, tuple(_MARK.findall(body)), facts)


def defined_in(spec: Path) -> Mapping[str, SemanticParagraph]:
    """Return the paragraph that defines each cell or list of rows, by its path."""
    return {path: paragraph for paragraph in paragraphs(spec) for path in paragraph.cells}
