"""A position of a game that begins with an exchange, completed: every card not given goes to a hand, the talon, or the
cards put away or won."""

from collections.abc import Iterator
from itertools import chain, combinations
from typing import Final

from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.fill import Filling, HandSize
from hoyle_conformance.checks.setup.given import REST, Given, read_seat
from hoyle_reference import Phase, Table, rules_of
from hoyle_reference.acts import CLASSES, POINT
from hoyle_reference.questions import whole_combinations
from hoyle_reference.seats import Seat, ring, seat_name
from hoyle_reference.table import Called, Combination

#: What is taken to have been announced in a class that is elder's, where nothing is said: more than anyone can hold.
_ANYTHING: Final = 12
_NOBODY: Final = "nobody"
_UNTIL_THE_PLAY: Final = "every hand has {} cards until the first card is led"


def fill(filling: Filling) -> None:
    """Fill in the deal; raises CannotSetUp if the cards given cannot be those of a deal."""
    table, dealt = filling.table, rules_of(filling.table).deal.hand_size
    played = table.phase is Phase.PLAY
    why = "in the play, every hand is as large as the largest hand given in full" if played else _UNTIL_THE_PLAY
    filling.fill_hands(HandSize(filling.cards_each if played else dealt, why.format(dealt)))
    talon = len(table.rules.pack) - table.players * dealt
    away = _sizes_put_away(filling, talon)
    for seat in filling.seats:
        filling.fill_pile("discarded", seat, away[seat], f"the talon has {talon} cards", filling.wanted)
    _fill_talon(filling, talon - sum(away.values()))
    _fill_won(filling)
    table.called = _called(table, filling.given)
    for seat in filling.seats:
        if len(table.hands[seat]) == dealt:
            table.scored[seat] = list(_scored(table, seat))


def _sizes_put_away(filling: Filling, talon: int) -> dict[Seat, int]:
    """Return the number of cards that each player has put away: as many as are given; or elder the full number, and
    younger the rest."""
    table = filling.table
    elder, younger = ring(table.elder, table.players)
    exchanging = table.phase is Phase.EXCHANGE
    if exchanging and table.turn == elder:
        return {elder: 0, younger: 0}
    whole = talon - (0 if filling.stock_is_open else len(table.stock))
    sizes = {seat: len(table.discards[seat]) for seat in filling.seats if not filling.is_open("discarded", seat)}
    rules = rules_of(table).talon
    least, most = rules.elder_least.value, rules.elder_most.value
    of_elder = sizes.get(elder, max(0, min(most, whole)))
    if "discarded" in filling.given and not least <= of_elder <= most:
        message = f"elder discards {least} to {most} cards, not {of_elder}"
        path = [key for key in (seat_name(elder),) if key in filling.given["discarded"]]
        remedy, cards = (
            "Give that many, with ... for cards that do not matter.",
            "Put that many there, or let them be any cards.",
        )
        raise CannotSetUp(message, remedy, "discarded", *path, table=("", cards))
    return {elder: of_elder, younger: 0 if exchanging else sizes.get(younger, max(0, whole - of_elder))}


def _fill_talon(filling: Filling, size: int) -> None:
    """Fill up what is left of the talon to its size."""
    known = len(filling.table.stock)
    if size < 0:
        message = f"the players have discarded {-size} more cards than the talon has"
        cards = "Take some of the discards back."
        raise CannotSetUp(message, "Take some out of 'discarded'.", "discarded", table=("", cards))
    if known > size or (known < size and not filling.stock_is_open):
        raise CannotSetUp(
            f"the talon has {known} cards, but must have {size} here",
            f"Give {size}, with {REST} for cards that do not matter; or give the discards, under 'discarded'.",
            "stock",
            table=("", f"Leave {size} in the talon, or let them be any cards; or set up the discards."),
        )
    filling.fill_stock(size - known, filling.wanted)


def _fill_won(filling: Filling) -> None:
    """Put all the cards that are left among those won, in whole tricks."""
    table, players = filling.table, filling.table.players
    open_ = [seat for seat in filling.seats if filling.is_open("won", seat)]
    for seat in sorted(open_, key=lambda seat: seat != table.leader):
        odd = sum(len(table.won[other]) % players for other in open_ if other != seat)
        table.won[seat] += filling.take_last(len(filling.cards) - odd)
    if filling.cards or any(len(pile) % players for pile in table.won):
        raise CannotSetUp(
            f"every card must have a place, and tricks have {players} cards each",
            f"Give the cards won in whole tricks, with {REST} for cards that do not matter.",
            "won" if filling.given.get("won") else "hands",
            table=("", "Put whole tricks among the cards won, or let the rest of them be any cards."),
        )


def _called(table: Table, given: Given) -> Called:
    """Return the state of the calling: the classes given are decided; once the play has begun, all of them, and a class
    in which a player has made points is that player's."""
    called = given.get("called", {})
    classes = CLASSES if table.phase is Phase.PLAY else CLASSES[: len(called)]
    if not set(called) <= set(classes):
        first = next(each for each in CLASSES if each not in called)
        cards = f"Also choose who won the {first}."
        raise CannotSetUp("the classes are decided in order", f"Also give '{first}'.", "called", table=("", cards))
    whose = {each: called.get(each, _who_made_points(table, each)) for each in classes}
    return Called(
        decided=tuple(None if letter == _NOBODY else read_seat(letter) for letter in whose.values()),
        announced=tuple(_announced(given, each, letter == seat_name(table.elder)) for each, letter in whose.items()),
    )


def _who_made_points(table: Table, class_: str) -> str:
    return next((seat_name(Seat(seat)) for seat, made in enumerate(table.made_of) if made[class_]), _NOBODY)


def _scored(table: Table, seat: Seat) -> Iterator[Combination]:
    """Yield what of a whole hand has brought the points that the player has made, in each class where only one choice
    of its combinations comes to them; of points there is only one."""
    for class_ in CLASSES:
        held = whole_combinations(rules_of(table).classes, class_, table.hands[seat])
        most = 1 if class_ == POINT else len(held)
        choices = chain.from_iterable(combinations(held, many) for many in range(1, most + 1))
        fits = [some for some in choices if sum(each.points for each in some) == table.made_of[seat][class_]]
        if len(fits) == 1:
            yield from (Combination(each.kind.id, each.cards) for each in fits[0])


def _announced(given: Given, class_: str, is_elders: bool) -> tuple[int, str]:
    """Return the announcement of a class: the number of cards, and what tells equal ones apart."""
    said = given.get("announced", {}).get(class_, {"count": _ANYTHING if is_elders else 0})
    return said["count"], str(said.get("value", said.get("top", said.get("rank", ""))))
