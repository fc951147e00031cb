"""At work: which acts and rules are, in every act and question of a check; and those that what went wrong is about."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.trace import TracedAct, taken
from hoyle_conformance.runner.judge import NOTHING_REPORTED
from hoyle_conformance.runner.results import ANSWER, Mismatch
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed
from hoyle_reference.events.event import Event
from hoyle_reference.events.score import BroughtNothing, NobodyScores, NoBonus, Scored
from hoyle_reference.events.tricks import TrickWon
from hoyle_reference.frozen import frozen
from hoyle_reference.table.refusals import Grounds
from hoyle_reference.table.seats import seat_name

#: What is compared when the score is.
_SCORE: Final = "score"
_SCORES: Final = frozenset({_SCORE, "scores", "total"})
_SCORING: Final = (Scored, BroughtNothing, NobodyScores, NoBonus)
#: Ends the name of what was to be reported, and was not.
MISSING: Final = " not reported"
_CARD: Final = re.compile(r"\b(?:10|[2-9TJQKA])[CDHS](?:#\d)?\b")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")


class Rank(NamedTuple):
    """How much a feature tells: the more, the higher."""

    anything: int = 0
    word: int = 1
    reason: int = 2
    cell: int = 3


RANK: Final = Rank()


class Feature(NamedTuple):
    """Something that acts and questions may have in common: nothing but being sent, their word in the protocol, why
    they are refused, or a rule at work in them, by its cell."""

    rank: int
    name: str = ""


@frozen
class Single:
    """One act or question as the reference takes it, and what is expected to be shown after it, by key."""

    word: str
    asks: bool
    taken: TracedAct
    shown: frozenset[str]

    @property
    def refusal(self) -> str:
        """The word for why it is refused; nothing where it is not."""
        return self.taken.refusal.code if self.taken.refusal else ""

    @property
    def features(self) -> frozenset[Feature]:
        """All that is at work in it."""
        cells = (Feature(RANK.cell, cell) for cell in self.taken.grounds)
        return frozenset({Feature(RANK.anything), Feature(RANK.word, self.word), *cells})

    def is_compared(self, kind: str) -> bool:
        """Whether this kind of thing can be seen to be right or wrong here."""
        if kind == ANSWER or self.asks:
            return self.asks and kind == ANSWER
        if kind == "refused" or kind.startswith("unchanged "):
            return bool(self.refusal)
        return not self.refusal and (kind in self.shown or kind not in _OBSERVABLES_NAMED)

    def about(self, kind: str, mismatch: Mismatch | None = None) -> frozenset[Feature]:
        """What of it a difference of this kind is about."""
        common = {Feature(RANK.anything), Feature(RANK.word, self.word)}
        if self.refusal:
            common.add(Feature(RANK.reason, self.refusal))
        cells = self.cells(kind, mismatch) if has_rules(kind) else ()
        return frozenset({*common, *(Feature(RANK.cell, cell) for cell in cells)})

    def cells(self, kind: str, mismatch: Mismatch | None = None) -> Grounds:
        """The cells that a difference of this kind is about, those that tell most first."""
        events: Sequence[Event] = [event for event in self.taken.events if event.grounds]
        if kind == "accepted":
            events = events[:1]
        elif kind == "trick_won_by":
            events = [event for event in events if isinstance(event, TrickWon)] or events
        elif kind.removeprefix("unchanged ") == _SCORE:
            scoring = [event for event in events if isinstance(event, _SCORING)]
            events = [event for event in scoring if _accounts_for(event, mismatch)] or scoring or events
        return tuple(dict.fromkeys(chain(*(event.grounds for event in events)))) or self.taken.grounds


#: Stands for an act or question of which nothing is known.
UNKNOWN: Final = Single("", asks=False, taken=TracedAct({}, (), None, ()), shown=frozenset())
#: What is compared only where it is expected, or reported.
_OBSERVABLES_NAMED: Final = frozenset(
    {_SCORE, "trick_won_by", "turn", "dealer", "trumps", "turn_up", "hands", "shown", "stock_left", "seen"}
    | {"game_won_by", "deals_left", "settled", "choices"}
)


def kind_of(mismatch: Mismatch) -> str:
    """What was compared, in one word, however it was expected; and whether there was nothing to compare with it."""
    kind = _SCORE if mismatch.what in _SCORES else mismatch.what
    return f"{kind}{MISSING}" if mismatch.observed == NOTHING_REPORTED else kind


def has_rules(kind: str) -> bool:
    """Whether any rule of the game says how it should be: that a card lies in one place needs none."""
    return not (kind.startswith("unchanged ") or kind.endswith(MISSING) or kind in {"cards", "players"})


def course(suite: Suite, check: Check) -> Sequence[Single]:
    """Every act and question of a check, as the reference takes them; none where it cannot."""
    try:
        plan = planner_of(suite).request(check)
        all_taken = taken(suite.rules.of(check.ruleset), plan.message)
    except (CannotSetUp, Malformed):
        return ()
    shown = {end - 1: check.expect.get(step, {}) for step, end in enumerate(plan.ends, start=1)}
    return [
        Single(
            step.get("ask") or step["do"],
            "ask" in step,
            each,
            frozenset(_SCORE if key in _SCORES else key for key in shown.get(at, ())),
        )
        for at, (step, each) in enumerate(zip(plan.message["steps"], all_taken, strict=True))
    ]


def single_of(suite: Suite, check: Check, singles: Sequence[Single], mismatch: Mismatch) -> tuple[int, Single]:
    """The place of what went wrong in the course of a check, and what was taken there; of an act after the last step
    only its word is known, and of a check that cannot be taken nothing."""
    if not singles:
        return 0, UNKNOWN
    if mismatch.afterwards:
        return len(singles), replace(UNKNOWN, word=str(mismatch.afterwards["do"]))
    at = where(suite, check, mismatch)
    return at, singles[at]


def where(suite: Suite, check: Check, mismatch: Mismatch) -> int:
    """The place of what went wrong in the course of a check; of a step of which less was sent, its last act."""
    plan = planner_of(suite).request(check)
    return min(plan.start(mismatch.step) + mismatch.act, plan.ends[mismatch.step - 1] - 1)


def _accounts_for(event: Event, mismatch: Mismatch | None) -> bool:
    """Whether these are just the points by which the score is wrong."""
    return isinstance(event, Scored) and mismatch is not None and event.points in _wrong_by(event, mismatch)


def _wrong_by(event: Scored, mismatch: Mismatch) -> Iterator[int]:
    """By how many points, either way, a player's score is wrong."""
    expected, observed = (
        _points(side, seat_name(event.seat), mismatch) for side in (mismatch.expected, mismatch.observed)
    )
    if expected is not None and observed is not None:
        yield from {expected - observed, observed - expected}


def _points(side: Any, seat: str, mismatch: Mismatch) -> int | None:
    """What a player has on one side of a mismatch; whoever is not named where points are made has made none."""
    points = side.get(seat, 0 if mismatch.what == "scores" else None) if isinstance(side, dict) else None
    return points if isinstance(points, int) else None


def plainly(text: str) -> str:
    """What an implementation said was wrong, without what is another each time: its cards and numbers."""
    return " ".join(_NUMBER.sub("N", _CARD.sub("CARD", telling(text))).split())


def telling(text: str) -> str:
    """The line of an error output that names the error: the first that speaks of one, or else the last."""
    said, _, output = text.partition("\nIts error output ends: ")
    lines = [line for line in output.splitlines() if line.strip()]
    errors = (line for line in lines if re.search(r"error|exception|panic|assert", line, re.IGNORECASE))
    return next(errors, lines[-1]) if lines else said.partition("\n")[0]
