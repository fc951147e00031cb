"""Units of work: small parts of the mutants of one ruleset, which workers try in any order."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Final, TypeVar

from hoyle_conformance.tools.adequacy.mutants import CELLS, MEMORY, REACH, REFUSALS
from hoyle_reference.frozen import frozen

T = TypeVar("T")


@frozen
class Part:
    """One of so many parts of about the same size; the first has number 1."""

    number: int
    parts: int

    def of(self, things: Sequence[T]) -> Sequence[T]:
        """Return this part of some things."""
        first, end = ((len(things) * number) // self.parts for number in (self.number - 1, self.number))
        return things[first:end]


WHOLE: Final = Part(1, 1)


def parts(count: int) -> list[Part]:
    """Return so many parts."""
    return [Part(number, count) for number in range(1, count + 1)]


@frozen
class Unit:
    """A part of one measure of a ruleset."""

    ruleset: str
    measure: str
    part: Part = WHOLE

    def __str__(self) -> str:
        return f"part {self.part.number} of {self.part.parts} of the {self.measure} of {self.ruleset}"


#: The parts of each measure, in the order in which workers take them: those of which each worker prepares the mutants
#: first are apart, so that two workers seldom prepare the same. The number of parts does not depend on that of workers.
PARTS: Final[Mapping[str, int]] = {REACH: 1, MEMORY: 2, CELLS: 12, REFUSALS: 4}


def units_of(ruleset: str) -> Iterator[Unit]:
    """Yield the units of all measures of a ruleset."""
    return (Unit(ruleset, measure, part) for measure, count in PARTS.items() for part in parts(count))


def shared_pieces(rulesets: Sequence[tuple[T, ...]], workers: float) -> list[tuple[T, ...]]:
    """Return the units of some rulesets as so many workers share them.

    A worker prepares for each ruleset that it works on. So most rulesets are one piece, and only the last ones, half as
    many as there are workers, are divided: then the workers end at about the same time. The results are the same.
    """
    whole = max(0, len(rulesets) - ceil(min(workers / 2, len(rulesets))))
    return [*rulesets[:whole], *((unit,) for units in rulesets[whole:] for unit in units)]
