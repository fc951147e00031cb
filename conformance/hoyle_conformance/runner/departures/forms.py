"""The forms of the games: a game for a number of players with a number of packs, and a position under its rules."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Rules

#: Fields that only some rules need, and that mean nothing under the others.
OPTIONAL_FIELDS: Final = frozenset({"last_tricks", "last_trick_won_by", "heap"})


class Form(NamedTuple):
    """A game for a number of players with a number of packs, and its rulesets, plain and with each option."""

    game: str
    players: int
    packs: int
    rulesets: tuple[str, ...]

    @property
    def plain(self) -> tuple[str, ...]:
        """The rulesets without options."""
        return tuple(name for name in self.rulesets if "+" not in name)


def forms(suite: Suite) -> list[Form]:
    """Return the forms that a suite has rulesets of, in its order."""
    found: dict[tuple[str, int, int], list[str]] = {}
    for name in suite.rules.names:
        rules = suite.rules.of(name)
        found.setdefault((game_of(suite, name), rules.players, rules.packs), []).append(name)
    return [Form(*about, tuple(names)) for about, names in found.items()]


def game_of(suite: Suite, ruleset: str) -> str:
    """Return the game of a ruleset."""
    return suite.rulesets[ruleset.partition("+")[0]].game


def fit_position(position: Mapping[str, Any], rules: Rules) -> dict[str, Any] | None:
    """Return a position with the fields that these rules have; None if another field of it is filled."""
    known = {field.name for field in rules.fields}
    unknown = position.keys() - known
    if any(name not in OPTIONAL_FIELDS and _is_filled(position[name]) for name in unknown):
        return None
    fit = {name: value for name, value in position.items() if name in known}
    if "hands" in position:
        lacking = (each for each in rules.fields if each.of == "deal" and not (each.left_out or each.name in fit))
        fit |= {field.name: field.kind.write(rules, rules.first[field.name]) for field in lacking}
    return fit


def _is_filled(value: Any) -> bool:
    return any(map(_is_filled, value.values())) if isinstance(value, Mapping) else bool(value)
