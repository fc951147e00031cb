"""The fewest changes to a table that explain the answers of an implementation."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from hoyle_conformance.checks.setup.trace import trace_acts
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.candidates import RuleChange, make_candidate, point_changes, vocabulary_changes
from hoyle_conformance.tools.identify.match import BROKEN, IMPOSSIBLE, Candidate, EngineAnswers, Fit
from hoyle_reference import Malformed
from hoyle_reference.frozen import frozen

#: The least number of positions that must show a change that no source has; fewer could be chance.
_LEAST_EVIDENCE = 2
#: The number of answers that every change is tried on, of those that differ in the same way.
_SAMPLES_OF_A_KIND = 3
#: The number of changes that are tried on all answers before one is chosen.
_CHANGES_TRIED_IN_FULL = 12
#: How often each answer is judged, on average, before a change is chosen, and again for each chosen change. Finding one
#: takes five to ten, and thirty if a dozen rules differ; with random answers hardly any change helps.
PATIENCE: Final = 40


class _NoShortList(Exception):
    """Too much was tried and too little found: no few changes explain the answers."""


@frozen
class Departure:
    """A rule that an implementation has otherwise, other changes that fit as well, the positions that agree only
    with it, and the positions that would agree without it."""

    change: RuleChange
    alternatives: tuple[RuleChange, ...]
    shows: tuple[int, ...]
    against: tuple[int, ...]


@frozen
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
    """The search for an explanation: the answers, a nearby ruleset, and the changes to try on it."""

    suite: Suite
    evidence: EngineAnswers
    base: Candidate
    sourced: Sequence[RuleChange]
    at_most: int | None = None
    chosen: list[RuleChange] = field(default_factory=list)
    _made: dict[tuple[str, ...], Candidate | None] = field(default_factory=dict)

    def explain(self) -> Explanation:
        """Return the departures that explain the answers."""
        cut_short = True
        with suppress(_NoShortList):
            self._choose_greedily(self.sourced, least=1)
            self._choose_greedily(self._changes_at_work(), least=_LEAST_EVIDENCE)
            cut_short = False
        self._prune()
        rules = self._with(self.chosen)
        assert rules is not None, "what was chosen makes a table"
        agreeing = self.evidence.agreeing(rules)
        departures = tuple(self._departure(change, agreeing) for change in self.chosen)
        left = tuple(at for at in range(len(self.evidence.answers)) if at not in agreeing)
        return Explanation(self.base, rules, departures, left, cut_short)

    def _with(self, changes: Sequence[RuleChange]) -> Candidate | None:
        key = tuple(each.key for each in changes)
        if not changes:
            return self.base
        if key not in self._made:
            self._made[key] = make_candidate(self.suite, self.base.ruleset, changes)
        return self._made[key]

    def _agreeing(self, changes: Sequence[RuleChange]) -> frozenset[int]:
        rules = self._with(changes)
        return self.evidence.agreeing(rules) if rules else frozenset()

    def _choose_greedily(self, changes: Iterable[RuleChange], least: int) -> None:
        """Choose repeatedly the change that makes most further answers fit. A change that only brings them nearer is
        kept for now, and removed later if it leads nowhere."""
        every = list(changes)
        likely = every
        while self.at_most is None or len(self.chosen) <= self.at_most:
            best, likely = self._best_change(likely, least)
            if best is None:  # a change that did not help before may help now
                best, likely = self._best_change(every, least)
            if best is None:
                return
            self.chosen.append(best)

    def _best_change(self, tried: Sequence[RuleChange], least: int) -> tuple[RuleChange | None, list[RuleChange]]:
        """Return the change to choose, or None, and the changes that made any answer fit better."""
        now = self._with(self.chosen)
        assert now is not None, "what was chosen makes a table"
        fits = {at: self.evidence.fit(now, at) for at in range(len(self.evidence.answers))}
        differing = [at for at, fit in fits.items() if not fit.is_whole]
        best, most = None, (0, 0)
        likeliest = self._likeliest(tried, fits, differing)
        for change, rules in likeliest[:_CHANGES_TRIED_IN_FULL]:
            self._check_patience()
            gain, steps = self._gain(rules, fits, differing)
            if (gain, steps) <= most or (gain < least and least > 1):
                continue
            lost = self._lost(rules, fits, gain - most[0])
            if (gain - lost, steps) > most and (gain or not lost):
                best, most = change, (gain - lost, steps)
        return best, [change for change, _ in likeliest]

    def _likeliest(
        self, tried: Sequence[RuleChange], fits: Mapping[int, Fit], differing: Sequence[int]
    ) -> list[tuple[RuleChange, Candidate]]:
        """Return the changes that make differing answers fit, or fit better, most effective first; of equals, first
        those that sources have."""
        sample = self._sample(fits, differing)
        found = []
        for number, change in enumerate(tried if sample else ()):
            self._check_patience()
            rules = None if change in self.chosen else self._with([*self.chosen, change])
            if rules is not None and (gain := self._gain(rules, fits, sample)) > (0, 0):
                found.append((*gain, bool(change.owners), -len(change.cell_values), -number, change, rules))
        found.sort(key=lambda each: each[:5], reverse=True)
        return [(change, rules) for *_, change, rules in found]

    def _check_patience(self) -> None:
        """Raise _NoShortList if answers were judged too often for what was found."""
        judged = sum(len(rules.fits) for rules in self._made.values() if rules)
        if judged > PATIENCE * len(self.evidence.answers) * (1 + len(self.chosen)):
            raise _NoShortList

    def _sample(self, fits: Mapping[int, Fit], differing: Sequence[int]) -> list[int]:
        """Return a few of the differing answers of each kind."""
        kinds: dict[str, list[int]] = {}
        for at in differing:
            first = fits[at].first
            sent = self.evidence.answers[at].sent_steps[first.at] if first else {}
            about = [sent.get(key) for key in ("do", "ask", "meld", "class", "says")]
            whether = first and first.what == "accepted" and first.expected
            kinds.setdefault(repr([about, first and first.what, whether]), []).append(at)
        return [at for places in kinds.values() for at in places[:_SAMPLES_OF_A_KIND]]

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

    def _prune(self) -> None:
        """Remove changes that, with the ones chosen later, do not make more answers fit."""
        for change in tuple(self.chosen):
            others = [each for each in self.chosen if each is not change]
            if self._with(others) and len(self._agreeing(others)) >= len(self._agreeing(self.chosen)):
                self.chosen = others

    def _departure(self, change: RuleChange, agreeing: frozenset[int]) -> Departure:
        others = [each for each in self.chosen if each is not change]
        without = self._agreeing(others)
        shows = sorted(agreeing - without)
        rivals = self.sourced if change.owners else self._changes_at_work(shows)
        alternatives = [
            rival
            for rival in rivals
            if rival.cell_values != change.cell_values
            and self._fits_as_well([*others, rival], shows, agreeing, without)
        ]
        return Departure(change, tuple(alternatives), tuple(shows), tuple(sorted(without - agreeing)))

    def _fits_as_well(
        self, changes: Sequence[RuleChange], shows: Sequence[int], agreeing: frozenset[int], without: frozenset[int]
    ) -> bool:
        """Whether the same answers fit with these changes."""
        rules = self._with(changes)
        if rules is None or not all(self.evidence.fit(rules, at).is_whole for at in shows):
            return False
        return all(self.evidence.fit(rules, at).is_whole for at in agreeing & without)

    def _changes_at_work(self, places: Sequence[int] | None = None) -> list[RuleChange]:
        """Return the changes by the schema of the rules at work where answers differ, and changes to the points
        observed there."""
        now = self._with(self.chosen if places is None else [])
        assert now is not None, "what was chosen makes a table"
        paths: dict[str, None] = {}
        found: list[RuleChange] = []
        for at in range(len(self.evidence.answers)) if places is None else places:
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
        found += vocabulary_changes(self.suite, now.rules.cells, paths)
        own = {each.key for each in self.sourced}
        once = {each.key: each for each in found if each.cell_values}
        return [each for key, each in once.items() if key not in own]


def grounds_of(evidence: EngineAnswers, rules: Candidate, at: int, *, whole: bool = True) -> tuple[str, ...]:
    """Return the cells at work in an answer, up to its difference: those of the last act or question, and then of
    the others, if `whole`."""
    answer, first = evidence.answers[at], evidence.fit(rules, at).first
    position = answer.distinct.position_under(rules.ruleset, rules.rules)
    if position is None:
        return ()
    steps = answer.acts[: answer.ends[first.at] + 1 if first else None]
    try:
        traced = trace_acts(rules.rules, {"position": position, "steps": steps})
    except (Malformed, *BROKEN):
        return ()
    steps_at_work = traced[::-1] if whole else traced[-1:]
    return tuple(dict.fromkeys(path for each in steps_at_work for path in each.grounds))
