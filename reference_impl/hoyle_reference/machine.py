"""The machine: a game as the acts that are open, what each of them brings about, and what has come of it.

Each kind of act belongs to one room of the rule book, which gives up to three functions: what refuses it, what follows
from it, and which acts of the kind are open. `MOVES` and `OPEN` are the one place where the rooms meet.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from . import deal, declare, draw, exchange, questions, settle, tricks
from .acts import Act, Choose, Cut, Deal, Declare, Draw, Exchange, Hold, Play, Question, Show
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


MOVES: Final = MappingProxyType(
    {
        Cut: Move(deal.may_cut, deal.cut),
        Choose: Move(deal.may_choose, deal.choose),
        Deal: Move(deal.may_deal, deal.deal),
        Play: Move(tricks.may_play, tricks.play),
        Declare: Move(declare.may_declare, declare.declare),
        Hold: Move(declare.may_hold, declare.hold),
        Exchange: Move(exchange.may_exchange, exchange.exchange),
        Show: Move(exchange.may_show, exchange.show),
        Draw: Move(draw.may_draw, draw.draw),
    }
)

#: What may be open in each phase. The phases of chance are missing: a deal is any order of the pack.
OPEN: Final[Mapping[Phase, tuple[Callable[[Table], Iterable[Act]], ...]]] = MappingProxyType(
    {
        Phase.CHOOSE: (deal.choices_to_choose,),
        Phase.PLAY: (tricks.choices_to_play, exchange.choices_to_claim),
        Phase.DECLARE: (
            declare.choices_to_declare,
            declare.choices_to_hold,
            exchange.choices_to_claim,
            draw.choices_to_draw,
        ),
        Phase.DRAW: (draw.choices_to_draw, exchange.choices_to_claim),
        Phase.OVER: (),
    }
)


class LegalActions:
    """The acts that are open, as a lazy, ordered, set-like view: ``in``, ``len`` and ``iter``.

    It is a view of the game: ask for a new one after an act. Nothing is computed before it is needed, and membership
    never lists. Where chance decides (the cut and the deal) only ``in`` can answer; the others raise
    `Malformed`.
    """

    __slots__ = ("_acts", "_game")

    def __init__(self, game: "Game") -> None:
        self._game = game
        self._acts: tuple[Act, ...] | None = None

    def __contains__(self, act: Act) -> bool:
        try:
            return self._game.check(act) is None
        except Malformed:
            return False

    def __iter__(self) -> Iterator[Act]:
        return iter(self._listed())

    def __len__(self) -> int:
        return len(self._listed())

    def _listed(self) -> tuple[Act, ...]:
        if self._acts is None:
            table = self._game.table
            if table.phase not in OPEN:
                raise Malformed(f"the {table.phase} is chance: it can be checked, not listed")
            acts: list[Act] = []
            for choices in OPEN[table.phase]:
                acts += choices(table)
            self._acts = tuple(acts)
        return self._acts


class Game:
    """A game being played: a `Table`, and what may be done at it."""

    __slots__ = ("table",)

    def __init__(self, table: Table) -> None:
        self.table = table

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return self.table.rules

    @property
    def is_over(self) -> bool:
        """Whether somebody has won it."""
        return self.table.phase is Phase.OVER

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each seat, in this game so far."""
        return tuple(self.table.score)

    @property
    def legal_actions(self) -> LegalActions:
        """The acts that are open now."""
        return LegalActions(self)

    def check(self, act: Act) -> Violation | None:
        """Why this act is refused, or nothing where it is legal; raises Malformed where it makes no sense."""
        if type(act) in SENSE:
            SENSE[type(act)](self.table.rules, act)
        if self.table.phase is Phase.OVER:
            return Violation("not-now")
        return MOVES[type(act)].refuse(self.table, act)

    def apply(self, act: Act) -> list[Event]:
        """Carry out an act, and return what happened, in order; where it is refused, raises Illegal and changes
        nothing."""
        refused = self.check(act)
        if refused is not None:
            raise Illegal(refused)
        table, happened = self.table, []
        for event in MOVES[type(act)].follow(table, act):
            event.change(table)
            happened.append(event)
            if type(event) in settle.DECISIVE and (end := settle.after_event(table, event)) is not None:
                end.change(table)
                happened.append(end)
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


def _sense_of_cut(rules: Rules, act: Cut) -> None:
    if len(act.cards) != rules.players or len(set(act.cards)) != len(act.cards):
        raise Malformed("each player cuts one card, all different")


def _sense_of_deal(rules: Rules, act: Deal) -> None:
    if tuple(sorted(act.deck)) != rules.pack:
        raise Malformed(f"a deck holds each of the {len(rules.pack)} cards once")


def _sense_of_combination(rules: Rules, act: Declare | Hold) -> None:
    if act.meld not in rules.declare.melds.by_id:
        raise Malformed(f"no combination '{act.meld}' in this game")
    if len(set(act.cards)) != len(act.cards):
        raise Malformed("a card is named twice")


#: What must be so of an act before any rule can be asked; the others always make sense.
SENSE: Final[Mapping[type, Callable[[Rules, Any], None]]] = MappingProxyType(
    {Cut: _sense_of_cut, Deal: _sense_of_deal, Declare: _sense_of_combination, Hold: _sense_of_combination}
)
