"""Events of an irregularity and its ruling."""

from typing import Final

from ..acts import CLASSES
from ..cards import Card
from ..frozen import frozen
from ..refusals import Grounds
from ..seats import Seat, ring
from ..table.states import Called, Cause, Claim, Combination, Error
from ..table.table import Table
from . import CardsEvent, ErrorEvent, NoChange, PlayerEvent, RulesEvent, Scored

#: The ruling on a player who can reckon nothing in this deal.
RECKONS_NOTHING: Final = "reckons-nothing"


@frozen
class Erred(ErrorEvent):
    """A player commits an irregularity; the table stores its previous state."""

    def change(self, table: Table) -> None:
        before = table.copy()
        table.referee.errors.append(self.error)
        table.referee.before[self.error] = before


@frozen
class LedInstead(PlayerEvent):
    """A player leads out of turn; the declarations of the trick's winner then belong to the past."""

    def change(self, table: Table) -> None:
        table.leader = self.seat
        table.combinations_since_trick = table.sevens_since_trick = 0


@frozen
class Happened:
    """A mishap has occurred, in which the players have seen these cards."""

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
    """The irregularity has been ruled on and cannot be claimed again, though these players may still be found in it."""

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
    """Nobody has pointed out a finding, so there is no ruling on it."""


@frozen
class Ruled:
    """A player is ruled to do or suffer the action of this word, until it is done."""

    seat: Seat
    word: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.referee.ruled[self.seat].append(self.word)


@frozen
class ReckonsNothing(PlayerEvent):
    """A player loses the points of this deal, except those of a blank, and reckons no more in it."""

    def change(self, table: Table) -> None:
        made = table.made_of[self.seat]
        table.score[self.seat] -= sum(made.values()) - made[Cause.BLANK]
        table.referee.ruled[self.seat].append(RECKONS_NOTHING)
        if table.first_to_target == self.seat:
            table.first_to_target = None


@frozen
class NotReckoned:
    """A player who reckons nothing makes points: they bar the other player, but do not score."""

    made: Scored
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.made_of[self.made.seat][self.made.cause] += self.made.points


@frozen
class Unruled:
    """A player has carried out a ruling."""

    seat: Seat
    word: str
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.referee.ruled[self.seat].remove(self.word)


@frozen
class Miscounted:
    """A player has a greater or smaller surplus of cards over the rules than before. With the right number, an
    irregularity already ruled on may become a new finding."""

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
    """A player receives the cards missing from the hand, from the top of the stock."""

    def change(self, table: Table) -> None:
        del table.stock[len(table.stock) - len(self.cards) :]
        table.hands[self.seat] += self.cards
        table.referee.surplus[self.seat] += len(self.cards)


@frozen
class SurplusReturned(CardsEvent):
    """A player's surplus cards go under the stock."""

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
    """A card is taken back with all cards played after it: everything is as before, except for rulings and cards seen
    since. What a ruling on scores has decided since remains."""

    def change(self, table: Table) -> None:
        seen, ruled, left = table.seen, table.referee.ruled, table.referee.errors
        decided = table.called, table.scored, table.made_of
        table.restore(table.referee.before[self.error])
        reckoned = [reckoned_so_far(table, Seat(seat)) for seat in range(table.players)]
        since = [RECKONS_NOTHING in each for each in ruled] != [RECKONS_NOTHING in each for each in table.referee.ruled]
        table.seen, table.referee.ruled = seen, ruled
        table.referee.errors = [error for error in table.referee.errors if error in left]
        if since and self.error.cards:
            _keep_the_classes(table, *decided)
        for seat, points in enumerate(reckoned):
            table.score[table.rules.side_of[seat]] += reckoned_so_far(table, Seat(seat)) - points


def reckoned_so_far(table: Table, seat: Seat) -> int:
    """Return the points of this deal in a player's score: all that are made, or only a blank."""
    made = table.made_of[seat]
    return made[Cause.BLANK] if RECKONS_NOTHING in table.referee.ruled[seat] else sum(made.values())


def _keep_the_classes(
    table: Table, called: Called, scored: list[list[Combination]], made_of: list[dict[str, int]]
) -> None:
    """Let the classes be decided and scored as they were, though the cards are those of an earlier position."""
    table.called, table.scored = called, scored
    for made, was in zip(table.made_of, made_of, strict=True):
        made.update({class_: was[class_] for class_ in CLASSES})


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
    """A lead out of turn has been taken up: the rightful leader leads, and scores since the trick again count as made
    since it."""

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
    """Return the cards of the trick in progress and of all hands, the first player's before the others'; none after the
    deal, since cards left in a hand then are not played."""
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
    """A player is shown cards; those in the player's own hand reveal nothing new."""

    def change(self, table: Table) -> None:
        table.seen[self.seat].update(set(self.cards).difference(table.hands[self.seat]))


@frozen
class PutBack:
    """Cards that a player has drawn go back to the top of the stock, the first of them on top, or the turn-up to its
    place. The player has seen them, and this many of the cards seen before remain."""

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
    """A player gets a card that another has drawn and seen, in place of drawing one."""

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
    """A player may choose between the cards of the next draws, as long as seen cards are left in the stock."""

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
    """Everybody has drawn, in whatever order."""

    def change(self, table: Table) -> None:
        table.referee.drawn_early = [False for _ in table.referee.drawn_early]


@frozen
class DrawAgain(PlayerEvent):
    """A card drawn out of turn has been put back, and its player has yet to draw."""

    def change(self, table: Table) -> None:
        table.referee.drawn_early[self.seat] = False


@frozen
class LeftUndrawn:
    """The cards too few for another round are not drawn."""

    cards: tuple[Card, ...]
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.referee.undrawn = list(self.cards)
        table.stock, table.turn_up = [], None


@frozen
class Unscored:
    """A score for an invalid combination is taken off; some of its cards are taken up again, and another combination
    may be scored in its place."""

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
    """A scored combination that is invalid does not count for the re-use of its cards."""

    seat: Seat
    combination: Combination
    grounds: Grounds = ()

    def change(self, table: Table) -> None:
        table.scored[table.rules.side_of[self.seat]].remove(self.combination)


@frozen
class ScoreStands(NoChange):
    """The score for an invalid combination can no longer be taken off."""

    seat: Seat
    meld: str
    grounds: Grounds = ()


@frozen
class CardLeftOver(CardsEvent):
    """The last cards of a hand are won without a card against them."""

    def change(self, table: Table) -> None:
        table.hands[self.seat] = []
        table.won[self.seat] += self.cards
