"""What lies on the table in games that are drawn for: the part of a position that tells of trumps, the turn-up, cards
that are shown or kept to score, and sevens that have scored."""

from collections.abc import Mapping
from typing import Any, Final

from . import carte_blanche
from .cards import SUITS, Card, Suit, name, names, rank_of, read_suit, suit_of
from .deal import SEVEN
from .notation import card_of, cards_of
from .refusals import Malformed
from .seats import Seat, seat_name
from .spelling import blanks_of, combinations_of, piles_of, read, spell_blanks, spell_combinations, spell_piles
from .table import Blank, Table


def read_deal(table: Table, spelt: Mapping[str, Any]) -> None:
    """Put this part of a position on the table; raises Malformed where something is missing or of the wrong kind."""
    rules = table.rules
    table.shown = [set(cards) for cards in piles_of(rules, spelt, "shown")]
    table.turn_up = None if spelt.get("turn_up") is None else card_of(rules, spelt["turn_up"])
    table.trumps = None if spelt.get("trumps") is None else _suit(spelt["trumps"])
    table.kept = combinations_of(rules, spelt, "kept")
    table.claimed = set(cards_of(rules, read(spelt, "claimed", list, [])))
    if "carte_blanche" in rules.chapters:
        table.blanks = blanks_of(rules, spelt, _BLANKS)
        table.drawn = _drawn_of(table, read(spelt, "drawn", Mapping, {}))
    table.scored_now, table.claimed_now = (read(spelt, key, int, 0) for key in ("scored_now", "claimed_now"))


#: What may have become of a carte blanche: nobody announces it before it is shown.
_WHOLE: Final = frozenset({Blank.SCORED, Blank.DRAWN})
_BLANKS: Final = (Blank.UNSPOKEN, Blank.SCORED, Blank.DRAWN, Blank.OVER)


def _suit(letter: Any) -> Suit:
    if letter not in tuple(SUITS):
        raise Malformed(f"no suit {letter!r}")
    return read_suit(letter)


def _drawn_of(table: Table, spelt: Mapping[str, Any]) -> list[Card | None]:
    """The card that each player has drawn to a carte blanche, and may show."""
    drawn: list[Card | None] = [None] * table.players
    for seat, blank in enumerate(table.blanks):
        if blank is Blank.DRAWN:
            card = drawn[seat] = card_of(table.rules, read(spelt, seat_name(Seat(seat)), str))
            if card not in table.hands[seat]:
                raise Malformed(f"{name(card)} is drawn by {seat_name(Seat(seat))}, who does not hold it")
    return drawn


def check_deal(table: Table) -> None:
    """Only held cards are shown; the turn-up makes trumps, the sevens that have scored are of trumps, and one that was
    turned up is among them; a carte blanche is one. Raises Malformed where it is otherwise."""
    for seat, blank in enumerate(table.blanks):
        if blank in _WHOLE and (court := carte_blanche.court_cards(table, Seat(seat))):
            raise Malformed(f"{name(court[0])} is not in a carte blanche, which {seat_name(Seat(seat))} has scored")
    if not 0 <= table.scored_now <= len(table.scored[table.rules.side_of[table.leader]]) or table.claimed_now < 0:
        raise Malformed(f"{table.scored_now} combinations cannot have scored since the last trick")
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
        **(_write_blanks(table) if "carte_blanche" in table.rules.chapters else {}),
    }


def _write_blanks(table: Table) -> dict[str, Any]:
    """What has become of each carte blanche, with the cards drawn that may be shown."""
    drawn = {seat_name(Seat(seat)): name(card) for seat, card in enumerate(table.drawn) if card is not None}
    return {"blanks": spell_blanks(table), **({"drawn": drawn} if drawn else {})}
