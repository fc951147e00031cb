"""Rules: a table compiled once into plain values and functions, so that play never walks the table.

A table has the chapters of its game; a chapter that it does not have is compiled to nothing, and its acts are not in
the game (`machine`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from . import (
    blank,
    carte_blanche,
    classes,
    deal,
    declare,
    exchange,
    reckoning,
    reuse,
    score,
    seats,
    settle,
    talon,
    tricks,
)
from .acts import Play
from .cards import Card, pack
from .cells import Cells, Document, lay_flat
from .events import Event
from .refusals import Malformed
from .seats import Seat
from .table import Table

#: What follows when a seat plays a card, or draws one.
OnPlay = Callable[[Table, Seat, Card], Iterable[Event]]
#: What follows when a seat has made so many points by tricks.
OnTrickPoints = Callable[[Table, Seat, int], Iterable[Event]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rules:
    """One ruleset, ready to be played: the compiled chapters, and the cells they were compiled from."""

    id: str
    cells: Cells
    chapters: frozenset[str]
    players: int
    packs: int
    pack: tuple[Card, ...]
    draws: bool
    deal: deal.DealRules
    tricks: tricks.TrickRules
    exchange: exchange.ExchangeRules
    declare: declare.DeclareRules
    reuse: reuse.ReuseRules
    talon: talon.TalonRules
    blank: blank.BlankRules
    classes: classes.ClassRules
    reckoning: reckoning.ReckoningRules
    score: score.ScoreRules
    settle: settle.SettleRules
    carte_blanche: carte_blanche.CarteBlancheRules
    on_play: tuple[OnPlay, ...]
    #: What follows when a seat draws a card.
    on_draw: tuple[OnPlay, ...]
    on_trick_points: tuple[OnTrickPoints, ...]
    #: Every act of playing a card, by seat and card, made once.
    plays: tuple[tuple[Play, ...], ...]
    #: Who score together, and for each seat the first of its side, which has their score.
    sides: tuple[tuple[Seat, ...], ...]
    side_of: tuple[Seat, ...]

    #: Whether a seven takes the place of the combination that may be scored after a trick.
    seven_is_a_declaration: bool

    def side(self, seat: Seat) -> tuple[Seat, ...]:
        """The player in a seat, and whoever scores together with them."""
        return self.sides[self.side_of[seat]]

    @property
    def combinations(self) -> Mapping[str, Any]:
        """The combinations that may be named in this game, by id."""
        return self.classes.by_id if "classes" in self.chapters else self.declare.melds.by_id


class _Absent:
    """A chapter that a table does not have: nothing may be asked of it."""

    def __init__(self, chapter: str) -> None:
        self._chapter = chapter

    def __getattr__(self, name: str) -> object:
        raise Malformed("the table has no such chapter", self._chapter)


def compile_rules(document: Document, options: Iterable[str] = (), readings: Mapping[str, str] | None = None) -> Rules:
    """The rules of a table (a document as `ruleset.schema.json` describes it), with options and readings applied.

    Raises Malformed where the table lacks a cell, or has no such option or reading.
    """
    chosen = tuple(options)
    return compile_cells("+".join((document["id"], *chosen)), lay_flat(document, chosen, readings))


def compile_cells(name: str, cells: Cells) -> Rules:
    """The rules that these cells make; raises Malformed where one is lacking."""
    players, packs = cells.number("players.number"), cells.number("cards.packs")
    cards = pack(packs)
    chapters = frozenset(cell.path.partition(".")[0] for cell in cells)

    def of(chapter: str, read: Callable[[Cells], T]) -> T:
        return read(cells) if chapter in chapters else cast("T", _Absent(chapter))

    declared, exchanged = of("declare", declare.read), of("exchange", exchange.read)
    follows: tuple[tuple[bool, OnPlay], ...] = (
        ("declare" in chapters and declared.may_keep, declare.lapses_by_playing),
        ("exchange" in chapters and exchanged.second_by_itself, exchange.by_playing),
        ("score.lead" in cells, score.for_leading),
    )
    sides = seats.sides(players, partners="players.partners" in cells)
    return Rules(
        id=name,
        cells=cells,
        chapters=chapters,
        players=players,
        packs=packs,
        pack=cards,
        draws="draw" in chapters,
        deal=deal.read(cells),
        tricks=tricks.read(cells),
        exchange=exchanged,
        declare=declared,
        reuse=of("declare", reuse.read),
        talon=of("talon", talon.read),
        blank=of("blank", blank.read),
        classes=of("classes", classes.read),
        reckoning=of("reckoning", reckoning.read),
        score=score.read(cells),
        settle=settle.read(cells),
        on_play=tuple(follow for happens, follow in follows if happens),
        carte_blanche=of("carte_blanche", carte_blanche.read),
        on_draw=(carte_blanche.by_drawing,) if "carte_blanche" in chapters else (),
        on_trick_points=(reckoning.after_trick_points,) if "reckoning" in chapters else (),
        plays=tuple(tuple(Play(Seat(seat), card) for card in cards) for seat in range(players)),
        sides=sides,
        seven_is_a_declaration="exchange" in chapters and exchanged.takes_the_place_of_a_declaration,
        side_of=tuple(sides[seat % len(sides)][0] for seat in range(players)),
    )
