"""The rulesets that a layout asks, with readings or as house rules, ready to be played, and their names."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hoyle_conformance.suite.suite import Suite, meld_names
from hoyle_conformance.web.explorer import house_rules as house
from hoyle_conformance.web.explorer.layout import HOUSE, Layout, Wrong
from hoyle_conformance.wording import citations as citing
from hoyle_reference import Malformed, Rules

#: What house rules are called.
WITH_CHANGES = "With your changes"


@dataclass(frozen=True, slots=True)
class AskedRuleset:
    """One ruleset that is asked: its rules, the names of its combinations, and what it is called and found by; `key`
    tells it from the same ruleset with other readings or changes."""

    id: str
    key: str
    name: str
    title: str
    href: str
    rules: Rules = field(repr=False)
    melds: Mapping[str, str] = field(repr=False)

    @property
    def shown(self) -> dict[str, str]:
        """What a page needs to name it."""
        return {"id": self.id, "name": self.name, "title": self.title, "href": self.href}


def asked(suite: Suite, layout: Layout, ruleset: str) -> AskedRuleset:
    """Return a ruleset as a layout asks it; raises Wrong if there is none of that name, or it has no such reading."""
    if ruleset == HOUSE and layout.house:
        rules = house.compiled(suite, layout.house, layout.readings.get(HOUSE, {}))
        base, name, title = layout.house.extends, WITH_CHANGES, WITH_CHANGES
        key = f"{HOUSE}:{base}:{sorted(layout.house.rules.items())!r}"
    else:
        rules = _rules(suite, ruleset, layout.readings.get(ruleset, {}))
        base, name, title, key = ruleset, citing.with_options(suite, ruleset), suite.rules.title(ruleset), ruleset
    key += repr(sorted(layout.readings.get(ruleset, {}).items()))
    return AskedRuleset(ruleset, key, name, title, citing.ruleset_path(base), rules, meld_names(rules.cells))


def _rules(suite: Suite, ruleset: str, readings: Mapping[str, str]) -> Rules:
    try:
        suite.rules.cells(ruleset)
    except Malformed:
        raise Wrong("The table does not have these rules.", "Choose others, or reload the page.") from None
    try:
        return suite.rules.of(ruleset, readings)
    except Malformed as malformed:
        title = suite.rules.title(ruleset)
        raise Wrong(f"{title} cannot have this reading: {malformed.message}.", "Choose another reading.") from malformed
