"""Events of scoring, and of points that are not scored."""

from typing import Final

from ..frozen import frozen
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.states import Cause
from ..table.table import Table

#: The bonus that points for tricks help to, and are not.
PIQUE: Final = "pique"


@frozen
class Scored:
    """A player marks points, for `what`: a combination, a trick's cards, the last trick; where a bonus depends on how
    points were made, they are made by a cause of these, or stand beside them all."""

    seat: Seat
    points: int
    what: str
    grounds: Grounds = ()
    cause: Cause = Cause.BESIDE

    def change(self, table: Table) -> None:
        table.score[table.rules.side_of[self.seat]] += self.points
        table.made_of[self.seat][self.cause] += self.points


@frozen
class BroughtNothing:
    """The trick has brought its winner no points."""

    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        """Nothing changes: a trick as such has no value."""


@frozen
class NobodyScores:
    """Both players are equal in what would score, and neither does."""

    what: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        """Nothing changes: no points are marked."""


@frozen
class NoBonus:
    """A player reaches the points for a bonus and does not get it."""

    seat: Seat
    what: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        """Nothing changes: no points are marked."""
