"""Truth checks: what every scenario must prove about itself on the reference interpreter.

Its position can be completed; the reference agrees with it, for every reading; every clause it cites is at work in it;
cards that are said not to matter do not; no card is lost, and a refused act changes nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from hoyle_reference import Malformed, Rules, read_position, write_position

from ..files.diagnostics import Diagnostic
from ..run.judge import judge
from ..run.results import Mismatch, Status
from .complete import Incomplete
from .model import Check, Scenario, checks_of
from .plan import Plan, plan
from .trace import Traced, trace

if TYPE_CHECKING:
    from .load import Suite

#: How many other ways the cards that do not matter are dealt out.
VARIANTS: Final = (1, 2, 3)


def check(suite: "Suite", scenario: Scenario) -> list[Diagnostic]:
    """Everything that is wrong with a scenario whose file is valid."""
    faults: list[Diagnostic] = []
    for each in checks_of(scenario):
        faults += _check(suite, each)
        if faults:
            break  # the other rulesets would mostly repeat it
    return faults


def _check(suite: "Suite", check: Check) -> Iterator[Diagnostic]:
    document = check.scenario.document
    rules = suite.rules(check.ruleset)
    try:
        prepared = plan(check, rules, suite.capabilities)
        traced = trace(rules, prepared.body)
        variants = [plan(check, rules, suite.capabilities, variant) for variant in VARIANTS]
    except Incomplete as error:
        path = error.path if error.path[0] == "steps" else ("given", *error.path)
        yield document.diagnose(path, "position", error.message, error.remedy)
        return
    except Malformed as error:
        yield document.diagnose(["steps"], "malformed", f"under {check.ruleset}: {error}", "Correct the position or the step.")
        return
    faults = [
        *_agreement(suite, check, prepared, traced),
        *_invariants(check, rules, prepared, traced),
    ]
    if not faults:
        faults += _citations(check, rules, traced)
        faults += _readings(suite, check, prepared)
        for other in variants:
            faults += _variant(check, rules, other)
    yield from faults


def _agreement(suite: "Suite", check: Check, prepared: Plan, traced: Sequence[Traced]) -> Iterator[Diagnostic]:
    only_own = Check(check.scenario, check.ruleset, check.cites, {check.follows: check.expect}, check.follows)
    mismatch = judge(only_own, prepared, [each.observation for each in traced], trusted=True).mismatch
    if mismatch:
        yield _disagreement(check, check.follows, mismatch, f"under {check.ruleset}")


def _disagreement(check: Check, reading: str, mismatch: Mismatch, where: str) -> Diagnostic:
    path = _expect_path(check, reading)
    what = f"step {mismatch.step}, {mismatch.what}: expected {mismatch.expected}, but the reference interpreter gives {mismatch.observed}"
    remedy = "Find out from the source which of the two is wrong before changing either; `hoyle explain` shows every step."
    return check.scenario.document.diagnose([*path, str(mismatch.step)], "disagreement", f"{where}, {what}", remedy, key=True)


def _expect_path(check: Check, reading: str) -> list[str | int]:
    if reading:
        return ["readings", reading, "expect"]
    at = next(at for at, outcome in enumerate(check.scenario.outcomes) if check.ruleset in outcome.rulesets)
    return ["outcomes", at, "expect"]


def _cites_path(check: Check) -> list[str | int]:
    key = "followed_by" if check.follows else "outcomes"
    entries = check.scenario.document.data[key]
    return [key, next(at for at, entry in enumerate(entries) if check.ruleset in entry["rulesets"]), "cites"]


def _citations(check: Check, rules: Rules, traced: Sequence[Traced]) -> Iterator[Diagnostic]:
    """A clause that is cited must stand behind something that happens in the scenario."""
    at_work = rules.cells.clauses(path for each in traced for path in each.grounds)
    for at, clause in enumerate(check.cites):
        if clause not in at_work:
            yield check.scenario.document.diagnose(
                [*_cites_path(check), at],
                "idle-citation",
                f"{clause} is cited, but no rule that comes from it is at work in this scenario",
                f"At work are: {', '.join(sorted(at_work))}.",
            )


def _readings(suite: "Suite", check: Check, prepared: Plan) -> Iterator[Diagnostic]:
    """Every reading, made so by its cells, gives its outcome; the table follows the one it is said to follow."""
    document, scenario = check.scenario.document, check.scenario
    cells = suite.rules(check.ruleset).cells
    for reading in scenario.readings if check.follows else ():
        if reading.name == check.follows:
            other = [path for path, name in reading.cells.items() if cells[path].follows != name]
            for path in other:
                message = f"{check.ruleset} follows '{cells[path].follows}' in {path}, not '{reading.cells[path]}'"
                yield document.diagnose(["readings", reading.name, "cells", path], "not-followed", message, "Name the reading that the table follows.")
        as_read = suite.rules(check.ruleset, reading.cells)
        traced = trace(as_read, prepared.body)
        only = Check(scenario, check.ruleset, check.cites, {reading.name: reading.expect}, reading.name)
        mismatch = judge(only, prepared, [each.observation for each in traced], trusted=True).mismatch
        if mismatch:
            yield _disagreement(check, reading.name, mismatch, f"under {check.ruleset} read as '{reading.name}'")
    if check.follows and len({repr(expect) for expect in check.branches.values()}) < len(check.branches):
        yield document.diagnose(["readings"], "same-outcome", "two readings have the same outcome", "Readings must differ in what can be seen.")


def _invariants(check: Check, rules: Rules, prepared: Plan, traced: Sequence[Traced]) -> Iterator[Diagnostic]:
    """Cards are conserved after every step, and a refused act leaves everything as it was."""
    before = write_position(read_position(rules, prepared.body["position"]))
    for number, each in enumerate(traced, start=1):
        step = next(step for step, end in enumerate(prepared.ends, start=1) if number <= end)
        if each.violation and each.position != before:
            yield check.scenario.document.diagnose(["steps", step - 1], "refusal-changed", "a refused act has changed the position", "This is a fault of the reference interpreter.")
        if "hands" in each.position and _count(each.position) != len(set(_cards(each.position))):
            yield check.scenario.document.diagnose(["steps", step - 1], "cards-lost", "a card lies in two places after this step", "This is a fault of the reference interpreter.")
        before = each.position


def _cards(position: Mapping[str, Any]) -> Iterator[str]:
    for key in ("hands", "won"):
        for cards in position[key].values():
            yield from cards
    yield from position["stock"]
    yield from position["trick"]
    if position["turn_up"]:
        yield position["turn_up"]


def _count(position: Mapping[str, Any]) -> int:
    return sum(1 for _ in _cards(position))


def _variant(check: Check, rules: Rules, other: Plan) -> Iterator[Diagnostic]:
    """Cards that matter to nobody may be any: dealt out otherwise, the outcome is the same."""
    traced = trace(rules, other.body)
    only_own = Check(check.scenario, check.ruleset, check.cites, {check.follows: check.expect}, check.follows)
    result = judge(only_own, other, [each.observation for each in traced], trusted=True)
    if result.status is not Status.PASS:
        mismatch = result.mismatch
        assert mismatch is not None, "the reference does every step"
        yield check.scenario.document.diagnose(
            ["given"],
            "filler-matters",
            f"the outcome of step {mismatch.step} depends on the cards left open with ...",
            f"Give the cards that matter: with others it shows {mismatch.what} {mismatch.observed}, not {mismatch.expected}.",
        )
