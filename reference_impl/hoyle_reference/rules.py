"""Rules: a table compiled once into plain values and functions, so that play never walks the table.

`CHAPTERS` is the rule book, in its order. A table has the chapters of its game; what another chapter brings is not in
the game.

Partners share a score and what they have scored, under the first seat of their side: a letter for each side would be a
second alphabet in every message, for one ruleset.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from .cells import Cells, Document, lay_flat
from .chapters import blank, carte_blanche, deal, draw, players, score, settle, seven, talon, tricks
from .chapters.calling import book as calling
from .chapters.chapter import Ask, Chapter, FirstToReach, Move, Offer, OnCard, OnTrickPoints, Sees
from .chapters.deal import DealRules
from .chapters.declare import book as declare
from .chapters.players import PlayerRules
from .chapters.referee import book as referee
from .chapters.score import ScoreRules
from .chapters.settle import AS_RECKONED, AS_RECKONED_AT_THE_END, SettleRules
from .chapters.tricks import TrickRules
from .events.event import Event
from .frozen import frozen
from .table import seats
from .table.acts import Act, Play, Question
from .table.cards import Card, pack
from .table.refusals import Grounds, Malformed
from .table.seats import Seat, Setting
from .table.states import Phase
from .table.table import FIELDS, Field, Table

T = TypeVar("T")

#: The chapters of the rule book: the one list of them.
CHAPTERS: Final = (
    players.CHAPTER,
    deal.CHAPTER,
    talon.CHAPTER,
    blank.CHAPTER,
    calling.CHAPTER,
    calling.RECKONING,
    carte_blanche.CHAPTER,
    tricks.CHAPTER,
    declare.CHAPTER,
    seven.CHAPTER,
    draw.CHAPTER,
    score.CHAPTER,
    settle.CHAPTER,
    referee.CHAPTER,
)


@frozen
class Rules(Setting):
    """One ruleset, ready to be played: the compiled chapters, and the cells they were compiled from.

    What every game has stands by name; what only some have is found by the class that it is compiled to (`of`, `get`).
    """

    id: str
    cells: Cells
    #: The names of the chapters that the table has.
    chapters: frozenset[str]
    compiled: Mapping[type, Any]
    pack: tuple[Card, ...]
    deal: DealRules
    tricks: TrickRules
    score: ScoreRules
    settle: SettleRules
    #: Whether the players draw after each trick; the phase in which a deal begins, and all that there are.
    draws: bool
    opens: Phase
    phases: frozenset[Phase]
    #: What may be done and asked, by the kinds of acts and questions; what may be open in each phase; what is offered.
    moves: Mapping[type[Act], Move]
    asks: Mapping[type[Question], Ask]
    open: Mapping[Phase, tuple[Move, ...]]
    offers: tuple[Offer, ...]
    #: What follows when a seat plays a card, draws one, or makes points by tricks.
    on_play: tuple[OnCard, ...]
    on_draw: tuple[OnCard, ...]
    on_trick_points: tuple[OnTrickPoints, ...]
    #: Who is first to reach the target, by the order in which points are scored, or reckoned.
    first_to_reach: FirstToReach
    #: What a position holds, where cards lie in it, and what a player sees of it by the rules, and why.
    fields: tuple[Field, ...]
    places: tuple[Field, ...]
    sees: Mapping[str, Sees]
    sight: Grounds
    #: What each field of any game holds at first, by its name; a table has a copy of it.
    first: Mapping[str, Any]
    book: tuple[Chapter, ...]
    #: Every act of playing a card, by seat and card, made once.
    plays: tuple[tuple[Play, ...], ...]

    def __repr__(self) -> str:
        return f"Rules({self.id!r})"

    def get(self, kind: type[T]) -> T | None:
        """A compiled chapter by its class, or nothing in a game that does not have it."""
        found: T | None = self.compiled.get(kind)  # each stands under its own class
        return found

    def of(self, kind: type[T]) -> T:
        """A compiled chapter by its class; raises Malformed in a game that does not have it."""
        found: T | None = self.compiled.get(kind)
        if found is None:
            raise Malformed("the table has no such chapter", kind.__name__)
        return found


def compile_rules(document: Document, options: Iterable[str] = (), readings: Mapping[str, str] | None = None) -> Rules:
    """The rules of a table (a document as `ruleset.schema.json` describes it), with options and readings applied.

    Raises Malformed where the table lacks a cell, or has no such option or reading.
    """
    chosen = tuple(options)
    return compile_cells("+".join((document["id"], *chosen)), lay_flat(document, chosen, readings))


def compile_cells(name: str, cells: Cells, chapters: Sequence[Chapter] = CHAPTERS) -> Rules:
    """The rules that these cells make by these chapters; raises Malformed where a cell is lacking or makes no sense."""
    names = frozenset(cell.path.partition(".")[0] for cell in cells)
    book = [(chapter, chapter.read(cells)) for chapter in chapters if chapter.always or chapter.name in names]
    compiled: Mapping[type, Any] = {type(part): part for _, part in book}
    setting = _setting(compiled[PlayerRules], compiled[SettleRules], book)
    cards = pack(setting.packs)
    return Rules(
        setting.players,
        setting.packs,
        setting.sides,
        setting.side_of,
        setting.combinations,
        setting.least_deals,
        id=name,
        cells=cells,
        chapters=names,
        book=tuple(chapter for chapter, _ in book),
        compiled=compiled,
        pack=cards,
        deal=compiled[DealRules],
        tricks=compiled[TrickRules],
        score=compiled[ScoreRules],
        settle=compiled[SettleRules],
        draws="draw" in names,
        phases=_phases(book, chapters),
        plays=tuple(tuple(Play(Seat(seat), card) for card in cards) for seat in range(setting.players)),
        first_to_reach=_first_to_reach(compiled[SettleRules], book),
        **_done(book),
        first={field.name: field.new(setting) for field in FIELDS},
        **_held(book),
    )


#: The chapters of a game, each with what is compiled of it.
Book = Sequence[tuple[Chapter, Any]]


def _done(book: Book) -> dict[str, Any]:
    """What may be done and asked in a game with these chapters, and what follows."""
    moves = {move.act: (move, move.phases(part)) for chapter, part in book for move in chapter.moves}
    follows = [chapter.follows(part) for chapter, part in book]
    return {
        "opens": next((chapter.opens for chapter, _ in book if chapter.opens), Phase.PLAY),
        "moves": {act: move for act, (move, _) in moves.items()},
        "open": {phase: tuple(move for move, when in moves.values() if phase in when) for phase in Phase},
        "asks": {ask.question: ask for chapter, _ in book for ask in chapter.asks},
        "offers": tuple(offer for chapter, _ in book for offer in chapter.offers),
        "on_play": tuple(each.on_play for each in follows if each.on_play),
        "on_draw": tuple(each.on_draw for each in follows if each.on_draw),
        "on_trick_points": tuple(each.on_trick_points for each in follows if each.on_trick_points),
    }


def _phases(book: Book, chapters: Sequence[Chapter]) -> frozenset[Phase]:
    """The phases of a game with these chapters, of all that there are."""
    of_others = frozenset[Phase]().union(*(chapter.phases for chapter in chapters))
    return (frozenset(Phase) - of_others).union(*(chapter.phases for chapter, _ in book))


def _first_to_reach(settle: SettleRules, book: Book) -> FirstToReach:
    """Who is first to reach the target: by the order of reckoning, where that decides and the game has one."""
    follows = (chapter.follows(part) for chapter, part in book)
    as_reckoned = (each.first_as_reckoned for each in follows if each.first_as_reckoned)
    return next(as_reckoned, _as_scored) if settle.winner.value in {AS_RECKONED, AS_RECKONED_AT_THE_END} else _as_scored


def _as_scored(table: Table, _event: Event) -> tuple[Seat | None, Grounds]:
    """Who has reached the target, where points have no order but that in which they are scored."""
    reached = (side[0] for side in table.rules.sides if table.score[side[0]] >= table.rules.settle.target.value)
    return next(reached, None), ()


def _held(book: Book) -> dict[str, Any]:
    """What a position of a game with these chapters holds, and what a player sees of it."""
    needed = {field for chapter, part in book for field in chapter.fields(part)}
    held = tuple(field for field in FIELDS if field.everywhere or field.name in needed)
    return {
        "fields": held,
        "places": tuple(field for field in held if field.place),
        "sees": {field: sees for chapter, _ in book for field, sees in chapter.sees},
        "sight": tuple(path for chapter, part in book for path in chapter.sight(part)),
    }


def _setting(rules: PlayerRules, settle: SettleRules, book: Book) -> Setting:
    """For how many players, packs and deals the game is, who score together, and which combinations may be named."""
    count = rules.number.value
    sides = seats.sides(count, partners=rules.partners.value)
    return Setting(
        players=count,
        packs=rules.packs.value,
        sides=sides,
        side_of=tuple(sides[seat % len(sides)][0] for seat in range(count)),
        combinations=frozenset(meld for chapter, part in book for meld in chapter.combinations(part)),
        least_deals=settle.least_deals.value,
    )
