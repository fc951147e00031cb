"""The badge of a record: how much of the suite passes, of the rulesets that the implementation claims.

What was not asked counts as not passed, and so does what was not selected: the second number is that of the suite.
"""

import json
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.reports.record import Record
from hoyle_conformance.reports.summary import count
from hoyle_conformance.reports.words import phrase
from hoyle_conformance.runner.results import Status

LABEL: Final = "hoyle"
#: So many rulesets stand on it by name; of more, their number.
_NAMED: Final = 2


@dataclass(frozen=True, slots=True)
class Badge:
    """The message of a badge, and its colour."""

    message: str
    color: str


def badge(record: Record) -> Badge:
    """Return the badge of a record.

    It is green only if every check of the suite of every claimed ruleset has passed; yellow-green if nothing went wrong
    and part was not asked; yellow if failures are known; red if something failed, or if nothing passed.
    """
    claimed = record.claimed
    passed = {name: count(results).passed for name, results in claimed.items()}
    checks = {name: record.rulesets[name].checks for name in claimed}
    if record.cut_off:
        return Badge(phrase("badge.not-finished"), "lightgrey")
    if not sum(passed.values()) and not record.failures and not record.nothing_passed:
        return Badge(phrase("badge.nothing-ran"), "lightgrey")
    if len(claimed) <= _NAMED:
        of = (phrase("badge.ruleset", ruleset=n, passed=passed[n], checks=checks[n]) for n in sorted(claimed))
        said = ", ".join(of)
    else:
        totals = {"passed": sum(passed.values()), "checks": sum(checks.values())}
        said = phrase("badge.rulesets", count=len(claimed), **totals)
    return Badge(said, _color(record, whole=passed == checks))


def _color(record: Record, *, whole: bool) -> str:
    if record.failures or record.stopped or record.ending or record.nothing_passed:
        return "red"
    if record.count(Status.EXPECTED_FAILURE):
        return "yellow"
    return "brightgreen" if whole else "yellowgreen"


def endpoint(record: Record) -> str:
    """Return the badge as JSON for shields.io."""
    shown = badge(record)
    return json.dumps({"schemaVersion": 1, "label": LABEL, "message": shown.message, "color": shown.color}) + "\n"
