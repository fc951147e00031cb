"""Judge observations: compare them with what a check expects.

Every key of an expectation is compared. In addition, every act must be accepted unless a refusal is expected, a refused
act must change nothing, and no card may be lost or duplicated. Copies of a card count as equal here; they are
distinguished only in the steps that are sent.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from hoyle_conformance.checks.request import NOTHING_REPORTED, OF_ONE_STEP, RunRequest
from hoyle_conformance.protocol.messages import DECLINED
from hoyle_conformance.runner.consensus import (
    Consensus,
    cards_of,
    comparable,
    is_nothing,
    listed,
    lost_or_doubled,
    moved_cards,
    same_value,
)
from hoyle_conformance.runner.results import Mismatch, Result, Status
from hoyle_conformance.suite.model import Check, Expectation, Expected

Observation = Mapping[str, Any]

#: The observables that every act must have if requested, since later steps are compared with them.
_NEEDED_THROUGHOUT = frozenset({"score", "position"})
#: The acts that may cancel a deal, so that no card is on the table.
_MAY_CANCEL_A_DEAL = frozenset({"choose", "claim", "mishap"})
#: Stands for any value of an observable that is present.
REPORTED = "reported"


def judge(
    check: Check,
    plan: RunRequest,
    observations: Sequence[Observation],
    *,
    trusted: bool,
    agreed: Consensus | None = None,
) -> Result:
    """Return the result of a check from one observation for each single step; compare reasons if the adapter is
    `trusted`.

    If no source decides, any reading passes, and the result names all that fit. Anything reported beyond the
    expectation is compared with what all readings have `agreed` on. In an interrupted run, the steps before the
    interruption are judged.
    """
    not_done = next((at for at, each in enumerate(observations) if not each.keys().isdisjoint(DECLINED)), None)
    mismatches = {
        name: list(_mismatches(_Seen(plan, trusted, agreed), check.branches[name], observations[:not_done]))
        for name in sorted(check.branches, key=lambda name: name != check.follows)
    }
    fit = tuple(name for name, wrong in mismatches.items() if not wrong)
    if not fit:
        first, *later = mismatches[check.follows]
        return Result(check, Status.FAIL, first, later=tuple(later))
    return Result(check, Status.PASS, readings=fit) if not_done is None else _of(check, observations[not_done])


def _of(check: Check, observation: Observation) -> Result:
    """Return the result of a check in which a step was not done."""
    key = next(key for key in DECLINED if key in observation)
    return Result(check, Status(key), reason=observation[key])


def _mismatches(seen: "_Seen", expected: Expected, observations: Sequence[Observation]) -> Iterator[Mismatch]:
    """Yield the first mismatch, if any, of each step that was completely observed."""
    plan = seen.plan
    for step, end in enumerate(plan.ends, start=1):
        if end > len(observations):
            break
        start = plan.start(step)
        singles = [_Single(step, at, at - start, observations[at]) for at in range(start, end)]
        if not singles:  # no part of the step was sent
            continue
        first = next(_of_step(seen, expected.get(step, {}), singles), None) or next(_beyond(seen, singles), None)
        if first:
            yield first
        seen.add(singles)
    yield from _afterwards(seen, observations)


class _Single(NamedTuple):
    """The observation of one act or question: its step, its index among all that was sent and within the step, and the
    act itself if it comes after the last step."""

    step: int
    at: int
    act: int
    shows: Observation
    afterwards: Mapping[str, Any] | None = None

    def differs(self, what: str, wanted: Any, got: Any) -> Mismatch:
        """Return a mismatch here."""
        return Mismatch(self.step, what, wanted, got, self.act, str(self.shows.get("reason", "")), self.afterwards)

    def compared(self, what: str, wanted: Any, got: Any) -> Iterator[Mismatch]:
        """Yield a mismatch unless both values are the same."""
        if wanted != got and comparable(wanted) != comparable(got):
            yield self.differs(what, wanted, got)


class _Seen:
    """The table as observed so far: the position that was sent, updated by the observations since."""

    def __init__(self, plan: RunRequest, trusted: bool, agreed: Consensus | None) -> None:
        self.plan, self.trusted, self.agreed = plan, trusted, agreed
        position = plan.position
        nobody: Mapping[str, Any] = {seat: [] for seat in plan.seats}
        self.now: dict[str, Any] = {
            "score": position["score"],
            "dealer": position["dealer"],
            "trumps": position.get("trumps"),
            "turn_up": position.get("turn_up"),
            "hands": position.get("hands", nobody),
            "shown": position.get("shown", nobody),
            "stock_left": len(position.get("stock", ())),
            "seen": position.get("seen", nobody),
            "settled": None,
            "choices": position.get("choices", []),
            "game_won_by": None,
            OF_ONE_STEP: None,
            "position": position if "hands" in position else None,
        }
        if position["phase"] != "cut":  # while the players cut, nobody is to move
            self.now["turn"] = position["turn"]
        if "deals_left" in position:
            self.now["deals_left"] = position["deals_left"]
        self.acted = False
        #: The observables that every act must have.
        self.needed = _NEEDED_THROUGHOUT.intersection(plan.message["observe"])
        #: All cards in play, once there are any, if the position is observed.
        self.pack: Sequence[str] = ()
        if "hands" in position and "position" in plan.message["observe"]:
            self.pack = cards_of(position)

    def meaningful(self, key: str, single: _Single, mismatches: Iterable[Mismatch]) -> Iterator[Mismatch]:
        """Yield the mismatches under a key if the observable is defined for the engine there."""
        return (each for each in mismatches if not (self.agreed and self.agreed.means_nothing(single.at, key)))

    def add(self, singles: Sequence[_Single]) -> None:
        """Add the observations of one step if it was an act; those reported with a question are not new."""
        for single in singles:
            if "answer" not in single.shows:
                self.now |= single.shows
                self.acted = True


def _of_step(seen: _Seen, expectation: Expectation, singles: Sequence[_Single]) -> Iterator[Mismatch]:
    last, sent = singles[-1], seen.plan.message["steps"][singles[0].at]
    booked = last.at not in seen.plan.unbooked
    if "ask" in sent:
        yield from _of_answer(expectation["answer"], last)
        return
    for single in singles:
        yield from _all_players(seen, single)
    if "refused" in expectation:
        yield from _of_refusal(seen, expectation["refused"], last)
    else:
        for single in singles:
            if single.shows.get("accepted") is not True:
                yield single.differs("accepted", True, single.shows.get("accepted", NOTHING_REPORTED))
    if sent["do"] == "deal" and last.shows.get("accepted"):
        seen.pack = sent["deck"]
    for key, wanted in expectation.items():
        if key != "refused" and (booked or key != "total" or "score" in last.shows):
            yield from _of_key(key, wanted, seen.now["score"], last)
    for single in singles:
        yield from _nothing_left_out(seen, single)
        yield from _all_cards(seen, single, sent, last)


def _of_answer(wanted: Any, last: _Single) -> Iterator[Mismatch]:
    """Yield a mismatch if the answer to a question differs."""
    got = last.shows.get("answer", NOTHING_REPORTED)
    wanted = listed(wanted, got)
    if not same_value("answer", wanted, got):
        yield last.differs("answer", wanted, got)


def _of_refusal(seen: _Seen, reason: str, last: _Single) -> Iterator[Mismatch]:
    """Yield a mismatch if the act is not refused, or if an observable has changed."""
    shows = last.shows
    if shows.get("accepted") is not False:
        yield last.differs("refused", reason, shows.get("accepted", NOTHING_REPORTED))
    elif seen.trusted:
        yield from last.compared("reason", reason, shows.get("reason", NOTHING_REPORTED))
    for key in seen.plan.message["observe"]:
        if key in shows and key in seen.now and key != "position":
            was = None if key == OF_ONE_STEP else seen.now[key]
            if not (is_nothing(seen.now["hands"]) and is_nothing(was) and is_nothing(shows[key])):
                yield from seen.meaningful(key, last, last.compared(f"unchanged {key}", was, shows[key]))
    lay, lie = seen.now["position"], shows.get("position")
    if lay and lie and (places := moved_cards(lay, lie)):
        yield last.differs("unchanged cards", *places)


def _beyond(seen: _Seen, singles: Sequence[_Single]) -> Iterator[Mismatch]:
    """Yield a mismatch for each unexpected observable, reported after an act or with a question, that differs from what
    all readings agree on."""
    if seen.agreed is None:
        return
    for single in (each for each in singles if each.at not in seen.plan.undecided):
        shows = single.shows
        for key in seen.plan.message["observe"]:
            if "answer" in shows and not seen.acted and key in seen.now and key in shows:
                if not same_value(key, seen.now[key], shows[key]):
                    yield from seen.meaningful(key, single, single.compared(key, seen.now[key], shows[key]))
            elif key in shows and (differ := seen.agreed.against(single.at, key, shows[key])):
                yield single.differs("cards lie" if key == "position" else key, *differ)


def _afterwards(seen: _Seen, observations: Sequence[Observation]) -> Iterator[Mismatch]:
    """Yield the first mismatch with what all readings agree on, for each act after the last step; no source decides
    these acts."""
    plan = seen.plan
    last, places = len(plan.ends), plan.afterwards
    for at in range(places.start, min(places.stop, len(observations))):
        single = _Single(last, at, at - plan.start(last), observations[at], plan.message["steps"][at])
        yield from islice(chain(_accepted(seen, single), _nothing_left_out(seen, single), _beyond(seen, [single])), 1)


def _accepted(seen: _Seen, single: _Single) -> Iterator[Mismatch]:
    """Yield a mismatch if the act is refused although all readings accept it."""
    accepted = single.shows.get("accepted", NOTHING_REPORTED)
    if seen.agreed and (differ := seen.agreed.against(single.at, "accepted", accepted)):
        yield single.differs("accepted", *differ)


def _of_key(key: str, wanted: Any, score_before: Mapping[str, int], last: _Single) -> Iterator[Mismatch]:
    """Yield a mismatch if one observable is not as expected."""
    got = last.shows.get("score" if key in {"scores", "total"} else key, NOTHING_REPORTED)
    if got == NOTHING_REPORTED:
        yield last.differs(key, wanted, got)
    elif key == "scores":
        made = {seat: points - score_before[seat] for seat, points in got.items()}
        yield from last.compared(key, _no_zeros(wanted), _no_zeros(made))
    elif isinstance(wanted, Mapping) and isinstance(got, Mapping):
        yield from last.compared(key, wanted, {seat: got.get(seat) for seat in wanted})
    else:
        yield from last.compared(key, wanted, got)


def _no_zeros(points: Mapping[str, int]) -> dict[str, int]:
    return {seat: made for seat, made in points.items() if made}


def _all_players(seen: _Seen, single: _Single) -> Iterator[Mismatch]:
    """Yield a mismatch if the score does not have every player."""
    score = single.shows.get("score")
    if score is not None and score.keys() != seen.now["score"].keys():
        yield single.differs("players", sorted(seen.now["score"]), sorted(score))


def _nothing_left_out(seen: _Seen, single: _Single) -> Iterator[Mismatch]:
    """Yield a mismatch if an observable needed for later steps is missing: points that are booked, or cards that are
    dealt."""
    for key in seen.needed - single.shows.keys():
        if key == "score" and single.at in seen.plan.unbooked:
            continue
        if key == "position" and (not seen.pack or (seen.agreed and seen.agreed.is_between_deals(single.at))):
            continue
        yield single.differs(key, REPORTED, NOTHING_REPORTED)


def _all_cards(seen: _Seen, single: _Single, sent: Mapping[str, Any], last: _Single) -> Iterator[Mismatch]:
    """Yield a mismatch unless every card of the pack is in exactly one place."""
    if is_nothing(single.shows.get("position")) and seen.agreed and seen.agreed.is_between_deals(last.at):
        seen.pack = ()
        return
    if "position" in single.shows and seen.pack:
        position = single.shows["position"]
        if is_nothing(position) and sent["do"] in _MAY_CANCEL_A_DEAL:
            seen.pack = ()
        elif position is None:
            yield single.differs("position", REPORTED, NOTHING_REPORTED)
        elif wrong := lost_or_doubled(seen.pack, position):
            yield single.differs("cards", "each card once", wrong)
