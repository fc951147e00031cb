"""Explaining: the fewest rules that must be otherwise for a table to give what an implementation has answered."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from hoyle_conformance.checks.setup.trace import taken
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.identify.candidates import RuleChange, by_points, candidate, of_the_vocabulary
from hoyle_conformance.tools.identify.match import BROKEN, SENSELESS, Candidate, EngineAnswers, Fit
from hoyle_reference import Malformed
from hoyle_reference.frozen import frozen

#: In so many positions at least a rule must show that no source has so: one that shows in fewer is a guess.
_NOT_A_GUESS = 2
#: Of many answers that differ in the same way it is enough to try every change on a few.
_OF_A_KIND = 3
#: How many changes are looked at in full before one is chosen.
_LIKELIEST = 12
#: So many times each answer is judged, on average, before a change is chosen, and as often again for each that was. To
#: find one takes five to ten, and thirty where a dozen rules are otherwise; who answers at random differs in every way
#: there is, and hardly any change helps.
PATIENCE: Final = 40


class _NoShortList(Exception):
    """So much was tried, and so little found, that no few changes account for the answers."""


@frozen
class Departure:
    """A rule that an implementation has otherwise, what else would fit as well, and the positions that show it: those
    that agree only with it, and those that would agree without it."""

    change: RuleChange
    either: tuple[RuleChange, ...]
    shows: tuple[int, ...]
    against: tuple[int, ...]


@frozen
class Explained:
    """How the answers are accounted for: by these rules, which depart from a ruleset so; what is left; and whether the
    search was cut short, since no few departures account for it."""

    base: Candidate
    rules: Candidate
    departures: tuple[Departure, ...]
    left: tuple[int, ...]
    cut_short: bool = False

    @property
    def cost(self) -> tuple[int, int]:
        """How much there is to say: the fewer, the nearer."""
        return len(self.departures) + len(self.left), len(self.departures) + self.base.ruleset.count("+")


@dataclass(slots=True)
class Explaining:
    """The answers, a ruleset that they are near to, and the changes that are tried on it."""

    suite: Suite
    evidence: EngineAnswers
    base: Candidate
    sourced: Sequence[RuleChange]
    at_most: int | None = None
    chosen: list[RuleChange] = field(default_factory=list)
    _made: dict[tuple[str, ...], Candidate | None] = field(default_factory=dict)

    def explain(self) -> Explained:
        """The departures that account for the answers."""
        cut_short = True
        with suppress(_NoShortList):
            self._greedily(self.sourced, least=1)
            self._greedily(self._at_work(), least=_NOT_A_GUESS)
            cut_short = False
        self._prune()
        rules = self._with(self.chosen)
        assert rules is not None, "what was chosen makes a table"
        agreeing = self.evidence.agreeing(rules)
        departures = tuple(self._departure(change, agreeing) for change in self.chosen)
        left = tuple(at for at in range(len(self.evidence.answers)) if at not in agreeing)
        return Explained(self.base, rules, departures, left, cut_short)

    def _with(self, changes: Sequence[RuleChange]) -> Candidate | None:
        key = tuple(each.key for each in changes)
        if not changes:
            return self.base
        if key not in self._made:
            self._made[key] = candidate(self.suite, self.base.ruleset, changes)
        return self._made[key]

    def _agreeing(self, changes: Sequence[RuleChange]) -> frozenset[int]:
        rules = self._with(changes)
        return self.evidence.agreeing(rules) if rules else frozenset()

    def _greedily(self, changes: Iterable[RuleChange], least: int) -> None:
        """Choose, again and again, the change that makes most answers fit that did not; one that brings them nearer
        is a step on the way, and goes again if it leads nowhere."""
        every = list(changes)
        likely = every
        while self.at_most is None or len(self.chosen) <= self.at_most:
            best, likely = self._best(likely, least)
            if best is None:  # one that could not help before may do so now
                best, likely = self._best(every, least)
            if best is None:
                return
            self.chosen.append(best)

    def _best(self, tried: Sequence[RuleChange], least: int) -> tuple[RuleChange | None, list[RuleChange]]:
        """The change to choose, if there is one, and those that made any answers fit better."""
        now = self._with(self.chosen)
        assert now is not None, "what was chosen makes a table"
        fits = {at: self.evidence.fit(now, at) for at in range(len(self.evidence.answers))}
        differing = [at for at, fit in fits.items() if not fit.whole]
        best, most = None, (0, 0)
        likeliest = self._likeliest(tried, fits, differing)
        for change, rules in likeliest[:_LIKELIEST]:
            self._go_on_with_patience()
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
        """The changes that make some of the answers fit that did not, or fit better, most of them first; of as many
        those first that sources have, and have alone."""
        sample = self._sample(fits, differing)
        found = []
        for number, change in enumerate(tried if sample else ()):
            self._go_on_with_patience()
            rules = None if change in self.chosen else self._with([*self.chosen, change])
            if rules is not None and (gain := self._gain(rules, fits, sample)) > (0, 0):
                found.append((*gain, bool(change.origins), -len(change.puts), -number, change, rules))
        found.sort(key=lambda each: each[:5], reverse=True)
        return [(change, rules) for *_, change, rules in found]

    def _go_on_with_patience(self) -> None:
        """Raises _NoShortList where answers were judged too often for what was found."""
        judged = sum(len(rules.fits) for rules in self._made.values() if rules)
        if judged > PATIENCE * len(self.evidence.answers) * (1 + len(self.chosen)):
            raise _NoShortList

    def _sample(self, fits: Mapping[int, Fit], differing: Sequence[int]) -> list[int]:
        """Of the answers that differ a few of each kind."""
        kinds: dict[str, list[int]] = {}
        for at in differing:
            first = fits[at].first
            sent = self.evidence.answers[at].sent[first.at] if first else {}
            about = [sent.get(key) for key in ("do", "ask", "meld", "class", "says")]
            whether = first and first.what == "accepted" and first.expected
            kinds.setdefault(repr([about, first and first.what, whether]), []).append(at)
        return [at for places in kinds.values() for at in places[:_OF_A_KIND]]

    def _gain(self, rules: Candidate, fits: Mapping[int, Fit], places: Sequence[int]) -> tuple[int, int]:
        """How many answers fit by these rules that did not, and how many acts and questions of them."""
        new = [self.evidence.fit(rules, at) for at in places]
        return sum(fit.whole for fit in new), sum(
            fit.agree - fits[at].agree for at, fit in zip(places, new, strict=True)
        )

    def _lost(self, rules: Candidate, fits: Mapping[int, Fit], at_most: int) -> int:
        """How many answers that fit do not fit any more by these rules; counted no further than it matters."""
        lost = 0
        for at, fit in fits.items():
            lost += fit.whole and not self.evidence.fit(rules, at).whole
            if lost > at_most:
                break
        return lost

    def _prune(self) -> None:
        """Take back what changes nothing, or spoils as much as it mends, beside what was chosen later."""
        for change in tuple(self.chosen):
            others = [each for each in self.chosen if each is not change]
            if self._with(others) and len(self._agreeing(others)) >= len(self._agreeing(self.chosen)):
                self.chosen = others

    def _departure(self, change: RuleChange, agreeing: frozenset[int]) -> Departure:
        others = [each for each in self.chosen if each is not change]
        without = self._agreeing(others)
        shows = sorted(agreeing - without)
        rivals = self.sourced if change.origins else self._at_work(shows)
        either = [
            rival
            for rival in rivals
            if rival.puts != change.puts and self._as_good([*others, rival], shows, agreeing, without)
        ]
        return Departure(change, tuple(either), tuple(shows), tuple(sorted(without - agreeing)))

    def _as_good(
        self, changes: Sequence[RuleChange], shows: Sequence[int], agreeing: frozenset[int], without: frozenset[int]
    ) -> bool:
        """Whether with these changes the same answers fit."""
        rules = self._with(changes)
        if rules is None or not all(self.evidence.fit(rules, at).whole for at in shows):
            return False
        return all(self.evidence.fit(rules, at).whole for at in agreeing & without)

    def _at_work(self, places: Sequence[int] | None = None) -> list[RuleChange]:
        """What the vocabulary has for the rules at work where answers differ, and the points that were seen there."""
        now = self._with(self.chosen if places is None else [])
        assert now is not None, "what was chosen makes a table"
        paths: dict[str, None] = {}
        found: list[RuleChange] = []
        for at in range(len(self.evidence.answers)) if places is None else places:
            first = self.evidence.fit(now, at).first
            if first is None or self.evidence.fit(now, at) is SENSELESS:
                continue
            grounds = grounds_of(self.evidence, now, at, whole=False)
            paths |= dict.fromkeys(grounds)
            if first.what == "scores":
                seats = first.expected.keys() | first.observed.keys()
                made = {first.observed.get(seat, 0) - first.expected.get(seat, 0) for seat in seats}
                for points in sorted(made - {0}):
                    found += by_points(now.rules.cells, grounds, points)
        found += of_the_vocabulary(self.suite, now.rules.cells, paths)
        own = {each.key for each in self.sourced}
        once = {each.key: each for each in found if each.puts}
        return [each for key, each in once.items() if key not in own]


def grounds_of(evidence: EngineAnswers, rules: Candidate, at: int, *, whole: bool = True) -> tuple[str, ...]:
    """The cells at work in an answer, until it differs: those of the last act or question, and then of the others, if
    the `whole` of it is asked for."""
    answer, first = evidence.answers[at], evidence.fit(rules, at).first
    position = answer.distinct.under(rules.ruleset, rules.rules)
    if position is None:
        return ()
    steps = answer.acts[: answer.ends[first.at] + 1 if first else None]
    try:
        traced = taken(rules.rules, {"position": position, "steps": steps})
    except (Malformed, *BROKEN):
        return ()
    told = traced[::-1] if whole else traced[-1:]
    return tuple(dict.fromkeys(path for each in told for path in each.grounds))
