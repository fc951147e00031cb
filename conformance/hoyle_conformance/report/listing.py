"""Listings of what the suite holds, a line each."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ..model import Clause, Heading
from ..suite.value import Suite
from .layout import counted


def checks(chosen: Sequence[Heading]) -> Iterator[str]:
    """Checks with their titles; those where no source decides name the reading that is followed, and those that are
    computed under house rules are marked."""
    width = max((len(check.id) for check in chosen), default=0)
    for check in chosen:
        reading = f" [reading({check.follows})]" if check.follows else ""
        computed = " [computed]" if check.computed else ""
        yield f"{check.id:<{width}}  {check.title}{reading}{computed}"


def clauses(suite: Suite) -> Iterator[str]:
    """The clauses of all ledgers, each with how many checks cite it, or why none can."""
    cited = Counter(clause for check in suite.headings.values() for clause in check.cites)
    width = max(map(len, suite.clauses))
    for clause in suite.clauses.values():
        tested = "not testable" if clause.not_testable else counted(cited[clause.id], "check")
        yield f"{clause.id:<{width}}  {clause.kind:<10}  {tested}"


def clause(suite: Suite, chosen: Clause) -> Iterator[str]:
    """What a clause says and where it stands; and, where no check cites it, why."""
    yield f"{chosen.id} ({chosen.where}): {chosen.says}"
    if chosen.decided:
        yield f"Why rules rest on it all the same: {chosen.decided}"
    if suite.cites(chosen.id):
        yield ""
        return
    yield f"No check cites it. Waived: {chosen.not_testable}" if chosen.not_testable else "No check cites it."


def rulesets(suite: Suite) -> Iterator[str]:
    """The rulesets, with their titles and options."""
    for ruleset in suite.rulesets.values():
        yield f"{ruleset.id}  {ruleset.title}"
        for option, title in suite.options(ruleset.id).items():
            yield f"  {ruleset.id}+{option}  {title}"


def topics(suite: Suite) -> Iterator[str]:
    """The topics, with how many checks each has."""
    for topic, count in sorted(Counter(check.topic for check in suite.headings.values()).items()):
        yield f"{topic:<12}  {counted(count, 'check')}"
