"""Identify which ruleset an implementation plays, and the rules in which it differs from that ruleset.

The identification proceeds in three steps. It finds the nearest ruleset from the first few answers, compares all
answers with every ruleset, and then searches for the rules that differ, one at a time. An interrupted identification
keeps the results so far.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, islice
from typing import Final

from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.runner.answers import (
    Answer,
    Answers,
    Candidate,
    Difference,
    ImpossiblePosition,
    expected_observations,
)
from hoyle_conformance.runner.explain import Explanation, Work, search, with_alternatives
from hoyle_conformance.runner.rule_changes import Form, RuleChange, sourced_changes
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.positions import (
    PositionResponses,
    ask_positions,
    distinct_positions,
    first_positions,
)

#: The average number of comparisons of each answer in a search; each chosen change allows as many again.
PATIENCE: Final = 20
#: A ruleset with at most this many times the differing answers of the best one is searched too, since the shortest
#: explanation may start from it.
_NEARLY_AS_GOOD: Final = 2
#: A ruleset is listed as nearly equally close if its explanation is longer than the shortest by at most 1 in this many.
_NEARLY_AS_SHORT: Final = 4
#: The number of answers, approximately, before the first comparison of rulesets.
_FIRST_LOOK: Final = 40
#: The number of answers examined to see whether they determine a rule.
_LOOKED_AT_FOR_A_RULE: Final = 40


@dataclass(frozen=True, slots=True)
class Standing:
    """The agreement of an implementation with a ruleset: the number of agreeing answers, `of` those that distinguish
    rulesets."""

    ruleset: str
    agrees: int
    of: int


@dataclass(frozen=True, slots=True)
class UnexplainedAnswers:
    """Answers that no source explains and that differ in the same way: the act or question, the observation compared,
    the deciding cell, if any, and the positions with their differences, shortest first.

    `is_foreign` is true if only other rulesets have checks in these positions, which may never arise under the nearest
    one.
    """

    step: str
    what: str
    cell: str
    examples: tuple[tuple[int, Difference], ...]
    is_foreign: bool


@dataclass
class Identification:
    """The identification of one form: `steps` advances it, and the properties give the results so far.

    `standings` lists the rulesets, nearest first. `decisive` is the number of answers that distinguish rulesets, and
    `undetermined` lists the cells that no answer could determine.
    """

    suite: Suite
    form: Form
    sent_as: str
    responses: PositionResponses
    standings: list[Standing] = field(default_factory=list)
    decisive: int = 0
    undetermined: list[str] = field(default_factory=list)
    finished: bool = False
    _found: list[Explanation] = field(default_factory=list)
    _so_far: Explanation | None = None
    _count: int = 0

    @cached_property
    def answers(self) -> Answers:
        """The answers that are compared."""
        return Answers(self.suite, self.responses.answered, self.responses.deals)

    def steps(self, implementation: Implementation, ready: AdapterInfo) -> Iterator[str]:
        """Send positions and compare the answers, yielding a phrase about the result of each step."""
        first = first_positions(self.suite, self.sent_as, _FIRST_LOOK)
        ask_positions(self.suite, implementation, ready, self.form, self.sent_as, first, self.responses)
        if self.responses.answered:
            self.compare()
            yield f"nearest so far: {self.standings[0].ruleset}"
        claimed = [name for name in self.form.rulesets if name in ready.rulesets]
        every = distinct_positions(self.suite, self.form, self.sent_as, claimed)
        self._count = len(every)
        further = self.responses.keep(every)
        self.answers.forget()  # only now do the first positions include all rulesets
        ask_positions(self.suite, implementation, ready, self.form, self.sent_as, further, self.responses)
        if self.responses.answered:
            yield from self.explain()

    def explain(self) -> Iterator[str]:
        """Compare the answers with all rulesets, and find the departures from the nearest ones."""
        self.compare()
        yield f"nearest: {self.standings[0].ruleset}"
        first, *others = best_of_each(self.standings)
        yield from self._explain_from(first.ruleset)
        for each in others:
            if not self._found[0].cut_short and each.of - each.agrees <= _NEARLY_AS_GOOD * (first.of - first.agrees):
                yield from self._explain_from(each.ruleset)
        self._found[0] = with_alternatives(self.answers, self._found[0])
        self.undetermined = [*_undetermined_rules(self.answers, self._found[0])]
        self.finished = True
        self.answers.forget()  # these tables are large, and other forms follow

    def _explain_from(self, ruleset: str) -> Iterator[str]:
        """Find the departures from a ruleset, and sort the explanations, shortest first."""
        at_most = self._found[0].cost[0] if self._found else None
        work, known = Work(PATIENCE * len(self.answers), PATIENCE * len(self.answers)), 0
        for found in search(self.answers, ruleset, work, at_most=at_most):
            self._so_far = found
            if len(found.departures) > known:
                known = len(found.departures)
                yield f"{ruleset}, except {found.changes[-1].path}"
        self._found = sorted([*self._found, found], key=lambda each: each.cost)

    def compare(self) -> None:
        """Compare the answers so far with each ruleset: without options, with each option, and with several."""
        agreeing = {name: self.answers.agreeing(self.answers.table(name)) for name in self.form.rulesets}
        decisive = frozenset.union(*agreeing.values()) - frozenset.intersection(*agreeing.values())
        for name in _combined_options(self.suite, self.form, agreeing):
            if rules := self.answers.candidate(name):
                agreeing[name] = self.answers.agreeing(rules)
        self.decisive = len(decisive)
        standings = (Standing(name, len(agree & decisive), len(decisive)) for name, agree in agreeing.items())
        self.standings = sorted(
            standings, key=lambda each: (-each.agrees, *_tie_order(self.form, self.sent_as, each.ruleset))
        )

    @property
    def is_known(self) -> bool:
        """Whether there are any answers to compare."""
        return bool(self.responses.answered)

    @property
    def explanation(self) -> Explanation:
        """The shortest explanation, or the one in progress when the search was interrupted."""
        base = self.answers.table(self.standings[0].ruleset)
        return (self._found and self._found[0]) or self._so_far or Explanation(base, base, (), ())

    @property
    def equally_near(self) -> list[str]:
        """The rulesets with an explanation as short as the shortest."""
        return [each.base.ruleset for each in self._found[1:] if each.cost == self.explanation.cost]

    @property
    def nearly(self) -> dict[str, int]:
        """The rulesets with an explanation slightly longer than the shortest, each with its number of departures."""
        cost = self.explanation.cost
        most = cost[0] + max(1, cost[0] // _NEARLY_AS_SHORT)
        others = (each for each in self._found[1:] if cost < each.cost and each.cost[0] <= most)
        return {each.base.ruleset: len(each.departures) for each in others}

    @property
    def groups(self) -> list[UnexplainedAnswers]:
        """The unexplained answers in groups."""
        return [*_group_unexplained(self.answers, self.responses, self.explanation)] if self.finished else []

    @property
    def unfinished(self) -> str:
        """The limits of the result of an interrupted identification; empty if it finished."""
        if self.finished:
            return ""
        if self._found:
            return "other rulesets may be nearer; they were not all compared"
        if self._so_far:
            return "more rules may differ; the search for them was not finished"
        asked = len(self.responses.answered) + len(self.responses.unanswered) + self.responses.not_claimed
        of = f" of {self._count:,}" if self._count else ""
        return f"known from the first {asked:,}{of} positions; no single rule has been compared"


def best_of_each(standings: Iterable[Standing]) -> list[Standing]:
    """Return the best standing of each ruleset, with or without options."""
    best: dict[str, Standing] = {}
    for each in standings:
        best.setdefault(each.ruleset.partition("+")[0], each)
    return list(best.values())


def _tie_order(form: Form, sent_as: str, ruleset: str) -> tuple[bool, int, int]:
    """Return a sort key for equally close rulesets: the claimed ruleset first, then fewer options."""
    base = ruleset.partition("+")[0]
    return base != sent_as.partition("+")[0], ruleset.count("+"), form.plain.index(base)


def _combined_options(suite: Suite, form: Form, agreeing: Mapping[str, frozenset[int]]) -> Iterator[str]:
    """Yield each ruleset with several options, chosen from those that each make more answers fit."""
    fits = {name: len(agree) for name, agree in agreeing.items()}
    for base in form.plain:
        options = [option for option in suite.rules.options(base) if fits.get(f"{base}+{option}", 0) > fits[base]]
        for count in range(2, len(options) + 1):
            yield from ("+".join((base, *chosen)) for chosen in combinations(options, count))


def _group_unexplained(
    answers: Answers, responses: PositionResponses, explanation: Explanation
) -> Iterator[UnexplainedAnswers]:
    """Yield the unexplained answers, grouped by their difference."""
    groups: dict[tuple[str, str, str], list[tuple[int, Difference]]] = {}
    for at in explanation.unexplained:
        first = answers.fit(explanation.rules, at).first
        assert first is not None, "only what differs is left"
        groups.setdefault(_group_key(answers, explanation.rules, at, first), []).append((at, first))
    for (step, what, cell), examples in sorted(groups.items(), key=lambda each: -len(each[1])):
        own = {at for at, _ in examples if responses.answered[at].distinct.is_of(explanation.base.ruleset)}
        names = {at: responses.answered[at].distinct.check.id for at, _ in examples}
        examples.sort(key=lambda each: (each[0] not in own, len(answers.answers[each[0]].sent_steps), names[each[0]]))
        yield UnexplainedAnswers(step, what, cell, tuple(examples), is_foreign=not own)


def _group_key(answers: Answers, rules: Candidate, at: int, first: Difference) -> tuple[str, str, str]:
    """Return the act or question, the observation compared, and the deciding cell. The cell is empty for a refused act
    that changes something, since the reason of the refusal does not matter."""
    answer = answers.answers[at]
    step = answer.sent_steps[first.at]
    word = str(step.get("do", step.get("ask")))
    if first.what == "accepted":
        what = "accepted" if first.observed else "refused"
    elif _is_refused(rules, answer, first.at):
        return word, f"{first.what} of a refused act", ""
    else:
        what = first.what
    return word, what, next(iter(answers.grounds(rules, at)), "")


def _is_refused(rules: Candidate, answer: Answer, at: int) -> bool:
    """Whether these rules refuse the act at this place of an answer."""
    try:
        return next(islice(expected_observations(rules, answer), at, None)).get("accepted") is False
    except ImpossiblePosition:
        return False


def _undetermined_rules(answers: Answers, found: Explanation) -> Iterator[str]:
    """Yield the cells on which sources differ and that no answer could determine."""
    base, chosen = found.base, found.changes
    changed = frozenset[str]().union(*(change.paths for change in chosen))
    changes: dict[str, list[RuleChange]] = {}
    for change in sourced_changes(answers.suite, base.ruleset):
        if len(change.cell_values) == 1 and change.path in base.rules.cells and change.path not in changed:
            changes.setdefault(change.path, []).append(change)
    answers_of = _answers_by_cell(answers, found.rules)
    for cell in base.rules.cells:
        if cell.path in changes:
            others = (answers.candidate(base.ruleset, [*chosen, each], [found.rules]) for each in changes[cell.path])
            dependent = answers_of.get(cell.path, ())
            if not any(_is_told_apart(answers, found.rules, other, dependent) for other in others if other):
                yield cell.path


def _answers_by_cell(answers: Answers, rules: Candidate) -> dict[str, list[int]]:
    """Return, for each cell, the places of the first answers that depend on it."""
    found: dict[str, list[int]] = {}
    for at in range(len(answers)):
        for path in answers.grounds(rules, at):
            found.setdefault(path, []).append(at)
    return {path: places[:_LOOKED_AT_FOR_A_RULE] for path, places in found.items()}


def _is_told_apart(answers: Answers, rules: Candidate, other: Candidate, places: Sequence[int]) -> bool:
    """Whether any of the answers in these places fits only one of two candidates."""
    return any(answers.fit(rules, at) != answers.fit(other, at) for at in places)
