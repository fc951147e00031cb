"""Steps, expectations, observations and positions in words."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.runner.judge import REPORTED
from hoyle_conformance.suite.model import Relabelling
from hoyle_conformance.wording import calls as calling
from hoyle_conformance.wording import questions, rulings
from hoyle_conformance.wording.cards import card, cards, sort_hand, suit_name
from hoyle_conformance.wording.rulings import titled
from hoyle_conformance.wording.text import join_and, sanitize
from hoyle_reference import Rules
from hoyle_reference.cards import SUITS
from hoyle_reference.refusals import MESSAGES
from hoyle_reference.seats import SEATS, seat_name

_SHOWN_OF_DECK: Final = 20  # cards

Names = questions.Names


def with_ids(text: str, names: Names) -> str:
    """Return a text with the names of combinations, which differ between books, replaced by their ids."""
    ids: dict[str, str] = {}
    for id_, name in names.items():
        ids.setdefault(name.lower(), id_)
    return _any_of(tuple(ids)).sub(lambda found: ids[found[0].lower()], text) if ids else text


@cache
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern for any of these names as whole words of a text; longer names come first."""
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])", re.IGNORECASE)


def step(step: Mapping[str, Any], names: Names) -> str:
    """Return a step of a scenario in words."""
    if "do" in step:
        return ACT_PHRASES[step["do"]](step.get("by", ""), step, names) + rulings.irregular_note(step)
    return questions.QUESTIONS[step["ask"]](step, names)


def _declared(step: Mapping[str, Any], names: Names) -> str:
    """Return the combination that a step declares, or all of a class, each with its cards."""
    return join_and([f"{titled(m['meld'], names)}{calling.its_cards(m['cards'])}" for m in step.get("melds", [step])])


Phrase = Callable[[str, Mapping[str, Any], Names], str]

#: The phrase for each act, from the player, the act, and the names of combinations.
ACT_PHRASES: Final[Mapping[str, Phrase]] = MappingProxyType(
    {
        "cut": lambda _by, step, _n: join_and(
            [f"{seat} cuts {card(text)}" for seat, text in zip("ABCD", step["cards"], strict=False)]
        ),
        "choose": lambda by, step, _n: f"{by} chooses {rulings.choice(step['choice'])}{calling.taken_cards(step)}",
        "deal": lambda by, step, _n: f"{by} deals{calling.packets(step)}, the pack from the top: {_deck(step['deck'])}",
        "play": lambda by, step, _n: f"{by} plays {card(step['card'])}",
        "trick": lambda by, step, _n: f"{by} leads to a trick: {cards(step['cards'])}",
        "declare": lambda by, step, names: f"{by} declares {_declared(step, names)}",
        "hold": lambda by, step, names: f"{by} keeps {titled(step['meld'], names)} to score: {cards(step['cards'])}",
        "exchange": lambda by, step, _n: f"{by} exchanges {card(step['card'])} for the turn-up",
        "show": lambda by, step, _n: f"{by} shows {card(step['card'])}",
        "draw": lambda by, step, _n: rulings.draws(by, step),
        "draw-all": lambda by, _step, _n: f"everyone draws, {by} first",
        "discard": lambda by, step, _n: f"{by} exchanges {cards(sort_hand(step['cards']))}{calling.takes(step)}",
        "peep": lambda by, step, _n: calling.peeps(by, step),
        "announce": lambda by, step, _n: f"{by} announces {calling.whole_call(step)}",
        "answer": lambda by, step, _n: f"{by} says: {calling.ANSWERS.get(step['says'], step['says'])}",
        "prove": lambda by, _step, _n: f"{by} shows a carte blanche",
        "carte-blanche": lambda by, _step, _n: f"{by} shows carte blanche",
        "mishap": rulings.mishap,
        "claim": lambda by, step, _n: f"{by} claims: {rulings.plain(step['irregularity'])}",
    }
)


def _deck(deck: Sequence[str]) -> str:
    shown = deck if len(deck) <= _SHOWN_OF_DECK else [*deck[:_SHOWN_OF_DECK], "..."]
    return " ".join("…" if text == "..." else card(text) for text in shown)


def value(what: str, value: Any, names: Names) -> str:
    """Return the words for a value that was expected or observed under a key."""
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
    """Return any value that an implementation may have sent, in plain words that are safe to print on one line."""
    return sanitize(_plain(value)).replace("\n", " ")


def _plain(value: Any) -> str:
    """Return a JSON value in plain words: nothing, yes, no, a number, a text, or the content of a list or an object."""
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_plain(each)}" for key, each in value.items()) or "nothing"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_plain, value)) or "nothing"
    if value is None:
        return "nothing"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _lying(value: Mapping[str, Any]) -> str:
    """Return the places that have cards, with these cards."""
    piles = {
        place: {seat: some for seat, some in pile.items() if some} if isinstance(pile, Mapping) else pile
        for place, pile in value.items()
    }
    return "; ".join(f"{place} {_plain(pile)}" for place, pile in piles.items() if pile) or _OF_NOTHING["position"]


def _answer(value: Any, names: Names) -> str:
    if isinstance(value, str):
        return value if value in tuple("ABCD") else f"the text {printable(repr(value))}"
    if value is None:
        return "nobody"
    if isinstance(value, int):
        return points(value)
    if isinstance(value, Mapping):
        if "chooses" in value:
            return rulings.ruling(value)
        if "meld" in value:
            return f"{names.get(value['meld'], value['meld'])}, {points(value['points'])}"
        return _settlement(value) if "winner" in value else _scores(value, {})
    if value and isinstance(value[0], Mapping):
        said = (f"{names.get(each['meld'], each['meld'])} {cards(sort_hand(each['cards']))}" for each in value)
        return "; ".join(sorted(said))
    return cards(sort_hand(value))


def _settlement(value: Mapping[str, Any]) -> str:
    if value["winner"] is None:
        return (
            "the game is void: no winner, no points" if value["points"] is None else "the game is drawn, for 0 points"
        )
    return f"{value['winner']} has won {won_game(value['points'])}"


def won_game(settled: int | None, game: str = "the game") -> str:
    """Return the words for a game that is won: the points for which it is settled, or a single or double game."""
    return game if settled is None else f"{game}, {questions.GAMES.get(settled) or f'for {points(settled)}'}"


def _refused(reason: str) -> str:
    return f"refused: {MESSAGES[reason]}"


def points(count: int) -> str:
    """Return a number of points."""
    return f"{count:,} point{'' if count == 1 else 's'}"


def _scores(value: Mapping[str, int], _names: Names) -> str:
    made = [f"{seat} scores {count:,}" for seat, count in value.items() if count]
    return join_and(made) if made else "nobody scores"


def _lost_or_doubled(value: Mapping[str, Any]) -> str:
    """Return the cards that are lost, and those that are duplicated, with all their places."""
    doubled = [
        f"{card(text)} occurs more than once: in {_count_places(places)}" for text, places in value["lie"].items()
    ]
    return "; ".join([*([f"lost: {cards(value['lost'])}"] if value["lost"] else []), *doubled])


def _count_places(places: Sequence[str]) -> str:
    """Return places with the number of times that each is named."""
    often = {1: "", 2: " (twice)"}
    times = {place: places.count(place) for place in places}
    return join_and([f"{place}{often.get(count, f' ({count} times)')}" for place, count in times.items()])


def _places(value: Mapping[str, Sequence[str]], _names: Names) -> str:
    return "; ".join(f"{place}: {cards(held)}" for place, held in value.items())


_VALUES: Final[Mapping[str, Callable[[Any, Names], str]]] = MappingProxyType(
    {
        "scores": _scores,
        "total": lambda value, _n: join_and([f"{seat} stands at {count:,}" for seat, count in value.items()]),
        "score": lambda value, _n: join_and([f"{seat} stands at {count:,}" for seat, count in value.items()]),
        "players": lambda value, _n: f"a score of {join_and(value) or 'nobody'}",
        "unchanged cards": _places,
        "cards lie": _places,
        "position": lambda value, _n: _lying(value),
        "refused": lambda value, _n: "accepted" if value is True else _refused(value),
        "accepted": lambda value, _n: {True: "accepted", False: "refused"}[value],
        "reason": lambda value, _n: _refused(value),
        "trick_won_by": lambda value, _n: f"{value} wins the trick",
        "turn": lambda value, _n: f"it is the turn of {value}",
        "dealer": lambda value, _n: f"{value} is the dealer",
        "trumps": lambda value, _n: f"{suit_name(value)} are trumps",
        "turn_up": lambda value, _n: f"the turn-up is {card(value)}",
        "hands": lambda value, _n: "; ".join(f"{seat} holds {cards(sort_hand(hand))}" for seat, hand in value.items()),
        "shown": lambda value, _n: "; ".join(
            f"{seat} has {cards(sort_hand(hand))} on the table" for seat, hand in value.items()
        ),
        "seen": lambda value, _n: "; ".join(
            f"{seat} has seen {cards(sort_hand(some))}" for seat, some in value.items()
        ),
        "choices": lambda value, _n: rulings.choices(value),
        "deals_left": lambda value, _n: f"{value} more deal{'' if value == 1 else 's'} must be played",
        "settled": lambda value, _n: _settlement(value),
        "stock_left": lambda value, _n: f"{value} cards are left in the stock",
        "game_won_by": lambda value, _n: f"{value} has won the game",
        "legal_acts": lambda value, _n: f"{value} legal act{'' if value == 1 else 's'}",
        "cards": lambda value, _n: value if isinstance(value, str) else _lost_or_doubled(value),
        "answer": _answer,
        "ruling": _answer,
        "worth": _answer,
    }
)
_OF_NOTHING: Final = MappingProxyType(
    {
        "trick_won_by": "no trick is won",
        "dealer": "nobody is the dealer yet",
        "trumps": "there are no trumps yet",
        "turn_up": "there is no turn-up left",
        "game_won_by": "the game goes on",
        "settled": "the game goes on",
        "legal_acts": "legal acts are not counted",
        "position": "no cards are on the table",
        "cards lie": "no cards are on the table",
        "ruling": "no ruling: the source has none, or nothing is irregular",
        "worth": "no such combination",
    }
)


def expectation(step: Mapping[str, Any], expected: Mapping[str, Any], names: Names) -> list[str]:
    """Return the expectations of a step, one phrase for each key."""
    return [value(value_key(step, key), wanted, names) for key, wanted in expected.items()]


def value_key(step: Mapping[str, Any], key: str) -> str:
    """Return the key for the words of a value; the answers to some questions have words of their own."""
    return step["ask"] if key == "answer" and step.get("ask") in {"ruling", "worth"} else key


def relabelling(turn: Relabelling) -> list[str]:
    """Return one line on how a check is relabelled; none if it is as in its file."""
    seats = [f"{now} for {was}" for was, now in zip(SEATS, turn.seats, strict=False) if was != now]
    suits = [
        f"{suit_name(now)} for {suit_name(was)}" for was, now in zip(SUITS, turn.suits, strict=False) if was != now
    ]
    return [f"Relabelled: {', '.join([*seats, *suits])}."] if seats or suits else []


def position(given: Mapping[str, Any], names: Names) -> list[str]:
    """Return the given parts of a position, one line for each."""
    lines = [_stand(given)]
    if "dealer" in given:
        lines.append(f"Dealer: {given['dealer']}.")
    if "trumps" in given or "turn_up" in given:
        turn_up = f", turn-up {card(given['turn_up'])}" if "turn_up" in given else ""
        trumps = given.get("trumps") or given["turn_up"][1]
        lines.append("No suit is trumps yet." if trumps == "none" else f"Trumps: {suit_name(trumps)}{turn_up}.")
    for seat, hand in given.get("hands", {}).items():
        lines.append(f"{seat} holds {_open(hand)}.")
    if "trick" in given:
        lines.append(f"In the trick: {cards(given['trick'])}.")
    for seat, pile in given.get("discarded", {}).items():
        lines.append(f"{seat} has discarded {_open(pile)}.")
    if "stock" in given:
        lines.append(f"Stock, from the top: {_open(given['stock'])}." if given["stock"] else "The stock is gone.")
    for seat, pile in given.get("won", {}).items():
        lines.append(f"{seat} has won {_open(pile)}.")
    for key, verb in (("scored", "has scored"), ("kept", "keeps to score")):
        for seat, combinations in given.get(key, {}).items():
            said = [f"{names.get(each['meld'], each['meld'])} ({cards(each['cards'])})" for each in combinations]
            lines.append(f"{seat} {verb} {join_and(said)}.")
    if "last_trick_won_by" in given:
        lines.append(f"{given['last_trick_won_by']} has won the trick that counts as the last.")
    if given.get("claimed"):
        lines.append(f"Already turned up, exchanged or shown: {cards(given['claimed'])}.")
    lines += [*calling.calls_so_far(given), *rulings.position(given)]
    if "score" in given:
        lines.append(f"Score: {join_and([f'{seat} {count:,}' for seat, count in given['score'].items()])}.")
    return lines


def partners(rules: Rules) -> list[str]:
    """Return the partners, and the player under whom their score is counted; none if there are no partners."""
    sides = [join_and(list(map(seat_name, side))) for side in rules.sides if len(side) > 1]
    first = join_and([seat_name(side[0]) for side in rules.sides])
    return [f"Partners: {'; '.join(sides)}. {first} holds their score."] if sides else []


def _stand(given: Mapping[str, Any]) -> str:
    """Return the state of the game in words."""
    if "before" in given:
        return f"Before the {given['before']}."
    return next(says for key, says in _STANDS.items() if key in given).format(**given)


_STANDS: Final = MappingProxyType(
    {
        "exchanges": "{exchanges} is to exchange cards.",
        "announces": "{announces} is to announce.",
        "leads": "{leads} leads.",
        "has_won": "{has_won} has won the last trick and has not drawn.",
    }
)


def _open(texts: Sequence[str]) -> str:
    known = [card(text) for text in texts if text != "..."]
    others = ["others"] if known and "..." in texts else ["any cards"] if "..." in texts else []
    return " and ".join([*([" ".join(known)] if known else []), *others]) or "nothing"
