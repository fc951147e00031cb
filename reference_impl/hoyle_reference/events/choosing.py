"""What happens when a rule puts a choice before a player."""

from ..frozen import frozen
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.table import Table


@frozen
class Offered:
    """A player is given a choice between options."""

    seat: Seat
    options: tuple[str, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.options = self.options


@frozen
class Chosen:
    """The player has taken one of the options."""

    seat: Seat
    option: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.options = ()
