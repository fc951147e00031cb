"""Faults of positions: under every ruleset of a scenario, its position must be possible and its steps must make
sense."""

from collections.abc import Callable, Iterator
from functools import partial

from hoyle_conformance.checks.cache.proofs import ALL_ANEW, Proofs, inputs_of_check
from hoyle_conformance.checks.lint_games import acts, questions
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp, RunRequest
from hoyle_conformance.checks.setup.given import side
from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Game, Malformed, Rules, read_act, read_position, read_question
from hoyle_reference.seats import SEATS


def _as_written(check: Check) -> Check:
    return check


def lint_positions(suite: Suite, put: Callable[[Check], Check] = _as_written) -> Iterator[Diagnostic]:
    """Yield why positions of a suite, whose links are sound, cannot be set up, as written or as `put` relabels them."""
    for scenario in suite.scenarios.values():
        yield from lint_position(suite, scenario, put)


def lint_position(
    suite: Suite,
    scenario: Scenario,
    put: Callable[[Check], Check] = _as_written,
    proofs: Proofs = ALL_ANEW,
) -> Iterator[Diagnostic]:
    """Yield why the position of a scenario cannot be set up, under the first ruleset for which it cannot."""
    for check in suite.index.checks_of(scenario):
        inputs = partial(inputs_of_check, suite, check, "position")
        found = proofs.faults(inputs, partial(_faults_under_ruleset, suite, check, put))
        if found:
            yield found[0]
            return


def _faults_under_ruleset(suite: Suite, check: Check, put: Callable[[Check], Check]) -> Iterator[Diagnostic]:
    """Yield why the position of a scenario cannot be set up under the ruleset of a check."""
    scenario = check.scenario
    try:
        plan = planner_of(suite).request(put(check))
        game = Game(read_position(suite.rules.of(check.ruleset), plan.message["position"]))
    except CannotSetUp as error:
        path = error.path if error.path[:1] == ("steps",) else ("given", *error.path)
        yield scenario.document.diagnose(path, "position", error.message, error.remedy)
        return
    except Malformed as error:
        remedy = "Correct the position."
        if check.ruleset not in scenario.named:
            remedy = f"{check.ruleset} inherits this outcome: name it under 'but_not', or correct the position."
        yield scenario.document.diagnose(["given"], "position", str(error), remedy)
        return
    for number, seat, first in _under_another_seat(game.rules, check):
        message, remedy = f"{seat} scores together with {first}", f"Expect their points under {first}."
        yield scenario.document.diagnose(["steps", number - 1], "position", message, remedy)
    yield from _of_another_game(game.rules, scenario)
    for number, message in _senseless(game, plan):
        yield scenario.document.diagnose(["steps", number], "senseless-step", message, "Correct the step.")


def _under_another_seat(rules: Rules, check: Check) -> Iterator[tuple[int, str, str]]:
    """Yield points that are expected for a player whose partner has their score: the step, the player and the
    partner."""
    for expected in check.branches.values():
        for number, expectation in expected.items():
            for seat in (*expectation.get("scores", ()), *expectation.get("total", ())):
                if seat in SEATS[: rules.players] and (first := side(rules, seat)[0]) != seat:
                    yield number, seat, first


def _of_another_game(rules: Rules, scenario: Scenario) -> Iterator[Diagnostic]:
    """Yield a diagnostic for every act and question that only other games have."""
    for number, step in enumerate(scenario.steps):
        for key, what, known in (("do", "act", acts(rules)), ("ask", "question", questions(rules))):
            word = step.get(key)
            if word is not None and word not in known:
                message = f"there is no {what} '{word}' under {rules.id}"
                remedy = f"Choose one of: {', '.join(known)}. Or leave {rules.id} out of this scenario."
                yield scenario.document.diagnose(["steps", number, key], "senseless-step", message, remedy)


def _senseless(game: Game, plan: RunRequest) -> Iterator[tuple[int, str]]:
    """Yield the steps that make no sense under a ruleset, whatever the position, by their number (from 0), and why."""
    for number, end in enumerate(plan.ends):
        for act in plan.message["steps"][plan.start(number + 1) : end]:
            try:
                if "ask" in act:
                    game.ask(read_question(game.rules, act))
                else:
                    game.check(read_act(game.rules, act))
            except Malformed as error:
                yield number, str(error)
