"""Explain a scenario in words: its position and every step, with its events and the rules behind them; and its
prelude."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.preludes.follow import proved_impossible
from hoyle_conformance.checks.preludes.store import prelude_of, written_act
from hoyle_conformance.checks.request import NoPrelude
from hoyle_conformance.checks.setup.trace import Traced, TracedAct, trace
from hoyle_conformance.suite.model import Check, Expected, Reading, Relabelling
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.suite.vocabulary import definitions
from hoyle_conformance.wording import events, words
from hoyle_conformance.wording.failure_view import house_rule_lines, house_rules_view
from hoyle_conformance.wording.text import join_and, sentence, wrap
from hoyle_reference import Rules
from hoyle_reference.events.combinations import Announced, Asked
from hoyle_reference.refusals import Grounds

#: The acts whose events are already described by the step itself.
_SINGLE_ACTS = frozenset({"play", "declare", "hold", "exchange", "show", "cut", "announce"})


@dataclass(frozen=True, slots=True)
class Happening:
    """An event of a step in words, with the clauses behind it and the cells that cite them.

    `restates` is set if it only repeats what the step did. `refused` is the word for a refusal, as scenarios write it.
    """

    said: str
    clauses: tuple[str, ...]
    cells: Grounds
    restates: bool = False
    refused: str = ""


@dataclass(frozen=True, slots=True)
class ExplainedStep:
    """An explained step: the act or question, its events (or its refusal or answer), its expectations, and the whole
    position after it."""

    number: int
    said: str
    happenings: tuple[Happening, ...]
    refused: bool
    expected: tuple[str, ...]
    position: Mapping[str, Any]


def steps(suite: Suite, check: Check) -> list[ExplainedStep]:
    """Return every step of a check, explained as the reference interpreter plays it under the check's ruleset."""
    rules = suite.rules.of(check.ruleset)
    prepared = planner_of(suite).request(check)
    traced = trace(rules, prepared.message)
    melds = suite.rules.meld_names(check.ruleset)
    return [
        _step(rules, check, number, traced[prepared.start(number) : prepared.ends[number - 1]], melds)
        for number in range(1, len(prepared.ends) + 1)
    ]


def _step(rules: Rules, check: Check, number: int, traced: Sequence[Traced], melds: words.Names) -> ExplainedStep:
    step = check.scenario.steps[number - 1]
    return ExplainedStep(
        number,
        sentence(words.step(step, melds)),
        tuple(happenings(rules, step, traced, melds)),
        any(each.refusal for each in traced),
        tuple(sentence(said) for said in words.expectation(step, check.expect.get(number, {}), melds)),
        traced[-1].position,
    )


def happenings(
    rules: Rules, step: Mapping[str, Any], traced: Sequence[Traced | TracedAct], melds: words.Names
) -> Iterator[Happening]:
    """Yield the events of a step in words, with the clauses behind them."""

    def clauses(grounds: Grounds) -> tuple[str, ...]:
        return tuple(sorted(rules.cells.clauses(grounds)))

    for each in traced:
        if each.refusal:
            said, word = f"Refused: {each.refusal.message}.", each.refusal.code
            yield Happening(said, clauses(each.grounds), each.grounds, refused=word)
        elif "ask" in step:
            yield Happening(
                f"Answer: {words.value(words.value_key(step, 'answer'), each.observation['answer'], melds)}.",
                clauses(each.grounds),
                each.grounds,
            )
        told = (event for event in each.events if not isinstance(event, events.SILENT))
        for number, event in enumerate(told):
            restates = (number == 0 and step.get("do") in _SINGLE_ACTS) or isinstance(event, (Announced, Asked))
            yield Happening(events.event_sentence(event, melds), clauses(event.grounds), event.grounds, restates)


def explanation(suite: Suite, checks: Sequence[Check]) -> Iterator[str]:
    """Yield the lines that explain a scenario under each of its rulesets."""
    scenario = checks[0].scenario
    yield scenario.title
    yield f"{scenario.id}, {scenario.file}"
    at_work: list[Happening] = []
    alike: dict[Relabelling, list[Check]] = {}
    for check in checks:
        alike.setdefault(check.turned, []).append(check)
    for some in alike.values():
        yield ""
        yield from words.relabelling(some[0].turned)
        yield from words.position(some[0].scenario.given, suite.rules.meld_names(some[0].ruleset))
        yield from dict.fromkeys(line for check in some for line in words.partners(suite.rules.of(check.ruleset)))
        glance = list(overview(suite, some))
        yield from ["", *glance] if glance else ()
        walks: dict[tuple[str, ...], list[str]] = {}
        for check in some:
            walks.setdefault(tuple(_step_lines(suite, check, at_work)), []).append(check.ruleset)
        for walk, rulesets in walks.items():
            yield f"\nUnder {join_and(rulesets)}:"
            yield from walk
    if scenario.why:
        yield ""
        yield from wrap(f"Why: {scenario.why}")
    yield from _clauses_cited(suite, checks, at_work)


def _step_lines(suite: Suite, check: Check, at_work: list[Happening]) -> Iterator[str]:
    """Yield every step of a check with its events and the rules behind them, and add the events to `at_work`."""
    if check.follows:
        yield f"  (following the reading '{check.follows}')"
    for step in steps(suite, check):
        yield f"\n  {step.number}. {step.said}"
        for each in step.happenings:
            if not each.restates:
                word = f" (refused: {each.refused})" if each.refused else ""
                yield f"       {each.said}{word}"
            yield from (f"         by {clause}" for clause in each.clauses)
        at_work += step.happenings
        for line in step.expected:
            yield f"     Expected: {line}"
    if own := check.scenario.why_under(check.ruleset):
        yield ""
        yield from wrap(f"Why: {own}", 2)
    if check.follows:
        yield from _other_readings(suite, check)


def _clauses_cited(suite: Suite, checks: Sequence[Check], at_work: Sequence[Happening]) -> Iterator[str]:
    """Yield the deciding clauses with their text, the other clauses whose rules are at work, and the places where these
    rules are defined."""
    for check in checks:
        behind = list(house_rule_lines(house_rules_view(suite, check)))
        yield from ["", *behind] if behind else ()
    cited = dict.fromkeys(clause for check in checks for clause in check.cites)
    yield from ["\nDeciding clauses:"] if cited else ()
    for clause in cited:
        yield f"  {clause}"
        yield from wrap(suite.clauses[clause].says, 6)
    others = sorted({clause for each in at_work for clause in each.clauses} - cited.keys())
    if others:
        yield "\nAlso at work:"
        yield from wrap(", ".join(others), 2)
    defined = definitions(suite, sorted({path for each in at_work for path in each.cells}))
    if defined:
        yield "\nDefined in:"
        yield from wrap(", ".join(f"spec/{each}" for each in defined), 2)


def _other_readings(suite: Suite, check: Check) -> Iterator[str]:
    followed = next(each for each in check.scenario.followed_by if check.ruleset in each.rulesets)
    yield ""
    yield from wrap(f"This reading is followed because: {followed.because}", 2)
    for reading in check.readings:
        if reading.name != check.follows:
            yield from wrap(f"The reading '{reading.name}' instead: {argument(suite, check, reading)}", 2)
            for number, expectation in reading.expect.items():
                said = words.expectation(
                    check.scenario.steps[number - 1], expectation, suite.rules.meld_names(check.ruleset)
                )
                yield f"    {number}. {sentence('; '.join(said))}"


class _Voice(NamedTuple):
    """A ruleset, in one of its readings if its source does not decide, with the expectations under it."""

    name: str
    expected: Expected


def overview(suite: Suite, checks: Sequence[Check]) -> Iterator[str]:
    """Yield, for each step with expectations, what the rulesets expect, grouped by expectation.

    Nothing is yielded if there is one ruleset with one reading. The checks belong to one scenario and are relabelled in
    the same way.
    """
    voices = [voice for check in checks for voice in _voices_of(check)]
    if len(voices) == 1:
        return
    steps, melds = checks[0].scenario.steps, suite.rules.meld_names(checks[0].ruleset)
    yield "Outcomes by ruleset:"
    for number in sorted({number for voice in voices for number in voice.expected}):
        step = steps[number - 1]
        yield from wrap(f"{number}. {sentence(words.step(step, melds))}", 2, 3)
        said: dict[str, list[str]] = defaultdict(list)
        for voice in voices:
            said[_expectation(step, voice.expected.get(number, {}), melds)].append(voice.name)
        for what, names in said.items():
            yield from wrap(f"{what} · {'all' if len(said) == 1 else ', '.join(names)}", 5, 2)


def _voices_of(check: Check) -> Iterator[_Voice]:
    for name, expected in check.branches.items():
        followed = ", followed" if name == check.follows else ""
        yield _Voice(f"{check.ruleset} (reading '{name}'{followed})" if name else check.ruleset, expected)


def _expectation(step: Mapping[str, Any], expected: Mapping[str, Any], melds: words.Names) -> str:
    """Return the expectation of a step in words; a refusal is the word that scenarios use."""
    others = {key: value for key, value in expected.items() if key != "refused"}
    refused = [f"refused: {expected['refused']}"] if "refused" in expected else []
    said = [*refused, *words.expectation(step, others, melds)]
    return "; ".join(said) or ("accepted" if "do" in step else "any answer")


def argument(suite: Suite, check: Check, reading: Reading) -> str:
    """Return the argument for a reading: that of the scenario or, if it has none, those of the table for the cells
    concerned."""
    cells = suite.rules.cells(check.ruleset)
    said = (each.argument for path, name in reading.cells.items() for each in cells[path].readings if each.name == name)
    return reading.argument or " ".join(said)


# ---- a prelude in words


def prelude_lines(suite: Suite, check: Check) -> Iterator[str]:
    """Yield the lines of a check's prelude, the deal and then the acts; or the reason why there is none."""
    found = prelude_of(suite, check)
    yield f"Prelude under {check.ruleset}"
    if isinstance(found, NoPrelude):
        none = proved_impossible(suite, check) or found
        yield from wrap(f"None: {none.reason}.", 2, 4)
        return
    for seat, cards in found.start["hands"].items():
        yield from wrap(f"{seat} is dealt {' '.join(cards)}", 2, 4)
    if found.start.get("turn_up"):
        yield f"  {found.start['turn_up']} is turned up"
    yield from wrap(f"stock: {' '.join(found.start['stock'])}", 2, 4)
    for cells in found.rests_on:
        yield f"  The prelude depends on the reading of {cells}."
    done = [written_act(act) for act in found.acts]
    yield from wrap("; ".join(done) or "No acts.", 2, 4)
