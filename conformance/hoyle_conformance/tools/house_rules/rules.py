"""House rules as a value: their table, and what they make of a suite."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hoyle_conformance.suite.model import Check, Ruleset
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.house_rules.recompute import check_under
from hoyle_reference.frozen import frozen


@frozen
class HouseRules:
    """House rules: their table, the ruleset (with its options) that it extends, the paths of the cells that they
    change, and the file as it is written."""

    ruleset: Ruleset
    base: str
    changed: tuple[str, ...]
    written: Mapping[str, Any]

    def check(self, suite: Suite, base: Check) -> Check | None:
        """What a check of the ruleset that they change is under these rules; nothing where its position cannot be, or
        its steps make no sense under them."""
        return check_under(suite, self, base)

    def joined(self, suite: Suite) -> Suite:
        """The suite with these rules, which are a ruleset of it beside the others; it is never kept."""
        other = replace(suite, rulesets={**suite.rulesets, self.ruleset.id: self.ruleset}, house=self)
        other.known.digest, other.known.sound = suite.digest, suite.known.sound
        other.known.kept_plans, other.known.put = suite.known.kept_plans, suite.known.put
        return other
