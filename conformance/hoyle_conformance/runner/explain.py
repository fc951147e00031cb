"""Search for the rules behind an implementation's answers: the fewest changes to a ruleset that explain the most
answers.

The search always chooses the change that makes the most further answers fit, and removes changes that prove
unnecessary. The number of comparisons limits the search, so the result is the same on every machine; processor time
limits it only where a caller sets a limit, for engines that take far longer than usual. The search yields its findings
after each change, so it can be stopped at any time.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from time import process_time
from typing import Any, Final, NamedTuple, Self

from hoyle_conformance.runner.answers import IMPOSSIBLE, Answers, Candidate, Fit
from hoyle_conformance.runner.results import points_off
from hoyle_conformance.runner.rule_changes import (
    MELDS,
    RuleChange,
    is_in_vocabulary,
    point_changes,
    sourced_changes,
    vocabulary_changes,
    words_of_other_games,
)

#: The number of positions below which there is not enough evidence to tell a rule from chance.
HANDFUL: Final = 5
#: The minimum number of positions that must show a change that no source has.
_LEAST_EVIDENCE: Final = 2
#: The number of answers that differ in the same way on which changes are tried, until one change helps.
SAMPLES_OF_A_KIND: Final = 3
#: The number of kinds with the same act and observation that may stay unexplained before only one answer of each
#: further kind is tried.
_KINDS_IN_VAIN: Final = 2
#: The number of changes tried on all answers before one is chosen.
_CHANGES_TRIED_IN_FULL: Final = 4
#: The number of answers searched for other values of the rules at work.
ANSWERS_LOOKED_AT: Final = 20
#: The fields of a combination that affect only that combination.
_OF_ITSELF: Final = frozenset({"", "points", "cards", "kind", "suits", "name"})


class _WorkDone(Exception):
    """The limit of work was reached: no small set of changes explains the answers."""


class Work(NamedTuple):
    """The number of comparisons that a search may make: in all, and in addition for each chosen change. `until` is the
    processor time at which it ends, in seconds."""

    replays: int
    for_each: int = 0
    until: float = float("inf")


@dataclass(frozen=True, slots=True)
class Departure:
    """A rule in which an implementation differs, with other changes that fit equally well. `shows` are the positions
    that agree only with the change; `against`, those that would agree without it."""

    change: RuleChange
    alternatives: tuple[RuleChange, ...]
    shows: tuple[int, ...]
    against: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of the answers: a ruleset, its changed rules, the departures, the unexplained answers, and
    whether the search was cut short."""

    base: Candidate
    rules: Candidate
    departures: tuple[Departure, ...]
    unexplained: tuple[int, ...]
    cut_short: bool = False

    @property
    def changes(self) -> list[RuleChange]:
        """The changes to the ruleset."""
        return [each.change for each in self.departures]


def search(
    answers: Answers,
    ruleset: str,
    work: Work,
    *,
    known: Sequence[RuleChange] = (),
    only: Sequence[RuleChange] | None = None,
) -> Iterator[Explanation]:
    """Search for the changes to a ruleset that explain the answers, and yield an explanation after each change chosen;
    the last one is the result.

    The changes `known` to explain answers are chosen from the start. If `only` is given, only those changes are tried;
    otherwise the search tries the changes that sources have, then those that only the schema allows.
    """
    one = Search.of(answers, ruleset, work, known, sourced_changes(answers.suite, ruleset) if only is None else only)
    try:
        for changes, least in one.stages(by_the_schema=only is None):
            while changes and one.choose(changes, least):
                yield one.explanation()
    except _WorkDone:
        one.cut_short = True
    yield one.result()


@dataclass(slots=True)
class Search:
    """A search in progress: the answers, the ruleset, the changes to try on it, and those chosen."""

    answers: Answers
    base: Candidate
    sourced: Sequence[RuleChange]
    work: Work
    chosen: list[RuleChange]
    began: int
    cut_short: bool = False
    #: By the index of an answer: the changes tried, and its fit and the cells read then; and the changes that helped.
    _trials: dict[int, tuple[tuple[Any, ...], Mapping[int, tuple[int, int]]]] = field(default_factory=dict)

    @classmethod
    def of(
        cls, answers: Answers, ruleset: str, work: Work, chosen: Sequence[RuleChange], tried: Iterable[RuleChange]
    ) -> Self:
        """Return a search that tries those of the changes that have any part in the game."""
        known = {each.key for each in chosen}
        one = cls(answers, answers.table(ruleset), (), work, list(chosen), answers.replays)
        one.sourced = [each for each in tried if each.key not in known and one._has_a_part(each)]
        return one

    def stages(self, *, by_the_schema: bool) -> Iterator[tuple[Sequence[RuleChange], int]]:
        """Yield the changes to choose from at each stage, with the number of answers that must show one: first those of
        other sources, then those by the schema."""
        yield self.sourced, 1
        if by_the_schema:
            kinds = self._kinds(self.answers.fits(self.rules)).values()
            places = [at for kind in kinds for at in kind[:SAMPLES_OF_A_KIND]]
            yield self.changes_by_the_schema(self.rules, places), _LEAST_EVIDENCE

    @property
    def rules(self) -> Candidate:
        """The rules with the chosen changes."""
        found = self.with_changes(self.chosen)
        assert found, "what was chosen makes a table"
        return found

    def with_changes(self, changes: Sequence[RuleChange]) -> Candidate | None:
        """Return the ruleset with these changes; None if its table is invalid with them."""
        return self.answers.candidate(self.base.ruleset, changes)

    def without(self, change: RuleChange) -> list[RuleChange]:
        """Return the chosen changes except one."""
        others = [each for each in self.chosen if each is not change]
        self.answers.candidate(self.base.ruleset, others, [self.rules])
        return others

    def agreeing(self, changes: Sequence[RuleChange]) -> frozenset[int]:
        """Return the answers that agree with the ruleset with these changes."""
        rules = self.with_changes(changes)
        return self.answers.agreeing(rules) if rules else frozenset()

    def _has_a_part(self, change: RuleChange) -> bool:
        """Return whether a change gives a valid table by itself, and the changed rules have any part in the game."""
        rules = self.with_changes([change])
        return rules is not None and not change.paths.isdisjoint(rules.watched.touched | self.base.watched.touched)

    # ---- the choice of one change

    def choose(self, changes: Sequence[RuleChange], least: int) -> bool:
        """Choose a change that makes further answers fit, and return whether there was one. If no change does, choose
        one that only improves fits; it is removed later if it leads nowhere."""
        best = self._best_change(changes, least, whole=True) or self._best_change(changes, least, whole=False)
        if best:
            self.chosen.append(best)
        return best is not None

    def _best_change(self, tried: Sequence[RuleChange], least: int, *, whole: bool) -> RuleChange | None:
        """Return the change to choose; None if none helps.

        Candidates are the changes that help with the answers most often wrong in the same way. The best one makes the
        most answers fit or, if not `whole`, improves the most fits.
        """
        fits = self.answers.fits(self.rules)
        kinds, in_vain = self._kinds(fits), Counter[str]()
        differing = [at for at, fit in fits.items() if not fit.is_whole]
        for kind, places in sorted(kinds.items(), key=lambda each: -len(each[1])):
            samples = places[: 1 if in_vain[kind[0]] >= _KINDS_IN_VAIN else SAMPLES_OF_A_KIND]
            likely = self._likeliest(tried, fits, samples, whole=whole)
            in_vain[kind[0]] += not likely
            if len(likely) > _CHANGES_TRIED_IN_FULL:  # those that help most with a sample of these answers
                some = list(dict.fromkeys([*places, *differing]))[:ANSWERS_LOOKED_AT]
                gains = {each.key: self._gain(self._rules_beside(each), fits, some) for each in likely}
                likely.sort(key=lambda each: gains[each.key], reverse=True)
            best, most = None, (0, 0)
            for change in likely[:_CHANGES_TRIED_IN_FULL]:
                self._check_work()
                gained = self._gained(change, fits, differing, most, least)
                if gained > most and (gained[0] > 0 or not whole):
                    best, most = change, gained
            if best:
                return best
        return None

    def _kinds(self, fits: Mapping[int, Fit]) -> Mapping[tuple[str, str], list[int]]:
        """Group the differing answers that differ in the same way: by the act or question and the observation compared,
        then by its subject."""
        kinds: dict[tuple[str, str], list[int]] = {}
        for at, (_, first) in fits.items():
            if first:
                sent = self.answers.answers[at].sent_steps[first.at]
                word, about = sent.get("do", sent.get("ask")), [sent.get(key) for key in ("meld", "class", "says")]
                whether = first.what == "accepted" and first.expected
                kinds.setdefault((repr([word, first.what, whether]), repr(about)), []).append(at)
        return kinds

    def _likeliest(
        self, tried: Sequence[RuleChange], fits: Mapping[int, Fit], places: Sequence[int], *, whole: bool
    ) -> list[RuleChange]:
        """Return the changes that fix the first of these answers that any change fixes or, if not `whole`, improves.
        Among equals, changes that sources have come first."""

        def order(number: int) -> tuple[int, int, bool, int, int]:
            (answers, steps), change = helps[number], tried[number]
            return -answers, -steps, not change.owners, len(change.cell_values), number

        for at in places:
            every = self._changes_that_help(tried, fits, at)
            helps = {number: gain for number, gain in every.items() if gain[0] or not whole}
            if helps:
                return [tried[number] for number in sorted(helps, key=order)]
        return []

    def _changes_that_help(
        self, tried: Sequence[RuleChange], fits: Mapping[int, Fit], at: int
    ) -> Mapping[int, tuple[int, int]]:
        """Return the numbers of the changes that improve the fit of one answer, each with its gain.

        The result is computed again only if a change chosen since has affected the answer. Rules not at work in the
        answer are tried only if no rule at work makes it fit.
        """
        now = self.rules
        known, helps = (tried, fits[at], now.reads[at]), dict[int, tuple[int, int]]()
        if at in self._trials and self._trials[at][0] == known:
            return self._trials[at][1]
        grounds = {*self.answers.grounds(now, at)}
        near, far = list[int](), list[int]()
        for number, change in enumerate(tried):
            if change not in self.chosen and self.may_matter(now, change, at):
                (far if grounds.isdisjoint(change.paths) else near).append(number)
        for numbers in (near, far):
            for number in numbers:
                self._check_work()
                rules = self.with_changes([*self.chosen, tried[number]])
                if rules and (gain := self._gain(rules, fits, [at])) > (0, 0):
                    helps[number] = gain
            if any(whole for whole, _ in helps.values()):
                break
        self._trials[at] = known, helps
        return helps

    def may_matter(self, now: Candidate, change: RuleChange, at: int) -> bool:
        """Return whether a change could explain an answer: the answer reads a rule that the change affects, and the
        change is not about a combination other than the one in the answer."""
        if not any(self.answers.may_read(now, path, at) for path in change.paths):
            return False
        first = self.answers.fit(now, at).first
        named = self.answers.answers[at].sent_steps[first.at].get("meld") if first else None
        return named is None or not all(
            new.path.startswith(MELDS) and new.path != f"{MELDS}{named}" and new.field in _OF_ITSELF
            for new in change.cell_values
        )

    def _rules_beside(self, change: RuleChange) -> Candidate:
        """Return the rules with a change in addition to the chosen ones; the ruleset without changes if their table is
        invalid."""
        return self.with_changes([*self.chosen, change]) or self.base

    def _gained(
        self, change: RuleChange, fits: Mapping[int, Fit], differing: Sequence[int], most: tuple[int, int], least: int
    ) -> tuple[int, int]:
        """Return how many more answers fit with a change, and how many more acts and questions agree. Return zeros if
        the gain cannot exceed `most`, or if house rules may not have the change."""
        rules = self._rules_beside(change)
        gain, steps = self._gain(rules, fits, differing)
        if (
            (gain, steps) <= most
            or (gain < least and least > 1)
            or not is_in_vocabulary(self.answers.suite, rules.ruleset, self.base.rules.cells, [*self.chosen, change])
        ):
            return 0, 0
        no_longer = (at for at, fit in fits.items() if fit.is_whole and not self.answers.fit(rules, at).is_whole)
        lost = sum(1 for _ in islice(no_longer, gain - most[0] + 1))  # counting further would change nothing
        return (gain - lost, steps) if gain or not lost else (0, 0)

    def _gain(self, rules: Candidate, fits: Mapping[int, Fit], places: Sequence[int]) -> tuple[int, int]:
        """Return how many further answers fit these rules, and how many further acts and questions agree."""
        new = {at: self.answers.fit(rules, at) for at in places}
        return sum(fit.is_whole for fit in new.values()), sum(fit.agree - fits[at].agree for at, fit in new.items())

    def _check_work(self) -> None:
        """Raise _WorkDone if the number of comparisons is too high for what has been found, or the time is up."""
        limit = self.work.replays + self.work.for_each * len(self.chosen)
        if self.answers.replays - self.began > limit or process_time() > self.work.until:
            raise _WorkDone

    # ---- changes by the schema

    def changes_by_the_schema(self, now: Candidate, places: Iterable[int]) -> list[RuleChange]:
        """Return the schema's changes to the rules at work in these answers, and changes by the points observed there.
        Changes to another number come last, because some number fits the effect of any other single rule."""
        paths: dict[str, None] = {}
        found: list[RuleChange] = []
        for at in places:
            fit = self.answers.fit(now, at)
            if fit.first and fit is not IMPOSSIBLE:
                grounds = self.answers.grounds(now, at, whole=False)
                paths |= dict.fromkeys(grounds)
                for points in sorted({*points_off(fit.first).values()}):
                    found += point_changes(now.rules.cells, grounds, points)
        found += vocabulary_changes(self.answers.suite, now.rules.cells, paths)
        own = {each.key for each in self.sourced}
        foreign = words_of_other_games(self.answers.suite, self.base.ruleset)
        new = (each for each in found if each.cell_values and each.key not in own)
        once = {each.key: each for each in new if (each.path, str(each.cell_values[0].value)) not in foreign}
        return sorted(
            once.values(),
            key=lambda one: any(type(new.value) is int and (new.field or new.value) for new in one.cell_values),
        )

    # ---- the result

    def result(self) -> Explanation:
        """Return the explanation with only the necessary changes. Leave out those that fewer than a handful of answers
        show, if their rules are at work in more of the answers that stay unexplained."""
        for change in tuple(self.chosen):  # without which, given those chosen later, as many answers fit
            others = self.without(change)
            if self.with_changes(others) and len(self.agreeing(others)) >= len(self.agreeing(self.chosen)):
                self.chosen = others
        self._minimise()
        found = self._compared()
        left = [frozenset(self.answers.grounds(self.rules, at, whole=False)) for at in found.unexplained]
        for each in found.departures:
            if len(each.shows) < min(HANDFUL, sum(not each.change.paths.isdisjoint(cells) for cells in left)):
                self.chosen = self.without(each.change)
        return self._compared()

    def _compared(self) -> Explanation:
        """Return the explanation from all answers, compared with the rules and with those without each change."""
        for changes in (self.chosen, *map(self.without, self.chosen)):
            self.agreeing(changes)
        return self.explanation()

    def _minimise(self) -> None:
        """Reduce each change of several cells to those without which fewer answers fit or the table is invalid."""
        for place, change in enumerate(self.chosen):
            for new in change.cell_values[1:] and change.cell_values:
                values = tuple(each for each in self.chosen[place].cell_values if each is not new)
                fewer = [*self.chosen[:place], replace(change, cell_values=values), *self.chosen[place + 1 :]]
                if values and len(self.agreeing(fewer)) >= len(self.agreeing(self.chosen)):
                    self.chosen = fewer

    def explanation(self) -> Explanation:
        """Return an explanation from the answers compared so far."""
        left = (at for at, fit in self.rules.fits.items() if not fit.is_whole)
        departures = tuple(map(self._departure, self.chosen))
        return Explanation(self.base, self.rules, departures, tuple(sorted(left)), self.cut_short)

    def _departure(self, change: RuleChange) -> Departure:
        """Return a departure with the answers known to fit only with its change, or only without it."""
        below, now = self.with_changes(self.without(change)), self.rules.fits
        before = {at: below.fits.get(at, fit) if below else IMPOSSIBLE for at, fit in now.items()}
        shows = (at for at in sorted(now) if now[at].is_whole and not before[at].is_whole)
        against = (at for at in sorted(now) if before[at].is_whole and not now[at].is_whole)
        return Departure(change, (), tuple(shows), tuple(against))
