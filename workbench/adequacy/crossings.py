"""Crossings: an effect of a ruling, and the state of another chapter of the rules in which the effect occurs.

Most faults in rulings are at such crossings. A crossing that random games meet needs a scenario, or a waiver.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

from adequacy.mutants import Patch
from adequacy.waivers import WaiverScope, fitting_waivers, waiver_reason, waivers
from adequacy.whole_games import play_random_game
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.suite.capabilities import IRREGULAR_ACTS
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Table
from hoyle_reference.chapters import score
from hoyle_reference.chapters.referee import chapter as referee
from hoyle_reference.chapters.referee.effects import EFFECTS
from hoyle_reference.table import BlankState

CROSSINGS: Final = "crossings"
#: An effect of a ruling, and a state of another chapter.
Crossing = tuple[str, str]
_OPEN_BLANKS: Final = frozenset({BlankState.SCORED, BlankState.DRAWN})
#: The acts by which something is ruled on.
_RULED_ON: Final = frozenset({"claim", "mishap", "choose"})
#: Waivers of crossings are for all rulesets.
_ANY_RULESET: Final = "*"


def _has(table: Table, field: str) -> bool:
    return any(each.name == field for each in table.rules.fields)


#: The states of the other chapters.
STATES: Final[Mapping[str, Callable[[Table], bool]]] = {
    "trumps are known": lambda table: _has(table, "trumps") and table.trumps is not None,
    "no suit is trumps yet": lambda table: _has(table, "trumps") and table.trumps is None,
    "carte blanche has scored": lambda table: not _OPEN_BLANKS.isdisjoint(table.blanks),
    "a combination is kept to score": lambda table: any(table.kept),
    "declared cards lie on the table": lambda table: any(table.shown),
    "a seven has been exchanged or shown": lambda table: bool(table.claimed),
    "brisques have been played": lambda table: any(
        score.brisque_points(table, pile) for pile in (*table.won, table.trick)
    ),
    "the last tricks": lambda table: _has(table, "stock") and not table.drawing,
    "the deal is over": lambda table: not any(table.hands),
    "the game is won": lambda table: table.game_won_by is not None,
}


def states(table: Table) -> Iterator[str]:
    """Yield the states that the other chapters are in."""
    return (name for name, holds in STATES.items() if holds(table))


@contextmanager
def recording(met: "Counter[Crossing]") -> Iterator[None]:
    """Count the crossings that are met inside, each once."""
    own = set[Crossing]()

    def noted(word: str, does: Any) -> Any:
        def effect(table: Table, *others: Any) -> Iterator[Any]:
            own.update((word, state) for state in states(table))
            yield from does(table, *others)

        return effect

    effects = {word: noted(word, does) for word, does in EFFECTS.items()}
    with Patch(referee, "EFFECTS", effects).applied():
        yield
    met.update(own)


def in_checks(suite: Suite, ruleset: str) -> "Counter[Crossing]":
    """Return how many checks of a ruleset meet each crossing."""
    met, rules = Counter[Crossing](), suite.rules.of(ruleset)
    for check in suite.index.checks_under(ruleset):
        if _is_ruled_on(request := planner_of(suite).request(check)):
            with recording(met):
                observations(rules, request.message)
    return met


def _is_ruled_on(request: RunRequest) -> bool:
    """Whether something may be ruled on in a request."""
    return IRREGULAR_ACTS in request.needs or any(step.get("do") in _RULED_ON for step in request.message["steps"])


def in_games(suite: Suite, ruleset: str, seeds: Iterable[int]) -> "Counter[Crossing]":
    """Return how many random games of a ruleset meet each crossing; each seed gives one game."""
    met = Counter[Crossing]()
    for seed in seeds:
        with recording(met):
            play_random_game(suite, ruleset, seed)
    return met


@dataclass(frozen=True, slots=True)
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


def crossing_rows(games: Mapping[Crossing, int], checks: Mapping[Crossing, int]) -> Sequence[CrossingRow]:
    """Return a row for each crossing that was met, in order."""
    return [
        CrossingRow(
            *crossing,
            games.get(crossing, 0),
            checks.get(crossing, 0),
            waiver_reason(CROSSINGS, _ANY_RULESET, _name(crossing)),
        )
        for crossing in sorted({*games, *checks})
    ]


def unused_crossing_waivers(rows: Iterable[CrossingRow]) -> list[WaiverScope]:
    """Return the scopes of waivers that fit no crossing, or only crossings that checks meet."""
    tested = {(row.effect, row.state) for row in rows if row.checks}
    waived = [_name(crossing) for crossing in product(EFFECTS, STATES) if crossing not in tested]
    used = {scope for name in waived for scope, _ in fitting_waivers(CROSSINGS, _ANY_RULESET, name)}
    return [scope for each in waivers() for scope in each.scopes if scope.measure == CROSSINGS and scope not in used]


def _name(crossing: Crossing) -> str:
    return " where ".join(crossing)
