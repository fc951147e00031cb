"""Impossible: positions to which no legal history leads, where that can be proved from what is given of them alone.

Each proof counts what the rules keep: points that have been made are not lost, a card that has been declared stays with
its side until it is played, and before each declaration a trick is won. What a position leaves open proves nothing.
"""

from collections.abc import Iterator

from hoyle_reference.chapters.deal import SEVEN
from hoyle_reference.chapters.declare.declaring import DeclareRules
from hoyle_reference.table.cards import Card, name, rank_of
from hoyle_reference.table.table import Table

from ..positions.laid import lay_out
from .wanted import Wanted


def impossible(sought: Wanted) -> str:
    """Why no legal history leads to a position, in words; empty where that is not proved."""
    if sought.rules.get(DeclareRules) is None:
        return ""
    given = lay_out(sought.rules, sought.given)
    proofs = (_of_points(sought, given), _of_cards(given), _of_tricks(sought, given), _of_all_tricks(given))
    return next((why for proof in proofs for why in proof), "")


def _of_points(sought: Wanted, given: Table) -> Iterator[str]:
    """A side has at least the points of what it has declared in this deal; what makes trumps may have scored less."""
    rules = given.rules.of(DeclareRules)
    for side, letter in enumerate(given.rules.side_letters):
        least = sum(rules.melds.by_id[each.meld].points for each in given.scored[side])
        told = letter in sought.given.get("score", {}) and not rules.plain_while_it_makes_trumps.value
        if told and given.score[side] < least:
            yield f"{letter} has scored combinations of {least} points, and stands at {given.score[side]}"


def _of_cards(given: Table) -> Iterator[str]:
    """Nobody holds or draws what another side has declared: only a seven can be exchanged away."""
    for side, seats in enumerate(given.rules.sides):
        own = {card for seat in seats for card in given.hands[seat]}
        elsewhere = {card for cards in (*given.hands, given.stock) for card in cards} - own
        for card in sorted(elsewhere & _declared(given, side)):
            if rank_of(card) != SEVEN:
                letter = given.rules.side_letters[side]
                yield f"{name(card)} has been declared by {letter}, and lies neither there nor among what was played"


def _of_tricks(sought: Wanted, given: Table) -> Iterator[str]:
    """A side whose cards won are all given has won enough tricks for what it has declared."""
    for side, seats in enumerate(given.rules.sides):
        if any(sought.is_open("won", seat) for seat in seats):
            continue
        won = sum(len(given.won[seat]) for seat in seats) // given.players
        if won < (least := _least(given, side)):
            letter = given.rules.side_letters[side]
            yield f"{letter} has won {_tricks(won)}, and needs {least} for what it has declared"


def _of_all_tricks(given: Table) -> Iterator[str]:
    """All sides together have won no more tricks than can have been played; nor has one played more declared cards in
    tricks since it could first declare."""
    most = _most(given)
    needed = [max(_least(given, side), _won(given, side)) for side in range(len(given.rules.sides))]
    if sum(needed) > most:
        yield f"{_tricks(most)} can have been played, and {sum(needed)} are needed for what was declared and won"
    first = max(given.rules.of(DeclareRules).tricks_won_first.value, 1)
    for side, seats in enumerate(given.rules.sides):
        played = _declared(given, side) & {card for pile in given.won for card in pile}
        since = -(-len(played) // len(seats))
        if played and first + since > most:
            after = f"{_tricks(first)} and {len(played)} cards that {given.rules.side_letters[side]} has declared"
            yield f"{_tricks(most)} can have been played, and {after} have been played after these"


def _declared(given: Table, side: int) -> frozenset[Card]:
    """The cards of what a side has declared."""
    return frozenset(card for each in (*given.scored[side], *given.kept[side]) for card in each.cards)


def _least(given: Table, side: int) -> int:
    """How many tricks a side must have won for what it has scored: one before each, or before all of them."""
    rules, scored = given.rules.of(DeclareRules), len(given.scored[side])
    more = 0 if rules.several_after_one_trick.value else scored - 1
    return max(rules.tricks_won_first.value, 1) + more if scored else 0


def _won(given: Table, side: int) -> int:
    """How many tricks a side must have won for the cards that are given there."""
    seats = given.rules.sides[side]
    return sum(-(-len(given.won[seat]) // given.players) for seat in seats)


def _most(given: Table) -> int:
    """How many tricks can have been played: those of all cards that lie nowhere else for certain."""
    away = [*given.hands, given.stock, given.undrawn, given.trick]
    return (len(given.rules.pack) - sum(map(len, away)) - (given.turn_up is not None)) // given.players


def _tricks(number: int) -> str:
    return f"{number} trick{'' if number == 1 else 's'}"
