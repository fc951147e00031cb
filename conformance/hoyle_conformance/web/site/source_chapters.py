"""The chapters of a source, each on a page of its own, and the address of a clause."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from hoyle_conformance.suite.model import Clause, Source
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.page import anchor

#: The plurals of places that have a number.
_COUNTED: Final[Mapping[str, str]] = {"paragraph": "Paragraphs", "law": "Laws", "footnote": "Footnotes"}
#: A chapter has at least so many clauses; smaller parts share a page with their neighbours.
_FEWEST: Final = 12


@dataclass(frozen=True, slots=True)
class SourcePart:
    """A part of a source: its game where the source is about several, its title, and its clauses."""

    game: str
    title: str
    clauses: tuple[Clause, ...]

    @property
    def anchor(self) -> str:
        """The anchor of its heading."""
        return f"part-{anchor(self.clauses[0].id)}"


@dataclass(frozen=True, slots=True)
class SourceChapter:
    """A chapter of a source: the path of its page, and its parts."""

    path: str
    parts: tuple[SourcePart, ...]

    @property
    def game(self) -> str:
        """The game that it is about, where the source is about several."""
        return self.parts[0].game

    @property
    def title(self) -> str:
        """The titles of its first and last part."""
        return " \N{EN DASH} ".join(dict.fromkeys((self.parts[0].title, self.parts[-1].title)))

    @property
    def size(self) -> int:
        """The number of its clauses."""
        return sum(len(part.clauses) for part in self.parts)


def parts(source: Source) -> list[SourcePart]:
    """Return the parts of a source, in the order of its ledger: neighbouring paragraphs, laws and footnotes together,
    others under their headings."""
    found = []
    for (game, stem), some in groupby(source.clauses, key=lambda each: (source.game_of(each.section), _stem(each))):
        clauses = tuple(some)
        found.append(SourcePart(game, _title(stem, clauses), clauses))
    return found


def _heading(clause: Clause) -> str:
    return clause.where.partition(",")[0]


def _stem(clause: Clause) -> str:
    """Return the words of a place without its number."""
    stem, _, number = _heading(clause).rpartition(" ")
    return stem if number.isdecimal() and stem in _COUNTED else _heading(clause)


def _title(stem: str, clauses: Sequence[Clause]) -> str:
    first, last = (_heading(clause).rpartition(" ")[2] for clause in (clauses[0], clauses[-1]))
    if stem in _COUNTED:
        return f"{_COUNTED[stem]} {first} to {last}" if first != last else f"{stem.capitalize()} {first}"
    return f"{stem[:1].upper()}{stem[1:]}"


def chapters(source: Source) -> tuple[SourceChapter, ...]:
    """Return the chapters of a source: neighbouring parts of one game, until there are enough clauses for a page."""
    found: list[list[SourcePart]] = []
    for part in parts(source):
        if found and _joins(found[-1], part):
            found[-1].append(part)
        else:
            found.append([part])
    return tuple(SourceChapter(_path(source, some[0]), tuple(some)) for some in found)


def _joins(chapter: Sequence[SourcePart], part: SourcePart) -> bool:
    """Whether a part goes to the chapter before it: one of them is too small for a page."""
    if chapter[0].game != part.game:
        return False
    return min(sum(len(each.clauses) for each in chapter), len(part.clauses)) < _FEWEST


def _path(source: Source, first: SourcePart) -> str:
    return f"sources/{source.id}/{anchor(first.clauses[0].id)}.html"


def clause_path(suite: Suite, clause: str) -> str:
    """Return the address of a clause on the site."""
    return suite.derived(_clause_paths)[clause]


def _clause_paths(suite: Suite) -> Mapping[str, str]:
    return {
        clause.id: f"{chapter.path}#{anchor(clause.id)}"
        for source in suite.sources.values()
        for chapter in chapters(source)
        for part in chapter.parts
        for clause in part.clauses
    }
