"""Forms: the rulesets of a game for as many players with as many packs, among which a position can be the same."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Rules
from hoyle_reference.table.table import OF_THE_DEAL

#: What is remembered only for the sake of rules that other tables do not have, and means nothing without them.
NEEDLESS: Final = frozenset({"last_tricks", "last_trick_won_by", "heap"})


class Form(NamedTuple):
    """A game for so many players with so many packs, and the rulesets that are such, plain and with each option."""

    game: str
    players: int
    packs: int
    rulesets: tuple[str, ...]

    @property
    def plain(self) -> tuple[str, ...]:
        """The rulesets without options."""
        return tuple(name for name in self.rulesets if "+" not in name)


def forms(suite: Suite) -> list[Form]:
    """The forms that a suite has rulesets of, in its order."""
    found: dict[tuple[str, int, int], list[str]] = {}
    for name in suite.ruleset_names:
        rules = suite.rules(name)
        found.setdefault((game_of(suite, name), rules.players, rules.packs), []).append(name)
    return [Form(*about, tuple(names)) for about, names in found.items()]


def game_of(suite: Suite, ruleset: str) -> str:
    """The game that a ruleset is a form of."""
    return suite.rulesets[ruleset.partition("+")[0]].game


def fitted(position: Mapping[str, Any], rules: Rules) -> dict[str, Any] | None:
    """A position with the fields that these rules know; nothing where it says something that they know nothing of."""
    known = {field.name for field in rules.fields}
    strange = position.keys() - known
    if any(name not in NEEDLESS and _says_something(position[name]) for name in strange):
        return None
    fit = {name: value for name, value in position.items() if name in known}
    if "hands" in position:
        lacking = (each for each in OF_THE_DEAL if each.name in known and not (each.left_out or each.name in fit))
        fit |= {field.name: field.kind.write(rules, rules.first[field.name]) for field in lacking}
    return fit


def _says_something(value: Any) -> bool:
    return any(map(_says_something, value.values())) if isinstance(value, Mapping) else bool(value)
