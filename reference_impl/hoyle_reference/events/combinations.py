"""Events of declaring, exchanging, announcing and showing, in games with the chapters for them."""

from dataclasses import replace

from ..acts import SET
from ..cards import Card, Suit
from ..frozen import frozen
from ..refusals import Grounds
from ..seats import Seat
from ..table.states import BlankState, Called, Combination
from ..table.table import Table
from . import CardsEvent, CombinationEvent, PlayerEvent, RulesEvent


def _lay(table: Table, seat: Seat, cards: tuple[Card, ...]) -> None:
    """Lay the player's own cards on the table; a partner's cards already lie there."""
    table.shown[seat].update(set(cards).intersection(table.hands[seat]))


@frozen
class Declared(CombinationEvent):
    """A player lays a combination on the table and scores it."""

    def change(self, table: Table) -> None:
        combination, side = Combination(self.meld, self.cards), table.rules.side_of[self.seat]
        _lay(table, self.seat, self.cards)
        table.scored[side].append(combination)
        if combination in table.kept[side]:
            table.kept[side].remove(combination)
        table.combinations_since_trick += 1


@frozen
class TrumpsMade:
    """A declaration has made its suit trumps."""

    suit: Suit
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.trumps = self.suit


@frozen
class KeptToScore(CombinationEvent):
    """A player lays a combination on the table and keeps it to score later, or announces again that it waits."""

    def change(self, table: Table) -> None:
        combination, kept = Combination(self.meld, self.cards), table.kept[table.rules.side_of[self.seat]]
        _lay(table, self.seat, self.cards)
        if combination not in kept:
            kept.append(combination)


@frozen
class Lapsed(CombinationEvent):
    """A combination kept to score can no longer be scored."""

    def change(self, table: Table) -> None:
        table.kept[table.rules.side_of[self.seat]].remove(Combination(self.meld, self.cards))


@frozen
class TakenUp(RulesEvent):
    """The players take the cards that lie on the table back into their hands."""

    def change(self, table: Table) -> None:
        for shown in table.shown:
            shown.clear()


@frozen
class Exchanged:
    """A player exchanges a card for the turn-up; this may count as the declaration after the trick."""

    seat: Seat
    card: Card
    taken: Card
    declared: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        hand = table.hands[self.seat]
        hand[hand.index(self.card)] = self.taken
        table.shown[self.seat].discard(self.card)
        table.turn_up = self.card
        table.claimed.add(self.card)
        table.sevens_since_trick += self.declared


@frozen
class SevenShown:
    """A player shows a card that scores by itself, and keeps it. It may lie on the table from then on, and may be the
    declaration of the trick."""

    seat: Seat
    card: Card
    lies: bool
    declared: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        if self.lies:
            table.shown[self.seat].add(self.card)
        table.claimed.add(self.card)
        table.sevens_since_trick += self.declared


@frozen
class CarteBlancheShown:
    """A player shows a hand that is carte blanche, or the card drawn to it; the cards shown may lie on the table."""

    seat: Seat
    cards: tuple[Card, ...]
    lies: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = BlankState.SCORED
        table.drawn[self.seat] = None
        if self.lies:
            table.shown[self.seat].update(self.cards)


@frozen
class CarteBlancheDrawn:
    """A card drawn by a player leaves a carte blanche intact, or ends it."""

    seat: Seat
    card: Card
    ends: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = BlankState.OVER if self.ends else BlankState.DRAWN
        table.drawn[self.seat] = None if self.ends else self.card


@frozen
class CarteBlancheResumed:
    """A carte blanche is again in its state before the draw, because the card drawn goes back to the stock."""

    seat: Seat
    blank: BlankState
    drawn: Card | None
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = self.blank
        table.drawn[self.seat] = self.drawn


@frozen
class CarteBlancheLapsed:
    """A player who has drawn no card can no longer show the card drawn before, which may end the carte blanche."""

    seat: Seat
    ends: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = BlankState.OVER if self.ends else BlankState.SCORED
        table.drawn[self.seat] = None


@frozen
class Discarded:
    """A player puts cards away face down and draws the same number from the stock, or none yet. Cards put away before
    go back to the hand."""

    seat: Seat
    cards: tuple[Card, ...]
    drawn: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        held = table.hands[self.seat] + table.discards[self.seat]
        table.hands[self.seat] = [*(card for card in held if card not in self.cards), *self.drawn]
        table.discards[self.seat] = list(self.cards)
        del table.stock[len(table.stock) - len(self.drawn) :]


@frozen
class Peeped(CardsEvent):
    """A player looks at cards of the stock that could have been drawn, without showing them."""

    def change(self, table: Table) -> None:
        table.seen[self.seat].update(self.cards)


@frozen
class SuitNamed:
    """Elder names the suit of the first lead."""

    seat: Seat
    suit: Suit
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.named_suit = self.suit


@frozen
class RestExposed:
    """The cards left in the stock are turned up for everyone to see."""

    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        for seen in table.seen:
            seen.update(self.cards)


@frozen
class RestLeft(RulesEvent):
    """The cards left in the stock stay face down."""


@frozen
class BlankAnnounced(CardsEvent):
    """A player announces that the hand is blank, to be shown later; `cards` are its cards, if they may be exchanged
    before."""

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = BlankState.ANNOUNCED
        table.to_show[self.seat] = set(self.cards)


@frozen
class BlankShown(CardsEvent):
    """A player shows a blank hand, card by card; the others have seen it."""

    def change(self, table: Table) -> None:
        table.blanks[self.seat] = BlankState.SCORED
        table.to_show[self.seat] = set()
        for other, seen in enumerate(table.seen):
            if other != self.seat:
                seen.update(self.cards)


@frozen
class Announced:
    """A player announces the best combination of a class: its number of cards (0 if there is none), and its height if
    asked for or part of the call."""

    seat: Seat
    class_: str
    count: int
    height: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        if len(table.called.decided) == 1:
            table.sets_first = self.class_ == SET
        table.to_show = [set() for _ in table.to_show]  # no blank is shown after the first call
        table.called = replace(table.called, count=self.count, height=self.height, asked=False)


@frozen
class Asked(PlayerEvent):
    """A player holds equally many cards, and asks for the height of the announced combination."""

    def change(self, table: Table) -> None:
        table.called = replace(table.called, asked=True)


@frozen
class ClassDecided:
    """The holder of the good combinations of a class is decided: a player, or nobody."""

    seat: Seat | None
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        called = table.called
        announced = (*called.announced, (called.count, called.height))
        table.called = Called((*called.decided, self.seat), announced)


@frozen
class ClassGivenOver:
    """A class that a miscall has won is decided again: for a player, or for nobody. The player in error loses these
    combinations in it, and what they have made."""

    class_: str
    seat: Seat | None
    loser: Seat
    lost: tuple[Combination, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        good_for = {**table.good_for, self.class_: self.seat}
        table.called = replace(table.called, decided=tuple(good_for.values()))
        if self.lost:
            table.scored[self.loser] = [each for each in table.scored[self.loser] if each not in self.lost]
            table.made_of[self.loser][self.class_] = 0


@frozen
class Specified(CombinationEvent):
    """A player names a combination with its very cards, and scores it."""

    def change(self, table: Table) -> None:
        table.scored[self.seat].append(Combination(self.meld, self.cards))
