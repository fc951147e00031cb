"""Truth checks: what every scenario must prove about itself on the reference interpreter.

Its position can be completed; the reference agrees with it, for every reading; every clause it cites is at work in it;
cards that are said not to matter do not; no card is lost, and a refused act changes nothing.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.lint_games import in_this_suite
from hoyle_conformance.checks.lint_positions import lint_position
from hoyle_conformance.checks.plan import plan
from hoyle_conformance.checks.preludes.check_store import check_history
from hoyle_conformance.checks.request import CannotSetUp, RunRequest
from hoyle_conformance.checks.setup.fill import VARIANTS
from hoyle_conformance.checks.setup.missing_card import CARD_NOT_HELD, NotHeld, not_held
from hoyle_conformance.checks.setup.trace import Traced, observations, trace
from hoyle_conformance.files.diagnostics import COUNTED, Diagnostic, Invalid, shown_path
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Mismatch
from hoyle_conformance.suite.build import census_from, ruleset_from, scenario_from, source_from
from hoyle_conformance.suite.lint.grounds import lint_open
from hoyle_conformance.suite.lint.proposals import as_if_confirmed
from hoyle_conformance.suite.lint.references import lint_ledger, lint_scenario
from hoyle_conformance.suite.lint.tables import lint_table
from hoyle_conformance.suite.load import id_in_use
from hoyle_conformance.suite.model import Check, Filed, Scenario
from hoyle_conformance.suite.paths import kind_of, tree
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.census.tables import prove_census
from hoyle_conformance.tools.house_rules.load import read_house_rules
from hoyle_conformance.wording import words
from hoyle_reference import Malformed, Rules, read_position, write_position
from hoyle_reference.frozen import frozen
from hoyle_reference.table.cards import name

_WHICH_IS_WRONG: Final = (
    "Find out from the source which of the two is wrong before changing either; 'hoyle explain' shows every step."
)
_YAML: Final = frozenset({".yaml", ".yml"})
_NOT_THE_SCENARIO: Final = "This is a fault of the reference interpreter: please report it."


@frozen
class Trial:
    """A check taken through the reference interpreter under its own ruleset."""

    suite: Suite
    check: Check
    rules: Rules
    plan: RunRequest
    traced: Sequence[Traced]

    def diagnose(self, path: Sequence[str | int], code: str, message: str, remedy: str) -> Diagnostic:
        """A diagnostic at a place in the scenario's file."""
        return self.check.scenario.document.diagnose(path, code, message, remedy)


def check_file(suite: Suite, path: Path) -> list[Diagnostic]:
    """What is wrong with one file, of the suite or meant for it, wherever it lies; of very many mistakes the first."""
    return list(islice(_of_a_file(suite, path), COUNTED))


def _of_a_file(suite: Suite, path: Path) -> Iterable[Diagnostic]:
    shown = shown_path(path)
    kind = kind_of(path)
    if kind is None and _holds_house_rules(path, shown):
        return _of_the_house(suite, path)
    if kind is None:
        remedy = "Its name ends in .scenario.yaml, .ruleset.yaml, .source.yaml or .census.yaml."
        return [Diagnostic(shown, 1, 1, "file-name", "this is no file of the suite", remedy)]
    try:
        document = read_file(path, shown, within=_tree(suite, path))
    except Invalid as invalid:
        return invalid.diagnostics
    if found := suite.schemas.complaints(kind, document.data):
        about = in_this_suite if kind == "scenario" else lambda _suite, _data, complaint: complaint
        return [document.complain(about(suite, document.data, each)) for each in found]
    return _check_document(suite, kind, document, path)


def _of_the_house(suite: Suite, path: Path) -> Iterable[Diagnostic]:
    """What is wrong with a file of house rules."""
    try:
        read_house_rules(suite, path)
    except Invalid as invalid:
        return invalid.diagnostics
    return ()


def _holds_house_rules(path: Path, shown: str) -> bool:
    """Whether a file of any name is meant for house rules: it says which ruleset they extend."""
    if path.suffix not in _YAML:
        return False
    try:
        return "extends" in read_file(path, shown, within=path.parent).data
    except Invalid:
        return False


def _tree(suite: Suite, path: Path) -> Path | None:
    """The folder out of which a file, if it is a link, may not lead: the spec in which it lies, or else its own."""
    lies, spec = (Path(os.path.abspath(each)) for each in (path, suite.root))  # noqa: PTH100 -- no link is followed
    return tree(suite.root) if lies.is_relative_to(spec) else lies.parent


def _is_the_same(one: Path, other: Path) -> bool:
    """Whether two paths are of one file; there are systems that tell no capitals apart."""
    try:
        return one.samefile(other)
    except OSError:
        return False


def _check_document(suite: Suite, kind: str, document: Document, path: Path) -> Iterable[Diagnostic]:
    known: Mapping[str, Mapping[str, Filed]] = {
        "source": suite.sources,
        "ruleset": suite.rulesets,
        "scenario": suite.scenarios,
        "census": suite.censuses,
    }
    other = known[kind].get(document.data["id"])
    if other and not _is_the_same(suite.root.parent / other.document.file, path):
        return [id_in_use(document, other.document.file)]
    if kind == "source":
        source = source_from(document)
        return [*lint_ledger(suite, source), *lint_open(suite, source)]
    if kind == "ruleset":
        return lint_table(suite, ruleset_from(document))
    if kind == "census":
        return prove_census(suite, census_from(document))
    of_the_suite = suite.scenarios.get(document.data["id"])
    scenario = scenario_from(document, of_the_suite.inherited if of_the_suite else {})
    if scenario.proposals:
        return lint_scenario(suite, scenario) or list(lint_position(suite, as_if_confirmed(scenario)))
    return lint_scenario(suite, scenario) or list(lint_position(suite, scenario)) or prove(suite, scenario)


def prove(suite: Suite, scenario: Scenario) -> list[Diagnostic]:
    """Everything that is wrong with a scenario whose file is valid: of several rulesets with one outcome, under the
    first that has a fault; and in each place the first."""
    faults: dict[tuple[int, int, str], Diagnostic] = {}
    told: set[tuple[str | int, ...]] = set()
    for each in suite.checks_of(scenario):
        outcome = tuple(_expect_path(each, each.follows))
        found = [] if outcome in told else faults_of(suite, each)
        found = found if each.ruleset in scenario.named else [*_not_inherited(each, found)]
        told |= {outcome} if found else set()
        for fault in found:
            faults.setdefault((fault.line, fault.column, fault.code), fault)
    return list(faults.values()) or list(check_history(suite, scenario))


def faults_of(suite: Suite, check: Check) -> list[Diagnostic]:
    """What of a check is not true; raises Incomplete or Malformed where its position cannot be set up."""
    return list(_prove(suite, check))


def _not_inherited(check: Check, faults: Sequence[Diagnostic]) -> Iterator[Diagnostic]:
    """That an outcome does not hold for a ruleset that inherits it."""
    for fault in faults[:1]:
        key, at = entry_of(check)
        yield check.scenario.document.diagnose(
            [key, at, "rulesets"],
            "not-inherited",
            f"the outcome does not hold for {check.ruleset}, which inherits it: {fault.message}",
            f"Give {check.ruleset} an outcome of its own, or name it under 'but_not'.",
            key=True,
        )


def entry_of(check: Check) -> tuple[str, int]:
    """The list and the place of the entry in a scenario's file that a check comes from."""
    scenario = check.scenario
    if check.follows:
        return "followed_by", next(n for n, each in enumerate(scenario.followed_by) if check.ruleset in each.rulesets)
    return "outcomes", next(n for n, each in enumerate(scenario.outcomes) if check.ruleset in each.rulesets)


def _prove(suite: Suite, check: Check) -> Iterator[Diagnostic]:
    rules, prepared = suite.rules(check.ruleset), suite.plan(check)
    trial = Trial(suite, check, rules, prepared, trace(rules, prepared.message))
    for truth in TRUTHS:
        faults = list(truth(trial))
        if faults:
            yield from faults
            return


def _mismatch(
    trial: Trial, observed: Sequence[Mapping[str, Any]], reading: str, prepared: RunRequest | None = None
) -> Mismatch | None:
    """Where what the reference observes departs from one branch of the check."""
    only = replace(trial.check, branches={reading: trial.check.branches[reading]}, follows=reading)
    return judge(only, prepared or trial.plan, observed, trusted=True).mismatch


def table_follows_the_reading(trial: Trial) -> Iterator[Diagnostic]:
    """The reading that a ruleset is said to follow is the one its table follows."""
    reading = next((each for each in trial.check.readings if each.name == trial.check.follows), None)
    for path, wanted in reading.cells.items() if reading else ():
        follows = trial.rules.cells[path].follows
        if follows != wanted:
            message = f"the table of {trial.check.ruleset} follows '{follows}' in {path}, not '{wanted}'"
            yield trial.diagnose(
                [*entry_of(trial.check), "reading"], "not-followed", message, "Name the reading that it follows."
            )


def no_reading_is_left_out(trial: Trial) -> Iterator[Diagnostic]:
    """Of a cell that a scenario reads in several ways, every reading that the table has is there."""
    named: dict[str, set[str]] = defaultdict(set)
    for reading in trial.check.readings if trial.check.follows else ():
        for path, way in reading.cells.items():
            named[path].add(way)
    for path, names in named.items():
        missing = [each.name for each in trial.rules.cells[path].readings if each.name not in names]
        if missing:
            message = f"'{missing[0]}' is another reading of {path} under {trial.check.ruleset}, and is left out"
            yield trial.diagnose(["readings"], "reading-left-out", message, "Say what it gives, as another or not.")


def readings_differ(trial: Trial) -> Iterator[Diagnostic]:
    """The readings differ in something that can be seen; of three, two may agree."""
    outcomes = {repr(expected) for expected in trial.check.branches.values()}
    if trial.check.follows and len(outcomes) == 1:
        remedy = "Readings must differ in what can be seen; or the scenario has outcomes."
        yield trial.diagnose(["readings"], "same-outcome", "the readings have the same outcome", remedy)


def reference_agrees(trial: Trial) -> Iterator[Diagnostic]:
    """The reference interpreter gives what the scenario expects."""
    mismatch = _mismatch(trial, [each.observation for each in trial.traced], trial.check.follows)
    if mismatch:
        yield _disagreement(trial, mismatch, trial.check.follows, f"under {trial.check.ruleset}")


def every_reading_can_be_executed(trial: Trial) -> Iterator[Diagnostic]:
    """Each reading, made so by its cells, gives its outcome."""
    for reading in trial.check.readings if trial.check.follows else ():
        if reading.name == trial.check.follows:  # `reference_agrees` proves the reading that the table follows
            continue
        as_read = trial.suite.rules(trial.check.ruleset, reading.cells)
        traced = trace(as_read, trial.plan.message)
        mismatch = _mismatch(trial, [each.observation for each in traced], reading.name)
        if mismatch:
            where = f"under {trial.check.ruleset}, read as '{reading.name}'"
            yield _disagreement(replace(trial, traced=traced), mismatch, reading.name, where)


def what_is_decided_rests_on_no_other_reading(trial: Trial) -> Iterator[Diagnostic]:
    """What a ruleset is to give holds however a disputed cell is read, but for the cells of which the scenario sets
    readings side by side for it."""
    side_by_side = trial.check.readings if trial.check.follows else ()
    read = {path for reading in side_by_side for path in reading.cells}
    as_followed = [each.observation for each in trial.traced]
    asked = trial.suite.watched(trial.check.ruleset).cells_read(trial.plan.message)
    for path, reading in trial.suite.other_readings(trial.check.ruleset):
        if path in read or path not in asked:
            continue
        observed = observations(trial.suite.rules(trial.check.ruleset, {path: reading}), trial.plan.message)
        if observed == as_followed:  # as it mostly is, and in which nothing was wrong
            continue
        mismatch = _mismatch(trial, observed, trial.check.follows)
        if mismatch:
            message = f"the outcome of step {mismatch.step} rests on how {path} is read"
            remedy = f"Change the position so that it does not, or give readings: under '{reading}' it differs."
            place = [*_expect_path(trial.check, trial.check.follows), str(mismatch.step)]
            yield trial.diagnose(place, "rests-on-a-reading", message, remedy)


def _disagreement(trial: Trial, mismatch: Mismatch, reading: str, where: str) -> Diagnostic:
    step, melds = mismatch.step, trial.suite.meld_names(trial.check.ruleset)
    if mismatch.what == "accepted":
        single = next(each for each in trial.traced[trial.plan.start(step) :] if each.refusal)
        reason = single.refusal.code if single.refusal else ""
        if reason == CARD_NOT_HELD and (card := _not_held(trial, step)):
            return trial.diagnose(card.path, "card-not-held", card.message, card.remedy)
        message = f"{where}, the act of step {step} is {words.value('refused', reason, melds)}"
        remedy = f"Correct the step; or, if the refusal is the point, expect it: '{step}: {{refused: {reason}}}'."
        return trial.diagnose(["steps", step - 1], "disagreement", message, remedy)
    expected = words.value(mismatch.what, mismatch.expected, melds)
    observed = words.value(mismatch.what, mismatch.observed, melds)
    message = f"{where}, at step {step} the scenario expects: {expected}; the reference interpreter gives: {observed}"
    path = [*_expect_path(trial.check, reading), str(step)]
    return trial.check.scenario.document.diagnose(path, "disagreement", message, _WHICH_IS_WRONG, key=True)


def _not_held(trial: Trial, step: int) -> NotHeld | None:
    """The card that is not held by whoever is to use it in a step, which is refused."""
    scenario = trial.check.scenario
    return not_held(scenario.given, scenario.steps, trial.plan, trial.traced, trial.plan.start(step))


def _expect_path(check: Check, reading: str) -> list[str | int]:
    if reading:
        return ["readings", reading, "expect"]
    return [*entry_of(check), "expect"]


def citations_are_at_work(trial: Trial) -> Iterator[Diagnostic]:
    """A clause that is cited stands behind something that happens in the scenario.

    One that a ruleset has only borrowed, to supply what its own source leaves open, may stand there for another of the
    entry's rulesets. A ruleset that inherits the outcome may have a rule of its own instead.
    """
    check = trial.check
    at_work = trial.rules.cells.clauses(path for each in trial.traced for path in each.grounds)
    key, at = entry_of(check)
    entry = check.scenario.document.data[key][at]
    for clause in check.cites if check.ruleset in check.scenario.named else ():
        if clause not in at_work and not _is_anothers(trial, clause, entry["rulesets"]):
            message = f"{clause} is cited, but no rule that comes from it is at work in this scenario"
            remedy = f"At work are: {', '.join(sorted(at_work))}."
            place = [key, at, "cites", entry["cites"].index(clause)]
            yield trial.diagnose(place, "idle-citation", message, remedy)


def _is_anothers(trial: Trial, clause: str, rulesets: Sequence[str]) -> bool:
    """Whether a clause is not of the ruleset's own sources, but of those of another in the same entry."""
    source = clause.partition("/")[0]

    def own(ruleset: str) -> bool:
        return source in trial.suite.rulesets[ruleset.partition("+")[0]].sources

    return not own(trial.check.ruleset) and any(map(own, rulesets))


def open_cards_do_not_matter(trial: Trial) -> Iterator[Diagnostic]:
    """With the cards that are left open dealt out otherwise, the outcome is the same."""
    for variant in range(1, len(VARIANTS)):
        try:
            other = plan(trial.check, trial.rules, trial.suite.capabilities, variant)
            if other.message == trial.plan.message:  # nothing of it is dealt out, and the reference agrees with it
                continue
            mismatch = _mismatch(trial, observations(trial.rules, other.message), trial.check.follows, other)
        except (CannotSetUp, Malformed) as error:
            message = f"with the cards left open with ... dealt out otherwise the position cannot be set up: {error}"
            yield trial.diagnose(["given"], "open-cards-matter", message, "Give the cards that matter.")
            return
        if mismatch:
            observed = words.value(mismatch.what, mismatch.observed, trial.suite.meld_names(trial.check.ruleset))
            message = f"the outcome of step {mismatch.step} depends on the cards left open with ..."
            remedy = f"Give the cards that matter; with others it is: {observed}."
            yield trial.diagnose(["given"], "open-cards-matter", message, remedy)
            return


def refusals_change_nothing(trial: Trial) -> Iterator[Diagnostic]:
    """A refused act leaves the whole position as it was."""
    if not any(each.refusal for each in trial.traced):
        return
    before: Any = write_position(read_position(trial.rules, trial.plan.message["position"]))
    for number, each in enumerate(trial.traced):
        if each.refusal and each.position != before:
            path = _step_path(trial, number)
            yield trial.diagnose(path, "refusal-changed", "a refused act has changed the position", _NOT_THE_SCENARIO)
        before = each.position


def cards_are_conserved(trial: Trial) -> Iterator[Diagnostic]:
    """After every step each card of the pack lies in exactly one place."""
    for number, each in enumerate(trial.traced):
        if "hands" in each.position and sorted(_cards(each.position)) != sorted(map(name, trial.rules.pack)):
            path = _step_path(trial, number)
            yield trial.diagnose(path, "cards-lost", "a card is lost or doubled by this step", _NOT_THE_SCENARIO)


def _step_path(trial: Trial, single: int) -> list[str | int]:
    """The path of the scenario's step to which a single step belongs."""
    return ["steps", next(step for step, end in enumerate(trial.plan.ends) if single < end)]


def _cards(position: Any) -> Iterator[str]:
    for key in ("hands", "won", "discards"):
        for cards in position.get(key, {}).values():
            yield from cards
    yield from position["stock"]
    yield from position.get("undrawn", ())
    yield from position["trick"]
    if position.get("turn_up"):
        yield position["turn_up"]


#: In this order; the first that finds a fault ends the trial, since the others would mostly repeat it.
TRUTHS: Final[tuple[Callable[[Trial], Iterator[Diagnostic]], ...]] = (
    table_follows_the_reading,
    no_reading_is_left_out,
    readings_differ,
    reference_agrees,
    refusals_change_nothing,
    cards_are_conserved,
    citations_are_at_work,
    every_reading_can_be_executed,
    what_is_decided_rests_on_no_other_reading,
    open_cards_do_not_matter,
)
