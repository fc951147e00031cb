"""A prelude in words."""

from collections.abc import Iterator

from hoyle_conformance.checks.preludes.follow import proved_impossible
from hoyle_conformance.checks.preludes.store import prelude_of, written_act
from hoyle_conformance.checks.request import NoPrelude
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.text import wrap


def prelude_lines(suite: Suite, check: Check) -> Iterator[str]:
    """Yield the prelude of a check: the deal, and line by line the acts; or why there is none."""
    found = prelude_of(suite, check)
    yield f"Prelude under {check.ruleset}"
    if isinstance(found, NoPrelude):
        none = proved_impossible(suite, check) or found
        yield from wrap(f"None: {none.reason}.", 2, 4)
        return
    for seat, cards in found.start["hands"].items():
        yield from wrap(f"{seat} is dealt {' '.join(cards)}", 2, 4)
    if found.start.get("turn_up"):
        yield f"  {found.start['turn_up']} is turned up"
    yield from wrap(f"stock: {' '.join(found.start['stock'])}", 2, 4)
    for cells in found.rests_on:
        yield f"  The prelude depends on the reading of {cells}."
    done = [written_act(act) for act in found.acts]
    yield from wrap("; ".join(done) or "No acts.", 2, 4)
