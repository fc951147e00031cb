"""Left open: what nobody has said of a position though it must be something; it is taken to be something, and told."""

from collections.abc import Mapping
from typing import Any, Final

from hoyle_conformance.checks.setup.given import Given, not_given
from hoyle_conformance.wording import cards as printed
from hoyle_reference import Rules

_TRUMPS: Final = "trumps"
#: The suit that is taken to be trumps where nobody says which is.
_SUIT: Final = "H"
#: Where one of these is given, it is known which suit is trumps, or none can be yet.
_SAID: Final = frozenset({_TRUMPS, "turn_up", "before"})


def whole(rules: Rules, given: Given) -> Given:
    """Return the given of a position, with trumps if the rules need them."""
    if not _SAID.isdisjoint(given) or _TRUMPS in not_given(rules):
        return given
    return {**given, _TRUMPS: _SUIT}


def left_open(said: Mapping[str, Any], taken: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the points that a position leaves open, with the values that are assumed."""
    if _TRUMPS in said or _TRUMPS not in taken:
        return []
    says = f"Nobody has said what is trumps: taken to be {printed.suit_name(_SUIT)}."
    return [{"key": _TRUMPS, "value": _SUIT, "says": says}]
