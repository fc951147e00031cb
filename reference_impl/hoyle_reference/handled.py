"""What has been exchanged and called, in games that begin so: the part of a position that tells of discards, blanks and
the calling of the classes, and of the deals of a partie."""

from collections.abc import Mapping
from typing import Any

from . import classes
from .calls import now
from .notation import seat_of
from .refusals import Malformed
from .seats import SEATS, seat_or_none
from .spelling import letters, of_each, piles_of, read, spell_piles
from .table import Blank, Called, Phase, Table


def read_game(table: Table, spelt: Mapping[str, Any]) -> None:
    """Put on the table what is remembered from deal to deal: how many there were, how many must follow, and in what
    packets."""
    table.deals = read(spelt, "deals", int, 0)
    table.deals_left = read(spelt, "deals_left", int, table.deals_left)
    packets = read(spelt, "packets", Mapping, {})
    table.packets = [packets.get(letter) and read(packets, letter, int) for letter in letters(table.rules)]


def read_deal(table: Table, spelt: Mapping[str, Any]) -> None:
    """Put this part of a position on the table; raises Malformed where something is missing or of the wrong kind."""
    rules = table.rules
    table.discards = piles_of(rules, spelt, "discards")
    table.seen = [set(cards) for cards in piles_of(rules, spelt, "seen")]
    table.blanks = [_blank(word) for word in of_each(rules, spelt, "blanks", str, Blank.UNSPOKEN)]
    table.made = of_each(rules, spelt, "made", int, 0)
    table.called = _called(table, read(spelt, "called", Mapping, {}))


def _blank(word: str) -> Blank:
    if word not in tuple(Blank):
        raise Malformed(f"a blank is {', '.join(Blank)}, not {word!r}")
    return Blank(word)


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
    """As many cards are put away as are drawn, and the classes are decided before the play; raises Malformed where it
    is otherwise."""
    called, whole = table.called, len(table.rules.pack) - table.players * table.rules.deal.hand_size
    if sum(map(len, table.discards)) + len(table.stock) != whole:
        raise Malformed(f"the discards and the stock hold {whole} cards together")
    if len(called.announced) != len(called.decided):
        raise Malformed("for each class that is decided it is said what was announced")
    if table.phase is Phase.PLAY and len(called.decided) != len(classes.CLASSES):
        raise Malformed("every class is decided before the play")
    if table.phase is Phase.ANNOUNCE and len(called.decided) >= len(classes.CLASSES):
        raise Malformed("when every class is decided, elder leads")
    for class_, (_, height) in zip(classes.CLASSES, called.announced, strict=False):
        _check_height(table, class_, height)
    if table.phase is Phase.ANNOUNCE:
        _check_height(table, now(table), called.height)


def _check_height(table: Table, class_: str, height: str) -> None:
    if height:
        try:
            classes.height_said(class_, height, table.rules.classes)
        except ValueError:
            raise Malformed(f"a {class_} is not as high as {height!r}") from None


def write_game(table: Table) -> dict[str, Any]:
    """What is remembered from deal to deal."""
    packets = {SEATS[seat]: size for seat, size in enumerate(table.packets) if size is not None}
    spelt: dict[str, Any] = {"deals": table.deals, "deals_left": table.deals_left}
    if packets:
        spelt["packets"] = packets
    return spelt if table.settled is None else {**spelt, "settled": table.settled}


def write_deal(table: Table) -> dict[str, Any]:
    """This part of the position of a table."""
    called, seats = table.called, letters(table.rules)
    return {
        "discards": spell_piles(table, map(sorted, table.discards)),
        "seen": spell_piles(table, map(sorted, table.seen)),
        "blanks": dict(zip(seats, map(str, table.blanks), strict=True)),
        "made": dict(zip(seats, table.made, strict=True)),
        "called": {
            "decided": [seat_or_none(seat) for seat in called.decided],
            "announced": [{"count": count, "height": height} for count, height in called.announced],
            "count": called.count,
            "height": called.height,
            "asked": called.asked,
        },
    }
