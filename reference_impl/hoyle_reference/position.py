"""Position: a table as a plain mapping, for scenario files and the protocol.

Cards are listed by name; the stock with its top card first. Every card of the pack lies in exactly one place.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from .cards import SUITS, Card, name, names, read_suit
from .notation import card_of, cards_of, seat_of
from .refusals import Malformed
from .rules import Rules
from .seats import SEATS, Seat, ring, seat_name
from .table import Combination, Phase, Table


def read_position(rules: Rules, spelt: Mapping[str, Any]) -> Table:
    """The table that a mapping describes; raises Malformed where cards are missing, doubled or miscounted."""
    table = Table(rules)
    table.phase = Phase(spelt["phase"])
    if table.phase is Phase.OVER:
        raise Malformed("a game that is over cannot be set up")
    table.dealer = _seat_or_none(rules, spelt.get("dealer"))
    table.turn = seat_of(rules, spelt["turn"])
    table.options = tuple(spelt.get("options", ()))
    table.score = [spelt.get("score", {}).get(letter, 0) for letter in _letters(rules)]
    if table.phase not in {Phase.CUT, Phase.CHOOSE, Phase.DEAL}:
        _read_deal(table, spelt)
    return table


def _read_deal(table: Table, spelt: Mapping[str, Any]) -> None:
    rules = table.rules

    def piles(key: str) -> list[list[Card]]:
        given = spelt.get(key, {})
        return [list(cards_of(rules, given.get(letter, ()))) for letter in _letters(rules)]

    def combinations(key: str) -> list[list[Combination]]:
        given = spelt.get(key, {})
        return [[_combination(rules, each) for each in given.get(letter, ())] for letter in _letters(rules)]

    table.leader = seat_of(rules, spelt["leader"])
    table.hands, table.won = piles("hands"), piles("won")
    table.shown = [set(cards) for cards in piles("shown")]
    table.stock = list(reversed(cards_of(rules, spelt["stock"])))
    table.turn_up = card_of(rules, spelt["turn_up"]) if spelt.get("turn_up") else None
    table.trumps = read_suit(spelt["trumps"]) if spelt.get("trumps") else None
    table.trick = list(cards_of(rules, spelt.get("trick", ())))
    table.scored, table.kept = combinations("scored"), combinations("kept")
    table.claimed = set(cards_of(rules, spelt.get("claimed", ())))
    table.scored_now, table.claimed_now = spelt.get("scored_now", 0), spelt.get("claimed_now", 0)
    _check_cards(table)
    _check_counts(table)


def _combination(rules: Rules, spelt: Mapping[str, Any]) -> Combination:
    if spelt["meld"] not in rules.declare.melds.by_id:
        raise Malformed(f"no combination '{spelt['meld']}' in this game")
    return Combination(spelt["meld"], tuple(sorted(cards_of(rules, spelt["cards"]))))


def all_cards(table: Table) -> Iterable[Card]:
    """Every card on the table, wherever it lies."""
    turned = () if table.turn_up is None else (table.turn_up,)
    return chain(*table.hands, *table.won, table.stock, table.trick, turned)


def _check_cards(table: Table) -> None:
    lying = Counter(all_cards(table))
    doubled = [card for card, times in lying.items() if times > 1]
    if doubled:
        raise Malformed(f"{name(doubled[0])} lies in two places")
    missing = [card for card in table.rules.pack if card not in lying]
    if missing:
        raise Malformed(f"{len(missing)} cards lie nowhere, {name(missing[0])} among them")
    for hand, shown in zip(table.hands, table.shown, strict=True):
        if not shown <= set(hand):
            raise Malformed(f"{name(min(shown - set(hand)))} is shown but not held")


def _check_counts(table: Table) -> None:
    """Each player holds as many cards as the deal gave, less what is played or still to be drawn."""
    players, full = table.players, table.rules.deal.hand_size
    played = ring(table.leader, players)[: len(table.trick)]
    owed = _still_to_draw(table)
    whole = [len(hand) + (seat in played) + (seat in owed) for seat, hand in enumerate(table.hands)]
    if len(set(whole)) > 1 or (whole[0] != full if table.drawing else whole[0] > full):
        raise Malformed(f"the hands do not have the right number of cards: {_counts(table.hands)}")
    if any(len(pile) % players for pile in table.won):
        raise Malformed(f"tricks have {players} cards each: {_counts(table.won)}")


def _still_to_draw(table: Table) -> tuple[Seat, ...]:
    """Who has yet to draw after the last trick."""
    if table.phase is Phase.DECLARE:
        return ring(table.leader, table.players)
    if table.phase is Phase.DRAW:
        return ring(table.turn, table.players)[: (table.leader - table.turn) % table.players]
    return ()


def _counts(piles: Sequence[Sequence[Card]]) -> str:
    return ", ".join(f"{SEATS[seat]} {len(pile)}" for seat, pile in enumerate(piles))


def write_position(table: Table) -> dict[str, Any]:
    """The mapping that describes a table."""
    spelt: dict[str, Any] = {
        "phase": str(table.phase),
        "turn": seat_name(table.turn),
        "dealer": _letter_or_none(table.dealer),
        "score": dict(zip(_letters(table.rules), table.score, strict=True)),
    }
    if table.options:
        spelt["options"] = list(table.options)
    if table.phase is Phase.OVER:
        spelt["game_won_by"] = _letter_or_none(table.game_won_by)
    if any(table.hands) or any(table.won):
        spelt |= _write_deal(table)
    return spelt


def _write_deal(table: Table) -> dict[str, Any]:
    letters = _letters(table.rules)

    def piles(cards: Iterable[Iterable[Card]]) -> dict[str, list[str]]:
        return {letter: names(pile) for letter, pile in zip(letters, cards, strict=True)}

    def combinations(rows: Iterable[Iterable[Combination]]) -> dict[str, list[dict[str, Any]]]:
        return {
            letter: [{"meld": each.meld, "cards": names(each.cards)} for each in row]
            for letter, row in zip(letters, rows, strict=True)
        }

    return {
        "leader": seat_name(table.leader),
        "trumps": None if table.trumps is None else SUITS[table.trumps],
        "turn_up": None if table.turn_up is None else name(table.turn_up),
        "hands": piles(map(sorted, table.hands)),
        "shown": piles(map(sorted, table.shown)),
        "stock": names(reversed(table.stock)),
        "trick": names(table.trick),
        "won": piles(table.won),
        "scored": combinations(table.scored),
        "kept": combinations(table.kept),
        "claimed": names(sorted(table.claimed)),
        "scored_now": table.scored_now,
        "claimed_now": table.claimed_now,
    }


def _letters(rules: Rules) -> str:
    return SEATS[: rules.players]


def _seat_or_none(rules: Rules, text: str | None) -> Seat | None:
    return None if text is None else seat_of(rules, text)


def _letter_or_none(seat: Seat | None) -> str | None:
    return None if seat is None else seat_name(seat)
