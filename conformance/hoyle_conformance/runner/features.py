"""Features of failures: the acts and rules at work in each step of a check, and those that a mismatch concerns."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import NOTHING_REPORTED, CannotSetUp
from hoyle_conformance.checks.setup.trace import TracedAct, answer_standalone, trace_acts
from hoyle_conformance.runner.results import ANSWER, Mismatch, points_off
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Malformed
from hoyle_reference.events import BroughtNothing, Event, NobodyScores, NoBonus, Scored, TrickWon
from hoyle_reference.refusals import Grounds
from hoyle_reference.seats import seat_name

#: The observable that three keys of an expectation describe.
_SCORE: Final = "score"
_SCORES: Final = frozenset({_SCORE, "scores", "total"})
_SCORING: Final = (Scored, BroughtNothing, NobodyScores, NoBonus)
#: The rule that only the player with the best combination of a class scores in it.
ONE_SCORES: Final = "classes.winner_scores"
#: The suffix that marks an observable as missing from a report.
MISSING: Final = " not reported"
_CARD: Final = re.compile(r"\b(?:10|[2-9TJQKA])[CDHS](?:#\d)?\b")
#: Match quoted text in an error message, such as the property that an undefined value lacks; and memory addresses.
_QUOTED: Final = re.compile(r"""(?<!\w)(['"`])[^'"`\n]{0,80}\1(?!\w)""")
_ADDRESS: Final = re.compile(r"\b0x[0-9a-fA-F]+\b|(?<=\w)@[0-9a-f]{5,16}\b")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?")


class Rank(NamedTuple):
    """The kinds of features, from the least specific to the most."""

    anything: int = 0
    word: int = 1
    reason: int = 2
    cell: int = 3


RANK: Final = Rank()


class Feature(NamedTuple):
    """A property that steps may share: being sent, their word in the protocol, the reason for a refusal, or the cell of
    a rule at work."""

    rank: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Single:
    """One act or question as the reference plays it, the keys expected after it, and a game that answers questions."""

    step: Mapping[str, Any]
    taken: TracedAct
    shown: frozenset[str] = frozenset()
    fresh_game: Game | None = None

    @property
    def word(self) -> str:
        """The act or question."""
        return str(self.step.get("ask", self.step.get("do", "")))

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return "ask" in self.step

    @property
    def refusal(self) -> str:
        """The word for the reason of the refusal; empty if the act is accepted."""
        return self.taken.refusal.code if self.taken.refusal else ""

    @property
    def features(self) -> frozenset[Feature]:
        """All features at work in the step."""
        cells = (Feature(RANK.cell, cell) for cell in self.taken.grounds)
        return frozenset({Feature(RANK.anything), Feature(RANK.word, self.word), *cells})

    def is_compared(self, kind: str) -> bool:
        """Return whether the check compares this kind of observable after the step."""
        if kind == ANSWER or self.asks:
            return self.asks and kind == ANSWER
        if kind == "refused" or kind.startswith("unchanged "):
            return bool(self.refusal)
        return not self.refusal and (kind in self.shown or kind not in _OBSERVABLES_NAMED)

    def about(self, kind: str, mismatch: Mismatch | None = None) -> frozenset[Feature]:
        """Return the features that a difference of this kind concerns."""
        common = {Feature(RANK.anything), Feature(RANK.word, self.word)}
        if self.refusal:
            common.add(Feature(RANK.reason, self.refusal))
        cells = self.cells(kind, mismatch) if has_rules(kind) else ()
        return frozenset({*common, *(Feature(RANK.cell, cell) for cell in cells)})

    def cells(self, kind: str, mismatch: Mismatch | None = None) -> Grounds:
        """Return the cells that a difference of this kind concerns, the main one first."""
        events: Sequence[Event] = [event for event in self.taken.events if event.grounds]
        if kind == "accepted":
            events = events[:1]
        elif kind == "trick_won_by":
            events = [event for event in events if isinstance(event, TrickWon)] or events
        elif kind.removeprefix("unchanged ") == _SCORE:
            scoring = [event for event in events if isinstance(event, _SCORING)]
            events = [event for event in scoring if _accounts_for(event, mismatch)] or scoring or events
        return (
            self._of_amount(mismatch)
            or tuple(dict.fromkeys(chain(*(event.grounds for event in events))))
            or self.taken.grounds
        )

    def _of_amount(self, mismatch: Mismatch | None) -> Grounds:
        """Return the cells under the headings of those at work whose points are those by which the answer for a player
        is wrong; the one that requires a comparison, if the players score as without one."""
        game = self.fresh_game
        if not (self.asks and game and mismatch and isinstance(mismatch.expected, Mapping)):
            return ()
        if self._is_without_comparison(game, mismatch.observed):
            return (ONE_SCORES,)
        grounds, amounts = self.taken.grounds, [*map(abs, points_off(mismatch).values())]
        headings = {path.rpartition(".")[0] for path in grounds}
        values = {each.path: each.value for each in game.rules.cells if each.path.rpartition(".")[0] in headings}
        rows = {path: value.get("points") for path, value in values.items() if isinstance(value, Mapping)}
        paths = [path for path, value in {**values, **rows}.items() if value in amounts]
        return tuple(sorted(paths, key=lambda path: path not in grounds))

    def _is_without_comparison(self, game: Game, observed: Mapping[str, int]) -> bool:
        """Return whether each player scores in every class, except a repique perhaps, as if the other held nothing."""
        hands = self.step.get("hands", {})
        alone = ((seat, {**self.step, "hands": {**dict.fromkeys(hands, ()), seat: hands[seat]}}) for seat in hands)
        bonus = game.rules.cells["reckoning.repique.points"].value if hands else 0
        off = [answer_standalone(game, step)[seat] - observed.get(seat, 0) for seat, step in alone]
        return bool(off) and {0, bonus}.issuperset(off)

    def part(self, mismatch: Mismatch | None) -> str:
        """Return the part of an answer that is wrong by its amount: a class, or a rule; empty if it is not known."""
        cells = self._of_amount(mismatch)
        row = self.fresh_game.rules.cells[cells[0]].value if cells and self.fresh_game else None
        return str(row["class"]) if isinstance(row, Mapping) and "class" in row else "".join(cells[:1])


#: An act or question about which nothing is known.
UNKNOWN: Final = Single({}, TracedAct({}))
#: The observables that are compared only if they are expected or reported.
_OBSERVABLES_NAMED: Final = frozenset(
    {_SCORE, "trick_won_by", "turn", "dealer", "trumps", "turn_up", "hands", "shown", "stock_left", "seen"}
    | {"game_won_by", "deals_left", "settled", "choices"}
)


def kind_of(mismatch: Mismatch) -> str:
    """Return the observable that was compared, as one word for all keys that expect it; the word is marked if nothing
    was reported."""
    kind = _SCORE if mismatch.what in _SCORES else mismatch.what
    return f"{kind}{MISSING}" if mismatch.observed == NOTHING_REPORTED else kind


def has_rules(kind: str) -> bool:
    """Return whether any rule of the game decides this kind of observable. No rule is needed for each card to be in one
    place."""
    return not (kind.startswith("unchanged ") or kind.endswith(MISSING) or kind in {"cards", "players"})


def reference_steps(suite: Suite, check: Check) -> Sequence[Single]:
    """Return every act and question of a check as the reference plays it; nothing if the reference cannot play it."""
    try:
        plan = planner_of(suite).request(check)
        acts = trace_acts(suite.rules.of(check.ruleset), plan.message)
    except (CannotSetUp, Malformed):
        return ()
    shown = {end - 1: check.expect.get(step, {}) for step, end in enumerate(plan.ends, start=1)}
    return [
        Single(
            step,
            each,
            frozenset(_SCORE if key in _SCORES else key for key in shown.get(at, ())),
            suite.rules.fresh_game(check.ruleset),
        )
        for at, (step, each) in enumerate(zip(plan.message["steps"], acts, strict=True))
    ]


def single_of(suite: Suite, check: Check, singles: Sequence[Single], mismatch: Mismatch) -> tuple[int, Single]:
    """Return the place of a mismatch in the course of a check, and the step there.

    For an act after the last step, only its word is known; for a check that the reference cannot play, nothing is
    known.
    """
    if not singles:
        return 0, UNKNOWN
    if mismatch.afterwards:
        return len(singles), replace(UNKNOWN, step=mismatch.afterwards)
    at = place_of(suite, check, mismatch)
    return at, singles[at]


def place_of(suite: Suite, check: Check, mismatch: Mismatch) -> int:
    """Return the place of a mismatch in the course of a check; if a step was sent only in part, that of its last
    act."""
    plan = planner_of(suite).request(check)
    return min(plan.start(mismatch.step) + mismatch.act, plan.ends[mismatch.step - 1] - 1)


def _accounts_for(event: Event, mismatch: Mismatch | None) -> bool:
    """Return whether an event scores exactly the points by which the score is wrong."""
    if not (isinstance(event, Scored) and mismatch):
        return False
    return abs(event.points) == abs(points_off(mismatch).get(seat_name(event.seat), 0))


def simplify_reason(text: str, output: str = "") -> str:
    """Return the text of an engine's error without the parts that vary: cards, numbers, addresses and quoted text."""
    plain = _ADDRESS.sub("N", _QUOTED.sub("WORD", telling_line(text, output)))
    return " ".join(_NUMBER.sub("N", _CARD.sub("CARD", plain)).split())


def telling_line(reason: str, output: str) -> str:
    """Return the line of an error output that names the error: the first that mentions one, or else the last. Without
    an output, return the first line of the reason."""
    lines = [line for line in output.splitlines() if line.strip()]
    errors = (line for line in lines if re.search(r"error|exception|panic|assert", line, re.IGNORECASE))
    return next(errors, lines[-1]) if lines else reason.partition("\n")[0]
