"""Irregular acts, mishaps, claims, and the choice of a remedy (chapter `referee`).

Implements SEMANTICS-PENALTIES.md, irregular-5 to irregular-11, mishap-1, mishap-2, claim-3, claim-4, ruling-1,
choice-1 to choice-4 and penalty-state-6.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from ...acts import Act, Announce, Answer, Choose, Claim, Declare, Discard, Draw, Irregular, Mishap, Play, word_of
from ...acts import Ruling as AskedRuling
from ...cards import Card, suit_of
from ...events import Event, Offered, awaits
from ...events import referee as happened
from ...events.referee import RECKONS_NOTHING
from ...refusals import Grounds, Malformed, Refusal
from ...seats import Seat, after
from ...table import states
from ...table.states import Error, Phase
from ...table.table import Table
from .. import draw
from ..calling import announcements
from ..chapter import Ask, Chapter, Follows, Move, Offer, Procedure, Ruling
from ..declare import declarations
from ..declare.declarations import DeclareRules
from ..talon import discards_first, is_asked
from . import findings
from .effects import EFFECTS
from .rows import VOIDED, Irregularity, RefereeRules, Remedy, read


def _rules(table: Table) -> RefereeRules:
    return table.rules.of(RefereeRules)


# Irregular acts


def sense_of_irregular(table: Table, act: Irregular) -> None:
    """Raise Malformed if no act causes the irregularity, or the act is not one of this game."""
    if not _rules(table).row(act.irregularity).breaks:
        raise Malformed(f"'{act.irregularity}' does not arise by an act")
    move = table.rules.of(Procedure).moves.get(type(act.act))
    if move is None or isinstance(act.act, (Irregular, Mishap, Claim, Choose)):
        raise Malformed("an act of the game is irregular, and no other")
    if move.sense is not None:
        move.sense(table, act.act)


def refuse_irregular(table: Table, act: Irregular) -> Refusal | None:
    """Refuse an irregular act unless the ordinary rules refuse it for a reason that this row's `breaks` lists."""
    row = _rules(table).row(act.irregularity)
    refused = table.rules.of(Procedure).moves[type(act.act)].refuse(table, act.act)
    if refused is None:
        return Refusal("nothing-irregular", row.grounds)
    if refused.code not in row.breaks:
        return refused
    if isinstance(act.act, Play) and act.act.card not in table.hands[act.by]:
        return Refusal("card-not-held", row.grounds)
    second = _rules(table).false_score_after_another_is_refused
    if second.value and isinstance(act.act, Declare) and declarations.scored_since_trick(table):
        return Refusal("one-score-a-trick", second.grounds)
    count = act.act.count if isinstance(act.act, Draw) else None
    is_it = row.by_act in {"", word_of(type(act.act))} and row.is_of(count) and _is_of(table, row, act.by)
    is_it = is_it and row.class_ in {"", _error(table, act).meld}
    fits = is_it and _can_be(table, row, act.act)
    return None if fits else Refusal("another-irregularity", row.grounds)


def _can_be(table: Table, row: Irregularity, act: Act) -> bool:
    """Whether the act is possible at a card table. Cards to be drawn must be there, be yet to be drawn, and leave a
    hand with too many cards if that is the irregularity; a player who puts cards away must be about to take others; a
    play out of turn must be a lead; and a call must be one that the hand allowed with the cards put away."""
    if isinstance(act, Draw):
        in_turn = act.by == table.turn or (act.count == 1 and act.by in table.still_to_draw)
        too_many = row.finds != "holds-too-many" or table.referee.surplus[act.by] + act.count > 1
        return in_turn and act.count <= table.left_to_draw and too_many
    if isinstance(act, Discard):
        return not is_asked(table) and bool(act.cards or not discards_first(table))
    if isinstance(act, (Announce, Answer)):
        before = table.copy()
        before.hands[act.by] += before.discards[act.by]
        return table.rules.of(Procedure).moves[type(act)].refuse(before, act) is None
    return not isinstance(act, Play) or act.by == table.turn or not table.trick


def _is_of(table: Table, row: Irregularity, seat: Seat) -> bool:
    match row.of:
        case "trick-winner":
            return seat == table.leader
        case "trick-loser":
            return seat != table.leader
        case "dealer":
            return seat == table.dealer
        case "non-dealer":
            return seat != table.dealer
        case _:
            return True


def err(table: Table, act: Irregular) -> Iterator[Event]:
    """Yield the usual consequences of the act. A false score may count as none (cell `referee.cards_of_a_false_score`).
    A ruling follows if the row does not wait for a claim."""
    rules = _rules(table)
    row, error = rules.row(act.irregularity), _error(table, act)
    yield happened.Erred(error, row.grounds + _why_scored(table, act.act))
    at_once = row.until == "at-once"
    if isinstance(act.act, Draw) and at_once:
        yield happened.DrewEarly(act.by, row.grounds)
        yield from draw.takes(table, act.act)
        yield from _rule_on(table, row, error)
        return
    if isinstance(act.act, Play) and not table.trick:
        yield happened.LedInstead(act.by, row.grounds)
    if isinstance(act.act, Draw) and act.by != table.turn:
        yield happened.DrewEarly(act.by, row.grounds)
    yield from table.rules.of(Procedure).moves[type(act.act)].follow(table, act.act)
    as_none = rules.false_score_counts_as_none
    if isinstance(act.act, Declare) and as_none.value:
        combination = states.Combination(act.act.meld, act.act.cards)
        yield happened.CountsAsNone(act.by, combination, as_none.grounds)
    if at_once:
        yield from _rule_on(table, row, error)


def _why_scored(table: Table, act: Act) -> Grounds:
    """Return the cells by which a false score is marked and counts; none for any other act."""
    if not isinstance(act, Declare):
        return ()
    rules, second = _rules(table), declarations.scored_since_trick(table)
    counts = rules.false_score_counts_as_none.grounds
    return counts + (rules.false_score_after_another_is_refused.grounds if second else ())


def _error(table: Table, act: Irregular) -> Error:
    cards: tuple[Card, ...] = ()
    meld, inner = "", act.act
    if isinstance(inner, Draw):
        cards = table.next_cards(inner.count)
    elif isinstance(inner, Play):
        cards = (inner.card,)
    elif isinstance(inner, (Announce, Answer)):
        meld = inner.class_ if isinstance(inner, Announce) else announcements.class_being_called(table)
    elif isinstance(inner, Declare):
        cards, meld = inner.cards, inner.meld
    return Error(act.by, act.irregularity, findings.tricks_won(table), table.left_to_draw, cards, meld)


# Mishaps


#: The phases in which no cards have been dealt or all have been played, or a choice is open.
_NO_MISHAPS: Final = frozenset({Phase.CUT, Phase.DEAL, Phase.CHOOSE})


def sense_of_mishap(table: Table, act: Mishap) -> None:
    """Raise Malformed if the irregularity is not a mishap."""
    row = _rules(table).row(act.irregularity)
    if not row.happens or row.beyond_play:
        raise Malformed(f"'{act.irregularity}' does not just happen in play")
    if row.takes_up and len(table.trick) == 1 and table.referee.before_the_lead is None:
        raise Malformed("the table as it was before this card was led is not known")
    call = findings.call_to_correct(table, act.by) if row.corrects else None
    if call is not None and call not in table.referee.before:
        raise Malformed("the table as it was before this call is not known")


def refuse_mishap(table: Table, act: Mishap) -> Refusal | None:
    """Return why a mishap is refused, or None: it may happen to any player while there are cards dealt; nothing is
    ruled on while an offer is open, or after its time."""
    row = _rules(table).row(act.irregularity)
    if table.phase in _NO_MISHAPS:
        return Refusal("not-now", row.grounds)
    if not findings.in_time(table, row, [_mishap(table, act)]):
        return Refusal("too-late-to-claim", row.grounds)
    is_it = _is_of(table, row, act.by) and _shows(table, row, act) and findings.has_begun(table, row.since)
    may_take_up = not row.takes_up or (table.have_played == (act.by,) and not findings.led_out_of_turn(table))
    may_correct = not row.corrects or findings.call_to_correct(table, act.by) is not None
    fits = is_it and may_take_up and may_correct
    return None if fits else Refusal("another-irregularity", row.grounds)


def _shows(table: Table, row: Irregularity, act: Mishap) -> bool:
    """Whether the cards shown, if any are named, are in the place that the row requires: the player's own hand, or at
    least one of them outside it."""
    own = set(act.cards) <= set(table.hands[act.by])
    match row.shown:
        case "own-cards":
            return own
        case "a-card-not-their-own":
            return not own or not act.cards
        case _:
            return True


def _mishap(table: Table, act: Mishap) -> Error:
    return Error(act.by, act.irregularity, findings.tricks_won(table), table.left_to_draw, act.cards)


def happen(table: Table, act: Mishap) -> Iterator[Event]:
    """Yield the mishap: players see the cards, and the ruling follows at once."""
    row, error = _rules(table).row(act.irregularity), _mishap(table, act)
    yield happened.Happened(act.by, act.irregularity, act.cards, row.grounds)
    yield from _rule_on(table, row, error)


# Claims


def sense_of_claim(table: Table, act: Claim) -> None:
    """Raise Malformed if there is no such irregularity, or the table does not store the state to be restored."""
    row = _rules(table).row(act.irregularity)
    if row.happens:
        raise Malformed(f"'{act.irregularity}' is ruled on when it happens")
    restores = not row.effect_words.isdisjoint({"take-back", "put-back", RECKONS_NOTHING})
    for error in table.referee.errors if restores else ():
        if error.irregularity == row.id and error not in table.referee.before:
            raise Malformed("the table as it was before this error is not known")


def refuse_claim(table: Table, act: Claim) -> Refusal | None:
    """Return why a claim is refused, or None: there must be such an irregularity, and still time; if a player chooses,
    that side must claim."""
    row = _rules(table).row(act.irregularity)
    if table.phase is Phase.CHOOSE:
        return Refusal("not-now", row.grounds)
    errors = findings.open_errors(table, row, act.by)
    if not errors:
        other = after(act.by, table.players)
        return Refusal("nothing-to-claim", row.grounds + findings.by_the_deal(table, row, other))
    timely = findings.in_time(table, row, errors)
    if not timely:
        return Refusal("too-late-to-claim", row.grounds + _why_it_is_timely(table, errors[0]))
    if not _is_of(table, row, timely[0].seat):
        return Refusal("another-irregularity", row.grounds)
    own = act.by in table.rules.side(timely[0].seat)
    return Refusal("not-yours-to-claim", row.grounds) if own and row.chooses == "other" else None


def may_come_after_the_game(table: Table, act: Claim) -> bool:
    """Whether a claim may be made after the end of the game (cell `referee.claims_after_the_deal`)."""
    after_too = _rules(table).claims_after_the_deal.value == "accepted-after-the-game-too"
    choice = len(_rules(table).row(act.irregularity).remedies) > 1
    return (after_too and not choice) or overturns_the_game(table, act)


def overturns_the_game(table: Table, act: Claim) -> bool:
    """Whether a claim may take back the tricks by which its player has won the game (cell
    `referee.game_won_by_forfeited_tricks`)."""
    rules, winner = _rules(table), table.game_won_by
    if winner is None or not rules.game_falls_with_the_tricks.value:
        return False
    side = table.rules.side(winner)
    of_the_winner = any(error.irregularity == act.irregularity and error.seat in side for error in table.referee.errors)
    return of_the_winner and rules.row(act.irregularity).forfeits


def claim(table: Table, act: Claim) -> Iterator[Event]:
    """Yield the ruling on a claim."""
    row = _rules(table).row(act.irregularity)
    error = findings.in_time(table, row, findings.open_errors(table, row, act.by))[0]
    why = findings.by_the_deal(table, row, error.seat) + _why_it_is_timely(table, error)
    yield from _rule_on(table, row, error, why, act.by)


def _why_it_is_timely(table: Table, error: Error) -> Grounds:
    """Return the cells that decide whether something may be claimed after the last trick, or after the same earlier
    error, if that is so now."""
    rules, another = _rules(table), bool(error.meld) and findings.after_one_that_stands(table, error)
    is_late = findings.after_the_deal(table) or table.phase is Phase.OVER
    late = rules.claims_after_the_deal.grounds if is_late else ()
    return late + (rules.false_scores_stand_together.grounds if another else ())


# Scores that stand


def scores_that_stand(table: Table, _seat: Seat, _card: Card) -> Iterator[Event]:
    """Yield the false first marriage or sequence that stands with a card of the next trick; if its cards are of one
    suit, it may then make trumps (cell `referee.false_score_that_stands`). Of several, only the first stands."""
    makes = _rules(table).false_score_makes_trumps
    if table.trumps is not None or len(table.trick) != 1 or not makes.grounds:
        return
    first = next(filter(partial(_may_stand, table), table.referee.errors), None)
    if first is not None:
        yield happened.ScoreStands(
            first.seat, first.meld, _rules(table).row(first.irregularity).grounds + makes.grounds
        )
        if makes.value:
            yield from declarations.makes_trumps(table, suit_of(first.cards[0]), makes.grounds)


def _may_stand(table: Table, error: Error) -> bool:
    """Whether a score would have made trumps if it had been valid, and can no longer be taken off."""
    melds, suits = table.rules.of(DeclareRules).melds.by_id, set(map(suit_of, error.cards))
    now = error.tricks == findings.tricks_won(table)
    return now and bool(error.meld) and melds[error.meld].makes_trumps and len(suits) == 1


# Hands that nobody points out


def by_playing(table: Table, seat: Seat, card: Card) -> Iterator[Event]:
    """Yield the false scores that stand with this card, and, with the last card of the deal, the rulings on hands."""
    yield from scores_that_stand(table, seat, card)
    if len(table.trick) == table.players and not all(table.hands):
        yield from rules_on_hands(table, seat)


def rules_on_hands(table: Table, seat: Seat) -> Iterator[Event]:
    """Yield the rulings on wrong numbers of cards that nobody has pointed out, if any (cell
    `referee.wrong_hand_not_pointed_out`)."""
    anyway = _rules(table).wrong_hand_is_ruled_on
    for row in _rules(table).rows.values() if anyway.grounds else ():
        for error in findings.open_errors(table, row, seat)[:1] if row.lasts else ():
            if not anyway.value:
                yield happened.PassedOver(error, row.grounds + anyway.grounds)
                continue
            yield happened.Settled(error, findings.ruled_together(table, row, error), row.grounds + anyway.grounds)
            for effect in row.effects:
                if effect.word == VOIDED:  # the deal is played to its end
                    yield happened.Ruled(error.seat, VOIDED, row.grounds + anyway.grounds)
                else:
                    yield from EFFECTS[effect.word](table, error, effect, row.grounds + anyway.grounds, ())


# Rulings


def _rule_on(
    table: Table, row: Irregularity, error: Error, more: Grounds = (), claimant: Seat | None = None
) -> Iterator[Event]:
    """Yield the remedies as carried out, or as offered to the player who chooses between them."""
    chooser, open_ = _chooser(table, row, error.seat), _open_remedies(table, row, error.seat)
    at_once = chooser is None or len(open_) == 1  # otherwise the claimant does not matter, and no position stores it
    pending = states.Claim(error, table.phase, table.turn, claimant=claimant if at_once else None)
    yield happened.Claimed(pending, row.grounds + more)
    for effect in row.at_first:
        yield from EFFECTS[effect.word](table, error, effect, row.grounds, ())
    if at_once:
        yield from _carry_out(table, row, open_, ())
    else:
        assert chooser is not None, "somebody chooses between remedies"
        yield Offered(chooser, tuple(remedy.choice for remedy in open_), row.grounds)
        yield awaits(Phase.CHOOSE, chooser)


def _chooser(table: Table, row: Irregularity, offender: Seat) -> Seat | None:
    """Return the player who chooses between the remedies, or None; if both must agree, the innocent player chooses
    first."""
    assert table.dealer is not None or row.chooses != "non-dealer", "there is a dealer by then"
    match row.chooses:
        case "other" | "both":
            return after(offender, table.players)
        case "non-dealer":
            return table.elder
        case _:
            return None


def _open_remedies(table: Table, row: Irregularity, offender: Seat) -> tuple[Remedy, ...]:
    return tuple(remedy for remedy in row.remedies if _is_met(table, remedy.only_if, offender))


def _is_met(table: Table, condition: str, offender: Seat) -> bool:
    match condition:
        case "non-dealer-has-not-looked":
            return table.dealer is not None and table.referee.untouched[table.elder]
        case "offender-has-not-looked":
            return table.referee.untouched[offender]
        case "offender-has-looked":
            return not table.referee.untouched[offender]
        case _:
            return True


def _carry_out(table: Table, row: Irregularity, chosen: tuple[Remedy, ...], cards: tuple[Card, ...]) -> Iterator[Event]:
    """Yield the effects of the chosen remedies; without one, the game continues where it was."""
    pending = table.referee.claim
    assert pending is not None, "what is ruled on has been claimed"
    drawn = row.by_drawing and pending.error in table.referee.errors  # and not found at the table
    yield happened.Settled(pending.error, findings.ruled_together(table, row, pending.error), row.grounds)
    yield awaits(pending.phase, pending.turn)
    for remedy in chosen:
        for effect in remedy.does:
            claimed = replace(effect, claimant=pending.claimant)
            yield from EFFECTS[effect.word](table, pending.error, claimed, row.grounds, cards)
    if drawn and row.until == "at-once":
        yield from draw.goes_on(table, Draw(pending.error.seat))


def choose_remedy(table: Table, act: Choose) -> Iterator[Event]:
    """Yield the effects of the remedy chosen; if both must agree, the other player is asked next."""
    pending = table.referee.claim
    assert pending is not None, "a remedy is chosen for what was claimed"
    row = _rules(table).row(pending.error.irregularity)
    open_ = _open_remedies(table, row, pending.error.seat)
    chosen = next(remedy for remedy in open_ if remedy.choice == act.choice)
    if row.chooses == "both" and chosen == open_[0] and not pending.agreed:
        other = after(act.by, table.players)
        yield happened.Claimed(replace(pending, agreed=True), row.grounds)
        yield Offered(other, tuple(remedy.choice for remedy in open_), row.grounds)
        yield awaits(Phase.CHOOSE, other)
    else:
        yield from _carry_out(table, row, (chosen,), act.cards)


def _why(table: Table) -> Grounds:
    pending = table.referee.claim
    return () if pending is None else _rules(table).row(pending.error.irregularity).grounds


def _surplus(table: Table) -> tuple[int, tuple[Card, ...]]:
    """Return how many cards too many the offender has, and the hand they are in."""
    pending = table.referee.claim
    assert pending is not None, "a remedy is chosen for what was claimed"
    seat = pending.error.seat
    return max(0, table.referee.surplus[seat]), tuple(table.hands[seat])


#: The words for choosing remedies.
CHOICES: Final = (
    "adds",
    "deducts",
    "deal-stands",
    "deals-again",
    "hand-is-completed",
    "surplus-is-drawn",
    "surplus-stays",
    "first-lifted",
    "second-lifted",
    "reckons-nothing",
    "is-forgiven",
    "discard-is-altered",
)
REMEDIES: Final = Offer(
    CHOICES,
    _why,
    choose_remedy,
    lambda table: CHOICES if table.referee.claim is not None else (),
    (("surplus-is-drawn", _surplus),),
)


def what_is_ruled(table: Table, question: AskedRuling) -> Ruling:
    """Return who chooses, between which remedies, and until when a claim is possible; None if the table has no rule on
    the irregularity, or this number of cards is correct."""
    row = _rules(table).rows.get(question.irregularity)
    if row is None or not row.is_of(question.count):
        return Ruling(None, () if row is None else row.grounds)
    choices = tuple(remedy.choice for remedy in _open_remedies(table, row, question.by))
    is_known = table.dealer is not None or row.chooses == "other"
    chooser = _chooser(table, row, question.by) if len(choices) > 1 and is_known else None
    return Ruling((row.chooses == "both", chooser, choices, row.until), row.grounds)


def sense(table: Table) -> None:
    """Raise Malformed if no act causes an error."""
    rules = _rules(table)
    for error in table.referee.errors:
        if not rules.row(error.irregularity).breaks:
            raise Malformed(f"'{error.irregularity}' does not arise by an act")


_FIELDS: Final = ("seen", "surplus", "untouched", "errors", "ruled", "drawn_early", "seen_ahead", "chooser", "undrawn")


def _fields(rules: RefereeRules) -> tuple[str, ...]:
    """Return the fields that a position holds. A claim is among them only in games with an offer; the winners of
    tricks, and the points of the deal by cause, only if they may be lost again."""
    rows = rules.rows.values()
    choice = ("claim",) if any(len(row.remedies) > 1 for row in rows) else ()
    tricks = ("last_tricks", "last_trick_won_by") if any(row.forfeits for row in rows) else ()
    points = ("made_of",) if rules.fresh_deal_takes_points_off.value and not rules.game_is_one_deal else ()
    return (*_FIELDS, *choice, *tricks, *points)


def _follows(rules: RefereeRules) -> Follows:
    """Return the consequences of playing a card and of missing a draw."""
    hands = rules.wrong_hand_is_ruled_on.grounds
    return Follows(
        on_play=by_playing if hands or rules.false_score_makes_trumps.grounds else None,
        on_missed_draw=rules_on_hands if hands else None,
    )


CHAPTER: Chapter = Chapter(
    "referee",
    read,
    (
        Move(Irregular, refuse_irregular, err, sense=sense_of_irregular),
        Move(Mishap, refuse_mishap, happen, sense=sense_of_mishap),
        Move(Claim, refuse_claim, claim, sense=sense_of_claim, when_over=may_come_after_the_game),
    ),
    (Ask(AskedRuling, what_is_ruled),),
    offers=(REMEDIES,),
    fields=_fields,
    sense=sense,
    follows=_follows,
)
