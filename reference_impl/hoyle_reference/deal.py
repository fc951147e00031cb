"""The deal: cutting for it, dealing in packets, and the card turned up for trumps."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from .acts import Choose, Cut, Deal
from .cards import Card, Rank, rank_of, read_rank, strengths, suit_of
from .cells import Cells
from .events import CardsCut, DealerFound, Dealt, Event, Offered, Scored, TurnedUp
from .refusals import Grounds, Violation
from .seats import Seat, after, ring
from .table import Phase, Table

CUT_DECIDED: Final[Grounds] = ("deal.cut_won_by", "cards.rank_in_cutting")
CUT_EQUAL: Final[Grounds] = ("deal.equal_cuts",)
CUT_WINNER: Final[Grounds] = ("deal.cut_winner",)
DEALT: Final[Grounds] = ("players.number", "cards.packs", "deal.packets", "deal.first_packet_to")
TRUMPS_MADE: Final[Grounds] = ("deal.trumps_made_by",)
SEVEN_TURNED: Final[Grounds] = ("deal.seven_turned_up",)
NEXT_DEALER: Final[Grounds] = ("deal.next_dealer",)

#: What the winner of the cut may choose, where the rule gives a choice.
DEALS: Final = "deals"
LEAVES_IT: Final = "leaves-the-deal"
SEVEN: Final[Rank] = read_rank("7")


@dataclass(frozen=True, slots=True)
class DealRules:
    """How the deal is won, made and passed on. `rank_in_cutting` is a strength for each rank."""

    rank_in_cutting: tuple[int, ...]
    highest_cut_wins: bool
    cut_winner_chooses: bool
    packets: tuple[int, ...]
    dealer_is_served_first: bool
    a_card_is_turned_up: bool
    seven_turned_up: int
    dealer_leads: bool

    @property
    def hand_size(self) -> int:
        """How many cards each player is dealt."""
        return sum(self.packets)


def read(cells: Cells) -> DealRules:
    """The rules of this chapter, from the table."""
    turned_up = cells.word("deal.trumps_made_by") == "turn-up"
    return DealRules(
        rank_in_cutting=strengths(cells.words("cards.rank_in_cutting")),
        highest_cut_wins=cells.word("deal.cut_won_by") == "highest-card",
        cut_winner_chooses=cells.word("deal.cut_winner") == "chooses",
        packets=tuple(cells["deal.packets"].value[0]),
        dealer_is_served_first=cells.word("deal.first_packet_to") == "dealer",
        a_card_is_turned_up=turned_up,
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


def may_choose(table: Table, act: Choose) -> Violation | None:
    """A choice is made by the player to whom it is offered, from the options offered."""
    if table.phase is not Phase.CHOOSE:
        return Violation("not-now", CUT_WINNER if table.phase is Phase.DEAL and not table.deals else ())
    if act.by != table.turn:
        return Violation("not-your-turn", CUT_WINNER)
    return None if act.option in table.options else Violation("not-an-option", CUT_WINNER)


def choose(table: Table, act: Choose) -> Iterator[Event]:
    """Whoever won the cut deals, or leaves the deal to the next player."""
    dealer = act.by if act.option == DEALS else after(act.by, table.players)
    yield DealerFound(dealer, CUT_WINNER)


def choices_to_choose(table: Table) -> Iterator[Choose]:
    """Every option offered."""
    for option in table.options:
        yield Choose(table.turn, option)


def may_deal(table: Table, act: Deal) -> Violation | None:
    """The dealer deals, once it is settled who that is (cells `deal.cut_winner`, `deal.next_dealer`)."""
    if table.phase is not Phase.DEAL:
        return Violation("not-now", NEXT_DEALER if table.deals else CUT_WINNER)
    return None if act.by == table.dealer else Violation("not-your-turn", NEXT_DEALER if table.deals else CUT_WINNER)


def deal(table: Table, act: Deal) -> Iterator[Event]:
    """Each player gets a hand, in packets; the next card may be turned up to make trumps, and a seven then scores."""
    rules = table.rules.deal
    other = after(act.by, table.players)
    hands, rest = _dealt(
        act.deck, rules.packets, ring(act.by if rules.dealer_is_served_first else other, table.players)
    )
    yield Dealt(hands, tuple(reversed(rest)), act.by if rules.dealer_leads else other, DEALT)
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
