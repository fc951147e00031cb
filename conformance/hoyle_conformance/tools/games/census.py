"""The census of the suite: prove the recorded games, and run them against an implementation.

Proving replays the games under the table's own readings. Writing them (`make census`) also shows that no disputed
reading affects them, which takes ten times as long. Each game is replayed when needed and then discarded, since all
games together would need too much memory.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import islice
from typing import Any, Final

from hoyle_conformance.checks.cache.proofs import ALL_ANEW, Proofs, inputs_of
from hoyle_conformance.checks.preludes.follow import beside
from hoyle_conformance.checks.request import Adapted, RunRequest
from hoyle_conformance.checks.setup.trace import trace
from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.reports.progress import counted
from hoyle_conformance.runner.checker import Checker, Observations
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import STALE_CENSUS, Mismatch, Result, Status
from hoyle_conformance.runner.select import CENSUS, game_ids, is_game
from hoyle_conformance.suite.capabilities import LEGAL_ACTS
from hoyle_conformance.suite.lint.ids import named_after_id
from hoyle_conformance.suite.model import Census, CensusGame, CensusTable, Check, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.census_game import COMPARED, CannotReplay, CensusPlay, census_game, replay
from hoyle_conformance.wording import words
from hoyle_reference import Game, read_position, write_act
from hoyle_reference.acts import alike, by

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
        yield census.document.diagnose(["tables", at, "beside"], STALE_CENSUS, message, remedy, key=True)
    for number, game in enumerate(table.games):
        _, fault = play_again(suite, table.ruleset, game)
        if fault:
            yield census.document.diagnose(["tables", at, "games", number], STALE_CENSUS, fault, remedy)
            return  # the other games differ for the same reason


def play_again(suite: Suite, ruleset: str, game: CensusGame) -> tuple[CensusPlay | None, str]:
    """Return a game, replayed as far as possible, and how it differs from its record; an empty string if it does
    not."""
    try:
        play = replay(suite.rules.of(ruleset), game)
    except CannotReplay as lost:
        return None, f"game {game.game}: {lost}"
    now = census_game(play)
    for field in fields(game):
        was, is_ = getattr(game, field.name), getattr(now, field.name)
        if was != is_:
            differs = f"'{field.name}' is {_value_text(was)} in the file, but {_value_text(is_)} by the rules"
            return play, f"game {game.game}: {differs}"
    return play, ""


def _value_text(value: object) -> str:
    return ", ".join(f"{key} {each}" for key, each in value.items()) if isinstance(value, dict) else str(value)


def games_named(suite: Suite, words: Sequence[str], rulesets: Sequence[str] = ()) -> list[Check]:
    """Return a check for each game that one of the words selects, under one of these rulesets if there are any. It has
    no steps: its acts are found by playing the game."""
    named = set[str]().union(*(game_ids(suite, word) for word in words))
    every = (_check(census, at, number) for census in suite.censuses.values() for at, number in _places(census))
    return [each for each in every if each.id in named and (not rulesets or each.ruleset in rulesets)]


def _places(census: Census) -> Iterator[tuple[int, int]]:
    """Yield the place of each game of a census: its table, and its place there."""
    return ((at, number) for at, table in enumerate(census.tables) for number in range(len(table.games)))


def _check(census: Census, at: int, number: int) -> Check:
    table = census.tables[at]
    game = table.games[number]
    scenario = Scenario(
        id=f"{CENSUS}.game-{game.game}",
        title=f"Game {game.game}",
        why="",
        given={"before": game.begins},
        steps=(),
        outcomes=(),
        readings=(),
        followed_by=(),
        document=census.document,
        place=("tables", at, "games", number),
    )
    return Check(scenario, table.ruleset, cites=(), branches={"": {}}, follows="")


#: The maximum number of legal acts to name.
_MOST_LEGAL_ACTS: Final = 20
#: Observables with another name in an expectation.
_EXPECTED_AS: Final = {"score": "total"}


def game_of(suite: Suite, check: Check) -> CensusGame:
    """Return the game of a check."""
    _, table, _, number = check.scenario.place
    census = suite.censuses[check.ruleset.partition("+")[0]]
    return census.tables[int(table)].games[int(number)]


def request_of(suite: Suite, check: Check, play: CensusPlay, claims: frozenset[str]) -> Adapted:
    """Return the request for a game, with expectations for everything claimed."""
    observed = {key for key in COMPARED if key in claims}
    name, *options = check.ruleset.split("+")
    message: dict[str, Any] = {
        "ruleset": name,
        "options": options,
        "position": play.begins,
        "steps": [act for act, _ in play.steps],
        "observe": sorted(observed.intersection(key for _, sight in play.steps for key in sight)),
    }
    expected = {
        at: {_EXPECTED_AS.get(key, key): value for key, value in sight.items() if key in observed}
        for at, (_, sight) in enumerate(play.steps, start=1)
    }
    needs = frozenset({LEGAL_ACTS, *(suite.capabilities.word(act) for act, _ in play.steps)})
    plan = RunRequest(message, tuple(range(1, len(play.steps) + 1)), needs, play.game.rules.letters)
    return Adapted(replace(check, branches={"": expected}), plan)


@dataclass(frozen=True, slots=True)
class CensusGames:
    """The checks of one adapter, with the games of the census among them."""

    of_suite: Checker

    def adapt(self, check: Check) -> Adapted | Result:
        """Return the request for a check, or its result if nothing is sent: the adapter lacks a claim, or the game
        differs from its record."""
        if not is_game(check):
            return self.of_suite.adapt(check)
        suite, info = self.of_suite.claims.suite, self.of_suite.claims.info
        if check.ruleset not in info.rulesets:
            return Result(check, Status.UNSUPPORTED, lacks=(f"ruleset {check.ruleset}",))
        other = [f"{mode} {usual}" for mode, (usual, _) in info.unusual_modes.items()]
        if LEGAL_ACTS not in info.claims or other:
            return Result(check, Status.UNSUPPORTED, lacks=tuple(other if LEGAL_ACTS in info.claims else [LEGAL_ACTS]))
        play, fault = play_again(suite, check.ruleset, game_of(suite, check))
        if play is None or fault:
            remedy = _REMEDY.format(check.ruleset.partition("+")[0])
            return Result(check, Status.ERROR, code=STALE_CENSUS, reason=fault, remedy=remedy)
        request = request_of(suite, check, play, info.claims)
        lacks = sorted(request.plan.needs - info.claims)
        return Result(check, Status.UNSUPPORTED, lacks=tuple(lacks)) if lacks else request

    def judge(self, request: Adapted, observations: Observations) -> Result:
        """Return the result of a check from its observations; of a game, only the first difference, since an engine
        that differs plays another game from then on."""
        if not is_game(request.check):
            return self.of_suite.judge(request, observations)
        result = judge(request.check, request.plan, observations, trusted=False)
        hint = _hint(self.of_suite.claims.suite, request, result.mismatch) if result.mismatch else ""
        return replace(result, later=(), remedy=hint)


def _hint(suite: Suite, request: Adapted, mismatch: Mismatch) -> str:
    """Return the deal in which an engine differs, if it is a later one; and the legal acts, if their number is
    wrong."""
    ruleset, steps = request.check.ruleset, request.plan.message["steps"][: mismatch.step]
    rules, names = suite.rules.of(ruleset), suite.rules.meld_names(ruleset)
    deal = sum(step["do"] == "deal" for step in steps)
    hints = [f"This is deal {deal}: also check what carries over from the deal before it."] if deal > 1 else []
    if mismatch.what == LEGAL_ACTS:
        now = trace(rules, {**request.plan.message, "steps": steps})[-1].position
        game = Game(read_position(rules, now))
        own = {alike(act): act for act in game.legal_actions if by(act) == game.table.turn}
        acts = [words.step(write_act(act), names) for act in islice(own.values(), _MOST_LEGAL_ACTS)]
        hints.append(f"Legal are: {'; '.join(acts)}{'; and others' if len(own) > len(acts) else ''}.")
    return " ".join(hints)
