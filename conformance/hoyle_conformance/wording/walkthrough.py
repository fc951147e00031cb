"""One position under several books, as tracks of the checks that play alike.

Each step of a track has its consequences and the table after it. The second part decides whether the rulesets give one
answer.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import TracedAct, observations, positions, trace_acts
from hoyle_conformance.runner.consensus import comparable
from hoyle_conformance.suite.capabilities import observed
from hoyle_conformance.suite.model import Check, Expected, Scenario
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import events, explain, words
from hoyle_conformance.wording.events import CardPlace, ShownTable, cards_named, event_sentence, lay_out
from hoyle_conformance.wording.text import plural, sentence
from hoyle_reference.cards import names
from hoyle_reference.events import TrickWon
from hoyle_reference.seats import seat_name

#: The parts of the table in sight, which may differ even if the sentences are the same.
_IN_SIGHT: Final = ("score", "shown", "turn_up", "game_won_by")
#: Match a printed card, and several in a row.
_FACE: Final = r"(?:10|[2-9JQKA])[♣♦♥♠][²³⁴⁵⁶⁷⁸]?"
_FACES: Final = re.compile(rf"(?<!\w){_FACE}(?: {_FACE})*")


class Walk(NamedTuple):
    """The steps of a check as the reference interpreter plays them: for each step, its acts in order."""

    check: Check
    steps: tuple[tuple[TracedAct, ...], ...]


@dataclass(frozen=True, slots=True)
class WalkStep:
    """One step of a track.

    The fields are the act or question, its consequences, whether it is refused, and the expectations; the deciding
    clauses, by the ruleset that cites them; the table after the step; and whether the tracks differ here.
    """

    number: int
    said: str
    follows: tuple[str, ...]
    refused: bool
    expected: tuple[str, ...]
    clauses: tuple[str, ...]
    table: ShownTable
    parts: bool


@dataclass(frozen=True, slots=True)
class Track:
    """The steps that are the same under some rulesets, the table before them, and the position in words."""

    checks: tuple[Check, ...]
    given: tuple[str, ...]
    table: ShownTable
    steps: tuple[WalkStep, ...]

    @property
    def name(self) -> str:
        """The ruleset of the first check, which identifies the track."""
        return self.checks[0].ruleset


def walk(suite: Suite, check: Check, observe: Sequence[str] = ()) -> Walk:
    """Return a check played once, with observations of `observe` in addition to those that the table shows."""
    plan = planner_of(suite).request(check)
    singles = trace_acts(suite.rules.of(check.ruleset), plan.message, (*_IN_SIGHT, *observe))
    return Walk(check, tuple(tuple(singles[plan.start(n) : end]) for n, end in enumerate(plan.ends, start=1)))


def tracks(suite: Suite, walks: Sequence[Walk]) -> tuple[Track, ...]:
    """Return the walks of one scenario, grouped into tracks with the same consequences on the same table."""
    scenario = walks[0].check.scenario
    known = cards_named((scenario.given, scenario.steps))
    faces = frozenset(map(printed.card, known))
    groups: list[tuple[ShownTable, tuple[Any, ...], list[Walk]]] = []
    for each in walks:
        melds = suite.rules.meld_names(each.check.ruleset)
        begins = lay_out(planner_of(suite).request(each.check).message["position"], known, melds)
        story = tuple(tuple(_story_of(single, faces) for single in singles) for singles in each.steps)
        alike = next((some for at, told, some in groups if told == story and at == begins), None)
        if alike is None:
            groups.append((begins, story, [each]))
        else:
            alike.append(each)
    parting = _differing_steps([[[told for told, _ in singles] for singles in story] for _, story, _ in groups])
    return tuple(_track(suite, some, parting, known) for _, _, some in groups)


def _story_of(each: TracedAct, faces: Collection[str]) -> tuple[Any, str]:
    """Return the consequences of a single step, and what is in sight after it; walks on one track agree in both."""
    sight = repr([each.observation.get(key) for key in _IN_SIGHT])
    if each.refusal:
        return each.refusal.message, sight
    seen = tuple(
        type(event) if isinstance(event, events.SILENT) else hide_other_cards(event_sentence(event, {}), faces)
        for event in each.events
    )
    return (repr(each.observation.get("answer")), seen), sight


def hide_other_cards(said: str, faces: Collection[str]) -> str:
    """Return a sentence in which only these cards are named; of the others in a row, only their number is given."""
    return _FACES.sub(lambda found: _named_or_counted(found[0].split(), faces), said)


def _named_or_counted(row: Sequence[str], faces: Collection[str]) -> str:
    named = " ".join(each for each in row if each in faces)
    count = sum(each not in faces for each in row)
    hidden = plural(count, "more card" if named else "card") if named or count > 1 else "a card"
    return " and ".join([*([named] if named else []), *([hidden] if count else [])])


def _differing_steps(stories: Sequence[Sequence[Any]]) -> frozenset[int]:
    """Return the steps (counted from 1) in which the stories differ."""
    steps = enumerate(zip(*stories, strict=True), start=1)
    return frozenset(number for number, told in steps if any(each != told[0] for each in told))


def _track(suite: Suite, walks: Sequence[Walk], parting: frozenset[int], known: frozenset[str]) -> Track:
    first = walks[0].check
    rules, plan, melds = (
        suite.rules.of(first.ruleset),
        planner_of(suite).request(first),
        suite.rules.meld_names(first.ruleset),
    )
    tables = [lay_out(each, known, melds) for each in positions(rules, plan.message, plan.ends)]
    faces = frozenset(map(printed.card, known))
    steps = (
        _walk_step(suite, walks, number, table.since(before), faces, parts=number in parting)
        for number, (before, table) in enumerate(pairwise(tables), start=1)
    )
    hidden = {key: value for key, value in first.scenario.given.items() if key not in _ON_THE_TABLE}
    stand, aside = words.position(first.scenario.given, melds)[:1], words.position(hidden, melds)[1:]
    given = (*stand, *aside, *words.partners(rules))
    return Track(tuple(each.check for each in walks), given, tables[0], tuple(steps))


#: The parts of a position that the table shows; the others are described in words.
_ON_THE_TABLE: frozenset[str] = frozenset(
    {"hands", "won", "discarded", "trick", "turn_up", "stock", "trumps", "score", "kept", "shown"}
)


def _walk_step(
    suite: Suite, walks: Sequence[Walk], number: int, table: ShownTable, faces: Collection[str], *, parts: bool
) -> WalkStep:
    first = walks[0].check
    step, singles = first.scenario.steps[number - 1], walks[0].steps[number - 1]
    rules, melds = suite.rules.of(first.ruleset), suite.rules.meld_names(first.ruleset)
    happens = list(explain.happenings(rules, step, singles, melds))
    expected = words.expectation(step, first.expect.get(number, {}), melds)
    after = replace(table, cards={**table.cards, **_finished_trick(singles)})
    return WalkStep(
        number,
        sentence(words.step(step, melds)),
        tuple(hide_other_cards(each.said, faces) for each in happens if not each.restates),
        any(each.refusal for each in singles),
        tuple(map(sentence, expected)),
        _decisive_clauses(suite, walks, number),
        after,
        parts,
    )


def _finished_trick(singles: Sequence[TracedAct]) -> Mapping[CardPlace, tuple[str, ...]]:
    """Return the cards of the trick that a step completes, by the seat that takes it; empty for other steps."""
    won = [event for single in singles for event in single.events if isinstance(event, TrickWon)]
    return {CardPlace("taken", seat_name(won[-1].seat)): tuple(names(won[-1].cards))} if won else {}


def _decisive_clauses(suite: Suite, walks: Sequence[Walk], number: int) -> tuple[str, ...]:
    """Return the clauses that decide a step, for each ruleset.

    These are the deciding clauses at work in the step; if there are none, those of its last event.
    """
    found: dict[str, None] = {}
    for each in walks:
        rules, singles = suite.rules.of(each.check.ruleset), each.steps[number - 1]
        at_work = rules.cells.clauses({path for single in singles for path in single.grounds})
        cited = [clause for clause in each.check.cites if clause in at_work]
        found |= dict.fromkeys(cited or sorted(rules.cells.clauses(decisive_grounds(singles))))
    return tuple(found)


def decisive_grounds(singles: Sequence[TracedAct]) -> Sequence[str]:
    """Return the grounds of a refusal, or of the last event that has any."""
    if singles[-1].refusal or not singles[-1].events:
        return singles[-1].grounds
    happened = [event for single in singles for event in single.events if not isinstance(event, events.SILENT)]
    return next((event.grounds for event in reversed(happened) if event.grounds), ())


# ---- one answer for all rulesets

#: The key of an observation for each key of an expectation.
_SEEN_AS: Final = {"scores": "score", "total": "score", "refused": "accepted"}
#: The observables that are compared only for the players that an expectation names.
_OF_THOSE_NAMED: Final = frozenset({"hands", "shown", "seen"})

#: The compared keys of a step, each with the players concerned; an empty set stands for all.
_Compared = Mapping[str, set[str]]

#: The observations of each single step in the checks of a scenario, by ruleset, as far as they are known.
Seen = Mapping[str, Sequence[Mapping[str, Any]]]


def answers_differ(suite: Suite, scenario: Scenario, seen: Seen = MappingProxyType({})) -> bool:
    """Return whether the rulesets, in all their readings, give different answers.

    Everything that some ruleset expects in a step is compared. The reason for a refusal is not part of the answer; nor
    is the choice between points of a step and the score after it.
    """
    if len(scenario.outcomes) + len(scenario.readings) == 1:
        return False
    checks = suite.index.checks_of(scenario)
    branches = list(chain.from_iterable(check.branches.values() for check in checks))
    return len({answer for check in checks for answer in _answers(suite, check, branches, seen)}) > 1


def _answers(suite: Suite, check: Check, branches: Sequence[Expected], seen: Seen) -> Iterator[str]:
    """Yield the answer under a ruleset; one for each reading if its source does not decide."""
    plan = planner_of(suite).request(check)
    readings = {each.name: each.cells for each in check.readings} if check.follows else {"": {}}
    for name, cells in readings.items():
        singles = seen.get(check.ruleset) if name == check.follows else None
        if singles is None:
            message = {**plan.message, "observe": sorted(observed(branches))}
            singles = observations(suite.rules.of(check.ruleset, cells), message)
        steps = enumerate(plan.ends, start=1)
        yield repr([_answer(singles[plan.start(step) : end], _compared(branches, step)) for step, end in steps])


def _compared(branches: Sequence[Expected], step: int) -> _Compared:
    compared: dict[str, set[str]] = defaultdict(set)
    for key, value in chain.from_iterable(branch.get(step, {}).items() for branch in branches):
        compared[_SEEN_AS.get(key, key)] |= set(value) if key in _OF_THOSE_NAMED else set()
    return compared


def _answer(singles: Sequence[Mapping[str, Any]], compared: _Compared) -> list[Any]:
    """Return whether a step is accepted, and the observed values that are compared."""
    accepted = all(single.get("accepted", True) for single in singles)
    return [accepted, *(_comparable(key, singles[-1].get(key), compared[key]) for key in sorted(compared))]


def _comparable(key: str, value: Any, seats: set[str]) -> Any:
    if key == "score":
        return {seat: points for seat, points in value.items() if points}
    return [comparable(value.get(seat)) for seat in sorted(seats)] if seats else comparable(value)
