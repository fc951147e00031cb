"""The badge of a record: how much of the suite passes, for the rulesets that the implementation claims.

Checks that were not sent or not selected count as not passed, because the second number is that of the whole suite.
"""

import json
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.reports.record import Record
from hoyle_conformance.reports.summary import count
from hoyle_conformance.reports.words import phrase
from hoyle_conformance.runner.results import Status

LABEL: Final = "hoyle"
#: The maximum number of rulesets that the badge names; if there are more, it shows their number.
_NAMED: Final = 2


@dataclass(frozen=True, slots=True)
class Badge:
    """The message and the colour of a badge."""

    message: str
    color: str


def badge(record: Record) -> Badge:
    """Return the badge of a record.

    It is green only if every check of every claimed ruleset in the suite passed; yellow-green if nothing failed but
    some checks were not sent; yellow if there are known failures; and red if something failed or nothing passed.
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
