"""The census of the suite: prove the recorded games, and run them against an implementation.

Proving replays the games under the table's own readings. Writing them (`make census`) also shows that no disputed
reading affects them, which takes ten times as long. Each game is replayed when needed and then discarded, since all
games together would need too much memory.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Final

from hoyle_conformance.checks.cache.proofs import ALL_ANEW, Proofs, inputs_of
from hoyle_conformance.checks.preludes.follow import beside
from hoyle_conformance.checks.request import Adapted, RunRequest
from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.reports.progress import counted
from hoyle_conformance.runner.checker import Observations
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.suite.capabilities import LEGAL_ACTS
from hoyle_conformance.suite.lint.ids import named_after_id
from hoyle_conformance.suite.model import Census, CensusGame, CensusTable, Check, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.census_game import COMPARED, CannotReplay, CensusPlay, census_game, replay

_REMEDY = "Run 'make census RULESETS={}' to write it again; 'git diff' then shows what has changed."


def tables_of(suite: Suite, ruleset: str) -> list[str]:
    """Return a ruleset, alone and with each of its options."""
    return [ruleset, *(f"{ruleset}+{option}" for option in suite.rules.options(ruleset))]


def stored_table(suite: Suite, ruleset: str) -> CensusTable | None:
    """Return the games of a table in the suite."""
    census = suite.censuses.get(ruleset.partition("+")[0])
    return next((table for table in census.tables if table.ruleset == ruleset), None) if census else None


def prove_censuses(suite: Suite, proofs: Proofs = ALL_ANEW) -> Iterator[Diagnostic]:
    """Yield every mistake in the censuses of the suite, and each ruleset without one."""
    for ruleset in suite.rulesets:
        if ruleset not in suite.censuses:
            file = suite.shown(suite.root / "census" / f"{ruleset}.census.yaml")
            yield Diagnostic(file, 1, 1, "no-census", f"{ruleset} has no census", _REMEDY.format(ruleset))
    for census in counted(suite.censuses.values(), "census file"):
        yield from prove_census(suite, census, proofs)


def prove_census(suite: Suite, census: Census, proofs: Proofs = ALL_ANEW) -> Iterator[Diagnostic]:
    """Yield every mistake in one census whose file is valid."""
    yield from named_after_id(census.document, f"{census.id}.census.yaml")
    if census.id not in suite.rulesets:
        message = f"there is no ruleset '{census.id}' for this census"
        yield census.document.diagnose(["id"], "unknown-ruleset", message, "Remove the file.")
        return
    names, remedy = tables_of(suite, census.id), _REMEDY.format(census.id)
    present = [table.ruleset for table in census.tables]
    for at, table in enumerate(census.tables):
        if table.ruleset not in names or table.ruleset in present[:at]:
            message = f"{table.ruleset} does not belong in the census of {census.id}, or is in it already"
            yield census.document.diagnose(["tables", at, "ruleset"], "surplus-table", message, remedy)
        else:
            yield from proofs.faults(partial(_inputs, suite, census, at), partial(_prove_table, suite, census, at))
    for missing in (each for each in names if each not in present):
        yield census.document.diagnose(["tables"], "missing-table", f"{missing} is missing", remedy, key=True)


def _inputs(suite: Suite, census: Census, at: int) -> Sequence[Any]:
    """Return the files on which the games of a table depend."""
    return "census", census.document.data["tables"][at], inputs_of(suite).rules([census.tables[at].ruleset])


def _prove_table(suite: Suite, census: Census, at: int) -> Iterator[Diagnostic]:
    table, remedy = census.tables[at], _REMEDY.format(census.id)
    if table.beside != beside(suite, table.ruleset):
        message = f"the readings of the disputed cells of {table.ruleset} have changed since these games were played"
        yield census.document.diagnose(["tables", at, "beside"], "stale-census", message, remedy, key=True)
    for number, game in enumerate(table.games):
        differs = difference(suite, table.ruleset, game)
        if differs:
            place: list[str | int] = ["tables", at, "games", number]
            yield census.document.diagnose(place, "stale-census", f"game {game.game}: {differs}", remedy)
            return  # the other games differ for the same reason


def difference(suite: Suite, ruleset: str, game: CensusGame) -> str:
    """Describe how a game differs from its record; return an empty string if it does not."""
    try:
        now = census_game(replay(suite.rules.of(ruleset), game))
    except CannotReplay as lost:
        return str(lost)
    for field in fields(game):
        was, is_ = getattr(game, field.name), getattr(now, field.name)
        if was != is_:
            return f"'{field.name}' is {_value_text(was)} in the file, but {_value_text(is_)} by the rules"
    return ""


def _value_text(value: object) -> str:
    return ", ".join(f"{key} {each}" for key, each in value.items()) if isinstance(value, dict) else str(value)


#: The prefix of a game's scenario id.
_ID_PREFIX: Final = "census.game-"
#: Observables with another name in an expectation.
_EXPECTED_AS: Final = {"score": "total"}


class StaleCensus(Exception):
    """A game differs from its record; the message names it."""


def game_checks(suite: Suite, rulesets: Iterable[str], numbers: Sequence[int] = ()) -> list[Check]:
    """Return a check for each game of these tables, or for the games with these numbers, without
    expectations at first."""
    return [
        _check(suite, ruleset, game)
        for ruleset in rulesets
        if (table := stored_table(suite, ruleset))
        for game in table.games
        if not numbers or game.game in numbers
    ]


def _check(suite: Suite, ruleset: str, game: CensusGame) -> Check:
    scenario = Scenario(
        id=f"{_ID_PREFIX}{game.game}",
        title=f"Game {game.game}",
        why="",
        given={"before": game.begins},
        steps=(),
        outcomes=(),
        readings=(),
        followed_by=(),
        document=suite.censuses[ruleset.partition("+")[0]].document,
    )
    return Check(scenario, ruleset, cites=(), branches={"": {}}, follows="")


def game_of(suite: Suite, check: Check) -> CensusGame:
    """Return the game of a check."""
    table, number = stored_table(suite, check.ruleset), int(check.scenario.id.removeprefix(_ID_PREFIX))
    assert table is not None, "a check of the census is made of a game in it"
    return next(game for game in table.games if game.game == number)


def replay_game(suite: Suite, check: Check) -> CensusPlay:
    """Return the game of a check, replayed; raise StaleCensus if it differs from its record."""
    game = game_of(suite, check)
    try:
        play = replay(suite.rules.of(check.ruleset), game)
    except CannotReplay as lost:
        raise StaleCensus(f"game {game.game} of {check.ruleset}: {lost}") from lost
    if census_game(play) != game:
        raise StaleCensus(f"game {game.game} of {check.ruleset}: the result is different")
    return play


@dataclass(frozen=True, slots=True)
class CensusGames:
    """The games of a census for one adapter."""

    suite: Suite
    info: AdapterInfo

    def adapt(self, check: Check) -> Adapted | Result:
        """Return the request for a game, or its result if the adapter lacks a claim; raise StaleCensus if the game
        differs from its record."""
        play, lacks = _claimed_game(self.suite, self.info, check)
        if play is None:
            return Result(check, Status.UNSUPPORTED, lacks=tuple(lacks))
        return Adapted(*prepare(self.suite, check, play, self.info.claims))

    def judge(self, request: Adapted, observations: Observations) -> Result:
        """Return the result of a game, with every observation as an expectation."""
        return judge(request.check, request.plan, observations, trusted=False)


def _claimed_game(suite: Suite, info: AdapterInfo, check: Check) -> tuple[CensusPlay | None, Sequence[str]]:
    """Return the game of a check, replayed; or the claims that the adapter lacks for it."""
    if check.ruleset not in info.rulesets:
        return None, [f"ruleset {check.ruleset}"]
    if LEGAL_ACTS not in info.claims:
        return None, [LEGAL_ACTS]
    if other := [f"{mode} {usual}" for mode, (usual, _) in info.unusual_modes.items()]:
        return None, other
    play = replay_game(suite, check)
    lacks = sorted(_needs(suite, play) - info.claims)
    return (None, lacks) if lacks else (play, ())


def _needs(suite: Suite, play: CensusPlay) -> frozenset[str]:
    """Return the claims that a game needs."""
    return frozenset({LEGAL_ACTS, *(suite.capabilities.word(act) for act, _ in play.steps)})


def prepare(suite: Suite, check: Check, play: CensusPlay, claims: frozenset[str]) -> tuple[Check, RunRequest]:
    """Return the check of a game, with expectations for everything claimed, and its request."""
    needs = _needs(suite, play)
    observed = {key for key in COMPARED if key in claims}
    observe = sorted(observed.intersection(key for _, sight in play.steps for key in sight))
    name, *options = check.ruleset.split("+")
    message: dict[str, Any] = {
        "ruleset": name,
        "options": options,
        "position": play.begins,
        "steps": [act for act, _ in play.steps],
        "observe": observe,
    }
    expected = {
        at: {_EXPECTED_AS.get(key, key): value for key, value in sight.items() if key in observed}
        for at, (_, sight) in enumerate(play.steps, start=1)
    }
    plan = RunRequest(message, tuple(range(1, len(play.steps) + 1)), needs, play.game.rules.letters)
    scenario = replace(check.scenario, steps=tuple(message["steps"]))
    return replace(check, scenario=scenario, branches={"": expected}), plan


def export_game(suite: Suite, check: Check) -> dict[str, Any]:
    """Return a game as plain data for a harness in another language, with the expectations that change
    after each act."""
    play = replay_game(suite, check)
    _, plan = prepare(suite, check, play, suite.capabilities.observables)
    expect, last = [], dict[str, Any]()
    for _, sight in play.steps:
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
