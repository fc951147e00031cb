"""Awaits: who is to act at a table, and what is awaited of them, in a sentence."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from hoyle_reference import Phase, Table, write_act
from hoyle_reference.chapters.calling.announcing import class_being_called
from hoyle_reference.chapters.calling.classes import POINT, SEQUENCE, SET
from hoyle_reference.machine import Game
from hoyle_reference.table.acts import Announce, Declare
from hoyle_reference.table.cards import name
from hoyle_reference.table.seats import seat_name

from ..report import calling, printed, words

#: What elder is asked of a class: first, and when younger wants to know more.
_CALLS: Final[Mapping[str, str]] = MappingProxyType({POINT: "a point", SEQUENCE: "a sequence", SET: "a set"})
_ASKED: Final[Mapping[str, str]] = MappingProxyType(
    {POINT: "what the point makes", SEQUENCE: "how high the sequence is"}
)


def awaits(table: Table) -> tuple[str | None, str]:
    """The seat that is to act (nobody before the cut, and when all is over), and what is awaited, in words."""
    seat = None if table.phase in {Phase.CUT, Phase.OVER} else seat_name(table.turn)
    return seat, _SAID[table.phase](table, seat or "")


def _chooses(table: Table, who: str) -> str:
    return f"{who} may choose {printed.listed([words.option(each) for each in table.options], 'or')}."


def _announces(table: Table, who: str) -> str:
    class_, called = class_being_called(table), table.called
    if table.turn != table.leader:
        return f"{who} is to answer: {seat_name(table.leader)} has announced {_announced(table, class_)}."
    if called.asked:
        return f"{who} is to say {_ASKED[class_]}."
    then = f"is to announce {_CALLS[class_]}, or to say that there is none."
    return f"{who} may score what is good, and then {then}" if _may_declare(table) else f"{who} {then}"


def _announced(table: Table, class_: str) -> str:
    """What has been announced of the class that is called, and how high it is once that has been told."""
    called = table.called
    first = calling.announcement(write_act(Announce(table.leader, class_, called.count)))
    if not called.height or not called.count:
        return first
    if class_ == SET:
        return calling.announcement(write_act(Announce(table.leader, class_, called.count, rank=called.height)))
    value = {"value": int(called.height)} if class_ == POINT else {"top": called.height}
    return f"{first}, {calling.announcement({'class': class_, **value})}"


def _may_declare(table: Table) -> bool:
    """Whether the player whose turn it is has a combination to score."""
    return any(type(part[0]) is Declare for part in Game(table).legal_actions.parts if part)


def _plays(table: Table, who: str) -> str:
    does = f"is to play to {printed.cards(map(name, table.trick))}" if table.trick else "is to lead"
    return f"{who} may score what is good, and then {does}." if _may_declare(table) else f"{who} {does}."


def _declares(table: Table, who: str) -> str:
    if _may_declare(table):
        return f"{who} has won the trick, may declare, and then draws."
    return f"{who} has won the trick, and is to draw."


def _is_over(table: Table, _who: str) -> str:
    won, points = table.game_won_by, table.settled
    if won is not None:
        return (
            f"The game is over: {seat_name(won)} has won it{'' if points is None else f', for {words.points(points)}'}."
        )
    return "The game is over, and void." if points is None else "The game is over, and drawn."


#: What is awaited in each phase.
_SAID: Final[Mapping[Phase, Callable[[Table, str], str]]] = MappingProxyType(
    {
        Phase.CUT: lambda _t, _who: "The players are to cut for the deal.",
        Phase.CHOOSE: _chooses,
        Phase.DEAL: lambda _t, who: f"{who} is to deal.",
        Phase.EXCHANGE: lambda _t, who: f"{who} is to exchange cards.",
        Phase.ANNOUNCE: _announces,
        Phase.PLAY: _plays,
        Phase.DECLARE: _declares,
        Phase.DRAW: lambda _t, who: f"{who} is to draw.",
        Phase.OVER: _is_over,
    }
)
