"""Writing the census: no disputed reading decides in the games that are written."""

import pytest

from hoyle_conformance.checks.preludes.follow import other_readings
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.games.census import census_game, stored_table
from tools.games.test_census import TABLES
from write_census import search_game


@pytest.mark.parametrize("ruleset", TABLES)
def test_nothing_disputed_decides(suite: Suite, ruleset: str) -> None:
    """Played again under all readings side by side, the first game is the same."""
    rules, table = suite.rules.of(ruleset), stored_table(suite, ruleset)
    assert table is not None
    game = table.games[0]
    others = [suite.rules.of(ruleset, {path: reading}) for path, reading in other_readings(suite, ruleset)]
    course = search_game(rules, others, game.game) or search_game(rules, others, game.game, to_dispute=True)
    assert course is not None
    assert census_game(course) == game


def test_the_search_ends_where_the_readings_always_differ(suite: Suite) -> None:
    """There is no game if no act has the same result."""
    rules = suite.rules.of("bezique-hoyle")
    assert search_game(rules, [suite.rules.of("bezique-britannica+first-marriage-trumps")], 1) is None
