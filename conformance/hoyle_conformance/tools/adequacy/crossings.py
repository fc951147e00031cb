"""Crossings: what a ruling does, and the state that another chapter of the rules is in when that is done.

Most faults in rulings are at such crossings. A crossing that random games reach needs a scenario, or a waiver.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.capabilities import IRREGULAR_ACTS
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.adequacy.mutants import Patch
from hoyle_conformance.tools.adequacy.waivers import waiver_reason
from hoyle_reference.chapters import score
from hoyle_reference.chapters.referee import chapter as referee
from hoyle_reference.chapters.referee.effects import EFFECTS
from hoyle_reference.frozen import frozen
from hoyle_reference.table.states import BlankState
from hoyle_reference.table.table import Table

CROSSINGS: Final = "crossings"
#: An effect of a ruling, and a state of another chapter.
Crossing = tuple[str, str]
_OPEN_BLANKS: Final = frozenset({BlankState.SCORED, BlankState.DRAWN})


def states(table: Table) -> Iterator[str]:
    """Yield the states that the other chapters are in."""
    names = {field.name for field in table.rules.fields}
    if "trumps" in names:
        yield "trumps are known" if table.trumps is not None else "no suit is trumps yet"
    if any(state in _OPEN_BLANKS for state in table.blanks):
        yield "carte blanche has scored"
    if any(table.kept):
        yield "a combination is kept to score"
    if any(table.shown):
        yield "declared cards lie on the table"
    if table.claimed:
        yield "a seven has been exchanged or shown"
    if any(score.brisque_points(table, pile) for pile in (*table.won, table.trick)):
        yield "brisques have been played"
    if "stock" in names and not table.drawing:
        yield "the last tricks"
    if not any(table.hands):
        yield "the deal is over"
    if table.game_won_by is not None:
        yield "the game is won"


@contextmanager
def recording(met: "Counter[Crossing]") -> Iterator[None]:
    """Count the crossings that are met inside."""

    def counted(word: str, does: Any) -> Any:
        def effect(table: Table, *others: Any) -> Iterator[Any]:
            met.update((word, state) for state in states(table))
            yield from does(table, *others)

        return effect

    effects = {word: counted(word, does) for word, does in EFFECTS.items()}
    with Patch(referee, "EFFECTS", effects).applied():
        yield


def in_scenarios(suite: Suite) -> "Counter[Crossing]":
    """Return how many checks meet each crossing."""
    met = Counter[Crossing]()
    for check in suite.index.checks.values():
        request = planner_of(suite).request(check)
        if IRREGULAR_ACTS in request.needs or any(step.get("do") in _RULED_ON for step in request.message["steps"]):
            own = Counter[Crossing]()
            with recording(own):
                observations(suite.rules.of(check.ruleset), request.message)
            met.update(own.keys())
    return met


#: The acts by which something is ruled on.
_RULED_ON: Final = frozenset({"claim", "mishap", "choose"})


@frozen
class CrossingRow:
    """A crossing, the number of random games and of checks that meet it, and the reason of its waiver."""

    effect: str
    state: str
    games: int
    checks: int
    reason: str = ""

    @property
    def is_missing(self) -> bool:
        """Whether it needs a scenario."""
        return bool(self.games) and not self.checks and not self.reason


def crossing_rows(in_games: Mapping[Crossing, int], in_checks: Mapping[Crossing, int]) -> Sequence[CrossingRow]:
    """Return a row for each crossing that was met, in order."""
    return [
        CrossingRow(
            effect,
            state,
            in_games.get((effect, state), 0),
            in_checks.get((effect, state), 0),
            waiver_reason(CROSSINGS, "*", f"{effect} where {state}"),
        )
        for effect, state in sorted({*in_games, *in_checks})
    ]
