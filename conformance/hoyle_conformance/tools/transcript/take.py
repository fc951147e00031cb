"""One act of a transcript under some rules: whether they accept it, and what they make of it, compared with the facts
that the engine wrote down."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.setup.trace import observation_of
from hoyle_conformance.runner.consensus import is_decided, same_value
from hoyle_conformance.tools.transcript.model import OBSERVED, LoggedAct
from hoyle_conformance.tools.transcript.shorthands import number_copies
from hoyle_reference import Game, Malformed, Phase, Refusal, Table, read_act
from hoyle_reference.events.event import Event
from hoyle_reference.frozen import frozen
from hoyle_reference.table.acts import Draw
from hoyle_reference.table.cards import BY_NAME, Card, face_of, name
from hoyle_reference.table.refusals import Grounds
from hoyle_reference.table.seats import SEATS, Seat

#: The exceptions of the interpreter in a position that its rules do not know.
BROKEN: Final = (AssertionError, LookupError, TypeError, ValueError, AttributeError)
#: The most ways that are tried to tell the copies of the cards of an act apart.
_MOST_WAYS: Final = 24


class LoggedDifference(NamedTuple):
    """A fact of an act that the rules have otherwise: its key, and both values."""

    what: str
    expected: Any
    observed: Any


@frozen
class Taken:
    """An act under some rules: the table after it, the differences from what the engine wrote down, the events, and the
    refusal; `unknown` says why the rules know no such act, if so."""

    table: Table
    step: Mapping[str, Any]
    differences: tuple[LoggedDifference, ...] = ()
    events: Sequence[Event] = ()
    refusal: Refusal | None = None
    unknown: str = ""

    @property
    def grounds(self) -> Grounds:
        """The cells behind the refusal, or behind what happened."""
        if self.refusal:
            return self.refusal.grounds
        return tuple(dict.fromkeys(path for event in self.events for path in event.grounds))


@frozen
class Reader:
    """How the acts of a game are read: whether its cards have numbers of their copies, and whether it leaves out the
    draws."""

    exact: bool
    draws_left_out: bool


def take(reader: Reader, table: Table, act: LoggedAct) -> Taken:
    """Return what these rules make of an act. The table itself does not change.

    If draws are left out, or the copies of the cards are not told apart, the first possibility that agrees is taken.
    """
    first = None
    for before in tables_before(reader, table, act):
        for step in islice(ways(reader, before, act.step), _MOST_WAYS):
            taken = _take_one(before, act, step)
            if not taken.differences:
                return taken
            first = first or taken
    assert first is not None, "there is always one way"
    return first


def tables_before(reader: Reader, table: Table, act: LoggedAct) -> Iterator[Table]:
    """Yield the table as it is before an act; if draws are left out, after as many of them as the act may need: all of
    them before a card is played, none or some before any other act."""
    drawn = [table]
    while reader.draws_left_out and act.step["do"] != "draw" and table.phase in {Phase.DECLARE, Phase.DRAW}:
        game = Game(table.copy())
        if isinstance(game.attempt(Draw(table.turn)), Refusal):
            break
        table = game.table
        drawn.append(table)
    return reversed(drawn) if act.step["do"] == "play" else iter(drawn)


def ways(reader: Reader, table: Table, step: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the act with each choice of copies that its player holds."""
    if step["do"] == "cut":
        yield number_copies(step)
        return
    seat = SEATS.find(step.get("by", "?"))
    keys = [key for key in ("card", "cards") if key in step]
    if reader.exact or not keys or not 0 <= seat < table.players or not table.hands:
        yield step
        return
    named = [step["card"]] if keys == ["card"] else list(step["cards"])
    choices = [_copies_held(table, seat, card) or [card] for card in named]
    found = (each for each in product(*choices) if len(set(each)) == len(each))
    empty = True
    for cards in found:
        empty = False
        yield {**step, "card": cards[0]} if keys == ["card"] else {**step, "cards": list(cards)}
    if empty:
        yield step


def _copies_held(table: Table, seat: int, card: str) -> list[str]:
    """Return the copies of a card that a player may use, those that are not on the table first."""
    face = face_of(BY_NAME[-1][card])
    held = sorted(each for each in usable(table, seat) if face_of(each) == face)
    return [name(each) for each in sorted(held, key=table.shown[seat].__contains__)]


def usable(table: Table, seat: int) -> list[Card]:
    """Return the cards that a player may use: the hand, and what a partner has on the table."""
    partners = [other for other in table.rules.side(Seat(seat)) if other != seat]
    return [*table.hands[seat], *(card for other in partners for card in sorted(table.shown[other]))]


def _take_one(table: Table, act: LoggedAct, step: Mapping[str, Any]) -> Taken:
    """Return what the rules make of one reading of an act."""
    game = Game(table.copy())
    try:
        outcome = _attempt(game, step)
    except Malformed as malformed:
        return Taken(game.table, step, _accepted(act, by_rules=False), unknown=str(malformed))
    except BROKEN as broken:
        return Taken(table, step, _accepted(act, by_rules=False), unknown=f"the position is not possible ({broken})")
    if isinstance(outcome, Refusal):
        return Taken(game.table, step, _accepted(act, by_rules=False), refusal=outcome)
    return Taken(game.table, step, tuple(_differences(table, game.table, act, step, outcome)), outcome)


def _attempt(game: Game, step: Mapping[str, Any]) -> Refusal | list[Event]:
    return game.attempt(read_act(game.rules, step))


def _accepted(act: LoggedAct, *, by_rules: bool) -> tuple[LoggedDifference, ...]:
    """Return the difference in whether an act is accepted, if there is one."""
    accepted = act.facts.get("accepted", True)
    return () if accepted is by_rules else (LoggedDifference("accepted", by_rules, accepted),)


def _differences(
    before: Table, table: Table, act: LoggedAct, step: Mapping[str, Any], events: Sequence[Event]
) -> Iterator[LoggedDifference]:
    """Yield the facts about an act that the rules accept and have otherwise."""
    if differs := _accepted(act, by_rules=True):
        yield from differs
        return
    yield from _score_differences(before, table, act)
    seen = {key: observation_of(table, events, key) for key in ("phase", "settled")}
    for key in OBSERVED:
        if key in act.facts and key != "score" and is_decided(seen, key, deals=True):
            expected = observation_of(table, events, key)
            if not same_value(key, expected, act.facts[key]):
                yield LoggedDifference(key, expected, act.facts[key])
    if "drew" in act.facts:
        drawn = cards_drawn(before, table, step)
        if not same_value("drew", drawn, act.facts["drew"]):
            yield LoggedDifference("drew", drawn, act.facts["drew"])


def _score_differences(before: Table, table: Table, act: LoggedAct) -> Iterator[LoggedDifference]:
    """Yield the difference in the points that an act made, or else in the score after it."""
    made, letters = points_made(before, table), table.rules.side_letters
    if "scored" in act.facts:
        observed = {seat: points for seat, points in act.facts["scored"].items() if points}
        if observed != made:
            yield LoggedDifference("scored", made, observed)
            return
    if "score" in act.facts:
        score = {letter: act.facts["score"].get(letter, 0) for letter in letters}
        if score != (expected := dict(zip(letters, table.score, strict=False))):
            changes = {letter: score[letter] - was for letter, was in zip(letters, before.score, strict=False)}
            observed = {letter: points for letter, points in changes.items() if points}
            same = observed == made or "scored" in act.facts
            yield LoggedDifference("score", expected, score) if same else LoggedDifference("scored", made, observed)


def points_made(before: Table, table: Table) -> dict[str, int]:
    """Return the points that each side made between two tables, without those that made none."""
    letters = table.rules.side_letters
    made = zip(letters, before.score, table.score, strict=False)
    return {seat: now - was for seat, was, now in made if now != was}


def cards_drawn(before: Table, table: Table, step: Mapping[str, Any]) -> list[str]:
    """Return the cards that the player of an act holds after it and did not hold before."""
    seat = SEATS.find(step.get("by", "?"))
    if not 0 <= seat < table.players:
        return []
    held = set[Card](before.hands[seat]) if before.hands else set()
    return [name(card) for card in sorted(set(table.hands[seat]) - held)]
