"""What a scenario gives of a position: whether it makes sense, before the rest is filled in."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from hoyle_reference.chapters.deal import SEVEN
from hoyle_reference.chapters.declare.declaring import DeclareRules
from hoyle_reference.rules import Rules
from hoyle_reference.table.cards import SUITS, Card, name, rank_of, read_card, read_suit, suit_of
from hoyle_reference.table.seats import SEATS, Seat, seat_name

REST: Final = "..."
#: In a game of two packs there is one other of each card.
_TWO_ALIKE: Final = 2

Given = Mapping[str, Any]
Path = tuple[str | int, ...]
#: Where each card lies that has been given a place: ``("hands", "A")``.
Places = Mapping[Card, Path]


class Incomplete(Exception):
    """A position that cannot be completed; `path` leads to the place in the scenario's file."""

    def __init__(self, message: str, remedy: str, *path: str | int) -> None:
        super().__init__(message)
        self.message, self.remedy, self.path = message, remedy, path


#: What is given as trumps where no suit is that yet.
NO_TRUMPS: Final = "none"


def trumps_of(given: Given) -> str | None:
    """The trump suit of a position in the middle of a deal, if there is one yet."""
    suit = str(given.get("trumps") or given["turn_up"][1])
    return None if suit == NO_TRUMPS else suit


def combinations(given: Given, key: str) -> Iterator[tuple[Path, str, Mapping[str, Any]]]:
    """Every combination that is `scored` or `kept`: its place in the file, whose it is, and itself."""
    for seat, each in given.get(key, {}).items():
        for at, combination in enumerate(each):
            yield (key, seat, at), seat, combination


def place_cards(rules: Rules, given: Given) -> Places:
    """Where the cards lie that are given a place; raises Incomplete where they cannot lie so."""
    _check_seats(rules, given)
    handled = "talon" in rules.chapters
    for key in (*(_ONLY_DRAWN if handled else _ONLY_HANDLED), *_without_chapter(rules)):
        if key in given:
            raise Incomplete(f"there is no '{key}' under {rules.id}", "The position cannot arise there.", key)
    if "before" in given:
        return {}
    places = _places(rules, given)
    if len(given.get("trick", ())) >= rules.players:
        raise Incomplete("the trick is complete", "Give the cards to the player who has won it.", "trick")
    if handled:
        _check_handled(rules, given)
    else:
        _check_drawn(rules, given, places)
    return places


#: What is given only in games that are drawn for, and only in games that begin with an exchange.
_ONLY_DRAWN: Final = ("has_won", "trumps", "turn_up", "kept", "claimed", "last_trick_won_by")
_ONLY_HANDLED: Final = ("exchanges", "announces", "discarded", "called", "announced", "made", "deal", "packets")


def _without_chapter(rules: Rules) -> Iterator[str]:
    """What is not given in a game that lacks a chapter."""
    if rules.chapters.isdisjoint({"blank", "carte_blanche"}):
        yield "blanks"
    if "seven" not in rules.chapters:
        yield "claimed"


def _check_drawn(rules: Rules, given: Given, places: Places) -> None:
    _check_trick(rules, given)
    _check_trumps(rules, given, places)
    if "kept" in given and not rules.of(DeclareRules).may_keep.value:
        raise Incomplete(f"nothing is kept to score under {rules.id}", "The position cannot arise there.", "kept")
    for key in ("scored", "kept"):
        for path, seat, combination in combinations(given, key):
            _check_combination(rules, given, places, path, seat, combination)


def _check_handled(rules: Rules, given: Given) -> None:
    elder = next(letter for letter in SEATS[: rules.players] if letter != given.get("dealer", "B"))
    if given.get("announces", elder) != elder:
        raise Incomplete(
            f"{elder} is elder, and announces", f"Write 'announces: {elder}'; or give 'dealer: {elder}'.", "announces"
        )
    if "scored" in given:
        raise Incomplete("what has been scored is told by 'called' and 'made'", "Write these instead.", "scored")


def check_seat(rules: Rules, seat: str, *path: str | int) -> None:
    """Raise Incomplete where nobody sits in a seat that is named."""
    if seat not in SEATS[: rules.players]:
        remedy = f"The players are {', '.join(SEATS[: rules.players])}."
        raise Incomplete(f"there is no player {seat} in a game of {rules.players}", remedy, *path)


def check_card(rules: Rules, text: str, *path: str | int) -> Card:
    """The card that is named; raises Incomplete where the game does not have it."""
    card = read_card(text, rules.packs)
    if card is None:
        raise Incomplete(
            f"there is no {text} in {rules.packs} piquet pack{'' if rules.packs == 1 else 's'}",
            f"Write {_copies(text[:2], rules.packs)}.",
            *path,
        )
    return card


def _copies(face: str, packs: int) -> str:
    """How the copies of a face are written: ``KS or KS#2``."""
    return " or ".join([face, *(f"{face}#{copy}" for copy in range(2, packs + 1))])


def other_copy(rules: Rules, text: str) -> str:
    """What to do where a card is named twice."""
    if "#" in text or rules.packs == 1:
        return "Remove one of them."
    return f"Write {text}#2 for {'another' if rules.packs > _TWO_ALIKE else 'the other'} one."


def _check_seats(rules: Rules, given: Given) -> None:
    for key in ("leads", "has_won", "exchanges", "announces", "dealer", "last_trick_won_by"):
        if key in given:
            check_seat(rules, given[key], key)
    for key in ("hands", "won", "discarded", "scored", "kept", "score", "made", "packets"):
        for seat in given.get(key, ()):
            check_seat(rules, seat, key, seat)
    for seat in given.get("score", ()):
        first = side(rules, seat)[0]
        if seat != first:
            message = f"{seat} scores together with {first}"
            raise Incomplete(message, f"Write their score under {first}.", "score", seat)
    for at, seat in enumerate(given.get("blanks", ())):
        check_seat(rules, seat, "blanks", at)


def _places(rules: Rules, given: Given) -> dict[Card, Path]:
    places: dict[Card, Path] = {}
    for path, text in _placed(given):
        card = check_card(rules, text, *path)
        if card in places:
            raise Incomplete(f"{text} lies in two places", other_copy(rules, text), *path)
        places[card] = path[:-1] if len(path) > 1 else path
    return places


def _placed(given: Given) -> Iterator[tuple[Path, str]]:
    if "turn_up" in given:
        yield ("turn_up",), given["turn_up"]
    for key in ("stock", "trick"):
        yield from (((key, at), text) for at, text in enumerate(given.get(key, ())) if text != REST)
    for key in ("hands", "won", "discarded"):
        for seat, cards in given.get(key, {}).items():
            yield from (((key, seat, at), text) for at, text in enumerate(cards) if text != REST)


def _check_trick(rules: Rules, given: Given) -> None:
    if "last_trick_won_by" in given and not (
        rules.score.last_trick_ends_the_drawing.value and given.get("stock") == [] and "turn_up" not in given
    ):
        message = f"under {rules.id} the trick that counts as the last is not over here"
        raise Incomplete(message, "Leave it out.", "last_trick_won_by")
    if "has_won" in given and given.get("stock") == [] and "turn_up" not in given:
        raise Incomplete(
            "nothing is left to draw after the trick",
            f"Write 'leads: {given['has_won']}'; or give the turn-up and the stock.",
            "has_won",
        )


def _check_trumps(rules: Rules, given: Given, places: Places) -> None:
    if not {"trumps", "turn_up"} & given.keys():
        remedy = "Give 'trumps': a suit, or the word none as long as no suit is trumps."
        turned_up = rules.deal.a_card_is_turned_up.value
        raise Incomplete(
            "it is not said which suit is trumps", "Give 'trumps' or the 'turn_up'." if turned_up else remedy
        )
    trumps = trumps_of(given)
    if "turn_up" in given and not rules.deal.a_card_is_turned_up.value:
        remedy = "Leave it out." if "trumps" in given else "Give 'trumps' instead."
        raise Incomplete(f"no card is turned up under {rules.id}", remedy, "turn_up")
    if trumps is None and rules.deal.a_card_is_turned_up.value:
        raise Incomplete(f"under {rules.id} there are trumps from the deal on", "Name the suit.", "trumps")
    if "turn_up" in given and given["turn_up"][1] != trumps:
        message = f"the turn-up {given['turn_up']} is not of the trump suit {trumps}"
        raise Incomplete(message, "Leave one of them out.", "turn_up")
    for at, text in enumerate(given.get("claimed", ())):
        card = check_card(rules, text, "claimed", at)
        if rank_of(card) != SEVEN or SUITS[suit_of(card)] != trumps:
            raise Incomplete(f"{text} is not a seven of trumps", "Only these are exchanged or shown.", "claimed", at)
        if places.get(card, ("stock",))[0] == "stock":
            remedy = "A seven that was exchanged is the turn-up; one that was shown is held, or has been played."
            raise Incomplete(f"where does {text} lie now?", remedy, "claimed", at)


def _check_combination(
    rules: Rules, given: Given, places: Places, path: Path, seat: str, combination: Mapping[str, Any]
) -> None:
    meld, trumps = rules.of(DeclareRules).melds.by_id[combination["meld"]], trumps_of(given)
    cards = [check_card(rules, text, *path, "cards", at) for at, text in enumerate(combination["cards"])]
    twice = next((at for at, card in enumerate(cards) if card in cards[:at]), None)
    if twice is not None:
        text = combination["cards"][twice]
        raise Incomplete(f"{text} stands here twice", other_copy(rules, text), *path, "cards", twice)
    before_trumps = not rules.deal.a_card_is_turned_up.value and meld.pattern.fits(cards, None)
    if not (before_trumps or meld.pattern.fits(cards, read_suit(trumps) if trumps else None)):
        what = " ".join(combination["cards"])
        raise Incomplete(f"{what} is no {meld.id} when {trumps or 'nothing'} is trumps", "Correct the cards.", *path)
    for at, card in enumerate(cards):
        wrong = _wrong_place(places.get(card), side(rules, seat), kept=path[0] == "kept")
        if wrong:
            raise Incomplete(f"{name(card)} {wrong[0]}", wrong[1], *path, "cards", at)


def side(rules: Rules, seat: str) -> str:
    """The letters of a player and whoever scores together with them."""
    return "".join(map(seat_name, rules.side(Seat(SEATS.index(seat)))))


def _wrong_place(place: Path | None, seats: str, *, kept: bool) -> tuple[str, str] | None:
    """What is wrong with where a card of a combination of this side lies, and the remedy."""
    seat = " or ".join(seats)
    if place and place[0] == "hands" and str(place[1]) in seats:
        return None
    if kept:
        return (
            f"is not in the hand of {seat}",
            f"What is kept to score is still held: put it among the cards of {seat}.",
        )
    if place is None or place[0] in {"won", "trick"}:
        return None
    where = f"the hand of {place[1]}" if place[0] == "hands" else f"the {place[0]}".replace("_", "-")
    return f"cannot lie in {where}", f"A card that has scored is still in the hand of {seat}, or has been played."
