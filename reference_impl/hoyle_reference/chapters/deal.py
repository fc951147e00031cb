"""The cut for the deal, dealing in packets, and the card turned up for trumps.

Implements SEMANTICS.md, cut-1 to cut-4, deal-1 to deal-8 and seat-3.
"""

from collections.abc import Iterator
from typing import Any, Final

from ..acts import Choose, Cut, Deal
from ..cards import SEVEN, Card, name, rank_of, strengths, suit_of
from ..cells import Cells, Rule, cell, equals, word, words
from ..events import CardsCut, DealerFound, Dealt, Event, Scored, TurnedUp, awaits
from ..frozen import frozen
from ..refusals import Grounds, Malformed, Refusal
from ..seats import Seat, after, ring
from ..table.states import Phase
from ..table.table import Table
from . import settle, triple_scores
from .chapter import CHOOSE, Chapter, Move, Offer, Procedure, make_offer
from .players import PlayerRules

#: The choices of the winner of the cut, if the rule gives a choice.
DEALS: Final = "deals"
LEAVES_IT: Final = "leaves-the-deal"


def read_strengths(value: Any) -> tuple[int, ...]:
    """Return a strength for each rank, from the words of a cell, highest first."""
    return strengths(words(value))


@frozen
class DealRules:
    """The rules for winning, making and passing on the deal. `rank_in_cutting` is a strength for each rank; `packets`
    are the ways to deal, each a size for every packet of a hand; a seven turned up has a score (points)."""

    a_card_is_turned_up: Rule[bool]
    declarations_make_trumps: Rule[bool]
    seven_turned_up: Rule[int]
    rank_in_cutting: Rule[tuple[int, ...]] = cell("cards.rank_in_cutting", read_strengths)
    highest_cut_wins: Rule[bool] = cell("deal.cut_won_by", equals("highest-card"))
    equal_cuts: Rule[str] = cell("deal.equal_cuts", word)
    cut_winner_chooses: Rule[bool] = cell("deal.cut_winner", equals("chooses"))
    packets: Rule[tuple[tuple[int, ...], ...]] = cell("deal.packets", lambda ways: tuple(map(tuple, ways)))
    packets_bind: Rule[str] = cell("deal.packets_kept", word, otherwise="")
    names: Rule[bool] = cell("deal.names", bool, otherwise=False)
    next_dealer: Rule[str] = cell("deal.next_dealer", word, otherwise="")
    dealer_is_served_first: Rule[bool] = cell("deal.first_packet_to", equals("dealer"))
    dealer_leads: Rule[bool] = cell("tricks.first_lead", equals("dealer"))

    @property
    def hand_size(self) -> int:
        """The number of cards dealt to each player."""
        return sum(self.packets.value[0])


def read(cells: Cells) -> DealRules:
    """Compile the cells of this chapter."""
    trumps = cells.rule("deal.trumps_made_by", word)
    turned_up = trumps.value == "turn-up"
    return cells.compiled(
        DealRules,
        a_card_is_turned_up=Rule(turned_up, trumps.grounds),
        declarations_make_trumps=Rule(trumps.value == "declaration", trumps.grounds),
        seven_turned_up=triple_scores.of_a_seven(cells, "deal.seven_turned_up") if turned_up else Rule(0),
    )


def refuse_cut(table: Table, _act: Cut) -> Refusal | None:
    """Return why a cut is refused, or None: the players cut once, before the first deal (cells `deal.cut_won_by`,
    `deal.equal_cuts`)."""
    return None if table.phase is Phase.CUT else Refusal("not-now", _decided_by(table))


def _decided_by(table: Table) -> Grounds:
    """Return the cells that decide who wins a cut."""
    rules = table.rules.of(DealRules)
    return rules.highest_cut_wins.grounds + rules.rank_in_cutting.grounds


def sense_of_cut(table: Table, act: Cut) -> None:
    """Raise Malformed if the cut does not have one card of each player."""
    if len(act.cards) != table.players or len(set(act.cards)) != len(act.cards):
        raise Malformed("each player cuts one card, all different")


def cut(table: Table, act: Cut) -> Iterator[Event]:
    """Yield the cut and its result: the dealer, or the player who may choose the dealer; equal cards decide nothing."""
    rules = table.rules.of(DealRules)
    ranks = [rules.rank_in_cutting.value[rank_of(card)] for card in act.cards]
    best = max(ranks) if rules.highest_cut_wins.value else min(ranks)
    if ranks.count(best) > 1:
        yield CardsCut(act.cards, rules.equal_cuts.grounds)
        return
    winner = Seat(ranks.index(best))
    yield CardsCut(act.cards, _decided_by(table))
    if rules.cut_winner_chooses.value:
        yield from make_offer(WHO_DEALS, table, winner)
    else:
        yield from _dealer_found(table, winner)


def _dealer_found(table: Table, dealer: Seat) -> Iterator[Event]:
    yield DealerFound(dealer, table.rules.of(DealRules).cut_winner_chooses.grounds)
    yield awaits(Phase.DEAL, dealer)


def who_deals(table: Table, act: Choose) -> Iterator[Event]:
    """Yield the dealer chosen: the winner of the cut, or the next player."""
    return _dealer_found(table, act.by if act.choice == DEALS else after(act.by, table.players))


def _why_offered(table: Table) -> Grounds:
    return table.rules.of(DealRules).cut_winner_chooses.grounds


_WHO: Final = (DEALS, LEAVES_IT)
WHO_DEALS: Final = Offer(
    _WHO,
    _why_offered,
    who_deals,
    lambda table: () if table.is_dealt else _WHO,
    why_not=lambda table: _why_offered(table) if table.phase is Phase.DEAL and not table.deals else (),
)


def refuse_deal(table: Table, act: Deal) -> Refusal | None:
    """Return why a deal is refused, or None: the dealer deals, once there is one (cells `deal.cut_winner`,
    `deal.next_dealer`)."""
    rules = table.rules.of(DealRules)
    again = rules.next_dealer.grounds or table.rules.of(settle.SettleRules).game.grounds
    who = again if table.deals else rules.cut_winner_chooses.grounds
    if table.phase is not Phase.DEAL:
        return Refusal("not-now", who)
    return Refusal("not-your-turn", who) if act.by != table.dealer else _refuse_packets(table, act)


def _refuse_packets(table: Table, act: Deal) -> Refusal | None:
    """Return why packets of a size are refused, or None: it must be allowed, and stays where a choice binds (cell
    `deal.packets_kept`)."""
    rules = table.rules.of(DealRules)
    if act.packets is None:
        return None
    if act.packets not in {way[0] for way in rules.packets.value}:
        return Refusal("not-in-such-packets", rules.packets.grounds)
    of_dealer = [table.packets[act.by]]
    bound = {"all-dealers": table.packets, "each-dealer": of_dealer}.get(rules.packets_bind.value, [])
    agree = {None, act.packets}.issuperset(bound)
    return None if agree else Refusal("packets-were-chosen", rules.packets_bind.grounds)


def sense_of_deal(table: Table, act: Deal) -> None:
    """Raise Malformed if the deck is not the whole pack, or if the dealer chooses the packets and their size is
    missing."""
    if tuple(sorted(act.deck)) != table.rules.pack:
        raise Malformed(f"a deck holds each of the {len(table.rules.pack)} cards once")
    if act.packets is None and len(table.rules.of(DealRules).packets.value) > 1:
        raise Malformed("the dealer says in which packets the hands are dealt: 'packets'")


def deal(table: Table, act: Deal) -> Iterator[Event]:
    """Yield the deal: each player gets a hand, in packets; the next card may be turned up for trumps, and a seven then
    scores."""
    rules = table.rules.of(DealRules)
    order = order_of_the_deal(table, act.by, act.packets)
    hands: list[list[Card]] = [[] for _ in range(table.players)]
    for seat, card in zip(order, act.deck, strict=False):
        hands[seat].append(card)
    rest = act.deck[len(order) :]
    leader = act.by if rules.dealer_leads.value else after(act.by, table.players)
    packets = rules.packets.value[0][0] if act.packets is None else act.packets
    yield Dealt(tuple(map(tuple, hands)), tuple(reversed(rest)), leader, act.by, packets, _grounds(table))
    if rules.a_card_is_turned_up.value:
        turned, is_seven = rest[0], rank_of(rest[0]) == SEVEN
        yield TurnedUp(turned, suit_of(turned), is_seven, rules.a_card_is_turned_up.grounds)
        if is_seven:
            yield Scored(act.by, rules.seven_turned_up.value, "seven", rules.seven_turned_up.grounds)
    yield awaits(table.rules.of(Procedure).opens, leader)


def _grounds(table: Table) -> Grounds:
    """Return the cells behind the deal and the way it is made."""
    rules, players = table.rules.of(DealRules), table.rules.of(PlayerRules)
    return (
        *players.number.grounds,
        *players.packs.grounds,
        *rules.packets.grounds,
        *rules.dealer_is_served_first.grounds,
        *rules.names.grounds,
        *players.partners.grounds,
        *(rules.packets_bind.grounds if any(table.packets) else ()),
        *(() if rules.a_card_is_turned_up.value else rules.a_card_is_turned_up.grounds),
        *settle.of_deals(table),
    )


def order_of_the_deal(table: Table, dealer: Seat, packets: int | None) -> tuple[Seat, ...]:
    """Return the player who is dealt each card of the pack, top card first, in packets of this size."""
    rules = table.rules.of(DealRules)
    sizes = next(way for way in rules.packets.value if packets in {None, way[0]})
    first = dealer if rules.dealer_is_served_first.value else after(dealer, table.players)
    return tuple(seat for size in sizes for seat in ring(first, table.players) for _ in range(size))


def next_dealer(table: Table) -> Seat:
    """Return who deals after this deal (cell `deal.next_dealer`); None in a game of one deal."""
    assert table.dealer is not None, "a deal has been dealt"
    return table.elder if table.rules.of(DealRules).next_dealer.value else table.dealer


def sense(table: Table) -> None:
    """Raise Malformed if the packets of a deal have a size that is not allowed, or the card turned up does not make
    trumps."""
    allowed = [way[0] for way in table.rules.of(DealRules).packets.value]
    for size in table.packets:
        if size is not None and size not in allowed:
            raise Malformed(f"packets hold {' or '.join(map(str, allowed))} cards, not {size}")
    turned, makes_trumps = table.turn_up, table.rules.of(DealRules).a_card_is_turned_up.value
    if turned is not None and not (makes_trumps and table.trumps == suit_of(turned)):
        raise Malformed(f"the turn-up {name(turned)} does not make trumps here")


CHAPTER: Chapter = Chapter(
    "deal",
    read,
    (
        Move(Cut, refuse_cut, cut, sense=sense_of_cut),
        CHOOSE,
        Move(Deal, refuse_deal, deal, sense=sense_of_deal),
    ),
    always=True,
    offers=(WHO_DEALS,),
    sense=sense,
)
