"""A game of the census in progress: the acts taken, and the observations after each.

The readings of a table may differ after the first choice of an act; then `search` passes the choice over. The game
records how many choices were passed over, so that it can be replayed without the other readings.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.setup.trace import observation_of
from hoyle_conformance.suite.model import CensusGame
from hoyle_conformance.tools.census.choices import choice_number, choice_pools, first_dealer, pick
from hoyle_reference import Game, Phase, Refusal, Rules, Table, new_game, write_act, write_position
from hoyle_reference.events.event import Event
from hoyle_reference.events.tricks import TrickWon
from hoyle_reference.table.acts import Act, Cut, Deal

#: Observed in every phase.
_ALWAYS_OBSERVED: Final = ("score", "trick_won_by", "game_won_by", "legal_acts")
#: Observed in a deal; the second list only in games that have it, and cards on the table only while cards are drawn.
_OBSERVED_IN_A_DEAL: Final = ("turn", "dealer", "hands", "stock_left")
_OBSERVED_IF_ANY: Final = ("shown", "trumps", "turn_up")
_UNORDERED: Final = frozenset({"hands", "shown"})
#: Everything that may be observed.
COMPARED: Final = frozenset({*_ALWAYS_OBSERVED, *_OBSERVED_IN_A_DEAL, *_OBSERVED_IF_ANY, "settled"})
#: The fields that must be equal for two tables to look alike, besides the number of cards left.
_SAME_FIELDS: Final = (
    "phase",
    "turn",
    "score",
    "dealer",
    "game_won_by",
    "settled",
    "hands",
    "trumps",
    "turn_up",
)
#: The length of a digest, in hexadecimal digits.
DIGITS: Final = 16


def observed_keys(table: Table) -> tuple[str, ...]:
    """Return the keys observed in this phase: before a deal nothing of the table, and at the end of a game only how
    it ended."""
    match table.phase:
        case Phase.CUT:
            return _ALWAYS_OBSERVED
        case Phase.DEAL:
            return (*_ALWAYS_OBSERVED, "turn", "dealer")
        case Phase.OVER:
            return (*_ALWAYS_OBSERVED, "settled")
        case _ if not table.is_dealt:
            return (*_ALWAYS_OBSERVED, "turn")
        case _:
            has = {field.name for field in table.rules.fields} - (set() if table.drawing else {"shown"})
            return (*_ALWAYS_OBSERVED, *_OBSERVED_IN_A_DEAL, *(key for key in _OBSERVED_IF_ANY if key in has))


def observe(table: Table, events: Sequence[Event]) -> Mapping[str, Any]:
    """Return the observations after these events, as an adapter reports them, with hands sorted by card name."""
    sight = {key: observation_of(table, events, key) for key in sorted(observed_keys(table))}
    for key in _UNORDERED.intersection(sight):
        sight[key] = {seat: sorted(cards) for seat, cards in sight[key].items()}
    return sight


def differing_keys(table: Table, events: Sequence[Event], other: Table, others: Sequence[Event]) -> set[str]:
    """Return the keys observed in the one game that differ in the other, or are not observed there."""
    own, theirs = observe(table, events), observe(other, others)
    return {key for key in own if key not in theirs or own[key] != theirs[key]}


def look_alike(table: Table, events: Sequence[Event], other: Table, others: Sequence[Event]) -> bool:
    """Whether two games look the same to an observer, except for the number of open acts."""
    return (
        all(getattr(table, name) == getattr(other, name) for name in _SAME_FIELDS)
        and (table.shown == other.shown or not table.drawing)
        and len(table.stock) + len(table.referee.undrawn) == len(other.stock) + len(other.referee.undrawn)
        and trick_winner(events) == trick_winner(others)
    )


def trick_winner(events: Sequence[Event]) -> int | None:
    """Return who has won a trick in these events; None if nobody has."""
    return next((event.seat for event in events if isinstance(event, TrickWon)), None)


class CannotReplay(Exception):
    """The rules no longer give a recorded game."""


class CensusStep(NamedTuple):
    """An act as it is sent, and the observations that must follow."""

    act: Mapping[str, Any]
    sight: Mapping[str, Any]


@dataclass(slots=True)
class CensusPlay:
    """A game of the census in progress: the position at its beginning, and the acts and observations since.

    `passed_over` has the number of choices, or decks, that were passed over before an act (counted from 1). After the
    `uncounted` acts the number of open acts differs among the readings. `left_open` are the keys that differ after the
    last act, if some reading ends the game there.
    """

    number: int
    game: Game
    begins: Mapping[str, Any]
    steps: list[CensusStep] = field(default_factory=list)
    deals: int = 0
    decks: int = 0
    cuts: int = 0
    passed_over: dict[int, int] = field(default_factory=dict)
    uncounted: list[int] = field(default_factory=list)
    left_open: tuple[str, ...] = ()

    @property
    def at_a_deal(self) -> bool:
        """Whether a deck is to be dealt."""
        return self.game.table.phase is Phase.DEAL

    def choose(self, count: int) -> Act | None:
        """Return the next act after `count` choices were passed over; None if there is none."""
        pools = choice_pools(self.game, self.number, self.decks + 1 + count, self.cuts)
        if not any(map(len, pools)):
            return None
        number = choice_number(self.game.rules, self.number, len(self.steps) + 1, count)
        pool, at = pick(number, (len(pools[0]), len(pools[1])))
        return pools[pool][at]

    def record(self, act: Act, events: Sequence[Event], passed_over: int, left_out: Collection[str] = ()) -> None:
        """Record an act that has been carried out, and the observations except `left_out`."""
        sight = observe(self.game.table, events)
        self.steps.append(CensusStep(write_act(act), {key: sight[key] for key in sight if key not in left_out}))
        if passed_over:
            self.passed_over[len(self.steps)] = passed_over
        if isinstance(act, Deal):
            self.deals, self.decks = self.deals + 1, self.decks + 1 + passed_over
        self.cuts += isinstance(act, Cut)


def start_game(rules: Rules, number: int, *, with_the_cut: bool) -> CensusPlay:
    """Return a game that begins with the cut, or with a deal."""
    game = new_game(rules)
    if not with_the_cut:
        game.table.phase = Phase.DEAL
        game.table.turn = game.table.dealer = first_dealer(rules, number)
    return CensusPlay(number, game, write_position(game.table))


def replay(rules: Rules, game: CensusGame) -> CensusPlay:
    """Return a recorded game, played again; raises CannotReplay if the rules no longer give it."""
    play, uncounted = start_game(rules, game.game, with_the_cut=game.begins == Phase.CUT), frozenset(game.uncounted)
    for at in range(1, game.acts + 1):
        count = game.passed_over.get(at, 0)
        act = None if play.game.is_over else play.choose(count)
        if act is None:
            raise CannotReplay(f"no legal act is left after act {at - 1}")
        events = play.game.attempt(act)
        assert not isinstance(events, Refusal), "only acts that are open are chosen"
        left_out = [*(["legal_acts"] if at in uncounted else []), *(game.left_open if at == game.acts else ())]
        play.record(act, events, count, left_out)
    play.uncounted, play.left_open = list(game.uncounted), game.left_open
    return play


def census_game(play: CensusPlay) -> CensusGame:
    """Return the record of a game."""
    table = play.game.table
    ends = "over" if play.game.is_over else "in-dispute" if play.left_open else "after-a-deal"
    return CensusGame(
        game=play.number,
        begins=play.begins["phase"],
        deals=play.deals,
        acts=len(play.steps),
        ends=ends,
        score=dict(zip(table.rules.side_letters, table.score, strict=False)),
        legal_acts=sum(step.sight.get("legal_acts") or 0 for step in play.steps),
        digest=digest(play),
        passed_over=play.passed_over,
        uncounted=tuple(play.uncounted),
        left_open=play.left_open,
    )


def digest(play: CensusPlay) -> str:
    """Return the digest of a game: of the canonical JSON of all acts and observations."""
    text = json.dumps([[step.act, step.sight] for step in play.steps], sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:DIGITS]
