"""Judging: an implementation's observations held against what is expected.

What an expectation names is compared, and beyond that what holds of every act: it is accepted unless it is said to be
refused, a refused one changes nothing, and no card is lost or doubled. Copies of a card are alike here: only in the
steps that are sent does it matter which of them is meant.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..model import Check, Expectation, Expected
from ..positions.prepared import Plan
from .agreed import Agreed
from .compare import cards_of, comparable, lost_or_doubled, moved
from .results import Mismatch, Result, Status

Observation = Mapping[str, Any]

#: Observations that tell of a step not done, and the status they give the check.
_NOT_DONE = {"unsupported": Status.UNSUPPORTED, "skipped": Status.SKIPPED, "error": Status.ERROR}
#: What every observation of an act must hold if it was asked for: what comes after is compared with it.
_NEEDED_THROUGHOUT = frozenset({"score", "position"})
#: The acts by which a deal may be cancelled, so that no card lies on the table.
_MAY_CANCEL_A_DEAL = frozenset({"choose", "claim", "mishap"})
#: What tells of one step alone: of a refused act, nothing.
_OF_ONE_STEP = "trick_won_by"
#: Stands for something that an observation should hold and does not, and for its being there.
NOTHING_REPORTED = "nothing reported"
REPORTED = "reported"


def judge(
    check: Check, plan: Plan, observations: Sequence[Observation], *, trusted: bool, agreed: Agreed | None = None
) -> Result:
    """What becomes of a check, given one observation for each single step; reasons are compared where `trusted`.

    Where no source decides, any reading will do, and all that fit are named. What is reported beyond what is expected
    is compared with what all readings have `agreed` on. Of a run that was broken off, what came before is judged.
    """
    not_done = next((at for at, each in enumerate(observations) if not _NOT_DONE.keys().isdisjoint(each)), None)
    mismatches = {
        name: _first_mismatch(_Seen(plan, trusted, agreed), check.branches[name], observations[:not_done])
        for name in sorted(check.branches, key=lambda name: name != check.follows)
    }
    fit = tuple(name for name, mismatch in mismatches.items() if mismatch is None)
    if not fit:
        return Result(check, Status.FAIL, mismatches[check.follows])
    return Result(check, Status.PASS, readings=fit) if not_done is None else _of(check, observations[not_done])


def _of(check: Check, observation: Observation) -> Result:
    """The result where a step was not done."""
    key, status = next((key, status) for key, status in _NOT_DONE.items() if key in observation)
    return Result(check, status, reason=observation[key] or "no reason given")


def _first_mismatch(seen: "_Seen", expected: Expected, observations: Sequence[Observation]) -> Mismatch | None:
    """The first step, of those wholly observed, that shows something else."""
    plan = seen.plan
    for step, end in enumerate(plan.ends, start=1):
        if end > len(observations):
            break
        singles = observations[plan.start(step) : end]
        if not singles:  # nothing was sent of it
            continue
        for mismatch in (*_of_step(seen, step, expected.get(step, {}), singles), *_beyond(seen, step, singles)):
            return mismatch
        seen.add(singles)
    return None


class _Seen:
    """What has been seen so far of the table: the position that was sent, and over it what was observed since."""

    def __init__(self, plan: Plan, trusted: bool, agreed: Agreed | None) -> None:
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
            "options": position.get("options", []),
            "game_won_by": None,
            _OF_ONE_STEP: None,
            "position": position if "hands" in position else None,
        }
        if position["phase"] != "cut":  # while the players cut, it is nobody's turn in particular
            self.now["turn"] = position["turn"]
        if "deals_left" in position:
            self.now["deals_left"] = position["deals_left"]
        self.acted = False
        #: All cards in play, once there are any, if it is observed where they lie.
        self.pack: Sequence[str] = ()
        if "hands" in position and "position" in plan.message["observe"]:
            self.pack = cards_of(position)

    def add(self, singles: Sequence[Observation]) -> None:
        """Take in the observations of one step, if it was an act: beside a question they say nothing new."""
        for single in singles:
            if "answer" not in single:
                self.now |= single
                self.acted = True


def _of_step(seen: _Seen, step: int, expectation: Expectation, singles: Sequence[Observation]) -> Iterator[Mismatch]:
    last, sent = singles[-1], seen.plan.message["steps"][seen.plan.start(step)]
    booked = seen.plan.ends[step - 1] - 1 not in seen.plan.unbooked
    if "ask" in sent:
        yield from _compare(step, "answer", expectation["answer"], last.get("answer", NOTHING_REPORTED))
        return
    for single in singles:
        yield from _all_players(seen, step, single)
    if "refused" in expectation:
        yield from _of_refusal(seen, step, expectation["refused"], last)
    else:
        for single in singles:
            if single.get("accepted") is not True:
                yield Mismatch(step, "accepted", True, single.get("accepted", NOTHING_REPORTED))
    if sent["do"] == "deal" and last.get("accepted"):
        seen.pack = sent["deck"]
    for key, wanted in expectation.items():
        if key != "refused" and (booked or key != "total" or "score" in last):
            yield from _of_key(step, key, wanted, seen.now["score"], last)
    for at, single in enumerate(singles, start=seen.plan.start(step)):
        yield from _nothing_left_out(seen, step, at, single)
        yield from _all_cards(seen, step, single, sent)


def _of_refusal(seen: _Seen, step: int, reason: str, last: Observation) -> Iterator[Mismatch]:
    """The act is refused, and whatever is observed is as it was."""
    if last.get("accepted") is not False:
        yield Mismatch(step, "refused", reason, last.get("accepted", NOTHING_REPORTED))
    elif seen.trusted:
        yield from _compare(step, "reason", reason, last.get("reason", NOTHING_REPORTED))
    for key in seen.plan.message["observe"]:
        if key in last and key in seen.now and key != "position":
            was = None if key == _OF_ONE_STEP else seen.now[key]
            yield from _compare(step, f"unchanged {key}", was, last[key])
    lay, lie = seen.now["position"], last.get("position")
    if lay and lie and (places := moved(lay, lie)):
        yield Mismatch(step, "unchanged cards", *places)


def _beyond(seen: _Seen, step: int, singles: Sequence[Observation]) -> Iterator[Mismatch]:
    """Whatever else is reported after an act or beside a question is as all readings have it."""
    if seen.agreed is None:
        return
    for at, single in enumerate(singles, start=seen.plan.start(step)):
        for key in seen.plan.message["observe"]:
            if "answer" in single and not seen.acted and key in seen.now and key in single:
                yield from _compare(step, key, seen.now[key], single[key])
            elif key in single and (differ := seen.agreed.against(at, key, single[key])):
                yield Mismatch(step, "cards lie" if key == "position" else key, *differ)


def _of_key(step: int, key: str, wanted: Any, score_before: Mapping[str, int], last: Observation) -> Iterator[Mismatch]:
    """One observable is as it is expected."""
    got = last.get("score" if key in {"scores", "total"} else key, NOTHING_REPORTED)
    if got == NOTHING_REPORTED:
        yield Mismatch(step, key, wanted, got)
    elif key == "scores":
        made = {seat: points - score_before.get(seat, 0) for seat, points in got.items()}
        yield from _compare(step, key, _no_zeros(wanted), _no_zeros(made))
    elif isinstance(wanted, Mapping) and isinstance(got, Mapping):
        yield from _compare(step, key, wanted, {seat: got.get(seat) for seat in wanted})
    else:
        yield from _compare(step, key, wanted, got)


def _no_zeros(points: Mapping[str, int]) -> dict[str, int]:
    return {seat: made for seat, made in points.items() if made}


def _compare(step: int, what: str, wanted: Any, got: Any) -> Iterator[Mismatch]:
    if comparable(wanted) != comparable(got):
        yield Mismatch(step, what, wanted, got)


def _all_players(seen: _Seen, step: int, single: Observation) -> Iterator[Mismatch]:
    """The score is that of every player."""
    score = single.get("score")
    if score is not None and score.keys() != seen.now["score"].keys():
        yield Mismatch(step, "players", sorted(seen.now["score"]), sorted(score))


def _nothing_left_out(seen: _Seen, step: int, at: int, single: Observation) -> Iterator[Mismatch]:
    """What later steps are compared with is there, if it exists: points that are booked, and cards that are dealt."""
    for key in _NEEDED_THROUGHOUT.intersection(seen.plan.message["observe"]) - single.keys():
        if key == "score" and at in seen.plan.unbooked:
            continue
        if key == "position" and (not seen.pack or (seen.agreed and seen.agreed.is_between_deals(at))):
            continue
        yield Mismatch(step, key, REPORTED, NOTHING_REPORTED)


def _all_cards(seen: _Seen, step: int, single: Observation, sent: Mapping[str, Any]) -> Iterator[Mismatch]:
    """Every card of the pack lies somewhere, once."""
    if seen.agreed and seen.agreed.is_between_deals(seen.plan.ends[step - 1] - 1) and not single.get("position"):
        seen.pack = ()
        return
    if "position" in single and seen.pack:
        if single["position"] is None and sent["do"] in _MAY_CANCEL_A_DEAL:
            seen.pack = ()
        elif single["position"] is None:
            yield Mismatch(step, "position", REPORTED, NOTHING_REPORTED)
        elif wrong := lost_or_doubled(seen.pack, single["position"]):
            yield Mismatch(step, "cards", "each card once", wrong)
