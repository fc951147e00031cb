"""A position: the cards on the table, and the recorded facts of the deal and of the game.

This module has the only list of the fields of a position. Each field is described where it is declared: its kind, its
meaning, whether it belongs to the deal, whether cards lie in it, and who sees it. The reading, writing, copying,
relabelling, observation and comparison of positions, and their JSON Schema, all derive from these descriptions. Only
events change a `Table`; the chapters read it.

One class serves the positions of all games, so that several games can share events and chapters.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Final, NoReturn, Protocol, TypeVar

from ..acts import in_order_of_calling
from ..cards import Card, Suit
from ..frozen import frozen
from ..refusals import Malformed
from ..seats import Seat, Setting, after, ring
from .fields import (
    CARD,
    HAND,
    INTEGER,
    NUMBER,
    PILE,
    POINTS,
    SEAT,
    SET,
    SIDE,
    SUIT,
    TOP_FIRST,
    WORD,
    YES_OR_NO,
    Field,
    Kind,
    Of,
    Seen,
    Turn,
    described,
    each_seat,
    each_side,
    fields_of,
    maybe,
    row_of,
    some_seats,
)
from .states import (
    BLANK,
    CALLED,
    CLAIM,
    ERROR,
    MADE_OF,
    PHASE,
    SCORED,
    BeforeTheLead,
    BlankState,
    Called,
    Claim,
    Combination,
    Error,
    Phase,
)

T = TypeVar("T")


class ChapterOf(Protocol):
    """A function that finds a game's compiled chapter by its class."""

    def __call__(self, kind: type[T], /) -> T:
        """Return the chapter; raise Malformed in a game without it."""


class ChapterIfAny(Protocol):
    """A function that finds a game's compiled chapter by its class, if the game has it."""

    def __call__(self, kind: type[T], /) -> T | None:
        """Return the chapter, or None in a game without it."""


class Compiled(dict[type, Any]):
    """The compiled chapters of a game, each by its class."""

    def __missing__(self, kind: type) -> NoReturn:
        raise Malformed("the table has no such chapter", kind.__name__)


@frozen
class GameRules(Setting):
    """The part of a game's rules that the table and the chapters need, whatever chapters the game has."""

    id: str
    #: The names of the game's chapters.
    chapters: frozenset[str]
    #: The compiled chapters, and the `Procedure` made from them, each by its class.
    compiled: Mapping[type, Any]
    #: Return the compiled chapter of a class, or the `Procedure`. In a game without that chapter, the first raises
    #: Malformed and the second returns None. They are methods of a dict, since play calls them ten times for each act.
    of: ChapterOf = field(compare=False)
    get: ChapterIfAny = field(compare=False)
    pack: tuple[Card, ...]
    #: Whether the players draw after each trick.
    draws: bool
    #: The fields of a position of this game, and those of them in which cards lie.
    fields: tuple[Field, ...]
    places: tuple[Field, ...]
    #: The first value of each field of any game, by name; a table has a copy of it.
    first: Mapping[str, Any]


def _remembered(kind: Kind, says: str, **about: object) -> Any:
    """Declare a field that only games with a referee have, and that a position omits when empty."""
    return described(kind, says, everywhere=False, left_out=True, **about)


@dataclass(slots=True, eq=False, init=False)
class RefereeState:
    """The referee's record of a deal: errors, claims, rulings, and deviations from the rules.

    Every table has one, since drawing, tricks and carte blanche depend on it in each game. A position holds only those
    of its fields that a chapter of the game needs.
    """

    #: The table before each error that may still be corrected; none in a position that has been set up.
    before: "dict[Error, Table]"
    #: The changes made by the last lead; none in a position that has been set up.
    before_the_lead: BeforeTheLead | None

    surplus: list[int] = _remembered(
        each_seat(INTEGER),
        "How many more cards each player has than the rules give; a negative number means fewer.",
    )
    untouched: list[bool] = _remembered(
        each_seat(YES_OR_NO),
        "Whether each player's hand is still as dealt, not taken up yet.",
    )
    errors: list[Error] = _remembered(row_of(ERROR), "Irregularities that may still be claimed.")
    claim: Claim | None = _remembered(maybe(CLAIM), "The claim that is being dealt with.")
    ruled: list[list[str]] = _remembered(
        each_seat(row_of(WORD)),
        "The obligations and penalties that rulings have put on each player, while they last; and the irregularities "
        "that have been ruled on.",
    )
    last_tricks: list[int] = _remembered(
        each_seat(NUMBER),
        "For each player, the number of tricks won since the end of drawing, if such tricks may be forfeited.",
    )
    drawn_early: list[bool] = _remembered(
        each_seat(YES_OR_NO),
        "Whether each player has drawn after the last trick, though it is not the next player's turn yet.",
    )
    seen_ahead: int = _remembered(NUMBER, "How many cards of the stock have been seen against the rules.")
    chooser: Seat | None = _remembered(maybe(SEAT), "Who may choose between the cards of the next draw.")
    heap: list[Card] = _remembered(
        PILE,
        "The cards won that are face up and in sight: all of them until a brisque is won, or those of the last trick.",
        in_sight=True,
    )
    undrawn: list[Card] = _remembered(
        PILE,
        "Cards of the stock that nobody draws.",
        place=True,
        seen=Seen.AS_A_COUNT,
    )

    def __init__(self) -> None:
        self.before = {}
        self.before_the_lead = None


@dataclass(slots=True, eq=False, init=False)
class Table:
    """One game's position. `new_table` makes the initial one."""

    rules: GameRules
    players: int
    referee: RefereeState

    phase: Phase = described(PHASE, "", of=Of.GAME, new=lambda _setting: Phase.CUT, needed=True)
    turn: Seat = described(SEAT, "The player whose turn it is.", of=Of.GAME, new=lambda _setting: Seat(0), needed=True)
    dealer: Seat | None = described(
        maybe(SEAT), "Who deals, or has dealt; null while this is undecided.", of=Of.GAME, needed=True
    )
    score: list[int] = described(
        each_side(POINTS),
        "Points of each player in the game so far; those of partners are under the first partner.",
        of=Of.GAME,
        needed=True,
    )
    choices: tuple[str, ...] = described(
        row_of(WORD, tuple), "The choices of the player whose turn it is.", of=Of.GAME, left_out=True
    )
    deals: int = described(NUMBER, "How many deals have been dealt in this game.", of=Of.GAME, everywhere=False)
    deals_left: int = described(
        NUMBER,
        "The least number of deals that the game still takes, including the present or the next one; 0 when the game "
        "is over.",
        of=Of.GAME,
        new=lambda setting: setting.least_deals,
        everywhere=False,
    )
    packets: list[int | None] = described(
        some_seats(NUMBER),
        "The size of the packets in which each player has dealt so far.",
        of=Of.GAME,
        everywhere=False,
        left_out=True,
    )
    game_won_by: Seat | None = described(maybe(SIDE), "Who has won the game.", of=Of.END)
    settled: int | None = described(maybe(POINTS), "The points that the game is settled for.", left_out=True)

    leader: Seat = described(
        SEAT, "Who leads to the trick, or won the last one.", new=lambda _setting: Seat(0), needed=True
    )
    last_trick_won_by: Seat | None = described(
        maybe(SEAT),
        "The winner of the trick that counts as the last; given only if play goes on after that trick.",
        everywhere=False,
        left_out=True,
    )
    hands: list[list[Card]] = described(
        each_seat(HAND),
        "The cards each player holds, including declared cards on the table.",
        place=True,
        seen=Seen.BY_OWNER,
    )
    stock: list[Card] = described(
        TOP_FIRST,
        "The cards of the stock or talon face down, top card first, without the turn-up.",
        place=True,
        needed=True,
        seen=Seen.AS_A_COUNT,
    )
    trick: list[Card] = described(PILE, "The cards played to the trick in progress, in order.", place=True)
    won: list[list[Card]] = described(
        each_seat(PILE), "The cards each player has won in tricks.", place=True, seen=Seen.AS_A_COUNT
    )
    scored: list[list[Combination]] = described(
        SCORED, "The combinations each player has scored in this deal; for partners, all are under the first partner."
    )

    trumps: Suit | None = described(maybe(SUIT), "The suit of trumps; null before there are any.", everywhere=False)
    turn_up: Card | None = described(
        maybe(CARD),
        "The turn-up, or the card exchanged for it; null if there is none or it has been drawn.",
        everywhere=False,
        place=True,
    )
    shown: list[set[Card]] = described(
        each_seat(SET),
        "The declared cards of each hand that are on the table.",
        everywhere=False,
        in_sight=True,
    )
    kept: list[list[Combination]] = described(
        SCORED,
        "The combinations each player keeps to score, if the rules allow that; for partners, all are under the first "
        "partner.",
        everywhere=False,
    )
    claimed: set[Card] = described(
        SET, "The sevens of trumps that have been exchanged or shown, or were turned up.", everywhere=False
    )
    combinations_since_trick: int = described(
        NUMBER, "How many combinations have been declared since the last trick.", everywhere=False
    )
    sevens_since_trick: int = described(
        NUMBER, "How many sevens have been exchanged or shown since the last trick.", everywhere=False
    )
    blanks: list[BlankState] = described(
        each_seat(BLANK),
        "The state of each player's blank or carte blanche: not mentioned; announced; scored; scored, and able to "
        "score again with a card drawn since; over, because a court card was drawn.",
        everywhere=False,
    )
    drawn: list[Card | None] = described(
        some_seats(CARD),
        "The card that each player has drawn to a carte blanche and may show, if any.",
        everywhere=False,
        left_out=True,
        seen=Seen.BY_OWNER_ALONE,
    )
    to_show: list[set[Card]] = described(
        each_seat(SET),
        "The cards of a blank that has been announced and is to be shown after its player's exchange.",
        everywhere=False,
        left_out=True,
        in_sight=True,
        seen=Seen.BY_OWNER_ALONE,
    )
    discards: list[list[Card]] = described(
        each_seat(HAND),
        "The cards each player has put away in the exchange.",
        everywhere=False,
        place=True,
        seen=Seen.BY_OWNER,
    )
    seen: list[set[Card]] = described(
        each_seat(SET),
        "The cards each player has seen outside their own hand.",
        everywhere=False,
        in_sight=True,
        seen=Seen.BY_OWNER_ALONE,
    )
    named_suit: Suit | None = described(
        maybe(SUIT),
        "The suit that elder has named for the first lead, until a card is led.",
        everywhere=False,
        left_out=True,
    )
    made_of: list[dict[str, int]] = described(
        each_seat(MADE_OF),
        "The points each player has made in this deal, grouped by how they were made. The score includes them, "
        "unless the player reckons nothing in this deal.",
        everywhere=False,
    )
    first_to_target: Seat | None = described(
        maybe(SEAT),
        "The first player to reach the target, if the deal is still being played out.",
        everywhere=False,
        left_out=True,
    )
    called: Called = described(CALLED, "The stage that the calling of the classes has reached.", everywhere=False)
    sets_first: bool = described(
        YES_OR_NO, "Whether elder has called the sets before the sequences.", everywhere=False, left_out=True
    )

    def __init__(self, rules: GameRules) -> None:
        self.rules = rules
        self.players = rules.players
        self.referee = RefereeState()

    @property
    def drawing(self) -> bool:
        """Whether cards are still drawn after a trick."""
        return self.rules.draws and (self.turn_up is not None or bool(self.stock))

    @property
    def left_to_draw(self) -> int:
        """The number of cards left to draw: the stock, and the turn-up after it."""
        return len(self.stock) + (self.turn_up is not None)

    def next_cards(self, count: int) -> tuple[Card, ...]:
        """Return the next cards to be drawn, or as many of them as there are: top card first, the turn-up last."""
        turn_up = () if self.turn_up is None else (self.turn_up,)
        return (*reversed(self.stock), *turn_up)[:count]

    @property
    def last_draw(self) -> bool:
        """Whether exactly one card is left for each player to draw."""
        return self.left_to_draw == self.players

    @property
    def have_played(self) -> tuple[Seat, ...]:
        """The players who have played to the trick on the table, in the order of their cards."""
        return ring(self.leader, self.players)[: len(self.trick)]

    @property
    def still_to_draw(self) -> tuple[Seat, ...]:
        """The players who have yet to draw after the last trick, in order; during a choice of cards, after it."""
        phase, turn, referee = self.phase, self.turn, self.referee
        if phase is Phase.CHOOSE and referee.chooser is not None:
            phase = Phase.DECLARE
        if phase is Phase.DECLARE:
            order = ring(self.leader, self.players)
        elif phase is Phase.DRAW:
            order = ring(turn, self.players)[: (self.leader - turn) % self.players]
        else:
            return ()
        if True in referee.drawn_early:
            return tuple(seat for seat in order if not referee.drawn_early[seat])
        return order

    def put_away(self, seat: Seat) -> int:
        """Return how many cards a player has put away and not replaced: younger's, until the exchange is over."""
        phase = self.phase if self.referee.claim is None else self.referee.claim.phase
        return len(self.discards[seat]) if phase is Phase.EXCHANGE and seat != self.leader else 0

    @property
    def elder(self) -> Seat:
        """The player who sits after the dealer, and acts first in games for two without drawing."""
        assert self.dealer is not None, "nobody is elder before there is a dealer"
        return after(self.dealer, self.players)

    @property
    def is_dealt(self) -> bool:
        """Whether the cards have been dealt, and not all taken up again."""
        return any(self.hands) or any(self.won)

    @property
    def a_trick_is_won(self) -> bool:
        """Whether the first trick of the deal is over."""
        return any(self.won)

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of combinations, in the order in which they are called."""
        return in_order_of_calling(self.sets_first)

    @property
    def good_for(self) -> dict[str, Seat | None]:
        """The player for whom each decided class is good; None if it is good for nobody."""
        return dict(zip(self.classes, self.called.decided, strict=False))

    def cards(self) -> Iterator[Card]:
        """Return every card on the table, in any place."""
        return chain.from_iterable(_flat(each.get(self)) for each in PLACES)

    def clear_the_deal(self) -> None:
        """Take up all the cards and clear the scores made with them; the score of the game remains."""
        self.begin(OF_THE_DEAL)

    def begin(self, fields: Iterable[Field]) -> None:
        """Reset these fields to their first values."""
        first = self.rules.first
        for each in fields:
            each.put(self, each.kind.copy(first[each.name]))
        self.referee.before.clear()
        self.referee.before_the_lead = None

    def copy(self) -> "Table":
        """Return an independent table with the same content."""
        other = Table(self.rules)
        other.restore(self)
        return other

    def restore(self, other: "Table") -> None:
        """Make this table equal to another, including its record."""
        for each in _OWN:
            setattr(self, each.name, each.kind.copy(getattr(other, each.name)))
        for each in _OF_REFEREE_STATE:
            setattr(self.referee, each.name, each.kind.copy(getattr(other.referee, each.name)))
        self.referee.before = dict(other.referee.before)
        self.referee.before_the_lead = other.referee.before_the_lead

    def turned(self, turn: Turn) -> "Table":
        """Return the same position with seats and suits relabelled."""
        other = Table(self.rules)
        for each in FIELDS:
            each.put(other, each.kind.turn(turn, each.get(self)))
        return other

    @property
    def fields_in_use(self) -> Iterator[Field]:
        """The fields that a position has now: before the cut only required ones, and later those of the deal or of the
        end."""
        dealt, over, begun = self.is_dealt, self.phase is Phase.OVER, self.phase is not Phase.CUT
        return (
            each
            for each in self.rules.fields
            if (each.of is Of.GAME or (dealt if each.of is Of.DEAL else over)) and (begun or each.needed)
        )

    @property
    def places_in_use(self) -> tuple[Field, ...]:
        """The fields in which cards lie now: none before a deal."""
        return self.rules.places if self.is_dealt and self.phase is not Phase.CUT else ()

    def is_like(self, other: "Table") -> bool:
        """Whether two tables show the same position of a game, ignoring the order of unordered values."""
        return self.is_dealt == other.is_dealt and all(
            each.kind.same(each.get(self)) == each.kind.same(each.get(other)) for each in self.fields_in_use
        )


def new_table(rules: GameRules) -> Table:
    """Return a table before the cut."""
    table = Table(rules)
    table.begin(FIELDS)
    return table


def _flat(place: Any) -> Iterable[Card]:
    """Return the cards of a place: a card, a pile, or a pile for each player."""
    if place is None:
        return ()
    if isinstance(place, int):
        return (Card(place),)
    in_piles = len(place) > 0 and not isinstance(place[0], int)
    return chain.from_iterable(place) if in_piles else place


#: All fields of a position, in the order of their descriptions.
_OWN: Final = fields_of(Table)
_OF_REFEREE_STATE: Final = fields_of(RefereeState, "referee")
FIELDS: Final = _OWN + _OF_REFEREE_STATE
#: The fields of the game, of its end, those cleared after a deal, and those in which cards lie.
OF_THE_GAME: Final = tuple(each for each in FIELDS if each.of is Of.GAME)
OF_THE_END: Final = tuple(each for each in FIELDS if each.of is Of.END)
OF_THE_DEAL: Final = tuple(each for each in FIELDS if each.of is Of.DEAL)
PLACES: Final = tuple(each for each in FIELDS if each.place)
