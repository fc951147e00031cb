"""Words: cards, steps, expectations and observations as people say them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from hoyle_reference.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS
from hoyle_reference.refusals import MESSAGES

from ..run.judge import REPORTED
from .layout import harmless

SYMBOLS: Final = MappingProxyType(dict(zip(SUITS, "♣♦♥♠", strict=True)))
_SHOWN_OF_DECK: Final = 20  # cards
_COPIES: Final = "⁰¹²³⁴⁵⁶⁷⁸"

#: Names of combinations, by id, for a ruleset.
Names = Mapping[str, str]


def card(text: str) -> str:
    """A card as it is printed: ``K♠``, ``10♥²``; what is no card is printed as it stands."""
    if text[:1] not in RANKS or text[1:2] not in SUITS or not text[1:]:
        return text
    rank = "10" if text[0] == "T" else text[0]
    return rank + SYMBOLS[text[1]] + (_COPIES[int(text[3])] if "#" in text else "")


def card_name(text: str) -> str:
    """A card as it is read aloud: ``king of spades``."""
    copy = f" (copy {text[3]})" if "#" in text else ""
    return f"{RANK_NAMES[RANKS.index(text[0])]} of {SUIT_NAMES[SUITS.index(text[1])]}{copy}"


def cards(texts: Iterable[str]) -> str:
    """Cards in a row; a word where there are none."""
    return " ".join(map(card, texts)) or "nothing"


def in_order(texts: Iterable[str]) -> list[str]:
    """Cards as a player sorts a hand: by suits, the highest first; anything else as it comes, at the end."""
    return sorted(texts, key=lambda text: (SUITS.find(text[1:2]), -RANKS.find(text[:1]), text))


def suit(letter: str) -> str:
    """The name of a suit."""
    return SUIT_NAMES[SUITS.index(letter)]


def listed(items: Sequence[str], last: str = "and") -> str:
    """Items in a row of words: ``a, b and c``."""
    return f"{', '.join(items[:-1])} {last} {items[-1]}" if len(items) > 1 else "".join(items)


def step(step: Mapping[str, Any], names: Names) -> str:
    """A step of a scenario in words."""
    by = step.get("by", "")
    table = _ACTS if "do" in step else _QUESTIONS
    return table[step["do" if "do" in step else "ask"]](by, step, names)


def _meld(step: Mapping[str, Any], names: Names) -> str:
    return names.get(step["meld"], step["meld"])


Phrase = Callable[[str, Mapping[str, Any], Names], str]

_ACTS: Final[Mapping[str, Phrase]] = MappingProxyType(
    {
        "cut": lambda _by, step, _n: listed(
            [f"{seat} cuts {card(text)}" for seat, text in zip("ABCD", step["cards"], strict=False)]
        ),
        "choose": lambda by, step, _n: (
            f"{by} chooses {'to deal' if step['option'] == 'deals' else 'to leave the deal to the next player'}"
        ),
        "deal": lambda by, step, _n: f"{by} deals, the pack from the top: {_deck(step['deck'])}",
        "play": lambda by, step, _n: f"{by} plays {card(step['card'])}",
        "trick": lambda by, step, _n: f"{by} leads to a trick: {cards(step['cards'])}",
        "declare": lambda by, step, names: f"{by} declares {_meld(step, names)}: {cards(step['cards'])}",
        "hold": lambda by, step, names: f"{by} keeps {_meld(step, names)} to score: {cards(step['cards'])}",
        "exchange": lambda by, step, _n: f"{by} exchanges {card(step['card'])} for the turn-up",
        "show": lambda by, step, _n: f"{by} shows {card(step['card'])}",
        "draw": lambda by, _step, _n: f"{by} draws",
        "draw-all": lambda by, _step, _n: f"everyone draws, {by} first",
    }
)

_QUESTIONS: Final[Mapping[str, Phrase]] = MappingProxyType(
    {
        "winner": lambda by, step, _n: f"Who wins the trick {cards(step['cards'])}, led by {by}?",
        "playable": lambda by, _step, _n: f"Which cards may {by} play?",
        "worth": lambda _by, step, names: f"What do {cards(step['cards'])} score as {_meld(step, names)}?",
        "declarable": lambda by, _step, _n: f"Which combinations may {by} score now?",
        "counted": lambda _by, step, _n: f"What do {cards(step['cards'])} count to the winner of the tricks?",
    }
)


def _deck(deck: Sequence[str]) -> str:
    shown = deck if len(deck) <= _SHOWN_OF_DECK else [*deck[:_SHOWN_OF_DECK], "..."]
    return " ".join("…" if text == "..." else card(text) for text in shown)


def value(what: str, value: Any, names: Names) -> str:
    """What was expected or observed, under this key, in words."""
    key = what if what in _VALUES else what.removeprefix("unchanged ")
    if value is None and key in _OF_NOTHING:
        return _OF_NOTHING[key]
    if value == REPORTED:
        return f"'{key}' to be reported"
    phrase = _VALUES.get(key)
    try:
        return (phrase(value, names) if phrase else printable(value)) or "nothing"
    except (TypeError, AttributeError, KeyError, ValueError, IndexError):
        return printable(value)  # an implementation may have reported anything


def printable(value: Any) -> str:
    """Any value an implementation may have sent, made safe to print."""
    return harmless(value if isinstance(value, str) else repr(value)).replace("\n", " ")


def _answer(value: Any, names: Names) -> str:
    if isinstance(value, str):
        return value if value in tuple("ABCD") else f"the text {printable(repr(value))}"
    if isinstance(value, int):
        return points(value)
    if value and isinstance(value[0], Mapping):
        said = (f"{names.get(each['meld'], each['meld'])} {cards(in_order(each['cards']))}" for each in value)
        return "; ".join(sorted(said))
    return cards(in_order(value))


def _refused(reason: str) -> str:
    return f"refused: {MESSAGES[reason]}"


def points(count: int) -> str:
    """A number of points."""
    return f"{count:,} point{'' if count == 1 else 's'}"


def _scores(value: Mapping[str, int], _names: Names) -> str:
    made = [f"{seat} scores {count:,}" for seat, count in value.items() if count]
    return listed(made) if made else "nobody scores"


def _places(value: Mapping[str, Sequence[str]], _names: Names) -> str:
    return "; ".join(f"{place}: {cards(held)}" for place, held in value.items())


_VALUES: Final[Mapping[str, Callable[[Any, Names], str]]] = MappingProxyType(
    {
        "scores": _scores,
        "total": lambda value, _n: listed([f"{seat} stands at {count:,}" for seat, count in value.items()]),
        "score": lambda value, _n: listed([f"{seat} stands at {count:,}" for seat, count in value.items()]),
        "players": lambda value, _n: f"a score of {listed(value) or 'nobody'}",
        "unchanged cards": _places,
        "refused": lambda value, _n: "accepted" if value is True else _refused(value),
        "accepted": lambda value, _n: {True: "accepted", False: "refused"}[value],
        "reason": lambda value, _n: _refused(value),
        "trick_won_by": lambda value, _n: f"{value} wins the trick",
        "turn": lambda value, _n: f"it is the turn of {value}",
        "dealer": lambda value, _n: f"{value} is the dealer",
        "trumps": lambda value, _n: f"{suit(value)} are trumps",
        "turn_up": lambda value, _n: f"the turn-up is {card(value)}",
        "hands": lambda value, _n: "; ".join(f"{seat} holds {cards(in_order(hand))}" for seat, hand in value.items()),
        "shown": lambda value, _n: "; ".join(
            f"{seat} has on the table {cards(in_order(hand))}" for seat, hand in value.items()
        ),
        "stock_left": lambda value, _n: f"{value} cards are left in the stock",
        "game_won_by": lambda value, _n: f"{value} has won the game",
        "cards": lambda value, _n: (
            value if isinstance(value, str) else f"lost: {cards(value['lost'])}; doubled: {cards(value['doubled'])}"
        ),
        "answer": _answer,
    }
)
_OF_NOTHING: Final = MappingProxyType(
    {
        "trick_won_by": "no trick is won",
        "dealer": "nobody is the dealer yet",
        "trumps": "there are no trumps yet",
        "turn_up": "there is no turn-up left",
        "game_won_by": "the game goes on",
    }
)


def expectation(expected: Mapping[str, Any], names: Names) -> list[str]:
    """What a step must show, in words, one phrase a key."""
    return [value(key, wanted, names) for key, wanted in expected.items()]


def position(given: Mapping[str, Any], names: Names) -> list[str]:
    """A position given in part, in words: one line for each thing it says."""
    lines = [_stand(given)]
    if "dealer" in given:
        lines.append(f"Dealer: {given['dealer']}.")
    if "trumps" in given or "turn_up" in given:
        turn_up = f", turn-up {card(given['turn_up'])}" if "turn_up" in given else ""
        trumps = given.get("trumps") or given["turn_up"][1]
        lines.append("No suit is trumps yet." if trumps == "none" else f"Trumps: {suit(trumps)}{turn_up}.")
    for seat, hand in given.get("hands", {}).items():
        lines.append(f"{seat} holds {_open(hand)}.")
    if "trick" in given:
        lines.append(f"In the trick: {cards(given['trick'])}.")
    if "stock" in given:
        lines.append(f"Stock, from the top: {_open(given['stock'])}." if given["stock"] else "The stock is gone.")
    for seat, pile in given.get("won", {}).items():
        lines.append(f"{seat} has won {_open(pile)}.")
    for key, verb in (("scored", "has scored"), ("kept", "keeps to score")):
        for seat, combinations in given.get(key, {}).items():
            said = [f"{names.get(each['meld'], each['meld'])} ({cards(each['cards'])})" for each in combinations]
            lines.append(f"{seat} {verb} {listed(said)}.")
    if "last_trick_won_by" in given:
        lines.append(f"{given['last_trick_won_by']} has won the trick that counts as the last.")
    if given.get("claimed"):
        lines.append(f"Already turned up, exchanged or shown: {cards(given['claimed'])}.")
    if "score" in given:
        lines.append(f"Score: {listed([f'{seat} {count:,}' for seat, count in given['score'].items()])}.")
    return lines


def _stand(given: Mapping[str, Any]) -> str:
    """Where the game stands."""
    if "before" in given:
        return f"Before the {given['before']}."
    return (
        f"{given['leads']} leads."
        if "leads" in given
        else f"{given['has_won']} has won the last trick and has not drawn."
    )


def _open(texts: Sequence[str]) -> str:
    known = [card(text) for text in texts if text != "..."]
    others = ["others"] if known and "..." in texts else ["any cards"] if "..." in texts else []
    return " and ".join([*([" ".join(known)] if known else []), *others]) or "nothing"
