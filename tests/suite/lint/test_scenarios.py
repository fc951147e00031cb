"""Lint of scenarios: it looks the combinations of a ruleset up in its table, and compiles it only for the others."""

from hoyle_conformance.suite.suite import Suite


def test_every_combination_in_a_list_of_a_table_is_one_of_its_rules(suite: Suite) -> None:
    """So that the lint of a scenario that names only these needs no compiled rules."""
    found = {name: set(suite.rules.meld_names(name)) for name in suite.rules.names}
    assert all(melds <= suite.rules.of(name).combinations for name, melds in found.items())
    assert sum(map(len, found.values())) > 300
