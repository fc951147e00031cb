"""The remedies of an irregularity in words: who chooses between them, what each does, and until when."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.cards import listed
from hoyle_conformance.wording.rulings import REMEDIES, UNTIL, plain
from hoyle_conformance.wording.text import sentence

Row = Mapping[str, Any]

#: When a remedy is open, where it is not always.
ONLY_IF: Final = MappingProxyType(
    {
        "non-dealer-has-not-looked": "if the non-dealer has not looked at their cards",
        "offender-has-not-looked": "if the offender has not looked at their cards",
        "offender-has-looked": "once the offender has looked at their cards",
    }
)

#: Who chooses between several remedies.
_CHOOSES: Final = MappingProxyType(
    {
        "other": "The other player chooses",
        "non-dealer": "The non-dealer chooses",
        "both": "Both players must agree on the first; otherwise it is the other",
        None: "Nobody chooses",
    }
)


def is_irregularity(value: object) -> bool:
    """Whether a cell's value is an irregularity."""
    return isinstance(value, Mapping) and "remedies" in value


def effects(suite: Suite, remedy: Row) -> list[str]:
    """What a remedy does to the position, a phrase each; none where it is about what lies beyond."""
    row = suite.schemas.documents["ruleset"]["$defs"]["irregularity"]["properties"]
    does = row["remedies"]["items"]["properties"]["does"]["items"]["properties"]["effect"]["sentences"]
    return [does[each["effect"]].format(points=f"{each.get('points', 0):,}") for each in remedy["does"]]


def done(suite: Suite, row: Row) -> str:
    """What all remedies of an irregularity do, in one sentence."""
    ways = [listed(effects(suite, each)) or plain(each["choice"]) for each in row["remedies"]]
    return sentence(listed(ways, "or"))


def chosen_by(row: Row) -> str:
    """Who chooses, where there is anything to choose."""
    return _CHOOSES[row.get("chooses")] if len(row["remedies"]) > 1 else ""


def ways(suite: Suite, row: Row) -> list[str]:
    """What may be chosen: what each is, when it is open, and what it does."""
    return [_way(suite, each) for each in row["remedies"]] if chosen_by(row) else []


def unchosen(suite: Suite, row: Row) -> str:
    """What is done where nobody chooses, in a sentence; nothing where there is a choice, or it lies beyond the game."""
    does = [effect for each in row["remedies"] for effect in effects(suite, each)]
    return sentence(listed(does)) if does and not chosen_by(row) else ""


def _way(suite: Suite, remedy: Row) -> str:
    choice, does = remedy["choice"], listed(effects(suite, remedy))
    when = f", {ONLY_IF[remedy['only_if']]}" if "only_if" in remedy else ""
    return f"{REMEDIES.get(choice, plain(choice))}{when}{f': {does}' if does else ''}"


def deadline(row: Row) -> str:
    """Until when it may be claimed, as a sentence."""
    until = UNTIL[row["until"]]
    return sentence(f"it may be claimed {until}" if until.startswith("only") else until)
