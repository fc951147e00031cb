"""Acts, which a player may do, and questions, which may be asked of a position.

One seat carries out an act, which changes the position; a question changes nothing. Both are flat and frozen, so that
any language can build them and they can be compared. The word for each in files and messages is derived from the name
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
    """An act that a player may carry out."""

    __slots__ = ()


class Question:
    """A question about a position."""

    __slots__ = ()


#: The words used so far.
_WORDS: Final[dict[type, str]] = {}


def word_of(kind: type) -> str:
    """Return the word for a kind of acts or questions in files and messages."""
    if kind not in _WORDS:
        _WORDS[kind] = "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__)[1:]
    return _WORDS[kind]


def by(act: Act) -> Seat | None:
    """Return the player who does an act; None if all players do."""
    seat: Seat | None = getattr(act, "by", None)
    return seat


def alike(act: Act) -> Hashable:
    """Return a value that is equal for acts that differ only in the copies of the cards they name."""
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
    """A player takes one of the choices that a rule offers; some choices name cards."""

    by: Seat
    choice: str
    cards: tuple[Card, ...] = ()


@frozen
class Deal(Act):
    """The dealer deals from the pack in the order given, top card first, in packets of this size if
    there is a choice."""

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
    """A player lays a combination of these cards face upwards, in games with such an act."""

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
    """A player draws the next card of the stock, or another number of cards after an irregularity."""

    by: Seat
    count: int = 1


@frozen
class Discard(Act):
    """A player puts cards away face down and takes cards from the top of the stock: as many as are due, or
    `takes` cards."""

    by: Seat
    cards: tuple[Card, ...]
    takes: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))


class Discards(Sequence[Discard]):
    """A lazy sequence of every exchange open to a player, with fewer cards first, then in the order of the hand."""

    __slots__ = ("by", "hand", "sizes")

    def __init__(self, by: Seat, hand: Sequence[Card], least: int, most: int) -> None:
        self.by, self.hand = by, tuple(sorted(hand))
        #: The numbers of cards that may be put away.
        self.sizes = range(least, most + 1)

    def __len__(self) -> int:
        return sum(comb(len(self.hand), size) for size in self.sizes)

    def __iter__(self) -> Iterator[Discard]:
        for size in self.sizes:
            for cards in combinations(self.hand, size):
                yield Discard(self.by, cards)

    def __getitem__(self, index: int) -> Discard:  # type: ignore[override]  # slices are not needed here
        at = index if index >= 0 else len(self) + index
        for size in self.sizes:
            if 0 <= at < (ways := comb(len(self.hand), size)):
                return Discard(self.by, tuple(self.hand[n] for n in _combination(len(self.hand), size, at)))
            at -= ways
        raise IndexError(index)


def _combination(things: int, size: int, rank: int) -> Iterator[int]:
    """Yield the places of the cards in the combination of a rank, among this many things in order."""
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
    """A player looks at cards of the talon: those that a full exchange would have drawn, or in the play those that are
    left. Before the first lead, elder then names the `suit` to be led."""

    by: Seat
    suit: Suit | None = None


#: The classes of combinations, in the order of calling; and a blank, which is announced before them.
POINT: Final = "point"
SEQUENCE: Final = "sequence"
SET: Final = "set"
CLASSES: Final = (POINT, SEQUENCE, SET)
BLANK: Final = "blank"
#: Younger's choices about the cards left in the talon.
EXPOSES: Final = "exposes-the-rest"
LOOKS: Final = "looks-at-the-rest"
LEAVES: Final = "leaves-the-rest"
WITH_THE_REST: Final = frozenset({EXPOSES, LOOKS, LEAVES})
#: The rank of a void suit among sequences, as a caller names it.
NOUGHT: Final = "nought"


def in_order_of_calling(sets_first: bool) -> tuple[str, ...]:
    """Return the classes in the order in which elder calls them, the sets before the sequences or after them."""
    return (POINT, SET, SEQUENCE) if sets_first else CLASSES


@frozen
class Announce(Act):
    """A player announces a blank, or the best combination of a class: its `count` of cards (0 if there is none), and
    when asked its `value` in pips or its `top` card. A set is announced with its `rank`."""

    by: Seat
    class_: str
    count: int | None = None
    value: int | None = None
    top: str = ""
    rank: str = ""


GOOD: Final = "good"
NOT_GOOD: Final = "not-good"
EQUAL_TO: Final = "equal"
#: Younger's question for more, in the classes where it is asked.
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
    """A player carries out an act that the rules refuse, and so causes this irregularity."""

    by: Seat
    act: Act
    irregularity: str


@frozen
class Mishap(Act):
    """Something irregular happens that is no act of the game, and is noticed at once. `by` is the player who caused it
    or is concerned, and `cards` are the cards seen."""

    by: Seat
    irregularity: str
    cards: tuple[Card, ...] = ()


@frozen
class Claim(Act):
    """A player points out an irregularity, so that it is ruled on."""

    by: Seat
    irregularity: str


class Unsaid(Enum):
    """The part of a question that is not given, and is taken from the position."""

    UNSAID = "unsaid"


UNSAID: Final = Unsaid.UNSAID
#: The trumps given in a question (none as long as there are none), and whether cards are still drawn.
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
    """Which cards may this player play now; or from this hand, to the cards that were `led` to the trick, in order?"""

    by: Seat
    hand: tuple[Card, ...] | None = None
    led: tuple[Card, ...] | None = None
    trumps: ToldTrumps = UNSAID
    drawing: ToldDrawing = UNSAID


@frozen
class Worth(Question):
    """How much does this combination of cards score if it is declared with these trumps? Without `meld`, as which
    combination do all these cards score the most?"""

    cards: tuple[Card, ...]
    meld: str = ""
    trumps: ToldTrumps = UNSAID


@frozen
class Declarable(Question):
    """Which combinations may this player score now; or from this hand, after a first trick won, with these trumps?"""

    by: Seat
    hand: tuple[Card, ...] | None = None
    trumps: ToldTrumps = UNSAID


@frozen
class Counted(Question):
    """How much do these cards count for the player who won them in tricks?"""

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
    """A player's call of a class: the number of cards (0 if there is nothing), and the value of a point in pips, the
    top card of a sequence or the rank of a set."""

    count: int
    value: int | None = None
    top: str = ""
    rank: str = ""


@frozen
class ClassWinner(Question):
    """Whose combinations of a class are good if every player calls the best of these hands, or makes these calls, and
    `by` calls first?"""

    by: Seat
    class_: str
    hands: Hands = ()
    calls: tuple[Call, ...] = ()


@frozen
class Reckoning(Question):
    """How many points do these hands score before the play, if every combination is called, `by` calls first, and the
    players in `blanks` have shown a blank?"""

    by: Seat
    hands: Hands
    blanks: tuple[Seat, ...] = ()


@frozen
class TrickPoints(Question):
    """How many points do tricks score for each player? The cards are in the order played, the first by `by`; if they
    are all the tricks of a deal, its final scores are included."""

    by: Seat
    cards: tuple[Card, ...]


@frozen
class Settlement(Question):
    """Who wins a game that ends with these scores, and for how many points? `brisques` are the points for the brisques
    in each side's tricks, if given."""

    score: tuple[int, ...]
    brisques: tuple[int, ...] = ()


@frozen
class Partie(Question):
    """Who has won the partie if each side has won so many single and so many double games?"""

    single: tuple[int, ...]
    double: tuple[int, ...]


@frozen
class Ruling(Question):
    """How is this player's irregularity ruled on, with this many cards where the number matters?"""

    by: Seat
    irregularity: str
    count: int | None = None
