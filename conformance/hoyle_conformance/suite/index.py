"""The checks of a suite, found by id, scenario, clause, ruleset and topic."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from hoyle_conformance.files.lazy import Lazily
from hoyle_conformance.suite.model import Check, Heading, Scenario, checks_of, topic_of
from hoyle_conformance.suite.rulebooks import RuleBooks


def clauses_by_check(at_work_in: Mapping[str, Sequence[str]]) -> Mapping[str, tuple[str, ...]]:
    """Return the clauses that are at work in each check and decide no outcome, by the check's id."""
    found: dict[str, tuple[str, ...]] = {}
    for clause, names in at_work_in.items():
        found |= {name: (*found.get(name, ()), clause) for name in names}
    return found


class CheckIndex:
    """The checks of a suite and their headings.

    `under_house_rules` makes of the checks of a scenario the one under house rules, if there is one. `headings` returns
    the headings where they have been computed before; otherwise they are computed from the scenarios.
    """

    def __init__(
        self,
        scenarios: Mapping[str, Scenario],
        rules: RuleBooks,
        at_work_in: Mapping[str, Sequence[str]],
        under_house_rules: Callable[[Sequence[Check]], Check | None],
        headings: Callable[[], Mapping[str, Heading]] | None = None,
    ) -> None:
        self._scenarios, self._rules, self._at_work_in = scenarios, rules, at_work_in
        self._under_house_rules, self._computed_headings = under_house_rules, headings
        self._checks: dict[str, Check] = {}

    @cached_property
    def headings(self) -> Mapping[str, Heading]:
        """The heading of every check, by the check's id, in the order of the scenarios' ids."""
        if self._computed_headings:
            return self._computed_headings()
        checks = [check for key in sorted(self._scenarios) for check in self.checks_of(self._scenarios[key])]
        self._checks |= {check.id: check for check in checks}
        also = clauses_by_check(self._at_work_in)
        return {check.id: check.heading._replace(also=also.get(check.id, ())) for check in checks}

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        """Every check, by id, in the order of the scenarios' ids; each is made when it is first used."""
        return Lazily(self.headings, self._check)

    def _check(self, name: str) -> Check:
        if name not in self._checks:
            scenario = self._scenarios[self.headings[name].scenario]
            cites = {ruleset: self.headings[f"{scenario.id}@{ruleset}"].cites for ruleset in scenario.rulesets}
            self._checks |= {
                check.id: check for check in checks_of(scenario, lambda ruleset, clause: clause in cites[ruleset])
            }
        return self._checks[name]

    def checks_under(self, ruleset: str) -> Iterator[Check]:
        """Yield the checks under one ruleset; others are not made."""
        return (self.checks[name] for name in self.headings if name.partition("@")[2] == ruleset)

    def checks_of(self, scenario: Scenario) -> tuple[Check, ...]:
        """Return the checks of a scenario, and the one under house rules. Each check cites those of the outcome's
        clauses that its ruleset cites too."""
        checks = checks_of(scenario, lambda ruleset, clause: clause in self._rules.cited_by(ruleset))
        own = self._under_house_rules(checks)
        return (*checks, own) if own else checks

    def cites(self, clause: str) -> list[Heading]:
        """Return the headings of the checks that test a clause."""
        return [heading for heading in self.headings.values() if clause in heading.clauses]

    @cached_property
    def checks_by_ruleset(self) -> Counter[str]:
        """The number of checks under each ruleset that has some."""
        return Counter(name.partition("@")[2] for name in self.headings)

    @cached_property
    def checks_by_topic(self) -> Counter[str]:
        """The number of checks of each topic."""
        return Counter(map(topic_of, self.headings))
