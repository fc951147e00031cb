"""Words for irregularities, claims, remedies and rulings."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.wording.calls import CHOICES
from hoyle_conformance.wording.cards import cards
from hoyle_conformance.wording.text import join_and

#: The meaning of each remedy for the player who may choose it.
REMEDIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "adds": "to add the points to their own score",
        "deducts": "to take the points off the offender's score",
        "deal-stands": "to let the deal stand",
        "deals-again": "to have the cards dealt again",
        "hand-is-completed": "to have the hand made up from the stock",
        "surplus-is-drawn": "to draw the surplus",
        "surplus-stays": "to leave the surplus",
        "first-lifted": "the first of the two cards",
        "second-lifted": "the second of the two cards",
        "upper-card": "the upper of the next two cards",
        "lower-card": "the lower of the next two cards",
        "is-put-right": "to let the dealer correct the deal",
        "stays-as-it-is": "to leave it as it is",
        "pays-the-stakes": "to have the stakes paid",
        "no-penalty": "to ask for no penalty",
        "reckons-nothing": "to have the offender score nothing in this deal",
        "is-forgiven": "to waive the penalty",
    }
)

#: The time limits for ruling on an irregularity.
UNTIL: Final[Mapping[str, str]] = MappingProxyType(
    {
        "at-once": "at once",
        "end-of-the-deal": "before the deal ends",
        "end-of-the-game": "before the game ends",
        "cards-are-taken-up": "before anybody takes up a card",
        "dealer-plays": "before the dealer plays",
        "play-begins": "before the first lead",
        "other-player-draws": "before the opponent draws",
        "card-is-played-to": "before the opponent plays to the card",
        "card-of-the-next-trick": "before the next trick begins",
        "pack-is-cut": "before the pack is cut to the dealer",
        "offender-plays": "before the offender plays a card",
        "stock-is-taken-from": "before anybody takes a card of the stock",
        "exchange-is-over": "before both players have exchanged",
        "trick-is-turned-or-a-card-drawn": "before the trick is turned or the next card drawn",
    }
)

#: The sentences for remedies that no player chooses, or that both must agree on, if their words do not make one.
HAPPENS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "deals-again": "the cards are dealt again",
        "hand-is-completed": "the hand is made up from the stock",
        "cut-again": "the cards are cut again",
        "stays-as-it-is": "the play stands",
        "no-penalty": "there is no penalty",
        "is-taken-up": "the card is taken up",
        "all-but-one-are-taken-up": "all cards but one are taken up",
        "tricks-are-taken-up": "the opponent takes up the open tricks",
        "is-not-allowed": "this is not allowed",
        "is-corrected": "the score is corrected",
        "is-replayed": "the card is taken back and played again",
        "turned-face-down": "the card is turned face down",
        "fresh-packs": "the players take new packs",
        "tricks-are-forfeited": "the offender loses the last tricks",
        "is-rubiconed": "the offender is rubiconed",
        "last-trick-is-the-others": "the opponent scores the last trick",
        "draws-no-more-yet": "the offender draws no card until the hand is right",
        "cards-are-shown": "the offender shows a card",
        "cards-are-chosen": "the opponent chooses between the next cards",
        "points-to-the-other": "the other side scores",
        "remains-on-the-table": "the card stays on the table",
        "plays-with-fewer": "the offender plays with fewer cards",
        "game-is-lost": "the offender loses the game",
        "deals-twice-running": "elder deals the next two deals",
        "lowest-is-the-card-cut": "the lowest card shown is the card cut",
        "suit-is-called": "the opponent names the suit of the next lead",
    }
)

#: Irregularities that cannot occur in games for two, with the numbers of players for which they can (irregular-3).
_PLAYERS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {"card-exposed-at-three-or-four": (3, 4), "led-out-of-turn-at-three-or-four": (3, 4)}
)


def is_irregularity(value: object) -> bool:
    """Return whether a cell's value is an irregularity."""
    return isinstance(value, Mapping) and "remedies" in value


def can_occur(row: Mapping[str, Any], players: int) -> bool:
    """Return whether a row of a list can occur in a game for this number of players; only some irregularities
    cannot."""
    return not is_irregularity(row) or players in _PLAYERS.get(row["id"], (players,))


def plain(word: str) -> str:
    """Return a word of the vocabulary without its hyphens."""
    return word.replace("-", " ")


def happens(word: str) -> str:
    """Return a remedy as a sentence: its own, or its word as one."""
    return HAPPENS.get(word, f"the {plain(word)}")


def choice(word: str) -> str:
    """Return a choice as an infinitive, for the player who makes it."""
    return CHOICES.get(word) or REMEDIES.get(word) or f"that {happens(word)}"


def choices(value: list[str]) -> str:
    """Return the choices that a player has."""
    ways = join_and([choice(each) for each in value], "or")
    return f"the choice is {ways}" if ways else "there is nothing to choose"


def ruling(value: Mapping[str, Any]) -> str:
    """Return a sentence for a ruling: the consequence, or the choices of a player, and the time limit."""
    until = UNTIL[value["until"]]
    if value["chooses"] not in {None, "both"}:
        return f"{value['chooses']} may choose {join_and([choice(each) for each in value['choices']], 'or')}, {until}"
    all_happen = [happens(each) for each in value["choices"]]
    if value["chooses"] == "both":
        return f"{until}, {all_happen[0]} if both players agree; otherwise {join_and(all_happen[1:], 'or')}"
    return f"{join_and(all_happen, 'or')} (to be claimed {until})"


def draws(by: str, step: Mapping[str, Any]) -> str:
    """Return a sentence for a player who draws, usually one card."""
    count = step.get("count", 1)
    return f"{by} draws{'' if count == 1 else ' no card' if count == 0 else f' {count} cards'}"


def titled(word: str, names: Mapping[str, str]) -> str:
    """Return a word of the vocabulary by its name or title in a book."""
    return names.get(word, plain(word))


def mishap(by: str, step: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return a sentence for an irregularity that happens."""
    seen = f" ({cards(step['cards'])})" if step.get("cards") else ""
    return f"irregularity by {by}: {titled(step['irregularity'], names)}{seen}"


def irregular_note(step: Mapping[str, Any]) -> str:
    """Return the note on an act that is carried out although it is refused; empty for other acts."""
    return f", which is irregular ({plain(step['irregular'])})" if "irregular" in step else ""


def position(given: Mapping[str, Any]) -> list[str]:
    """Return the irregularities of a position, and the winners of the last tricks."""
    lines = []
    for seat, surplus in given.get("surplus", {}).items():
        more = "too many" if surplus > 0 else "too few"
        lines.append(f"{seat} has {abs(surplus)} card{'' if abs(surplus) == 1 else 's'} {more}.")
    if "untouched" in given:
        lines.append(f"Nobody has looked at the cards of {join_and(given['untouched'])} yet.")
    if "heap" in given:
        lines.append(f"These cards are face up among the tricks: {cards(given['heap'])}.")
    won = [f"{seat} has won {count}" for seat, count in given.get("last_tricks", {}).items()]
    return [*lines, *([f"Of the tricks after which nobody draws, {join_and(won)}."] if won else [])]
