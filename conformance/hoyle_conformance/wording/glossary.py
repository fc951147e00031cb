"""The terms of the glossary in ``terms.yaml``.

Each term has its name, its other names, its meaning in each game, and the rules that define it::

    - name: brisque
      also: [counter]
      says:
        Bézique: An ace or a ten in a trick.
      rules: [score.brisques.ranks]

Prose links to a term from its name and its other names, in the singular and the plural. If other words are to be
linked, `linked` lists them exactly (`the point`); an empty list means that none are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.stemming import words
from hoyle_conformance.files.strict_yaml import read_file

_FILE: Final = Path(__file__).parent / "terms.yaml"


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a game.

    It has its `id`, its `name`, and the other names that players and books use (`also`); its meaning (`says`, by game);
    the `rules` (paths of cells) and `clauses` that define it; other terms to `see` (ids); and the words that prose
    links to it (`linked`).
    """

    id: str
    name: str
    also: tuple[str, ...]
    says: Mapping[str, str]
    rules: tuple[str, ...]
    clauses: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()


@cache
def terms() -> tuple[Term, ...]:
    """Return all terms, sorted by id; raises Invalid if the file cannot be read."""
    read = (_term(each) for each in read_file(_FILE, _FILE.name).data)
    return tuple(sorted(read, key=lambda term: term.id))


def plural_form(word: str) -> str:
    """Return the regular plural of a word."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"


def _term(read: Mapping[str, Any]) -> Term:
    name, also = read["name"], tuple(read.get("also", ()))
    return Term(
        read.get("id", "-".join(words(name))),
        name,
        also,
        {game: " ".join(says.split()) for game, says in read["says"].items()},
        tuple(read["rules"]),
        tuple(read.get("clauses", ())),
        tuple(read.get("see", ())),
        tuple(read.get("linked", (form for word in (name, *also) for form in (word, plural_form(word))))),
    )
