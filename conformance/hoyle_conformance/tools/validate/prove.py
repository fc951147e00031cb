"""Proofs of scenarios with the reference interpreter.

For every scenario: the position can be completed; the reference agrees with every reading; every cited clause affects
the result; open cards do not matter; no card is lost; and a refused act changes nothing.
"""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain
from typing import Any, Final

from hoyle_conformance.checks.cache.proofs import ALL_ANEW, Proofs, inputs_of, inputs_of_check
from hoyle_conformance.checks.plan import plan
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.preludes.store import check_history
from hoyle_conformance.checks.request import CannotSetUp, RunRequest
from hoyle_conformance.checks.setup.fill import VARIANTS
from hoyle_conformance.checks.setup.given import REST, Given
from hoyle_conformance.checks.setup.trace import Traced, observations, trace
from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.runner.answers import WatchedRules
from hoyle_conformance.runner.judge import judge
from hoyle_conformance.runner.results import Mismatch
from hoyle_conformance.suite.model import Check, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import words
from hoyle_reference import Malformed, Rules, read_position, write_position
from hoyle_reference.cards import name

# ---- the card that a refused act names although its player does not hold it


#: The reason of such a refusal.
CARD_NOT_HELD: Final = "card-not-held"
#: The words for places of cards that belong to no player, by the key in a position.
_SHARED: Final = {"stock": "is in the stock", "undrawn": "is in the stock", "trick": "is in the trick"}
#: The words for places of cards that belong to a player.
_OWNED: Final = {
    "hands": "is in the hand of {}",
    "won": "is among the cards won by {}",
    "discards": "was discarded by {}",
}


@dataclass(frozen=True, slots=True)
class NotHeld:
    """A card that a player does not hold: its place in the step, the fault, and the remedy."""

    path: tuple[str | int, ...]
    message: str
    remedy: str


@dataclass(frozen=True, slots=True)
class _Act:
    """An act of a scenario that names a card which its player does not hold: its step (from 1), the card with its place
    in the step, and the whole position before the act."""

    step: int
    place: tuple[str | int, ...]
    by: str
    card: str
    stands: Mapping[str, Any]


def not_held(
    given: Given, steps: Sequence[Mapping[str, Any]], plan: RunRequest, traced: Sequence[Traced], start: int
) -> NotHeld | None:
    """Return the missing card of the first act, from step `start` on, that is refused because of it. Return None if
    every card is held and only may not be used."""
    refused = (at for at, each in enumerate(traced) if each.refusal and each.refusal.code == CARD_NOT_HELD)
    at = next(at for at in refused if at >= start)
    stands = traced[at - 1].position if at else plan.position
    step = next(number for number, end in enumerate(plan.ends, start=1) if at < end)
    act = next(_lacking(traced[at].step, steps[step - 1], step, stands), None)
    if act is None:
        return None
    if other := next((each for each in _hand(stands, act.by) if each[:2] == act.card[:2]), ""):
        message = f"{act.by} holds {other}, not {act.card}"
        written = f'"{other}"' if "#" in other else other
        return NotHeld(act.place, message, f"Write {written} here; or give {act.card} in hands.{act.by}.")
    lies = _lies(act, given, plan, traced[:at])
    return NotHeld(act.place, f"{act.by} does not hold {act.card}: {lies}", _give(act, given))


def _lacking(
    single: Mapping[str, Any], step: Mapping[str, Any], number: int, stands: Mapping[str, Any]
) -> Iterator[_Act]:
    """Yield every card of an act that is not in its player's hand; `step` is that of the scenario, which may stand for
    several acts."""
    cards = [single["card"]] if "card" in single else single.get("cards", ())
    for at, card in enumerate(cards):
        if card not in _hand(stands, single["by"]):
            within: tuple[str | int, ...] = ("card",)
            if "cards" in step:
                within = ("cards", step["cards"].index(card) if card in step["cards"] else at)
            yield _Act(number, ("steps", number - 1, *within), single["by"], card, stands)


def _hand(stands: Mapping[str, Any], by: str) -> Sequence[str]:
    """Return the cards that a player holds; none before the deal."""
    hand: Sequence[str] = stands.get("hands", {}).get(by, ())
    return hand


def _lies(act: _Act, given: Given, plan: RunRequest, before: Sequence[Traced]) -> str:
    """Return the words for the place of the card."""
    for at, each in enumerate(before):
        if each.step.get("card") == act.card and each.step.get("do") == "play" and not each.refusal:
            number = next(number for number, end in enumerate(plan.ends, start=1) if at < end)
            return f"{each.step['by']} has played it in step {number}"
    if act.card not in _cards_in(given):
        return "the position does not give it"
    if act.card == act.stands.get("turn_up"):
        return "it is the turn-up"
    shared = (words for key, words in _SHARED.items() if act.card in act.stands.get(key, ()))
    owned = (
        words.format(seat)
        for key, words in _OWNED.items()
        for seat, cards in act.stands.get(key, {}).items()
        if act.card in cards
    )
    return f"it {next(chain(shared, owned), 'is elsewhere')}"


def _cards_in(value: Any) -> Iterator[str]:
    """Yield every text in a value, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _cards_in(each)


def _give(act: _Act, given: Given) -> str:
    """Return the remedy: how to give the card to the player, or how to expect the refusal."""
    hand = given.get("hands", {}).get(act.by, (REST,))
    instead = "" if REST in hand else ", in place of another card"
    give = f"Give it in hands.{act.by}{instead}"
    if act.card in hand:
        give = "Correct the card"
    elif act.card in _cards_in(given):
        give = f"Correct the card or the player, or move it to hands.{act.by}{instead}"
    return f"{give}; or, if the refusal is the point, expect it: '{act.step}: {{refused: {CARD_NOT_HELD}}}'."


# ---- proofs


_WHICH_IS_WRONG: Final = (
    "Find out from the source which of the two is wrong before changing either; 'hoyle explain' shows every step."
)
_NOT_THE_SCENARIO: Final = "This is a bug in the reference interpreter. Please report it."


@dataclass(frozen=True, slots=True)
class CheckTrial:
    """A check played by the reference interpreter under its own ruleset."""

    suite: Suite
    check: Check
    rules: Rules
    plan: RunRequest
    traced: Sequence[Traced]

    def diagnose(self, path: Sequence[str | int], code: str, message: str, remedy: str) -> Diagnostic:
        """Return a diagnostic at a place in the scenario's file."""
        return self.check.scenario.document.diagnose(path, code, message, remedy)


def prove_scenario(suite: Suite, scenario: Scenario, proofs: Proofs = ALL_ANEW) -> list[Diagnostic]:
    """Return every fault of a scenario whose file is valid. Rulesets with the same outcome are represented by the first
    with a fault, and each place by its first fault."""
    faults: dict[tuple[int, int, str], Diagnostic] = {}
    faulty: set[tuple[str | int, ...]] = set()
    for each in suite.index.checks_of(scenario):
        outcome = tuple(_expect_path(each, each.follows))
        proof = partial(check_faults, suite, each)
        found = [] if outcome in faulty else proofs.faults(partial(inputs_of_check, suite, each, "check"), proof)
        if each.ruleset not in scenario.named:
            found = [not_inherited(each, each.ruleset, fault) for fault in found[:1]]
        faulty |= {outcome} if found else set()
        for fault in found:
            faults.setdefault((fault.line, fault.column, fault.code), fault)
    history = partial(_inputs_of_history, suite, scenario)
    return list(faults.values()) or proofs.faults(history, partial(check_history, suite, scenario))


def _inputs_of_history(suite: Suite, scenario: Scenario) -> Sequence[Any]:
    """Return the files on which the proof depends that a history leads to the position of a scenario."""
    inputs = inputs_of(suite)
    return "history", inputs.scenario(scenario), inputs.rules(scenario.rulesets)


def check_faults(suite: Suite, check: Check) -> list[Diagnostic]:
    """Return the faults of a check; raise CannotSetUp or Malformed if its position cannot be set up."""
    return list(_prove_check(suite, check))


def not_inherited(base: Check, ruleset: str, fault: Diagnostic) -> Diagnostic:
    """Return the fault that a ruleset does not share the outcome of `base` that it inherits."""
    key, at = entry_of(base)
    return base.scenario.document.diagnose(
        [key, at, "rulesets"],
        "not-inherited",
        f"the outcome does not hold for {ruleset}, which inherits it: {fault.message}",
        f"Give {ruleset} an outcome of its own, or name it under 'but_not'.",
        key=True,
    )


def entry_of(check: Check) -> tuple[str, int]:
    """Return the list, and the index in it, of a check's entry in the scenario's file."""
    scenario = check.scenario
    if check.follows:
        return "followed_by", next(n for n, each in enumerate(scenario.followed_by) if check.ruleset in each.rulesets)
    return "outcomes", next(n for n, each in enumerate(scenario.outcomes) if check.ruleset in each.rulesets)


def _prove_check(suite: Suite, check: Check) -> Iterator[Diagnostic]:
    rules, request = suite.rules.of(check.ruleset), planner_of(suite).request(check)
    trial = CheckTrial(suite, check, rules, request, trace(rules, request.message))
    for proof in PROOFS:
        faults = list(proof(trial))
        if faults:
            yield from faults
            return


def _mismatch(
    trial: CheckTrial, observed: Sequence[Mapping[str, Any]], reading: str, request: RunRequest | None = None
) -> Mismatch | None:
    """Return the place where the observations differ from one branch of the check; None if they agree."""
    only = replace(trial.check, branches={reading: trial.check.branches[reading]}, follows=reading)
    return judge(only, request or trial.plan, observed, trusted=True).mismatch


def table_follows_the_reading(trial: CheckTrial) -> Iterator[Diagnostic]:
    """Yield a fault if the table does not follow the reading that the scenario names."""
    reading = next((each for each in trial.check.readings if each.name == trial.check.follows), None)
    for path, wanted in reading.cells.items() if reading else ():
        follows = trial.rules.cells[path].follows
        if follows != wanted:
            message = f"the table of {trial.check.ruleset} follows '{follows}' in {path}, not '{wanted}'"
            yield trial.diagnose(
                [*entry_of(trial.check), "reading"], "not-followed", message, "Name the reading that it follows."
            )


def no_reading_is_left_out(trial: CheckTrial) -> Iterator[Diagnostic]:
    """Yield a fault if the scenario omits a reading of a cell that it reads in several ways."""
    named: dict[str, set[str]] = defaultdict(set)
    for reading in trial.check.readings if trial.check.follows else ():
        for path, way in reading.cells.items():
            named[path].add(way)
    for path, names in named.items():
        missing = [each.name for each in trial.rules.cells[path].readings if each.name not in names]
        if missing:
            message = f"'{missing[0]}' is also a reading of {path} under {trial.check.ruleset}, and is missing"
            yield trial.diagnose(["readings"], "reading-left-out", message, "Add it, with its outcome.")


def readings_differ(trial: CheckTrial) -> Iterator[Diagnostic]:
    """Yield a fault if all readings have the same outcome; two of three may agree."""
    outcomes = {repr(expected) for expected in trial.check.branches.values()}
    if trial.check.follows and len(outcomes) == 1:
        remedy = "Give readings whose outcomes differ, or write 'outcomes' instead."
        yield trial.diagnose(["readings"], "same-outcome", "the readings have the same outcome", remedy)


def reference_agrees(trial: CheckTrial) -> Iterator[Diagnostic]:
    """Yield a fault if the reference interpreter does not give the expected outcome."""
    mismatch = _mismatch(trial, [each.observation for each in trial.traced], trial.check.follows)
    if mismatch:
        yield _disagreement(trial, mismatch, trial.check.follows, f"under {trial.check.ruleset}")


def every_reading_can_be_executed(trial: CheckTrial) -> Iterator[Diagnostic]:
    """Yield a fault if a reading, set in the table, does not give its outcome."""
    for reading in trial.check.readings if trial.check.follows else ():
        if reading.name == trial.check.follows:  # `reference_agrees` proves the reading that the table follows
            continue
        as_read = trial.suite.rules.of(trial.check.ruleset, reading.cells)
        traced = trace(as_read, trial.plan.message)
        mismatch = _mismatch(trial, [each.observation for each in traced], reading.name)
        if mismatch:
            where = f"under {trial.check.ruleset}, read as '{reading.name}'"
            yield _disagreement(replace(trial, traced=traced), mismatch, reading.name, where)


def what_is_decided_rests_on_no_other_reading(trial: CheckTrial) -> Iterator[Diagnostic]:
    """Yield a fault if the outcome depends on a disputed cell whose readings the scenario does not list."""
    side_by_side = trial.check.readings if trial.check.follows else ()
    read = {path for reading in side_by_side for path in reading.cells}
    as_followed = [each.observation for each in trial.traced]
    asked = cells_read(trial.suite, trial.check.ruleset, trial.plan.message)
    for path, reading in trial.suite.rules.other_readings(trial.check.ruleset):
        if path in read or path not in asked:
            continue
        observed = observations(trial.suite.rules.of(trial.check.ruleset, {path: reading}), trial.plan.message)
        if observed == as_followed:  # the usual case, and nothing was wrong in it
            continue
        mismatch = _mismatch(trial, observed, trial.check.follows)
        if mismatch:
            message = f"the outcome of step {mismatch.step} depends on how {path} is read"
            remedy = f"Change the position so that it does not, or give readings: under '{reading}' it differs."
            place = [*_expect_path(trial.check, trial.check.follows), str(mismatch.step)]
            yield trial.diagnose(place, "rests-on-a-reading", message, remedy)


def cells_read(suite: Suite, ruleset: str, message: Mapping[str, Any]) -> frozenset[str]:
    """Return the paths of the cells that a `run` message and its observations can depend on. Raises Malformed if the
    message makes no sense."""
    compiled = suite.derived(_watched)
    if ruleset not in compiled:
        compiled[ruleset] = WatchedRules(ruleset, suite.rules.cells(ruleset))
    watched = compiled[ruleset]
    for cached in _caches():
        cached.cache_clear()  # a function with a cached result would not read the cells again
    watched.read.clear()
    observations(watched.rules, message)
    return frozenset(path for path in watched.always | watched.read if path in watched.rules.cells)


def _watched(_suite: Suite) -> dict[str, WatchedRules]:
    """Return a new cache of watched rules, by ruleset."""
    return {}


@cache
def _caches() -> tuple[Any, ...]:
    """Return the functions of the interpreter that cache their results."""
    modules = [each for name, each in sys.modules.items() if name.partition(".")[0] == "hoyle_reference"]
    return tuple(each for module in modules for each in vars(module).values() if hasattr(each, "cache_clear"))


def _disagreement(trial: CheckTrial, mismatch: Mismatch, reading: str, where: str) -> Diagnostic:
    step, melds = mismatch.step, trial.suite.rules.meld_names(trial.check.ruleset)
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


def _not_held(trial: CheckTrial, step: int) -> NotHeld | None:
    """Return the card that a refused step uses and its player does not hold."""
    scenario = trial.check.scenario
    return not_held(scenario.given, scenario.steps, trial.plan, trial.traced, trial.plan.start(step))


def _expect_path(check: Check, reading: str) -> list[str | int]:
    if reading:
        return ["readings", reading, "expect"]
    return [*entry_of(check), "expect"]


def citations_are_at_work(trial: CheckTrial) -> Iterator[Diagnostic]:
    """Yield a fault for each cited clause that no event of the scenario rests on.

    A clause borrowed to fill a gap in a ruleset's own source may be cited for another ruleset of the entry. A ruleset
    that inherits the outcome may have a rule of its own instead.
    """
    check = trial.check
    at_work = trial.rules.cells.clauses(path for each in trial.traced for path in each.grounds)
    key, at = entry_of(check)
    entry = check.scenario.document.data[key][at]
    for clause in check.cites if check.ruleset in check.scenario.named else ():
        if clause not in at_work and not _is_of_another(trial, clause, entry["rulesets"]):
            message = f"{clause} is cited, but no rule that comes from it is at work in this scenario"
            remedy = f"Clauses at work: {', '.join(sorted(at_work))}."
            place = [key, at, "cites", entry["cites"].index(clause)]
            yield trial.diagnose(place, "idle-citation", message, remedy)


def _is_of_another(trial: CheckTrial, clause: str, rulesets: Sequence[str]) -> bool:
    """Whether a clause is from the sources of another ruleset of the entry, and not from the ruleset's own."""
    source = clause.partition("/")[0]

    def own(ruleset: str) -> bool:
        return source in trial.suite.rulesets[ruleset.partition("+")[0]].sources

    return not own(trial.check.ruleset) and any(map(own, rulesets))


def open_cards_do_not_matter(trial: CheckTrial) -> Iterator[Diagnostic]:
    """Yield a fault if the outcome changes when the open cards are dealt differently."""
    for variant in range(1, len(VARIANTS)):
        try:
            other = plan(trial.check, trial.rules, trial.suite.capabilities, variant)
            if other.message == trial.plan.message:  # nothing is dealt from it, and the reference agrees with it
                continue
            mismatch = _mismatch(trial, observations(trial.rules, other.message), trial.check.follows, other)
        except (CannotSetUp, Malformed) as error:
            message = f"if the cards left open with ... are dealt differently, the position cannot be set up: {error}"
            yield trial.diagnose(["given"], "open-cards-matter", message, "Give the cards that matter.")
            return
        if mismatch:
            observed = words.value(mismatch.what, mismatch.observed, trial.suite.rules.meld_names(trial.check.ruleset))
            message = f"the outcome of step {mismatch.step} depends on the cards left open with ..."
            remedy = f"Give the cards that matter; with others, the result is: {observed}."
            yield trial.diagnose(["given"], "open-cards-matter", message, remedy)
            return


def refusals_change_nothing(trial: CheckTrial) -> Iterator[Diagnostic]:
    """Yield a fault if a refused act changes the position."""
    if not any(each.refusal for each in trial.traced):
        return
    before: Any = write_position(read_position(trial.rules, trial.plan.message["position"]))
    for number, each in enumerate(trial.traced):
        if each.refusal and each.position != before:
            path = _step_path(trial, number)
            yield trial.diagnose(path, "refusal-changed", "a refused act changed the position", _NOT_THE_SCENARIO)
        before = each.position


def cards_are_conserved(trial: CheckTrial) -> Iterator[Diagnostic]:
    """Yield a fault if a card of the pack is not in exactly one place after a step."""
    for number, each in enumerate(trial.traced):
        if "hands" in each.position and sorted(_all_cards(each.position)) != sorted(map(name, trial.rules.pack)):
            path = _step_path(trial, number)
            yield trial.diagnose(path, "cards-lost", "this step loses or doubles a card", _NOT_THE_SCENARIO)


def _step_path(trial: CheckTrial, single: int) -> list[str | int]:
    """Return the path of the scenario's step to which a single step belongs."""
    return ["steps", next(step for step, end in enumerate(trial.plan.ends) if single < end)]


def _all_cards(position: Any) -> Iterator[str]:
    for key in ("hands", "won", "discards"):
        for cards in position.get(key, {}).values():
            yield from cards
    yield from position["stock"]
    yield from position.get("undrawn", ())
    yield from position["trick"]
    if position.get("turn_up"):
        yield position["turn_up"]


#: The proofs in their order. The first fault ends the trial, since later proofs would mostly repeat it.
PROOFS: Final[tuple[Callable[[CheckTrial], Iterator[Diagnostic]], ...]] = (
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
