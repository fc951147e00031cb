"""What happens when the players draw."""

from dataclasses import dataclass

from ..table.cards import Card
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.table import Table


@dataclass(frozen=True, slots=True)
class Drew:
    """A player draws the top card of the stock, or the turn-up after the last of them."""

    seat: Seat
    card: Card
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        if table.stock:
            table.stock.pop()
        else:
            table.turn_up = None
        table.hands[self.seat].append(self.card)
