"""The fewest changes to a table that explain the answers of an implementation.

The change that makes most further answers fit is chosen first, and one that proves needless is taken back. The search
is limited by the number of answers that are compared, never by time, so it finds the same on every machine; and it can
be broken off at any time, with what is known by then.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hoyle_conformance.checks.setup.trace import trace_acts
from hoyle_conformance.runner.departures.candidates import (
    is_in_vocabulary,
    make_candidate,
    point_changes,
    vocabulary_changes,
)
from hoyle_conformance.runner.departures.changes import RuleChange
from hoyle_conformance.runner.departures.match import BROKEN, IMPOSSIBLE, MELDS, Candidate, EngineAnswers, Fit
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed

#: The least number of positions that must show a change that no source has; fewer could be chance.
_LEAST_EVIDENCE: Final = 2
#: The number of answers that changes are tried on, of those that differ in the same way, until one helps.
_SAMPLES_OF_A_KIND: Final = 3
#: After so many kinds with the same act and observation that no change explains, one answer of each other is tried.
_KINDS_IN_VAIN: Final = 2
#: The number of changes that are tried on all answers before one is chosen.
_CHANGES_TRIED_IN_FULL: Final = 4
#: The number of answers in which other values of the rules at work are looked for.
_ANSWERS_LOOKED_AT: Final = 20
#: How often each answer is judged, on average, before a change is chosen, and again for each chosen change.
PATIENCE: Final = 20
#: The fields of a combination that say what it is, and nothing about others.
_OF_ITSELF: Final = frozenset({"", "points", "cards", "kind", "suits", "name"})


class _NoShortList(Exception):
    """Too much was tried and too little found: no few changes explain the answers."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A rule that an implementation has otherwise, other changes that fit as well, the positions that agree only
    with it, and the positions that would agree without it."""

    change: RuleChange
    alternatives: tuple[RuleChange, ...]
    shows: tuple[int, ...]
    against: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of the answers: a ruleset, the changed rules, the departures between them, the answers without
    explanation, and whether the search was cut short."""

    base: Candidate
    rules: Candidate
    departures: tuple[Departure, ...]
    unexplained: tuple[int, ...]
    cut_short: bool = False

    @property
    def cost(self) -> tuple[int, int]:
        """The number of departures and unexplained answers, then of departures and options: the lower, the nearer."""
        return len(self.departures) + len(self.unexplained), len(self.departures) + self.base.ruleset.count("+")


@dataclass(slots=True)
class Explainer:
    """The search for an explanation: the answers, a nearby ruleset, and the changes to try on it.

    It ends when answers were compared more often than the `limit`, or, without one, than `PATIENCE` says. Values that
    only the schema has are tried `by_the_schema`.
    """

    suite: Suite
    evidence: EngineAnswers
    base: Candidate
    sourced: Sequence[RuleChange]
    at_most: int | None = None
    limit: int = 0
    by_the_schema: bool = True
    chosen: list[RuleChange] = field(default_factory=list)
    cut_short: bool = True
    _made: dict[tuple[str, ...], Candidate | None] = field(default_factory=dict)
    _tried: dict[int, "_Trial"] = field(default_factory=dict)
    _began: int = 0

    def explain(self) -> Explanation:
        """Return the departures that explain the answers."""
        for _ in self.search():
            pass
        return self.explanation()

    def search(self) -> Iterator[RuleChange]:
        """Choose one change after the other, and yield each; then take back those that are needless."""
        self._began, self.cut_short = self.evidence.judged, True
        self._tried.clear()
        self.sourced = [each for each in self.sourced if self._has_a_part(each)]
        try:
            yield from self._choose_greedily(self.sourced, least=1)
            self._tried.clear()
            if self.by_the_schema:
                yield from self._choose_greedily(self._changes_at_work(), least=_LEAST_EVIDENCE)
        except _NoShortList:
            pass
        else:
            self.cut_short = False
        self._prune()
        self._minimise()

    def explanation(self, *, thorough: bool = True) -> Explanation:
        """Return what is known: with other changes that fit as well, if it is to be `thorough`; else only of the
        answers that have been compared."""
        rules = self._chosen_rules
        places = range(len(self.evidence.answers)) if thorough else sorted(rules.fits)
        agreeing = frozenset(at for at in places if self.evidence.fit(rules, at).is_whole)
        departures = tuple(self._departure(change, agreeing, thorough=thorough) for change in self.chosen)
        left = tuple(at for at in places if at not in agreeing)
        return Explanation(self.base, rules, departures, left, self.cut_short)

    def rules_with(self, changes: Sequence[RuleChange]) -> Candidate:
        """Return the rules with some of the chosen changes; without any, if these make no table."""
        return self._with(changes) or self.base

    @property
    def _chosen_rules(self) -> Candidate:
        rules = self._with(self.chosen)
        assert rules is not None, "what was chosen makes a table"
        return rules

    def _with(self, changes: Sequence[RuleChange]) -> Candidate | None:
        if not changes:
            return self.base
        key = tuple(each.key for each in changes)
        if key not in self._made:
            near = []
            for at, change in enumerate(changes):
                others = (*key[:at], *key[at + 1 :])
                other = self._made.get(others) if others else self.base
                if other:
                    near.append((other, change))
            self._made[key] = make_candidate(self.suite, self.base.ruleset, changes, near)
        return self._made[key]

    def _without(self, change: RuleChange) -> list[RuleChange]:
        """Return the chosen changes but one; their rules take over what is known of all of them."""
        others = [each for each in self.chosen if each is not change]
        key = tuple(each.key for each in others)
        if others and key not in self._made:
            near = [(self._chosen_rules, change)]
            self._made[key] = make_candidate(self.suite, self.base.ruleset, others, near)
        return others

    def rules_without(self, change: RuleChange) -> Candidate:
        """Return the rules with the chosen changes but one; the base if these make no table."""
        return self.rules_with(self._without(change))

    def _agreeing(self, changes: Sequence[RuleChange]) -> frozenset[int]:
        rules = self._with(changes)
        return self.evidence.agreeing(rules) if rules else frozenset()

    def _has_a_part(self, change: RuleChange) -> bool:
        """Whether a change alone makes a table, in which the changed rules have any part."""
        rules = self._with([change])
        return rules is not None and not change.paths.isdisjoint(rules.watched.touched | self.base.watched.touched)

    # ---- the choice of one change

    def _choose_greedily(self, changes: Iterable[RuleChange], least: int) -> Iterator[RuleChange]:
        """Choose repeatedly a change that makes further answers fit. A change that only brings them nearer is kept for
        now where there is no other, and removed later if it leads nowhere."""
        every = list(changes)
        while every and (self.at_most is None or len(self.chosen) <= self.at_most):
            best = self._best_change(every, least, whole=True) or self._best_change(every, least, whole=False)
            if best is None:
                return
            self.chosen.append(best)
            yield best

    def _best_change(self, tried: Sequence[RuleChange], least: int, *, whole: bool) -> RuleChange | None:
        """Return the change to choose: of those that help where most answers differ in the same way, the one that makes
        most answers fit, or brings them nearer if not `whole`; None if there is none anywhere."""
        fits = {at: self.evidence.fit(self._chosen_rules, at) for at in range(len(self.evidence.answers))}
        differing = [at for at, fit in fits.items() if not fit.is_whole]
        in_vain: Counter[str] = Counter()
        for kind, places in sorted(self._kinds(fits, differing).items(), key=lambda each: -len(each[1])):
            samples = places[: 1 if in_vain[kind[0]] >= _KINDS_IN_VAIN else _SAMPLES_OF_A_KIND]
            likely = self._likeliest(tried, fits, samples, whole=whole)
            in_vain[kind[0]] += not likely
            best, most = None, (0, 0)
            for change in self._most_effective(likely, fits, [*places, *differing]):
                self._check_patience()
                gained = self._gained(change, fits, differing, most, least)
                if gained > most and (gained[0] > 0 or not whole):
                    best, most = change, gained
            if best:
                return best
        return None

    def _gained(
        self, change: RuleChange, fits: Mapping[int, Fit], differing: Sequence[int], most: tuple[int, int], least: int
    ) -> tuple[int, int]:
        """Return how many more answers fit with a change, and how many more acts and questions agree; nothing if it
        cannot be more than `most`."""
        rules = self.rules_with([*self.chosen, change])
        gain, steps = self._gain(rules, fits, differing)
        if (gain, steps) <= most or (gain < least and least > 1) or not self._can_be_written(change):
            return 0, 0
        lost = self._lost(rules, fits, gain - most[0])
        return (gain - lost, steps) if gain or not lost else (0, 0)

    def _can_be_written(self, change: RuleChange) -> bool:
        """Whether house rules may have this change beside those that are chosen."""
        return is_in_vocabulary(self.suite, self.base.ruleset, self.base.rules.cells, [*self.chosen, change])

    def _likeliest(
        self, tried: Sequence[RuleChange], fits: Mapping[int, Fit], places: Sequence[int], *, whole: bool
    ) -> list[RuleChange]:
        """Return the changes that make the first of these answers fit that any does, or fit better if not `whole`; of
        equals, first those that sources have."""
        for at in places:
            helps = {
                number: gain
                for number, gain in self._changes_that_help(tried, fits, at).items()
                if gain[0] or not whole
            }
            if helps:
                order = sorted(
                    helps,
                    key=lambda number: (
                        *helps[number],
                        bool(tried[number].owners),
                        -len(tried[number].cell_values),
                        -number,
                    ),
                    reverse=True,
                )
                return [tried[number] for number in order]
        return []

    def _most_effective(
        self, likely: Sequence[RuleChange], fits: Mapping[int, Fit], places: Sequence[int]
    ) -> list[RuleChange]:
        """Return those of many changes that help most in some of these answers."""
        if len(likely) <= _CHANGES_TRIED_IN_FULL:
            return list(likely)
        some = list(dict.fromkeys(places))[:_ANSWERS_LOOKED_AT]
        gains = [self._gain(self.rules_with([*self.chosen, change]), fits, some) for change in likely]
        order = sorted(range(len(likely)), key=lambda number: (gains[number], -number), reverse=True)
        return [likely[number] for number in order[:_CHANGES_TRIED_IN_FULL]]

    def _changes_that_help(
        self, tried: Sequence[RuleChange], fits: Mapping[int, Fit], at: int
    ) -> Mapping[int, tuple[int, int]]:
        """Return the numbers of the changes that make one answer fit better, each with what is gained; computed anew
        only if what was chosen since has changed anything about the answer. Rules that are not at work in it are tried
        only if none that are make it fit."""
        now, trial = self._chosen_rules, self._tried.get(at)
        if trial and trial.tried is tried and (trial.fit, trial.reads) == (fits[at], now.reads[at]):
            return trial.helps
        grounds = {*grounds_of(self.evidence, now, at)}
        near, far = list[int](), list[int]()
        for number, change in enumerate(tried):
            if change not in self.chosen and self._may_matter(now, change, at):
                (far if grounds.isdisjoint(change.paths) else near).append(number)
        helps: dict[int, tuple[int, int]] = {}
        for numbers in (near, far):
            helps |= {number: gain for number in numbers if (gain := self._gain_at(tried[number], fits, at)) > (0, 0)}
            if any(whole for whole, _ in helps.values()):
                break
        self._tried[at] = _Trial(tried, fits[at], now.reads[at], helps)
        return helps

    def _gain_at(self, change: RuleChange, fits: Mapping[int, Fit], at: int) -> tuple[int, int]:
        """Return what is gained by a change in one answer."""
        self._check_patience()
        rules = self._with([*self.chosen, change])
        return self._gain(rules, fits, [at]) if rules else (0, 0)

    def _may_matter(self, now: Candidate, change: RuleChange, at: int) -> bool:
        """Whether a change could explain an answer: a rule that it changes is read there, and it is not about another
        combination than the one that is asked about."""
        if not any(self.evidence.may_read(now, path, at) for path in change.paths):
            return False
        first = self.evidence.fit(now, at).first
        named = self.evidence.answers[at].sent_steps[first.at].get("meld") if first else None
        return named is None or not all(
            new.path.startswith(MELDS) and new.path != f"{MELDS}{named}" and new.field in _OF_ITSELF
            for new in change.cell_values
        )

    def _check_patience(self) -> None:
        """Raise _NoShortList if answers were judged too often for what was found."""
        limit = self.limit or PATIENCE * len(self.evidence.answers) * (1 + len(self.chosen))
        if self.evidence.judged - self._began > limit:
            raise _NoShortList

    def _kinds(self, fits: Mapping[int, Fit], differing: Sequence[int]) -> Mapping[tuple[str, str], list[int]]:
        """Return the differing answers, those that differ in the same way together: by the act or question and what
        was compared, and then by what it is about."""
        kinds: dict[tuple[str, str], list[int]] = {}
        for at in differing:
            first = fits[at].first
            sent = self.evidence.answers[at].sent_steps[first.at] if first else {}
            word, about = sent.get("do", sent.get("ask")), [sent.get(key) for key in ("meld", "class", "says")]
            whether = first and first.what == "accepted" and first.expected
            kinds.setdefault((repr([word, first and first.what, whether]), repr(about)), []).append(at)
        return kinds

    def _gain(self, rules: Candidate, fits: Mapping[int, Fit], places: Sequence[int]) -> tuple[int, int]:
        """Return how many further answers fit these rules, and how many further acts and questions agree."""
        new = [self.evidence.fit(rules, at) for at in places]
        return sum(fit.is_whole for fit in new), sum(
            fit.agree - fits[at].agree for at, fit in zip(places, new, strict=True)
        )

    def _lost(self, rules: Candidate, fits: Mapping[int, Fit], at_most: int) -> int:
        """Return how many answers no longer fit these rules; stop counting above `at_most`."""
        lost = 0
        for at, fit in fits.items():
            lost += fit.is_whole and not self.evidence.fit(rules, at).is_whole
            if lost > at_most:
                break
        return lost

    # ---- what is left of the choice

    def _prune(self) -> None:
        """Remove changes that, with the ones chosen later, do not make more answers fit."""
        for change in tuple(self.chosen):
            others = self._without(change)
            if self._with(others) and len(self._agreeing(others)) >= len(self._agreeing(self.chosen)):
                self.chosen = others

    def _minimise(self) -> None:
        """Of a change of several cells, keep only those without which fewer answers fit, or there is no table."""
        for place, change in enumerate(self.chosen):
            for new in change.cell_values[1:] and change.cell_values:
                values = tuple(each for each in self.chosen[place].cell_values if each is not new)
                fewer = [*self.chosen[:place], replace(change, cell_values=values), *self.chosen[place + 1 :]]
                if values and len(self._agreeing(fewer)) >= len(self._agreeing(self.chosen)):
                    self.chosen = fewer

    # ---- what shows a departure

    def _departure(self, change: RuleChange, agreeing: frozenset[int], *, thorough: bool) -> Departure:
        others = self._without(change)
        if not thorough:
            below = self._with(others)
            seen = {at for at in agreeing if below is None or (at in below.fits and not below.fits[at].is_whole)}
            return Departure(change, (), tuple(sorted(seen)), ())
        without = self._agreeing(others)
        shows = sorted(agreeing - without)
        rivals = self.sourced if change.owners else self._changes_at_work(shows)
        alternatives = [
            rival
            for rival in rivals
            if rival.cell_values != change.cell_values and self._fits_as_well(others, rival, shows, agreeing & without)
        ]
        return Departure(
            self._headed(change, shows), tuple(alternatives), tuple(shows), tuple(sorted(without - agreeing))
        )

    def _headed(self, change: RuleChange, shows: Sequence[int]) -> RuleChange:
        """Return a change with the cell first that most of these answers depend on."""
        rules = self._chosen_rules
        counts = [sum(self.evidence.may_read(rules, new.path, at) for at in shows) for new in change.cell_values]
        order = sorted(range(len(counts)), key=lambda number: (-counts[number], number))
        return replace(change, cell_values=tuple(change.cell_values[number] for number in order))

    def _fits_as_well(
        self, others: Sequence[RuleChange], rival: RuleChange, shows: Sequence[int], both: frozenset[int]
    ) -> bool:
        """Whether the same answers fit with a rival beside the other changes."""
        below = self._with(others)
        if below is None or not all(self._may_matter(below, rival, at) for at in shows[:_SAMPLES_OF_A_KIND]):
            return False
        rules = self._with([*others, rival])
        if rules is None or not all(self.evidence.fit(rules, at).is_whole for at in shows):
            return False
        return all(self.evidence.fit(rules, at).is_whole for at in both)

    def _changes_at_work(self, places: Sequence[int] | None = None) -> list[RuleChange]:
        """Return the changes by the schema of the rules at work where answers differ, and changes to the points
        observed there."""
        now = self._chosen_rules if places is None else self.base
        if places is None:
            fits = {at: self.evidence.fit(now, at) for at in range(len(self.evidence.answers))}
            kinds = self._kinds(fits, [at for at, fit in fits.items() if not fit.is_whole])
            places = [at for kind in kinds.values() for at in kind[:_SAMPLES_OF_A_KIND]]
        else:
            places = places[:_ANSWERS_LOOKED_AT]
        paths: dict[str, None] = {}
        found: list[RuleChange] = []
        for at in places:
            first = self.evidence.fit(now, at).first
            if first is None or self.evidence.fit(now, at) is IMPOSSIBLE:
                continue
            grounds = grounds_of(self.evidence, now, at, whole=False)
            paths |= dict.fromkeys(grounds)
            if first.what == "scores":
                seats = first.expected.keys() | first.observed.keys()
                made = {first.observed.get(seat, 0) - first.expected.get(seat, 0) for seat in seats}
                for points in sorted(made - {0}):
                    found += point_changes(now.rules.cells, grounds, points)
            elif first.what == "answer":
                found += _changes_to_an_answer(now, grounds, first.expected, first.observed)
        found += vocabulary_changes(self.suite, now.rules.cells, paths)
        own = {each.key for each in self.sourced}
        once = {each.key: each for each in found if each.cell_values}
        return sorted((each for key, each in once.items() if key not in own), key=_is_a_number)


@dataclass(frozen=True, slots=True)
class _Trial:
    """What came of trying changes on one answer: the changes, the fit and the cells read then, and those that
    helped."""

    tried: Sequence[RuleChange]
    fit: Fit
    reads: frozenset[str]
    helps: Mapping[int, tuple[int, int]]


def _is_a_number(change: RuleChange) -> bool:
    """Whether a change gives a cell another number: some number fits whatever a single other rule does."""
    return any(isinstance(new.value, int) for new in change.cell_values)


def _changes_to_an_answer(now: Candidate, grounds: Iterable[str], expected: Any, observed: Any) -> Iterable[RuleChange]:
    """Return the changes to points by which a number that was answered differs."""
    if not all(isinstance(each, int) and not isinstance(each, bool) for each in (expected, observed)):
        return ()
    return point_changes(now.rules.cells, grounds, observed - expected)


def grounds_of(evidence: EngineAnswers, rules: Candidate, at: int, *, whole: bool = True) -> tuple[str, ...]:
    """Return the cells at work in an answer, up to its difference: those of the last act or question, and then of
    the others, if `whole`."""
    answer, first = evidence.answers[at], evidence.fit(rules, at).first
    position = answer.position_under(rules.ruleset, rules.rules)
    if position is None:
        return ()
    steps = answer.acts[: answer.ends[first.at] + 1 if first else None]
    try:
        traced = trace_acts(rules.rules, {"position": position, "steps": steps})
    except (Malformed, *BROKEN):
        return ()
    steps_at_work = traced[::-1] if whole else traced[-1:]
    return tuple(dict.fromkeys(path for each in steps_at_work for path in each.grounds))
