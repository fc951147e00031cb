"""Load a spec folder from its files, and lint it.

The parts are: vocabulary of a scenario's games, lint of positions, loading, and compilation of edited scenarios.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.checks.cache.compiled import Compiled, compiled_scenarios, file_of
from hoyle_conformance.checks.cache.proofs import ALL_ANEW, Proofs, inputs_of_check
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import CannotSetUp, RunRequest
from hoyle_conformance.checks.setup.given import not_given, side
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, Suggestion
from hoyle_conformance.files.schema_errors import Complaint
from hoyle_conformance.suite.build import scenario_from
from hoyle_conformance.suite.lint.ids import ALL_CLAUSES
from hoyle_conformance.suite.lint.references import lint_links
from hoyle_conformance.suite.lint.scenarios import lint_of_suite
from hoyle_conformance.suite.load import existing, read_document, read_suite
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.paths import find_spec, tree
from hoyle_conformance.suite.suite import Suite, known_names, read_at_work, without_faulty
from hoyle_reference import Game, Malformed, Rules, read_act, read_position, read_question
from hoyle_reference.acts import Visible, word_of
from hoyle_reference.seats import SEATS

# ---- vocabulary of a scenario's games, for remedies


#: The names of steps that stand for several acts.
_SEVERAL: Final = {"trick": "play", "draw-all": "draw"}


def acts(rules: Rules) -> list[str]:
    """Return the words for the acts of the game, and for steps that stand for several of them."""
    words = [word_of(kind) for kind in rules.procedure.moves if word_of(kind) != "irregular"]
    return [*words, *(several for several, single in _SEVERAL.items() if single in words)]


def questions(rules: Rules) -> list[str]:
    """Return the words for the questions of the game."""
    return [word_of(kind) for kind in (*rules.procedure.asks, Visible)]


def in_this_suite(suite: Suite, data: Any, complaint: Complaint) -> Complaint:
    """Narrow the remedy of a complaint about a scenario, which may be invalid.

    The remedy proposes only the acts, questions and givens of the games that the scenario names. For an unknown clause,
    it proposes similar clauses.
    """
    if complaint.path[-2:-1] == ("cites",) and complaint.code == "misfit":
        word = str(_value(data, complaint.path))
        return replace(complaint, remedy=Suggestion(word, suite.clauses, ALL_CLAUSES))
    remedy, games = complaint.remedy, list(_games(suite, data))
    if not isinstance(remedy, Suggestion) or not games:
        return complaint
    steps, given = (suite.schemas.documents["scenario"]["$defs"][part]["properties"] for part in ("step", "given"))
    kinds: Sequence[tuple[list[str], Callable[[Rules], Iterable[str]]]] = (
        (steps["do"]["enum"], acts),
        (steps["ask"]["enum"], questions),
        (list(given), lambda rules: set(given) - set(not_given(rules))),
    )
    for every, of in kinds:
        if list(remedy.known) == every:
            known = set().union(*map(of, games))
            return replace(complaint, remedy=replace(remedy, known=[word for word in every if word in known]))
    return complaint


def _value(data: Any, path: Iterable[str | int]) -> Any:
    for at in path:
        data = data[at]
    return data


def _games(suite: Suite, data: Any) -> Iterator[Rules]:
    """Yield the rules of the known rulesets that a scenario names."""
    entries = [each for key in ("outcomes", "followed_by", "proposals") for each in _list(_at(data, key))]
    for name in {str(name) for entry in entries for name in _list(_at(entry, "rulesets"))}:
        try:
            yield suite.rules.of(name)
        except Malformed:
            continue


def _at(data: Any, key: str) -> Any:
    return data.get(key) if isinstance(data, Mapping) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


# ---- lint of positions


def _as_written(check: Check) -> Check:
    return check


def lint_positions(suite: Suite, put: Callable[[Check], Check] = _as_written) -> Iterator[Diagnostic]:
    """Yield the reasons why positions of a suite with valid links cannot be set up, as written or as relabelled by
    `put`."""
    for scenario in suite.scenarios.values():
        yield from lint_position(suite, scenario, put)


def lint_position(
    suite: Suite, scenario: Scenario, put: Callable[[Check], Check] = _as_written, proofs: Proofs = ALL_ANEW
) -> Iterator[Diagnostic]:
    """Yield the reasons why the position of a scenario cannot be set up, under the first ruleset for which it
    cannot."""
    for check in suite.index.checks_of(scenario):
        inputs = partial(inputs_of_check, suite, check, "position")
        found = proofs.faults(inputs, partial(_faults_under_ruleset, suite, check, put))
        if found:
            yield found[0]
            return


def _faults_under_ruleset(suite: Suite, check: Check, put: Callable[[Check], Check]) -> Iterator[Diagnostic]:
    """Yield the reasons why the position of a scenario cannot be set up under the ruleset of a check."""
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
    """Yield the points expected for a player whose score is counted under the partner: the step, the player and the
    partner."""
    for expected in check.branches.values():
        for number, expectation in expected.items():
            for seat in (*expectation.get("scores", ()), *expectation.get("total", ())):
                if seat in SEATS[: rules.players] and (first := side(rules, seat)[0]) != seat:
                    yield number, seat, first


def _of_another_game(rules: Rules, scenario: Scenario) -> Iterator[Diagnostic]:
    """Yield a diagnostic for every act and question that exists only in other games."""
    for number, step in enumerate(scenario.steps):
        for key, what, known in (("do", "act", acts(rules)), ("ask", "question", questions(rules))):
            word = step.get(key)
            if word is not None and word not in known:
                message = f"there is no {what} '{word}' under {rules.id}"
                remedy = f"Choose one of: {', '.join(known)}. Or leave {rules.id} out of this scenario."
                yield scenario.document.diagnose(["steps", number, key], "senseless-step", message, remedy)


def _senseless(game: Game, plan: RunRequest) -> Iterator[tuple[int, str]]:
    """Yield each step, counted from 0, that makes no sense under a ruleset in any position, with the reason."""
    for number, end in enumerate(plan.ends):
        for act in plan.message["steps"][plan.start(number + 1) : end]:
            try:
                if "ask" in act:
                    game.ask(read_question(game.rules, act))
                else:
                    game.check(read_act(game.rules, act))
            except Malformed as error:
                yield number, str(error)


# ---- loading


Lint = Callable[[Suite], Iterable[Diagnostic]]


def load_suite(
    root: Path | None = None,
    *,
    drafts: bool = False,
    scenarios: bool = True,
    positions: bool = True,
    known: Mapping[str, Any] = MappingProxyType({}),
    position_lint: Lint = lint_positions,
) -> Suite:
    """Return the suite in a spec folder, by default the installed one; raises Invalid.

    With `drafts`, invalid scenarios are left out. Without `scenarios`, all scenarios are left out; without `positions`,
    positions are not linted. `known` has the data of files that need not be read again, by their names in the folder.
    """
    suite, faults = read_suite(root or find_spec(), scenarios=scenarios, known=known)
    if drafts or not faults:
        faults = _with_lint(suite, faults, (lint_links, position_lint) if positions else (lint_links,))
    if faults and not (drafts and all(_is_of_a_scenario(suite, fault) for fault in faults)):
        raise Invalid(faults)
    return without_faulty(suite, faults)


def _is_of_a_scenario(suite: Suite, fault: Diagnostic) -> bool:
    """Return whether the file with a fault is a scenario."""
    return fault.file.startswith(suite.shown(suite.root / "scenarios"))


def _with_lint(suite: Suite, faults: list[Diagnostic], lints: Iterable[Lint]) -> list[Diagnostic]:
    """Return the faults of reading and those that these lints find. Each lint sees only the scenarios that are valid
    so far; linting stops after a fault in the rules."""
    for lint in lints:
        if all(_is_of_a_scenario(suite, fault) for fault in faults):
            faults = [*faults, *lint(without_faulty(suite, faults))]
    return faults


# ---- compilation of edited scenarios


#: For fewer scenarios than this, each is searched for by name in the file of rulesets that inherit outcomes.
_FEW: Final = 10


def compile_edited(suite: Suite, files: Sequence[str], *, drafts: bool) -> tuple[Compiled, list[Diagnostic]] | None:
    """Compile the scenarios in some files under the rules of a suite, and return the faults of those left out. Without
    `drafts`, they are linted only if all are readable. Return None if a file is not named after its scenario, because
    two files may then have the same id."""
    documents, faults = [], list[Diagnostic]()
    for name in files:
        path = suite.root / name
        try:
            document = read_document(suite.schemas, "scenario", path, suite.shown(path), within=tree(suite.root))
        except Invalid as invalid:
            faults += invalid.diagnostics
        else:
            if file_of(document.data["id"]) != name:
                return None
            documents.append(document)
    known, scenarios = known_names(suite.rulesets), []
    for document in documents:
        name = document.data["id"]
        at_work = read_at_work(suite.root, suite.schemas, name if len(files) < _FEW else "")
        scenarios.append(scenario_from(document, existing(at_work.of(name).checks, known)))
    if drafts or not faults:
        faults += [fault for each in scenarios for fault in lint_of_suite(suite, each)]
    broken = {fault.file for fault in faults}
    return compiled_scenarios(
        replace(suite, scenarios={each.id: each for each in scenarios if each.file not in broken})
    ), faults
