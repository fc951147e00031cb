"""Fill the open places of a position with cards.

``...`` stands for cards that do not matter. They are dealt in a fixed order, low cards of the plain suits first, so the
same scenario always gives the same position: a nine of clubs neither scores nor wins anything by accident. `hoyle
validate` also fills every position in other orders, and reports an error if an outcome changes.

The parts are: filling, games in which cards are drawn, and games that begin with an exchange.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from itertools import chain, combinations
from typing import Any, Final

from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.given import REST, Given, PartlyGiven, nothing_is_left_to_draw, pile_of, read_seat
from hoyle_reference import Phase, Rules, Table, rules_of
from hoyle_reference.acts import CLASSES, POINT, SET
from hoyle_reference.cards import RANKS, SEVEN, Card, Suit, face_of, name, rank_of, read_card, suit_of
from hoyle_reference.questions import brisque_points, whole_combinations
from hoyle_reference.seats import Seat, ring, seat_name
from hoyle_reference.table import BlankState, Called, Combination

#: The ranks from the least important to the most. A seven may be the seven of trumps; brisques come last.
_FILLERS: Final = "987JQKTA"
#: A step through the pack that has no common divisor with its size, so that it reaches every card once.
_SHUFFLING_STEP: Final = 37
#: Match the parts of a message meant only for the author of a file: text in brackets, and instructions on what to
#: write.
_WRITTEN: Final = re.compile(r" \('\w+: \w'\)")
_LETS: Final = re.compile(r"write '(leads|has_won): (\w)'")


@dataclass(slots=True)
class Filling(PartlyGiven):
    """A table that is being filled.

    It has the given parts, the cards without a place (the least important first), and the cards that steps name, which
    are not dealt by chance as long as others are left.
    """

    table: Table
    given: Given
    cards: list[Card]
    wanted: frozenset[Card]

    @property
    def cards_each(self) -> int:
        """The number of cards that each player holds before playing to the trick: the number given, or else the number
        dealt."""
        closed = [seat for seat in self.seats if not self.is_open("hands", seat)]
        hands, surplus = self.table.hands, self.table.referee.surplus
        known = (len(hands[seat]) + self._has_played(seat) - surplus[seat] for seat in closed)
        return max(known, default=rules_of(self.table).deal.hand_size)

    def _has_played(self, seat: Seat) -> bool:
        return seat in self.table.have_played

    def take(self, count: int, passed_over: frozenset[Card] = frozenset()) -> list[Card]:
        """Take the next cards for a hand or the stock, passing over some cards as long as others are left."""
        taken = sorted(self.cards, key=passed_over.__contains__)[:count]
        gone = set(taken)
        self.cards = [card for card in self.cards if card not in gone]
        return taken

    def take_last(self, count: int) -> list[Card]:
        """Take the most important cards left, for piles that nobody sees."""
        at = max(0, len(self.cards) - count)
        self.cards, taken = self.cards[:at], self.cards[at:]
        return taken

    def fill_hands(self, due: "HandSize") -> None:
        """Fill every hand, not counting a card already played to the trick; raises CannotSetUp as `fill_pile` does."""
        for seat in self.seats:
            letter, surplus = seat_name(seat), self.table.referee.surplus[seat]
            played = f"; {letter} has played one of them to the trick" if self._has_played(seat) else ""
            more = f"; 'surplus' gives {letter} {abs(surplus)} {'more' if surplus > 0 else 'fewer'}" if surplus else ""
            size = due.full + surplus - self._has_played(seat)
            unless = due.unless.get(len(self.table.hands[seat]) + due.full - size, "")
            self.fill_pile("hands", seat, size, f"{due.why}{played}{more}", self._unfit(seat), unless)

    def _unfit(self, seat: Seat) -> frozenset[Card]:
        """Return the cards that should not be used to fill a hand: those named in steps, and those that its carte
        blanche excludes."""
        if "carte_blanche" not in self.table.rules.chapters or self.table.blanks[seat] is not BlankState.SCORED:
            return self.wanted
        without = rules_of(self.table).carte_blanche.without.value
        return self.wanted.union(card for card in self.table.rules.pack if rank_of(card) in without)

    def fill_pile(
        self, key: str, seat: Seat, size: int, why: str, passed_over: frozenset[Card], unless: str = ""
    ) -> None:
        """Fill a pile of a player up to its size.

        Raises CannotSetUp if more cards are given, or if fewer are given and the pile is not open. The message has the
        reason `why` for the size, and the remedy ends with `unless`.
        """
        pile, is_open = pile_of(self.table, key, seat), self.is_open(key, seat)
        known = len(pile)
        if known > size or (known < size and not is_open):
            letter = seat_name(seat)
            verb = "must have discarded" if key == "discarded" else "must hold"
            more = " or more" if is_open else ""
            message = f"{letter} {verb} {_cards(size)} here, not {known}{more}: {why}"
            remedy = f"{_right_number(size - known)}{unless}."
            raise CannotSetUp(message, remedy, key, letter, table=_unwritten(message, size - known, unless))
        pile += self.take(size - known, passed_over)

    def fill_stock(self, count: int, passed_over: frozenset[Card] = frozenset()) -> None:
        """Put a number of cards into the open place of the stock, if it has one."""
        if self.stock_is_open:
            given = self.given.get("stock", (REST,))
            below = len(given) - given.index(REST) - 1
            self.table.stock[below:below] = reversed(self.take(count, passed_over))


@dataclass(frozen=True, slots=True)
class HandSize:
    """The number of cards that each player holds before playing to the trick, the reason, and the remedy if a hand of
    another size is intended."""

    full: int
    why: str
    unless: Mapping[int, str] = field(default_factory=dict)


def _cards(count: int) -> str:
    return f"{count} card{'' if count == 1 else 's'}"


def _right_number(missing: int) -> str:
    """Return the remedy for a number of missing cards; a negative number means surplus cards."""
    if missing < 0:
        return f"Take {_cards(-missing)} out"
    return f"Add {_cards(missing)}, or {REST} for cards that do not matter"


def _unwritten(message: str, missing: int, unless: str) -> tuple[str, str]:
    """Return the fault of a pile, and the remedy, for a user who has no file to write."""
    plain = _WRITTEN.sub("", message).replace("'surplus' gives", "the position gives")
    add = f"Add {_cards(missing)}, or let the rest be any cards"
    what = f"Take {_cards(-missing)} out" if missing < 0 else add
    return plain, f"{what}{_LETS.sub(_lets, unless)}."


def _lets(found: re.Match[str]) -> str:
    return f"let {found[2]} lead" if found[1] == "leads" else f"say that {found[2]} has won the trick"


Order = tuple[Card, ...]


@cache
def least_important_first(pack: Order, trumps: Suit | None, variant: int | str) -> Order:
    """Return the whole pack in the order in which open places are filled; each variant and each seed has its own
    order."""
    if isinstance(variant, str):
        return tuple(sorted(pack, key=lambda card: sha256(f"{variant}:{name(card)}".encode()).digest()))

    def importance(card: Card) -> tuple[bool, int, int, int]:
        suit = suit_of(card)
        return suit == trumps, _FILLERS.index(RANKS[rank_of(card)]), suit, card

    return VARIANTS[variant](tuple(sorted(pack, key=importance)))


#: The orders in which open places are filled: the one in which scenarios are sent, and others, in which the outcome
#: must be the same.
VARIANTS: Final[tuple[Callable[[Order], Order], ...]] = (
    lambda order: order,
    lambda order: order[::-1],
    lambda order: order[1:] + order[:1],
    lambda order: tuple(order[at * _SHUFFLING_STEP % len(order)] for at in range(len(order))),
    lambda order: tuple(order[at * _SHUFFLING_STEP % len(order)] for at in reversed(range(len(order)))),
)


def named_in_steps(rules: Rules, steps: Sequence[Mapping[str, Any]]) -> frozenset[Card]:
    """Return the cards that steps name, in all copies."""
    texts = (text for step in steps for text in (*step.get("cards", ()), *([step["card"]] if "card" in step else ())))
    faces = {face_of(card) for text in texts if (card := read_card(text[:2])) is not None}
    return frozenset(card for card in rules.pack if face_of(card) in faces) if faces else frozenset()


# ---- games in which cards are drawn


def fill_drawing(filling: Filling) -> None:
    """Fill in the deal; raises CannotSetUp if the cards given cannot be those of a deal."""
    table, rules = filling.table, rules_of(filling.table)
    deal = rules.deal
    drawing = not nothing_is_left_to_draw(filling.given)
    _put_away_what_has_scored(filling)
    if drawing and deal.a_card_is_turned_up.value:
        _turn_up(filling)
    full = deal.hand_size - (table.phase is Phase.DECLARE) if drawing else filling.cards_each
    if full > deal.hand_size:
        message = f"the hands hold {full} cards, but {deal.hand_size} are dealt under {table.rules.id}"
        remedy = "Take some out of the hands, or give 'surplus' and 'last_tricks'."
        raise CannotSetUp(message, remedy, "hands", table=("", "Take some out of the hands."))
    filling.fill_hands(_hand_size(filling, full, drawing=drawing))
    _fill_tricks(filling, _tricks_won(filling, drawing=drawing))
    _fill_stock(filling)
    _share_out(filling)
    _lay_open(table, drawing=drawing)
    won = [card for pile in table.won for card in pile]
    if rules.tricks.all_open and "heap" not in filling.given and not brisque_points(table, won):
        table.referee.heap = won
    if not drawing and "last_tricks" not in filling.given:
        table.referee.last_tricks[table.leader] = deal.hand_size - full


def _hand_size(filling: Filling, full: int, *, drawing: bool) -> HandSize:
    """Return the size of every hand, with the reason in words about the given parts."""
    table, dealt = filling.table, rules_of(filling.table).deal.hand_size
    if not drawing:
        return HandSize(full, "with the stock gone, every hand is as large as the largest hand given in full")
    winner = seat_name(table.leader)
    if table.phase is Phase.DECLARE:
        why = f"{winner} has won a trick and nobody has drawn since ('has_won: {winner}')"
        return HandSize(full, why, {dealt: f"; or, if all have drawn, write 'leads: {winner}'"})
    unless = f"; or, if {winner} has won a trick and nobody has drawn since, write 'has_won: {winner}'"
    return HandSize(full, f"every hand has {dealt} cards while there are cards to draw", {dealt - 1: unless})


def _put_away_what_has_scored(filling: Filling) -> None:
    """Put scored cards without another place among the cards won."""
    table = filling.table
    for seat in map(read_seat, filling.given.get("scored", ())):
        for at, combination in enumerate(table.scored[seat]):
            for card in combination.cards:
                if card not in filling.cards:
                    continue
                pile = next((each for each in (seat, *filling.seats) if filling.is_open("won", each)), None)
                if pile is None:
                    remedy, path = "Put it into a hand, or among the cards won.", ("scored", seat_name(seat), at)
                    raise CannotSetUp(f"the position does not say where {name(card)} is", remedy, *path)
                table.won[pile].append(card)
                filling.cards.remove(card)


def _turn_up(filling: Filling) -> None:
    """Turn up a low trump if no turn-up is given; a seven would score by itself."""
    table = filling.table
    if table.turn_up is None:
        fit = (card for card in filling.cards if suit_of(card) == table.trumps and card not in filling.wanted)
        table.turn_up = next(fit, None)
        if table.turn_up is None:
            raise CannotSetUp("no trump is left to turn up", "Give the turn-up.", "trumps")
        filling.cards.remove(table.turn_up)
    if rank_of(table.turn_up) == SEVEN:
        table.claimed.add(table.turn_up)


def _tricks_won(filling: Filling, *, drawing: bool) -> list[int]:
    """Return the minimum number of tricks that each player has won: those of the cards known to be won, those after
    which something was scored, and the last trick, won by the leader."""
    table, given, leader = filling.table, filling.given, filling.table.leader
    least = []
    for seat in filling.seats:
        earlier = max(len(table.scored[seat]), int(seat_name(seat) in given.get("kept", ())))
        has_won = table.phase is Phase.DECLARE and seat == leader
        least.append(max(_up(len(table.won[seat]), table.players), earlier + has_won))
    first = table.dealer if rules_of(table).deal.dealer_leads.value else table.elder
    if any(least) or given.get("claimed") or leader != first or not drawing:
        least[leader] = max(1, least[leader])
    missing = _tricks_played(table, given) - sum(least)
    if missing > 0:
        winner = next((seat for seat in (leader, *filling.seats) if filling.is_open("won", seat)), leader)
        least[winner] += missing
    return least


def _tricks_played(table: Table, given: Given) -> int:
    """Return the minimum number of tricks played: one for each card that a player has scored and played, and one after
    which a seven was exchanged or shown."""
    gone = {card for pile in table.won for card in pile}
    played = (len(gone & _cards_of(_combinations(table, Seat(seat)))) for seat in range(table.players))
    return max(*played, ("claimed" in given) + (table.phase is Phase.DECLARE))


def _combinations(table: Table, seat: Seat) -> Iterator[Combination]:
    """Yield the combinations that a player has scored or holds to score."""
    yield from table.scored[seat]
    yield from table.kept[seat]


def _cards_of(combinations: Iterator[Combination]) -> set[Card]:
    return {card for each in combinations for card in each.cards}


def _up(count: int, step: int) -> int:
    """Return the number of steps up to the next multiple of a count."""
    return -(-count // step)


def _fill_tricks(filling: Filling, least: Sequence[int]) -> None:
    """Fill the cards that each player has won up to a number of whole tricks."""
    players = filling.table.players
    for seat in filling.seats:
        pile, letter, whole = filling.table.won[seat], seat_name(seat), least[seat] * players
        missing = whole - len(pile)
        if filling.is_open("won", seat) and missing <= len(filling.cards):
            pile += filling.take_last(missing)
        elif missing > 0:
            message = f"{letter} must have won at least {whole} cards here, not {len(pile)}"
            remedy = f"Add {REST} for cards that do not matter, or move cards from elsewhere."
            cards = "Let the rest of them be any cards, or move cards from elsewhere."
            raise CannotSetUp(message, remedy, "won", letter, table=("", cards))


def _fill_stock(filling: Filling) -> None:
    """Put all remaining cards into the stock, if it is open."""
    filling.fill_stock(len(filling.cards))
    odd = (filling.table.left_to_draw + sum(filling.table.referee.surplus)) % filling.table.players
    if odd and nothing_is_left_to_draw(filling.given):
        filling.table.referee.undrawn = filling.take_last(odd)
    elif odd:
        what = "With the turn-up, it must hold the same number of cards for each player."
        where = "stock" if "stock" in filling.given else "won"
        raise CannotSetUp("the stock runs out before every player has drawn", what, where)


def _share_out(filling: Filling) -> None:
    """Put all remaining cards into the open piles of won cards, in whole tricks."""
    players, won = filling.table.players, filling.table.won
    open_ = [seat for seat in filling.seats if filling.is_open("won", seat)]
    share = _up(len(filling.cards), players * max(1, len(open_))) * players
    for seat in open_:
        won[seat] += filling.take_last(share)
    if filling.cards:
        message = f"cards without a place ({len(filling.cards)}): the stock and the cards won are given in full"
        remedy = f"Add {REST} to the stock or to the cards a player has won."
        cards = "Let the stock, or the cards a player has won, include any other cards."
        raise CannotSetUp(message, remedy, "won" if "won" in filling.given else "stock", table=("", cards))


def _lay_open(table: Table, *, drawing: bool) -> None:
    """Show the cards of combinations that are still held, and sevens that were shown."""
    rules = rules_of(table)
    if not drawing and rules.declare.taken_up_after_the_stock.value:
        return
    lie_open = drawing and "seven" in rules.chapters and rules.seven.lies_on_the_table.value
    sevens = table.claimed if lie_open else set()
    for seat, hand in enumerate(table.hands):
        laid = {card for each in rules.side(Seat(seat)) for card in _cards_of(_combinations(table, each))}
        table.shown[seat] = (laid | sevens) & set(hand)


# ---- games that begin with an exchange


#: The assumed announcement in a class that is elder's if none is given: more cards than anyone can hold.
_ANYTHING: Final = 12
_NOBODY: Final = "nobody"
_UNTIL_THE_PLAY: Final = "every hand has {} cards until the first card is led"


def fill_exchange(filling: Filling) -> None:
    """Fill in the deal; raises CannotSetUp if the cards given cannot be those of a deal."""
    table, dealt = filling.table, rules_of(filling.table).deal.hand_size
    played = table.phase is Phase.PLAY
    why = "in the play, every hand is as large as the largest hand given in full" if played else _UNTIL_THE_PLAY
    filling.fill_hands(HandSize(filling.cards_each if played else dealt, why.format(dealt)))
    talon = len(table.rules.pack) - table.players * dealt - sum(table.referee.surplus)
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
    """Return the number of cards that each player has put away: the given number; if none is given, the maximum for
    elder and the rest for younger."""
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
    if "discarded" in filling.given and not rules.wrong_hand.value and not least <= of_elder <= most:
        message = f"elder discards {least} to {most} cards, not {of_elder}"
        path = [key for key in (seat_name(elder),) if key in filling.given["discarded"]]
        remedy, cards = (
            "Give that many, with ... for cards that do not matter.",
            "Put that many there, or let them be any cards.",
        )
        raise CannotSetUp(message, remedy, "discarded", *path, table=("", cards))
    return {elder: of_elder, younger: 0 if exchanging else sizes.get(younger, max(0, whole - of_elder))}


def _fill_talon(filling: Filling, size: int) -> None:
    """Fill the rest of the talon up to its size."""
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
    """Put all remaining cards among those won, in whole tricks."""
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
    """Return the state of the calling: the given classes are decided. Once the play has begun, all are decided, and a
    class in which a player has made points belongs to that player."""
    called = given.get("called", {})
    table.sets_first = rules_of(table).classes.order.value and set(called) == {POINT, SET}
    classes = table.classes if table.phase is Phase.PLAY else table.classes[: len(called)]
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
    """Yield the combinations of a whole hand that gave the points a player has made, for each class in which only one
    choice of combinations has that total. A point is always a single combination."""
    for class_ in CLASSES:
        held = whole_combinations(rules_of(table).classes, class_, table.hands[seat])
        most = 1 if class_ == POINT else len(held)
        choices = chain.from_iterable(combinations(held, many) for many in range(1, most + 1))
        fits = [some for some in choices if sum(each.points for each in some) == table.made_of[seat][class_]]
        if len(fits) == 1:
            yield from (Combination(each.kind.id, each.cards) for each in fits[0])


def _announced(given: Given, class_: str, is_elders: bool) -> tuple[int, str]:
    """Return the announcement of a class: the number of cards, and the value that separates equal numbers."""
    said = given.get("announced", {}).get(class_, {"count": _ANYTHING if is_elders else 0})
    return said["count"], str(said.get("value", said.get("top", said.get("rank", ""))))
