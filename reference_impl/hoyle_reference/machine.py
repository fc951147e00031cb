"""The machine: a game as the acts that are open, what each of them brings about, and what has come of it.

Each kind of act belongs to one room of the rule book, which gives up to three functions: what refuses it, what follows
from it, and which acts of the kind are open. `ROOMS` is the one place where the rooms meet.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import Any, Final

from . import blank, calls, carte_blanche, choices, deal, declare, draw, exchange, questions, settle, talon, tricks
from .acts import (
    Act,
    Announce,
    Answer,
    CarteBlanche,
    Choose,
    Cut,
    Deal,
    Declare,
    Discard,
    Draw,
    Exchange,
    Hold,
    Peep,
    Play,
    Prove,
    Question,
    Show,
)
from .events import Event
from .observation import Observation, observe
from .refusals import Illegal, Malformed, Violation
from .rules import Rules
from .seats import Seat
from .table import Phase, Table


@dataclass(frozen=True, slots=True)
class Move:
    """How acts of one kind are refused, and what follows from one that is not."""

    refuse: Callable[[Table, Any], Violation | None]
    follow: Callable[[Table, Any], Iterator[Event]]


@dataclass(frozen=True, slots=True)
class Room:
    """What one room of the rule book does: its acts, and what may be open in each phase."""

    moves: Mapping[type, Move]
    open: Mapping[Phase, tuple[Callable[[Table], Iterable[Act]], ...]]


#: The rooms, each under the chapter without which a game does not have it. The phases of chance open nothing that could
#: be listed: a deal is any order of the pack.
ROOMS: Final[Mapping[str, Room]] = MappingProxyType(
    {
        "deal": Room(
            {
                Cut: Move(deal.may_cut, deal.cut),
                Choose: Move(choices.may_choose, choices.choose),
                Deal: Move(deal.may_deal, deal.deal),
            },
            {Phase.CHOOSE: (choices.choices_to_choose,)},
        ),
        "talon": Room(
            {Discard: Move(talon.may_discard, talon.discard), Peep: Move(talon.may_peep, talon.peep)},
            {Phase.EXCHANGE: (talon.choices_to_discard, talon.choices_to_peep)},
        ),
        "blank": Room(
            {Prove: Move(blank.may_prove, blank.prove)},
            {Phase.EXCHANGE: (blank.choices_to_announce, blank.choices_to_prove)},
        ),
        "classes": Room(
            {
                Announce: Move(calls.may_announce, calls.announce),
                Answer: Move(calls.may_answer, calls.answer),
                Declare: Move(calls.may_declare, calls.declare),
            },
            {
                Phase.ANNOUNCE: (calls.choices_to_announce, calls.choices_to_answer, calls.choices_to_declare),
                Phase.PLAY: (calls.choices_to_declare,),
            },
        ),
        "carte_blanche": Room(
            {CarteBlanche: Move(carte_blanche.may_show, carte_blanche.show)},
            dict.fromkeys((Phase.PLAY, Phase.DRAW), (carte_blanche.choices_to_show,)),
        ),
        "tricks": Room({Play: Move(tricks.may_play, tricks.play)}, {Phase.PLAY: (tricks.choices_to_play,)}),
        "declare": Room(
            {
                Declare: Move(declare.may_declare, declare.declare),
                Hold: Move(declare.may_hold, declare.hold),
            },
            {Phase.DECLARE: (declare.choices_to_declare, declare.choices_to_hold)},
        ),
        "exchange": Room(
            {Exchange: Move(exchange.may_exchange, exchange.exchange), Show: Move(exchange.may_show, exchange.show)},
            dict.fromkeys((Phase.PLAY, Phase.DECLARE, Phase.DRAW), (exchange.choices_to_claim,)),
        ),
        "draw": Room(
            {Draw: Move(draw.may_draw, draw.draw)},
            {Phase.DECLARE: (draw.choices_to_draw,), Phase.DRAW: (draw.choices_to_draw,)},
        ),
    }
)

#: The phases in which chance decides.
CHANCE: Final = frozenset({Phase.CUT, Phase.DEAL})


@cache
def _moves(chapters: frozenset[str]) -> Mapping[type, Move]:
    """The acts of a game that has these chapters."""
    return {act: move for chapter, room in ROOMS.items() if chapter in chapters for act, move in room.moves.items()}


@cache
def _open(chapters: frozenset[str]) -> Mapping[Phase, tuple[Callable[[Table], Iterable[Act]], ...]]:
    """What lists the acts that may be open in each phase of a game that has these chapters."""
    rooms = [room for chapter, room in ROOMS.items() if chapter in chapters]
    return {phase: tuple(choices for room in rooms for choices in room.open.get(phase, ())) for phase in Phase}


def _countable(acts: Iterable[Act]) -> Sequence[Act]:
    """Acts that can be counted: those that are made one after the other are made now, a view of very many stays."""
    return acts if isinstance(acts, (list, talon.Discards)) else list(acts)


class LegalActions:
    """The acts that are open, as a lazy, ordered, set-like view: ``in``, ``len``, ``iter``, and one by its place.

    It is a view of the game: ask for a new one after an act. Nothing is computed before it is needed, and membership
    never lists. Where chance decides (the cut and the deal) only ``in`` can answer; the others raise
    `Malformed`.
    """

    __slots__ = ("_game", "_parts")

    def __init__(self, game: "Game") -> None:
        self._game = game
        self._parts: list[Sequence[Act]] | None = None

    def __contains__(self, act: Act) -> bool:
        try:
            return self._game.check(act) is None
        except Malformed:
            return False

    def __iter__(self) -> Iterator[Act]:
        return chain.from_iterable(self._listed())

    def __len__(self) -> int:
        return sum(map(len, self._listed()))

    def __getitem__(self, index: int) -> Act:
        at = index if index >= 0 else len(self) + index
        for part in self._listed():
            if 0 <= at < len(part):
                return part[at]
            at -= len(part)
        raise IndexError(index)

    def _listed(self) -> list[Sequence[Act]]:
        """The acts in their parts; a part with very many of them makes each only when it is asked for."""
        if self._parts is None:
            table = self._game.table
            if table.phase in CHANCE:
                raise Malformed(f"the {table.phase} is chance: it can be checked, not listed")
            self._parts = [_countable(choices(table)) for choices in self._game.open[table.phase]]
        return self._parts


class Game:
    """A game being played: a `Table`, and what may be done at it."""

    __slots__ = ("_moves", "open", "table")

    def __init__(self, table: Table) -> None:
        self.table = table
        self._moves = _moves(table.rules.chapters)
        #: What lists the acts that may be open in each phase.
        self.open = _open(table.rules.chapters)

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return self.table.rules

    @property
    def is_over(self) -> bool:
        """Whether it has ended: somebody has won it, or nobody can any more."""
        return self.table.phase is Phase.OVER

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each side, in this game so far."""
        return tuple(self.table.score)

    @property
    def legal_actions(self) -> LegalActions:
        """The acts that are open now."""
        return LegalActions(self)

    def check(self, act: Act) -> Violation | None:
        """Why this act is refused, or nothing where it is legal; raises Malformed where it makes no sense."""
        move = self._moves.get(type(act))
        if move is None:
            raise Malformed(f"no act '{type(act).__name__.lower()}' in this game")
        if type(act) in SENSE:
            SENSE[type(act)](self.table, act)
        if self.table.phase is Phase.OVER:
            return Violation("not-now")
        return move.refuse(self.table, act)

    def apply(self, act: Act) -> list[Event]:
        """Carry out an act, and return what happened, in order; where it is refused, raises Illegal and changes
        nothing."""
        refused = self.check(act)
        if refused is not None:
            raise Illegal(refused)
        table, happened, decisive = self.table, [], self.table.rules.settle.decisive
        for event in self._moves[type(act)].follow(table, act):
            event.change(table)
            happened.append(event)
            if type(event) in decisive and (end := settle.after_event(table, event)):
                for each in end:
                    each.change(table)
                happened += end
                break
        return happened

    def ask(self, question: Question) -> questions.Answer:
        """The answer that the rules give in this position."""
        return questions.answer(self.table, question)

    def observation(self, seat: Seat) -> Observation:
        """What the player in a seat may see."""
        return observe(self.table, seat)

    def clone(self) -> "Game":
        """A game in the same position, that goes its own way."""
        return Game(self.table.copy())


def new_game(rules: Rules) -> Game:
    """A game that begins with the cut."""
    return Game(Table(rules))


def replay(rules: Rules, events: list[Event]) -> Game:
    """The game that these events make, from the cut on."""
    game = new_game(rules)
    for event in events:
        event.change(game.table)
    return game


def _sense_of_cut(table: Table, act: Cut) -> None:
    if len(act.cards) != table.players or len(set(act.cards)) != len(act.cards):
        raise Malformed("each player cuts one card, all different")


def _sense_of_deal(table: Table, act: Deal) -> None:
    if tuple(sorted(act.deck)) != table.rules.pack:
        raise Malformed(f"a deck holds each of the {len(table.rules.pack)} cards once")
    deal.sense_of_packets(table, act)


def _sense_of_combination(table: Table, act: Declare | Hold) -> None:
    if act.meld not in table.rules.combinations:
        raise Malformed(f"no combination '{act.meld}' in this game")
    _sense_of_cards(table, act)


def _sense_of_cards(_table: Table, act: Declare | Hold | Discard) -> None:
    if len(set(act.cards)) != len(act.cards):
        raise Malformed("a card is named twice")


#: What must be so of an act before any rule can be asked; the others always make sense.
SENSE: Final[Mapping[type, Callable[[Table, Any], None]]] = MappingProxyType(
    {
        Cut: _sense_of_cut,
        Deal: _sense_of_deal,
        Declare: _sense_of_combination,
        Hold: _sense_of_combination,
        Discard: _sense_of_cards,
        Announce: calls.sense_of_announcement,
    }
)
