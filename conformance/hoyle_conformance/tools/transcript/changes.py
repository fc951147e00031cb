"""Changed rules that may explain a departure: those that other sources have, then those that the vocabulary has."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from hoyle_conformance.runner.departures.candidates import point_changes, sourced_changes, vocabulary_changes
from hoyle_conformance.runner.departures.changes import RuleChange
from hoyle_conformance.runner.departures.forms import forms
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.transcript.go_on import LookAhead, taken_under, under
from hoyle_conformance.tools.transcript.model import LoggedAct
from hoyle_conformance.tools.transcript.take import Reader
from hoyle_reference import Malformed, Rules, Table, compile_cells
from hoyle_reference.frozen import frozen

if TYPE_CHECKING:
    from hoyle_conformance.tools.transcript.judge import LoggedDeparture


#: The most changed rules that are compared for a departure, and that are named.
_MOST_COMPARED: Final = 40
_MOST_NAMED: Final = 6
#: After so many departures with one cause that nothing explains, no more is tried for it.
_MOST_ATTEMPTS: Final = 5


@frozen
class ActPlace:
    """The place of an act that the rules have otherwise: how it is read, the table before it, the acts after it, and
    how many of these are possible if it is carried out by force."""

    reader: Reader
    table: Table
    act: LoggedAct
    ahead: LookAhead
    at: int
    possible: int


class Explained(NamedTuple):
    """A changed rule that explains a departure, the table after the act under it, and how many of the next acts agree
    with it in everything."""

    change: RuleChange
    table: Table
    agreeing: int


class CandidateChanges:
    """The changed rules of one ruleset, compiled when they are first tried; `found` counts those that explained
    something in this run."""

    def __init__(self, suite: Suite, rules: Rules, sourced: Sequence[RuleChange]) -> None:
        self._suite, self._rules, self._sourced = suite, rules, sourced
        self._compiled: dict[str, Rules | None] = {}
        self._known: dict[str, RuleChange] = {}
        self.found = Counter[str]()
        self._not_explained = Counter[tuple[str, ...]]()

    def explaining(self, departure: "LoggedDeparture", place: ActPlace) -> list[Explained]:
        """Return the changed rules that explain a departure, likeliest first: one that has explained another departure
        if there is one; else those of other sources; else those that the vocabulary has."""
        known = [self._known[key] for key, _ in self.found.most_common()]
        for changes in ((change,) for change in known):
            if explained := self._fitting(changes, place):
                return self._noted(explained)
        if self._not_explained[departure.cause] >= _MOST_ATTEMPTS:
            return []
        for tried in (self._sourced, self._by_vocabulary(departure)):
            if explained := self._fitting(tried, place):
                return self._noted(self._in_order(explained, departure))
        self._not_explained[departure.cause] += 1
        return []

    def _fitting(self, changes: Iterable[RuleChange], place: ActPlace) -> list[Explained]:
        """Return the changes under which the act is as it was written down, and the next ones no less possible."""
        found, tried = list[Explained](), set[str]()
        for change in changes:
            if change.key in tried:
                continue
            tried.add(change.key)
            rules = self.rules_with(change)
            table = taken_under(rules, place.reader, place.table, place.act) if rules else None
            if table is None or len(found) == _MOST_COMPARED:
                continue
            if place.ahead.possible(under(self._rules, table), place.at + 1) >= place.possible:
                found.append(Explained(change, table, place.ahead.agreeing(table, place.at + 1)))
        return found

    def _noted(self, explained: list[Explained]) -> list[Explained]:
        first = explained[0].change
        self._known[first.key] = first
        self.found[first.key] += 1
        return explained[:_MOST_NAMED]

    def rules_with(self, change: RuleChange) -> Rules | None:
        """Return the rules with a change; None if they cannot be so."""
        if change.key not in self._compiled:
            try:
                cells = change.apply_to(self._rules.cells)
                self._compiled[change.key] = compile_cells(self._rules.id, cells)
            except (Malformed, LookupError, TypeError, ValueError):
                self._compiled[change.key] = None
        return self._compiled[change.key]

    def _by_vocabulary(self, departure: "LoggedDeparture") -> Iterator[RuleChange]:
        """Yield the changes that no source has, of the rules at work: other points, and other values."""
        expected, observed = departure.difference.expected, departure.difference.observed
        if departure.difference.what in {"scored", "score"}:
            seats = expected.keys() | observed.keys()
            for points in sorted({observed.get(seat, 0) - expected.get(seat, 0) for seat in seats} - {0}):
                yield from point_changes(self._rules.cells, departure.grounds, points)
        changes = vocabulary_changes(self._suite, self._rules.cells, departure.grounds)
        yield from (change for change in changes if change.cell_values)

    @staticmethod
    def _in_order(explained: Sequence[Explained], departure: "LoggedDeparture") -> list[Explained]:
        """Return explanations, likeliest first: with which more of the next acts agree, then by the place of the rule
        among those at work, then those that change least."""
        at_work = {path: number for number, path in enumerate(departure.grounds)}
        last = len(at_work)

        def rank(each: Explained) -> tuple[int, int, int]:
            values = each.change.cell_values
            return -each.agreeing, min(at_work.get(value.path, last) for value in values), len(values)

        return sorted(explained, key=rank)


def changes_of_sources(suite: Suite, ruleset: str) -> list[RuleChange]:
    """Return the changes of one rule of a ruleset to what another table, option or reading of the game has."""
    name = ruleset.partition("+")[0]
    form = next((form for form in forms(suite) if name in form.rulesets), None)
    return sourced_changes(suite, form, ruleset) if form else []
