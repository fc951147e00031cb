"""The proof that a history leads to all that is given, and that the check's steps have the same outcome from there."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.given import REST, Given, pile_of, read_seat
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Rules, Table
from hoyle_reference.acts import CLASSES
from hoyle_reference.cards import Card, read_card
from hoyle_reference.seats import Seat, seat_name
from hoyle_reference.table import FIELDS

#: What a history must come to just as the position was completed, whatever is given of it.
_EXACTLY: Final = frozenset(
    {
        *("phase", "turn", "dealer", "choices", "deals", "deals_left", "leader", "trumps", "trick", "blanks", "drawn"),
        *(
            "to_show",
            "surplus",
            "untouched",
            "errors",
            "claim",
            "ruled",
            "drawn_early",
            "seen_ahead",
            "chooser",
            "undrawn",
        ),
        *("game_won_by", "settled", "kept"),
    }
)
#: What it must come to where it is given.
_IF_GIVEN: Final = frozenset(["turn_up", "last_trick_won_by", "last_tricks", "heap", "made_of"])
#: The rules of the referee are about what is irregular, of which a history holds nothing.
_REFEREE: Final = "referee."
_NOT_COMPARED: Final = frozenset({"refused", "answer"})


def differs(then: Table, given: Given, reached: Table) -> str:
    """Return the first field in which a table differs from what is given; empty if none does."""
    for field in FIELDS:
        wanted = field.name in _EXACTLY or (field.name in _IF_GIVEN and field.name in given)
        wanted = wanted or (field.name == "claimed" and (then.drawing or "claimed" in given))
        if wanted and field.kind.same(field.get(then)) != field.kind.same(field.get(reached)):
            return field.name
    return next((key for key, fits in _parts(then, given, reached) if not fits), "")


def _parts(then: Table, given: Given, reached: Table) -> Iterator[tuple[str, bool]]:
    for letter, points in given.get("score", {}).items():
        yield "score", reached.score[read_seat(letter)] == points
    for seat in range(then.players):
        yield "hands", sorted(then.hands[seat]) == sorted(reached.hands[seat])
        for key in ("won", "discarded"):
            texts = given.get(key, {}).get(seat_name(Seat(seat)))
            yield key, texts is None or _holds(texts, pile_of(reached, key, Seat(seat)))
    for letter in given.get("scored", ()):
        side = then.rules.side_of[read_seat(letter)]
        yield "scored", then.scored[side] == reached.scored[side]
    for letter, size in given.get("packets", {}).items():
        yield "packets", reached.packets[read_seat(letter)] == size
    for at, whose in enumerate(then.called.decided):
        class_ = CLASSES[at]
        yield "called", class_ not in given.get("called", {}) or reached.called.decided[at] == whose
        said = then.called.announced[at]
        yield "announced", class_ not in given.get("announced", {}) or reached.called.announced[at] == said
    yield "called", len(reached.called.decided) == len(then.called.decided)
    if "stock" in given:
        yield "stock", _lies_so(given["stock"], reached.stock[::-1])


def _holds(texts: Sequence[str], pile: Sequence[Card]) -> bool:
    """Whether a pile holds the given cards, and no others if it was given whole."""
    cards = {read_card(text) for text in texts if text != REST}
    return cards <= {*pile} if REST in texts else cards == {*pile}


def _lies_so(texts: Sequence[str], pile: Sequence[Card]) -> bool:
    """Whether a pile has the given order: the cards before `...` on top, the cards after it at the bottom."""
    cards = [read_card(text) for text in texts if text != REST]
    if REST not in texts:
        return cards == list(pile)
    top = list(texts).index(REST)
    below = len(cards) - top
    return list(pile[:top]) == cards[:top] and list(pile[len(pile) - below :]) == cards[top:]


def comes_out_alike(
    rules: Rules, check: Check, plan: RunRequest, then: Mapping[str, Any], reached: Mapping[str, Any]
) -> bool:
    """Whether the steps of a check show the same of what it expects from two positions."""
    try:
        one = observations(rules, {**plan.message, "position": then})
    except Malformed:
        return True  # a reading by which there is no such position says nothing of it
    try:
        other = observations(rules, {**plan.message, "position": reached})
    except Malformed:
        return False
    scores = then["score"], reached["score"]
    for step, end in enumerate(plan.ends, start=1):
        keys = {key for expected in check.branches.values() for key in expected.get(step, ())}
        for at in range(plan.start(step), end):
            if not _same(one[at], other[at]):
                return False
        if not all(_alike(key, one[end - 1], other[end - 1], scores) for key in keys - _NOT_COMPARED):
            return False
        scores = one[end - 1].get("score", scores[0]), other[end - 1].get("score", scores[1])
    return True


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one.get(key) == other.get(key) for key in ("accepted", "reason", "answer"))


def _alike(key: str, one: Mapping[str, Any], other: Mapping[str, Any], before: tuple[Any, Any]) -> bool:
    """Whether two observations agree under a key; of points, those made in the step."""
    if key == "scores":
        return _made(one["score"], before[0]) == _made(other["score"], before[1])
    key = "score" if key == "total" else key
    return bool(one[key] == other[key])


def _made(after: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    return {seat: points - before[seat] for seat, points in after.items()}


def beside(suite: Suite, ruleset: str) -> tuple[str, ...]:
    """Return the other readings under which a history, or a whole game, must be the same, as `cell=name`."""
    return tuple(f"{path}={name}" for path, name in other_readings(suite, ruleset))


def other_readings(suite: Suite, ruleset: str) -> list[tuple[str, str]]:
    """Return every reading that a table does not follow, by the cell's path and the name of the reading; without those
    that concern only irregularities, since no history has any."""
    return [(path, name) for path, name in suite.rules.other_readings(ruleset) if not path.startswith(_REFEREE)]
