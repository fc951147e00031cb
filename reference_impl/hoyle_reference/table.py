"""The table: everything that lies on it, and what is remembered of the deal.

A `Table` is written by events alone (`events`) and read by the rooms.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from .cards import Card, Suit
from .seats import Seat, ring

if TYPE_CHECKING:
    from .rules import Rules


class Phase(StrEnum):
    """What the table is waiting for."""

    CUT = "cut"
    CHOOSE = "choose"
    DEAL = "deal"
    EXCHANGE = "exchange"
    ANNOUNCE = "announce"
    PLAY = "play"
    DECLARE = "declare"
    DRAW = "draw"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Combination:
    """A combination a player has scored or keeps to score, with its very cards."""

    meld: str
    cards: tuple[Card, ...]


class Blank(StrEnum):
    """What has become of a player's blank hand (carte blanche) in this deal."""

    UNSPOKEN = "unspoken"
    ANNOUNCED = "announced"
    SCORED = "scored"
    #: It has scored, and the card drawn since leaves it as it was.
    DRAWN = "drawn"
    #: A card has been drawn that it may not hold.
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Called:
    """How far the calling has come: which seat has each class decided so far (none where both are equal) and what had
    been announced of it; and, of the class being called, what is announced and whether more has been asked.

    What is announced is a number of cards and what tells equal ones apart, once it is told: a value (pips), a top card
    or a rank.
    """

    decided: tuple[Seat | None, ...] = ()
    announced: tuple[tuple[int, str], ...] = ()
    count: int = 0
    height: str = ""
    asked: bool = False


class Table:
    """One game's position: hands, stock (top card last), tricks, scores, and the combinations of this deal."""

    __slots__ = (
        "blanks",
        "called",
        "claimed",
        "claimed_now",
        "dealer",
        "deals",
        "deals_left",
        "discards",
        "drawn",
        "game_won_by",
        "hands",
        "kept",
        "last_trick_won_by",
        "leader",
        "made",
        "options",
        "packets",
        "phase",
        "players",
        "rules",
        "score",
        "scored",
        "scored_now",
        "seen",
        "settled",
        "shown",
        "stock",
        "trick",
        "trumps",
        "turn",
        "turn_up",
        "won",
    )

    def __init__(self, rules: "Rules") -> None:
        self.rules = rules
        self.players = rules.players
        self.phase = Phase.CUT
        self.dealer: Seat | None = None
        #: How many deals have been dealt in this game.
        self.deals = 0
        #: How many deals must still be ended before the game may be decided.
        self.deals_left = rules.settle.least_deals
        #: The size of the packets in which each player has dealt, once they have.
        self.packets: list[int | None] = [None] * self.players
        self.turn = Seat(0)
        self.options: tuple[str, ...] = ()
        #: The points of each side: of every player, or of two partners together.
        self.score = [0] * len(rules.sides)
        self.game_won_by: Seat | None = None
        #: The points for which the winner settles, where the game is settled by points.
        self.settled: int | None = None
        self.clear_the_deal()

    def clear_the_deal(self) -> None:
        """Take up all the cards and forget what was scored with them; the score of the game stays."""
        players = range(self.players)
        self.hands: list[list[Card]] = [[] for _ in players]
        self.shown: list[set[Card]] = [set() for _ in players]
        self.won: list[list[Card]] = [[] for _ in players]
        #: What each side has scored and keeps to score; of two partners the first has it all.
        self.scored: list[list[Combination]] = [[] for _ in players]
        self.kept: list[list[Combination]] = [[] for _ in players]
        #: Cards that have scored by themselves, such as the sevens of trumps.
        self.claimed: set[Card] = set()
        self.stock: list[Card] = []
        self.turn_up: Card | None = None
        self.trumps: Suit | None = None
        self.trick: list[Card] = []
        self.leader = Seat(0)
        #: Who has won the trick that counts as the last, once it is over.
        self.last_trick_won_by: Seat | None = None
        #: How many combinations, and how many such cards, have scored since the last trick.
        self.scored_now = self.claimed_now = 0
        #: The cards each player has put away face down, and those of the stock that each has seen.
        self.discards: list[list[Card]] = [[] for _ in players]
        self.seen: list[set[Card]] = [set() for _ in players]
        self.blanks = [Blank.UNSPOKEN for _ in players]
        #: The card that each player has drawn to a carte blanche and not shown.
        self.drawn: list[Card | None] = [None for _ in players]
        self.called = Called()
        #: The points each player has made in this deal.
        self.made = [0] * self.players

    @property
    def drawing(self) -> bool:
        """Whether cards are still drawn after a trick."""
        return self.rules.draws and (self.turn_up is not None or bool(self.stock))

    @property
    def last_draw(self) -> bool:
        """Whether there is just one card left for each player to draw."""
        return self.left_to_draw == self.players

    @property
    def left_to_draw(self) -> int:
        """How many cards are left to draw: the stock, and the turn-up after it."""
        return len(self.stock) + (self.turn_up is not None)

    @property
    def have_played(self) -> tuple[Seat, ...]:
        """Who has played to the trick on the table, in the order of their cards."""
        return ring(self.leader, self.players)[: len(self.trick)]

    def copy(self) -> "Table":
        """A table that looks the same and changes by itself."""
        other: Table = object.__new__(Table)
        for field in Table.__slots__:
            setattr(other, field, getattr(self, field))
        for field in ("hands", "won", "scored", "kept", "discards"):
            setattr(other, field, [list(pile) for pile in getattr(self, field)])
        other.shown = [set(cards) for cards in self.shown]
        other.seen = [set(cards) for cards in self.seen]
        other.claimed = set(self.claimed)
        for field in ("score", "made", "blanks", "drawn", "packets"):
            setattr(other, field, list(getattr(self, field)))
        other.stock = list(self.stock)
        other.trick = list(self.trick)
        return other
