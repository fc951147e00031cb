"""Words for the events of the reference interpreter, and positions laid out as on a table."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording import rulings, words
from hoyle_conformance.wording.calls import MADE_BY
from hoyle_conformance.wording.rulings import titled
from hoyle_conformance.wording.text import join_and
from hoyle_conformance.wording.words import Names
from hoyle_reference import events as every
from hoyle_reference.cards import RANKS, SUIT_NAMES, SUITS, Card, name, names, suit_of
from hoyle_reference.events import Awaits, Event, referee
from hoyle_reference.events import combinations as some
from hoyle_reference.seats import seat_name

#: The events without a sentence, such as one that only names the awaited player or confirms a choice already described.
SILENT: Final = (
    Awaits,
    every.Chosen,
    referee.Erred,
    referee.Settled,
    referee.LeadRestored,
    referee.LedInstead,
    referee.CountsAsNone,
    referee.DrawAgain,
    referee.RoundDrawn,
    referee.DrewEarly,
    some.CarteBlancheResumed,
)


def event_sentence(event: Event, melds: Names) -> str:
    """Return the sentence for an event; `melds` are the names of the combinations."""
    return EVENT_SENTENCES[type(event)](event, melds)


def _card(card: Card) -> str:
    return printed.card(name(card))


def _cards(cards: tuple[Card, ...]) -> str:
    return printed.cards(names(cards))


def _of(event: Any) -> str:
    """Return the letter of the player of an event."""
    return seat_name(event.seat)


def _meld(event: Any, melds: Names) -> str:
    return titled(event.meld, melds)


def _dealt(event: every.Dealt, _melds: Names) -> str:
    return " ".join(f"{'ABCD'[seat]} is dealt {_cards(hand)}." for seat, hand in enumerate(event.hands))


def _offered(event: every.Offered, _melds: Names) -> str:
    return f"{_of(event)} may choose {join_and([rulings.choice(each) for each in event.choices], 'or')}."


def _scored(event: every.Scored, melds: Names) -> str:
    verb = "scores" if event.points >= 0 else "loses"
    return f"{_of(event)} {verb} {abs(event.points):,} for {titled(event.what, melds)}."


def _miscounted(event: referee.Miscounted, _melds: Names) -> str:
    count, more = abs(event.by), "more" if event.by > 0 else "fewer"
    return f"This makes {count} card{'' if count == 1 else 's'} {more} for {_of(event)} than is usual."


def _won(event: every.GameWon, _melds: Names) -> str:
    return f"{_of(event)} wins {words.won_game(event.settled)}."


def _tied(event: every.Tied, _melds: Names) -> str:
    more = "another deal" if event.deals == 1 else f"{event.deals} more deals"
    return f"The players are equal, and play {more}."


def _drawn_to_carte_blanche(event: some.CarteBlancheDrawn, _melds: Names) -> str:
    becomes = "ends" if event.ends else "is as good as before"
    return f"With {_card(event.card)} the carte blanche of {_of(event)} {becomes}."


def _lapsed_carte_blanche(event: some.CarteBlancheLapsed, _melds: Names) -> str:
    ends = ", which ends the carte blanche" if event.ends else ""
    return f"{_of(event)} can no longer show the card drawn before{ends}."


def _decided(event: some.ClassDecided | some.ClassGivenOver, _melds: Names) -> str:
    return f"It is good for {'nobody' if event.seat is None else seat_name(event.seat)}."


#: The sentences for a ruling that takes effect on a player.
_RULED: Final = MappingProxyType(
    {
        "rubiconed": "{} is rubiconed.",
        "void-the-game": "The game will be void.",
        "last-trick-lost": "{} will not score the last trick; the opponent will.",
        "last-trick-unscored": "Nobody will score the last trick.",
        "shows-next-card": "{} must show the next card drawn.",
        "next-cards-are-faced": "Because of {}, two cards will be turned face up at the next draw.",
    }
)
#: The sentences for a ruling that no longer has effect.
_UNRULED: Final = MappingProxyType(
    {
        "last-trick-lost": "{} may score the last trick.",
        "shows-next-card": "{} has shown the card drawn.",
        "next-cards-are-faced": "No more cards are turned face up because of {}.",
    }
)
#: The sentences for whether an irregularity has already been ruled on.
_RULED_ON: Final = "The irregularity of {} has been ruled on."
_OPEN_AGAIN: Final = "A new irregularity of {} would be ruled on again."
#: The sentence for each type of event.
EVENT_SENTENCES: Final[Mapping[type, Callable[[Any, Names], str]]] = MappingProxyType(
    {
        every.CardsCut: lambda event, _m: f"The players cut {_cards(event.cards)}.",
        every.Offered: _offered,
        every.DealerFound: lambda event, _m: f"{_of(event)} deals.",
        every.Dealt: _dealt,
        every.TurnedUp: lambda event, _m: (
            f"{_card(event.card)} is turned up: {SUIT_NAMES[suit_of(event.card)]} are trumps."
        ),
        every.Scored: _scored,
        every.Played: lambda event, _m: f"{_of(event)} plays {_card(event.card)}.",
        every.TrickWon: lambda event, _m: f"{_of(event)} wins the trick {_cards(event.cards)}.",
        every.HeapTakenUp: lambda event, _m: f"{_of(event)} takes up all the tricks that are face up.",
        every.LastTrickWon: lambda event, _m: f"It counts as the last trick, won by {_of(event)}.",
        every.BroughtNothing: lambda event, _m: f"The trick brings {_of(event)} nothing.",
        every.NobodyScores: lambda event, _m: f"Nobody scores for {rulings.plain(event.what)}.",
        every.NoBonus: lambda event, _m: f"{_of(event)} makes no {event.what}.",
        some.Declared: lambda event, melds: f"{_of(event)} declares {_meld(event, melds)}: {_cards(event.cards)}.",
        some.TrumpsMade: lambda event, _m: f"{SUIT_NAMES[event.suit].capitalize()} are trumps from now on.",
        some.KeptToScore: lambda event, melds: (
            f"{_of(event)} keeps {_meld(event, melds)} to score: {_cards(event.cards)}."
        ),
        some.Lapsed: lambda event, melds: (
            f"{_of(event)} loses {_meld(event, melds)}, kept to score: {_cards(event.cards)}."
        ),
        some.TakenUp: lambda _event, _m: "The cards on the table are taken up.",
        some.Exchanged: lambda event, _m: (
            f"{_of(event)} exchanges {_card(event.card)} for the turn-up, {_card(event.taken)}."
        ),
        some.SevenShown: lambda event, _m: f"{_of(event)} shows {_card(event.card)}.",
        every.Drew: lambda event, _m: f"{_of(event)} draws {_card(event.card)}.",
        some.CarteBlancheShown: lambda event, _m: f"{_of(event)} shows {_cards(event.cards)}: carte blanche.",
        some.CarteBlancheDrawn: _drawn_to_carte_blanche,
        some.CarteBlancheLapsed: _lapsed_carte_blanche,
        every.DealEnded: lambda event, _m: f"The deal is over; {seat_name(event.dealer)} deals next.",
        every.FirstToTarget: lambda event, _m: f"{_of(event)} is first to reach the target; the deal is played out.",
        every.GameWon: _won,
        every.GameDrawn: lambda _event, _m: "The game is drawn.",
        every.GameReopened: lambda _event, _m: "The game is not won after all.",
        every.GameVoid: lambda _event, _m: "The game is void.",
        every.Tied: _tied,
        some.BlankAnnounced: lambda event, _m: f"{_of(event)} has a carte blanche, and will show it.",
        some.BlankShown: lambda event, _m: f"{_of(event)} shows a carte blanche: {_cards(event.cards)}.",
        some.Discarded: lambda event, _m: (
            f"{_of(event)} puts away {_cards(event.cards)}{f' and draws {_cards(event.drawn)}' if event.drawn else ''}."
        ),
        some.Peeped: lambda event, _m: f"{_of(event)} sees {_cards(event.cards)}.",
        some.SuitNamed: lambda event, _m: f"{_of(event)} names {SUIT_NAMES[event.suit]} for the first lead.",
        some.RestExposed: lambda event, _m: f"Both see the cards left over: {_cards(event.cards)}.",
        some.RestLeft: lambda _event, _m: "The cards left over stay face down.",
        some.Announced: lambda event, _m: f"{_of(event)} has announced {event.count or 'none'}.",
        some.Asked: lambda event, _m: f"{_of(event)} asks for more.",
        some.ClassDecided: _decided,
        some.ClassGivenOver: _decided,
        referee.ReckonsNothing: lambda event, _m: f"{_of(event)} scores nothing in this deal.",
        referee.NotReckoned: lambda event, melds: f"But for the ruling, {_scored(event.made, melds)}",
        referee.Happened: lambda event, names: f"Irregularity by {_of(event)}: {titled(event.irregularity, names)}.",
        referee.Claimed: lambda event, names: (
            f"Ruling on {_of(event.claim.error)}: {titled(event.claim.error.irregularity, names)}."
        ),
        referee.Ruled: lambda event, _m: _RULED.get(event.word, _RULED_ON).format(_of(event)),
        referee.Unruled: lambda event, _m: _UNRULED.get(event.word, _OPEN_AGAIN).format(_of(event)),
        referee.Miscounted: _miscounted,
        referee.HandCompleted: lambda event, _m: f"{_of(event)} is given {_cards(event.cards)} from the stock.",
        referee.SurplusReturned: lambda event, _m: (
            f"{_cards(event.cards)} go from the hand of {_of(event)} under the stock."
        ),
        referee.DealCancelled: lambda event, _m: f"The cards are taken up; {seat_name(event.dealer)} deals again.",
        referee.TakenBack: lambda event, _m: (
            f"{_of(event.error)} takes back {_cards(event.error.cards) or 'a call'}, "
            "and everything after it goes back too."
        ),
        referee.CardTakenUp: lambda event, _m: f"{_of(event)} takes up the card played last.",
        referee.TricksForfeited: lambda event, _m: (
            f"The tricks without drawing, and the cards left, go from {_of(event)} to {seat_name(event.to)}."
        ),
        referee.ShownTo: lambda event, _m: f"{_of(event)} sees {_cards(event.cards)}.",
        referee.PutBack: lambda event, _m: f"{_of(event)} puts back {_cards(event.cards)} on the stock.",
        referee.HandedOver: lambda event, _m: (
            f"{_of(event)} gives {_card(event.card)} to {seat_name(event.to)}, who does not draw."
        ),
        referee.NextDrawChosen: lambda event, _m: f"{_of(event)} will choose between the cards of the next draw.",
        referee.LeftUndrawn: lambda event, _m: f"{_cards(event.cards)} is not drawn.",
        referee.Unscored: lambda event, melds: (
            f"{melds.get(event.combination.meld, event.combination.meld)} of {_of(event)} counts as not declared."
        ),
        referee.ScoreStands: lambda event, melds: f"The score of {_of(event)} for {_meld(event, melds)} stands.",
        referee.PassedOver: lambda event, _m: (
            f"Nobody has pointed out that {seat_name(event.error.seat)} has a wrong number of cards."
        ),
        referee.CardLeftOver: lambda event, _m: f"{_of(event)} wins {_cards(event.cards)} without a card against it.",
        some.Specified: lambda event, melds: f"{_of(event)} specifies {_meld(event, melds)}: {_cards(event.cards)}.",
    }
)


# ---- positions on a table


#: Stands for a card that the position does not specify.
ANY: Final = "..."
_TITLES: Final = {"shown": "on the table", "discards": "put away", "seen": "has seen", "kept": "kept to score"}


class CardPlace(NamedTuple):
    """A place of cards: its kind (``hand``, ``shown``, ``trick`` …), and its seat, if any."""

    kind: str
    seat: str = ""

    @property
    def title(self) -> str:
        """The words for the place, shown next to its cards."""
        return _TITLES.get(self.kind, self.kind)


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table as it is shown.

    `cards` has the cards in each place, with unspecified cards as ``...``. `facts` has the texts shown with them, by
    subject (the score of a seat, the stock, trumps …). `new_cards` and `new_facts` are those that have appeared since
    the step before.
    """

    seats: tuple[str, ...]
    cards: Mapping[CardPlace, tuple[str, ...]]
    facts: Mapping[CardPlace, str]
    new_cards: Mapping[CardPlace, Collection[str]] = field(default_factory=dict)
    new_facts: Collection[CardPlace] = ()

    def since(self, before: "ShownTable") -> "ShownTable":
        """Return the same table with its new cards and facts marked, compared with an earlier table."""
        cards = {
            place: fresh
            for place, lie in self.cards.items()
            if (fresh := frozenset(Counter(lie) - Counter(before.cards.get(place, ()))))
        }
        facts = frozenset(place for place, said in self.facts.items() if before.facts.get(place) != said)
        return replace(self, new_cards=cards, new_facts=facts)


def cards_named(content: Any) -> frozenset[str]:
    """Return every card named in a position and its steps."""
    return frozenset(_cards_in(content))


def _cards_in(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        if len(content) in {2, 4} and content[0] in RANKS and content[1] in SUITS:
            yield content
    elif isinstance(content, Mapping):
        for each in content.values():
            yield from _cards_in(each)
    elif isinstance(content, Sequence):
        for each in content:
            yield from _cards_in(each)


def lay_out(position: Mapping[str, Any], known: Collection[str], melds: Names) -> ShownTable:
    """Return a whole position as a table; the cards that are not `known` are shown as unspecified."""
    seats = tuple(position.get("hands") or position["score"])
    cards = {place: lie for place, lie in _lie(position, known) if lie}
    return ShownTable(seats, cards, dict(_facts(position, melds)))


def _lie(position: Mapping[str, Any], known: Collection[str]) -> Iterator[tuple[CardPlace, tuple[str, ...]]]:
    shown = position.get("shown", {})
    for seat, hand in position.get("hands", {}).items():
        on_the_table = shown.get(seat, ())
        hidden = list((Counter(hand) - Counter(on_the_table)).elements()) if on_the_table else list(hand)
        yield CardPlace("shown", seat), tuple(printed.sort_hand(on_the_table))
        yield CardPlace("hand", seat), _sorted(hidden, known)
        for kind in ("discards", "seen"):
            yield CardPlace(kind, seat), _sorted(position.get(kind, {}).get(seat, ()), known)
    yield CardPlace("trick"), tuple(position.get("trick", ()))
    if position.get("turn_up"):
        yield CardPlace("turn-up"), (position["turn_up"],)


def _sorted(cards: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    """Return cards as a player sorts them, with unspecified cards last."""
    faces = printed.sort_hand(card for card in cards if card in known)
    return (*faces, *[ANY] * (len(cards) - len(faces)))


def _facts(position: Mapping[str, Any], melds: Names) -> Iterator[tuple[CardPlace, str]]:
    yield from _of_seats(position, melds)
    if position.get("stock"):
        yield CardPlace("stock"), f"{len(position['stock'])} in the {'stock' if 'turn_up' in position else 'talon'}"
    if position.get("trumps"):
        yield CardPlace("trumps"), f"trumps {printed.SYMBOLS[position['trumps']]}"
    if position.get("game_won_by"):
        yield CardPlace("over"), f"{position['game_won_by']} has won the game"


def _of_seats(position: Mapping[str, Any], melds: Names) -> Iterator[tuple[CardPlace, str]]:
    for seat, points in position["score"].items():
        yield CardPlace("score", seat), f"{points:,}"
    for seat, kept in position.get("kept", {}).items():
        if kept:
            names = (f"{melds.get(each['meld'], each['meld'])} {printed.cards(each['cards'])}" for each in kept)
            yield CardPlace("kept", seat), ", ".join(names)
    for seat, made in position.get("made_of", {}).items():
        points = [f"{count} {MADE_BY[cause]}" for cause, count in made.items() if count]
        if points:
            yield CardPlace("made", seat), f"in this deal {', '.join(points)}"
    for seat, pile in position.get("won", {}).items():
        if pile:
            yield CardPlace("won", seat), f"{len(pile)} cards won"
