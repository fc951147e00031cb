"""The turn at a table: who is to act, and what is awaited, in a sentence."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from hoyle_conformance.wording import calls as calling
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import rulings, words
from hoyle_conformance.wording.text import join_and
from hoyle_reference import CHANCE, Game, Phase, Table, rules_of, write_act
from hoyle_reference.acts import CLASSES, POINT, SEQUENCE, SET, Act, Announce, Declare, Exchange, Hold, Show
from hoyle_reference.cards import name
from hoyle_reference.seats import seat_name

OpenKinds = frozenset[type[Act]]

#: What elder is asked of a class: first, and when younger wants to know more.
_CALLS: Final[Mapping[str, str]] = MappingProxyType({POINT: "a point", SEQUENCE: "a sequence", SET: "a set"})
_ASKED: Final[Mapping[str, str]] = MappingProxyType(
    {POINT: "what the point makes", SEQUENCE: "how high the sequence is"}
)


def awaits(table: Table, seen_by: str | None = None) -> tuple[str | None, str]:
    """Return the seat that is to act (None before the cut, and when all is over), and what is awaited, in words.

    If only one player's cards are to be seen, it is not said what another could declare.
    """
    seat = None if table.phase in {Phase.CUT, Phase.OVER} else seat_name(table.turn)
    now = _open_kinds(table) if seen_by in {None, seat} else frozenset[type[Act]]()
    return seat, _SAID[table.phase](table, seat or "", now)


def _open_kinds(table: Table) -> frozenset[type[Act]]:
    """Return the kinds of acts that somebody may do now; none where chance decides, or the game is over."""
    if table.phase in CHANCE or table.phase is Phase.OVER:
        return frozenset()
    return frozenset(type(part[0]) for part in Game(table).legal_actions.parts if part)


def _chooses(table: Table, who: str, _now: OpenKinds) -> str:
    return f"{who} may choose {join_and([rulings.choice(each) for each in table.choices], 'or')}."


def _announces(table: Table, who: str, now: OpenKinds) -> str:
    class_, called = CLASSES[len(table.called.decided)], table.called
    if table.turn != table.leader:
        return f"{who} is to answer: {seat_name(table.leader)} has announced {_announced(table, class_)}."
    if called.asked:
        return f"{who} is to say {_ASKED[class_]}."
    what = _CALLS[class_]
    if Declare in now:
        return f"{who} may score what is good, and then announces {what}, or none."
    return f"{who} is to announce {what}, or to say that there is none."


def _announced(table: Table, class_: str) -> str:
    """Return what has been announced of the class that is called, and how high it is once that is known."""
    called = table.called
    first = calling.announcement(write_act(Announce(table.leader, class_, called.count)))
    if not called.height or not called.count:
        return first
    if class_ == SET:
        return calling.announcement(write_act(Announce(table.leader, class_, called.count, rank=called.height)))
    value = {"value": int(called.height)} if class_ == POINT else {"top": called.height}
    return f"{first}, {calling.announcement({'class': class_, **value})}"


def _plays(table: Table, who: str, now: OpenKinds) -> str:
    to = f" to {printed.cards(map(name, table.trick))}" if table.trick else ""
    if Declare in now:
        return f"{who} may score what is good, and then {'plays' if to else 'leads'}{to}."
    return f"{who} is to {'play' if to else 'lead'}{to}."


#: What may be done between winning a trick and drawing.
_BEFORE_DRAWING: Final[Mapping[type[Act], str]] = MappingProxyType(
    {
        Declare: "declare",
        Hold: "keep a combination to score",
        Exchange: "exchange the seven",
        Show: "show the seven",
    }
)


def _declares(_table: Table, who: str, now: OpenKinds) -> str:
    may = join_and([says for act, says in _BEFORE_DRAWING.items() if act in now], "or")
    does = f"may {may}, and then draws" if may else "and is to draw"
    return f"{who} has won the trick, {does}."


def _exchanges(table: Table, who: str, _now: OpenKinds) -> str:
    """How many cards are exchanged: at least so many, at most so many, or as many as are left."""
    rules, left = rules_of(table).talon, len(table.stock)
    elder = table.turn == table.leader
    least = (rules.elder_least if elder else rules.younger_least).value
    most = min(rules.elder_most.value, left) if elder else left
    return f"{who}, {'elder' if elder else 'younger'}, is to exchange {_many(least, most)}."


def _many(least: int, most: int) -> str:
    cards = "card" if most == 1 else "cards"
    if least == most:
        return f"{most} {cards}"
    return f"up to {most} {cards}" if least == 0 else f"{least} to {most} {cards}"


def _is_over(table: Table, _who: str, _now: OpenKinds) -> str:
    won, points = table.game_won_by, table.settled
    if won is not None:
        return (
            f"The game is over: {seat_name(won)} has won it{'' if points is None else f', for {words.points(points)}'}."
        )
    return "The game is over, and void." if points is None else "The game is over, and drawn."


#: What is awaited in each phase.
_SAID: Final[Mapping[Phase, Callable[[Table, str, OpenKinds], str]]] = MappingProxyType(
    {
        Phase.CUT: lambda _t, _who, _now: "The players are to cut for the deal.",
        Phase.CHOOSE: _chooses,
        Phase.DEAL: lambda _t, who, _now: f"{who} is to deal.",
        Phase.EXCHANGE: _exchanges,
        Phase.ANNOUNCE: _announces,
        Phase.PLAY: _plays,
        Phase.DECLARE: _declares,
        Phase.DRAW: lambda _t, who, _now: f"{who} is to draw.",
        Phase.OVER: _is_over,
    }
)
