"""A shuffled pack as a position, and the step that deals it or cuts for the deal."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hoyle_reference import Malformed, Rules
from hoyle_reference.cards import names

#: What stays of a position when the cards are dealt anew.
_OF_THE_GAME: Final = ("score", "deal")
#: Who deals where nobody is named: the other player is elder, or leads.
_DEALER: Final = "B"

Laid = tuple[dict[str, Any], dict[str, Any]]


def dealt(
    asked: Sequence[Rules], deck: Sequence[str], dealer: str = "", given: Mapping[str, Any] | None = None
) -> Laid:
    """Return a position before the deal, and the step that deals this pack; raises Malformed if it is no whole pack.

    Packets are of a size that all these rules allow, where the dealer may choose.
    """
    rules = asked[0]
    _check_pack(rules, deck)
    was = given or {}
    who = dealer or str(was.get("dealer", _DEALER))
    if who not in rules.letters:
        raise Malformed(f"{who} is not one of the players, {', '.join(rules.letters)}")
    step = {"by": who, "do": "deal", "deck": list(deck), **_packets(asked)}
    return {"before": "deal", "dealer": who, **{key: was[key] for key in _OF_THE_GAME if key in was}}, step


def cut(asked: Sequence[Rules], deck: Sequence[str]) -> Laid:
    """Return a position before the cut, and the step by which each player cuts the next card of this pack."""
    rules = asked[0]
    _check_pack(rules, deck)
    return {"before": "cut"}, {"do": "cut", "cards": list(deck[: rules.players])}


def _check_pack(rules: Rules, deck: Sequence[str]) -> None:
    if sorted(deck) != sorted(names(rules.pack)):
        raise Malformed(f"a whole pack has {len(rules.pack)} cards, each exactly once")


def _packets(asked: Sequence[Rules]) -> dict[str, int]:
    """Return the size of the packets if a ruleset leaves it to the dealer: the first that all of them allow."""
    ways = [[way[0] for way in rules.deal.packets.value] for rules in asked]
    if all(len(each) == 1 for each in ways):
        return {}
    common = [size for size in ways[0] if all(size in each for each in ways)]
    return {"packets": (common or next(each for each in ways if len(each) > 1))[0]}
