"""Positions of the suite as layouts, and the search for them."""

from functools import cached_property
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.search import entries as things
from hoyle_conformance.tools.search.search import Index, build_index, find
from hoyle_conformance.web.explorer.layout import Wrong, written_layout

#: So many positions are found at once.
MOST: Final = 20
_LONGEST: Final = 200  # characters


def layout_of(suite: Suite, scenario: str) -> dict[str, Any]:
    """Return a scenario as a layout, with all the rulesets of its outcomes."""
    if scenario not in suite.scenarios:
        raise Wrong("There is no such position.", "Look for it by other words.")
    found = suite.scenarios[scenario]
    layout = {"rulesets": list(found.rulesets), "given": found.given, "steps": list(found.steps), "title": found.title}
    return written_layout(layout)


class Positions:
    """The positions of a suite, found by the words that players use for what is in their titles, as on the site."""

    def __init__(self, suite: Suite) -> None:
        self._all = list(things.position_entries(suite))

    @cached_property
    def _index(self) -> Index:
        return build_index(self._all)

    def found(self, words: str) -> list[dict[str, Any]]:
        """Return the positions that fit some words best, or the first of all if there are none."""
        asked = words[:_LONGEST].strip()
        some = find(self._index, asked) if asked else self._all
        return [{"id": each.id, "title": each.title, "rulesets": list(each.rulesets)} for each in some[:MOST]]
