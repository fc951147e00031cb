"""Position: a table as a plain mapping, for scenario files and the protocol.

Cards are listed by name; the stock with its top card first. Every card of the pack lies in exactly one place.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, Final

from .cards import SUITS, Card, Suit, name, names, rank_of, read_suit, suit_of
from .deal import DEALS, LEAVES_IT, SEVEN
from .notation import card_of, cards_of, seat_of
from .refusals import Malformed
from .rules import Rules
from .seats import SEATS, Seat, ring, seat_name, seat_or_none
from .table import Combination, Phase, Table

#: The phases that can be set up: a game that is over cannot go on.
_SETTABLE: Final = tuple(phase for phase in Phase if phase is not Phase.OVER)
_IN_A_DEAL: Final = frozenset({Phase.PLAY, Phase.DECLARE, Phase.DRAW})
_KINDS: Final = MappingProxyType(
    {list: "a list", Mapping: "a mapping", int: "a whole number", str: "text", tuple: "a list"}
)


def read_position(rules: Rules, spelt: Mapping[str, Any]) -> Table:
    """The table that a mapping describes, as `position.schema.json` has it.

    Raises Malformed where something is missing or of the wrong kind, where cards are missing, doubled or miscounted,
    and where the turn is not that of the phase.
    """
    table = Table(rules)
    table.phase = _phase(spelt.get("phase"))
    table.turn = seat_of(rules, spelt.get("turn"))
    table.dealer = None if spelt.get("dealer") is None else seat_of(rules, spelt["dealer"])
    table.options = tuple(_read(spelt, "options", list, []))
    score = _read(spelt, "score", Mapping, {})
    table.score = [_read(score, letter, int, 0) for letter in _letters(rules)]
    if table.phase in _IN_A_DEAL:
        _read_deal(table, spelt)
    _check_turn(table)
    return table


def _phase(word: Any) -> Phase:
    if word not in _SETTABLE:
        raise Malformed(f"'phase' is one of {', '.join(_SETTABLE)}, not {word!r}")
    return Phase(word)


def _read(spelt: Mapping[str, Any], key: str, kind: type, default: Any = None) -> Any:
    """What stands under a key; raises Malformed where it is of another kind, or missing though it may not be."""
    value = spelt.get(key, default)
    if value is None:
        raise Malformed(f"'{key}' is missing in the position")
    if isinstance(value, bool) or not isinstance(value, kind):  # True would pass for 1
        raise Malformed(f"'{key}' must be {_KINDS[kind]}, not {value!r}")
    return value


def _read_deal(table: Table, spelt: Mapping[str, Any]) -> None:
    rules = table.rules

    def rows(key: str) -> list[Sequence[Any]]:
        given = _read(spelt, key, Mapping, {})
        return [_read(given, letter, list, []) for letter in _letters(rules)]

    def piles(key: str) -> list[list[Card]]:
        return [list(cards_of(rules, row)) for row in rows(key)]

    def combinations(key: str) -> list[list[Combination]]:
        return [[_combination(rules, each) for each in row] for row in rows(key)]

    table.deals = 1
    table.leader = seat_of(rules, spelt.get("leader"))
    table.hands, table.won = piles("hands"), piles("won")
    table.shown = [set(cards) for cards in piles("shown")]
    table.stock = list(reversed(cards_of(rules, _read(spelt, "stock", list))))
    table.turn_up = None if spelt.get("turn_up") is None else card_of(rules, spelt["turn_up"])
    table.trumps = None if spelt.get("trumps") is None else _suit(spelt["trumps"])
    table.trick = list(cards_of(rules, _read(spelt, "trick", list, [])))
    table.scored, table.kept = combinations("scored"), combinations("kept")
    table.claimed = set(cards_of(rules, _read(spelt, "claimed", list, [])))
    if spelt.get("last_trick_won_by") is not None:
        table.last_trick_won_by = seat_of(rules, spelt["last_trick_won_by"])
    table.scored_now, table.claimed_now = (_read(spelt, key, int, 0) for key in ("scored_now", "claimed_now"))
    _check_cards(table)
    _check_counts(table)
    _check_claims(table)


def _suit(letter: Any) -> Suit:
    if letter not in tuple(SUITS):
        raise Malformed(f"no suit {letter!r}")
    return read_suit(letter)


def _combination(rules: Rules, spelt: Any) -> Combination:
    if not isinstance(spelt, Mapping):
        raise Malformed(f"a combination has a 'meld' and its 'cards', unlike {spelt!r}")
    meld = _read(spelt, "meld", str)
    if meld not in rules.declare.melds.by_id:
        raise Malformed(f"no combination '{meld}' in this game")
    return Combination(meld, tuple(sorted(cards_of(rules, _read(spelt, "cards", list)))))


def _check_turn(table: Table) -> None:
    """It is the turn of the player whom the phase makes to act."""
    if table.phase is Phase.CHOOSE and not {DEALS, LEAVES_IT}.issuperset(table.options):
        raise Malformed(f"the options are {DEALS} and {LEAVES_IT}, not {', '.join(map(str, table.options))}")
    if table.phase in {Phase.CUT, Phase.CHOOSE}:
        return
    if table.dealer is None:
        raise Malformed("'dealer' is missing in the position")
    expected = {
        Phase.DEAL: {table.dealer},
        Phase.PLAY: {ring(table.leader, table.players)[len(table.trick)]},
        Phase.DECLARE: {table.leader},
        Phase.DRAW: set(ring(table.leader, table.players)[1:]),
    }[table.phase]
    if table.turn not in expected:
        players = " or ".join(map(seat_name, sorted(expected)))
        raise Malformed(f"in this position it is the turn of {players}, not of {seat_name(table.turn)}")
    if table.phase in {Phase.DECLARE, Phase.DRAW} and (table.trick or not table.drawing):
        raise Malformed("before drawing no card is in the trick, and some are left to be drawn")


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
    if len(table.trick) >= players:
        raise Malformed("the trick is complete: its cards belong to the player who has won it")
    played = ring(table.leader, players)[: len(table.trick)]
    owed = _still_to_draw(table)
    whole = [len(hand) + (seat in played) + (seat in owed) for seat, hand in enumerate(table.hands)]
    if len(set(whole)) > 1 or (whole[0] != full if table.drawing else whole[0] > full):
        raise Malformed(f"the hands do not have the right number of cards: {_counts(table.hands)}")
    if any(len(pile) % players for pile in table.won):
        raise Malformed(f"tricks have {players} cards each: {_counts(table.won)}")


def _check_claims(table: Table) -> None:
    """The turn-up makes trumps, the sevens that have scored are of trumps, and one that was turned up is among them."""
    turned = table.turn_up
    if turned is not None and (table.trumps != suit_of(turned) or not table.rules.deal.a_card_is_turned_up):
        raise Malformed(f"the turn-up {name(turned)} does not make trumps here")
    if turned is not None and rank_of(turned) == SEVEN and turned not in table.claimed:
        raise Malformed(f"{name(turned)} is turned up, and so it has scored: it belongs to 'claimed'")
    for card in table.claimed:
        if rank_of(card) != SEVEN or suit_of(card) != table.trumps:
            raise Malformed(f"{name(card)} is not a seven of trumps, and scores nothing by itself")


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
        "dealer": seat_or_none(table.dealer),
        "score": dict(zip(_letters(table.rules), table.score, strict=True)),
    }
    if table.options:
        spelt["options"] = list(table.options)
    if table.phase is Phase.OVER:
        spelt["game_won_by"] = seat_or_none(table.game_won_by)
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

    last = table.last_trick_won_by
    return {
        **({} if last is None else {"last_trick_won_by": seat_name(last)}),
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
