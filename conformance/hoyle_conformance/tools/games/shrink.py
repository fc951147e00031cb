"""Compare an engine with the reference, act by act, under the readings that fit the engine best; and shrink a game to
the fewest acts and cards after which the engine still differs in the same way."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.plan import complete
from hoyle_conformance.checks.request import NOTHING_REPORTED, CannotSetUp
from hoyle_conformance.checks.setup.given import REST
from hoyle_conformance.checks.setup.trace import positions
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.messages import DECLINED, ProtocolError
from hoyle_conformance.runner.consensus import is_decided, is_nothing, same_value
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.random_game import Setting, message_of, replay, replay_log
from hoyle_reference import Malformed, Phase

# ---- comparison, act by act


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


# ---- shrinking


Message = Mapping[str, Any]
#: The maximum number of games to send to the engine while shrinking one.
_MOST_TRIES: Final = 400
#: The number of final positions to try one by one: two or three tricks.
_ONE_BY_ONE: Final = 24
#: The key of a position that has another name in a scenario.
_GIVEN_AS: Final = {"discards": "discarded"}
#: The keys of a position that a scenario has unchanged, if they are not empty.
_AS_THEY_ARE: Final = (
    "turn_up",
    "hands",
    "discards",
    "won",
    "scored",
    "kept",
    "claimed",
    "made_of",
    "last_trick_won_by",
    *("surplus", "last_tricks", "heap"),
)
#: The word in a scenario for the phase in which a player is to act.
_PHASES: Final = {
    Phase.PLAY: "leads",
    Phase.DECLARE: "has_won",
    Phase.EXCHANGE: "exchanges",
    Phase.ANNOUNCE: "announces",
}


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A shrunk game: its message, the difference after the last act, the cells that decide that act, and the position
    as a scenario gives it, if it can."""

    message: Message
    difference: GameDifference
    grounds: Sequence[str]
    given: Mapping[str, Any] | None = None


class Shrinker:
    """Shrinker of games in which one engine differs. `tries` counts the games sent."""

    def __init__(self, setting: Setting, adapter: Implementation, *, deals: bool) -> None:
        self._setting, self._adapter, self._deals = setting, adapter, deals
        self.tries = 0

    def shrink(self, message: Message, difference: GameDifference) -> Shrunk | None:
        """Return the shrunk game; None if the engine does not differ again."""
        self.tries = 0
        keys = frozenset(difference.keys)
        best = self._still({**message, "steps": message["steps"][: difference.at + 1]}, keys)
        if best is None:
            return None
        if self._setting.position == "any":
            best = self._later_start(best, keys)
        best = self._fewer_steps(best, keys)
        return self._as_given(best, keys) if self._setting.position == "any" else best

    def _still(self, message: Message, keys: frozenset[str]) -> Shrunk | None:
        """Return the game if the engine first differs after its last act, in one of these observables;
        None otherwise."""
        if self.tries >= _MOST_TRIES:
            return None
        self.tries += 1
        try:
            log = replay_log(self._setting, message)
            response = self._adapter.run(self.tries, message)
        except (Malformed, ProtocolError):
            return None
        if response.kind != "observed":
            return None
        found = first_difference(log.observed, response.steps, message["observe"], deals=self._deals)
        if found is None or found.at != len(message["steps"]) - 1 or keys.isdisjoint(found.keys):
            return None
        return Shrunk(message, found, log.grounds[-1])

    def _later_start(self, best: Shrunk, keys: frozenset[str]) -> Shrunk:
        """Return the game from the latest position from which the engine still differs."""
        steps = best.message["steps"]
        every = positions(self._setting.rules, best.message, range(1, len(steps)))
        starts = sorted(_latest_first(len(steps)), key=lambda start: given_of(every[start]) is None)
        for start in starts:
            if shorter := self._still({**best.message, "position": every[start], "steps": steps[start:]}, keys):
                return shorter
        return best

    def _fewer_steps(self, best: Shrunk, keys: frozenset[str]) -> Shrunk:
        """Return the game without the acts that do not matter."""
        at = len(best.message["steps"]) - 2
        while at >= 0:
            steps = best.message["steps"]
            best = self._still({**best.message, "steps": [*steps[:at], *steps[at + 1 :]]}, keys) or best
            at -= 1
        return best

    def _as_given(self, best: Shrunk, keys: frozenset[str]) -> Shrunk:
        """Return the game with its position in the form of a scenario, with as few details as possible."""
        given = given_of(best.message["position"])
        found = self._from_given(best, given, keys) if given else None
        if given is None or found is None:
            return best
        for smaller in _smaller(given):
            less = smaller(given)
            if less != given and (same := self._from_given(best, less, keys)):
                given, found = less, same
        return found

    def _from_given(self, best: Shrunk, given: Mapping[str, Any], keys: frozenset[str]) -> Shrunk | None:
        steps = best.message["steps"]
        try:
            position = complete(self._setting.rules, given, steps)
        except (CannotSetUp, Malformed):
            return None
        found = self._still(message_of(self._setting, position, steps), keys)
        return replace(found, given=given) if found else None


def _latest_first(count: int) -> Iterator[int]:
    """Yield the numbers of acts to try to omit from the beginning: each of the last ones, then ever fewer of the
    others."""
    start, gap = count - 1, 1
    while start > 0:
        yield start
        gap = gap if start > count - _ONE_BY_ONE else gap * 2
        start -= gap


def given_of(position: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return a whole position in the form of a scenario; None if a scenario cannot describe it."""
    phase = Phase(position["phase"])
    score = {seat: points for seat, points in position["score"].items() if points}
    given: dict[str, Any] = {"score": score} if score else {}
    if phase in {Phase.CUT, Phase.DEAL}:
        dealer = {"dealer": position["dealer"]} if phase is Phase.DEAL else {}
        return {"before": str(phase), **dealer, **given}
    if phase not in _PHASES or (phase is Phase.ANNOUNCE and position["called"]["decided"]):
        return None
    given |= {
        _PHASES[phase]: position["leader"] if position["trick"] else position["turn"],
        "dealer": position["dealer"],
    }
    given |= {"trick": position["trick"]} if position["trick"] else {}
    if "trumps" in position:
        given["trumps"] = position["trumps"] or "none"
    given["stock"] = position["stock"]
    for key in _AS_THEY_ARE:
        if value := position.get(key):
            given[_GIVEN_AS.get(key, key)] = value
    if untouched := [seat for seat, is_so in position.get("untouched", {}).items() if is_so]:
        given["untouched"] = untouched
    return given


def _smaller(given: Mapping[str, Any]) -> Iterator[Any]:
    """Yield functions that each remove one thing from a position of a scenario: a key, one of its
    players, or one card."""
    must = {*_PHASES.values(), "before"}
    for key in (key for key in given if key not in must):
        yield lambda now, key=key: {each: value for each, value in now.items() if each != key}
    for key, value in given.items():
        if isinstance(value, Mapping):
            yield from (lambda now, key=key, seat=seat: _without_seat(now, key, seat) for seat in value)
            for seat, cards in value.items():
                if isinstance(cards, list):
                    yield lambda now, key=key, seat=seat: _with_rest(now, key, seat, None)
                    yield from (
                        lambda now, key=key, seat=seat, card=card: _with_rest(now, key, seat, card)
                        for card in cards
                        if isinstance(card, str)
                    )


def _without_seat(given: Mapping[str, Any], key: str, seat: str) -> Mapping[str, Any]:
    value = {each: more for each, more in given.get(key, {}).items() if each != seat}
    return {**given, key: value} if value else given


def _with_rest(given: Mapping[str, Any], key: str, seat: str, card: str | None) -> Mapping[str, Any]:
    """Return the position with one card of a pile left open, or with all its cards."""
    pile = given.get(key, {}).get(seat)
    if key not in {"hands", "won", "discarded"} or not pile or (card is not None and card not in pile):
        return given
    left = [each for each in pile if each not in {card, REST}] if card else []
    return {**given, key: {**given[key], seat: [*left, REST]}}
