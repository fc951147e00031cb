"""Events of a choice that a rule puts before a player."""

from ..frozen import frozen
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.table import Table


@frozen
class Offered:
    """A player is offered choices."""

    seat: Seat
    choices: tuple[str, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.choices = self.choices


@frozen
class Chosen:
    """The player has taken one of the choices."""

    seat: Seat
    choice: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.choices = ()
