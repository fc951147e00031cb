"""Comparison of an engine with the reference, act by act, under the readings that fit the engine best."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.request import NOTHING_REPORTED
from hoyle_conformance.protocol.messages import DECLINED
from hoyle_conformance.runner.consensus import is_decided, is_nothing, same_value
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.random_game import Setting, replay
from hoyle_reference import Malformed, Phase

_ACCEPTED: Final = "accepted"
#: The observable that concerns one act only.
_OF_ONE_ACT: Final = "trick_won_by"


class GameDifference(NamedTuple):
    """The first act (counted from 0) after which an engine differs from the reference, and each differing observable
    with the reference's value and the engine's."""

    at: int
    values: Mapping[str, tuple[Any, Any]]

    @property
    def keys(self) -> tuple[str, ...]:
        """The differing observables, sorted."""
        return tuple(sorted(self.values))


def declined(observed: Sequence[Mapping[str, Any]]) -> int:
    """Return the index of the first act that the engine declined, or the number of acts."""
    return next((at for at, each in enumerate(observed) if any(key in each for key in DECLINED)), len(observed))


def first_difference(
    expected: Sequence[Mapping[str, Any]],
    observed: Sequence[Mapping[str, Any]],
    observe: Collection[str],
    *,
    deals: bool,
) -> GameDifference | None:
    """Return the first difference between an engine's observations and the reference's before the first declined act;
    None if there is none.

    Only the observables in `observe` are compared. An engine that `deals` knows the values between deals too.
    """
    for at in range(declined(observed)):
        if values := _differing(expected[at], observed[at], observe, deals=deals):
            return GameDifference(at, values)
    return None


def _differing(
    expected: Mapping[str, Any], got: Mapping[str, Any], observe: Collection[str], *, deals: bool
) -> dict[str, tuple[Any, Any]]:
    """Return the observables that differ after one act; only `accepted`, if that differs."""
    if expected[_ACCEPTED] is not got.get(_ACCEPTED):
        return {_ACCEPTED: (expected[_ACCEPTED], got.get(_ACCEPTED, NOTHING_REPORTED))}
    return {
        key: (wanted, got.get(key, NOTHING_REPORTED))
        for key, wanted in expected.items()
        if key in observe
        and key != "phase"
        and is_decided(expected, key, deals=deals)
        and not _is_the_same(expected, key, wanted, got.get(key, NOTHING_REPORTED))
    }


def _is_the_same(expected: Mapping[str, Any], key: str, wanted: Any, got: Any) -> bool:
    if same_value(key, wanted, got):
        return True
    if key == _OF_ONE_ACT and not expected[_ACCEPTED]:
        return True
    no_cards = expected["phase"] in {Phase.CUT, Phase.DEAL, Phase.OVER, Phase.CHOOSE}
    return no_cards and is_nothing(wanted) and is_nothing(got)


def suits_better(
    suite: Suite,
    setting: Setting,
    readings: Mapping[str, str],
    message: Mapping[str, Any],
    observed: Sequence[Mapping[str, Any]],
    *,
    deals: bool,
) -> tuple[dict[str, str], GameDifference | None]:
    """Return the readings of disputed cells under which the first difference comes latest, and that difference.

    `readings` are those followed so far. The search adds one other reading, or two together, as long as this moves the
    difference to a later act.
    """
    observe = message["observe"]
    taken, best = dict(readings), first_difference(replay(setting, message), observed, observe, deals=deals)
    while best:
        up_to = {**message, "steps": message["steps"][: best.at + 1]}
        moved = next(
            (
                changed
                for others in _one_or_two(list(_other_readings(suite, setting.ruleset, taken)))
                for changed in [{**taken, **dict(others)}]
                if (seen := _under(suite, setting, changed, up_to)) is not None
                and first_difference(seen, observed[: best.at + 1], observe, deals=deals) is None
            ),
            None,
        )
        if moved is None:
            break
        whole = _under(suite, setting, moved, message)
        if whole is None:
            break
        taken, best = moved, first_difference(whole, observed, observe, deals=deals)
    return taken, best


def _one_or_two(readings: Sequence[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield each reading alone, then each pair of readings of different cells."""
    yield from ((reading,) for reading in readings)
    yield from (pair for pair in combinations(readings, 2) if pair[0][0] != pair[1][0])


def _other_readings(suite: Suite, ruleset: str, taken: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the readings that are not followed now, including the ruleset's own where another replaced it."""
    for cell in suite.rules.cells(ruleset):
        now = taken.get(cell.path, cell.follows)
        yield from ((cell.path, each.name) for each in cell.readings if each.name != now)


def _under(
    suite: Suite, setting: Setting, readings: Mapping[str, str], message: Mapping[str, Any]
) -> Sequence[Mapping[str, Any]] | None:
    """Return the reference's observations under some readings; None if the message is invalid under them."""
    try:
        return replay(with_readings(suite, setting, readings), message)
    except Malformed:
        return None


def with_readings(suite: Suite, setting: Setting, readings: Mapping[str, str]) -> Setting:
    """Return the setting with other readings of some cells; raise Malformed if the rules cannot be read so."""
    return replace(setting, rules=suite.rules.of(setting.ruleset, readings))
