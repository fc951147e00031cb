"""Positions of the suite as layouts, and the search for them."""

from typing import Any, Final

from ..suite.value import Suite
from .layout import Wrong, written_layout

#: So many positions are found at once.
MOST: Final = 20


def layout_of(suite: Suite, scenario: str) -> dict[str, Any]:
    """A scenario as a layout, with all the rulesets that it has an outcome for."""
    if scenario not in suite.scenarios:
        raise Wrong("There is no such position.", "Look for it by other words.")
    found = suite.scenarios[scenario]
    layout = {"rulesets": list(found.rulesets), "given": found.given, "steps": list(found.steps), "title": found.title}
    return written_layout(layout)


def found(suite: Suite, words: str) -> list[dict[str, Any]]:
    """The positions in whose title or id all these words stand."""
    wanted = words[:200].casefold().split()
    titles: dict[str, tuple[str, list[str]]] = {}
    for heading in suite.headings.values():
        titles.setdefault(heading.scenario, (heading.title, []))[1].append(heading.ruleset)
    fit = (
        {"id": name, "title": title, "rulesets": rulesets}
        for name, (title, rulesets) in titles.items()
        if all(word in f"{name} {title}".casefold() for word in wanted)
    )
    return [each for each, _ in zip(fit, range(MOST), strict=False)]
