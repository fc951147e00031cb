"""Terms as they lie in ``terms.yaml``: for each its name, what else it is called, what it means in each game, and the
rules that make it so::

    - name: brisque
      also: [counter]
      says:
        Bézique: An ace or a ten in a trick.
      rules: [score.brisques.ranks]

Prose means a term by its name and by what else it is called, in the singular and the plural; where that is not so,
`linked` has the very words by which it does (`the point`), which may be none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.stemming import words
from hoyle_conformance.files.strict_yaml import read_file

_FILE: Final = Path(__file__).parent / "terms.yaml"
#: Endings after which the plural has an e before its s.
_HISSING: Final = ("s", "x", "ch", "sh")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a game: its `id`, its `name`, what else players and books call it (`also`), what it means (`says`, by
    game), the `rules` that make it so (paths of cells), `clauses` that define it, terms to `see` too (ids); and the
    words by which prose means it (`linked`)."""

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
    """Return all terms, in the order of their ids; raises Invalid where the file cannot be read."""
    read = (_term(each) for each in read_file(_FILE, _FILE.name).data)
    return tuple(sorted(read, key=lambda term: term.id))


def plural_form(word: str) -> str:
    """Return a word in the plural, as most words form it."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(_HISSING) else f"{word}s"


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
