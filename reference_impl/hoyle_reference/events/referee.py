"""Events of an irregularity and its ruling."""

from ..cards import Card
from ..frozen import frozen
from ..refusals import Grounds
from ..seats import Seat, ring
from ..table.states import Claim, Combination, Error
from ..table.table import Table
from . import CardsEvent, ErrorEvent, NoChange, PlayerEvent, RulesEvent


@frozen
class Erred(ErrorEvent):
    """A player does something irregular; the table remembers how it was before."""

    def change(self, table: Table) -> None:
        before = table.copy()
        table.referee.errors.append(self.error)
        table.referee.before[self.error] = before


@frozen
class LedInstead(PlayerEvent):
    """A player leads whose lead it is not; what the winner of the trick has declared belongs to the past then."""

    def change(self, table: Table) -> None:
        table.leader = self.seat
        table.combinations_since_trick = table.sevens_since_trick = 0


@frozen
class Happened:
    """Something irregular has happened, by which the players have seen these cards."""

    seat: Seat
    irregularity: str
    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        for seen, hand in zip(table.seen, table.hands, strict=True):
            seen.update(set(self.cards).difference(hand))


@frozen
class Claimed:
    """An irregularity is to be ruled on now."""

    claim: Claim
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.referee.claim = self.claim


@frozen
class Settled:
    """The irregularity has been ruled on, and is not claimed again, though it may still be found of these players."""

    error: Error
    found: tuple[Seat, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.referee.claim = None
        if self.error in table.referee.errors:
            table.referee.errors.remove(self.error)
        for seat in self.found:
            table.referee.ruled[seat].append(self.error.irregularity)


@frozen
class PassedOver(ErrorEvent):
    """Nobody has pointed out what there is to be found, and so it is not ruled on."""


@frozen
class Ruled:
    """From now on a player does or suffers what the word says, until it is done."""

    seat: Seat
    word: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.referee.ruled[self.seat].append(self.word)


@frozen
class Unruled:
    """A player has done what there was to be done."""

    seat: Seat
    word: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.referee.ruled[self.seat].remove(self.word)


@frozen
class Miscounted:
    """A player has more cards than before of those that the rules give, or fewer; with the right number, what was ruled
    on may perhaps be found anew."""

    seat: Seat
    by: int
    over: tuple[str, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.referee.surplus[self.seat] += self.by
        for word in self.over:
            table.referee.ruled[self.seat].remove(word)


@frozen
class HandCompleted(CardsEvent):
    """A player is given the cards that are missing from the hand, from the top of the stock."""

    def change(self, table: Table) -> None:
        del table.stock[len(table.stock) - len(self.cards) :]
        table.hands[self.seat] += self.cards
        table.referee.surplus[self.seat] += len(self.cards)


@frozen
class SurplusReturned(CardsEvent):
    """Cards that a player has too many go under the stock."""

    def change(self, table: Table) -> None:
        table.hands[self.seat] = [card for card in table.hands[self.seat] if card not in self.cards]
        table.stock = [*self.cards, *table.stock]
        table.referee.surplus[self.seat] -= len(self.cards)


@frozen
class DealCancelled:
    """The cards are taken up, and the same player deals again."""

    dealer: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.clear_the_deal()
        table.deals -= 1
        table.dealer = self.dealer


@frozen
class TakenBack(ErrorEvent):
    """A card is taken back, with all that has been played after it: everything is as it was before, but for what has
    been ruled on, and seen, since."""

    def change(self, table: Table) -> None:
        seen, ruled, left = table.seen, table.referee.ruled, table.referee.errors
        table.restore(table.referee.before[self.error])
        table.seen, table.referee.ruled = seen, ruled
        table.referee.errors = [error for error in table.referee.errors if error in left]


@frozen
class CardTakenUp(PlayerEvent):
    """A player takes up the card that they have led, as if they had not led it."""

    def change(self, table: Table) -> None:
        card, before = table.trick.pop(), table.referee.before_the_lead
        assert before is not None, "a card is taken up if it is known what its lead has changed"
        table.hands[self.seat].append(card)
        if before.was_shown:
            table.shown[self.seat].add(card)
        table.kept = [list(each) for each in before.kept]
        table.trumps = before.trumps


@frozen
class LeadRestored(ErrorEvent):
    """A lead out of turn has been taken up: the player whose lead it is leads, and what was scored since the trick
    counts as scored since it again."""

    def change(self, table: Table) -> None:
        before = table.referee.before[self.error]
        table.leader = before.leader
        table.combinations_since_trick = before.combinations_since_trick
        table.sevens_since_trick = before.sevens_since_trick


def of_the_last_tricks(table: Table, seat: Seat) -> list[Card]:
    """Return the cards of the tricks that a player has won without drawing."""
    own = table.won[seat]
    return own[len(own) - table.referee.last_tricks[seat] * table.players :]


def still_to_be_played(table: Table, first: Seat) -> list[Card]:
    """Return the cards of the trick in progress and of all hands, the first player's before the others'; none when the
    deal is over, since cards that are then left in a hand are not played."""
    if not table.trick and not all(table.hands):
        return []
    return [*table.trick, *(card for seat in ring(first, table.players) for card in table.hands[seat])]


@frozen
class TricksForfeited:
    """The tricks that a side has won without drawing, and all the cards still to be played, go to another player."""

    seat: Seat
    to: Seat
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        forfeited: list[Card] = []
        side = table.rules.side(self.seat)
        for each in (seat for seat in ring(self.seat, table.players) if seat in side):
            lost = of_the_last_tricks(table, each)
            del table.won[each][len(table.won[each]) - len(lost) :]
            table.referee.last_tricks[each] = 0
            forfeited += lost
        unplayed = still_to_be_played(table, self.to)
        table.won[self.to] += [*forfeited, *unplayed]
        table.referee.last_tricks[self.to] += len([*forfeited, *unplayed]) // table.players
        table.trick, table.leader = [], self.to
        if unplayed:
            table.hands = [[] for _ in table.hands]
            table.shown = [set() for _ in table.shown]


@frozen
class ShownTo(CardsEvent):
    """A player is shown cards; of those in their own hand there is nothing to be seen."""

    def change(self, table: Table) -> None:
        table.seen[self.seat].update(set(self.cards).difference(table.hands[self.seat]))


@frozen
class PutBack:
    """Cards that a player has drawn go back to the top of the stock, the first of them uppermost, or the turn-up to its
    place; the player has seen them, and of those that had been seen before so many are left there."""

    seat: Seat
    cards: tuple[Card, ...]
    turn_up: Card | None
    seen_ahead: int
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        for card in reversed(self.cards):
            table.hands[self.seat].remove(card)
            if card == self.turn_up:
                table.turn_up = card
            else:
                table.stock.append(card)
        table.seen[self.seat].update(self.cards)
        table.referee.seen_ahead = self.seen_ahead


@frozen
class HandedOver:
    """A player gets a card that another has drawn and has seen, in place of drawing one."""

    seat: Seat
    to: Seat
    card: Card
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.hands[self.seat].remove(self.card)
        table.hands[self.to].append(self.card)
        table.seen[self.seat].add(self.card)


@frozen
class NextDrawChosen:
    """A player may choose between the cards of the next draws, as long as cards that were seen are left of the
    stock."""

    seat: Seat
    seen_ahead: int
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.referee.chooser, table.referee.seen_ahead = self.seat, self.seen_ahead


@frozen
class DrewEarly(PlayerEvent):
    """A player has drawn out of turn."""

    def change(self, table: Table) -> None:
        table.referee.drawn_early[self.seat] = True


@frozen
class RoundDrawn(RulesEvent):
    """Everybody has drawn, whoever was first."""

    def change(self, table: Table) -> None:
        table.referee.drawn_early = [False for _ in table.referee.drawn_early]


@frozen
class DrawAgain(PlayerEvent):
    """A card drawn out of turn has been put back, and its player has still to draw."""

    def change(self, table: Table) -> None:
        table.referee.drawn_early[self.seat] = False


@frozen
class LeftUndrawn:
    """The cards that do not go round are not drawn."""

    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.referee.undrawn = list(self.cards)
        table.stock, table.turn_up = [], None


@frozen
class Unscored:
    """A combination that was scored and is none counts as not declared, and some of its cards are taken up again;
    another may perhaps be scored in its place."""

    seat: Seat
    combination: Combination
    taken_up: tuple[Card, ...]
    another_may_score: bool
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        side = table.rules.side_of[self.seat]
        if self.combination in table.scored[side]:
            table.scored[side].remove(self.combination)
        table.shown[self.seat] -= set(self.taken_up)
        table.combinations_since_trick -= self.another_may_score


@frozen
class CountsAsNone:
    """A combination that was scored and is none does not count as one in what its cards may score."""

    seat: Seat
    combination: Combination
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.scored[table.rules.side_of[self.seat]].remove(self.combination)


@frozen
class ScoreStands(NoChange):
    """What was scored for a combination that is none can be taken off no more."""

    seat: Seat
    meld: str
    grounds: Grounds = ()


@frozen
class CardLeftOver(CardsEvent):
    """The last cards of a hand are won without a card against them."""

    def change(self, table: Table) -> None:
        table.hands[self.seat] = []
        table.won[self.seat] += self.cards
