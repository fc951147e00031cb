"""How much passed, by ruleset and topic: what was not asked is no failure, and is counted by itself."""

from collections.abc import Iterable, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Final

from hoyle_conformance.reports.record import Checked, Record
from hoyle_conformance.runner.results import FAILED
from hoyle_reference.frozen import frozen


@frozen
class Count:
    """How many checks passed, how many failed, of how many the failure was known, and how many were not asked."""

    passed: int = 0
    failed: int = 0
    known: int = 0
    not_asked: int = 0

    @property
    def asked(self) -> int:
        """How many the implementation was held against."""
        return self.passed + self.failed + self.known

    def __add__(self, other: "Count") -> "Count":
        return Count(
            self.passed + other.passed,
            self.failed + other.failed,
            self.known + other.known,
            self.not_asked + other.not_asked,
        )

    def __str__(self) -> str:
        return f"{self.passed:,} of {self.asked:,}"


NOTHING: Final = Count()
_KNOWN: Final = Count(known=1)
_NOT_ASKED: Final = Count(not_asked=1)
_OF: Final = MappingProxyType(
    {
        "pass": Count(passed=1),
        "expected-failure": _KNOWN,
        "skipped": _NOT_ASKED,
        "unsupported": _NOT_ASKED,
        **{str(status): Count(failed=1) for status in FAILED},
    }
)


def count(results: Iterable[Checked]) -> Count:
    """These results, counted."""
    return sum((_OF[each.status] for each in results), NOTHING)


def place(result: Checked) -> tuple[str, str]:
    """The ruleset that a check counts under, without its option, and its row there: the topic, or the option."""
    ruleset, plus, option = result.ruleset.partition("+")
    return ruleset, plus + option or result.topic


def by_topic(record: Record) -> Mapping[str, Mapping[str, Count]]:
    """The checks of the rulesets that are claimed, counted: for each ruleset, and in it each topic, then each option,
    by name."""
    counts: dict[str, dict[str, Count]] = {}
    for result in chain.from_iterable(record.claimed.values()):
        ruleset, row = place(result)
        rows = counts.setdefault(ruleset, {})
        rows[row] = rows.get(row, NOTHING) + _OF[result.status]
    return {name: dict(sorted(counts[name].items(), key=_topics_first)) for name in sorted(counts)}


def _topics_first(row: tuple[str, Count]) -> tuple[bool, str]:
    return row[0].startswith("+"), row[0]
