"""Events at the end of a deal or a game."""

from ..frozen import frozen
from ..table.refusals import Grounds
from ..table.seats import Seat
from ..table.table import Table


@frozen
class DealEnded:
    """The last trick of the deal has been played and everything in it is counted."""

    dealer: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.deals_left = max(0, table.deals_left - 1)
        table.dealer = self.dealer


@frozen
class FirstToTarget:
    """A player has been the first to reach the target, and the deal is played out before the game ends."""

    seat: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.first_to_target = self.seat


@frozen
class GameWon:
    """A player (of partners the first) has won the game, and settles for so many points, where games are settled by
    points."""

    seat: Seat
    settled: int | None = None
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.game_won_by = self.seat
        table.settled = self.settled


@frozen
class GameReopened:
    """The game to a target that was won is not won, since the tricks that won it are lost."""

    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.game_won_by = None
        table.deals_left = 1


@frozen
class GameDrawn:
    """The game is over, and nobody has won it."""

    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.settled = 0


@frozen
class GameVoid:
    """The game is over and counts for nothing: as if it had not been played."""

    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        """Nothing changes: no points are settled."""


@frozen
class Tied:
    """The game could be won now, but the players are equal, and so it goes on for so many deals more."""

    deals: int
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.deals_left = self.deals
