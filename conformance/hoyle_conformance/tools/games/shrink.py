"""Shrink a game to the fewest acts and cards after which an engine still differs in the same way."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hoyle_conformance.checks.plan import complete
from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.checks.setup.given import REST
from hoyle_conformance.checks.setup.trace import positions
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.messages import ProtocolError
from hoyle_conformance.tools.games.compare import GameDifference, first_difference
from hoyle_conformance.tools.games.random_game import Setting, message_of, replay_log
from hoyle_reference import Malformed, Phase

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
