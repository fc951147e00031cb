"""Lint of scenarios: it looks the combinations of a ruleset up in its table, and compiles it only for the others."""

from hoyle_conformance.suite.suite import COMBINATIONS, Suite


def test_every_combination_in_a_list_of_a_table_is_one_of_its_rules(suite: Suite) -> None:
    """So that the lint of a scenario that names only these needs no compiled rules."""
    cells = {name: suite.rules.cells(name) for name in suite.rules.names}
    found = {name: {row.value["id"] for path in COMBINATIONS for row in of.rows(path)} for name, of in cells.items()}
    assert all(melds <= suite.rules.of(name).combinations for name, melds in found.items())
    assert sum(map(len, found.values())) > 300
