"""Position: a table as a plain mapping, for scenario files and the protocol.

Cards are listed by name; the stock with its top card first. Every card of the pack lies in exactly one place. What only
some games have is read and written by `laid` (cards on the table, trumps, the stock that is drawn from) and `handled`
(the exchange and the calling), each for the games that have its chapters.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from . import handled, laid
from .cards import Card, name, names
from .choices import DEAL_OPTIONS, TALON_OPTIONS
from .notation import cards_of, seat_of
from .refusals import Malformed
from .rules import Rules
from .seats import SEATS, Seat, ring, seat_name, seat_or_none
from .spelling import combinations_of, piles_of, read, side_letters, spell_combinations, spell_piles
from .table import Phase, Table

#: The phases that can be set up: a game that is over cannot go on.
_SETTABLE: Final = tuple(phase for phase in Phase if phase is not Phase.OVER)
_IN_A_DEAL: Final = frozenset({Phase.EXCHANGE, Phase.ANNOUNCE, Phase.PLAY, Phase.DECLARE, Phase.DRAW})
#: What only some games have, by the chapter without which a game has none of it.
_PARTS: Final = (("draw", laid), ("talon", handled))
#: The phases that only some games have, by the same.
_PHASES: Final = (("talon", {Phase.EXCHANGE, Phase.ANNOUNCE}), ("draw", {Phase.DECLARE, Phase.DRAW}))


def read_position(rules: Rules, spelt: Mapping[str, Any]) -> Table:
    """The table that a mapping describes, as `position.schema.json` has it.

    Raises Malformed where something is missing or of the wrong kind, where cards are missing, doubled or miscounted,
    and where the turn is not that of the phase.
    """
    table = Table(rules)
    table.phase = _phase(spelt.get("phase"))
    table.turn = seat_of(rules, spelt.get("turn"))
    table.dealer = None if spelt.get("dealer") is None else seat_of(rules, spelt["dealer"])
    table.options = tuple(read(spelt, "options", list, []))
    score = read(spelt, "score", Mapping, {})
    table.score = [read(score, letter, int, 0) for letter in side_letters(rules)]
    if "talon" in rules.chapters:
        handled.read_game(table, spelt)
    in_a_deal = table.phase in _IN_A_DEAL or (table.phase is Phase.CHOOSE and "hands" in spelt)
    _check_phase(table, in_a_deal=in_a_deal)
    if in_a_deal:
        _read_deal(table, spelt)
    _check_turn(table)
    return table


def _phase(word: Any) -> Phase:
    if word not in _SETTABLE:
        raise Malformed(f"'phase' is one of {', '.join(_SETTABLE)}, not {word!r}")
    return Phase(word)


def _check_phase(table: Table, *, in_a_deal: bool) -> None:
    """The game has this phase, there is a dealer by then, and the choice is one that is put at this point."""
    if any(table.phase in phases and chapter not in table.rules.chapters for chapter, phases in _PHASES):
        raise Malformed(f"there is no phase '{table.phase}' in this game")
    if table.dealer is None and (in_a_deal or table.phase is Phase.DEAL):
        raise Malformed("'dealer' is missing in the position")
    offered = TALON_OPTIONS if in_a_deal and "talon" in table.rules.chapters else DEAL_OPTIONS
    if table.phase is Phase.CHOOSE and not all(option in offered for option in table.options):
        raise Malformed(f"the options are {' and '.join(offered)}, not {', '.join(map(str, table.options))}")


def _read_deal(table: Table, spelt: Mapping[str, Any]) -> None:
    rules = table.rules
    table.deals = max(1, table.deals)
    table.leader = seat_of(rules, spelt.get("leader"))
    table.hands, table.won = piles_of(rules, spelt, "hands"), piles_of(rules, spelt, "won")
    table.stock = list(reversed(cards_of(rules, read(spelt, "stock", list))))
    table.trick = list(cards_of(rules, read(spelt, "trick", list, [])))
    table.scored = combinations_of(rules, spelt, "scored")
    if spelt.get("last_trick_won_by") is not None:
        table.last_trick_won_by = seat_of(rules, spelt["last_trick_won_by"])
    for chapter, part in _PARTS:
        if chapter in rules.chapters:
            part.read_deal(table, spelt)
    _check_cards(table)
    _check_counts(table)
    for chapter, part in _PARTS:
        if chapter in rules.chapters:
            part.check_deal(table)


def _check_turn(table: Table) -> None:
    """It is the turn of the player whom the phase makes to act."""
    if table.phase in {Phase.CUT, Phase.CHOOSE}:
        return
    assert table.dealer is not None, "looked at with the phase"
    expected = {
        Phase.DEAL: {table.dealer},
        Phase.EXCHANGE: set(ring(table.leader, table.players)),
        Phase.ANNOUNCE: set(ring(table.leader, table.players)),
        Phase.PLAY: {ring(table.leader, table.players)[len(table.trick) % table.players]},
        Phase.DECLARE: {table.leader},
        Phase.DRAW: set(ring(table.leader, table.players)[1:]),
    }[table.phase]
    if table.turn not in expected:
        players = " or ".join(map(seat_name, sorted(expected)))
        raise Malformed(f"in this position it is the turn of {players}, not of {seat_name(table.turn)}")
    if table.phase in {Phase.DECLARE, Phase.DRAW}:
        if table.trick or not table.drawing:
            raise Malformed("before drawing no card is in the trick, and some are left to be drawn")
        if not table.won[table.leader]:
            raise Malformed(f"{seat_name(table.leader)} is to declare or draw first, and has won no trick")


def all_cards(table: Table) -> Iterable[Card]:
    """Every card on the table, wherever it lies."""
    turned = () if table.turn_up is None else (table.turn_up,)
    return chain(*table.hands, *table.won, *table.discards, table.stock, table.trick, turned)


def _check_cards(table: Table) -> None:
    lying = Counter(all_cards(table))
    doubled = [card for card, times in lying.items() if times > 1]
    if doubled:
        raise Malformed(f"{name(doubled[0])} lies in two places")
    missing = [card for card in table.rules.pack if card not in lying]
    if missing:
        raise Malformed(f"{len(missing)} cards lie nowhere, {name(missing[0])} among them")


def _check_counts(table: Table) -> None:
    """Each player holds as many cards as the deal gave, less what is played or still to be drawn."""
    players, full = table.players, table.rules.deal.hand_size
    if len(table.trick) >= players:
        raise Malformed("the trick is complete: its cards belong to the player who has won it")
    owed = _still_to_draw(table)
    whole = [len(hand) + (seat in table.have_played) + (seat in owed) for seat, hand in enumerate(table.hands)]
    all_held = table.drawing or table.phase in {Phase.EXCHANGE, Phase.ANNOUNCE}
    if len(set(whole)) > 1 or (whole[0] != full if all_held else whole[0] > full):
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
        "dealer": seat_or_none(table.dealer),
        "score": dict(zip(side_letters(table.rules), table.score, strict=True)),
    }
    if table.options:
        spelt["options"] = list(table.options)
    if table.phase is Phase.OVER:
        spelt["game_won_by"] = seat_or_none(table.game_won_by)
        if table.settled is not None:
            spelt["settled"] = table.settled
    if "talon" in table.rules.chapters:
        spelt |= handled.write_game(table)
    if any(table.hands) or any(table.won):
        spelt |= _write_deal(table)
    return spelt


def _write_deal(table: Table) -> dict[str, Any]:
    last = table.last_trick_won_by
    spelt = {
        **({} if last is None else {"last_trick_won_by": seat_name(last)}),
        "leader": seat_name(table.leader),
        "hands": spell_piles(table, map(sorted, table.hands)),
        "stock": names(reversed(table.stock)),
        "trick": names(table.trick),
        "won": spell_piles(table, table.won),
        "scored": spell_combinations(table, table.scored),
    }
    for chapter, part in _PARTS:
        if chapter in table.rules.chapters:
            spelt |= part.write_deal(table)
    return spelt
