"""Holding: an implementation held against the games of a census, each of them one run and one check.

A game is made only when it is its turn, and forgotten: all of them together would be very large.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from hoyle_conformance.checks.adapt.adapt import Putting
from hoyle_conformance.checks.adapt.adapted import Adapted
from hoyle_conformance.checks.request import LEGAL_ACTS, RunRequest
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.execute import CheckRunner
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.own_declarations import Observed
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.suite.model import CensusGame, Check, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.census.count import known
from hoyle_conformance.tools.census.observe import COMPARED
from hoyle_conformance.tools.census.play import CensusPlay, Lost, again, written

#: How a game is named among the checks of a run.
_NAMED: Final = "census.game-"
#: How an implementation does things that plays whole games.
_WAYS: Final = {
    "score": "at-once",
    "draws": "one-by-one",
    "declarations": "one-by-one",
    "declares": "as-asked",
}
#: The observables that an expectation knows by another name.
_EXPECTED_AS: Final = {"score": "total"}


class Stale(Exception):
    """A game is not any more as it is written down; the message says which."""


def checks(suite: Suite, rulesets: Iterable[str], numbers: Sequence[int] = ()) -> list[Check]:
    """A check for each game of these tables, or for those with these numbers; what is expected is found out later."""
    return [
        _check(suite, ruleset, game)
        for ruleset in rulesets
        if (table := known(suite, ruleset))
        for game in table.games
        if not numbers or game.game in numbers
    ]


def _check(suite: Suite, ruleset: str, game: CensusGame) -> Check:
    scenario = Scenario(
        id=f"{_NAMED}{game.game}",
        title=f"Game {game.game}",
        why="",
        given={"before": game.begins},
        steps=(),
        outcomes=(),
        readings=(),
        followed_by=(),
        document=suite.censuses[ruleset.partition("+")[0]].document,
    )
    computed = suite.house is not None and ruleset == suite.house.ruleset.id
    return Check(scenario, ruleset, cites=(), branches={"": {}}, follows="", computed=computed)


def game_of(suite: Suite, check: Check) -> CensusGame:
    """The game that a check stands for."""
    table, number = known(suite, check.ruleset), int(check.scenario.id.removeprefix(_NAMED))
    assert table is not None, "a check of the census is made of a game in it"
    return next(game for game in table.games if game.game == number)


def course_of(suite: Suite, check: Check) -> CensusPlay:
    """The game itself, made again; raises Stale where it is not what is written down."""
    game = game_of(suite, check)
    try:
        course = again(suite.rules(check.ruleset), game)
    except Lost as lost:
        raise Stale(f"game {game.game} of {check.ruleset}: {lost}") from lost
    if written(course) != game:
        raise Stale(f"game {game.game} of {check.ruleset}: it comes out otherwise")
    return course


def ask(suite: Suite, implementation: Implementation, ready: AdapterInfo, number: int, check: Check) -> Result:
    """What becomes of a game, whatever the implementation does."""
    names = suite.known_as(check.ruleset)
    lacking = [f"ruleset {' or '.join(names)}"] if ready.rulesets.isdisjoint(names) else []
    if not lacking and LEGAL_ACTS not in ready.claims:
        lacking = [LEGAL_ACTS]
    if not lacking:
        lacking = [f"{way} {usual}" for way, usual in _WAYS.items() if getattr(ready, way) != usual]
    if not lacking:
        course = course_of(suite, check)
        lacking = sorted(_needed(suite, course) - ready.claims)
    if lacking:
        return Result(check, Status.UNSUPPORTED, reason=f"not claimed: {', '.join(lacking)}", lacks=tuple(lacking))
    game = Adapted(*prepared(suite, check, course, ready.claims))
    return replace(CheckRunner(implementation, Putting(suite, ready)).sent(number, game, _judged).result(), check=check)


def _judged(asked: Adapted, observed: Observed) -> Result:
    """What becomes of a game: all that is observed is expected."""
    return judge(asked.check, asked.plan, observed, trusted=False)


def _needed(suite: Suite, course: CensusPlay) -> frozenset[str]:
    """What an implementation must be able to do to play a game."""
    return frozenset({LEGAL_ACTS, *(suite.capabilities.word(act) for act, _ in course.steps)})


def prepared(suite: Suite, check: Check, course: CensusPlay, claims: frozenset[str]) -> tuple[Check, RunRequest]:
    """A game with all that is expected of whoever claims these words, and what is sent."""
    needs = _needed(suite, course)
    observed = {key for key in COMPARED if key in claims}
    observe = sorted(observed.intersection(key for _, sight in course.steps for key in sight))
    name, *options = check.ruleset.split("+")
    message: dict[str, Any] = {
        "ruleset": name,
        "options": options,
        "position": course.begins,
        "steps": [act for act, _ in course.steps],
        "observe": observe,
    }
    expected = {at: _expected(sight, observed) for at, (_, sight) in enumerate(course.steps, start=1)}
    plan = RunRequest(message, tuple(range(1, len(course.steps) + 1)), needs, course.game.rules.letters)
    scenario = replace(check.scenario, steps=tuple(message["steps"]))
    return replace(check, scenario=scenario, branches={"": expected}), plan


def _expected(sight: Mapping[str, Any], observed: set[str]) -> dict[str, Any]:
    return {_EXPECTED_AS.get(key, key): value for key, value in sight.items() if key in observed}


def compiled_game(suite: Suite, check: Check) -> dict[str, Any]:
    """A game in full, as plain data for a harness in another language: of what is expected only what has changed."""
    course = course_of(suite, check)
    _, plan = prepared(suite, check, course, suite.capabilities.observables)
    expect, last = [], dict[str, Any]()
    for _, sight in course.steps:
        changes: dict[str, Any] = {key: value for key, value in sight.items() if key not in last or last[key] != value}
        left_open = sorted(set(plan.message["observe"]).difference(sight))
        last |= sight
        expect.append({**changes, **({"open": left_open} if left_open else {})})
    game = game_of(suite, check)
    return {
        "ruleset": check.ruleset,
        "game": game.game,
        "digest": game.digest,
        "needs": sorted(plan.needs),
        "run": plan.message,
        "expect": expect,
    }
