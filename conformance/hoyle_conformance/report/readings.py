"""Which readings an implementation follows where no source decides, and whether it follows them throughout."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from ..model import Check, Reading
from ..run.results import Result
from ..suite.value import Suite


def argument(suite: Suite, check: Check, reading: Reading) -> str:
    """What speaks for a reading: what the scenario says, or else the table in the cells that make it so."""
    cells = suite.cells(check.ruleset)
    said = (each.argument for path, name in reading.cells.items() for each in cells[path].readings if each.name == name)
    return reading.argument or " ".join(said)


def followed(results: Iterable[Result]) -> Iterator[str]:
    """Each check in which a reading was followed, a line each."""
    for result in results:
        if result.reading:
            own = "" if result.check.follows in result.readings else f"  (the table follows {result.check.follows})"
            yield f"{result.check.id}: reading({result.reading}){own}"


def contradictions(results: Iterable[Result]) -> Iterator[str]:
    """Each cell of a ruleset that is read in one way in some checks and in another way in others, a line each."""
    seen: dict[tuple[str, str], dict[frozenset[str], list[str]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        fit = [each.cells for each in result.check.scenario.readings if each.name in result.readings]
        for cell in {cell for cells in fit for cell in cells}:
            ways = frozenset(cells[cell] for cells in fit if cell in cells)
            seen[result.check.ruleset, cell][ways].append(result.check.scenario.id)
    for (ruleset, cell), read in sorted(seen.items()):
        if not frozenset.intersection(*read):
            said = sorted(f"'{' or '.join(sorted(ways))}' in {checks[0]}" for ways, checks in read.items())
            yield f"{cell} of {ruleset}: {', '.join(said)}"
