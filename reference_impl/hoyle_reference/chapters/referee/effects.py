"""The effects of remedies: a closed vocabulary, each a function of the table and the error ruled on.

Implements SEMANTICS-PENALTIES.md, choice-5, effect-1 to effect-20 and effect-24.
"""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from ...cards import Card
from ...events import DealEnded, Event, GameReopened, GameVoid, GameWon, HeapTakenUp, LastTrickWon, Scored, awaits
from ...events import referee as happened
from ...refusals import Grounds
from ...seats import Seat, after, ring
from ...table.states import BlankState, Cause, Combination, Error, Phase
from ...table.table import Table
from .. import carte_blanche, score
from ..calling import class_scores
from ..declare.declarations import DeclareRules
from ..score import ScoreRules, brisque_points
from ..settle import SettleRules
from . import findings, rows
from .rows import Effect, RefereeRules

Does = Callable[[Table, Error, Effect, Grounds, tuple[Card, ...]], Iterator[Event]]


def _others(table: Table, seat: Seat) -> list[Seat]:
    """Return one player of every other side, the one who sits next first."""
    first: dict[Seat, Seat] = {}
    for each in ring(after(seat, table.players), table.players):
        first.setdefault(table.rules.side_of[each], each)
    return [each for side, each in first.items() if side != table.rules.side_of[seat]]


def _add(table: Table, error: Error, effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    for seat in _others(table, error.seat):
        yield _penalty(table, seat, effect.points, why)


def _deduct(table: Table, error: Error, effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    yield _penalty(table, error.seat, -effect.points, why)


def _penalty(table: Table, seat: Seat, points: int, why: Grounds) -> Scored:
    times = table.rules.of(RefereeRules).times
    return Scored(seat, times.value * points, "penalty", why + times.grounds)


def _forfeit(table: Table, error: Error, effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    """Yield the loss of a side's tricks without drawing, to the next player or to the opponent who claims them, with
    the points marked for them; the play is over. A game won by these tricks is no longer won."""
    seat, to = error.seat, after(error.seat, table.players)
    side, claimant = table.rules.side(seat), effect.claimant
    if effect.word == rows.FORFEITS_TO_THE_CLAIMANT and claimant is not None and claimant not in side:
        to = claimant
    unplayed = happened.still_to_be_played(table, to)
    over, before = not unplayed, table.referee.before.get(error)
    # The deal has ended, and not the game before its end, if it is the next dealer's turn to deal.
    ended = over and (table.game_won_by is None or (before is not None and before.dealer != table.dealer))
    if table.game_won_by is not None:
        yield from _reopen(table, table.game_won_by, why, counting=over and not ended, ended=ended)
    lost = sum(brisque_points(table, happened.of_the_last_tricks(table, each)) for each in side)
    won_the_last = over and table.last_trick_won_by in side
    yield happened.TricksForfeited(seat, to, why)
    if table.rules.of(ScoreRules).as_won.value or ended:
        yield from _marked(seat, -lost, why)
        yield from _marked(to, lost + brisque_points(table, unplayed), why)
    scoring = table.rules.of(ScoreRules)
    last, ends_the_drawing = scoring.last_trick, scoring.last_trick_ends_the_drawing.value
    if not ends_the_drawing and (won_the_last or not over):
        yield LastTrickWon(to, why)
        yield from _marked(seat, -last.value if over else 0, why + last.grounds, "last-trick")
        yield from _marked(to, last.value, why + last.grounds, "last-trick")
    if not ended:
        yield from score.ends(table)


def _reopen(table: Table, winner: Seat, why: Grounds, *, counting: bool, ended: bool) -> Iterator[Event]:
    """Yield the reopening of a game. If it was won as brisques were counted, the count is undone, the winner's first;
    after the end of a deal the next deal is due."""
    order, at_the_end = score.order_of_the_count(table), table.rules.of(ScoreRules).at_the_end.value
    counted_so_far = order[: order.index(winner) + 1] if counting and at_the_end else ()
    yield GameReopened(why + table.rules.of(RefereeRules).game_falls_with_the_tricks.grounds)
    for seat in reversed(counted_so_far):
        yield from _marked(seat, -brisque_points(table, table.won[seat]), why)
    if ended:
        assert table.dealer is not None, "a deal has ended"
        yield awaits(Phase.DEAL, table.dealer)


def _marked(seat: Seat, points: int, why: Grounds, what: str = "brisques") -> Iterator[Event]:
    if points:
        yield Scored(seat, points, what, why, Cause.TRICKS)


def _fresh_deal(table: Table, _error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    """Yield a fresh deal by the same player; the points scored since the deal may be taken off."""
    assert table.dealer is not None, "a deal has a dealer"
    rules = table.rules.of(RefereeRules)
    taken_off = rules.fresh_deal_takes_points_off
    for seat in ring(Seat(0), table.players) if taken_off.value else ():
        points = table.score[seat] if rules.game_is_one_deal else happened.reckoned_so_far(table, seat)
        if points:
            yield Scored(seat, -points, "fresh-deal", why + taken_off.grounds)
    why += taken_off.grounds
    yield happened.DealCancelled(table.dealer, why)
    yield awaits(Phase.DEAL, table.dealer)


def _reckon_nothing(table: Table, error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    """Yield the loss of the points of the deal, after a miscall with what the other player may reckon; a tie of the
    game after this deal is decided again."""
    if not rows.is_ruled(table, error.seat, happened.RECKONS_NOTHING):
        yield happened.ReckonsNothing(error.seat, why)
    if error.meld:
        yield from class_scores.after_a_miscall(table, error, why)
    if table.phase is Phase.DEAL and table.deals == table.rules.of(SettleRules).least_deals.value:
        assert table.dealer is not None, "a deal has ended"
        yield GameReopened(why)
        yield DealEnded(table.dealer, why)


def _complete(table: Table, error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    for seat in ring(error.seat, table.players):
        missing = -table.referee.surplus[seat]
        if missing > 0:
            yield happened.HandCompleted(seat, tuple(reversed(table.stock[len(table.stock) - missing :])), why)


def _return_surplus(_table: Table, error: Error, _effect: Effect, why: Grounds, cards: Any) -> Iterator[Event]:
    yield happened.SurplusReturned(error.seat, cards, why)


def _take_back(table: Table, error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    """Yield the card as taken back with all cards played after it; a lead to which nobody has played, and
    which has scored nothing, is taken back alone; by the correction of a call that call is taken back."""
    call = None if error in table.referee.before else findings.call_to_correct(table, error.seat)
    if call is not None:
        yield happened.TakenBack(call, why)
    elif table.trick == list(error.cards) and not table.rules.of(ScoreRules).lead.value:
        before = table.referee.before[error]
        yield happened.CardTakenUp(error.seat, why)
        yield happened.LeadRestored(error, why)
        yield awaits(before.phase, before.turn)
    else:
        yield happened.TakenBack(error, why)


def _take_up(_table: Table, error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    yield happened.CardTakenUp(error.seat, why)
    yield awaits(Phase.PLAY, error.seat)


def _take_up_the_heap(table: Table, error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    stays = table.rules.of(RefereeRules).heap_stays_taken_up
    yield HeapTakenUp(after(error.seat, table.players), why + stays.grounds, stays.value)


def _void(table: Table, _error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    yield GameVoid(why)
    yield awaits(Phase.OVER, table.turn)


def _lose(table: Table, error: Error, effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    """Yield the game as won by the other side, settled for the points of the effect if it has any."""
    yield GameWon(table.rules.side_of[after(error.seat, table.players)], effect.points or None, why)
    yield awaits(Phase.OVER, table.turn)


def _unscore(table: Table, error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    """Yield the score as taken off. Its cards stay on the table, or are taken up again except those that lie there for
    another combination."""
    points = table.rules.of(DeclareRules).melds.by_id[error.meld].points
    rules, side = table.rules.of(RefereeRules), table.rules.side_of[error.seat]
    another, stay = rules.another_after_one_taken_off, rules.cards_stay_after_one_taken_off
    false = Combination(error.meld, error.cards)
    others = [*table.scored[side], *table.kept[side]]
    if false in others:
        others.remove(false)
    lying = set(error.cards) if stay.value else {card for each in others for card in each.cards}
    taken_up = tuple(card for card in error.cards if card not in lying)
    yield happened.Unscored(error.seat, false, taken_up, another.value, why + stay.grounds + another.grounds)
    yield Scored(error.seat, -points, error.meld, why)


def _put_back(table: Table, error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    """Yield the return of all cards except the one that was due; a card drawn out of turn is itself returned, and is
    then due again. A returned card counts as not drawn."""
    early, before = len(error.cards) == 1, table.referee.before[error]
    kept, back = ((), error.cards) if early else (error.cards[:1], error.cards[1:])
    yield happened.PutBack(error.seat, back, before.turn_up, max(0, before.referee.seen_ahead - len(kept)), why)
    if before.blanks[error.seat] in {BlankState.SCORED, BlankState.DRAWN}:
        yield from carte_blanche.by_putting_back(table, before, error.seat, back, kept)
    yield happened.DrawAgain(error.seat, why) if early else rows.miscount(table, error.seat, -len(back), why)


def _last_trick_stands(table: Table, _error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    for seat in ring(Seat(0), table.players):
        if rows.is_ruled(table, seat, rows.LAST_TRICK_LOST):
            yield happened.Unruled(seat, rows.LAST_TRICK_LOST, why)


def _show(which: slice) -> Does:
    """Return the effect that shows some of the cards lifted to the other sides."""

    def show(table: Table, error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
        for seat in _others(table, error.seat):
            yield happened.ShownTo(seat, error.cards[which], why)

    return show


def _show_both(table: Table, error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    for seat in ring(error.seat, table.players):
        yield happened.ShownTo(seat, error.cards, why)


def _choose_next(table: Table, error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
    """Yield the right to choose the next cards; deeper cards that the same player has already seen still count."""
    chooser, seen = _others(table, error.seat)[0], len(error.cards) - 1
    before = table.referee.seen_ahead if chooser == table.referee.chooser else 0
    yield happened.NextDrawChosen(chooser, max(seen, before), why)


def _hand_over(index: int) -> Does:
    """Return the effect that gives the first or the second of the cards lifted to the other player, in
    place of a draw."""

    def hand_over(table: Table, error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
        to = after(error.seat, table.players)
        if to not in table.still_to_draw:  # this player has already drawn, out of turn
            yield rows.miscount(table, to, 1, why)
        yield happened.HandedOver(error.seat, to, error.cards[index], why)
        yield rows.miscount(table, error.seat, -1, why)
        yield happened.DrewEarly(to, why)

    return hand_over


def _rule(word: str) -> Does:
    """Return the effect by which a player is ruled to do or suffer something."""

    def rule(_table: Table, error: Error, _effect: Effect, why: Grounds, _cards: object) -> Iterator[Event]:
        yield happened.Ruled(error.seat, word, why)

    return rule


#: The effects of remedies, by the word for each.
EFFECTS: Final[Mapping[str, Does]] = MappingProxyType(
    {
        "add-to-the-other": _add,
        "deduct-from-the-offender": _deduct,
        rows.FORFEITS: _forfeit,
        rows.FORFEITS_TO_THE_CLAIMANT: _forfeit,
        "deal-again": _fresh_deal,
        "complete-the-hand": _complete,
        "return-the-surplus": _return_surplus,
        rows.LAST_TRICK_STANDS: _last_trick_stands,
        "take-back": _take_back,
        "take-up-the-card": _take_up,
        "take-up-the-heap": _take_up_the_heap,
        rows.VOIDED: _void,
        "lose-the-game": _lose,
        happened.RECKONS_NOTHING: _reckon_nothing,
        "take-off-the-score": _unscore,
        "put-back": _put_back,
        "show-the-card-drawn": _show(slice(1)),
        "show-the-card-lifted": _show(slice(1, None)),
        "show-both-cards": _show_both,
        rows.OTHER_CHOOSES: _choose_next,
        "hand-over-the-first": _hand_over(0),
        "hand-over-the-second": _hand_over(1),
        **{
            word: _rule(word)
            for word in (
                rows.RUBICONED,
                rows.LAST_TRICK_LOST,
                rows.LAST_TRICK_UNSCORED,
                rows.SHOWS_NEXT_CARD,
                rows.CARDS_ARE_FACED,
            )
        },
    }
)
