"""What happened: the events of the reference interpreter in words."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from hoyle_reference.events import (
    blank,
    calling,
    carte_blanche,
    choosing,
    deal,
    declare,
    draw,
    score,
    settle,
    seven,
    talon,
    tricks,
)
from hoyle_reference.events.event import Awaits, Event
from hoyle_reference.table.cards import SUIT_NAMES, Card, name, names, suit_of
from hoyle_reference.table.seats import seat_name

from . import printed, words
from .calling import OPTIONS
from .words import Names

#: What is said of nothing: whom the table waits for, and that the choice which was just told has been made.
SILENT: Final = (Awaits, choosing.Chosen)


def in_words(event: Event, melds: Names) -> str:
    """One event as a sentence; `melds` are the names of the combinations."""
    return SAID[type(event)](event, melds)


def _card(card: Card) -> str:
    return printed.card(name(card))


def _cards(cards: tuple[Card, ...]) -> str:
    return printed.cards(names(cards))


def _of(event: Any) -> str:
    """The letter of the player whom an event is about."""
    return seat_name(event.seat)


def _meld(event: Any, melds: Names) -> str:
    return f"{melds.get(event.meld, event.meld)}"


def _dealt(event: deal.Dealt, _melds: Names) -> str:
    return " ".join(f"{'ABCD'[seat]} is dealt {_cards(hand)}." for seat, hand in enumerate(event.hands))


def _offered(event: choosing.Offered, _melds: Names) -> str:
    return f"{_of(event)} may choose {printed.listed([OPTIONS[each] for each in event.options], 'or')}."


def _won(event: settle.GameWon, _melds: Names) -> str:
    return f"{_of(event)} wins the game{'' if event.settled is None else f', for {words.points(event.settled)}'}."


def _tied(event: settle.Tied, _melds: Names) -> str:
    more = "another deal" if event.deals == 1 else f"{event.deals} more deals"
    return f"The players are equal, and play {more}."


def _drawn_to_carte_blanche(event: carte_blanche.CarteBlancheDrawn, _melds: Names) -> str:
    becomes = "ends" if event.ends else "is as good as before"
    return f"With {_card(event.card)} the carte blanche of {_of(event)} {becomes}."


def _decided(event: calling.ClassDecided, _melds: Names) -> str:
    return f"It is good for {'nobody' if event.seat is None else seat_name(event.seat)}."


#: What is said of each kind of event.
SAID: Final[Mapping[type, Callable[[Any, Names], str]]] = MappingProxyType(
    {
        deal.CardsCut: lambda event, _m: f"The players cut {_cards(event.cards)}.",
        choosing.Offered: _offered,
        deal.DealerFound: lambda event, _m: f"{_of(event)} deals.",
        deal.Dealt: _dealt,
        deal.TurnedUp: lambda event, _m: (
            f"{_card(event.card)} is turned up: {SUIT_NAMES[suit_of(event.card)]} are trumps."
        ),
        score.Scored: lambda event, melds: (
            f"{_of(event)} scores {event.points:,} for {melds.get(event.what, event.what.replace('-', ' '))}."
        ),
        tricks.Played: lambda event, _m: f"{_of(event)} plays {_card(event.card)}.",
        tricks.TrickWon: lambda event, _m: f"{_of(event)} wins the trick {_cards(event.cards)}.",
        tricks.LastTrickWon: lambda event, _m: f"It counts as the last trick, won by {_of(event)}.",
        score.BroughtNothing: lambda event, _m: f"The trick brings {_of(event)} nothing.",
        score.NobodyScores: lambda event, _m: f"Nobody scores for {event.what}: both are equal.",
        score.NoBonus: lambda event, _m: f"{_of(event)} makes no {event.what}.",
        declare.Declared: lambda event, melds: f"{_of(event)} declares {_meld(event, melds)}: {_cards(event.cards)}.",
        declare.TrumpsMade: lambda event, _m: f"{SUIT_NAMES[event.suit].capitalize()} are trumps from now on.",
        declare.KeptToScore: lambda event, melds: (
            f"{_of(event)} keeps {_meld(event, melds)} to score: {_cards(event.cards)}."
        ),
        declare.Lapsed: lambda event, melds: (
            f"{_of(event)} loses {_meld(event, melds)}, kept to score: {_cards(event.cards)}."
        ),
        declare.TakenUp: lambda _event, _m: "The cards on the table are taken up.",
        seven.Exchanged: lambda event, _m: (
            f"{_of(event)} exchanges {_card(event.card)} for the turn-up, {_card(event.taken)}."
        ),
        seven.SevenShown: lambda event, _m: f"{_of(event)} shows {_card(event.card)}.",
        draw.Drew: lambda event, _m: f"{_of(event)} draws {_card(event.card)}.",
        carte_blanche.CarteBlancheShown: lambda event, _m: f"{_of(event)} shows {_cards(event.cards)}: carte blanche.",
        carte_blanche.CarteBlancheDrawn: _drawn_to_carte_blanche,
        settle.DealEnded: lambda event, _m: f"The deal is over; {seat_name(event.dealer)} deals next.",
        settle.GameWon: _won,
        settle.GameDrawn: lambda _event, _m: "The game is drawn.",
        settle.GameVoid: lambda _event, _m: "The game is void.",
        settle.Tied: _tied,
        blank.BlankAnnounced: lambda event, _m: f"{_of(event)} has a blank, and will show it.",
        blank.BlankShown: lambda event, _m: f"{_of(event)} shows a blank: {_cards(event.cards)}.",
        talon.Discarded: lambda event, _m: (
            f"{_of(event)} puts away {_cards(event.cards)} and draws {_cards(event.drawn)}."
        ),
        talon.Peeped: lambda event, _m: f"{_of(event)} sees {_cards(event.cards)}.",
        talon.RestExposed: lambda event, _m: f"Both see the cards left over: {_cards(event.cards)}.",
        talon.RestLeft: lambda _event, _m: "The cards left over stay face down.",
        calling.Announced: lambda event, _m: f"{_of(event)} has announced {event.count or 'none'}.",
        calling.Asked: lambda event, _m: f"{_of(event)} asks for more.",
        calling.ClassDecided: _decided,
        calling.Specified: lambda event, melds: f"{_of(event)} specifies {_meld(event, melds)}: {_cards(event.cards)}.",
    }
)
