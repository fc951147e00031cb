"""Tricks: who leads, which cards may be played, and who wins.

There are two sets of duties: for the tricks after which the players draw, and for those after which nobody draws.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from . import score
from .acts import Play
from .cards import Card, Suit, strengths, suit_of
from .cells import Cells
from .events import Event, Played, TrickWon
from .refusals import Grounds, Violation
from .seats import Seat
from .table import Phase, Table

FIRST_LEAD: Final[Grounds] = ("tricks.first_lead",)
IN_TURN: Final[Grounds] = ("tricks.cards",)
NEXT_LEAD: Final[Grounds] = ("tricks.next_lead",)
DRAW_FIRST: Final[Grounds] = ("draw.when",)
IDENTICAL: Final[Grounds] = ("tricks.identical_cards_won_by",)
TRUMPED: Final[Grounds] = ("tricks.trumps",)
SUIT_LED: Final[Grounds] = ("tricks.won_by",)
_BEFORE_THE_PLAY: Final = frozenset({Phase.EXCHANGE, Phase.ANNOUNCE})


@dataclass(frozen=True, slots=True)
class Duties:
    """What a player must do when not leading; `free` if nothing. `strength` is one number for each rank, and the
    grounds name the cells."""

    strength: tuple[int, ...]
    must_follow: bool
    must_win: bool
    must_trump: bool
    free: bool
    follow: Grounds
    win: Grounds
    trump: Grounds
    ranked: Grounds


@dataclass(frozen=True, slots=True)
class TrickRules:
    """How tricks are played and won."""

    while_drawing: Duties
    without_drawing: Duties
    first_of_identical_wins: bool
    trumps_win: bool
    #: Why a card of another suit does not win where there are no trumps.
    no_trumps: Grounds
    #: Why a card that lies open may be played, where cards lie open.
    lying_open: Grounds


def read(cells: Cells) -> TrickRules:
    """The rules of this chapter, from the table."""
    return TrickRules(
        while_drawing=_duties(cells, "while_drawing" if "draw.when" in cells else "without_drawing"),
        without_drawing=_duties(cells, "without_drawing"),
        first_of_identical_wins="tricks.identical_cards_won_by" in cells
        and cells.word("tricks.identical_cards_won_by") == "first-played",
        trumps_win="tricks.trumps" in cells and cells.word("tricks.trumps") == "beat-other-suits",
        no_trumps=() if cells.word("deal.trumps_made_by") == "turn-up" else ("deal.trumps_made_by",),
        lying_open=("declare.declared_cards",) if "declare.declared_cards" in cells else (),
    )


def _duties(cells: Cells, when: str) -> Duties:
    def must(duty: str) -> bool:
        path = f"tricks.{when}.{duty}"
        return path in cells and cells.word(path) == "must"

    rank = f"cards.rank_{when}"
    return Duties(
        strength=strengths(cells.words(rank)),
        must_follow=must("follow_suit"),
        must_win=must("win"),
        must_trump=must("trump"),
        free=not any(map(must, ("follow_suit", "win", "trump"))),
        follow=(f"tricks.{when}.follow_suit",),
        win=(f"tricks.{when}.win",),
        trump=(f"tricks.{when}.trump",),
        ranked=("tricks.won_by", rank),
    )


def duties(table: Table) -> Duties:
    """The duties of the trick in progress."""
    return table.rules.tricks.while_drawing if table.drawing else table.rules.tricks.without_drawing


def winner(table: Table, cards: Sequence[Card]) -> tuple[int, Grounds]:
    """Which of the cards, in the order played, wins the trick (an index), and why.

    A trump beats the other suits; otherwise the highest card of the suit led wins, and of identical cards the one that
    the table says (cells `tricks.*`, `cards.rank_*`).
    """
    rules, now, trumps = table.rules.tricks, duties(table), table.trumps
    best, why = 0, SUIT_LED
    for index in range(1, len(cards)):
        new, old = cards[index], cards[best]
        if suit_of(new) == suit_of(old):
            higher = now.strength[new & 7] - now.strength[old & 7]
            if higher == 0:
                why = IDENTICAL
                best = best if rules.first_of_identical_wins else index
            else:
                why = now.ranked
                best = index if higher > 0 else best
        elif suit_of(new) == trumps and rules.trumps_win:
            best, why = index, TRUMPED
        else:
            why += rules.no_trumps if trumps is None else ()
    return best, why


def may_play(table: Table, act: Play) -> Violation | None:
    """A card is played by the player whose turn it is, from the hand, and as the duties of the trick allow."""
    if table.phase is not Phase.PLAY:
        return not_in_the_play(table)
    grounds = IN_TURN if table.trick else _lead_grounds(table)
    if act.by != table.turn:
        return Violation("not-your-turn", grounds)
    if act.card not in table.hands[act.by]:
        return Violation("card-not-held", IN_TURN)
    return _not_so(table, act)


def _not_so(table: Table, act: Play) -> Violation | None:
    """Why a card of the hand may not be played to this trick."""
    if not table.trick or (suit_of(act.card) == suit_of(table.trick[0]) and not duties(table).must_win):
        return None  # always allowed, and most cards are played so
    allowed, refusal = playable(table, act.by)
    if act.card in allowed:
        return None
    held = map(suit_of, table.hands[act.by])
    if suit_of(act.card) != suit_of(table.trick[0]) and suit_of(table.trick[0]) in held:
        return Violation("must-follow-suit", duties(table).follow)
    return refusal


def not_in_the_play(table: Table) -> Violation:
    """Why no card is played now."""
    if table.phase in {Phase.DECLARE, Phase.DRAW}:
        return Violation("draw-first", DRAW_FIRST)
    return Violation("not-now", FIRST_LEAD if table.phase in _BEFORE_THE_PLAY else ())


def playable(table: Table, seat: Seat) -> tuple[list[Card], Violation | None]:
    """The cards of the hand that may be played to the trick, and what is wrong with the others."""
    hand, rules = table.hands[seat], duties(table)
    if not table.trick or rules.free:
        return hand, None
    suit = suit_of(table.trick[0])
    of_suit = [card for card in hand if suit_of(card) == suit]
    winning = [card for card in of_suit if _beats(table, card)] if rules.must_win else []
    if winning:
        return winning, Violation("must-win", rules.follow + rules.win)
    if of_suit:
        return (of_suit, Violation("must-follow-suit", rules.follow)) if rules.must_follow else (hand, None)
    trumps = [card for card in hand if suit_of(card) == table.trumps] if rules.must_trump else []
    higher = [card for card in trumps if _beats(table, card)] if rules.must_win and _is_trumped(table) else []
    if higher:
        return higher, Violation("must-overtrump", rules.trump + rules.win)
    return (trumps, Violation("must-trump", rules.trump)) if trumps else (hand, None)


def _is_trumped(table: Table) -> bool:
    """Whether a trump lies in a trick of another suit, which only more than two players can meet."""
    return any(suit_of(card) == table.trumps for card in table.trick[1:])


def _beats(table: Table, card: Card) -> bool:
    return winner(table, (*table.trick, card))[0] == len(table.trick)


def choices_to_play(table: Table) -> list[Play]:
    """Every card that may be played."""
    plays = table.rules.plays[table.turn]
    return [plays[card] for card in playable(table, table.turn)[0]]


def play(table: Table, act: Play) -> Iterator[Event]:
    """The card goes to the trick; the last one decides who wins it and what its cards and the last trick count."""
    why = IN_TURN + _liberties(table, act.card) if table.trick else _lead_grounds(table)
    if act.card in table.shown[act.by]:
        why += table.rules.tricks.lying_open
    yield Played(act.by, act.card, why)
    for follows in table.rules.on_play:
        yield from follows(table, act.by, act.card)
    if len(table.trick) < table.players:
        return
    best, why = winner(table, table.trick)
    leader = table.turn  # after the last card the turn is back with the leader
    taker = Seat((leader + best) % table.players)
    yield TrickWon(taker, tuple(table.trick), why)
    yield from score.after_trick(table, taker, leader)


def _lead_grounds(table: Table) -> Grounds:
    return NEXT_LEAD if any(table.won) else FIRST_LEAD


def liberties_of(table: Table, seat: Seat) -> Grounds:
    """Which freedoms leave the player's choice as wide as it is; to a lead, those of leading."""
    if not table.trick:
        return _lead_grounds(table)
    taken = {path for card in playable(table, seat)[0] for path in _liberties(table, card)}
    return tuple(sorted(taken)) or IN_TURN


def _liberties(table: Table, card: Card) -> Grounds:
    """Which freedoms the player of this card makes use of: the cells without which it would be refused, or forced."""
    rules, led, hand = duties(table), table.trick[0], table.hands[table.turn]
    suits = [suit_of(held) for held in hand]
    if suit_of(card) != suit_of(led):
        if suit_of(led) in suits:
            return rules.follow + (rules.trump if suit_of(card) == table.trumps else ())
        return rules.trump if table.trumps in suits else rules.follow if rules.must_follow else ()
    lost_on_purpose = (
        suits.count(suit_of(led)) > 1 and not _beats(table, card) and _could_win(table, hand, suit_of(led))
    )
    return rules.win if lost_on_purpose else ()


def _could_win(table: Table, hand: Sequence[Card], suit: Suit) -> bool:
    return any(suit_of(held) == suit and _beats(table, held) for held in hand)
