"""Definitions of a chapter: the part of a rule table that it reads, and the acts, questions, offers and fields it adds
to a game.

`rules.CHAPTERS` is the only list of chapters. A table has the chapters of its game; the game has nothing from other
chapters.

No code tests which game is played: a game has the acts and fields of its chapters, and any other act is malformed in
it. Chapters of different games that share a word but no rule, such as the two kinds of exchange, are separate chapters.

Implements SEMANTICS.md, act-6 and ask-2.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final

from ..acts import UNSAID, Act, Choose, Play, Question, ToldDrawing, ToldTrumps
from ..cards import Card, Suit
from ..cells import Cells
from ..events import Chosen, Event, Offered, awaits
from ..frozen import frozen
from ..refusals import Grounds, Malformed, Refusal
from ..seats import Seat
from ..table.states import Phase
from ..table.table import Table


def during(*phases: Phase) -> Callable[[Any], frozenset[Phase]]:
    """Return a function that gives the same phases for every game."""
    known = frozenset(phases)
    return lambda _rules: known


_NEVER: Final = during()


@frozen
class Move:
    """One kind of act: its refusals, its consequences, and the acts that may be open in each phase of a game.

    `open` gives candidates, which the machine checks one by one, unless they are `exact`: then none would be refused.
    `sense` raises Malformed for an act that is invalid under any rules. `when_over` returns whether an act may be done
    after the end of the game; without it none may.
    """

    act: type[Act]
    refuse: Callable[[Table, Any], Refusal | None]
    follow: Callable[[Table, Any], Iterator[Event]]
    phases: Callable[[Any], frozenset[Phase]] = _NEVER
    open: Callable[[Table], Sequence[Act]] = lambda _table: ()
    exact: bool = False
    sense: Callable[[Table, Any], None] | None = None
    when_over: Callable[[Table, Any], bool] | None = None


@frozen
class Ruling:
    """The rules' answer to a question, and the cells that decide it."""

    value: Any
    grounds: Grounds


@frozen
class Ask:
    """One kind of question, the function that answers it, and whether a game with these rules of the chapter has it.
    The function raises Malformed for an invalid question."""

    question: type[Question]
    answer: Callable[[Table, Any], Ruling]
    is_in_the_game: Callable[[Any], bool] = lambda _rules: True


@frozen
class Offer:
    """An offer that a rule makes to a player.

    choices: all its choices; `open` gives those that can be open at a table, none if the offer cannot be made.
    grounds: the cells behind the offer; `why_not`: the cells that prevent it at a table.
    follow: the consequences of the choice taken.
    cards: the choices that name cards, each with the number and range of these cards.
    """

    choices: tuple[str, ...]
    grounds: Callable[[Table], Grounds]
    follow: Callable[[Table, Choose], Iterator[Event]]
    open: Callable[[Table], tuple[str, ...]]
    cards: tuple[tuple[str, Callable[[Table], tuple[int, Sequence[Card]]]], ...] = ()
    why_not: Callable[[Table], Grounds] = lambda _table: ()


#: The consequences of playing a card, or of drawing one.
OnCard = Callable[[Table, Seat, Card], Iterable[Event]]
#: The consequences of drawing no card after a trick.
OnMissedDraw = Callable[[Table, Seat], Iterable[Event]]
#: The consequences of making points by the play of tricks, with the number of points and their reason.
OnTrickPoints = Callable[[Table, Seat, int, str], Iterable[Event]]


#: The player who has reached the target of the game first, in the order of reckoning, if certain after the last event;
#: the points that the other player then has; and why.
FirstToReach = Callable[[Table, Event], tuple[Seat | None, int, Grounds]]


@frozen
class Follows:
    """The consequences that a chapter adds to the acts of other chapters."""

    on_play: OnCard | None = None
    on_draw: OnCard | None = None
    on_missed_draw: OnMissedDraw | None = None
    on_trick_points: OnTrickPoints | None = None
    first_as_reckoned: FirstToReach | None = None


#: A player's view of a field of the position, as it is written, if the rules decide it.
Sees = Callable[[Table, Seat, Any], Any]


@frozen
class Chapter:
    """One chapter of the rule book: its contribution to the games that have it.

    read: compiles its cells, once, to a value of its own class (`Rules.of`).
    moves, asks, offers: its acts, questions and choices.
    always: whether every game has the chapter.
    phases: those that no game without the chapter has; `opens` is the one in which a deal begins, if not the play.
    fields: the fields that positions of its games also need (`table.FIELDS`), by the compiled rules.
    combinations: those that may be named.
    sees: a player's view of a field, if the rules decide it; `sight`: the cells that decide it.
    sense: raises Malformed for an impossible position.
    follows: the consequences that it adds to the acts of other chapters.
    """

    name: str
    read: Callable[[Cells], Any]
    moves: tuple[Move, ...] = ()
    asks: tuple[Ask, ...] = ()
    offers: tuple[Offer, ...] = ()
    always: bool = False
    phases: frozenset[Phase] = frozenset()
    opens: Phase | None = None
    fields: Callable[[Any], tuple[str, ...]] = lambda _rules: ()
    combinations: Callable[[Any], Iterable[str]] = lambda _rules: ()
    sees: tuple[tuple[str, Sees], ...] = ()
    sight: Callable[[Any], Grounds] = lambda _rules: ()
    sense: Callable[[Table], None] | None = None
    follows: Callable[[Any], Follows] = lambda _rules: Follows()


@frozen
class Procedure:
    """The acts, questions and choices of a game, and their consequences, gathered once from its chapters."""

    #: The phase in which a deal begins, and all phases of the game.
    opens: Phase
    phases: frozenset[Phase]
    #: The moves by their kinds of act, and those that may be open in each phase; the questions; the choices.
    moves: Mapping[type[Act], Move]
    open: Mapping[Phase, tuple[Move, ...]]
    asks: Mapping[type[Question], Ask]
    offers: tuple[Offer, ...]
    #: The consequences of playing a card, of drawing one or none, and of making points by tricks.
    on_play: tuple[OnCard, ...]
    on_draw: tuple[OnCard, ...]
    on_missed_draw: tuple[OnMissedDraw, ...]
    on_trick_points: tuple[OnTrickPoints, ...]
    #: The function that finds who reaches the target first, by the order in which points are scored, or reckoned.
    first_to_reach: FirstToReach
    #: A player's view of a field if the rules decide it, and the cells that decide it.
    sees: Mapping[str, Sees]
    sight: Grounds
    #: Every act of playing a card, by seat and card, made once.
    plays: tuple[tuple[Play, ...], ...]


#: The phases in which cards may lie on the table.
IN_A_DEAL: Final = frozenset({Phase.EXCHANGE, Phase.ANNOUNCE, Phase.PLAY, Phase.DECLARE, Phase.DRAW})


# Offers, and trumps in questions, common to all chapters


def make_offer(offer: Offer, table: Table, seat: Seat) -> Iterator[Event]:
    """Yield an offer to a player."""
    yield Offered(seat, offer.open(table), offer.grounds(table))
    yield awaits(Phase.CHOOSE, seat)


def current_offer(table: Table) -> Offer:
    """Return the offer that has been made: every choice belongs to only one offer."""
    return next(offer for offer in table.rules.of(Procedure).offers if table.choices[0] in offer.choices)


def refuse_choose(table: Table, act: Choose) -> Refusal | None:
    """Return why a choice is refused, or None: the player who received the offer takes one of its choices."""
    if table.phase is not Phase.CHOOSE:
        offers = table.rules.of(Procedure).offers
        return Refusal("not-now", tuple(path for offer in offers for path in offer.why_not(table)))
    offer = current_offer(table)
    why = offer.grounds(table)
    if act.by != table.turn:
        return Refusal("not-your-turn", why)
    if act.choice not in table.choices:
        return Refusal("not-a-choice", why)
    due, among = _cards(table, offer, act.choice)
    if len(act.cards) != due:
        return Refusal("too-few-drawn" if len(act.cards) < due else "too-many-drawn", why)
    return None if set(act.cards) <= set(among) else Refusal("card-not-held", why)


def _cards(table: Table, offer: Offer, choice: str) -> tuple[int, Sequence[Card]]:
    """Return the number and range of the cards that a choice names."""
    return next((cards(table) for naming, cards in offer.cards if naming == choice), (0, ()))


def sense_of_choose(table: Table, act: Choose) -> None:
    """Raise Malformed if a choice without cards names some, or a card is named twice."""
    if act.cards and not any(act.choice in dict(offer.cards) for offer in table.rules.of(Procedure).offers):
        raise Malformed(f"no cards are named with '{act.choice}'")
    if len(set(act.cards)) != len(act.cards):
        raise Malformed("a card is named twice")


def choose(table: Table, act: Choose) -> Iterator[Event]:
    """Yield the consequences of the choice."""
    offer = current_offer(table)
    yield Chosen(act.by, act.choice, offer.grounds(table))
    yield from offer.follow(table, act)


def open_choices(table: Table) -> list[Choose]:
    """Return every choice offered, with all the cards that it may name."""
    offer = current_offer(table)
    choices = [(choice, *_cards(table, offer, choice)) for choice in table.choices]
    return [
        Choose(table.turn, choice, cards)
        for choice, due, among in choices
        for cards in combinations(sorted(among), due)
    ]


CHOOSE = Move(Choose, refuse_choose, choose, during(Phase.CHOOSE), open_choices, exact=True, sense=sense_of_choose)


def trumps_of_question(table: Table, told: ToldTrumps) -> Suit | None:
    """Return the trumps that a question gives, or those of the position; raise Malformed for trumps in a game without
    trumps."""
    if told is UNSAID:
        return table.trumps
    if told is not None and not table.rules.draws:
        raise Malformed("no suit is trumps in this game")
    return told


def table_of_question(table: Table, trumps: ToldTrumps, drawing: ToldDrawing) -> Table:
    """Return a copy of this table with the trumps that a question gives, and its statement whether cards are still
    drawn after the trick.

    Raise Malformed for either if this game does not have it.
    """
    other = table.copy()
    other.trumps = trumps_of_question(table, trumps)
    if drawing is not UNSAID:
        if drawing and not table.rules.draws:
            raise Malformed("no cards are drawn in this game")
        other.turn_up, other.stock = None, list(table.rules.pack[:1]) if drawing else []  # any card will do
    return other
