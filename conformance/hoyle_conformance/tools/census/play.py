"""Playing: a game of the census as it goes, and one that is written down made again.

Which act is taken is chosen by counting: where the first choice was passed over, for the readings of the table part
there (`searching`), the game says so, and is made again without a look at the other readings.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, NamedTuple

from hoyle_conformance.suite.model import CensusGame
from hoyle_conformance.tools.census import decks as chance
from hoyle_conformance.tools.census.choices import pools
from hoyle_conformance.tools.census.observe import seen
from hoyle_reference import Game, Phase, Refusal, Rules, new_game, write_act, write_position
from hoyle_reference.events.event import Event
from hoyle_reference.table.acts import Act, Cut, Deal

#: So many figures of a digest are written down.
DIGITS: Final = 16


class Lost(Exception):
    """A game that is written down cannot be made again."""


class Seen(NamedTuple):
    """An act that was taken, as it is sent, and what must be seen after it."""

    act: Mapping[str, Any]
    sight: Mapping[str, Any]


@dataclass(slots=True)
class CensusPlay:
    """A game of the census as it goes: the position it began with, and what was done and seen since.

    `passed_over` says before which acts (counted from 1) how many choices, or decks, were; `uncounted` after which the
    number of open acts is not the same under all readings; and `left_open` what is not the same after the last act, if
    some reading has the game end there.
    """

    number: int
    game: Game
    begins: Mapping[str, Any]
    steps: list[Seen] = field(default_factory=list)
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
        """The act that chance chooses next, so many choices having been passed over; nothing where there is none."""
        open_ = pools(self.game, self.number, self.decks + 1 + count, self.cuts)
        if not any(map(len, open_)):
            return None
        number = chance.number(self.game.rules, self.number, len(self.steps) + 1, count)
        pool, at = chance.pick(number, (len(open_[0]), len(open_[1])))
        return open_[pool][at]

    def take(self, act: Act, events: Sequence[Event], passed_over: int, left_out: Collection[str] = ()) -> None:
        """Write down an act that has been carried out, and what is seen, but for what is left out."""
        sight = seen(self.game.table, events)
        self.steps.append(Seen(write_act(act), {key: sight[key] for key in sight if key not in left_out}))
        if passed_over:
            self.passed_over[len(self.steps)] = passed_over
        if isinstance(act, Deal):
            self.deals, self.decks = self.deals + 1, self.decks + 1 + passed_over
        self.cuts += isinstance(act, Cut)


def begun(rules: Rules, number: int, *, with_the_cut: bool) -> CensusPlay:
    """A game that begins with the cut, or with a deal by somebody."""
    game = new_game(rules)
    if not with_the_cut:
        game.table.phase = Phase.DEAL
        game.table.turn = game.table.dealer = chance.dealer(rules, number)
    return CensusPlay(number, game, write_position(game.table))


def again(rules: Rules, game: CensusGame) -> CensusPlay:
    """A game that is written down, made again; raises Lost where the rules do not give it any more."""
    course, uncounted = begun(rules, game.game, with_the_cut=game.begins == Phase.CUT), frozenset(game.uncounted)
    for at in range(1, game.acts + 1):
        count = game.passed_over.get(at, 0)
        act = None if course.game.is_over else course.choose(count)
        if act is None:
            raise Lost(f"nothing is left to be done after act {at - 1}")
        events = course.game.attempt(act)
        assert not isinstance(events, Refusal), "only acts that are open are chosen"
        left_out = [*(["legal_acts"] if at in uncounted else []), *(game.left_open if at == game.acts else ())]
        course.take(act, events, count, left_out)
    course.uncounted, course.left_open = list(game.uncounted), game.left_open
    return course


def written(course: CensusPlay) -> CensusGame:
    """What is written down of a game."""
    table = course.game.table
    ends = "over" if course.game.is_over else "in-dispute" if course.left_open else "after-a-deal"
    return CensusGame(
        game=course.number,
        begins=course.begins["phase"],
        deals=course.deals,
        acts=len(course.steps),
        ends=ends,
        score=dict(zip(table.rules.side_letters, table.score, strict=False)),
        legal_acts=sum(step.sight.get("legal_acts") or 0 for step in course.steps),
        digest=digest(course),
        passed_over=course.passed_over,
        uncounted=tuple(course.uncounted),
        left_open=course.left_open,
    )


def digest(course: CensusPlay) -> str:
    """The digest of a game: of the canonical JSON of all acts and of what is seen after each."""
    text = json.dumps([[step.act, step.sight] for step in course.steps], sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:DIGITS]
