"""Acts in the two to four words of a player, without their cards, which are drawn beside them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.wording import rulings
from hoyle_conformance.wording.calls import ANSWERS
from hoyle_conformance.wording.cards import suit_name
from hoyle_conformance.wording.rulings import plain
from hoyle_reference import Rules
from hoyle_reference.acts import POINT, SEQUENCE, SET
from hoyle_reference.cards import RANK_NAMES, RANKS

Step = Mapping[str, Any]
Names = Mapping[str, str]

_NUMBERS: Final = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
#: What is chosen, as a button says it.
_CHOICES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "deals": "Deal",
        "leaves-the-deal": "Leave the deal",
        "exposes-the-rest": "Turn up the rest",
        "looks-at-the-rest": "Look at the rest",
        "leaves-the-rest": "Leave the rest",
        "adds": "Add the points",
        "deducts": "Deduct the points",
        "deal-stands": "Let the deal stand",
        "deals-again": "Have it dealt again",
        "hand-is-completed": "Complete the hand",
        "surplus-is-drawn": "Draw the surplus",
        "surplus-stays": "Leave the surplus",
        "first-lifted": "The first card lifted",
        "second-lifted": "The second card lifted",
        "upper-card": "The upper card",
        "lower-card": "The lower card",
    }
)


def short(rules: Rules, melds: Names, step: Step) -> str:
    """Return an act or question in the few words of a player."""
    return _SHORT[step["do"]](rules, melds, step)


def _meld(melds: Names, step: Step) -> str:
    return melds.get(step["meld"], plain(step["meld"]))


def _declare(rules: Rules, melds: Names, step: Step) -> str:
    verb = "Score" if "classes" in rules.chapters else "Declare"
    return f"{verb} {_meld(melds, step)}"


def _announce(rules: Rules, melds: Names, step: Step) -> str:
    class_ = step["class"]
    if step.get("count") == 0:
        return f"No {class_}"
    if class_ == POINT:
        return f"Point of {_NUMBERS[step['count']]}" if "count" in step else f"Making {step['value']}"
    if class_ == SEQUENCE:
        return _sequence(rules, melds, step["count"]) if "count" in step else _top(step["top"])
    return _set(rules, melds, step) if class_ == SET else f"Announce a {class_}"


def _sequence(rules: Rules, melds: Names, count: int) -> str:
    """Return a sequence by its name, if this game has one for so many cards."""
    kind = rules.classes.sequences.get(count)
    return melds.get(kind.id, kind.id).capitalize() if kind else f"Sequence of {_NUMBERS[count]}"


def _top(top: str) -> str:
    return f"{RANK_NAMES[RANKS.index(top)].capitalize()} high" if top in RANKS else "A void suit"


def _set(rules: Rules, melds: Names, step: Step) -> str:
    kind = rules.classes.sets.get(step["count"])
    name = melds.get(kind.id, kind.id).capitalize() if kind else f"Set of {_NUMBERS[step['count']]}"
    return f"{name} of {plural_rank(RANK_NAMES[RANKS.index(step['rank'])])}"


def plural_rank(rank: str) -> str:
    """Return the name of a rank for several cards."""
    return f"{rank}es" if rank == "six" else f"{rank}s"


def _peep(_rules: Rules, _melds: Names, step: Step) -> str:
    return f"Name {suit_name(step['suit'])} and look" if "suit" in step else "Look at the rest"


def _discard(_rules: Rules, _melds: Names, step: Step) -> str:
    return "Exchange" if step["cards"] else "Exchange nothing"


def _choose(_rules: Rules, _melds: Names, step: Step) -> str:
    return _CHOICES.get(step["choice"]) or rulings.choice(step["choice"]).capitalize()


def _draw(_rules: Rules, _melds: Names, step: Step) -> str:
    return "Draw" if step.get("count", 1) == 1 else f"Draw {_NUMBERS[step['count']]}"


_SHORT: Final[Mapping[str, Callable[[Rules, Names, Step], str]]] = MappingProxyType(
    {
        "choose": _choose,
        "play": lambda _r, _m, _s: "Play",
        "declare": _declare,
        "hold": lambda _r, melds, step: f"Keep {_meld(melds, step)} to score",
        "exchange": lambda _r, _m, _s: "Exchange the seven",
        "show": lambda _r, _m, _s: "Show the seven",
        "draw": _draw,
        "draw-all": lambda _r, _m, _s: "Everybody draws",
        "discard": _discard,
        "peep": _peep,
        "announce": _announce,
        "answer": lambda _r, _m, step: ANSWERS[step["says"]].capitalize(),
        "prove": lambda _r, _m, _s: "Show the carte blanche",
        "carte-blanche": lambda _r, _m, _s: "Show carte blanche",
        "claim": lambda _r, _m, step: f"Claim: {plain(step['irregularity'])}",
    }
)
