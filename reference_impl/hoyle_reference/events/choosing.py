"""What happens when a rule puts a choice before a player."""

from dataclasses import dataclass

from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.table import Table


@dataclass(frozen=True, slots=True)
class Offered:
    """A player is given a choice between options."""

    seat: Seat
    options: tuple[str, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.options = self.options


@dataclass(frozen=True, slots=True)
class Chosen:
    """The player has taken one of the options."""

    seat: Seat
    option: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.options = ()
