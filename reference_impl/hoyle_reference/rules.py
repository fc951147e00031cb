"""A rule table compiled once into plain values and functions, so that play never walks the table.

`CHAPTERS` is the rule book, in its order. A table has the chapters of its game; the game has nothing from other
chapters.

Partners share a score and their scored combinations, under the first seat of their side. Letters for sides would add a
second alphabet to every message, for the sake of one ruleset.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final, Generic, TypeVar

from . import seats
from .acts import Play
from .cards import pack
from .cells import Cells, Document, lay_flat
from .chapters import blank, carte_blanche, deal, draw, players, score, settle, seven, talon, tricks
from .chapters.blank import BlankRules
from .chapters.calling import chapter as calling
from .chapters.calling.classes import ClassRules
from .chapters.carte_blanche import CarteBlancheRules
from .chapters.chapter import Chapter, FirstToReach, Procedure
from .chapters.deal import DealRules
from .chapters.declare import declarations as declare
from .chapters.declare.declarations import DeclareRules
from .chapters.players import PlayerRules
from .chapters.referee import chapter as referee
from .chapters.referee.rows import RefereeRules
from .chapters.score import ScoreRules
from .chapters.settle import AS_RECKONED, AS_RECKONED_AT_THE_END, SettleRules
from .chapters.seven import SevenRules
from .chapters.talon import TalonRules
from .chapters.tricks import TrickRules
from .events import Event
from .frozen import frozen
from .refusals import Grounds
from .seats import Seat, Setting
from .table.states import Phase
from .table.table import FIELDS, Compiled, GameRules, Table

T = TypeVar("T")

#: The chapters of the rule book: the only list of them.
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


class _Compiled(Generic[T]):
    """A compiled chapter as an attribute of the rules; raise Malformed in a game without it."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind

    def __get__(self, rules: "Rules", _owner: type) -> T:
        return rules.of(self._kind)


@frozen
class Rules(GameRules):
    """One ruleset, ready for play: the compiled chapters by name, and the cells they were compiled from.

    Every game has the chapters that are fields; `chapters` names the others that it has. The interpreter itself finds a
    chapter by its class (`of`, `get`).
    """

    blank = _Compiled(BlankRules)
    carte_blanche = _Compiled(CarteBlancheRules)
    classes = _Compiled(ClassRules)
    declare = _Compiled(DeclareRules)
    referee = _Compiled(RefereeRules)
    seven = _Compiled(SevenRules)
    talon = _Compiled(TalonRules)

    cells: Cells
    book: tuple[Chapter, ...]
    deal: DealRules
    tricks: TrickRules
    score: ScoreRules
    settle: SettleRules
    procedure: Procedure

    def __repr__(self) -> str:
        return f"Rules({self.id!r})"


def rules_of(table: Table) -> Rules:
    """Return the rules in force at a table."""
    assert isinstance(table.rules, Rules), "a game is played by compiled rules"
    return table.rules


def compile_rules(document: Document, options: Iterable[str] = (), readings: Mapping[str, str] | None = None) -> Rules:
    """Return the rules of a table (a document as `ruleset.schema.json` describes it), with options and readings
    applied.

    Raise Malformed if the table lacks a cell, or has no such option or reading.
    """
    chosen = tuple(options)
    return compile_cells("+".join((document["id"], *chosen)), lay_flat(document, chosen, readings))


def compile_cells(name: str, cells: Cells, chapters: Sequence[Chapter] = CHAPTERS) -> Rules:
    """Return the rules compiled from these cells by these chapters; raise Malformed if a cell is missing or invalid."""
    names = frozenset(cell.path.partition(".")[0] for cell in cells)
    book = [(chapter, chapter.read(cells)) for chapter in chapters if chapter.always or chapter.name in names]
    setting = _setting(book)
    procedure = _procedure(setting, book, chapters)
    compiled = Compiled({type(part): part for part in (*(part for _, part in book), procedure)})
    needed = {field for chapter, part in book for field in chapter.fields(part)}
    held = tuple(field for field in FIELDS if field.everywhere or field.name in needed)
    return Rules(
        **{each.name: getattr(setting, each.name) for each in fields(Setting)},
        id=name,
        chapters=names,
        compiled=compiled,
        of=compiled.__getitem__,
        get=compiled.get,
        pack=pack(setting.packs),
        draws="draw" in names,
        fields=held,
        places=tuple(field for field in held if field.place),
        first={field.name: (field.new or field.kind.empty)(setting) for field in FIELDS},
        cells=cells,
        book=tuple(chapter for chapter, _ in book),
        deal=compiled[DealRules],
        tricks=compiled[TrickRules],
        score=compiled[ScoreRules],
        settle=compiled[SettleRules],
        procedure=procedure,
    )


#: The chapters of a game, each with its compiled value.
Book = Sequence[tuple[Chapter, Any]]


def _procedure(setting: Setting, book: Book, chapters: Sequence[Chapter]) -> Procedure:
    """Return the acts and questions of a game with these chapters, and their consequences."""
    moves = {move.act: (move, move.phases(part)) for chapter, part in book for move in chapter.moves}
    follows = [chapter.follows(part) for chapter, part in book]
    of_others = frozenset[Phase]().union(*(chapter.phases for chapter in chapters))
    cards = pack(setting.packs)
    return Procedure(
        opens=next((chapter.opens for chapter, _ in book if chapter.opens), Phase.PLAY),
        phases=(frozenset(Phase) - of_others).union(*(chapter.phases for chapter, _ in book)),
        moves={act: move for act, (move, _) in moves.items()},
        open={phase: tuple(move for move, when in moves.values() if phase in when) for phase in Phase},
        asks={ask.question: ask for chapter, part in book for ask in chapter.asks if ask.is_in_the_game(part)},
        offers=tuple(offer for chapter, _ in book for offer in chapter.offers),
        on_play=tuple(each.on_play for each in follows if each.on_play),
        on_draw=tuple(each.on_draw for each in follows if each.on_draw),
        on_missed_draw=tuple(each.on_missed_draw for each in follows if each.on_missed_draw),
        on_trick_points=tuple(each.on_trick_points for each in follows if each.on_trick_points),
        first_to_reach=_first_to_reach(book),
        sees={field: sees for chapter, _ in book for field, sees in chapter.sees},
        sight=tuple(path for chapter, part in book for path in chapter.sight(part)),
        plays=tuple(tuple(Play(Seat(seat), card) for card in cards) for seat in range(setting.players)),
    )


def _first_to_reach(book: Book) -> FirstToReach:
    """Return the first player to reach the target: by the order of reckoning, if it decides and the game has one."""
    settle_rules = _compiled(book, SettleRules)
    if settle_rules.winner.value not in {AS_RECKONED, AS_RECKONED_AT_THE_END}:
        return _as_scored
    follows = (chapter.follows(part) for chapter, part in book)
    return next((each.first_as_reckoned for each in follows if each.first_as_reckoned), _as_scored)


def _as_scored(table: Table, _event: Event) -> tuple[Seat | None, int, Grounds]:
    """Return the player who has reached the target, and the lowest score, in games whose points have only the order of
    scoring."""
    target = table.rules.of(SettleRules).target.value
    reached = (side[0] for side in table.rules.sides if table.score[side[0]] >= target)
    return next(reached, None), min(table.score), ()


def _compiled(book: Book, kind: type[T]) -> T:
    """Return a chapter of every game, by the class of its compiled value."""
    return next(part for _, part in book if isinstance(part, kind))


def _setting(book: Book) -> Setting:
    """Return the players, packs, sides, combinations and minimum number of deals of a game with these chapters."""
    rules, least_deals = _compiled(book, PlayerRules), max(1, _compiled(book, SettleRules).least_deals.value)
    count = rules.number.value
    sides = seats.sides(count, partners=rules.partners.value)
    return Setting(
        players=count,
        packs=rules.packs.value,
        sides=sides,
        side_of=tuple(sides[seat % len(sides)][0] for seat in range(count)),
        combinations=frozenset(meld for chapter, part in book for meld in chapter.combinations(part)),
        least_deals=least_deals,
    )
