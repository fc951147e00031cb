"""Histories of a game with a stock: the deal is made so that every player has each card by the time it is needed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, product
from typing import Final

from hoyle_conformance.checks.preludes.follow import PreludeTarget
from hoyle_conformance.checks.setup.fill import least_important_first
from hoyle_conformance.checks.setup.given import read_seat
from hoyle_reference import Game, Phase, Table, rules_of
from hoyle_reference.acts import Act, CarteBlanche, Declare, Draw, Hold, Play, Show
from hoyle_reference.cards import SEVEN, Card, rank_of, suit_of
from hoyle_reference.questions import order_of_the_deal
from hoyle_reference.seats import Seat, ring
from hoyle_reference.table import BlankState
from preludes.declared import DeclaredInDeal, declared
from preludes.tricks import Budget, Frame, Left, Trick, tricks

#: So many tricks more than were needed to complete the position are tried, where their number is open.
MORE: Final = 8
#: So many tricks are tried for each number of tricks, and so many ways to play them gone on with.
_STEPS: Final = 400
_IN_ALL: Final = 2500
_EACH: Final = 3
#: Fewer points than are made by cards that count, if there are many tricks.
_FEW: Final = 300


def histories(sought: PreludeTarget) -> Iterator["DrawingHistory"]:
    """Yield ways in which the position could have come about, the shortest first."""
    table = sought.table
    total = _IN_ALL
    most = MORE if table.drawing and sought.stock_is_open and _any_pile_is_open(sought) else 0
    for extra in range(most + 1):
        for (told, free), turn_ups in product(_with_trumps(sought), _turn_ups(sought)):
            frame = replace(_frame(sought, extra, told), turn_ups=turn_ups)
            if frame.tricks > frame.drawn - (table.phase is Phase.PLAY) and table.drawing:
                return
            left, budget = _left(sought, told, free), Budget(min(_STEPS, total))
            for played in islice(tricks(frame, left, budget), _EACH):
                course = _course(sought, frame, played)
                if course is not None:
                    yield course
            total -= _STEPS - max(0, budget.steps)
            if total <= 0:
                return


def _any_pile_is_open(sought: PreludeTarget) -> bool:
    return any(sought.is_open("won", seat) for seat in sought.seats)


def _with_trumps(sought: PreludeTarget) -> Iterator[tuple[tuple[tuple[DeclaredInDeal, ...], ...], tuple[Card, ...]]]:
    """Yield what may have been declared, with the cards that matter to nobody.

    If a declaration makes trumps and no given declaration does, one that does is added for a side of which nothing is
    given.
    """
    table, rules = sought.table, sought.rules
    told, free = declared(sought), _free(sought)
    if rules.deal.a_card_is_turned_up.value or table.trumps is None:
        yield told, free
        return
    melds = rules.declare.melds
    for side, each in enumerate(told):
        for at, one in enumerate(each):
            meld = melds.by_id.get(one.meld)
            if meld and meld.makes_trumps and suit_of(one.cards[0]) == table.trumps and not one.kept:
                made = (*each[:at], replace(one, makes_trumps=True), *each[at + 1 :])
                yield (*told[:side], made, *told[side + 1 :]), free
                return
    given = {rules.side_of[read_seat(letter)] for letter in sought.given.get("scored", ())}
    for side, seats in enumerate(rules.sides):
        for maker in () if side in given else _makers(sought, free):
            first = DeclaredInDeal(seats[0], *maker, makes_trumps=True)
            rest = tuple(card for card in free if card not in first.cards)
            yield (*told[:side], (first, *told[side]), *told[side + 1 :]), rest


def _turn_ups(sought: PreludeTarget) -> Iterator[frozenset[Card]]:
    """Yield the cards that may have been turned up: first, if a second seven scores by itself, the sevens of trumps,
    since while one of them is turned up it is undisputed which is the second; then any trump."""
    trumps, rules = sought.table.trumps, sought.rules
    of_suit = frozenset(card for card in sought.rules.pack if suit_of(card) == trumps)
    if sought.table.turn_up is None and "seven" in rules.chapters and rules.seven.second_by_itself.value:
        yield frozenset(card for card in of_suit if rank_of(card) == SEVEN)
    yield of_suit


def _poor(sought: PreludeTarget) -> frozenset[Seat]:
    """Return the seats whose given points are so few that cards that count should be won by others."""
    score = sought.given.get("score", {})
    few = {read_seat(letter) for letter, points in score.items() if points < _FEW}
    return frozenset(seat for seat in sought.seats if sought.rules.side_of[seat] in few)


def _makers(sought: PreludeTarget, free: Sequence[Card]) -> Iterator[tuple[str, tuple[Card, ...]]]:
    """Yield combinations of cards that matter to nobody that would make the trumps."""
    melds, trumps = sought.rules.declare.melds, sought.table.trumps
    of_suit = {rank_of(card): card for card in free if suit_of(card) == trumps}
    for meld, cards in melds.held(sorted(of_suit.values()), None):
        if meld.makes_trumps:
            yield meld.id, cards
            return


def _free(sought: PreludeTarget) -> tuple[Card, ...]:
    """Return the cards won and in the stock that matter to nobody, the least important first."""
    table = sought.table
    there = {*chain.from_iterable(table.won), *table.stock} - sought.placed
    return tuple(card for card in least_important_first(table.rules.pack, table.trumps, 0) if card in there)


def _frame(sought: PreludeTarget, extra: int, told: tuple[tuple[DeclaredInDeal, ...], ...]) -> Frame:
    table, rules = sought.table, sought.rules
    rounds = (len(rules.pack) - len(table.referee.undrawn)) // table.players - rules.deal.hand_size
    count, last = sought.tricks + extra, rounds - (not rules.declare.before_the_last_draw.value)
    return Frame(
        rules,
        count,
        rounds,
        min(count - (table.phase is Phase.DECLARE), last),
        table.dealer if rules.deal.dealer_leads.value else table.elder,  # type: ignore[arg-type]
        table.leader,
        table.trumps,
        tuple(_held(sought, seat) for seat in sought.seats),
        {card: each.by for side in told for each in side for card in each.cards if card not in _all_held(sought)},
        frozenset(seat for seat in sought.seats if table.blanks[seat] is BlankState.SCORED),
        rules.carte_blanche.without.value if "carte_blanche" in rules.chapters else frozenset(),
        table.turn_up is None and rules.deal.a_card_is_turned_up.value,
        poor=_poor(sought),
    )


def _held(sought: PreludeTarget, seat: Seat) -> tuple[Card, ...]:
    """Return the hand of a player, with the card that is played to the trick."""
    table = sought.table
    order = ring(table.leader, table.players)
    at = order.index(seat)
    return (*table.hands[seat], *table.trick[at : at + 1])


def _all_held(sought: PreludeTarget) -> frozenset[Card]:
    return frozenset(chain.from_iterable(_held(sought, seat) for seat in sought.seats))


def _left(sought: PreludeTarget, told: tuple[tuple[DeclaredInDeal, ...], ...], free: tuple[Card, ...]) -> Left:
    table = sought.table
    maker = frozenset(
        card
        for side in told
        for each in side
        if each.makes_trumps
        for card in each.cards
        if card not in _all_held(sought)
    )
    won = [frozenset(pile) & sought.placed for pile in table.won]
    unplaced = maker.difference(*won)
    if unplaced:  # a combination of cards that matter to nobody: its player wins the tricks in which they go
        by = next(each.by for side in told for each in side if each.makes_trumps)
        pile = by if sought.is_open("won", by) else next((s for s in sought.seats if sought.is_open("won", s)), by)
        won[pile] |= unplaced
    return Left(
        tuple(won),
        tuple(None if sought.is_open("won", seat) else len(table.won[seat]) // table.players for seat in sought.seats),
        told,
        (0,) * len(sought.rules.sides),
        free,
        tuple(() for _ in sought.seats),
        table.trumps,
    )


class DrawingHistory:
    """A whole history: the deck that is dealt, the tricks, and all that is done between them."""

    def __init__(self, sought: PreludeTarget, frame: Frame, played: tuple[Trick, ...], deck: tuple[Card, ...]) -> None:
        self.sought, self.frame, self.played, self.deck = sought, frame, played, deck

    @property
    def tricks(self) -> int:
        """The number of complete tricks."""
        return len(self.played)

    def acts(self, game: Game) -> Iterator[Act]:
        """Yield the acts one by one; each must be carried out before the next is taken."""
        table, frame = self.sought.table, self.frame
        for seat in sorted(frame.blank):
            yield CarteBlanche(seat)
        for at, trick in enumerate(self.played, start=1):
            for seat in ring(trick.leader, table.players):
                yield Play(seat, trick.cards[seat])
            yield from map(_act, trick.declared)
            if game.table.phase is Phase.DECLARE and not (at == frame.tricks and table.phase is Phase.DECLARE):
                for seat in ring(trick.winner, table.players):
                    yield Draw(seat)
                    if game.table.blanks[seat] is BlankState.DRAWN:
                        yield CarteBlanche(seat)
        for seat, card in zip(ring(table.leader, table.players), table.trick, strict=False):
            yield Play(seat, card)


def _act(told: DeclaredInDeal) -> Act:
    if not told.meld:
        return Show(told.by, told.cards[0])
    return (Hold if told.kept else Declare)(told.by, told.meld, told.cards)


def _course(sought: PreludeTarget, frame: Frame, played: tuple[Trick, ...]) -> DrawingHistory | None:
    """Return the deal with which these tricks can be played, if each card can come in time."""
    table, size = sought.table, sought.rules.deal.hand_size
    needs = [_needs(frame, played, seat) for seat in sought.seats]
    order = [sorted(need, key=lambda card: (need[card], card)) for need in needs]
    if any(
        need[card] <= at for need, cards in zip(needs, order, strict=True) for at, card in enumerate(cards[size:], 1)
    ):
        return None
    drawn = [cards[size:] for cards in order]
    turned = table.turn_up
    rounds = len(drawn[0])
    if turned is None and sought.rules.deal.a_card_is_turned_up.value:
        last = ring(played[rounds - 1].winner, table.players)[-1]
        turned = _draw_last(drawn[last], needs[last], size, order[last], frame, rounds)
        if turned is None:
            return None
        drawn[last] = drawn[last][:-1]
    top = [
        drawn[seat][at]
        for at in range(rounds)
        for seat in ring(played[at].winner, table.players)
        if at < len(drawn[seat])
    ]
    stock = [*top, *_stock_then(sought, needs)]
    hands = tuple(tuple(cards[:size]) for cards in order)
    return DrawingHistory(sought, frame, played, deck(sought, hands, ([] if turned is None else [turned]) + stock))


def _needs(frame: Frame, played: Sequence[Trick], seat: Seat) -> dict[Card, int]:
    """Return every card that a player ever holds, and the trick by which that is."""
    needs = dict.fromkeys(frame.hands[seat], len(played) + 1)
    needs |= {trick.cards[seat]: at for at, trick in enumerate(played, 1)}
    for at, trick in enumerate(played, 1):
        for each in trick.declared:
            for card in each.cards:
                if card in needs:
                    needs[card] = min(at, needs[card])
    return needs


def _draw_last(
    drawn: list[Card], need: Mapping[Card, int], size: int, order: list[Card], frame: Frame, rounds: int
) -> Card | None:
    """Put the trump that was turned up into the last place, since it is drawn last of all."""
    fit = [card for card in order if card in frame.turn_ups and need[card] > rounds]
    fit.sort(key=lambda card: (card not in drawn, rank_of(card) == SEVEN, card))
    for card in fit:
        rest = sorted((each for each in order if each != card), key=lambda each: (need[each], each))
        if all(need[each] > at for at, each in enumerate(rest[size:], 1)):
            order[:] = [*rest, card]
            drawn[:] = order[size:]
            return card
    return None


def _stock_then(sought: PreludeTarget, needs: Sequence[Mapping[Card, int]]) -> list[Card]:
    """Return the stock of the position, top card first: the cards that nobody has held, the given ones in their
    places."""
    table = sought.table
    held = set().union(*needs)
    lying = [card for card in reversed(table.stock) if card not in held]
    more = [card for pile in table.won for card in pile if card not in held]
    given = sought.given.get("stock", ("...",))
    below = len(given) - given.index("...") - 1 if "..." in given else 0
    at = len(lying) - below
    return [*lying[:at], *more, *lying[at:], *reversed(table.referee.undrawn)]


def way_to_deal(then: Table) -> tuple[int, ...]:
    """Return the size of the packets in which a position was dealt: the dealer's, if given, or the other player's."""
    ways = rules_of(then).deal.packets.value
    told = [then.packets[seat] for seat in (then.dealer, then.elder) if seat is not None]
    return next((way for size in told for way in ways if way[0] == size), ways[0])


def deck(sought: PreludeTarget, hands: tuple[tuple[Card, ...], ...], rest: Sequence[Card]) -> tuple[Card, ...]:
    """Return the pack in the order in which these hands are dealt from it, and then the rest."""
    table = sought.table
    dealer = table.dealer
    assert dealer is not None, "a deal has been dealt"
    way = way_to_deal(table)
    left = [iter(hand) for hand in hands]
    return (*(next(left[seat]) for seat in order_of_the_deal(table, dealer, way[0])), *rest)
