"""Identify which ruleset an implementation plays, and the rules in which it differs from that ruleset.

The identification compares all answers with every ruleset, and then searches for the rules that differ, one at a time.
An interrupted identification keeps the results so far.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from time import process_time
from typing import Final, NamedTuple

from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.setup.trace import TracedAct
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
from hoyle_conformance.runner.explain import (
    ANSWERS_LOOKED_AT,
    HANDFUL,
    SAMPLES_OF_A_KIND,
    Departure,
    Explanation,
    Search,
    Work,
    search,
)
from hoyle_conformance.runner.features import Single
from hoyle_conformance.runner.results import Mismatch
from hoyle_conformance.runner.rule_changes import Form, RuleChange, sourced_changes
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules import HouseRules, named_as
from hoyle_conformance.tools.identify.positions import PositionResponses, ask_positions, distinct_positions

#: The average number of comparisons of each answer in a search; each chosen change allows as many again.
PATIENCE: Final = 20
#: The processor time that the identification of all forms may take, in seconds; most engines need far less. The search
#: gets this part of it, and the rest is for the alternatives and the undetermined rules.
MOST_TIME: Final = 45.0
_OF_THE_SEARCH: Final = 0.75
#: A ruleset with at most this many times the differing answers of the best one is searched too, since the shortest
#: explanation may start from it.
_NEARLY_AS_GOOD: Final = 2
#: The number of steps in a row that too few answers show before the search for the nearest ruleset ends.
_IN_VAIN: Final = 2
#: The number of answers that are examined to see whether they determine a rule, or show an option.
_LOOKED_AT: Final = 40


class Standing(NamedTuple):
    """The agreement of an implementation with a ruleset: the number of answers that agree, of those that distinguish
    rulesets."""

    ruleset: str
    agrees: int


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

    `standings` lists the rulesets, each with the options that its answers show, nearest first. `decisive` is the number
    of answers that distinguish rulesets. `equally_near` lists the rulesets with an explanation as short as the
    shortest, `options` has the number of answers that show each option of the nearest one, and `undetermined` lists the
    cells that no answer could determine; there was no time to examine `unexamined` cells. `began` is the processor time
    at the beginning; `most_time` limits it, in seconds.
    """

    suite: Suite
    form: Form
    sent_as: str
    responses: PositionResponses
    standings: list[Standing] = field(default_factory=list)
    decisive: int = 0
    equally_near: list[str] = field(default_factory=list)
    options: Mapping[str, int] = field(default_factory=dict)
    undetermined: list[str] = field(default_factory=list)
    unexamined: int = 0
    finished: bool = False
    began: float = field(default_factory=process_time)
    most_time: float = MOST_TIME
    _found: dict[str, Explanation] = field(default_factory=dict)
    _nearest: str = ""
    _count: int = 0

    @cached_property
    def answers(self) -> Answers:
        """The answers that are compared."""
        return Answers(self.suite, self.responses.answered, self.responses.deals)

    def steps(self, implementation: Implementation, ready: AdapterInfo) -> Iterator[str]:
        """Send positions and compare the answers, yielding a phrase about the result of each step."""
        self.began = process_time()
        claimed = sorted(ready.rulesets.intersection(self.form.rulesets))
        every = distinct_positions(self.suite, self.form, self.sent_as, claimed)
        self._count = len(every)
        ask_positions(self.suite, implementation, ready, self.form, self.sent_as, every, self.responses)
        if self.responses.answered:
            yield from self.explain()

    def explain(self) -> Iterator[str]:
        """Compare the answers with all rulesets, choose the one that explains the most answers, together with rules
        that enough answers show, and find all departures from it."""
        self.compare()
        yield f"nearest: {self.standings[0].ruleset}"
        most = _NEARLY_AS_GOOD * (self.decisive - self.standings[0].agrees)
        near = [each.ruleset for each in self.standings if self.decisive - each.agrees <= most]
        end, until = self.began + _OF_THE_SEARCH * self.most_time, self.began + self.most_time
        for left, ruleset in zip(range(len(near), 0, -1), near, strict=True):
            now = process_time()
            yield from self._explain_from(ruleset, now + (end - now) / (left + 1), most_in_vain=_IN_VAIN)
        best, *others = sorted(self._found.values(), key=_cost)
        self._nearest = best.base.ruleset
        self.equally_near = [each.base.ruleset for each in others if _cost(each) == _cost(best)]
        if best.cut_short:
            yield from self._explain_from(self._nearest, end, best.changes)
        self._found[self._nearest] = found = _with_alternatives(self.answers, self._found[self._nearest], until)
        self.options = self._option_evidence(self._nearest)
        self.undetermined, self.unexamined = _undetermined_rules(self.answers, found, until)
        self.finished = True
        self.answers.forget()  # these tables are large, and other forms follow
        planner_of(self.suite).planned.clear()

    def _explain_from(
        self, ruleset: str, until: float, known: Sequence[RuleChange] = (), *, most_in_vain: int | None = None
    ) -> Iterator[str]:
        """Find the departures from a ruleset, with those known, until a processor time or so many steps in a row that
        too few answers show."""
        replays, told, in_vain = PATIENCE * len(self.answers), len(known), 0
        for found in search(self.answers, ruleset, Work(replays, replays, until), known=known):
            self._found[ruleset] = found
            if len(found.departures) > told:
                told = len(found.departures)
                yield f"{ruleset}, except {found.changes[-1].path}"
            in_vain = 0 if found.departures and len(found.departures[-1].shows) >= HANDFUL else in_vain + 1
            if in_vain == most_in_vain:
                self._found[ruleset] = replace(found, cut_short=True)
                return

    def compare(self) -> None:
        """Compare the answers so far with each ruleset, and with those of its options that enough answers show."""
        agreeing = {name: self._agreeing(name) for name in self.form.plain}
        chosen = [self._with_options(base, agreeing) for base in self.form.plain]
        decisive = frozenset.union(*agreeing.values()) - frozenset.intersection(*agreeing.values())
        self.decisive = len(decisive)
        chosen.sort(key=lambda name: (name.partition("+")[0] != self.sent_as.partition("+")[0], name.count("+")))
        standings = (Standing(name, len(agreeing[name] & decisive)) for name in chosen)
        self.standings = sorted(standings, key=lambda each: -each.agrees)

    def _agreeing(self, ruleset: str) -> frozenset[int]:
        """Return the answers that agree with a ruleset; none if its options exclude each other."""
        rules = self.answers.candidate(ruleset)
        return self.answers.agreeing(rules) if rules else frozenset()

    def _with_options(self, base: str, agreeing: dict[str, frozenset[int]]) -> str:
        """Return a ruleset with each option that makes a handful of further answers fit, the best one first, and add
        the answers that agree with what was tried. The options under which the positions were sent need no evidence."""
        name, offered = base, list(self.suite.rules.options(base))
        if self.sent_as.startswith(f"{base}+"):
            agreeing[self.sent_as] = self._agreeing(self.sent_as)
            name = self.sent_as if len(agreeing[self.sent_as]) >= len(agreeing[base]) else base
        while True:
            own = name.split("+")[1:]
            more = ("+".join([base, *(each for each in offered if each in {*own, option})]) for option in offered)
            promising = [other for other in more if other != name and self._may_fit_better(name, other)]
            agreeing |= {other: self._agreeing(other) for other in promising}
            best = max(promising, key=lambda other: len(agreeing[other]), default=name)
            if len(agreeing[best]) - len(agreeing[name]) < HANDFUL:
                return name
            name = best

    def _may_fit_better(self, ruleset: str, other: str) -> bool:
        """Whether a handful of the answers that differ from a ruleset agree with another, judged by a few of them."""
        now, rules = self.answers.table(ruleset), self.answers.candidate(other)
        differing = [at for at, fit in self.answers.fits(now).items() if not fit.is_whole]
        few = differing[:: len(differing) // _LOOKED_AT + 1]
        agree = sum(self.answers.fit(rules, at).is_whole for at in few) if rules else 0
        return agree * len(differing) >= HANDFUL * len(few) > 0

    def _option_evidence(self, ruleset: str) -> dict[str, int]:
        """Return the number of answers that agree with a ruleset, but not without one of its options, by option."""
        base, *options = ruleset.split("+")
        others = {each: "+".join([base, *(other for other in options if other != each)]) for each in options}
        return {each: len(self._agreeing(ruleset) - self._agreeing(other)) for each, other in others.items()}

    @property
    def is_known(self) -> bool:
        """Whether there are any answers to compare."""
        return bool(self.responses.answered)

    @property
    def explanation(self) -> Explanation:
        """The explanation from the nearest ruleset, as far as it has been found."""
        base = self.answers.table(self.standings[0].ruleset)
        every = self._found or {"": Explanation(base, base, (), ())}
        return every.get(self._nearest) or min(every.values(), key=_cost)

    def needs_house_rules(self, ready: AdapterInfo) -> bool:
        """Whether 'hoyle check' needs house rules for the rules found: they differ from the nearest ruleset, or the
        implementation does not claim it."""
        return bool(self.explanation.departures) or self.explanation.base.ruleset not in ready.rulesets

    @cached_property
    def house_rules(self) -> HouseRules | None:
        """The house rules with a name that the implementation plays, regardless of undetermined rules, if any."""
        if not self.finished or not self.explanation.departures:
            return None
        return named_as(self.suite, self.explanation.rules.rules.cells, self.undetermined)

    @property
    def groups(self) -> list[UnexplainedAnswers]:
        """The unexplained answers in groups."""
        return [*_group_unexplained(self.answers, self.responses, self.explanation)] if self.finished else []

    @property
    def unfinished(self) -> str:
        """The limits of the result of an interrupted identification; empty if it finished."""
        if self.finished:
            return ""
        if self._nearest or len(self._found) == 1:
            return "more rules may differ; the search for them was not finished"
        if self._found:
            return "other rulesets may be nearer; they were not all compared"
        asked = len(self.responses.answered) + len(self.responses.unanswered) + self.responses.not_claimed
        of = f" of {self._count:,}" if self._count else ""
        return f"known from the first {asked:,}{of} positions; no single rule has been compared"


def _with_alternatives(answers: Answers, found: Explanation, until: float) -> Explanation:
    """Return an explanation with the other changes that fit equally well, as far as they are found `until` a processor
    time. In a change of several cells, the cell that most answers depend on comes first."""
    ruleset = found.base.ruleset
    one = _Alternatives.of(answers, ruleset, Work(0, 0, until), found.changes, sourced_changes(answers.suite, ruleset))
    return replace(found, departures=tuple(map(one.add_to, found.departures)))


class _Alternatives(Search):
    """The search for the changes that fit as well as one that was chosen."""

    def add_to(self, found: Departure) -> Departure:
        """Return a departure with its alternatives; its first cell is the one that most of its answers depend on."""
        fitting = tuple(each for each in self._rivals(found) if self._fits_as_well(found, each))
        ordered = sorted(
            found.change.cell_values,
            key=lambda new: -sum(self.answers.may_read(self.rules, new.path, at) for at in found.shows),
        )
        return replace(found, change=replace(found.change, cell_values=tuple(ordered)), alternatives=fitting)

    def _rivals(self, found: Departure) -> Iterator[RuleChange]:
        """Yield the other changes of the kind that was tried."""
        every, places = self.sourced, found.shows[:ANSWERS_LOOKED_AT]
        if not found.change.owners:
            every = self.changes_by_the_schema(self.base, places)
        return (each for each in every if each.key != found.change.key and process_time() < self.work.until)

    def _fits_as_well(self, found: Departure, rival: RuleChange) -> bool:
        """Return whether the same answers fit with this rival in place of the change."""
        others = self.without(found.change)
        below, rules = self.with_changes(others), self.with_changes([*others, rival])
        if not (below and rules and all(self.may_matter(below, rival, at) for at in found.shows[:SAMPLES_OF_A_KIND])):
            return False
        both = self.agreeing(self.chosen) & self.agreeing(others)
        return all(self.answers.fit(rules, at).is_whole for at in (*found.shows, *both))


def _cost(found: Explanation) -> tuple[int, int]:
    """Return the number of departures and of answers that no rule with enough evidence explains, then that of
    departures and options; the nearest ruleset has the lowest cost."""
    thin = sum(len(each.shows) for each in found.departures if len(each.shows) < HANDFUL)
    return len(found.departures) + len(found.unexplained) + thin, len(found.departures) + found.base.ruleset.count("+")


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
    what = first.what
    if what == "accepted":
        what = "accepted" if first.observed else "refused"
    elif _is_refused(rules, answer, first.at):
        return word, f"{what} of a refused act", ""
    grounds = answers.grounds(rules, at)
    single = Single(step, TracedAct({}, answered=grounds), fresh_game=answers.suite.rules.fresh_game(rules.ruleset))
    return word, what, next(iter(single.cells(what, Mismatch(first.at, *first[1:]))), "")


def _is_refused(rules: Candidate, answer: Answer, at: int) -> bool:
    """Whether these rules refuse the act at this place of an answer."""
    try:
        return next(islice(expected_observations(rules, answer), at, None)).get("accepted") is False
    except ImpossiblePosition:
        return False


def _undetermined_rules(answers: Answers, found: Explanation, until: float) -> tuple[list[str], int]:
    """Return the cells on which sources differ and that no answer could determine, and the number of cells that were
    not examined `until` a processor time."""
    base, chosen = found.base, found.changes
    changed = frozenset[str]().union(*(change.paths for change in chosen))
    changes: dict[str, list[RuleChange]] = {}
    for change in sourced_changes(answers.suite, base.ruleset):
        if len(change.cell_values) == 1 and change.path in base.rules.cells and change.path not in changed:
            changes.setdefault(change.path, []).append(change)
    answers_of = _answers_by_cell(answers, found.rules)
    paths, undetermined = [cell.path for cell in base.rules.cells if cell.path in changes], list[str]()
    for number, path in enumerate(paths):
        if process_time() >= until:
            return undetermined, len(paths) - number
        others = (answers.candidate(base.ruleset, [*chosen, each], [found.rules]) for each in changes[path])
        pairs = ((at, other) for other in others if other for at in answers_of.get(path, ()))
        if all(answers.fit(found.rules, at) == answers.fit(other, at) for at, other in pairs):
            undetermined.append(path)
    return undetermined, 0


def _answers_by_cell(answers: Answers, rules: Candidate) -> dict[str, list[int]]:
    """Return, for each cell, the places of the first answers that depend on it."""
    found: dict[str, list[int]] = {}
    for at in range(len(answers)):
        for path in answers.grounds(rules, at):
            found.setdefault(path, []).append(at)
    return {path: places[:_LOOKED_AT] for path, places in found.items()}
