"""The scoring of classes: a player names a good combination with its very cards and scores it, which may make a
repique.

The declaration scores, not the answer "good" before it: only a combination that is named with its cards can be
checked, used up or left out, and nothing else can happen between the two.

Implements SEMANTICS-PIQUET.md, show-1 to show-6.
"""

from collections.abc import Iterator

from ...acts import POINT, Declare, Worth
from ...events import Event, Scored
from ...events.combinations import ClassGivenOver, Specified
from ...refusals import Grounds, Malformed, Refusal
from ...seats import Seat, after
from ...table.states import Cause, Combination, Error, Phase
from ...table.table import Table
from ..chapter import Ruling, trumps_of_question
from . import classes, reckoning
from .announcements import UNTOLD, class_of, held, key, most_cards
from .classes import ANY_OTHER, GOOD_AGAINST_THE_CARDS, IN_ANY_ORDER, ClassRules, Holding
from .reckoning import ReckoningRules, whole_hand


def refuse_declare(table: Table, act: Declare) -> Refusal | None:
    """Return why a combination may not be scored, or None: the winner of a class scores its best and lesser ones, each
    with its very cards, elder at once, younger after elder's lead (cells `classes.*`)."""
    rules = table.rules.of(ClassRules)
    kind = rules.by_id[act.meld]
    closed = not_the_moment(table, act.by, kind.class_)
    if closed is not None:
        return closed
    if not set(act.cards) <= set(whole_hand(table, act.by)):
        return Refusal("card-not-held", rules.specified.grounds)
    taken = _refuse_beside_the_others(table, act, kind.class_)
    if taken is not None:
        return taken
    holding = _as_held(table, act)
    if holding is None:
        return Refusal("not-a-combination", (kind.path, *rules.parts_too.grounds))
    return _refuse_out_of_place(table, act, holding)


def not_the_moment(table: Table, seat: Seat, class_: str) -> Refusal | None:
    """Return why a player may not score any combination of a class now, whatever the cards, or None."""
    rules, good_for = table.rules.of(ClassRules), table.good_for
    if table.phase not in {Phase.ANNOUNCE, Phase.PLAY} or class_ not in good_for:
        return Refusal("not-now", rules.order.grounds)
    if good_for[class_] != seat:
        return Refusal("class-not-won", (rules.equal if good_for[class_] is None else rules.replies).grounds)
    led = bool(table.trick) or table.a_trick_is_won
    if table.dealer != seat:
        why = rules.order.grounds + rules.elder_until.grounds
        return None if _is_open_to_elder(table, class_) else Refusal("class-is-closed", why)
    if table.phase is not Phase.PLAY or not led:
        return Refusal("only-after-the-lead", rules.younger_scores.grounds)
    open_ = table.turn == seat and not table.a_trick_is_won and len(table.trick) == 1
    return None if open_ else Refusal("class-is-closed", rules.younger_scores.grounds)


def _is_open_to_elder(table: Table, class_: str) -> bool:
    """Whether elder may still score a class that is good: until the next call or the lead, or for longer (cell
    `classes.elder_scores`)."""
    rules, called = table.rules.of(ClassRules), table.called
    played = table.players if table.a_trick_is_won else len(table.trick)
    if rules.elder_until.value:
        return played < rules.elder_until.value
    is_last = class_ == table.classes[len(called.decided) - 1]
    return is_last and table.turn == table.elder and not called.asked and not played


def _as_held(table: Table, act: Declare) -> Holding | None:
    """Return the combination as the hand holds it, or None if the cards may not be called so."""
    class_ = table.rules.of(ClassRules).by_id[act.meld].class_
    fits = (each for each in held(table, act.by, class_) if each.kind.id == act.meld and each.cards == act.cards)
    return next(fits, None)


def _refuse_beside_the_others(table: Table, act: Declare, class_: str) -> Refusal | None:
    """Return why the combinations already scored bar another of the class, or None.

    Only one point is scored; sequences and sets of a class share no card; a void suit stands for only one of a class.
    """
    rules = table.rules.of(ClassRules)
    scored = [each for each in table.scored[act.by] if rules.by_id[each.meld].class_ == class_]
    if scored and (class_ == POINT or not rules.winner_scores_all.value):
        one = rules.point_worth if class_ == POINT else rules.winner_scores_all
        return Refusal("one-of-the-class", one.grounds)
    if any(not set(each.cards).isdisjoint(act.cards) for each in scored):
        return Refusal("in-another-of-its-class", rules.specified.grounds + rules.winner_scores_all.grounds)
    if not act.cards:
        voids = sum(not holding.cards for holding in held(table, act.by, class_))
        if sum(not each.cards for each in scored) >= voids:
            return Refusal("in-another-of-its-class", (rules.by_id[act.meld].path,))
    return None


def _refuse_out_of_place(table: Table, act: Declare, holding: Holding) -> Refusal | None:
    """Return why another combination comes first, or None: elder scores first the one announced, and nothing higher;
    younger first one that beats it, unless younger scores in any order."""
    rules, class_ = table.rules.of(ClassRules), holding.kind.class_
    announced = _announced(table, class_)
    first = all(class_of(table, each.meld) != class_ for each in table.scored[act.by])
    if act.by == table.dealer:
        if holding.count > most_cards(table, class_, *_called(table, class_)):
            return Refusal("higher-than-announced", rules.asking_binds.grounds)
        in_order = class_ == POINT or rules.younger_scores.value != IN_ANY_ORDER
        lower = first and in_order and holding.key <= announced
        return Refusal("better-one-first", rules.replies.grounds + rules.younger_scores.grounds) if lower else None
    if holding.key > announced and not _may_score_better(table, act.by, class_):
        only = () if class_ == POINT else rules.better_after_good.grounds
        return Refusal("higher-than-announced", rules.best[class_].grounds + rules.parts_too.grounds + only)
    as_announced = holding.count == announced[0] and announced[1] in {UNTOLD, holding.height}
    other = first and not as_announced
    return Refusal("announced-one-first", rules.replies.grounds) if other else None


def _called(table: Table, class_: str) -> tuple[int, str]:
    """Return elder's announcement of a decided class."""
    return table.called.announced[table.classes.index(class_)]


def _announced(table: Table, class_: str) -> tuple[int, int]:
    """Return elder's announcement of a decided class, in the form in which combinations are compared."""
    return key(table, class_, *_called(table, class_))


def _may_score_better(table: Table, elder: Seat, class_: str) -> bool:
    """Whether elder may score a better combination of a class than the one called (cell `classes.after_good`)."""
    rules = table.rules.of(ClassRules)
    if class_ == POINT or rules.better_after_good.value != GOOD_AGAINST_THE_CARDS:
        return class_ != POINT and rules.better_after_good.value == ANY_OTHER
    out = set(table.rules.pack).difference(whole_hand(table, elder), table.discards[elder])
    best = classes.callable_(rules, class_, tuple(sorted(out)))[:1]
    return not best or best[0].key < _as_scored(table, elder, class_)


def _as_scored(table: Table, elder: Seat, class_: str) -> tuple[int, int]:
    """Return elder's call of a class; if no height was announced, with that of the combination scored first."""
    called = _announced(table, class_)
    first = [each.cards for each in table.scored[elder] if class_of(table, each.meld) == class_][:1]
    scored = [each.key for each in held(table, elder, class_) if each.cards in first]
    return scored[0] if scored and called[1] == UNTOLD else called


def most_to_score(table: Table, seat: Seat, class_: str) -> int:
    """Return the maximum that a player could still score with combinations of a class (points)."""
    counted, points = table.copy(), 0
    for each in sorted(held(table, seat, class_), key=lambda holding: holding.points, reverse=True):
        if _refuse_beside_the_others(counted, Declare(seat, each.kind.id, each.cards), class_) is None:
            counted.scored[seat].append(Combination(each.kind.id, each.cards))
            points += each.points
    return points


def declare(table: Table, act: Declare) -> Iterator[Event]:
    """Yield the combination as named and scored; its points may make a repique."""
    holding, rules = _as_held(table, act), table.rules.of(ClassRules)
    assert holding is not None, "an act that is refused is not carried out"
    class_ = holding.kind.class_
    again = any(class_of(table, each.meld) == class_ for each in table.scored[act.by])
    better = act.by != table.dealer and holding.key > _announced(table, class_)
    reckoned = table.rules.of(ReckoningRules)
    why = (
        *rules.specified.grounds,
        *(rules.winner_scores_all.grounds if again else ()),
        *(rules.better_after_good.grounds if better else ()),
        *(rules.younger_scores if act.by == table.dealer else rules.elder_until).grounds,
        *(reckoned.why_rouge if reckoned.carte_rouge.value else ()),
    )
    yield from _scores(table, act.by, holding, why)


def _scores(table: Table, seat: Seat, holding: Holding, why: Grounds) -> Iterator[Event]:
    kind = holding.kind
    yield Specified(seat, kind.id, holding.cards, why)
    yield Scored(seat, holding.points, kind.id, (kind.path,), Cause(kind.class_))
    yield from reckoning.after_combination(table, seat, holding.points)


def after_a_miscall(table: Table, error: Error, why: Grounds) -> Iterator[Event]:
    """Yield the class of a miscall as good for the other player, unless a true call bars it, and the scores of
    everything good that this player held and has not scored."""
    rules, other, class_ = table.rules.of(ClassRules), after(error.seat, table.players), error.meld
    hand = table.referee.before[error].hands[other]
    true = tuple(each for each in table.scored[error.seat] if rules.by_id[each.meld].class_ == class_)
    bars = [classes.callable_(rules, class_, each.cards)[0].key for each in true]
    best = [each.key for each in classes.good_ones(rules, class_, hand)]
    is_better = bool(best) and best[0] > max(bars, default=(0, 0))
    if is_better or not true:
        yield ClassGivenOver(class_, other if is_better else None, error.seat, true, why)
    good = [each for each, winner in table.good_for.items() if winner == other]
    for holding in [each for class_ in good for each in classes.good_ones(rules, class_, hand)]:
        act = Declare(other, holding.kind.id, holding.cards)
        if _refuse_beside_the_others(table, act, holding.kind.class_) is None:
            yield from _scores(table, other, holding, why)


def open_declarations(table: Table) -> list[Declare]:
    """Return every combination that a player could name and score now."""
    return [] if table.a_trick_is_won else list(_declarable(table))


def _declarable(table: Table) -> Iterator[Declare]:
    for class_, seat in table.good_for.items():
        if seat is None or not_the_moment(table, seat, class_) is not None:
            continue
        for meld, cards in dict.fromkeys((each.kind.id, each.cards) for each in held(table, seat, class_)):
            yield Declare(seat, meld, cards)


def what_it_is_worth(table: Table, question: Worth) -> Ruling:
    """Return the score of cards as a combination (points)."""
    trumps_of_question(table, question.trumps)  # raises if any are given: Piquet has none
    if not question.meld:
        raise Malformed("a combination is named at Piquet, where the same cards may be several")
    rules = table.rules.of(ClassRules)
    kind = rules.by_id.get(question.meld)
    if kind is None:
        return Ruling(None, tuple(each.path for each in rules.by_id.values()))
    points = classes.worth(rules, question.meld, question.cards)
    return Ruling(points, (kind.path, *classes.makeup(rules, kind.class_, ())))
