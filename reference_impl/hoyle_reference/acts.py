"""Acts, which a player may do, and questions, which may be asked of a position.

An act changes the position and is done by one seat; a question changes nothing. Both are flat and frozen, so that any
language can build them and two of them can be compared. The word for each in files and messages is made from the name
of its class: `CarteBlanche` is ``carte-blanche``.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import combinations
from math import comb
from types import MappingProxyType
from typing import Final

from .cards import Card, Suit, face_of
from .frozen import frozen
from .seats import Seat


class Act:
    """Something that a player may do."""

    __slots__ = ()


class Question:
    """Something that may be asked of a position."""

    __slots__ = ()


#: The words that have been asked for.
_WORDS: Final[dict[type, str]] = {}


def word_of(kind: type) -> str:
    """Return the word for a kind of acts or questions in files and messages."""
    if kind not in _WORDS:
        _WORDS[kind] = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__)[1:]
    return _WORDS[kind]


def by(act: Act) -> Seat | None:
    """Return the player who does an act; None where all do."""
    seat: Seat | None = getattr(act, "by", None)
    return seat


def alike(act: Act) -> Hashable:
    """Return a value that is the same for acts that differ only in which copy of a card they name."""
    card, cards = getattr(act, "card", None), getattr(act, "cards", ())
    if card is not None:
        return type(act), by(act), face_of(card)
    if cards:
        return type(act), by(act), getattr(act, "meld", ""), tuple(sorted(map(face_of, cards)))
    return act


#: The hands of all players, in the order of the seats.
Hands = tuple[tuple[Card, ...], ...]


@frozen
class Cut(Act):
    """The players cut for the deal: the card each seat shows, in the order of the seats."""

    cards: tuple[Card, ...]


@frozen
class Choose(Act):
    """A player takes one of the choices that a rule puts before them; some name cards."""

    by: Seat
    choice: str
    cards: tuple[Card, ...] = ()


@frozen
class Deal(Act):
    """The dealer deals from the pack in the order given, top card first; in packets of this size, where there is a
    choice."""

    by: Seat
    deck: tuple[Card, ...]
    packets: int | None = None


@frozen
class Play(Act):
    """A player leads a card, or plays one to the trick."""

    by: Seat
    card: Card


@frozen
class Lay(Act):
    """A player lays a combination of these cards face upwards, where that is done."""

    by: Seat
    meld: str
    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


@frozen
class Declare(Lay):
    """A player scores a combination."""


@frozen
class Hold(Lay):
    """A player lays a combination and keeps it "to score" after another trick."""


@frozen
class Exchange(Act):
    """A player gives a card from the hand for the turn-up."""

    by: Seat
    card: Card


@frozen
class Show(Act):
    """A player shows a card that scores by itself, and keeps it."""

    by: Seat
    card: Card


@frozen
class Draw(Act):
    """A player draws the next card of the stock; or, where something has been irregular, another number of cards."""

    by: Seat
    count: int = 1


@frozen
class Discard(Act):
    """A player puts cards away face down and draws as many from the top of the stock."""

    by: Seat
    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


class Discards(Sequence[Discard]):
    """Every exchange that is open to a player, in order, none of them made before it is asked for: fewer cards first,
    and of as many those that come first in the hand."""

    __slots__ = ("by", "hand", "sizes")

    def __init__(self, by: Seat, hand: Sequence[Card], least: int, most: int) -> None:
        self.by, self.hand = by, tuple(sorted(hand))
        #: How many cards may be put away.
        self.sizes = range(least, most + 1)

    def __len__(self) -> int:
        return sum(comb(len(self.hand), size) for size in self.sizes)

    def __iter__(self) -> Iterator[Discard]:
        for size in self.sizes:
            for cards in combinations(self.hand, size):
                yield Discard(self.by, cards)

    def __getitem__(self, index: int) -> Discard:  # type: ignore[override]  # slices are of no use here
        at = index if index >= 0 else len(self) + index
        for size in self.sizes:
            if 0 <= at < (ways := comb(len(self.hand), size)):
                return Discard(self.by, tuple(self.hand[n] for n in _combination(len(self.hand), size, at)))
            at -= ways
        raise IndexError(index)


def _combination(things: int, size: int, rank: int) -> Iterator[int]:
    """Yield the places of the cards in the combination of a rank, among all of so many things in their order."""
    for place in range(things):
        if not size:
            return
        with_it = comb(things - place - 1, size - 1)
        if rank < with_it:
            size -= 1
            yield place
        else:
            rank -= with_it


@frozen
class Peep(Act):
    """A player looks at cards of the talon: at those that a full exchange would have drawn; or at those that the other
    has looked at, naming the `suit` that is to be led, where no card has been led."""

    by: Seat
    suit: Suit | None = None


#: The classes of combinations, in the order in which they are called; and a blank, which is announced before them.
POINT: Final = "point"
SEQUENCE: Final = "sequence"
SET: Final = "set"
CLASSES: Final = (POINT, SEQUENCE, SET)
BLANK: Final = "blank"
#: How high a void suit stands among sequences, as a caller says it.
NOUGHT: Final = "nought"


@frozen
class Announce(Act):
    """A player announces a blank, or how good the best combination of a class is: `count` cards (0: there is none to
    announce), and when asked its `value` in pips or its `top` card; a set is announced with its `rank`."""

    by: Seat
    class_: str
    count: int | None = None
    value: int | None = None
    top: str = ""
    rank: str = ""


GOOD: Final = "good"
NOT_GOOD: Final = "not-good"
EQUAL_TO: Final = "equal"
#: How younger asks for more, in the classes where that is done.
QUESTION: Final[Mapping[str, str]] = MappingProxyType({POINT: "making", SEQUENCE: "how-high"})
ANSWERS: Final = (GOOD, NOT_GOOD, EQUAL_TO, *QUESTION.values())


@frozen
class Answer(Act):
    """A player answers an announcement: good, not-good, equal, or a question for more."""

    by: Seat
    says: str


@frozen
class Prove(Act):
    """A player shows the hand that was announced as blank."""

    by: Seat


@frozen
class CarteBlanche(Act):
    """A player shows a hand that is carte blanche, or the card drawn to such a hand, and scores."""

    by: Seat


@frozen
class Irregular(Act):
    """A player carries out an act that the rules refuse, and by which this irregularity arises."""

    by: Seat
    act: Act
    irregularity: str


@frozen
class Mishap(Act):
    """Something irregular happens that is no act of the game, and is noticed at once: `by` has caused it, or is
    concerned; the cards are those that were seen by it."""

    by: Seat
    irregularity: str
    cards: tuple[Card, ...] = ()


@frozen
class Claim(Act):
    """A player points out an irregularity, so that it is ruled on."""

    by: Seat
    irregularity: str


class Unsaid(Enum):
    """What a question does not tell: it is as the position has it."""

    UNSAID = "unsaid"


UNSAID: Final = Unsaid.UNSAID
#: What a question tells of trumps (nothing as long as there are none), and whether cards are still drawn.
ToldTrumps = Suit | None | Unsaid
ToldDrawing = bool | Unsaid


@frozen
class Winner(Question):
    """Who wins a trick of these cards, played in this order, the first of them by `by`?"""

    by: Seat
    cards: tuple[Card, ...]
    trumps: ToldTrumps = UNSAID
    drawing: ToldDrawing = UNSAID


@frozen
class Playable(Question):
    """Which cards may this player play now; or, of this hand, to the cards that were `led` to the trick, in order?"""

    by: Seat
    hand: tuple[Card, ...] | None = None
    led: tuple[Card, ...] | None = None
    trumps: ToldTrumps = UNSAID
    drawing: ToldDrawing = UNSAID


@frozen
class Worth(Question):
    """What does this combination of cards score, if it is declared with these trumps; or, without `meld`, as which
    combination do all these cards score the most?"""

    cards: tuple[Card, ...]
    meld: str = ""
    trumps: ToldTrumps = UNSAID


@frozen
class Declarable(Question):
    """Which combinations may this player score now; or of this hand, after a first trick won, with these trumps?"""

    by: Seat
    hand: tuple[Card, ...] | None = None
    trumps: ToldTrumps = UNSAID


@frozen
class Counted(Question):
    """What do these cards count for the player who has won them in tricks?"""

    cards: tuple[Card, ...]


@frozen
class Visible(Question):
    """Which cards may this player look at now?"""

    by: Seat


@frozen
class Exchangeable(Question):
    """Which sevens of trumps may this player exchange or show now?"""

    by: Seat


@frozen
class Call:
    """What a player calls of a class: the number of cards (0: there is nothing), and the value of a point in pips, the
    top card of a sequence or the rank of a set."""

    count: int
    value: int | None = None
    top: str = ""
    rank: str = ""


@frozen
class ClassWinner(Question):
    """Whose combinations of a class are good, if every player calls the best of these hands, or calls so; `by` calls
    first?"""

    by: Seat
    class_: str
    hands: Hands = ()
    calls: tuple[Call, ...] = ()


@frozen
class Reckoning(Question):
    """What do these hands bring each player before the play, if every combination is called, `by` calls first, and the
    players in `blanks` have shown a blank?"""

    by: Seat
    hands: Hands
    blanks: tuple[Seat, ...] = ()


@frozen
class TrickPoints(Question):
    """What do tricks bring each player: their cards in the order played, the first by `by`; with what is scored at the
    end of a deal, if they are all of one?"""

    by: Seat
    cards: tuple[Card, ...]


@frozen
class Settlement(Question):
    """Who wins a game that ends with these scores, and for how many points? `brisques` are the points that the brisques
    in the tricks of each side come to, where they are told."""

    score: tuple[int, ...]
    brisques: tuple[int, ...] = ()


@frozen
class Ruling(Question):
    """What is the ruling on an irregularity of this player's; of so many cards, where that matters?"""

    by: Seat
    irregularity: str
    count: int | None = None
