"""The terms that a question may ask for: those of the games, and Hoyle's terms for rules and engines.

The terms of the games are those of the rule book. The others are in `docs/glossary.md`; a wheel has that page next to
this module.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from hoyle_conformance.files.read import read_text
from hoyle_conformance.tools.ask.words import tokens
from hoyle_conformance.wording.glossary import terms

#: The owner of terms for checks and rules, in place of a game.
HOYLE: Final = "Hoyle"
#: The page with these terms: in a wheel, and in a checkout.
_PAGES: Final = (Path(__file__).with_name("glossary.md"), Path(__file__).parents[4] / "docs" / "glossary.md")
#: A row of a table, but not its head; and the heading of the commands, which have their own help.
_ROW: Final = re.compile(r"^\| (?!word \|)(.+?) \| (.+) \|$", re.MULTILINE)
_COMMANDS: Final = "\n## The commands\n"

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskedTerm:
    """A term that a question may ask for: its id and name, the tokens of each of its forms, its game (`HOYLE` for
    checks and rules), its meaning, and the rules that define it."""

    id: str
    name: str
    forms: frozenset[Tokens]
    of: str
    says: str
    rules: tuple[str, ...] = ()


@cache
def asked_terms() -> Sequence[AskedTerm]:
    """Return the terms of the games, then those of Hoyle."""
    games = [
        AskedTerm(term.id, term.name, _forms((term.name, *term.also)), game, says, term.rules)
        for term in terms()
        for game, says in term.says.items()
    ]
    own = (AskedTerm(name, name, _forms(name.split(", ")), HOYLE, says) for name, says in _words_of_hoyle())
    return [*games, *own]


def _words_of_hoyle() -> list[tuple[str, str]]:
    """Return each term in the tables of the glossary, with its meaning, except the commands."""
    path = next(each for each in _PAGES if each.is_file())
    return _ROW.findall(read_text(path, path.name).partition(_COMMANDS)[0])


def terms_asked_for(asked: Iterable[str], games: Iterable[str]) -> list[AskedTerm]:
    """Return the terms that the whole question names in some games; if there are none, those of Hoyle."""
    words, among = tuple(asked), set(games)
    called = [term for term in asked_terms() if words in term.forms]
    return [term for term in called if term.of in among] or [term for term in called if term.of == HOYLE]


def _forms(names: Iterable[str]) -> frozenset[Tokens]:
    return frozenset(filter(None, (tuple(tokens(name)) for name in names)))
