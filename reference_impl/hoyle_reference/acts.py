"""Acts and questions: what a player may do, and what may be asked of a position.

An act changes the position and is spoken by one seat; a question changes nothing. Both are flat and frozen, so that any
language can build them and two of them can be compared.
"""

from dataclasses import dataclass

from .cards import Card
from .seats import Seat


@dataclass(frozen=True, slots=True)
class Cut:
    """The players cut for the deal: the card each seat shows, in the order of the seats."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """A player takes one of the options that a rule puts before them."""

    by: Seat
    option: str


@dataclass(frozen=True, slots=True)
class Deal:
    """The dealer deals from the pack in the order given, top card first."""

    by: Seat
    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """A player leads a card, or plays one to the trick."""

    by: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Declare:
    """A player lays a combination face upwards, if it does not lie there already, and scores it."""

    by: Seat
    meld: str
    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


@dataclass(frozen=True, slots=True)
class Hold:
    """A player lays a combination face upwards and keeps it "to score" after another trick."""

    by: Seat
    meld: str
    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


@dataclass(frozen=True, slots=True)
class Exchange:
    """A player gives a card from the hand for the turn-up."""

    by: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Show:
    """A player shows a card that scores by itself, and keeps it."""

    by: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Draw:
    """A player draws the next card of the stock."""

    by: Seat


Act = Cut | Choose | Deal | Play | Declare | Hold | Exchange | Show | Draw


@dataclass(frozen=True, slots=True)
class Winner:
    """Who wins a trick of these cards, played in this order, the first of them by `by`?"""

    by: Seat
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Playable:
    """Which cards may this player play now?"""

    by: Seat


@dataclass(frozen=True, slots=True)
class Worth:
    """What does this combination of cards score, if it is declared with the present trumps?"""

    meld: str
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Declarable:
    """Which combinations may this player score now?"""

    by: Seat


@dataclass(frozen=True, slots=True)
class Counted:
    """What do these cards count for the player who has won them in tricks?"""

    cards: tuple[Card, ...]


Question = Winner | Playable | Worth | Declarable | Counted
