"""The templates of rule books: for each game and chapter, the rules that make a paragraph, and their words.

Each chapter is a file in ``wording/GAME/``; the files are read in the order of their names. Each paragraph has a
permanent id and a list of sentences. A sentence states one rule in the words of the vocabulary, or several rules in its
own words, which depend on their values (`when`) and have placeholders for them::

    title: The seven of trumps
    paragraphs:
      - id: seven-exchange
        says:
          - seven.until
          - of: [seven.points, seven.may, seven.when]
            cases:
              - when: {seven.may: be-exchanged-or-shown, seven.when: [after-winning-a-trick]}
                say: A player who has just won a trick may exchange it or show it, and scores {seven.points}.
      - id: seven-rows
        rows: declare.melds

The placeholder ``{seven.points}`` stands for the value of a rule, with small numbers as words and ranks by name. With
``:figure`` the value is in figures, and with ``:sum`` it is the sum of packets. ``{declare.melds.bezique.points}``
stands for a part of a value, and ``{seven.points+score.last_trick.points}`` for the sum of two.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_reference import Cells

_HERE: Final = Path(__file__).parent / "wording"
#: The value of a rule that a table does not have.
ABSENT: Final = "absent"


@dataclass(frozen=True, slots=True)
class Case:
    """Words for some rules, and the condition for these words: for each path, the values of which its rule must have
    one."""

    when: Mapping[str, tuple[Any, ...]]
    say: str


@dataclass(frozen=True, slots=True)
class SentenceTemplate:
    """Rules stated together, and their words: those of the first case that holds; if none does, those of the
    vocabulary."""

    of: tuple[str, ...]
    cases: tuple[Case, ...] = ()


@dataclass(frozen=True, slots=True)
class ParagraphTemplate:
    """A paragraph: its id, unique within the game, and its sentences in order; for a list, `rows` is its path, and each
    row has its own line."""

    id: str
    says: tuple[SentenceTemplate, ...]
    rows: str = ""


@dataclass(frozen=True, slots=True)
class ChapterTemplate:
    """A chapter of a game's rule book, with its title and its paragraphs."""

    name: str
    title: str
    paragraphs: tuple[ParagraphTemplate, ...]


@dataclass(frozen=True, slots=True)
class FactTemplate:
    """A line of the box at the top of a book: its title, and its words, or a path whose ranks are drawn."""

    title: str
    cases: tuple[Case, ...]
    cards: str = ""


@cache
def chapters(game: str) -> tuple[ChapterTemplate, ...]:
    """Return the chapters of a game, by the name of its folder."""
    return tuple(_chapter(path) for path in sorted((_HERE / game).glob("[0-9]*.yaml")))


@cache
def facts(game: str) -> tuple[FactTemplate, ...]:
    """Return the facts at the top of every book of a game."""
    path = _HERE / game / "facts.yaml"
    read = read_file(path, path.name).data["facts"] if path.is_file() else ()
    return tuple(
        FactTemplate(each["title"], tuple(map(_case, each.get("say", ()))), each.get("cards", "")) for each in read
    )


def _chapter(path: Path) -> ChapterTemplate:
    read: Mapping[str, Any] = read_file(path, path.name).data
    return ChapterTemplate(path.stem.partition("-")[2], read["title"], tuple(map(_paragraph, read["paragraphs"])))


def _paragraph(read: Mapping[str, Any]) -> ParagraphTemplate:
    return ParagraphTemplate(read["id"], tuple(map(_said, read.get("says", ()))), read.get("rows", ""))


def _said(read: str | Mapping[str, Any]) -> SentenceTemplate:
    if isinstance(read, str):
        return SentenceTemplate((read,))
    return SentenceTemplate(tuple(read["of"]), tuple(map(_case, read["cases"])))


def _case(read: Mapping[str, Any]) -> Case:
    return Case({path: _values(each) for path, each in read.get("when", {}).items()}, read["say"])


def _values(read: Any) -> tuple[Any, ...]:
    return tuple(read) if isinstance(read, Sequence) and not isinstance(read, str) else (read,)


_PLACE: Final = re.compile(r"\{([\w.+-]+)(?::(figure|sum))?\}")


def places_in(written: str) -> tuple[str, ...]:
    """Return the placeholders in a text that are filled in from rules."""
    return tuple(place for found in _PLACE.finditer(written) for place in found[1].split("+"))


def fill(written: str, cells: Cells) -> str:
    """Return a text with the values of rules in its placeholders; raises KeyError if a placeholder names no rule."""
    shown = _PLACE.sub(lambda found: _shown(found[1], found[2], cells), " ".join(written.split()))
    return shown[:1].upper() + shown[1:]


def _shown(place: str, how: str | None, cells: Cells) -> str:
    first, *others = (value_at(each, cells) for each in place.split("+"))
    value = first + sum(others) if others else first
    if how == "sum":
        return rulebook.value_in_words(sum(value[0]))
    return f"{value:,}" if how == "figure" else rulebook.value_in_words(value)


def rule_of(place: str, cells: Cells) -> str:
    """Return the path of the rule that fills a placeholder, in whole or in part; raises KeyError if there is none."""
    parts = place.split(".")
    for end in range(len(parts), 0, -1):
        if (path := ".".join(parts[:end])) in cells:
            return path
    raise KeyError(place)


def value_at(place: str, cells: Cells) -> Any:
    """Return the value for a placeholder; raises KeyError if it names no rule."""
    rule = rule_of(place, cells)
    value = cells[rule].value
    for part in place[len(rule) :].split(".")[1:]:
        value = value[part]
    return value
