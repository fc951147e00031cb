"""The request of one check, ready to be rewritten and sent, or the reason why there is none.

The parts are: preludes, the request, the rewritten request, the claims of an adapter, and the error for a position that
cannot be set up.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from hoyle_conformance.protocol.messages import AdapterInfo, EncodedMessage
from hoyle_conformance.suite.capabilities import Capabilities, observed
from hoyle_conformance.suite.model import AS_WRITTEN, Check, Expectation, Expected, Relabelling
from hoyle_conformance.suite.suite import Suite

if TYPE_CHECKING:
    from hoyle_reference import Rules


# ---- preludes


Act = Mapping[str, Any]
Position = Mapping[str, Any]


class Why(StrEnum):
    """The reason, as a code, why there is no prelude; of several codes, the last one is the most specific."""

    BEFORE_THE_DEAL = "before-the-deal"
    IRREGULAR = "irregular"
    NOT_FOUND = "not-found"
    SCORE = "score"
    MATTERS = "another-outcome"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class NoPrelude:
    """The reason why a position has no prelude, as a code and in words."""

    why: Why
    reason: str


#: The reason for a prelude that the spec does not have yet.
NOT_STORED: Final = NoPrelude(Why.NOT_FOUND, "none is stored; 'make preludes' in a checkout finds it")


@dataclass(frozen=True, slots=True)
class Prelude:
    """A history of a position: from `start`, a new deal, the accepted `acts` lead to `reached`.

    `before` is the position before that deal, and `deal` the act that deals these cards, with its `deck`. With
    `from_new_game`, `before` is the position of a new game, without points and before the first deal; so an adapter
    that only plays whole games from a given pack can play it. `tricks` is the number of complete tricks. If no other
    history was found, it `rests_on` these cells: an adapter that follows another reading of them may validly refuse an
    act or reach another score. All values are as the protocol writes them.
    """

    start: Position
    acts: tuple[Act, ...]
    reached: Position
    before: Position
    deal: Act
    from_new_game: bool
    tricks: int
    rests_on: tuple[str, ...] = ()


Step = Mapping[str, Any]

#: The observable that belongs to one step alone, and that a refused act and a question do not have.
OF_ONE_STEP: Final = "trick_won_by"
#: The text in a report if an adapter reported nothing.
NOTHING_REPORTED: Final = "nothing reported"

#: The acts that lead to a ruling on an irregularity; an irregular act itself is marked.
_RULED_ON: Final = frozenset({"claim", "mishap"})


def is_irregular(step: Mapping[str, Any]) -> bool:
    """Return whether a step is an irregular act, or one that leads to a ruling on an irregularity."""
    return "irregular" in step or step.get("do") in _RULED_ON


def observing(message: Mapping[str, Any], observe: list[str]) -> Mapping[str, Any]:
    """Return a message, or the body of one, with other observables; an encoded message stays encoded."""
    asking = {**message, "observe": observe}
    if not isinstance(message, EncodedMessage):
        return asking
    was, now = (json.dumps(each, separators=(",", ":")).encode() for each in (message["observe"], observe))
    return EncodedMessage(asking, now.join(message.text.rsplit(was, 1)))


def under_the_name(message: Mapping[str, Any], ruleset: str) -> Mapping[str, Any]:
    """Return a message, or the body of one, with another name for the ruleset."""
    name, *options = ruleset.split("+")
    return {**message, "ruleset": name, "options": options}


@dataclass(frozen=True, slots=True)
class RequestSteps:
    """The reference's own version of a request whose message it cannot play.

    It has the message, the index of the act or question that gives the observation of each sent step, and the position
    in which the sent steps begin.
    """

    message: Mapping[str, Any]
    at: tuple[int, ...]
    begins: Mapping[str, Any]


class OneOfEach(list[Any]):
    """Combinations of which an engine lists one choice of cards each."""


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The request of one check.

    `message` is the body of the `run` message. `ends` has, for each step, the number of acts and questions sent up to
    its end: a step of which nothing is sent ends with the one before it, and acts may follow the last step. `needs` are
    the words that must be claimed, `seats` the occupied seats, and `turned` is the relabelling. `course` is what the
    reference plays if that differs from the message. After the sent steps in `unbooked`, the score may still be
    incomplete. After `undecided` steps, only expectations of the check are compared. If the engine refuses an act with
    an error, `before` are the observations before the first step. With `one_of_each`, it may list one choice of cards
    for each combination.
    """

    message: Mapping[str, Any]
    ends: tuple[int, ...]
    needs: frozenset[str]
    seats: str
    turned: Relabelling = AS_WRITTEN
    course: RequestSteps | None = None
    unbooked: frozenset[int] = frozenset()
    undecided: frozenset[int] = frozenset()
    before: Mapping[str, Any] | None = None
    one_of_each: bool = False

    def start(self, step: int) -> int:
        """Return the index, among the acts and questions sent, of the first for a step; steps are counted from 1."""
        return self.ends[step - 2] if step > 1 else 0

    @property
    def afterwards(self) -> range:
        """The indexes of the acts sent after the last step of the scenario."""
        end = len(self.message["steps"])
        return range(self.ends[-1] if self.ends else end, end)

    def read(self, observed: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
        """Yield observations in the usual form: an error in an act is a refusal that changed nothing, if the engine
        refuses in this way."""
        now = self.before or {}
        for step, seen in zip(self.message["steps"], observed, strict=True):
            if self.before is not None and "do" in step and "error" in seen:
                yield {**now, OF_ONE_STEP: None, "accepted": False, "reason": seen["error"]}
            elif self.one_of_each and step.get("ask") == "declarable" and "answer" in seen:
                yield {**seen, "answer": OneOfEach(seen["answer"])}
            else:
                now = {key: seen[key] for key in now if key in seen} if "do" in step else now
                yield seen

    @property
    def position(self) -> Mapping[str, Any]:
        """The position in which the steps begin."""
        return self.course.begins if self.course else self.message["position"]

    @property
    def reference_steps(self) -> RequestSteps:
        """The steps that the reference plays for the request."""
        return self.course or RequestSteps(self.message, tuple(range(len(self.message["steps"]))), self.position)


@dataclass(frozen=True, slots=True)
class Unsupported:
    """The words that an adapter does not claim, so the check is not sent to it."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Adapted:
    """A check and the request that is sent for it; `partly` are the unclaimed words that were dropped from the
    request."""

    check: Check
    plan: RunRequest
    partly: tuple[str, ...] = ()

    @property
    def steps(self) -> Sequence[Step]:
        """The acts and questions that are sent."""
        steps: Sequence[Step] = self.plan.message["steps"]
        return steps

    def needs(self, capabilities: Capabilities) -> frozenset[str]:
        """Return the words that an adapter must claim for the steps that are sent."""
        scenario = self.check.scenario
        return capabilities.needed(scenario.given, self.steps, self.check.branches.values(), scenario.steps)

    def sending(self, steps: Iterable[Step], **changes: Any) -> "Adapted":
        """Replace the acts and questions that are sent, and other fields of the request."""
        message = {**self.plan.message, "steps": list(steps)}
        return replace(self, plan=replace(self.plan, message=message, **changes))

    def expecting(self, branches: Mapping[str, Expected]) -> "Adapted":
        """Replace the expectations of the check, and request the observations that they name."""
        message = observing(self.plan.message, sorted(observed(branches.values())))
        return replace(self, check=replace(self.check, branches=branches), plan=replace(self.plan, message=message))

    def revised(self, revise: Callable[[int, Expectation], Expectation]) -> "Adapted":
        """Replace the expectation of each step, and drop it if nothing is left of it."""
        return self.expecting(
            {
                name: {number: rest for number, each in expected.items() if (rest := revise(number, each))}
                for name, expected in self.check.branches.items()
            }
        )

    def refused_in(self, how_many: Callable[[Iterable[bool]], bool]) -> frozenset[int]:
        """Return the places of the acts sent that `any` or `all` of the branches expect to be refused."""
        branches = self.check.branches.values()
        return frozenset(
            end - 1
            for number, end in enumerate(self.plan.ends, start=1)
            if how_many("refused" in expected.get(number, {}) for expected in branches)
        )

    def without(self, places: Collection[int], upto: int | None = None) -> "Adapted":
        """Drop the acts and questions at these places, and all steps of the scenario after `upto`, with what is
        expected of them."""
        ends, course = self.plan.ends[:upto], self.plan.course
        kept = [at for at in range(len(self.steps)) if at not in places]
        numbers = {number for number, end in enumerate(ends, start=1) if end - 1 not in places}
        rest = self.sending(
            [self.steps[at] for at in kept],
            ends=tuple(bisect_left(kept, end) for end in ends),
            course=course and replace(course, at=tuple(course.at[at] for at in kept)),
        )
        return rest.revised(lambda number, each: each if number in numbers else {})

    def cut_after(self, step: int) -> "Adapted":
        """Drop everything after a step of the scenario, counted from 1; 0 drops every step."""
        end = self.plan.ends[:step][-1] if self.plan.ends[:step] else 0
        return self.without(range(end, len(self.steps)), upto=step)


@dataclass(frozen=True, slots=True)
class Claims:
    """The introduction of an adapter, and the suite that it is checked against.

    `preludes` returns the prelude of a check, or the reason why it has none. A `trusted` adapter is sent exactly what
    the check contains.
    """

    suite: Suite
    info: AdapterInfo
    trusted: bool = False
    preludes: "Callable[[Suite, Check], Prelude | NoPrelude] | None" = None

    def takes(self, step: Step) -> bool:
        """Return whether the adapter claims an act or a question."""
        return self.suite.capabilities.word(step) in self.info.claims

    def plays(self, ruleset: str) -> bool:
        """Return whether the adapter claims a ruleset, under any of its names."""
        return not self.info.rulesets.isdisjoint(self.suite.rules.claimable_names(ruleset))

    def rules(self, request: Adapted) -> "Rules":
        """Return the rules of a check."""
        return self.suite.rules.of(request.check.ruleset)


class CannotSetUp(Exception):
    """A position that cannot be completed; `path` leads to the place in the scenario's file.

    The message and the remedy address the author of the file. `table` has texts for users of the table where these
    would confuse them; an empty text stands for the original.
    """

    def __init__(self, message: str, remedy: str, *path: str | int, table: tuple[str, str] = ("", "")) -> None:
        super().__init__(message)
        self.message, self.remedy, self.path = message, remedy, path
        self._table = table

    @property
    def at_the_table(self) -> tuple[str, str]:
        """The message and the remedy for a user of the table, who has no file."""
        return self._table[0] or self.message, self._table[1] or self.remedy
