"""What has been exchanged and called, in games that begin so: the part of a position that tells of discards, blanks and
the calling of the classes, and of the deals of a partie."""

from collections.abc import Mapping
from typing import Any, cast

from . import classes
from .calls import now
from .notation import seat_of
from .refusals import Malformed
from .seats import SEATS, after, seat_or_none
from .spelling import blanks_of, letters, of_each, piles_of, read, spell_blanks, spell_piles
from .table import Blank, Called, Phase, Table


def read_game(table: Table, spelt: Mapping[str, Any]) -> None:
    """Put on the table what is remembered from deal to deal: how many there were, how many must follow, and in what
    packets."""
    table.deals = read(spelt, "deals", int, 0)
    table.deals_left = read(spelt, "deals_left", int, table.deals_left)
    packets = read(spelt, "packets", Mapping, {})
    table.packets = [_packets(table, packets, letter) for letter in letters(table.rules)]


def _packets(table: Table, packets: Mapping[str, Any], letter: str) -> int | None:
    if packets.get(letter) is None:
        return None
    size = read(packets, letter, int)
    allowed = [way[0] for way in table.rules.deal.packets]
    if size not in allowed:
        raise Malformed(f"packets hold {' or '.join(map(str, allowed))} cards, not {size}")
    return cast("int", size)


def read_deal(table: Table, spelt: Mapping[str, Any]) -> None:
    """Put this part of a position on the table; raises Malformed where something is missing or of the wrong kind."""
    rules = table.rules
    table.discards = piles_of(rules, spelt, "discards")
    table.seen = [set(cards) for cards in piles_of(rules, spelt, "seen")]
    table.blanks = blanks_of(rules, spelt, (Blank.UNSPOKEN, Blank.ANNOUNCED, Blank.SCORED))
    table.made = of_each(rules, spelt, "made", int, 0)
    table.called = _called(table, read(spelt, "called", Mapping, {}))


def _called(table: Table, spelt: Mapping[str, Any]) -> Called:
    decided = read(spelt, "decided", list, [])
    return Called(
        tuple(None if letter is None else seat_of(table.rules, letter) for letter in decided),
        tuple(_call(each) for each in read(spelt, "announced", list, [])),
        read(spelt, "count", int, 0),
        read(spelt, "height", str, ""),
        read(spelt, "asked", bool, False),
    )


def _call(spelt: Any) -> tuple[int, str]:
    if not isinstance(spelt, Mapping):
        raise Malformed(f"what was announced has a 'count' and a 'height', unlike {spelt!r}")
    return read(spelt, "count", int), read(spelt, "height", str)


def check_deal(table: Table) -> None:
    """The cards put away are as many as were drawn, elder leads first, and the classes are decided in their time;
    raises Malformed where it is otherwise."""
    whole = len(table.rules.pack) - table.players * table.rules.deal.hand_size
    away = sum(map(len, table.discards)) + len(table.stock)
    if away != whole:
        raise Malformed(f"the discards and the stock must hold {whole} cards together, not {away}")
    if table.leader == table.dealer and not any(table.won):
        raise Malformed("elder leads to the first trick, and is not the dealer")
    if table.phase is not Phase.PLAY and table.trick:
        raise Malformed("no card is played before the calling is over")
    _check_exchange(table)
    _check_called(table)


def _check_exchange(table: Table) -> None:
    """Nobody has exchanged before elder, and elder as many cards as the table allows."""
    assert table.dealer is not None, "looked at before the deal is read"
    elder = len(table.discards[after(table.dealer, table.players)])
    rules, to_exchange = table.rules.talon, table.phase is Phase.EXCHANGE
    if to_exchange and table.turn == table.leader:
        if any(table.discards):
            raise Malformed("before elder exchanges nobody has put cards away")
    elif not rules.elder_least <= elder <= rules.elder_most:
        raise Malformed(f"elder puts away {rules.elder_least} to {rules.elder_most} cards, not {elder}")


def _check_called(table: Table) -> None:
    called, classes_ = table.called, len(classes.CLASSES)
    if len(called.announced) != len(called.decided):
        raise Malformed("for each class that is decided it is said what was announced")
    decided = {
        Phase.ANNOUNCE: range(classes_),
        Phase.PLAY: range(classes_, classes_ + 1),
    }.get(table.phase, range(1))
    if len(called.decided) not in decided:
        raise Malformed(f"{len(called.decided)} classes are decided, which cannot be in the phase '{table.phase}'")
    for class_, (_, height) in zip(classes.CLASSES, called.announced, strict=False):
        _check_height(table, class_, height)
    if table.phase is Phase.ANNOUNCE:
        _check_height(table, now(table), called.height)


def _check_height(table: Table, class_: str, height: str) -> None:
    if height:
        classes.height_said(class_, height, table.rules.classes)


def write_game(table: Table) -> dict[str, Any]:
    """What is remembered from deal to deal."""
    packets = {SEATS[seat]: size for seat, size in enumerate(table.packets) if size is not None}
    spelt: dict[str, Any] = {"deals": table.deals, "deals_left": table.deals_left}
    if packets:
        spelt["packets"] = packets
    return spelt


def write_deal(table: Table) -> dict[str, Any]:
    """This part of the position of a table."""
    called, seats = table.called, letters(table.rules)
    return {
        "discards": spell_piles(table, map(sorted, table.discards)),
        "seen": spell_piles(table, map(sorted, table.seen)),
        "blanks": spell_blanks(table),
        "made": dict(zip(seats, table.made, strict=True)),
        "called": {
            "decided": [seat_or_none(seat) for seat in called.decided],
            "announced": [{"count": count, "height": height} for count, height in called.announced],
            "count": called.count,
            "height": called.height,
            "asked": called.asked,
        },
    }
