"""Judging: an implementation's observations held against what is expected.

Only what an expectation names is compared. Beyond that the harness checks for itself that a refused act changes
nothing, and, where the whole position is reported, that no card is lost or doubled.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..suite.model import Check, Expectation, Expected
from ..suite.plan import Plan
from .results import Mismatch, Result, Status

#: Observations that tell of a step not done, and the status they give the check.
_NOT_DONE = {"unsupported": Status.UNSUPPORTED, "skipped": Status.SKIPPED, "error": Status.ERROR}
#: Stands for something that an observation should hold and does not.
NOTHING_REPORTED = "nothing reported"


def judge(check: Check, plan: Plan, observations: Sequence[Mapping[str, Any]], *, trusted: bool) -> Result:
    """What becomes of a check, given one observation for each single step; reasons are compared where `trusted`.

    Where no source decides, any reading will do; of two that fit, the one that the ruleset follows.
    """
    not_done = _not_done(observations)
    if not_done is not None:
        status, reason = not_done
        return Result(check, status, reason=reason)
    mismatches: dict[str, Mismatch] = {}
    for name in sorted(check.branches, key=lambda name: name != check.follows):
        mismatch = _first_mismatch(plan, check.branches[name], observations, trusted=trusted)
        if mismatch is None:
            return Result(check, Status.PASS, reading=name)
        mismatches[name] = mismatch
    return Result(check, Status.FAIL, mismatches[check.follows])


def _not_done(observations: Sequence[Mapping[str, Any]]) -> tuple[Status, str] | None:
    for observation in observations:
        for key, status in _NOT_DONE.items():
            if key in observation:
                return status, observation[key]
    return None


def _first_mismatch(
    plan: Plan, expected: Expected, observations: Sequence[Mapping[str, Any]], *, trusted: bool
) -> Mismatch | None:
    before: Mapping[str, Any] = plan.body["position"]
    for step in range(1, len(plan.ends) + 1):
        singles = observations[plan.start(step) : plan.ends[step - 1]]
        for mismatch in _of_step(plan, step, expected.get(step, {}), before, singles, trusted=trusted):
            return mismatch
        before = {**before, **singles[-1]}
    return None


def _of_step(
    plan: Plan,
    step: int,
    expectation: Expectation,
    before: Mapping[str, Any],
    singles: Sequence[Mapping[str, Any]],
    *,
    trusted: bool,
) -> Iterator[Mismatch]:
    last = singles[-1]
    if "ask" in plan.body["steps"][plan.start(step)]:
        yield from _compare(step, "answer", expectation["answer"], last.get("answer", NOTHING_REPORTED))
        return
    if "refused" in expectation:
        yield from _of_refusal(step, expectation["refused"], before, last, trusted=trusted)
    else:
        for single in singles:
            if single.get("accepted") is not True:
                yield Mismatch(step, "accepted", True, single.get("accepted", NOTHING_REPORTED))
    for key, wanted in expectation.items():
        if key != "refused":
            yield from _of_key(step, key, wanted, before, last)
    for single in singles:
        yield from _cards_kept(step, plan, single)


def _of_refusal(
    step: int, reason: str, before: Mapping[str, Any], last: Mapping[str, Any], *, trusted: bool
) -> Iterator[Mismatch]:
    if last.get("accepted") is not False:
        yield Mismatch(step, "refused", reason, last.get("accepted", NOTHING_REPORTED))
    elif trusted:
        yield from _compare(step, "reason", reason, last.get("reason", NOTHING_REPORTED))
    if "score" in last and last["score"] != before["score"]:
        yield Mismatch(step, "unchanged score", before["score"], last["score"])
    if last.get("position"):
        was, now = _where_cards_lie(before.get("position") or before), _where_cards_lie(last["position"])
        moved = sorted(place for place in was | now if was.get(place) != now.get(place))
        if moved:
            yield Mismatch(step, "unchanged cards", _cards_in(was, moved), _cards_in(now, moved))


def _of_key(step: int, key: str, wanted: Any, before: Mapping[str, Any], last: Mapping[str, Any]) -> Iterator[Mismatch]:
    if key in {"scores", "total"}:
        score = last.get("score")
        if score is None:
            yield Mismatch(step, key, wanted, NOTHING_REPORTED)
        elif key == "scores":
            made = {seat: points - before["score"].get(seat, 0) for seat, points in score.items()}
            yield from _compare(step, key, _no_zeros(wanted), _no_zeros(made))
        else:
            yield from _compare(step, key, wanted, {seat: score.get(seat) for seat in wanted})
        return
    got = last.get(key, NOTHING_REPORTED)
    if isinstance(wanted, Mapping) and isinstance(got, Mapping):
        got = {seat: got.get(seat) for seat in wanted}
    yield from _compare(step, key, wanted, got)


def _no_zeros(points: Mapping[str, int]) -> dict[str, int]:
    return {seat: made for seat, made in points.items() if made}


def _compare(step: int, what: str, wanted: Any, got: Any) -> Iterator[Mismatch]:
    precise = "#" in str(wanted)
    if _comparable(wanted, precise=precise) != _comparable(got, precise=precise):
        yield Mismatch(step, what, wanted, got)


def _comparable(value: Any, *, precise: bool) -> Any:
    """A value as two of them are compared: cards without order, and without copies unless `precise`."""
    match value:
        case bool() | int() | None:
            return value
        case str():
            return value if precise else value.partition("#")[0]
        case {"meld": meld, "cards": cards}:
            return meld, _comparable(cards, precise=precise)
        case Mapping():
            return {key: _comparable(each, precise=precise) for key, each in value.items()}
        case _ if value and isinstance(value[0], Mapping):
            return {_comparable(each, precise=precise) for each in value}
        case _:
            return tuple(sorted(_comparable(each, precise=precise) for each in value))


def _where_cards_lie(position: Mapping[str, Any]) -> dict[str, Counter[str]]:
    """Each place, as people call it, and the faces of the cards in it."""
    places = {f"the hand of {seat}": cards for seat, cards in position.get("hands", {}).items()}
    places |= {f"the tricks of {seat}": cards for seat, cards in position.get("won", {}).items()}
    places |= {f"the {key}": position.get(key, ()) for key in ("stock", "trick")}
    places["the turn-up"] = [position["turn_up"]] if position.get("turn_up") else []
    return {place: Counter(card[:2] for card in cards) for place, cards in places.items()}


def _cards_in(places: Mapping[str, Counter[str]], which: Iterable[str]) -> dict[str, list[str]]:
    return {place: sorted(places.get(place, Counter()).elements()) for place in which}


def _cards_kept(step: int, plan: Plan, single: Mapping[str, Any]) -> Iterator[Mismatch]:
    """No card may be lost or doubled, wherever the cards of the position now lie."""
    position = single.get("position")
    if not position:
        return
    whole: Counter[str] = sum(_where_cards_lie(plan.body["position"]).values(), Counter())
    if not whole:
        whole = next(
            (Counter(card[:2] for card in each["deck"]) for each in plan.body["steps"] if each.get("do") == "deal"),
            whole,
        )
    now: Counter[str] = sum(_where_cards_lie(position).values(), Counter())
    if now != whole:
        yield Mismatch(
            step,
            "cards",
            "each card once",
            {"lost": sorted((whole - now).elements()), "doubled": sorted((now - whole).elements())},
        )
