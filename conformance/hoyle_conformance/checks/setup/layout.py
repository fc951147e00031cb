"""Set up the table with the cards that a scenario gives, before the rest is filled in."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.given import (
    REST,
    Given,
    Path,
    another,
    check_card,
    check_words,
    nothing_is_left_to_draw,
    other_copy,
    pile_of,
    read_seat,
    side,
)
from hoyle_reference import Phase, Rules, Table, rules_of
from hoyle_reference.cards import SEVEN, SUIT_NAMES, SUITS, Card, Suit, name, rank_of, read_suit, suit_of
from hoyle_reference.seats import Seat, seat_name
from hoyle_reference.table import FIELDS, BlankState, Cause, Combination, new_table

#: The place of each card that has one: ``("hands", "A")``.
Places = Mapping[Card, Path]

#: The phase of the table, by the key that names whose turn begins; and the given value for no trumps.
_PHASES: Final = {
    "exchanges": Phase.EXCHANGE,
    "announces": Phase.ANNOUNCE,
    "leads": Phase.PLAY,
    "has_won": Phase.DECLARE,
}
_NO_TRUMPS: Final = "none"
_NOT_AS_COMBINATIONS: Final = "in this game, what has been scored is not given card by card"
#: The fields that are given in the same form as in a position.
_GIVEN_SO: Final = frozenset({"last_trick_won_by", "made_of", "packets", "surplus", "last_tricks", "heap"})
_AS_WRITTEN: Final = tuple(each for each in FIELDS if each.name in _GIVEN_SO)


def lay_out(rules: Rules, given: Given) -> Table:
    """Return the table with everything that a scenario gives, and no other cards; raises CannotSetUp if the given parts
    contradict the rules or each other."""
    check_words(rules, given)
    table, before, score = new_table(rules), given.get("before"), given.get("score", {})
    table.score = [score.get(letter, 0) for letter in rules.side_letters]
    if before == "cut":
        return table
    table.turn = table.dealer = read_seat(given.get("dealer", "B"))
    table.phase = Phase.DEAL
    for field in _AS_WRITTEN:
        if field.name in given:
            field.put(table, field.kind.read(rules, field.name, given[field.name]))
    if "talon" in rules.chapters:
        settle, number = rules_of(table).settle, given.get("deal", 1)
        least = settle.least_deals.value
        table.deals = number - ("before" in given)
        if least:
            ahead = least - number
            table.deals_left = ahead + 1 if ahead >= 0 else ahead % settle.deals_for_a_tie + 1
    if before is None:
        _lay_out_deal(table, given)
    return table


def _lay_out_deal(table: Table, given: Given) -> None:
    """Set up the table in the middle of a deal, including whose turn it is."""
    places = _lay_cards(table, given)
    if len(table.trick) >= table.players:
        raise CannotSetUp("the trick is complete", "Give the cards to the player who has won it.", "trick")
    if "talon" in table.rules.chapters:
        _check_exchanged(table, given)
    else:
        _lay_out_drawn(table, given, places)
    for letter in given.get("blanks", ()):
        table.blanks[read_seat(letter)] = BlankState.SCORED
    if "reckoning" in table.rules.chapters:
        _count_what_was_made(table, given)
    for letter in given.get("untouched", ()):
        table.referee.untouched[read_seat(letter)] = True
    word = next(word for word in _PHASES if word in given)
    begins, table.phase = read_seat(given[word]), _PHASES[word]
    table.leader = begins if table.phase in {Phase.PLAY, Phase.DECLARE} else table.elder
    table.turn = Seat((begins + len(table.trick)) % table.players)


def _count_what_was_made(table: Table, given: Given) -> None:
    """Set the points of this deal that need not be given: those of a carte blanche that has scored; and, if no score is
    given, all of the score."""
    made_of = given.get("made_of", {})
    for letter in given.get("blanks", ()):
        if Cause.BLANK not in made_of.get(letter, {}):
            table.made_of[read_seat(letter)][Cause.BLANK] = rules_of(table).blank.points.value
    for seat, letter in enumerate(table.rules.side_letters):
        if letter not in given.get("score", {}):
            table.score[seat] = sum(table.made_of[seat].values())


def _lay_cards(table: Table, given: Given) -> Places:
    """Put every given card in its place."""
    places: dict[Card, Path] = {}
    if "turn_up" in given:
        table.turn_up = check_card(rules_of(table), given["turn_up"], "turn_up")
        places[table.turn_up] = ("turn_up",)
    for place, texts, pile in _piles(table, given):
        for at, text in enumerate(texts):
            if text != REST:
                card = check_card(rules_of(table), text, *place, at)
                if card in places:
                    remedy, other = other_copy(rules_of(table), text), another(rules_of(table), text)
                    raise CannotSetUp(f"{text} is in two places", remedy, *place, at, table=("", other))
                places[card] = place
                pile.append(card)
    table.stock.reverse()
    return places


def _piles(table: Table, given: Given) -> Iterator[tuple[Path, Sequence[str], list[Card]]]:
    """Yield every given pile: its place in the file, its cards, and their place on the table."""
    yield ("stock",), given.get("stock", ()), table.stock
    yield ("trick",), given.get("trick", ()), table.trick
    for key in ("hands", "won", "discarded"):
        for letter, texts in given.get(key, {}).items():
            yield (key, letter), texts, pile_of(table, key, read_seat(letter))


def _check_exchanged(table: Table, given: Given) -> None:
    elder = seat_name(table.elder)
    if given.get("announces", elder) != elder:
        raise CannotSetUp(
            f"{elder} is elder, so {elder} announces",
            f"Write 'announces: {elder}'; or give 'dealer: {elder}'.",
            "announces",
            table=("", f"Let {elder} announce; or make {elder} the dealer."),
        )
    if "scored" in given:
        raise CannotSetUp(
            "in this game, 'called' and 'made_of' give what has been scored",
            "Write those keys instead.",
            "scored",
            table=(_NOT_AS_COMBINATIONS, "Give who won each class, and the points made, instead."),
        )


def _lay_out_drawn(table: Table, given: Given, places: Places) -> None:
    """Set up the trumps and the combinations of a game with a stock."""
    rules = rules_of(table)
    gone = nothing_is_left_to_draw(given)
    if "last_trick_won_by" in given and not (rules.score.last_trick_ends_the_drawing.value and gone):
        message = f"under {rules.id}, the trick that counts as the last has not been played here"
        raise CannotSetUp(message, "Leave it out.", "last_trick_won_by", table=("", "Leave the last trick out."))
    if "has_won" in given and gone:
        raise CannotSetUp(
            "nothing is left to draw after the trick",
            f"Write 'leads: {given['has_won']}'; or give the turn-up and the stock.",
            "has_won",
            table=("", f"Let {given['has_won']} lead; or put cards into the stock."),
        )
    table.trumps = _trumps(rules, given)
    table.claimed = _claimed(table, given, places)
    if "kept" in given and not rules.declare.may_keep.value:
        raise CannotSetUp(
            f"combinations are not kept to score later under {rules.id}", "The position cannot arise there.", "kept"
        )
    for key, rows in (("scored", table.scored), ("kept", table.kept)):
        for letter, each in given.get(key, {}).items():
            for at, combination in enumerate(each):
                rows[read_seat(letter)].append(_combination(table, places, (key, letter, at), combination))


def _trumps(rules: Rules, given: Given) -> Suit | None:
    """Return the suit of trumps, as given or as shown by the turn-up; None if no suit is trumps yet."""
    turned_up = rules.deal.a_card_is_turned_up.value
    if not {"trumps", "turn_up"} & given.keys():
        remedy = "Give 'trumps': a suit, or none while no suit is trumps."
        cards = (
            "Choose the suit of trumps, or a turn-up." if turned_up else "Choose the suit of trumps, or no suit yet."
        )
        raise CannotSetUp(
            "the suit of trumps is missing",
            "Give 'trumps' or the 'turn_up'." if turned_up else remedy,
            table=("", cards),
        )
    trumps = str(given.get("trumps") or given["turn_up"][1])
    if "turn_up" in given and not turned_up:
        remedy = "Leave it out." if "trumps" in given else "Give 'trumps' instead."
        cards = "Remove it." if "trumps" in given else "Remove it, and choose the suit of trumps instead."
        raise CannotSetUp(f"no card is turned up under {rules.id}", remedy, "turn_up", table=("", cards))
    if trumps == _NO_TRUMPS and turned_up:
        raise CannotSetUp(f"under {rules.id}, there are trumps from the deal on", "Name the suit.", "trumps")
    if "turn_up" in given and given["turn_up"][1] != trumps:
        message = f"the turn-up {given['turn_up']} is not of the trump suit {trumps}"
        cards = f"the turn-up {given['turn_up']} is not a {_suit_named(trumps)}, but {_suit_named(trumps)}s are trumps"
        raise CannotSetUp(message, "Leave one of them out.", "turn_up", table=(cards, "Change one of them."))
    return None if trumps == _NO_TRUMPS else read_suit(trumps)


def _suit_named(letter: str) -> str:
    """Return a card of a suit, whose rank has no meaning."""
    return SUIT_NAMES[SUITS.index(letter)].removesuffix("s")


def _plain(word: str) -> str:
    return word.replace("-", " ")


def _claimed(table: Table, given: Given, places: Places) -> set[Card]:
    """Return the sevens of trumps that were exchanged or shown."""
    claimed = set()
    for at, text in enumerate(given.get("claimed", ())):
        card = check_card(rules_of(table), text, "claimed", at)
        if rank_of(card) != SEVEN or suit_of(card) != table.trumps:
            raise CannotSetUp(
                f"{text} is not a seven of trumps", "Only sevens of trumps are exchanged or shown.", "claimed", at
            )
        if places.get(card, ("stock",))[0] == "stock":
            remedy = "A seven that was exchanged is the turn-up; one that was shown is held, or has been played."
            raise CannotSetUp(f"the position does not say where {text} is", remedy, "claimed", at)
        claimed.add(card)
    return claimed


def _combination(table: Table, places: Places, path: Path, given: Mapping[str, Any]) -> Combination:
    """Return a combination that is scored or held to score, with its cards in the given order."""
    rules, trumps = rules_of(table), table.trumps
    meld = rules.declare.melds.by_id.get(given["meld"])
    if meld is None:
        what, plain = (f"there is no {each} under {rules.id}" for each in (given["meld"], _plain(given["meld"])))
        remedy = "Name a combination that these rules have."
        raise CannotSetUp(what, remedy, *path, "meld", table=(plain, "Remove the combination."))
    cards = tuple(check_card(rules, text, *path, "cards", at) for at, text in enumerate(given["cards"]))
    twice = next((at for at, card in enumerate(cards) if card in cards[:at]), None)
    if twice is not None:
        text = given["cards"][twice]
        remedy, other = other_copy(rules, text), another(rules, text)
        message = f"the {_plain(meld.id)} contains {name(cards[twice])} twice"
        raise CannotSetUp(f"{name(cards[twice])} is here twice", remedy, *path, "cards", twice, table=(message, other))
    before_trumps = not rules.deal.a_card_is_turned_up.value and meld.pattern.fits(cards, None)
    if not (before_trumps or meld.pattern.fits(cards, trumps)):
        what = " ".join(given["cards"])
        suit, suits = ("nothing", "no suit") if trumps is None else (SUITS[trumps], SUIT_NAMES[trumps])
        cards_wrong = f"{what} is no {_plain(meld.id)} when {suits} are trumps"
        message = f"{what} is no {meld.id} when {suit} is trumps"
        raise CannotSetUp(message, "Correct the cards.", *path, table=(cards_wrong, "Choose other cards, or trumps."))
    for at, card in enumerate(cards):
        wrong = _wrong_place(places.get(card), side(rules, str(path[1])), kept=path[0] == "kept")
        if wrong:
            raise CannotSetUp(f"{name(card)} {wrong[0]}", wrong[1], *path, "cards", at)
    return Combination(meld.id, cards)


def _wrong_place(place: Path | None, seats: str, *, kept: bool) -> tuple[str, str] | None:
    """Return the fault in the place of a card of this side's combination, and the remedy; None if there is none."""
    seat = " or ".join(seats)
    if place and place[0] == "hands" and str(place[1]) in seats:
        return None
    if kept:
        return (
            f"is not in the hand of {seat}",
            f"A combination kept to score later is still in the hand: put its cards in the hand of {seat}.",
        )
    if place is None or place[0] in {"won", "trick"}:
        return None
    where = f"the hand of {place[1]}" if place[0] == "hands" else f"the {place[0]}".replace("_", "-")
    return f"cannot be in {where}", f"A card that has scored is still in the hand of {seat}, or has been played."
