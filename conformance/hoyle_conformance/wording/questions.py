"""Questions in the words of a person; those that need no position include their circumstances."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.wording import calls as calling
from hoyle_conformance.wording.cards import cards, sort_hand, suit_name
from hoyle_conformance.wording.rulings import titled
from hoyle_conformance.wording.text import join_and

Step = Mapping[str, Any]
#: The words for a game that counts as one or two games of a partie. Games settled by points are for many more.
GAMES: Final[Mapping[int, str]] = MappingProxyType({1: "a single game", 2: "a double game"})
#: The names of combinations in a ruleset and the titles of its irregularities, by id.
Names = Mapping[str, str]


def _winner(step: Step, _names: Names) -> str:
    return f"Who wins the trick {cards(step['cards'])}, led by {step['by']}{_circumstances(step)}?"


def _playable(step: Step, _names: Names) -> str:
    if "hand" not in step:
        return f"Which cards may {step['by']} play?"
    does = f"play to {cards(step['led'])}" if step["led"] else "lead"
    return f"Which of {cards(sort_hand(step['hand']))} may {step['by']} {does}{_circumstances(step)}?"


def _circumstances(step: Step) -> str:
    """Return the circumstances of a question: trumps, and whether cards are being drawn."""
    told = []
    if "trumps" in step:
        told.append(f"with {suit_name(step['trumps'])} for trumps" if step["trumps"] else "with no trumps yet")
    if "drawing" in step:
        told.append("while cards are drawn" if step["drawing"] else "when nobody draws any more")
    return "".join(f", {each}" for each in told)


def _worth(step: Step, names: Names) -> str:
    """Return the question for the points of cards as one combination, or as their best."""
    what = f"as {names.get(step['meld'], step['meld'])}" if "meld" in step else "at the most, and as which combination"
    return f"What do {cards(step['cards'])} score {what}{_circumstances(step)}?"


def _declarable(step: Step, _names: Names) -> str:
    if "hand" not in step:
        return f"Which combinations may {step['by']} score now?"
    return f"Which combinations does {step['by']} hold with {cards(sort_hand(step['hand']))}{_circumstances(step)}?"


def _class_winner(step: Step, _names: Names) -> str:
    good = f"Whose {step['class']} is good, if {step['by']} is elder?"
    if "hands" in step:
        return f"{good} {calling.hands_of_each(step['hands'])}"
    calls = {seat: calling.whole_call({"class": step["class"], **said}) for seat, said in step["calls"].items()}
    return f"{good} {'; '.join(f'{seat} calls {call}' for seat, call in calls.items())}"


def _reckoning(step: Step, _names: Names) -> str:
    asked = f"What does each score before the play, if {step['by']} is elder{calling.blanks_shown(step)}?"
    return f"{asked} {calling.hands_of_each(step['hands'])}"


def _settlement(step: Step, _names: Names) -> str:
    scores = join_and([f"{seat} has {points:,}" for seat, points in step["score"].items()])
    brisques = join_and([f"{points:,} ({seat})" for seat, points in step.get("brisques", {}).items()])
    return f"How is a game settled in which {scores}{f', and brisques of {brisques}' if brisques else ''}?"


def _partie(step: Step, _names: Names) -> str:
    won = (f"{seat} has won {count} single and {step['double'][seat]} double" for seat, count in step["single"].items())
    return f"Who has won the partie, with these games? {'; '.join(won)}"


def _ruling(step: Step, names: Names) -> str:
    count = f", with {step['count']} cards" if "count" in step else ""
    return f"Irregularity by {step['by']}{count}: {titled(step['irregularity'], names)}. What is the ruling?"


#: Every question.
QUESTIONS: Final[Mapping[str, Callable[[Step, Names], str]]] = MappingProxyType(
    {
        "winner": _winner,
        "playable": _playable,
        "worth": _worth,
        "declarable": _declarable,
        "exchangeable": lambda step, _n: f"Which sevens may {step['by']} exchange or show now?",
        "counted": lambda step, _n: f"What do {cards(step['cards'])} count for the winner of the tricks?",
        "visible": lambda step, _n: f"Which cards may {step['by']} look at?",
        "class-winner": _class_winner,
        "reckoning": _reckoning,
        "trick-points": lambda step, _n: (
            f"What do these tricks score, {step['by']} leading? {calling.tricks(step['cards'])}"
        ),
        "settlement": _settlement,
        "partie": _partie,
        "ruling": _ruling,
    }
)
