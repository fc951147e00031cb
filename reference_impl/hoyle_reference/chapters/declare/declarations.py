"""Combinations (chapter `declare`): who may declare them and when, their scores, and those kept "to score".

Module `reuse` has the rules for cards that have already scored.

Implements SEMANTICS-BEZIQUE.md, declare-1 to declare-7, combination-5, combination-6 and keep-1 to keep-6.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from ...acts import UNSAID, Declarable, Declare, Hold, Lay, Worth
from ...cards import Card, Suit, name, suit_of
from ...cells import Cells, Rule, cell, equals, number, word
from ...events import Event, Scored
from ...events.combinations import Declared, KeptToScore, Lapsed, TakenUp, TrumpsMade
from ...frozen import frozen
from ...refusals import Grounds, Malformed, Refusal
from ...seats import Seat, ring
from ...table.states import Combination, Phase
from ...table.table import Table
from .. import triple_scores
from ..chapter import Ask, Chapter, Follows, Move, Ruling, during, trumps_of_question
from ..deal import DealRules
from . import reuse
from .melds import Meld, Melds, compile_meld, complete
from .reuse import ReuseRules


@frozen
class DeclareRules:
    """The rules for declaring: what, when and how often. `tricks_won_first` is a number of tricks, and `times` the
    factor for the points of the table."""

    melds: Melds
    reuse: ReuseRules
    plain_while_it_makes_trumps: Rule[bool]
    none_before_trumps: Rule[bool]
    times: Rule[int]
    with_the_partners_cards: Rule[bool]
    needs_an_own_card: Rule[bool]
    kept_scores_without_its_cards: Rule[bool]
    may_keep: Rule[bool]
    kept_from_what_is_shown: Rule[bool]
    kept_beside_a_score: Rule[bool]
    when: Rule[str] = cell("declare.when", word)
    before_the_last_draw: Rule[bool] = cell("declare.until", equals("stock-is-gone"))
    tricks_won_first: Rule[int] = cell("declare.tricks_won_first", number)
    by_the_partner: Rule[bool] = cell("declare.by", equals("trick-winner-or-partner"), otherwise=False)
    laid: Rule[str] = cell("declare.laid", word)
    declared_cards: Rule[str] = cell("declare.declared_cards", word, otherwise="")
    several_after_one_trick: Rule[bool] = cell("declare.scored_per_trick", equals("any-that-share-no-card"))
    kept_again: Rule[bool] = cell("declare.kept_again", equals("after-every-trick"), otherwise=True)
    taken_up_after_the_stock: Rule[bool] = cell("declare.when_the_stock_is_gone", equals("are-taken-up"))
    seven_is_a_declaration: Rule[bool] = cell("seven.with_a_declaration", equals("instead"), otherwise=False)


#: The settings of `declare.to_score` under which only cards that lie on the table are kept to score.
_SHOWN: Final = frozenset({"from-cards-already-shown", "from-the-cards-exposed"})


def read(cells: Cells) -> DeclareRules:
    """Compile the cells of this chapter."""
    kept, cards = cells.rule("declare.to_score", word), cells.rule("declare.cards", word)
    may_keep = kept.value != "refused"
    times = triple_scores.of_combinations(cells)
    plain = cells.rule_if_any("declare.what_makes_trumps", equals("scores-as-of-a-plain-suit"), otherwise=False)
    none_before_trumps = cells.rule_if_any("declare.before_trumps", equals("no-combination"), otherwise=False)
    first_is = "plain" if plain.value else "trumps"
    return cells.compiled(
        DeclareRules,
        melds=Melds(_melds(cells, times.value, first_is, waits_for_trumps=none_before_trumps.value)),
        reuse=reuse.read(cells, keeps=may_keep),
        plain_while_it_makes_trumps=plain,
        none_before_trumps=none_before_trumps,
        times=times,
        with_the_partners_cards=Rule(cards.value.startswith("own-"), cards.grounds),
        needs_an_own_card=Rule(cards.value == "own-with-partners-on-the-table", cards.grounds),
        kept_scores_without_its_cards=Rule(cards.value == "all-in-hand-or-kept", cards.grounds),
        may_keep=Rule(may_keep, kept.grounds),
        kept_from_what_is_shown=Rule(kept.value in _SHOWN, kept.grounds),
        kept_beside_a_score=Rule(kept.value != "from-cards-already-shown", kept.grounds),
    )


def _melds(cells: Cells, times: int, first_is: str, *, waits_for_trumps: bool) -> Iterator[Meld]:
    """Yield the combinations with their scores: those of the table, or a multiple of them (cell `score.tripled`). A
    combination of trumps, or one of a plain suit, may make trumps (cell `declare.what_makes_trumps`). A combination
    whose cards depend on trumps may wait for them (cell `declare.before_trumps`)."""
    rows = list(map(complete, cells.rows("declare.melds")))
    makers = {row.value["kind"] for row in rows if row.value.get("makes_trumps")}
    for row in rows:
        makes_trumps = row.value["kind"] in makers and row.value.get("suits") == first_is
        meld = compile_meld(row, makes_trumps=makes_trumps, waits_for_trumps=waits_for_trumps)
        yield meld if row.value.get("own_score") else replace(meld, points=times * meld.points)


def too_early(table: Table, seat: Seat) -> bool:
    """Whether a player (of partners, both together) must win more tricks before declaring anything (cell
    `declare.tricks_won_first`)."""
    won = sum(len(table.won[each]) for each in table.rules.side(seat))
    return won < table.rules.of(DeclareRules).tricks_won_first.value * table.players


def scored_since_trick(table: Table) -> int:
    """Return the number of scores since the last trick; a seven may count as a combination."""
    sevens = table.sevens_since_trick if table.rules.of(DeclareRules).seven_is_a_declaration.value else 0
    return table.combinations_since_trick + sevens


def within_reach(table: Table, seat: Seat) -> Sequence[Card]:
    """Return the cards with which a player may make combinations: the player's own, and a partner's that lie on the
    table, if these may be used (cell `declare.cards`)."""
    own = table.hands[seat]
    if not table.rules.of(DeclareRules).with_the_partners_cards.value:
        return own
    return own + sorted(card for each in table.rules.side(seat) if each != seat for card in table.shown[each])


def declarers(table: Table) -> tuple[Seat, ...]:
    """Return the players who may declare after the trick: its winner, and perhaps the partner (cell `declare.by`)."""
    if not table.rules.of(DeclareRules).by_the_partner.value:
        return (table.turn,)
    return tuple(seat for seat in ring(table.turn, table.players) if seat in table.rules.side(table.turn))


def refuse_declare(table: Table, act: Declare) -> Refusal | None:
    """Return why a combination may not be scored, or None: the winner of a trick scores it, before drawing, from cards
    that may (still) score it."""
    return _refuse_to_lay(table, act) or _refuse_beside_the_others(table, act) or _refuse_again(table, act)


def _refuse_again(table: Table, act: Lay) -> Refusal | None:
    """Return why the earlier scores of these cards bar them, or None; cards that have not scored are free."""
    scored = table.scored[table.rules.side_of[act.by]]
    if all(map(set(act.cards).isdisjoint, [each.cards for each in scored])):
        return None
    return reuse.refusal(_attempt(table, act))


def _attempt(table: Table, act: Lay) -> reuse.Attempt:
    rules = table.rules.of(DeclareRules)
    return reuse.attempt(table, rules.reuse, rules.melds, act)


def _refuse_beside_the_others(table: Table, act: Declare) -> Refusal | None:
    """Return why the scores after the same trick allow no other combination, or only one of other cards, or None."""
    rules = table.rules.of(DeclareRules)
    per_trick = rules.several_after_one_trick
    if not per_trick.value:
        why = per_trick.grounds if table.combinations_since_trick else rules.seven_is_a_declaration.grounds
        return Refusal("one-score-a-trick", why) if scored_since_trick(table) else None
    history = table.scored[table.rules.side_of[act.by]]
    scored = history[len(history) - table.combinations_since_trick :]
    shared = any(not set(act.cards).isdisjoint(each.cards) for each in scored)
    return Refusal("shares-a-card", per_trick.grounds) if shared else None


def refuse_hold(table: Table, act: Hold) -> Refusal | None:
    """Return why a combination may not be kept to score, or None. A combination may be kept together with one scored
    after the same trick, or alone, from cards laid down for it, or only from cards already on the table (cell
    `declare.to_score`). A kept combination may be announced again after any trick, as long as its cards may score it
    and the table allows it (cell `declare.kept_again`)."""
    rules = table.rules.of(DeclareRules)
    keeping, again = rules.may_keep, rules.kept_again
    if not keeping.value:
        return Refusal("nothing-is-kept", keeping.grounds)
    refused = _refuse_to_lay(table, act)
    if refused is not None:
        return refused
    if waits(table, act):
        return _refuse_again(table, act) or (None if again.value else Refusal("kept-already", again.grounds))
    if rules.kept_from_what_is_shown.value and not set(act.cards) <= _on_the_table(table, act.by):
        return Refusal("not-shown-yet", keeping.grounds)
    if rules.kept_beside_a_score.value and not scored_since_trick(table):
        return Refusal("score-one-first", keeping.grounds)
    return _refuse_again(table, act)


def waits(table: Table, act: Lay) -> bool:
    """Whether a combination is one of those kept to score."""
    return Combination(act.meld, act.cards) in table.kept[table.rules.side_of[act.by]]


def _on_the_table(table: Table, seat: Seat) -> set[Card]:
    """Return those of the cards within a player's reach that lie on the table."""
    shown = set().union(*(table.shown[each] for each in table.rules.side(seat)))
    return shown.intersection(within_reach(table, seat))


def not_the_moment(table: Table, seat: Seat) -> Refusal | None:
    """Return why a player may not declare anything now, whatever the cards, or None."""
    rules = table.rules.of(DeclareRules)
    if table.phase is Phase.PLAY and not table.drawing:
        return Refusal("stock-is-gone", rules.before_the_last_draw.grounds)
    if table.phase is not Phase.DECLARE:
        return Refusal("only-after-winning-a-trick", rules.when.grounds)
    if seat not in declarers(table):
        return Refusal("only-after-winning-a-trick", rules.when.grounds + rules.by_the_partner.grounds)
    if table.last_draw and not rules.before_the_last_draw.value:
        return Refusal("too-late-to-declare", rules.before_the_last_draw.grounds)
    return Refusal("too-few-tricks-won", rules.tricks_won_first.grounds) if too_early(table, seat) else None


def sense_of_combination(table: Table, act: Lay) -> None:
    """Raise Malformed for a combination that the game does not have, or a card named twice."""
    if act.meld not in table.rules.combinations:
        raise Malformed(f"no combination '{act.meld}' in this game")
    if len(set(act.cards)) != len(act.cards):
        raise Malformed("a card is named twice")


def _refuse_to_lay(table: Table, act: Lay) -> Refusal | None:
    closed = not_the_moment(table, act.by)
    if closed is not None:
        return closed
    rules = table.rules.of(DeclareRules)
    lacks = not set(act.cards) <= set(within_reach(table, act.by)) or _lacks_an_own_card(table, act.by, act.cards)
    if lacks and not (rules.kept_scores_without_its_cards.value and waits(table, act)):
        return Refusal("card-not-held", rules.with_the_partners_cards.grounds)
    meld = rules.melds.by_id[act.meld]
    return None if meld.pattern.fits(act.cards, table.trumps) else Refusal("not-a-combination", _row(table, meld))


def _row(table: Table, meld: Meld) -> Grounds:
    """Return the row of a combination, and the cells by which it may wait while there are no trumps."""
    return (meld.path, *(table.rules.of(DeclareRules).none_before_trumps.grounds if table.trumps is None else ()))


def _lacks_an_own_card(table: Table, seat: Seat, cards: Sequence[Card]) -> bool:
    """Whether a combination consists only of the partner's cards, and may not (cell `declare.cards`)."""
    return table.rules.of(DeclareRules).needs_an_own_card.value and set(cards).isdisjoint(table.hands[seat])


def declare(table: Table, act: Declare) -> Iterator[Event]:
    """Yield the combination as laid on the table and scored. It may make trumps, and end inferior ones kept with its
    cards. Cards scored without being a combination do neither."""
    rules, trumps = table.rules.of(DeclareRules), table.rules.of(DealRules).declarations_make_trumps
    meld = rules.melds.by_id[act.meld]
    yield Declared(act.by, act.meld, act.cards, (*_row(table, meld), *rules.when.grounds, *_liberties(table, act)))
    if meld.pattern.fits(act.cards, table.trumps):
        if meld.makes_trumps and table.trumps is None and trumps.value:
            yield from makes_trumps(table, suit_of(act.cards[0]), rules.plain_while_it_makes_trumps.grounds)
        yield from _lapses_under(table, act.by, meld, act.cards)
    yield Scored(act.by, meld.points, meld.id, (meld.path, *rules.times.grounds))


def makes_trumps(table: Table, suit: Suit, why: Grounds) -> Iterator[Event]:
    """Yield the suit as trumps; combinations of trumps kept in another suit are lost."""
    yield TrumpsMade(suit, table.rules.of(DealRules).declarations_make_trumps.grounds + why)
    yield from _no_more_of_trumps(table)


def hold(table: Table, act: Hold) -> Iterator[Event]:
    """Yield the combination as laid on the table, where it waits."""
    rules = table.rules.of(DeclareRules)
    why = (rules.melds.by_id[act.meld].path, *rules.may_keep.grounds, *_liberties(table, act))
    yield KeptToScore(act.by, act.meld, act.cards, why)


def _liberties(table: Table, act: Lay) -> Grounds:
    """Return the cells without which this declaration would be refused, including those on the place of its cards."""
    rules = table.rules.of(DeclareRules)
    partners = set(act.cards).difference(table.hands[act.by])
    another = table.combinations_since_trick and isinstance(act, Declare)
    lying = partners or table.shown[act.by].intersection(act.cards)
    return (
        *rules.laid.grounds,
        *rules.by_the_partner.grounds,
        *(rules.with_the_partners_cards.grounds if partners else ()),
        *(rules.may_keep.grounds + rules.kept_again.grounds if waits(table, act) else ()),
        *(rules.several_after_one_trick.grounds if another else ()),
        *rules.tricks_won_first.grounds,
        *(rules.before_the_last_draw.grounds if table.last_draw else ()),
        *(rules.declared_cards.grounds if lying else ()),
        *(rules.seven_is_a_declaration.grounds if table.sevens_since_trick else ()),
        *reuse.liberties(_attempt(table, act)),
    )


def lapses_by_playing(table: Table, seat: Seat, card: Card) -> Iterable[Lapsed]:
    """Return the loss of combinations kept to score with a card that has now been played (cell `declare.cards`)."""
    side, rule = table.rules.side_of[seat], table.rules.of(DeclareRules).kept_scores_without_its_cards
    if rule.value or not table.kept[side]:
        return ()
    lost = [kept for kept in table.kept[side] if card in kept.cards]
    return _lapses(side, lost, rule.grounds)


def _no_more_of_trumps(table: Table) -> Iterator[Lapsed]:
    """Yield the loss of combinations kept to score as trumps in a suit that is not trumps now."""
    melds = table.rules.of(DeclareRules).melds.by_id
    for seat, kept in enumerate(table.kept):
        lost = [each for each in kept if not melds[each.meld].pattern.fits(each.cards, table.trumps)]
        yield from _lapses(Seat(seat), lost, table.rules.of(DealRules).declarations_make_trumps.grounds)


def left_lying(table: Table) -> Grounds:
    """Return why cards that lie on the table stay there when the stock is exhausted, if some do (cell
    `declare.when_the_stock_is_gone`)."""
    taken_up = table.rules.of(DeclareRules).taken_up_after_the_stock
    return taken_up.grounds if any(table.shown) and not taken_up.value else ()


def ends_with_the_stock(table: Table) -> Iterator[Lapsed | TakenUp]:
    """Yield the loss of all combinations still kept to score when the last card is drawn, and the taking up of the
    cards on the table (cells `declare.until`, `declare.when_the_stock_is_gone`)."""
    rules = table.rules.of(DeclareRules)
    for seat, kept in enumerate(table.kept):
        yield from _lapses(Seat(seat), list(kept), rules.before_the_last_draw.grounds)
    if rules.taken_up_after_the_stock.value:
        yield TakenUp(rules.taken_up_after_the_stock.grounds)


def _lapses_under(table: Table, seat: Seat, meld: Meld, cards: tuple[Card, ...]) -> Iterator[Lapsed]:
    rules, side = table.rules.of(DeclareRules), table.rules.side_of[seat]
    again = rules.reuse
    if again.lower_stays_kept.value or not again.bars_inferiors or not table.kept[side]:
        return
    of = rules.melds.by_id
    lost = [
        kept for kept in table.kept[side] if of[kept.meld].kind in meld.over and reuse.bars(again, cards, kept.cards)
    ]
    yield from _lapses(side, lost, again.lower_stays_kept.grounds)


def _lapses(seat: Seat, lost: Iterable[Combination], grounds: Grounds) -> Iterator[Lapsed]:
    for combination in lost:
        yield Lapsed(seat, combination.meld, combination.cards, grounds)


def open_declarations(table: Table) -> list[Declare]:
    """Return every combination that may be scored now by a player who may declare, each with its very cards."""
    return [act for seat in declarers(table) for act in declarations_of(table, seat)]


def declarations_of(table: Table, seat: Seat) -> Iterator[Declare]:
    """Yield every combination that this player may score now."""
    rules = table.rules.of(DeclareRules)
    spent = scored_since_trick(table) and not rules.several_after_one_trick.value
    if spent or not_the_moment(table, seat) is not None:
        return
    held = [(meld.id, cards) for meld, cards in rules.melds.held(within_reach(table, seat), table.trumps)]
    if rules.kept_scores_without_its_cards.value:
        kept = [(each.meld, each.cards) for each in table.kept[table.rules.side_of[seat]]]
        held += [each for each in kept if each not in held]
    for meld, cards in held:
        act = Declare(seat, meld, cards)
        refused = _refuse_beside_the_others(table, act) or _refuse_again(table, act)
        if refused is None and not _lacks_an_own_card(table, seat, cards):
            yield act


def open_holdings(table: Table) -> list[Hold]:
    """Return every combination that could be kept to score now; announcing one again changes nothing, and is not
    listed."""
    rules = table.rules.of(DeclareRules)
    shown = rules.kept_from_what_is_shown.value
    if rules.kept_beside_a_score.value and not scored_since_trick(table):
        return []
    listed = []
    for seat in (each for each in declarers(table) if not_the_moment(table, each) is None):
        reach = sorted(_on_the_table(table, seat)) if shown else within_reach(table, seat)
        holds = [Hold(seat, meld.id, cards) for meld, cards in rules.melds.held(reach, table.trumps)]
        listed += [
            act
            for act in holds
            if not (waits(table, act) or _lacks_an_own_card(table, seat, act.cards) or _refuse_again(table, act))
        ]
    return listed


def what_may_be_declared(table: Table, question: Declarable) -> Ruling:
    """Return the combinations that a player may score now, or could score from a hand that has scored nothing."""
    rules = table.rules.of(DeclareRules)
    if question.hand is not None:
        found = rules.melds.held(question.hand, trumps_of_question(table, question.trumps))
        acts = tuple(Declare(question.by, meld.id, cards) for meld, cards in found)
        return Ruling(acts, (*(meld.path for meld, _ in found), *rules.when.grounds))
    if question.trumps is not UNSAID:
        raise Malformed("'trumps' are given with a 'hand'")
    acts = tuple(declarations_of(table, question.by))
    rows = tuple(rules.melds.by_id[act.meld].path for act in acts)
    used = tuple(path for act in acts for path in reuse.liberties(_attempt(table, act)))
    closed = not_the_moment(table, question.by)
    per_trick = rules.several_after_one_trick.grounds if table.combinations_since_trick else ()
    why = closed.grounds if closed else (*rules.when.grounds, *per_trick)
    return Ruling(acts, (*rows, *used, *why, *(rules.with_the_partners_cards.grounds if acts else ())))


def what_it_is_worth(table: Table, question: Worth) -> Ruling:
    """Return the score of cards as a combination (points; None if there is none of that name); or the combination with
    the highest score for all of them, with its points."""
    rules, trumps = table.rules.of(DeclareRules), trumps_of_question(table, question.trumps)
    every = tuple(meld.path for meld in rules.melds.by_id.values())
    if not question.meld:
        fitting = [meld for meld in rules.melds.by_id.values() if meld.pattern.fits(question.cards, trumps)]
        best = max(fitting, key=lambda meld: meld.points, default=None)
        return Ruling((best.id, best.points), (best.path, *rules.times.grounds)) if best else Ruling(None, every)
    meld = rules.melds.by_id.get(question.meld)
    if meld is None:
        return Ruling(None, every)
    points = meld.points if meld.pattern.fits(question.cards, trumps) else 0
    before = rules.none_before_trumps.grounds if trumps is None else ()
    return Ruling(points, (meld.path, *rules.times.grounds, *before))


def sense(table: Table) -> None:
    """Raise Malformed if more has scored since the last trick than in the deal, or a player does not
    hold a card shown."""
    since, side = table.combinations_since_trick, table.rules.side_of[table.leader]
    if not 0 <= since <= len(table.scored[side]):
        raise Malformed(f"{since} combinations cannot have scored since the last trick")
    for hand, shown in zip(table.hands, table.shown, strict=True):
        if not shown <= set(hand):
            raise Malformed(f"{name(min(shown - set(hand)))} is shown but not held")


def _fields(rules: DeclareRules) -> tuple[str, ...]:
    return ("shown", "combinations_since_trick", *(["kept"] if rules.may_keep.value else []))


def _to_keep(rules: DeclareRules) -> frozenset[Phase]:
    """Return the phases in which combinations are kept to score, in games with that act."""
    return frozenset({Phase.DECLARE}) if rules.may_keep.value else frozenset()


CHAPTER: Chapter = Chapter(
    "declare",
    read,
    (
        Move(
            Declare,
            refuse_declare,
            declare,
            during(Phase.DECLARE),
            open_declarations,
            exact=True,
            sense=sense_of_combination,
        ),
        Move(Hold, refuse_hold, hold, _to_keep, open_holdings, exact=True, sense=sense_of_combination),
    ),
    (Ask(Declarable, what_may_be_declared), Ask(Worth, what_it_is_worth)),
    fields=_fields,
    combinations=lambda rules: rules.melds.by_id,
    sight=lambda rules: rules.laid.grounds,
    sense=sense,
    follows=lambda rules: Follows(on_play=lapses_by_playing if rules.may_keep.value else None),
)
