"""Words for irregularities, claims, remedies and rulings."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.cards import cards
from hoyle_conformance.wording.text import join_and, sentence

#: What each remedy means to whoever takes it.
REMEDIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "adds": "to add the points to their own score",
        "deducts": "to take the points off the offender's score",
        "deal-stands": "to let the deal stand",
        "deals-again": "to have the cards dealt again",
        "hand-is-completed": "to have the hand made up from the stock",
        "surplus-is-drawn": "to draw the cards that are too many",
        "surplus-stays": "to leave the cards that are too many",
        "first-lifted": "the first of the two cards",
        "second-lifted": "the second of the two cards",
        "upper-card": "the upper of the next two cards",
        "lower-card": "the lower of the next two cards",
    }
)

#: Until when it may be claimed.
UNTIL: Final[Mapping[str, str]] = MappingProxyType(
    {
        "at-once": "it is ruled on at once",
        "end-of-the-deal": "it may be claimed as long as the deal is played",
        "end-of-the-game": "it may be claimed as long as the game is played",
        "cards-are-taken-up": "only until a player takes up their cards",
        "dealer-plays": "only until the dealer's first card is played",
        "play-begins": "only until the first card is led",
        "other-player-draws": "only until the other player has drawn",
        "card-is-played-to": "only until the card has been played to",
        "card-of-the-next-trick": "only until a card of the next trick is played",
        "pack-is-cut": "only until the pack is cut to the dealer",
        "trick-is-turned-or-a-card-drawn": "only until the trick is turned or a card is drawn after it",
    }
)

_CHOOSES: Final = MappingProxyType({"both": "both players must agree", None: "nobody chooses"})


def plain(word: str) -> str:
    """Return a word of the vocabulary without its hyphens."""
    return word.replace("-", " ")


def choices(value: list[str]) -> str:
    """Return the choices that a player has."""
    return f"the choice is {join_and([plain(each) for each in value], 'or')}" if value else "there is nothing to choose"


def ruling(value: Mapping[str, Any]) -> str:
    """Return a ruling: who chooses, between what, and until when."""
    who = _CHOOSES.get(value["chooses"], f"{value['chooses']} chooses")
    return f"{who}: {join_and([plain(each) for each in value['choices']], 'or')}; {UNTIL[value['until']]}"


def draws(by: str, step: Mapping[str, Any]) -> str:
    """Return that a player draws, mostly one card."""
    count = step.get("count", 1)
    return f"{by} draws{'' if count == 1 else ' no card' if count == 0 else f' {count} cards'}"


def mishap(by: str, step: Mapping[str, Any]) -> str:
    """Return that an irregularity happens."""
    seen = f": {cards(step['cards'])}" if step.get("cards") else ""
    return f"by {by}, this happens: {plain(step['irregularity'])}{seen}"


def ruling_question(by: str, step: Mapping[str, Any]) -> str:
    """Return the question for the ruling on an irregularity."""
    count = f", with {step['count']} cards" if "count" in step else ""
    return f"What is the ruling on this of {by}{count}: {plain(step['irregularity'])}?"


def irregular_note(step: Mapping[str, Any]) -> str:
    """Return the note on an act that is carried out though it is refused, if it is."""
    return f", which is irregular ({plain(step['irregular'])})" if "irregular" in step else ""


def position(given: Mapping[str, Any]) -> list[str]:
    """Return what is irregular in a position, and who has won which of the last tricks."""
    lines = []
    for seat, surplus in given.get("surplus", {}).items():
        more = "too many" if surplus > 0 else "too few"
        lines.append(f"{seat} has {abs(surplus)} card{'' if abs(surplus) == 1 else 's'} {more}.")
    if "untouched" in given:
        lines.append(f"Not taken up yet: the cards of {join_and(given['untouched'])}.")
    if "heap" in given:
        lines.append(f"Among the tricks, these lie open: {cards(given['heap'])}.")
    won = [f"{seat} {count}" for seat, count in given.get("last_tricks", {}).items()]
    return [*lines, *([f"Won of the tricks after which nobody draws: {join_and(won)}."] if won else [])]


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
_WHO_CHOOSES: Final = MappingProxyType(
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
    """Return what a remedy does to the position, a phrase each; none where it is about what lies beyond."""
    row = suite.schemas.documents["ruleset"]["$defs"]["irregularity"]["properties"]
    does = row["remedies"]["items"]["properties"]["does"]["items"]["properties"]["effect"]["sentences"]
    return [does[each["effect"]].format(points=f"{each.get('points', 0):,}") for each in remedy["does"]]


def all_effects(suite: Suite, row: Row) -> str:
    """Return what all remedies of an irregularity do, in one sentence."""
    ways = [join_and(effects(suite, each)) or plain(each["choice"]) for each in row["remedies"]]
    return sentence(join_and(ways, "or"))


def who_chooses(row: Row) -> str:
    """Return who chooses, where there is anything to choose."""
    return _WHO_CHOOSES[row.get("chooses")] if len(row["remedies"]) > 1 else ""


def remedies_of(suite: Suite, row: Row) -> list[str]:
    """Return the remedies that may be chosen: what each is, when it is open, and what it does."""
    return [_way(suite, each) for each in row["remedies"]] if who_chooses(row) else []


def unchosen_effects(suite: Suite, row: Row) -> str:
    """Return what is done where nobody chooses, in a sentence.

    It is empty where there is a choice, or where the effect lies beyond the game.
    """
    does = [effect for each in row["remedies"] for effect in effects(suite, each)]
    return sentence(join_and(does)) if does and not who_chooses(row) else ""


def _way(suite: Suite, remedy: Row) -> str:
    choice, does = remedy["choice"], join_and(effects(suite, remedy))
    when = f", {ONLY_IF[remedy['only_if']]}" if "only_if" in remedy else ""
    return f"{REMEDIES.get(choice, plain(choice))}{when}{f': {does}' if does else ''}"


def deadline(row: Row) -> str:
    """Return until when an irregularity may be claimed, as a sentence."""
    until = UNTIL[row["until"]]
    return sentence(f"it may be claimed {until}" if until.startswith("only") else until)
