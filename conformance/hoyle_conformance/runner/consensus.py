"""Consensus of readings: the observables after every step that no reading of any disputed cell changes.

A step expects what the sources decide about its question. An engine that reports more than that is compared with the
reference, but only where no reading would show something else.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.claimed import MAY_MEAN_NOTHING, meaningless
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.trace import observation_before, observations, trace_acts
from hoyle_conformance.runner.compare import comparable, moved_cards
from hoyle_conformance.runner.joint_readings import JointReadings
from hoyle_conformance.runner.open_after_rulings import ALWAYS_NEEDED, NEEDED, open_from
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Phase, Rules

Observation = Mapping[str, Any]

#: The observable of one step alone, which is not there beside a question.
_OF_ONE_STEP: Final = "trick_won_by"
#: The observables that still mean something once the game is over, or between deals for an engine that does not deal.
_OF_THE_END: Final = frozenset({"score", "game_won_by", "settled", "deals_left", _OF_ONE_STEP})
#: The phases without cards on the table.
_NO_CARDS: Final = frozenset({Phase.CUT, Phase.DEAL, Phase.OVER})
#: The phases that may be without cards: the winner of the cut may have a choice.
_MAYBE_NO_CARDS: Final = _NO_CARDS | {Phase.CHOOSE}
#: The observables that show which others mean something.
TELL_WHEN: Final = ("phase", "settled")
#: The cells about irregularities, and the status of a cell that no source states or implies.
_REFEREE: Final = "referee."
_VOID: Final = {"winner": None, "points": None}
#: The points of cards that are not the combination named, and of a combination that a ruleset does not have: an engine
#: need not tell these apart. Other questions never have both as answers.
WORTH_NOTHING: Final = (0, None)
#: The value of an observable that no source decides.
UNDECIDED: Final[Any] = object()


class _Shown(NamedTuple):
    """The observation of an act; or of the last act before a question, if there was one, `beside` the question."""

    act: Observation | None
    beside: bool

    def shown(self, key: str) -> Any:
        """Return what is shown under a key."""
        return UNDECIDED if self.act is None or (self.beside and key == _OF_ONE_STEP) else self.act[key]


def _shown(observed: Iterable[Observation]) -> Iterator[_Shown]:
    """Yield what is shown at each act and question."""
    act = None
    for each in observed:
        beside = "answer" in each
        act = act if beside else each
        yield _Shown(act, beside)


class Consensus:
    """The observations of the reference for one check, whichever reading is followed; an engine that `deals` knows what
    there is between two deals, and one with certain `claims` (None: all) knows the phases that these lead through."""

    def __init__(
        self, suite: Suite, check: Check, plan: RunRequest, *, deals: bool, claims: frozenset[str] | None = None
    ) -> None:
        self._deals, self._claims = deals, claims
        course = plan.course
        self._suite, self._check = suite, check
        self._message = {**(course.message if course else plan.message), "observe": plan.message["observe"]}
        #: Which of the acts and questions that the reference takes each sent step ends with.
        self._course_of: Sequence[int] = course.at if course else range(len(self._message["steps"]))

    def against(self, at: int, key: str, reported: Any) -> tuple[Any, Any] | None:
        """Return what all readings show after the step at this place, and what was reported instead; None if that is
        the same, or readings differ."""
        at = self._course_of[at]
        act = self._own[at].act
        if act is not None and act.get(key, UNDECIDED) == reported:  # mostly it is so
            return None
        wanted = self._wanted(at, key)
        if wanted is UNDECIDED or same_value(key, wanted, reported):
            return None
        if is_nothing(wanted) and is_nothing(reported) and act is not None and act["phase"] in _MAYBE_NO_CARDS:
            return None
        if self._means_nothing(at, key) or any(
            not same_value(key, wanted, other[at].shown(key)) for other in self._others
        ):
            return None
        return (moved_cards(wanted, reported) if key == "position" and wanted and reported else None) or (
            wanted,
            reported,
        )

    def agrees_with(self, way: Mapping[str, str], plan: RunRequest, observed: Sequence[Observation]) -> bool:
        """Whether everything that was observed is as the reference shows it when some cells are read so."""
        observe = sorted({*self._message["observe"], *TELL_WHEN})
        try:
            rules = self._suite.rules.of(self._check.ruleset, way)
            right = observations(rules, {**self._message, "observe": observe})
        except Malformed:
            return False
        return all(
            self._is_shown(right[self._course_of[at]], shows, booked=at not in plan.unbooked)
            for at, shows in enumerate(observed)
        )

    def _is_shown(self, right: Observation, shows: Observation, *, booked: bool) -> bool:
        """Whether an observation is this one, in all that it tells; the score and the position may not be missing."""
        if "answer" in right:
            return bool(comparable(right["answer"]) == comparable(shows.get("answer", UNDECIDED)))
        needed = {"position", *(("score",) if booked else ())}.intersection(self._message["observe"])
        if shows.get("accepted") != right["accepted"] or not needed <= shows.keys():
            return False
        keys = [each for each in self._message["observe"] if each in shows]
        return all(same_value(key, right[key], shows[key]) for key in keys if is_decided(right, key, deals=self._deals))

    def is_between_deals(self, at: int) -> bool:
        """Whether no cards are on the table after the act at this place: before a deal, or after the last."""
        act = self._own[self._course_of[at]].act
        return act is not None and act["phase"] in _NO_CARDS

    def means_nothing(self, at: int, key: str) -> bool:
        """Whether an observable means nothing after the step at this place, since no claimed act leads on."""
        return self._means_nothing(self._course_of[at], key)

    def _means_nothing(self, at: int, key: str) -> bool:
        if self._claims is None or key not in MAY_MEAN_NOTHING:
            return False
        capabilities, rules = self._suite.capabilities, self._suite.rules.of(self._check.ruleset)
        return key in meaningless(capabilities, self._claims, rules, self._message, at + 1)[0]

    def _wanted(self, at: int, key: str) -> Any:
        """Return what the reference shows, if the sources decide it here."""
        act, opened = self._own[at].act, self._open_from.get(key)
        is_open = opened is not None and at >= opened
        if is_open or act is None or not is_decided(act, key, deals=self._deals):
            return UNDECIDED
        return self._own[at].shown(key)

    @cached_property
    def joint(self) -> JointReadings:
        """The disputed cells at work here, and the ways to read them."""
        return JointReadings(self._suite, self._check, self._message)

    @cached_property
    def _own(self) -> Sequence[_Shown]:
        return self._observed(self._suite.rules.of(self._check.ruleset))

    @cached_property
    def _open_from(self) -> Mapping[str, int]:
        """The act or question from which on each observable is open, because of something irregular."""
        rules, cells = self._suite.rules.of(self._check.ruleset), self._suite.rules.cells(self._check.ruleset)
        referee = {cell.path: cell for cell in cells if cell.path.startswith(_REFEREE)}
        fields = NEEDED & {field.name for field in rules.fields}
        observe = sorted({*self._message["observe"], *ALWAYS_NEEDED, *fields})
        before = observation_before(rules, self._message, observe)
        return open_from(referee, before, self._message["steps"], trace_acts(rules, self._message, observe))

    @cached_property
    def _others(self) -> Sequence[Sequence[_Shown]]:
        """The observations under each other reading of each disputed cell, and under those that the scenario names."""
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
    """Yield the other ways to read the ruleset of a check: each other reading of each disputed cell, by its path, and
    those that the scenario names."""
    single = ({path: name} for path, name in suite.rules.other_readings(check.ruleset))
    named = (each.cells for each in check.readings if check.follows)
    for ways in (*single, *named):
        try:
            suite.rules.of(check.ruleset, ways)
        except Malformed:  # a table that cannot be read so
            continue
        yield ways


def is_decided(act: Observation, key: str, *, deals: bool) -> bool:
    """Whether an observable means something after an act, for an engine that `deals` or does not; `TELL_WHEN` are
    observed too."""
    if act["phase"] == Phase.CUT and key == "turn":  # while the players cut, it is nobody's in particular
        return False
    if act["phase"] == Phase.OVER and key == _OF_ONE_STEP:  # no source says whether a card that wins ends its trick
        return False
    nothing_lies = act["phase"] == Phase.OVER or (act["phase"] == Phase.DEAL and not deals)
    return not nothing_lies or (key in _OF_THE_END and act["settled"] != _VOID)


def is_nothing(value: Any) -> bool:
    """Whether a value says that there are no cards: null, 0 or empty hands."""
    return _no_cards(value) or value == 0


def _no_cards(value: Any) -> bool:
    """Whether a value says that there are no cards: null is as good as empty hands, or a position of empty piles."""
    return value is None or (isinstance(value, Mapping) and all(not each or _no_cards(each) for each in value.values()))


def same_value(key: str, one: Any, other: Any) -> bool:
    """Whether two values under a key are the same, whichever copies of cards they name."""
    if one == other or (_no_cards(one) and _no_cards(other)):  # to the very names: mostly it is so
        return True
    if key == "answer" and one in WORTH_NOTHING and other in WORTH_NOTHING:
        return True
    if key == "position" and one and other:
        return moved_cards(one, other) is None
    return bool(comparable(one) == comparable(other))
