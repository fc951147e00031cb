"""The reasons why engines with another value of a rule may fail."""

import re

import pytest

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site.silence import Reason, reasons

REASON = Reason(["bezique-*"], ["seven.until", "seven.shown"], ["stock-*"], "the other value contradicts a/b/c")


@pytest.mark.parametrize(
    ("ruleset", "cell", "value", "fits"),
    [
        ("bezique-hoyle", "seven.until", "stock-is-gone", True),
        ("bezique-hoyle", "seven.until", "one-card-each-is-left", False),
        ("bezique-hoyle", "seven.when", "stock-is-gone", False),
        ("rubicon-hoyle", "seven.until", "stock-is-gone", False),
    ],
)
def test_a_reason_is_for_its_rulesets_cells_and_values(ruleset: str, cell: str, value: str, fits: bool) -> None:
    assert REASON.fits(ruleset, cell, value) is fits


def test_a_reason_names_clauses_of_the_ledgers(suite: Suite) -> None:
    for each in reasons():
        named = re.findall(r"[a-z0-9]+/[a-z-]+/[a-z0-9-]+", each.because)
        assert named, each
        assert [clause for clause in named if clause not in suite.clauses] == []
