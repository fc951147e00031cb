"""Lint of scenarios: it looks the combinations of a ruleset up in its table, and compiles it only for the others."""

from hoyle_conformance.suite.suite import COMBINATIONS, Suite


def test_every_combination_in_a_list_of_a_table_is_one_of_its_rules(suite: Suite) -> None:
    """So that the lint of a scenario that names only these needs no compiled rules."""
    every = [suite.rules.of(name) for name in suite.rules.names]
    found = [(of, row.value["id"]) for of in every for path in COMBINATIONS for row in of.cells.rows(path)]
    assert sum(meld in of.combinations for of, meld in found) == len(found) > 300
