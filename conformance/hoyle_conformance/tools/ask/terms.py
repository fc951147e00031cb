"""The words that a question may ask for: terms of the games, and those that Hoyle uses of rules and engines.

The terms of the games are those of the rule book; `glossary.yaml` has the others, as `docs/glossary.md` explains them.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from hoyle_conformance.tools.ask.words import read_data, tokens
from hoyle_conformance.wording.glossary import terms
from hoyle_reference.frozen import frozen

#: What the words of checks and rules belong to, instead of a game.
HOYLE: Final = "Hoyle"

Tokens = tuple[str, ...]


@frozen
class AskedTerm:
    """A word that a question may ask for: its id and its name, the tokens of each of its forms, the game that it is
    of (`HOYLE`: of checks and rules), what it means, and the rules that make it so."""

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
    own = [(each["name"], each["says"]) for each in read_data("glossary.yaml")]
    return [*games, *(AskedTerm(name, name, _forms(name.split(", ")), HOYLE, says) for name, says in own)]


def terms_asked_for(asked: Iterable[str], games: Iterable[str]) -> list[AskedTerm]:
    """Return what the words of a question, all together, are called in some games; if in none, in Hoyle."""
    words, among = tuple(asked), set(games)
    called = [term for term in asked_terms() if words in term.forms]
    return [term for term in called if term.of in among] or [term for term in called if term.of == HOYLE]


def _forms(names: Iterable[str]) -> frozenset[Tokens]:
    return frozenset(filter(None, (tuple(tokens(name)) for name in names)))
