"""The deal: cutting for it, dealing in packets, and the card turned up for trumps."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from . import settle
from .acts import Choose, Cut, Deal
from .cards import Card, Rank, rank_of, read_rank, strengths, suit_of
from .cells import Cells
from .events import CardsCut, DealerFound, Dealt, Event, Offered, Scored, TurnedUp
from .refusals import Grounds, Malformed, Violation
from .seats import Seat, after, ring
from .table import Phase, Table

CUT_DECIDED: Final[Grounds] = ("deal.cut_won_by", "cards.rank_in_cutting")
CUT_EQUAL: Final[Grounds] = ("deal.equal_cuts",)
CUT_WINNER: Final[Grounds] = ("deal.cut_winner",)
DEALT: Final[Grounds] = ("players.number", "cards.packs", "deal.packets", "deal.first_packet_to")
TRUMPS_MADE: Final[Grounds] = ("deal.trumps_made_by",)
SEVEN_TURNED: Final[Grounds] = ("deal.seven_turned_up",)
NEXT_DEALER: Final[Grounds] = ("deal.next_dealer",)
PACKETS: Final[Grounds] = ("deal.packets",)
NAMES: Final[Grounds] = ("deal.names",)
PARTNERS: Final[Grounds] = ("players.partners",)
PACKETS_KEPT: Final[Grounds] = ("deal.packets_kept",)

#: What the winner of the cut may choose, where the rule gives a choice.
DEALS: Final = "deals"
LEAVES_IT: Final = "leaves-the-deal"
SEVEN: Final[Rank] = read_rank("7")


@dataclass(frozen=True, slots=True)
class DealRules:
    """How the deal is won, made and passed on. `rank_in_cutting` is a strength for each rank; `packets` are the ways to
    deal, each a size for every packet of a hand."""

    rank_in_cutting: tuple[int, ...]
    highest_cut_wins: bool
    cut_winner_chooses: bool
    packets: tuple[tuple[int, ...], ...]
    packets_bind: str
    passes_on: Grounds
    names: Grounds
    opens: Phase
    dealer_is_served_first: bool
    a_card_is_turned_up: bool
    declarations_make_trumps: bool
    seven_turned_up: int
    dealer_leads: bool

    @property
    def hand_size(self) -> int:
        """How many cards each player is dealt."""
        return sum(self.packets[0])


def read(cells: Cells) -> DealRules:
    """The rules of this chapter, from the table."""
    turned_up = cells.word("deal.trumps_made_by") == "turn-up"
    return DealRules(
        rank_in_cutting=strengths(cells.words("cards.rank_in_cutting")),
        highest_cut_wins=cells.word("deal.cut_won_by") == "highest-card",
        cut_winner_chooses=cells.word("deal.cut_winner") == "chooses",
        packets=tuple(tuple(way) for way in cells["deal.packets"].value),
        names=tuple(path for path in (*NAMES, *PARTNERS) if path in cells),
        passes_on=NEXT_DEALER if NEXT_DEALER[0] in cells else (),
        packets_bind=cells.word("deal.packets_kept") if "deal.packets_kept" in cells else "",
        opens=Phase.EXCHANGE if "talon.first" in cells else Phase.PLAY,
        dealer_is_served_first=cells.word("deal.first_packet_to") == "dealer",
        a_card_is_turned_up=turned_up,
        declarations_make_trumps=cells.word("deal.trumps_made_by") == "declaration",
        seven_turned_up=cells.number("deal.seven_turned_up") if turned_up else 0,
        dealer_leads=cells.word("tricks.first_lead") == "dealer",
    )


def may_cut(table: Table, _act: Cut) -> Violation | None:
    """Players cut once, before the first deal (cells `deal.cut_won_by`, `deal.equal_cuts`)."""
    return None if table.phase is Phase.CUT else Violation("not-now", CUT_DECIDED)


def cut(table: Table, act: Cut) -> Iterator[Event]:
    """The cut decides who deals, or who may choose to; equal cards decide nothing."""
    rules = table.rules.deal
    ranks = [rules.rank_in_cutting[rank_of(card)] for card in act.cards]
    best = max(ranks) if rules.highest_cut_wins else min(ranks)
    if ranks.count(best) > 1:
        yield CardsCut(act.cards, CUT_EQUAL)
        return
    winner = Seat(ranks.index(best))
    yield CardsCut(act.cards, CUT_DECIDED)
    if rules.cut_winner_chooses:
        yield Offered(winner, (DEALS, LEAVES_IT), CUT_WINNER)
    else:
        yield DealerFound(winner, CUT_WINNER)


def who_deals(table: Table, act: Choose) -> Iterator[Event]:
    """Whoever won the cut deals, or leaves the deal to the next player."""
    dealer = act.by if act.option == DEALS else after(act.by, table.players)
    yield DealerFound(dealer, CUT_WINNER)


def may_deal(table: Table, act: Deal) -> Violation | None:
    """The dealer deals, once it is settled who that is (cells `deal.cut_winner`, `deal.next_dealer`)."""
    if table.phase is not Phase.DEAL:
        return Violation("not-now", table.rules.deal.passes_on if table.deals else CUT_WINNER)
    if act.by != table.dealer:
        return Violation("not-your-turn", table.rules.deal.passes_on if table.deals else CUT_WINNER)
    return _may_deal_so(table, act)


def _may_deal_so(table: Table, act: Deal) -> Violation | None:
    """The packets are of a size that is allowed, and stay so where a choice binds (cell `deal.packets_kept`)."""
    rules = table.rules.deal
    if act.packets is None:
        return None
    if act.packets not in {way[0] for way in rules.packets}:
        return Violation("not-in-such-packets", PACKETS)
    bound = {"all-dealers": table.packets, "each-dealer": [table.packets[act.by]]}.get(rules.packets_bind, [])
    return None if {None, act.packets}.issuperset(bound) else Violation("packets-were-chosen", PACKETS_KEPT)


def sense_of_packets(table: Table, act: Deal) -> None:
    """Raise Malformed where a dealer may choose the packets and does not say which."""
    if act.packets is None and len(table.rules.deal.packets) > 1:
        raise Malformed("the dealer says in which packets the hands are dealt: 'packets'")


def deal(table: Table, act: Deal) -> Iterator[Event]:
    """Each player gets a hand, in packets; the next card may be turned up to make trumps, and a seven then scores."""
    rules = table.rules.deal
    other = after(act.by, table.players)
    packets = next(way for way in rules.packets if act.packets in {None, way[0]})
    hands, rest = _dealt(act.deck, packets, ring(act.by if rules.dealer_is_served_first else other, table.players))
    leader = act.by if rules.dealer_leads else other
    kept = PACKETS_KEPT if rules.packets_bind and any(table.packets) else ()
    turned_up = () if rules.a_card_is_turned_up else TRUMPS_MADE
    grounds = DEALT + rules.names + kept + turned_up + settle.of_deals(table)
    yield Dealt(hands, tuple(reversed(rest)), leader, act.by, packets[0], rules.opens, grounds)
    if not rules.a_card_is_turned_up:
        return
    turned = rest[0]
    is_seven = rank_of(turned) == SEVEN
    yield TurnedUp(turned, suit_of(turned), is_seven, TRUMPS_MADE)
    if is_seven:
        yield Scored(act.by, rules.seven_turned_up, "seven", SEVEN_TURNED)


def _dealt(
    deck: tuple[Card, ...], packets: tuple[int, ...], served: tuple[Seat, ...]
) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]:
    hands: list[list[Card]] = [[] for _ in served]
    at = 0
    for size in packets:
        for seat in served:
            hands[seat] += deck[at : at + size]
            at += size
    return tuple(map(tuple, hands)), deck[at:]


def next_dealer(table: Table) -> Seat:
    """Who deals after this deal (cell `deal.next_dealer`)."""
    assert table.dealer is not None, "no deal ends before one has begun"
    return after(table.dealer, table.players)
