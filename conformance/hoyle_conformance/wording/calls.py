"""Words for acts before the play: dealing, exchanging cards, and calling combinations."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.wording.cards import cards, sort_hand, suit_name
from hoyle_conformance.wording.text import join_and
from hoyle_reference.cards import RANK_NAMES, RANKS

#: The choices of a player, in the form that follows the word "chooses".
CHOICES: Final = MappingProxyType(
    {
        "deals": "to deal",
        "leaves-the-deal": "to leave the deal to the next player",
        "exposes-the-rest": "to turn up the cards left over",
        "looks-at-the-rest": "to look at the cards left over",
        "leaves-the-rest": "to leave the other cards face down",
    }
)
#: The spoken answers of younger.
ANSWERS: Final = MappingProxyType(
    {"good": "good", "not-good": "not good", "equal": "equal", "making": "making?", "how-high": "how high?"}
)
#: The phrases for how points were made.
MADE_BY: Final = MappingProxyType(
    {
        "blank": "with a carte blanche",
        "point": "with the point",
        "sequence": "with sequences",
        "set": "with sets",
        "tricks": "by tricks",
        "bonus": "as a bonus",
        "beside": "in other ways",
    }
)
_OF_A_SET: Final = MappingProxyType({3: "trio", 4: "quatorze"})


def announcement(said: Mapping[str, Any]) -> str:
    """Return the announcement of a class: ``a point of 5``, ``a value of 49``, ``a quatorze of kings``."""
    class_, count = said["class"], said.get("count")
    if class_ == "blank":
        return "a carte blanche"
    if count == 0:
        return f"no {class_}"
    if "value" in said:
        return f"a value of {said['value']}"
    if "top" in said:
        return "a void suit" if said["top"] == "nought" else f"the {RANK_NAMES[RANKS.index(said['top'])]} on top"
    if "rank" in said:
        return f"a {_OF_A_SET.get(said['count'], 'set')} of {RANK_NAMES[RANKS.index(said['rank'])]}s"
    return f"a {class_} of {count}"


def peeps(seat: str, step: Mapping[str, Any]) -> str:
    """Return the player who looks at cards of the talon, or names a suit to see them."""
    does = f"names {suit_name(step['suit'])} for the first lead" if "suit" in step else "looks at the cards left"
    return f"{seat} {does}"


def whole_call(said: Mapping[str, Any]) -> str:
    """Return all that a player calls of a class: ``a point of 5, a value of 49``."""
    if said.get("count") and said.keys() & {"value", "top"}:
        return f"{announcement({'class': said['class'], 'count': said['count']})}, {announcement(said)}"
    return announcement(said)


def packets(step: Mapping[str, Any]) -> str:
    """Return the packets in which a hand is dealt, if the step has them."""
    return f" in packets of {step['packets']}" if "packets" in step else ""


def takes(step: Mapping[str, Any]) -> str:
    """Return the number of cards that an exchange takes, if the step has it."""
    return f", and takes {step['takes']}" if "takes" in step else ""


def taken_cards(step: Mapping[str, Any]) -> str:
    """Return the cards that a choice takes, if it names any."""
    return f": {cards(step['cards'])}" if step.get("cards") else ""


def its_cards(texts: Sequence[str]) -> str:
    """Return the cards of a combination, or the words for a void suit."""
    return f": {cards(texts)}" if texts else ", a void suit"


def hands_of_each(hands: Mapping[str, Sequence[str]]) -> str:
    """Return the hand of each player, in a row."""
    return "; ".join(f"{seat} holds {cards(sort_hand(hand))}" for seat, hand in hands.items())


def blanks_shown(step: Mapping[str, Any]) -> str:
    """Return the players who showed a carte blanche; empty if nobody did."""
    return f" and {join_and(step['blanks'])} showed a carte blanche" if step.get("blanks") else ""


def tricks(texts: Sequence[str]) -> str:
    """Return cards in pairs, in the order in which they were played."""
    return ", ".join(cards(texts[at : at + 2]) for at in range(0, len(texts), 2))


def calls_so_far(given: Mapping[str, Any]) -> list[str]:
    """Return the calls and scores of the deal so far, and the number of the deal."""
    lines = [f"This is deal {given['deal']}."] if "deal" in given else []
    lines += [f"{seat} deals in packets of {size}." for seat, size in given.get("packets", {}).items()]
    lines += [f"{seat} has scored a carte blanche." for seat in given.get("blanks", ())]
    for class_, said in given.get("announced", {}).items():
        lines.append(f"Elder has announced {announcement({'class': class_, **said})}.")
    for class_, seat in given.get("called", {}).items():
        lines.append(f"Nobody scores a {class_}." if seat == "nobody" else f"The {class_} is good for {seat}.")
    for seat, made in given.get("made_of", {}).items():
        points_made = join_and([f"{points:,} {MADE_BY[cause]}" for cause, points in made.items()])
        lines.append(f"In this deal {seat} has made {points_made}.")
    return lines
