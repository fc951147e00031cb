"""Spelling: the parts of which a position is written, and how each is read again."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from .cards import Card, names
from .notation import cards_of
from .refusals import Malformed
from .rules import Rules
from .seats import SEATS
from .table import Blank, Combination, Table

_KINDS: Final = MappingProxyType(
    {list: "a list", Mapping: "a mapping", int: "a whole number", str: "text", tuple: "a list", bool: "true or false"}
)


def letters(rules: Rules) -> str:
    """The letters of the seats that are taken."""
    return SEATS[: rules.players]


def side_letters(rules: Rules) -> str:
    """The letters under which scores stand: those of the seats, or of the first of each two partners."""
    return SEATS[: len(rules.sides)]


def read(spelt: Mapping[str, Any], key: str, kind: type, default: Any = None) -> Any:
    """What stands under a key; raises Malformed where it is of another kind, or missing though it may not be."""
    value = spelt.get(key, default)
    if value is None:
        raise Malformed(f"'{key}' is missing in the position")
    if isinstance(value, bool) != (kind is bool) or not isinstance(value, kind):  # True would pass for 1
        raise Malformed(f"'{key}' must be {_KINDS[kind]}, not {value!r}")
    return value


def of_each(rules: Rules, spelt: Mapping[str, Any], key: str, kind: type, default: Any) -> list[Any]:
    """What stands under a key for every seat, in their order; the default for a seat that is left out."""
    given = read(spelt, key, Mapping, {})
    return [read(given, letter, kind, default) for letter in letters(rules)]


def piles_of(rules: Rules, spelt: Mapping[str, Any], key: str) -> list[list[Card]]:
    """The cards under a key, of every seat."""
    return [list(cards_of(rules, row)) for row in of_each(rules, spelt, key, list, [])]


def combinations_of(rules: Rules, spelt: Mapping[str, Any], key: str) -> list[list[Combination]]:
    """The combinations under a key, of every seat; those of partners together under the first of them."""
    rows: list[list[Combination]] = [[] for _ in letters(rules)]
    for seat, row in enumerate(of_each(rules, spelt, key, list, [])):
        rows[rules.side_of[seat]] += [_combination(rules, each) for each in row]
    return rows


def blanks_of(rules: Rules, spelt: Mapping[str, Any], known: Sequence[Blank]) -> list[Blank]:
    """What has become of each player's blank; raises Malformed where it is none of what is known in this game."""
    words = of_each(rules, spelt, "blanks", str, Blank.UNSPOKEN)
    for word in words:
        if word not in known:
            raise Malformed(f"a blank is {', '.join(known)}, not {word!r}")
    return [Blank(word) for word in words]


def spell_blanks(table: Table) -> dict[str, str]:
    """What has become of each player's blank."""
    return dict(zip(letters(table.rules), map(str, table.blanks), strict=True))


def _combination(rules: Rules, spelt: Any) -> Combination:
    if not isinstance(spelt, Mapping):
        raise Malformed(f"a combination has a 'meld' and its 'cards', unlike {spelt!r}")
    meld = read(spelt, "meld", str)
    if meld not in rules.combinations:
        raise Malformed(f"no combination '{meld}' in this game")
    return Combination(meld, tuple(sorted(cards_of(rules, read(spelt, "cards", list)))))


def spell_piles(table: Table, piles: Iterable[Iterable[Card]]) -> dict[str, list[str]]:
    """Cards by seat."""
    return {letter: names(pile) for letter, pile in zip(letters(table.rules), piles, strict=True)}


def spell_combinations(table: Table, rows: Iterable[Iterable[Combination]]) -> dict[str, list[dict[str, Any]]]:
    """Combinations by seat."""
    return {
        letter: [{"meld": each.meld, "cards": names(each.cards)} for each in row]
        for letter, row in zip(letters(table.rules), rows, strict=True)
    }
