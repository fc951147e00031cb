"""Events of drawing."""

from ..frozen import frozen
from ..table.cards import Card
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.table import Table


@frozen
class Drew:
    """A player draws the top card of the stock, or the turn-up after the last of them; or one that is chosen."""

    seat: Seat
    card: Card
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        if self.card == table.turn_up:
            table.turn_up = None
        elif self.card == table.stock[-1]:
            table.stock.pop()
        else:
            table.stock.remove(self.card)
        if table.referee.seen_ahead:
            table.referee.seen_ahead -= 1
        table.hands[self.seat].append(self.card)
