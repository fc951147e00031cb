"""The scores for tricks, for counting cards in them, for the last trick, and for winning most or all tricks.

A table has only the parts of this chapter that occur in its game.

Implements SEMANTICS.md, score-1 to score-8; SEMANTICS-PIQUET.md, count-2 to count-4 and count-6.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..acts import Counted
from ..cards import RANKS, Card, rank_of, read_rank
from ..cells import Cells, Rule, cell, equals, number, word, words
from ..events import DOUBLED, BroughtNothing, DealEnded, Event, LastTrickWon, NobodyScores, Scored, awaits
from ..events.referee import CardLeftOver, reckoned_so_far
from ..frozen import frozen
from ..refusals import Grounds
from ..seats import Seat, after, ring
from ..table.states import Cause, Phase
from ..table.table import Table
from . import settle, triple_scores
from .chapter import Chapter, Follows, Procedure, Ruling
from .deal import DealRules, next_dealer
from .referee.rows import LAST_TRICK_LOST, LAST_TRICK_UNSCORED, due_by_the_hand, is_ruled, why_ruled

#: The bonuses for most of the tricks, and for all of them.
CARDS: Final = "cards"
CAPOT: Final = "capot"
#: The setting by which cards to which nobody can play score like tricks that are led.
SCORING_TRICKS: Final = "are-tricks"


@frozen
class ScoreRules:
    """The scores for tricks (points; 0 for those that the game does not have). `counting` gives, for each rank, the
    points of a card for the trick's winner, `as_won` or `at_the_end`."""

    counting: Rule[tuple[int, ...]]
    as_won: Rule[bool]
    at_the_end: Rule[bool]
    last_trick: Rule[int]
    cards: Rule[int]
    cards_when_certain: Rule[bool]
    lead: Rule[int] = cell("score.lead", number, otherwise=0)
    capture: Rule[int] = cell("score.capture", number, otherwise=0)
    counting_ranks: Rule[tuple[str, ...]] = cell("score.counting_ranks", words, otherwise=tuple(RANKS))
    trick: Rule[int] = cell("score.trick", number, otherwise=0)
    one_by_one: Rule[bool] = cell("score.brisques.two_in_a_trick", equals("one-by-one"), otherwise=False)
    in_the_last_tricks: Rule[bool] = cell("score.brisques.in_the_last_tricks", bool, otherwise=False)
    counted_first: Rule[bool] = cell("score.brisques.counted_first_by", bool, otherwise=False)
    last_trick_ends_the_drawing: Rule[bool] = cell("score.last_trick.which", equals("last-before-the-stock-is-gone"))
    capot: Rule[int] = cell("score.capot.points", number, otherwise=0)
    with_capot: Rule[str] = cell("score.capot.and_cards", word, otherwise="")
    unplayed_to: Rule[str] = cell("tricks.unplayed_to", word, otherwise="")

    @property
    def cards_beside_capot(self) -> bool:
        """Whether a player who wins every trick also scores the cards."""
        return self.with_capot.value != "capot-alone"


def read(cells: Cells) -> ScoreRules:
    """Compile the cells of this chapter."""
    when, cards = "score.brisques.when", cells.rule_if_any("score.cards.points", number, otherwise=0)
    when_certain = cells.rule_if_any("score.cards.when", equals("when-certain"), otherwise=False)
    return cells.compiled(
        ScoreRules,
        counting=_counting(cells),
        as_won=cells.rule_if_any(when, equals("as-won"), otherwise=True),
        at_the_end=cells.rule_if_any(when, equals("end-of-deal"), otherwise=False),
        last_trick=triple_scores.in_tricks(cells, "score.last_trick.points"),
        cards=Rule(cards.value, cards.grounds + cells.grounds("score.cards.for") + when_certain.grounds),
        cards_when_certain=when_certain,
    )


def _counting(cells: Cells) -> Rule[tuple[int, ...]]:
    none: tuple[str, ...] = ()
    ranks = cells.rule_if_any("score.brisques.ranks", words, otherwise=none)
    points = triple_scores.in_tricks(cells, "score.brisques.points")
    counting = [0] * 8
    for rank in ranks.value:
        counting[read_rank(rank)] = points.value
    return Rule(tuple(counting), ranks.grounds + points.grounds)


def brisque_points(table: Table, cards: Iterable[Card]) -> int:
    """Return the points that cards count for the player who has won them in tricks (cells `score.brisques.*`)."""
    counting = table.rules.of(ScoreRules).counting.value
    return sum(counting[rank_of(card)] for card in cards)


def for_leading(table: Table, seat: Seat, card: Card) -> Iterable[Event]:
    """Return the score of leading to a trick (cell `score.lead`)."""
    return _for_card(table, seat, table.rules.of(ScoreRules).lead, "lead", card) if len(table.trick) == 1 else ()


def _for_card(table: Table, seat: Seat, points: Rule[int], what: str, card: Card) -> Iterable[Event]:
    """Return the score of leading or capturing with a card, if it counts (cell `score.counting_ranks`)."""
    counting = table.rules.of(ScoreRules).counting_ranks
    if RANKS[rank_of(card)] not in counting.value:
        return (NobodyScores("this-card", counting.grounds),)
    return _for_tricks(table, seat, points, what, counting.grounds)


def _for_tricks(table: Table, seat: Seat, points: Rule[int], what: str, more: Grounds = ()) -> Iterator[Event]:
    """Yield points for tricks, and their consequences; nothing if there are none."""
    if not points.value:
        return
    cause = Cause.BONUS if what in {CARDS, CAPOT} else Cause.TRICKS
    yield Scored(seat, points.value, what, points.grounds + more, cause)
    for follows in table.rules.of(Procedure).on_trick_points:
        yield from follows(table, seat, points.value, what)


def after_trick(table: Table, taker: Seat, leader: Seat) -> Iterator[Event]:
    """Yield the score of the trick just taken; after the last of them, the count at the end of the deal."""
    rules, over = table.rules.of(ScoreRules), not all(table.hands)
    is_last = _ends_the_drawing(table) if rules.last_trick_ends_the_drawing.value else over
    if rules.trick.value:
        yield from _for_tricks(table, taker, rules.trick, "trick")
    if rules.capture.value and taker != leader:
        yield from _for_card(table, taker, rules.capture, "capture", table.won[taker][-table.players :][taker - leader])
    yield from _for_cards(table, taker, is_last=is_last)
    alone = _who_plays_alone(table) if over and rules.unplayed_to.value == SCORING_TRICKS else None
    if alone is not None:
        yield from _alone(table, alone)
    elif is_last:
        yield from _last_trick(table, taker)
    if rules.cards_when_certain.value:
        yield from _cards_when_certain(table, taker)
    if over:
        yield from ends(table)


def _who_plays_alone(table: Table) -> Seat | None:
    """Return the player whose cards left are tricks, since another with too few cards has none to play to them (cell
    `tricks.unplayed_to`)."""
    short = any(more < 0 and not hand for more, hand in zip(table.referee.surplus, table.hands, strict=True))
    if not short or not table.rules.of(ScoreRules).unplayed_to.value:
        return None
    return next((seat for seat in ring(Seat(0), table.players) if table.hands[seat]), None)


def _alone(table: Table, seat: Seat) -> Iterator[Event]:
    """Yield the score of a player's cards to which nobody can play: each as a lead, the last as the last trick."""
    rules = table.rules.of(ScoreRules)
    lead = Rule(rules.lead.value, rules.lead.grounds + rules.unplayed_to.grounds)
    for card in table.hands[seat]:
        yield from _for_card(table, seat, lead, "lead", card)
    yield from _last_trick(table, seat)


def _ends_the_drawing(table: Table) -> bool:
    """Whether the trick just taken is the last before the end of the stock.

    The draws after it take all the cards left, and no earlier trick has counted as the last (a player may have missed
    the last draw).
    """
    due = sum(due_by_the_hand(table, seat)[0] for seat in ring(Seat(0), table.players))
    return table.drawing and table.last_trick_won_by is None and due >= table.left_to_draw


def _last_trick(table: Table, taker: Seat) -> Iterator[Event]:
    """Yield the score of the last trick for its winner, or for another player if the winner has been
    ruled to lose it."""
    rules = table.rules.of(ScoreRules)
    which = rules.last_trick_ends_the_drawing.grounds
    seats = ring(taker, table.players)
    if any(is_ruled(table, seat, LAST_TRICK_UNSCORED) for seat in seats):
        yield NobodyScores("last-trick", which + why_ruled(table, LAST_TRICK_UNSCORED))
        return
    loser = next((seat for seat in seats if is_ruled(table, seat, LAST_TRICK_LOST)), None)
    if loser is not None:
        taker, which = after(loser, table.players), which + why_ruled(table, LAST_TRICK_LOST)
    yield LastTrickWon(taker, which)
    if loser is not None and table.hands[taker]:
        yield CardLeftOver(taker, tuple(table.hands[taker]), which)
    capot_instead = rules.capot.value and rules.with_capot.value == "instead-of-the-last-trick"
    if not (capot_instead and _tricks_of(table, taker) == table.rules.of(DealRules).hand_size):
        yield from _for_tricks(table, taker, rules.last_trick, "last-trick", which + _in_the_last_tricks(table))


def _in_the_last_tricks(table: Table) -> Grounds:
    """Return the cells by which cards still count in the tricks after which nobody draws."""
    return () if table.drawing else table.rules.of(ScoreRules).in_the_last_tricks.grounds


def _for_cards(table: Table, taker: Seat, *, is_last: bool) -> Iterator[Event]:
    """Yield the score of the cards in the trick just taken, if they count as they are won."""
    rules = table.rules.of(ScoreRules)
    each = list(filter(None, (rules.counting.value[rank_of(card)] for card in table.won[taker][-table.players :])))
    points = sum(each)
    if rules.as_won.value and points:
        why = rules.counting.grounds + rules.as_won.grounds + _in_the_last_tricks(table)
        why += rules.one_by_one.grounds if len(each) > 1 else ()
        for marked in each if rules.one_by_one.value else [points]:
            yield Scored(taker, marked, "brisques", why, Cause.TRICKS)
    elif rules.trick.grounds and not rules.trick.value and not is_last:
        yield BroughtNothing(taker, rules.as_won.grounds if points else rules.trick.grounds)


def ends(table: Table) -> Iterator[Event]:
    """Yield the end of the deal, and the next player's turn to deal."""
    yield from _count_at_the_end(table)
    yield from _count_again(table)
    dealer, why = next_dealer(table), table.rules.of(DealRules).next_dealer.grounds + settle.of_deals(table)
    yield DealEnded(dealer, why or table.rules.of(settle.SettleRules).game.grounds)
    yield awaits(Phase.DEAL, dealer)


def _count_at_the_end(table: Table) -> Iterator[Event]:
    rules = table.rules.of(ScoreRules)
    if rules.cards.value or rules.capot.value:
        yield from _cards_or_capot(table)
    if not rules.at_the_end.value:
        return
    for seat in order_of_the_count(table):
        if points := brisque_points(table, table.won[seat]):
            why = rules.counting.grounds + rules.at_the_end.grounds + rules.counted_first.grounds
            yield Scored(seat, points, "brisques", why, Cause.TRICKS)


def _count_again(table: Table) -> Iterator[Event]:
    """Yield each player's points of the deal once more, if the deal counts double (cell `settle.doubled_deals`)."""
    doubled = table.rules.of(settle.SettleRules).doubled_deals
    for seat in ring(Seat(0), table.players) if table.deals in doubled.value else ():
        if points := reckoned_so_far(table, seat):
            yield Scored(seat, points, DOUBLED, doubled.grounds)


def order_of_the_count(table: Table) -> tuple[Seat, ...]:
    """Return the order in which the players count their tricks at the end of the deal."""
    first = table.leader if table.last_trick_won_by is None else table.last_trick_won_by
    return ring(first, table.players)


def _cards_or_capot(table: Table) -> Iterator[Event]:
    """Yield the bonus for winning most of the tricks, or all of them (cells `score.cards.*`, `score.capot.*`)."""
    rules, all_tricks = table.rules.of(ScoreRules), table.rules.of(DealRules).hand_size
    seat = max(ring(Seat(0), table.players), key=lambda seat: _tricks_of(table, seat))
    won, why = _tricks_of(table, seat), rules.unplayed_to.grounds if any(table.hands) else ()
    capot, both = bool(rules.capot.value) and won >= all_tricks, rules.cards_beside_capot
    if capot:
        yield from _for_tricks(table, seat, rules.capot, CAPOT, rules.with_capot.grounds + why)
    if rules.cards.value and 2 * won <= all_tricks:
        yield NobodyScores(CARDS, rules.cards.grounds + why)
    elif rules.cards.value and (both or not capot) and not rules.cards_when_certain.value:
        yield from _for_tricks(table, seat, rules.cards, CARDS, why + (rules.with_capot.grounds if capot else ()))


def _tricks_of(table: Table, seat: Seat) -> int:
    """Return the number of tricks that a player has won in this deal, with those to which nobody could play."""
    alone = not all(table.hands) and seat == _who_plays_alone(table)
    return len(table.won[seat]) // table.players + (len(table.hands[seat]) if alone else 0)


def _cards_when_certain(table: Table, taker: Seat) -> Iterator[Event]:
    """Yield the bonus for most of the tricks, if it is scored as soon as it is certain, and the trick just taken makes
    it so."""
    before = [_tricks_of(table, seat) - (seat == taker) for seat in ring(Seat(0), table.players)]
    seat = certain_of_the_cards(table)
    if seat is not None and _certain_with(table, before) is None:
        yield from _for_tricks(table, seat, table.rules.of(ScoreRules).cards, CARDS)


def certain_of_the_cards(table: Table) -> Seat | None:
    """Return the player who is certain of the bonus for most of the tricks, if it is scored as soon as
    it is certain."""
    return _certain_with(table, [len(cards) // table.players for cards in table.won])


def _certain_with(table: Table, won: Sequence[int]) -> Seat | None:
    """Return the player who is certain of that bonus with this many tricks won: more than half of them, once capot can
    no longer replace it."""
    rules, seat = table.rules.of(ScoreRules), Seat(won.index(max(won)))
    if not rules.cards_when_certain.value or 2 * won[seat] <= table.rules.of(DealRules).hand_size:
        return None
    capot_alone = bool(rules.capot.value) and not rules.cards_beside_capot
    return seat if not capot_alone or won[seat] < sum(won) else None


def what_cards_count(table: Table, question: Counted) -> Ruling:
    """Return the points of cards for the player who has won them."""
    rules = table.rules.of(ScoreRules)
    return Ruling(brisque_points(table, question.cards), rules.counting.grounds or rules.trick.grounds)


CHAPTER: Chapter = Chapter(
    "score",
    read,
    always=True,
    follows=lambda rules: Follows(on_play=for_leading if rules.lead.grounds else None),
    fields=lambda rules: ("last_trick_won_by",) if rules.at_the_end.value else (),
)
