"""What happened: the events of the reference interpreter in words."""

from hoyle_reference import handling
from hoyle_reference.cards import SUIT_NAMES, Card, name, names, suit_of
from hoyle_reference.endings import DealEnded, GameDrawn, GameVoid, GameWon, Tied
from hoyle_reference.events import (
    BroughtNothing,
    CardsCut,
    CarteBlancheDrawn,
    CarteBlancheShown,
    DealerFound,
    Dealt,
    Declared,
    Drew,
    Event,
    Exchanged,
    Held,
    Lapsed,
    LastTrickWon,
    NobodyScores,
    Offered,
    Played,
    Scored,
    Shown,
    TakenUp,
    TrickWon,
    TrumpsMade,
    TurnedUp,
)
from hoyle_reference.seats import seat_name

from . import printed, words
from .calling import OPTIONS
from .words import Names


def in_words(event: Event, melds: Names) -> str:
    """One event as a sentence; `melds` are the names of the combinations."""
    match event:
        case CardsCut(cards):
            return f"The players cut {_cards(cards)}."
        case Offered(seat, options):
            return f"{seat_name(seat)} may choose {printed.listed([OPTIONS[each] for each in options], 'or')}."
        case DealerFound(seat):
            return f"{seat_name(seat)} deals."
        case Dealt(hands):
            return " ".join(f"{'ABCD'[seat]} is dealt {_cards(hand)}." for seat, hand in enumerate(hands))
        case TurnedUp(card):
            return f"{_card(card)} is turned up: {SUIT_NAMES[suit_of(card)]} are trumps."
        case Scored(seat, points, what):
            return f"{seat_name(seat)} scores {points:,} for {melds.get(what, what.replace('-', ' '))}."
        case Played(seat, card):
            return f"{seat_name(seat)} plays {_card(card)}."
        case TrickWon(seat, cards):
            return f"{seat_name(seat)} wins the trick {_cards(cards)}."
        case LastTrickWon(seat):
            return f"It counts as the last trick, won by {seat_name(seat)}."
        case BroughtNothing(seat):
            return f"The trick brings {seat_name(seat)} nothing."
        case NobodyScores(what):
            return f"Nobody scores for {what}: both are equal."
        case Declared(seat, meld, cards):
            return f"{seat_name(seat)} declares {melds.get(meld, meld)}: {_cards(cards)}."
        case TrumpsMade(suit):
            return f"{SUIT_NAMES[suit].capitalize()} are trumps from now on."
        case Held(seat, meld, cards):
            return f"{seat_name(seat)} keeps {melds.get(meld, meld)} to score: {_cards(cards)}."
        case Lapsed(seat, meld, cards):
            return f"{seat_name(seat)} loses {melds.get(meld, meld)}, kept to score: {_cards(cards)}."
        case Exchanged(seat, card, taken):
            return f"{seat_name(seat)} exchanges {_card(card)} for the turn-up, {_card(taken)}."
        case Shown(seat, card):
            return f"{seat_name(seat)} shows {_card(card)}."
        case Drew(seat, card):
            return f"{seat_name(seat)} draws {_card(card)}."
        case CarteBlancheShown(seat, cards):
            return f"{seat_name(seat)} shows {_cards(cards)}: carte blanche."
        case CarteBlancheDrawn(seat, card, ends):
            becomes = "ends" if ends else "is as good as before"
            return f"With {_card(card)} the carte blanche of {seat_name(seat)} {becomes}."
        case TakenUp():
            return "The cards on the table are taken up."
        case DealEnded(dealer):
            return f"The deal is over; {seat_name(dealer)} deals next."
        case GameWon(seat, settled):
            for_points = "" if settled is None else f", for {words.points(settled)}"
            return f"{seat_name(seat)} wins the game{for_points}."
        case GameDrawn():
            return "The game is drawn."
        case GameVoid():
            return "The game is void."
        case Tied(deals):
            return f"The players are equal, and play {'another deal' if deals == 1 else f'{deals} more deals'}."
        case _:
            return _handled(event, melds)


def _handled(event: Event, melds: Names) -> str:
    """An event of the exchange or the calling."""
    match event:
        case handling.BlankAnnounced(seat):
            return f"{seat_name(seat)} has a blank, and will show it."
        case handling.BlankShown(seat, cards):
            return f"{seat_name(seat)} shows a blank: {_cards(cards)}."
        case handling.Discarded(seat, cards, drawn):
            return f"{seat_name(seat)} puts away {_cards(cards)} and draws {_cards(drawn)}."
        case handling.Peeped(seat, cards):
            return f"{seat_name(seat)} sees {_cards(cards)}."
        case handling.RestExposed(cards):
            return f"Both see the cards left over: {_cards(cards)}."
        case handling.RestLeft():
            return "The cards left over stay face down."
        case handling.Announced(seat, count):
            return f"{seat_name(seat)} has announced {count or 'none'}."
        case handling.Asked(seat):
            return f"{seat_name(seat)} asks for more."
        case handling.ClassDecided(seat):
            return f"It is good for {'nobody' if seat is None else seat_name(seat)}."
        case handling.Specified(seat, meld, cards):
            return f"{seat_name(seat)} specifies {melds.get(meld, meld)}: {_cards(cards)}."
        case handling.NoBonus(seat, what):
            return f"{seat_name(seat)} makes no {what}."
        case _:
            raise TypeError(event)


def _card(card: Card) -> str:
    return printed.card(name(card))


def _cards(cards: "tuple[Card, ...]") -> str:
    return printed.cards(names(cards))
