"""What lies on the table in games that are drawn for: the part of a position that tells of trumps, the turn-up, cards
that are shown or kept to score, and sevens that have scored."""

from collections.abc import Mapping
from typing import Any

from .cards import SUITS, Suit, name, names, rank_of, read_suit, suit_of
from .deal import SEVEN
from .notation import card_of, cards_of
from .refusals import Malformed
from .spelling import combinations_of, piles_of, read, spell_combinations, spell_piles
from .table import Table


def read_deal(table: Table, spelt: Mapping[str, Any]) -> None:
    """Put this part of a position on the table; raises Malformed where something is missing or of the wrong kind."""
    rules = table.rules
    table.shown = [set(cards) for cards in piles_of(rules, spelt, "shown")]
    table.turn_up = None if spelt.get("turn_up") is None else card_of(rules, spelt["turn_up"])
    table.trumps = None if spelt.get("trumps") is None else _suit(spelt["trumps"])
    table.kept = combinations_of(rules, spelt, "kept")
    table.claimed = set(cards_of(rules, read(spelt, "claimed", list, [])))
    table.scored_now, table.claimed_now = (read(spelt, key, int, 0) for key in ("scored_now", "claimed_now"))


def _suit(letter: Any) -> Suit:
    if letter not in tuple(SUITS):
        raise Malformed(f"no suit {letter!r}")
    return read_suit(letter)


def check_deal(table: Table) -> None:
    """Only held cards are shown; the turn-up makes trumps, the sevens that have scored are of trumps, and one that was
    turned up is among them. Raises Malformed where it is otherwise."""
    for hand, shown in zip(table.hands, table.shown, strict=True):
        if not shown <= set(hand):
            raise Malformed(f"{name(min(shown - set(hand)))} is shown but not held")
    turned = table.turn_up
    if turned is not None and (table.trumps != suit_of(turned) or not table.rules.deal.a_card_is_turned_up):
        raise Malformed(f"the turn-up {name(turned)} does not make trumps here")
    if turned is not None and rank_of(turned) == SEVEN and turned not in table.claimed:
        raise Malformed(f"{name(turned)} is turned up, and so it has scored: it belongs to 'claimed'")
    for card in table.claimed:
        if rank_of(card) != SEVEN or suit_of(card) != table.trumps:
            raise Malformed(f"{name(card)} is not a seven of trumps, and scores nothing by itself")


def write_deal(table: Table) -> dict[str, Any]:
    """This part of the position of a table."""
    return {
        "trumps": None if table.trumps is None else SUITS[table.trumps],
        "turn_up": None if table.turn_up is None else name(table.turn_up),
        "shown": spell_piles(table, map(sorted, table.shown)),
        "kept": spell_combinations(table, table.kept),
        "claimed": names(sorted(table.claimed)),
        "scored_now": table.scored_now,
        "claimed_now": table.claimed_now,
    }
