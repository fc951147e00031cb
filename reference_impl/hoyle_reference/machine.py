"""A game: its open acts, the events that each act causes, and their log.

The chapters define the refusals, consequences and candidates of acts (`chapters.chapter.Move`); this module runs them.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from .acts import Act, Question, alike, by, word_of
from .chapters import game_end
from .chapters.chapter import Ruling
from .chapters.referee.rows import as_reckoned
from .events import Event, FirstToTarget, Scored
from .questions import Observation, answer, observe
from .refusals import Malformed, Refusal, Refused
from .rules import Rules, rules_of
from .seats import Seat
from .table.states import Phase
from .table.table import Table, new_table

#: The phases in which chance decides. Nothing is listed in them, since a deal is any order of the pack.
CHANCE: Final = frozenset({Phase.CUT, Phase.DEAL})
#: A global, since Python is slow to look up a member of an enumeration.
_OVER: Final = Phase.OVER


class LegalActions:
    """The open acts, as a lazy, ordered, set-like view with ``in``, ``len``, ``iter`` and indexing.

    An act that changes nothing (announcing again a combination kept to score) is open, but not listed.

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
        return chain.from_iterable(self.parts)

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def __getitem__(self, index: int) -> Act:
        at = index if index >= 0 else len(self) + index
        for part in self.parts:
            if 0 <= at < len(part):
                return part[at]
            at -= len(part)
        raise IndexError(index)

    def open_to(self, seat: Seat) -> int:
        """Return the number of acts open to the player in a seat; acts that differ only in copies of their cards count
        once."""
        one_pack, count = self._game.rules.packs == 1, 0
        for part in self.parts:
            if one_pack and not isinstance(part, list):  # very many, and all of one player
                count += len(part) if part and by(part[0]) == seat else 0
            else:
                count += len({alike(act) for act in part if by(act) == seat})
        return count

    @property
    def parts(self) -> list[Sequence[Act]]:
        """The acts, by kind; a part with very many acts creates each on demand."""
        if self._parts is None:
            table = self._game.table
            if table.phase in CHANCE:
                raise Malformed(f"the {table.phase} is chance: it can be checked, not listed")
            moves = self._game.rules.procedure.open[table.phase]
            self._parts = [
                move.open(table)
                if move.exact
                else [act for act in move.open(table) if move.refuse(table, act) is None]  # candidates only
                for move in moves
            ]
        return self._parts


class Game:
    """A game in play: a `Table`, its open acts, and the `log` of its events."""

    __slots__ = ("_decisive", "_moves", "log", "rules", "table")

    def __init__(self, table: Table, log: Iterable[Event] = ()) -> None:
        self.table = table
        self.rules = rules_of(table)
        self.log: list[Event] = list(log)
        self._moves = self.rules.procedure.moves
        self._decisive = self.rules.settle.decisive

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, with or without a winner."""
        return self.table.phase is _OVER

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of each side, in this game so far."""
        return tuple(self.table.score)

    @property
    def legal_actions(self) -> LegalActions:
        """The acts that are open now."""
        return LegalActions(self)

    def check(self, act: Act) -> Refusal | None:
        """Return why this act is refused, or None if it is legal; raise Malformed if it is invalid."""
        move, table = self._moves.get(type(act)), self.table
        if move is None:
            raise Malformed(f"no act '{word_of(type(act))}' in this game")
        if move.sense is not None:
            move.sense(table, act)
        if table.phase is _OVER and not (move.when_over and move.when_over(table, act)):
            return Refusal("not-now")
        return move.refuse(table, act)

    def attempt(self, act: Act) -> Refusal | list[Event]:
        """Carry out an act and return its events, in order; or return its refusal and change nothing.

        Raise Malformed if the act is invalid.
        """
        refusal = self.check(act)
        if refusal is not None:
            return refusal
        happened = self._follow(act)
        self.log += happened
        return happened

    def apply(self, act: Act) -> list[Event]:
        """Carry out an act and return its events, in order; if it is refused, raise Refused and change nothing."""
        happened = self.attempt(act)
        if isinstance(happened, Refusal):
            raise Refused(happened)
        return happened

    def _follow(self, act: Act) -> list[Event]:
        """Return the consequences of a legal act, each event applied as it comes, until one ends the game."""
        table, happened, decisive = self.table, [], self._decisive
        for made in self._moves[type(act)].follow(table, act):
            event = as_reckoned(table, made) if type(made) is Scored else made
            event.change(table)
            happened.append(event)
            if type(event) in decisive and (end := game_end.after_event(table, event)):
                happened += _carried_out(table, end)
                if type(end[-1]) is not FirstToTarget:  # after which the deal is played out
                    return happened
        return happened

    def ask(self, question: Question) -> Ruling:
        """Return the rules' answer in this position."""
        return answer(self.table, question)

    def observation(self, seat: Seat) -> Observation:
        """Return the position as the player in a seat may see it."""
        return observe(self.table, seat)

    def clone(self) -> "Game":
        """Return an independent game in the same position, with the same log."""
        return Game(self.table.copy(), self.log)


def _carried_out(table: Table, events: Iterable[Event]) -> list[Event]:
    """Return the events after applying each in turn."""
    done = list(events)
    for event in done:
        event.change(table)
    return done


def new_game(rules: Rules) -> Game:
    """Return a game that begins with the cut."""
    return Game(new_table(rules))


def replay(start: Table, log: Iterable[Event]) -> Game:
    """Return the game that a log produces from its first table; that table remains unchanged."""
    game = Game(start.copy())
    game.log = _carried_out(game.table, log)
    return game
