"""Positions to which no legal history leads, if that can be proved from what is given of them alone.

Each proof counts what the rules preserve: points that have been made are not lost, tricks are won before each
declaration, and every card has a place. What a position leaves open proves nothing.
"""

from collections.abc import Iterator

from hoyle_conformance.checks.preludes.target import PreludeTarget
from hoyle_conformance.checks.setup.layout import lay_out
from hoyle_reference import Phase, Table, rules_of
from hoyle_reference.cards import Card


def impossible(sought: PreludeTarget) -> str:
    """Return why no legal history leads to a position, in words; empty if that is not proved."""
    if "declare" not in sought.rules.chapters:
        return ""
    given = lay_out(sought.rules, sought.given)
    proofs = (_of_points(sought, given), _of_tricks(sought, given), _of_all_tricks(sought, given))
    return next((why for proof in proofs for why in proof), "")


def _of_points(sought: PreludeTarget, given: Table) -> Iterator[str]:
    """Yield the sides with fewer points than they have declared in this deal; a declaration that makes trumps may have
    scored less."""
    rules = rules_of(given).declare
    for side, letter in enumerate(given.rules.side_letters):
        least = sum(rules.melds.by_id[each.meld].points for each in given.scored[side])
        told = letter in sought.given.get("score", {}) and not rules.plain_while_it_makes_trumps.value
        if told and given.score[side] < least:
            yield f"{letter} has scored combinations of {least} points, but has a score of {given.score[side]}"


def _of_tricks(sought: PreludeTarget, given: Table) -> Iterator[str]:
    """Yield the sides whose cards won are all given, and whose tricks are too few for what they have declared."""
    for side, seats in enumerate(given.rules.sides):
        if any(sought.is_open("won", seat) for seat in seats):
            continue
        won = sum(len(given.won[seat]) for seat in seats) // given.players
        if won < (least := _least(given, side)):
            letter = given.rules.side_letters[side]
            yield f"{letter} has won {_tricks(won)}, but needs {least} for what it has declared"


def _of_all_tricks(sought: PreludeTarget, given: Table) -> Iterator[str]:
    """Yield the proofs that count all tricks: more won than can have been played, or more declared cards played by a
    side than since it could first declare."""
    most = _most(sought, given)
    needed = [max(_least(given, side), _won(given, side)) for side in range(len(given.rules.sides))]
    if sum(needed) > most:
        yield f"{_tricks(most)} can have been played, but {sum(needed)} are needed for what was declared and won"
    first = max(rules_of(given).declare.tricks_won_first.value, 1)
    for side, seats in enumerate(given.rules.sides):
        played = _declared(given, side) & {card for pile in given.won for card in pile}
        since = -(-len(played) // len(seats))
        if played and first + since > most:
            after = (
                f"{given.rules.side_letters[side]} has played {len(played)} declared cards, all after at least "
                f"{_tricks(first)}"
            )
            yield f"{_tricks(most)} can have been played, but {after}"


def _declared(given: Table, side: int) -> frozenset[Card]:
    """Return the cards of what a side has declared."""
    return frozenset(card for each in (*given.scored[side], *given.kept[side]) for card in each.cards)


def _least(given: Table, side: int) -> int:
    """Return the least number of tricks that a side must have won for what it has scored: one before each, or before
    all of them; and one after which nothing has been declared yet."""
    rules, scored = rules_of(given).declare, len(given.scored[side])
    more = 0 if rules.several_after_one_trick.value else scored - 1
    new = given.phase is Phase.DECLARE and given.rules.side_of[given.leader] == side
    new_too = new and not given.combinations_since_trick
    return max(rules.tricks_won_first.value, 1) + more + new_too if scored else 0


def _won(given: Table, side: int) -> int:
    """Return the number of tricks that a side must have won for the cards that are given there."""
    seats = given.rules.sides[side]
    return sum(-(-len(given.won[seat]) // given.players) for seat in seats)


def _most(sought: PreludeTarget, given: Table) -> int:
    """Return the greatest number of tricks that can have been played: those of all cards that are certainly nowhere
    else. As long as there is a stock, hands are full."""
    hands = sought.table.hands if given.stock or given.turn_up is not None else given.hands
    away = [*hands, given.stock, given.referee.undrawn, given.trick]
    return (len(given.rules.pack) - sum(map(len, away)) - (given.turn_up is not None)) // given.players


def _tricks(number: int) -> str:
    return f"{number} trick{'' if number == 1 else 's'}"
