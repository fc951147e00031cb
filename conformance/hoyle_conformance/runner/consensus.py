"""Agreed: what the table shows after every step, as far as all readings of all rules agree on it.

A step says what the sources decide about its question. An implementation that reports more than that is compared with
the reference, but only where no reading of any disputed cell would show something else.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.runner.compare import comparable, moved
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Phase, Rules

Observation = Mapping[str, Any]

#: What tells of one step alone: beside a question there is nothing of the kind.
_OF_ONE_STEP: Final = "trick_won_by"
#: What still means something once the game is over: where the cards lie then, and whose turn it would be, nobody says;
#: nor, of those who do not deal, between deals.
_OF_THE_END: Final = frozenset({"score", "game_won_by", "settled", "deals_left", _OF_ONE_STEP})
#: When there need be no cards on the table.
_NO_CARDS: Final = frozenset({Phase.CUT, Phase.DEAL, Phase.OVER})
#: When there may be none: the winner of the cut may have a choice.
_MAYBE_NO_CARDS: Final = _NO_CARDS | {Phase.CHOOSE}
#: What must be observed to know what else means something.
TELL_WHEN: Final = ("phase", "settled")
#: What follows from these beyond what a ruling says is not said either.
RULED_ON: Final = frozenset({"claim", "mishap"})
_VOID: Final = {"winner": None, "points": None}
#: Stands for what nothing is said of.
NOT_SAID: Final[Any] = object()


class _Shown(NamedTuple):
    """What is shown after an act, or `beside` a question: after the last act before it, if there was one."""

    act: Observation | None
    beside: bool

    def shown(self, key: str) -> Any:
        """What is shown under a key."""
        return NOT_SAID if self.act is None or (self.beside and key == _OF_ONE_STEP) else self.act[key]


def _shown(observed: Iterable[Observation]) -> Iterator[_Shown]:
    """What is shown at each act and question."""
    act = None
    for each in observed:
        beside = "answer" in each
        act = act if beside else each
        yield _Shown(act, beside)


class Consensus:
    """What the reference shows of one check after each act and question sent, whichever reading is followed, to one who
    `deals` or does not."""

    def __init__(self, suite: Suite, check: Check, prepared: RunRequest, *, deals: bool) -> None:
        self._deals = deals
        course = prepared.course
        self._suite, self._check = suite, check
        self._message = {**(course.message if course else prepared.message), "observe": prepared.message["observe"]}
        steps = self._message["steps"]
        #: Which of the acts and questions that the reference takes each sent step ends with.
        self._course_of: Sequence[int] = course.at if course else range(len(steps))
        irregular = (at for at, step in enumerate(steps) if "irregular" in step or step.get("do") in RULED_ON)
        self._until = next(irregular, len(steps))

    def against(self, at: int, key: str, reported: Any) -> tuple[Any, Any] | None:
        """What all readings show after the act or question at this place, and what was reported instead; nothing where
        that is the same, or readings differ."""
        at = self._course_of[at]
        act = self._own[at].act
        if act is not None and act.get(key, NOT_SAID) == reported:  # mostly it is so
            return None
        wanted = self._wanted(at, key)
        if wanted is NOT_SAID or same(key, wanted, reported):
            return None
        if is_nothing(wanted) and is_nothing(reported) and act is not None and act["phase"] in _MAYBE_NO_CARDS:
            return None
        if any(not same(key, wanted, other[at].shown(key)) for other in self._others):
            return None
        return (moved(wanted, reported) if key == "position" and wanted and reported else None) or (wanted, reported)

    def is_between_deals(self, at: int) -> bool:
        """Whether nothing lies on the table after the act at this place: before a deal, or after the last."""
        act = self._own[self._course_of[at]].act
        return act is not None and act["phase"] in _NO_CARDS

    def _wanted(self, at: int, key: str) -> Any:
        """What the reference shows, if the sources say what this is here."""
        act = self._own[at].act
        if at >= self._until or act is None or not is_said(act, key, deals=self._deals):
            return NOT_SAID
        return self._own[at].shown(key)

    @cached_property
    def _own(self) -> Sequence[_Shown]:
        return self._observed(self._suite.rules.of(self._check.ruleset))

    @cached_property
    def _others(self) -> Sequence[Sequence[_Shown]]:
        """What is shown under each other reading of each disputed cell, and under those that the scenario names."""
        return list(self._under_other_readings())

    def _under_other_readings(self) -> Iterator[Sequence[_Shown]]:
        for ways in other_ways(self._suite, self._check):
            try:
                yield self._observed(self._suite.rules.of(self._check.ruleset, ways))
            except Malformed:  # a position that cannot be then
                continue

    def _observed(self, rules: Rules) -> Sequence[_Shown]:
        observe = {*self._message["observe"], *TELL_WHEN}
        return list(_shown(observations(rules, {**self._message, "observe": sorted(observe)})))


def other_ways(suite: Suite, check: Check) -> Iterator[Mapping[str, str]]:
    """The ways to read the ruleset of a check otherwise: each other reading of each disputed cell, by its path, and
    those that the scenario names."""
    single = ({path: name} for path, name in suite.rules.other_readings(check.ruleset))
    named = (each.cells for each in check.readings if check.follows)
    for ways in (*single, *named):
        try:
            suite.rules.of(check.ruleset, ways)
        except Malformed:  # a table that cannot be read so
            continue
        yield ways


def is_said(act: Observation, key: str, *, deals: bool) -> bool:
    """Whether what stands under a key after an act means something, to one who `deals` or does not: it is observed with
    `TELL_WHEN`."""
    if act["phase"] == Phase.CUT and key == "turn":  # while the players cut, it is nobody's in particular
        return False
    nothing_lies = act["phase"] == Phase.OVER or (act["phase"] == Phase.DEAL and not deals)
    return not nothing_lies or (key in _OF_THE_END and act["settled"] != _VOID)


def is_nothing(value: Any) -> bool:
    """Whether a value says that there are no cards: null, 0 or empty hands."""
    return _no_cards(value) or value == 0


def _no_cards(value: Any) -> bool:
    """Whether a value says that nobody has cards: null is as good as empty hands."""
    return value is None or (isinstance(value, Mapping) and not any(value.values()))


def same(key: str, one: Any, other: Any) -> bool:
    """Whether two values under a key are the same, whichever copies of cards they name."""
    if one == other or (_no_cards(one) and _no_cards(other)):  # to the very names: mostly it is so
        return True
    if key == "position" and one and other:
        return moved(one, other) is None
    return bool(comparable(one) == comparable(other))
