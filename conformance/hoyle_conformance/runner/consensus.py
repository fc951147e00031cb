"""Consensus of readings: the observables, after each step, on which all readings of all disputed cells agree.

A step expects only what the sources decide about its question. Anything more that an engine reports is compared with
the reference, unless readings differ or the clauses leave open what follows a ruling. Values are compared without copy
numbers, and without order unless the order matters.

The module has four parts: comparison of values, observables left open after an irregularity, joint readings, and the
consensus.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import chain, combinations, islice, product
from operator import itemgetter
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.request import OF_ONE_STEP, OneOfEach, RunRequest, is_irregular
from hoyle_conformance.checks.rewrites import MAY_MEAN_NOTHING, meaningless
from hoyle_conformance.checks.setup.trace import TracedAct, observation_before, observations, trace_acts
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Cell, Malformed, Phase, Rules
from hoyle_reference.events.referee import (
    CardTakenUp,
    Claimed,
    DealCancelled,
    HandCompleted,
    SurplusReturned,
    TakenBack,
    TricksForfeited,
)

# ---- comparison of values


#: Matches the face of a card in a valid card name.
_TWO: Final = itemgetter(slice(2))
_CARD: Final = re.compile(r"([789TJQKA][CDHS])(#[1-8])?")
#: The keys of a position that hold cards.
_PILES: Final = ("hands", "stock", "trick", "won", "discards", "turn_up")
#: The places whose cards have an order.
_IN_ORDER: Final = frozenset({"the stock", "the trick"})


def comparable(value: Any) -> Any:
    """Return a value in a form in which two can be compared; any value that an engine may send has one."""
    match value:
        case str():
            return face(value)
        case {"meld": meld, "cards": list(cards), **rest} if not rest:
            return str(meld), comparable(cards)
        case Mapping():
            return {key: comparable(each) for key, each in value.items()}
        case list() | tuple() if any(isinstance(each, (dict, Mapping)) for each in value):
            return frozenset(repr(comparable(each)) for each in value)
        case list() | tuple():
            return tuple(sorted(map(comparable, value), key=repr))
        case _:
            return value


def listed(wanted: Any, got: Any) -> Any:
    """Return an answer without the choices of cards that an engine leaves out because it lists one of each."""
    if not isinstance(got, OneOfEach) or not isinstance(wanted, (list, tuple)):
        return wanted
    known, kinds = {comparable(each) for each in got}, set(map(_kind, got))
    return [each for each in wanted if comparable(each) in known or _kind(each) not in kinds]


def _kind(combination: Mapping[str, Any]) -> tuple[str, str]:
    """Return the name of a combination, with its suit if it has cards of several ranks and one suit."""
    ranks, suits = ({card[at] for card in combination["cards"]} for at in (0, 1))
    return combination["meld"], min(suits) if len(suits) == 1 < len(ranks) else ""


@lru_cache(maxsize=4096)
def face(text: str) -> str:
    """Return a card without its copy number, and any other text unchanged."""
    card = _CARD.fullmatch(text)
    return card[1] if card else text


def _where_cards_lie(position: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the faces of the cards in each place, by the name of the place."""
    places = {f"the hand of {seat}": cards for seat, cards in position["hands"].items()}
    places |= {f"the tricks of {seat}": cards for seat, cards in position["won"].items()}
    places |= {f"the {key}": position[key] for key in ("stock", "trick")}
    places |= {f"the discards of {seat}": cards for seat, cards in position.get("discards", {}).items()}
    places |= {"the cards left undrawn": position["undrawn"]} if position.get("undrawn") else {}
    places["the turn-up"] = [position["turn_up"]] if position.get("turn_up") else []
    return {
        place: list(map(face, cards)) if place in _IN_ORDER else sorted(map(face, cards))
        for place, cards in places.items()
    }


def cards_of(position: Mapping[str, Any]) -> list[str]:
    """Return all cards of a position."""
    piles = chain(position["hands"].values(), position["won"].values(), position.get("discards", {}).values())
    turned = [position["turn_up"]] if position.get("turn_up") else []
    return [*chain(*piles, position["stock"], position["trick"], position.get("undrawn", ()), turned)]


def moved_cards(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[dict[str, list[str]], dict[str, list[str]]] | None:
    """Return the places whose cards have changed, with their cards before and after; None if no place has changed."""
    if all(before.get(key) == after.get(key) for key in _PILES):  # usually equal even by name
        return None
    was, now = _where_cards_lie(before), _where_cards_lie(after)
    places = sorted(place for place in was | now if was.get(place, []) != now.get(place, []))
    if not places:
        return None
    return {place: was.get(place, []) for place in places}, {place: now.get(place, []) for place in places}


def lost_or_doubled(pack: Sequence[str], position: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the cards of the pack that a position has too few or too many of, with all places of the latter; None if
    there are none."""
    cards = cards_of(position)
    if len(cards) == len(pack) and set(cards) == set(pack):  # usually equal even by name
        return None
    was, now = Counter(map(_TWO, pack)), Counter(map(_TWO, cards))
    if was == now:
        return None
    doubled = sorted((now - was).elements())
    places = _where_cards_lie(position)
    lie = {card: [place for place, held in places.items() for each in held if each == card] for card in doubled}
    return {"lost": sorted((was - now).elements()), "doubled": doubled, "lie": lie}


# ---- observables left open after an irregularity
#
# After an irregularity, an engine is still compared with the reference, except where the sources leave something open.
# They may not describe a ruling, and they seldom give the place of every card after one. An observable that is open
# after one act stays open to the end of the check. Expectations of the scenario are always compared.


Observation = Mapping[str, Any]

#: The fields of a position that must also be observed, in games that have them.
NEEDED: Final = frozenset({"surplus", "errors", "turn_up"})
#: The observables that must also be observed, in every game.
ALWAYS_NEEDED: Final = frozenset({"score", "stock_left"})
#: The observables that show the end of a game.
_END_AT_ONCE: Final = frozenset({"turn", "game_won_by", "settled"})
#: The observables that do not depend on the sizes of the hands.
_WHATEVER_THE_HANDS: Final = frozenset({"dealer", "trumps", "shown", "deals_left"})
#: The observables for the places of cards. Between an abandoned deal and the next, the cards may be anywhere.
_PLACES: Final = frozenset({"hands", "position"})
_ALL_PLACES: Final = _PLACES | {"shown", "stock_left", "trumps", "turn_up"}


def open_from(
    referee: Mapping[str, Cell], before: Observation, steps: Sequence[Mapping[str, Any]], acts: Sequence[TracedAct]
) -> Mapping[str, int]:
    """Return, for each observable that some act leaves open, the index of the first such act.

    `referee` has the referee's cells by path. `before` is the complete observation before the first act; the
    observations of the acts are complete too.
    """
    found: dict[str, int] = {}
    for at, act in enumerate(acts):
        if act.events:
            for key in _open_by_the_position(before, steps[at]) | _open_by_the_ruling(referee, before, steps[at], act):
                found.setdefault(key, at)
            before = act.observation
    return found


def _open_by_the_position(before: Observation, step: Mapping[str, Any]) -> set[str]:
    """Return the observables that an act leaves open because of the position before it.

    In games in which cards are drawn after a trick (those with a turn-up), no source says how draws and last tricks go
    on when hands have a wrong size, or whether a ruling then ends the game at once. No source says which of several
    errors a claim refers to.
    """
    found: set[str] = set()
    if "turn_up" in before and any(before.get("surplus", {}).values()):
        goes_on = step["do"] == "draw" or before["stock_left"] == 0
        found |= before.keys() - _WHATEVER_THE_HANDS if goes_on else _END_AT_ONCE if step["do"] == "claim" else set()
    if step["do"] == "claim":
        meant = [each for each in before.get("errors", ()) if each["irregularity"] == step["irregularity"]]
        found |= before.keys() if len(meant) > 1 else set()
    return found


def _open_by_the_ruling(
    referee: Mapping[str, Cell], before: Observation, step: Mapping[str, Any], act: TracedAct
) -> set[str]:
    """Return the observables that an act leaves open because it is irregular, or because of the ruling that follows."""
    now, kinds = act.observation, Counter(map(type, act.events))
    rests_on = [referee[path] for path in act.grounds if path in referee]
    changed = {key for key in before if before[key] != now[key]}
    is_ruled_on = "irregular" not in step or kinds[Claimed] > 0
    left_open = {cell.open.scope for cell in rests_on if cell.open}
    reasons = [
        (is_irregular(step), {"seen"}),  # the seats that have looked
        (step["do"] == "mishap" or kinds[CardTakenUp] > 0, {"shown"}),
        ("irregular" in step and step["do"] == "declare" and now.get("trumps") is None, {"trumps"}),
        (any(points < 0 for points in now["score"].values()), {"score"}),
        (is_ruled_on and any(cell.status == "supplied" for cell in rests_on), changed),
        (kinds[HandCompleted] > 1, _PLACES),
        # the places of the cards in the stock
        (kinds[HandCompleted] + kinds[SurplusReturned] > 0 and "part" in left_open, _PLACES),
        (kinds[DealCancelled] > 0, _ALL_PLACES),
        (kinds[TakenBack] > 0, {"shown"} | (changed & {"score"})),
        (kinds[TricksForfeited] > 0, before.keys()),
    ]
    return {key for holds, keys in reasons if holds for key in keys}


# ---- joint readings


#: Readings of some disputed cells, by path.
Way = Mapping[str, str]
#: The maximum number of ways to try, starting with those that change the fewest cells.
MOST_WAYS: Final = 64


class JointReadings:
    """The disputed cells at work in the steps of a check, and the ways to combine other readings of them."""

    def __init__(self, suite: Suite, check: Check, message: Mapping[str, Any]) -> None:
        self._suite, self._check, self._message = suite, check, message
        self._known: dict[tuple[tuple[str, str], ...], Sequence[TracedAct] | None] = {}
        cells = suite.rules.cells(check.ruleset)
        self._others: Mapping[str, Sequence[str]] = {
            cell.path: [each.name for each in cell.readings if each.name != cell.follows]
            for cell in cells
            if cell.readings
        }

    @cached_property
    def at_work(self) -> tuple[str, ...]:
        """The disputed cells that the scenario names, or that are at work in the reference under any reading of these
        cells."""
        found = self.named | self._reached({})
        return tuple(sorted(found.union(*map(self._reached, self._singles(found)))))

    @cached_property
    def named(self) -> frozenset[str]:
        """The disputed cells that the scenario names."""
        return frozenset(path for each in self._check.readings for path in each.cells) & self._others.keys()

    @cached_property
    def all_at_work(self) -> tuple[str, ...]:
        """The same cells and any other disputed cell whose other readings change something. This is slower, since all
        of them are tried."""
        ways = [{}, *self._singles(self.named)]
        changing = {
            path
            for way in ways
            for single in self._singles(self._others.keys() - way.keys())
            for path in single
            if self._seen({**way, **single}) != self._seen(way)
        }
        return tuple(sorted(changing.union(self.at_work)))

    def ways(self, paths: Sequence[str]) -> Iterator[Way]:
        """Yield the ways to give some of these cells another reading, starting with those that change the fewest
        cells."""
        return islice(self._ways(paths), MOST_WAYS)

    def _ways(self, paths: Sequence[str]) -> Iterator[Way]:
        for count in range(1, len(paths) + 1):
            for some in combinations(paths, count):
                yield from (
                    dict(zip(some, names, strict=True)) for names in product(*(self._others[path] for path in some))
                )

    def _singles(self, paths: Iterable[str]) -> list[Way]:
        return [{path: name} for path in sorted(paths) for name in self._others[path]]

    def _reached(self, way: Way) -> frozenset[str]:
        """Return the disputed cells at work when the cells are read in this way."""
        return frozenset(path for each in self._taken(way) or () for path in each.grounds) & self._others.keys()

    def _seen(self, way: Way) -> Sequence[Mapping[str, Any]] | None:
        taken = self._taken(way)
        return [each.observation for each in taken] if taken else None

    def _taken(self, way: Way) -> Sequence[TracedAct] | None:
        """Return the steps as the reference plays them when the cells are read in this way; None if it cannot play
        them."""
        key = tuple(sorted(way.items()))
        if key not in self._known:
            try:
                rules = self._suite.rules.of(self._check.ruleset, way)
                self._known[key] = trace_acts(rules, self._message, self._message["observe"])
            except Malformed:
                self._known[key] = None
        return self._known[key]


# ---- the consensus


#: The observables that are still defined after the game, or between deals for an engine that does not deal.
_OF_THE_END: Final = frozenset({"score", "game_won_by", "settled", "deals_left", OF_ONE_STEP})
#: The phases without cards on the table.
_NO_CARDS: Final = frozenset({Phase.CUT, Phase.DEAL, Phase.OVER})
#: The phases that may have no cards on the table: the winner of the cut may have a choice.
_MAYBE_NO_CARDS: Final = _NO_CARDS | {Phase.CHOOSE}
#: The observables that determine which other observables are defined.
TELL_WHEN: Final = ("phase", "settled")
#: The prefix of the cells about irregularities, and the status of a cell that no source states or implies.
_REFEREE: Final = "referee."
_VOID: Final = {"winner": None, "points": None}
#: The points of cards that are not the combination named, and those of a combination that the ruleset lacks. An engine
#: need not distinguish these two; no other question has both as answers.
WORTH_NOTHING: Final = (0, None)
#: Marks an observable that no source decides.
UNDECIDED: Final[Any] = object()


class _Shown(NamedTuple):
    """The observation of an act; for a question, `beside` is set, and `act` is the observation of the last act before
    the question, or None."""

    act: Observation | None
    beside: bool

    def shown(self, key: str) -> Any:
        """Return the observation under a key."""
        return UNDECIDED if self.act is None or (self.beside and key == OF_ONE_STEP) else self.act[key]


def _shown(observed: Iterable[Observation]) -> Iterator[_Shown]:
    """Yield the observation for each act and question."""
    act = None
    for each in observed:
        beside = "answer" in each
        act = act if beside else each
        yield _Shown(act, beside)


class Consensus:
    """The observations of the reference for one check on which all readings agree.

    An engine that `deals` knows the state between two deals. An engine with certain `claims` (None for all) knows the
    phases that its claimed acts lead through.
    """

    def __init__(
        self, suite: Suite, check: Check, plan: RunRequest, *, deals: bool, claims: frozenset[str] | None = None
    ) -> None:
        self._deals, self._claims = deals, claims
        course = plan.course
        self._suite, self._check = suite, check
        self._message = {**(course.message if course else plan.message), "observe": plan.message["observe"]}
        #: The index, for each sent step, of the last act or question of the reference that belongs to it.
        self._course_of: Sequence[int] = course.at if course else range(len(self._message["steps"]))

    def against(self, at: int, key: str, reported: Any) -> tuple[Any, Any] | None:
        """Return the value that all readings give after a step and the value reported; None if they are equal, or if
        readings differ."""
        at = self._course_of[at]
        act = self._own[at].act
        if act is not None and act.get(key, UNDECIDED) == reported:  # usually equal
            return None
        wanted = self._wanted(at, key)
        if wanted is UNDECIDED or same_value(key, wanted, reported):
            return None
        if is_nothing(wanted) and is_nothing(reported) and act is not None and act["phase"] in _MAYBE_NO_CARDS:
            return None
        agreed = all(same_value(key, wanted, other[at].shown(key)) for other in self._others)
        if self._means_nothing(at, key) or not agreed:
            return None
        places = moved_cards(wanted, reported) if key == "position" and wanted and reported else None
        return places or (wanted, reported)

    def agrees_with(self, way: Mapping[str, str], plan: RunRequest, observed: Sequence[Observation]) -> bool:
        """Return whether all observations agree with the reference when some cells are read in this way."""
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
        """Return whether an observation agrees with that of the reference in all that it contains; the score and the
        position must be present."""
        if "answer" in right:
            return same_value("answer", right["answer"], shows.get("answer", UNDECIDED))
        needed = {"position", *(("score",) if booked else ())}.intersection(self._message["observe"])
        if shows.get("accepted") != right["accepted"] or not needed <= shows.keys():
            return False
        keys = [each for each in self._message["observe"] if each in shows]
        return all(same_value(key, right[key], shows[key]) for key in keys if is_decided(right, key, deals=self._deals))

    def is_between_deals(self, at: int) -> bool:
        """Return whether no cards are on the table after an act: before a deal, or after the last deal."""
        act = self._own[self._course_of[at]].act
        return act is not None and act["phase"] in _NO_CARDS

    def means_nothing(self, at: int, key: str) -> bool:
        """Return whether an observable is undefined after a step, because no claimed act can follow."""
        return self._means_nothing(self._course_of[at], key)

    def _means_nothing(self, at: int, key: str) -> bool:
        if self._claims is None or key not in MAY_MEAN_NOTHING:
            return False
        capabilities, rules = self._suite.capabilities, self._suite.rules.of(self._check.ruleset)
        return key in meaningless(capabilities, self._claims, rules, self._message, at + 1)[0]

    def _wanted(self, at: int, key: str) -> Any:
        """Return the reference's value, or UNDECIDED if no source decides it here."""
        act, opened = self._own[at].act, self._open_from.get(key)
        is_open = opened is not None and at >= opened
        if is_open or act is None or not is_decided(act, key, deals=self._deals):
            return UNDECIDED
        return self._own[at].shown(key)

    @cached_property
    def joint(self) -> JointReadings:
        """The disputed cells at work in this check, and the ways to read them."""
        return JointReadings(self._suite, self._check, self._message)

    @cached_property
    def _own(self) -> Sequence[_Shown]:
        return self._observed(self._suite.rules.of(self._check.ruleset))

    @cached_property
    def _open_from(self) -> Mapping[str, int]:
        """The index, for each open observable, of the act or question from which an irregularity leaves it open."""
        rules, cells = self._suite.rules.of(self._check.ruleset), self._suite.rules.cells(self._check.ruleset)
        referee = {cell.path: cell for cell in cells if cell.path.startswith(_REFEREE)}
        fields = NEEDED & {field.name for field in rules.fields}
        observe = sorted({*self._message["observe"], *ALWAYS_NEEDED, *fields})
        before = observation_before(rules, self._message, observe)
        return open_from(referee, before, self._message["steps"], trace_acts(rules, self._message, observe))

    @cached_property
    def _others(self) -> Sequence[Sequence[_Shown]]:
        """The observations under each other reading of each disputed cell, and under the readings that the scenario
        names."""
        found = []
        for ways in other_ways(self._suite, self._check):
            with suppress(Malformed):  # a position that is invalid under this reading
                found.append(self._observed(self._suite.rules.of(self._check.ruleset, ways)))
        return found

    def _observed(self, rules: Rules) -> Sequence[_Shown]:
        observe = {*self._message["observe"], *TELL_WHEN}
        return list(_shown(observations(rules, {**self._message, "observe": sorted(observe)})))


def other_ways(suite: Suite, check: Check) -> Iterator[Mapping[str, str]]:
    """Yield the other ways to read the ruleset of a check, each as readings by path: every other reading of each
    disputed cell, and the readings that the scenario names."""
    single = ({path: name} for path, name in suite.rules.other_readings(check.ruleset))
    named = (each.cells for each in check.readings if check.follows)
    for ways in (*single, *named):
        try:
            suite.rules.of(check.ruleset, ways)
        except Malformed:  # a table that is invalid under this reading
            continue
        yield ways


def is_decided(act: Observation, key: str, *, deals: bool) -> bool:
    """Return whether an observable is defined after an act, for an engine that `deals` or one that does not. The
    observation must include `TELL_WHEN`."""
    if act["phase"] == Phase.CUT and key == "turn":  # while the players cut, nobody is to move
        return False
    if act["phase"] == Phase.OVER and key == OF_ONE_STEP:  # no source says whether a winning card ends its trick
        return False
    nothing_lies = act["phase"] == Phase.OVER or (act["phase"] == Phase.DEAL and not deals)
    return not nothing_lies or (key in _OF_THE_END and act["settled"] != _VOID)


def is_nothing(value: Any) -> bool:
    """Return whether a value means that there are no cards: null, 0 or empty hands."""
    return _no_cards(value) or value == 0


def _no_cards(value: Any) -> bool:
    """Return whether a value means that there are no cards; null counts as empty hands or as a position of empty
    piles."""
    return value is None or (isinstance(value, Mapping) and all(not each or _no_cards(each) for each in value.values()))


def same_value(key: str, one: Any, other: Any) -> bool:
    """Return whether two values under a key are the same, regardless of the copies of cards."""
    if one == other or (_no_cards(one) and _no_cards(other)):  # usually equal even by name
        return True
    one = listed(one, other)
    if key == "answer" and one in WORTH_NOTHING and other in WORTH_NOTHING:
        return True
    if key == "position" and one and other:
        return moved_cards(one, other) is None
    return bool(comparable(one) == comparable(other))
