"""Pique and repique, the bonuses for reaching a number of points before the adversary has any.

Points before the play are reckoned in a fixed order (blank, point, sequence, set), whenever they were called.

A bonus depends on `made_of`, the points of the deal by cause. A sum would not show whether thirty were reached before
the play, so an engine could not begin in the middle of a deal.

Implements SEMANTICS-PIQUET.md, announce-5, reckon-1, reckon-8, pique-1 to pique-6, rouge-1 and rouge-2.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain
from types import MappingProxyType
from typing import Any, Final

from ...acts import CLASSES, POINT, Reckoning
from ...cards import Card
from ...cells import Rule, cell, equals, number, word
from ...events import PIQUE, Event, NoBonus, Scored
from ...events.referee import RECKONS_NOTHING
from ...frozen import frozen
from ...refusals import Grounds
from ...seats import Seat, after
from ...table.states import Cause, Combination
from ...table.table import Table
from ..blank import BlankRules
from ..chapter import Ruling
from ..referee.rows import is_ruled
from ..score import ScoreRules
from . import classes
from .classes import ClassRules, Holding

#: The condition for a carte rouge, and its time: combinations as soon as they have scored; or any in the hand, good or
#: not, when the player has scored everything good.
WITH_THE_LAST: Final = "combinations-as-they-score"
WHAT_IS_HELD: Final = "combinations-held"
#: The names of the scores for a repique and a carte rouge.
REPIQUE: Final = "repique"
CARTE_ROUGE: Final = "carte-rouge"
#: The bar to a bonus that decides only when younger has played to the first lead.
SCORED_FIRST: Final = "what-is-scored-first"
_TRICKS: Final = frozenset({"lead", "capture", "trick"})
_WITH_THE_LAST: Final = _TRICKS | {"last-trick"}
#: The points of the play that count towards a pique, by the word for them.
_COUNTING: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "tricks-alone": _TRICKS,
        "tricks-and-the-last": _WITH_THE_LAST,
        "all-of-the-play": _WITH_THE_LAST | {"cards", "capot"},
    }
)


def _counting(value: Any) -> frozenset[str]:
    """Return the parts of the play that count towards a pique."""
    return _COUNTING.get(word(value), _TRICKS)


@frozen
class ReckoningRules:
    """The order of reckoning, and the thresholds of repique and pique with their scores (points).

    Further rules: whether younger can make a pique, the bars to a repique, and the score of a carte rouge, if the game
    has one.
    """

    order: Rule[str] = cell("reckoning.order", word)
    repique_at: Rule[int] = cell("reckoning.repique.at", number)
    repique: Rule[int] = cell("reckoning.repique.points", number)
    repique_barred_by: Rule[str] = cell("reckoning.repique.barred_by", word)
    pique_at: Rule[int] = cell("reckoning.pique.at", number)
    pique: Rule[int] = cell("reckoning.pique.points", number)
    younger_too: Rule[bool] = cell("reckoning.pique.by", equals("either-player"))
    pique_barred_by: Rule[str] = cell("reckoning.pique.barred_by", word)
    thirty_before: Rule[bool] = cell("reckoning.pique.thirty_before", equals("pique"), otherwise=True)
    counts: Rule[frozenset[str]] = cell("reckoning.pique.counts", _counting)
    carte_rouge: Rule[int] = cell("reckoning.carte_rouge.points", number, otherwise=0)
    carte_rouge_of: Rule[str] = cell("reckoning.carte_rouge.of", word, otherwise=WITH_THE_LAST)
    carte_rouge_towards: Rule[str] = cell("reckoning.carte_rouge.counts_towards", word, otherwise="")

    @property
    def why_rouge(self) -> Grounds:
        """The cells that decide whether a carte rouge scores; nothing if the game has none."""
        return self.carte_rouge.grounds + self.carte_rouge_of.grounds + self.carte_rouge_towards.grounds

    @property
    def rouge_helps_to_a_repique(self) -> bool:
        """Whether the points of a carte rouge count towards a repique."""
        return self.carte_rouge_towards.value == "both"

    @property
    def only_what_is_scored_bars(self) -> bool:
        """Whether a class that younger never scores does not bar elder's repique."""
        return self.repique_barred_by.value == SCORED_FIRST

    @property
    def elder_counts_first(self) -> bool:
        """Whether all of elder's scores before the play precede all of younger's, except for a blank."""
        return self.repique_barred_by.value == "what-is-counted-first"

    @property
    def why_repique(self) -> Grounds:
        """The cells that cause a repique."""
        return self.repique_at.grounds + self.repique.grounds + self.order.grounds

    @property
    def why_no_repique(self) -> Grounds:
        """The cells that prevent a repique though its points are reached."""
        return self.repique_at.grounds + self.repique_barred_by.grounds + self.order.grounds


def after_combination(table: Table, seat: Seat, points: int) -> Iterator[Event]:
    """Yield the bonuses of a combination that has scored: a repique, if the player's combinations reach the threshold
    before the adversary has any points; a carte rouge, if every card of the hand is used; a pique, if elder scores
    after the lead, whose points count later (`reckoning.*`)."""
    yield from _repique(table, seat, points)
    rules, of_the_lead = table.rules.of(ReckoningRules), table.made_of[seat][Cause.TRICKS]
    at_once = rules.carte_rouge_of.value == WITH_THE_LAST
    if rules.carte_rouge.value and at_once and _is_red(whole_hand(table, seat), table.scored[seat]):
        yield from _carte_rouge(table, seat)
    if of_the_lead:
        yield from after_trick_points(table, seat, of_the_lead, "lead")


def _repique(table: Table, seat: Seat, points: int) -> Iterator[Event]:
    """Yield a repique if new points bring a player to the threshold, or the reason why there is none."""
    if brings_a_repique(table, seat, points):
        yield _marked(table, seat)
    elif _comes_to_enough(table, seat, points) and not _waits_for_a_class(table, seat):
        yield NoBonus(seat, REPIQUE, table.rules.of(ReckoningRules).why_no_repique)


def _marked(table: Table, seat: Seat) -> Event:
    """Return the points of a repique, which takes the place of a pique."""
    rules = table.rules.of(ReckoningRules)
    points = rules.repique.value - table.made_of[seat][Cause.BONUS]
    return Scored(seat, points, REPIQUE, rules.why_repique, Cause.BONUS)


def after_decision(table: Table, class_: str) -> Iterator[Event]:
    """Yield elder's repique if it has waited for a class that counts earlier and is called later, or the reason why
    there is none."""
    elder, rules = table.elder, table.rules.of(ReckoningRules)
    if class_ in _earlier(table, elder) and _has_enough(table, elder):
        due = is_due_a_repique(table, elder)
        yield _marked(table, elder) if due else NoBonus(elder, REPIQUE, rules.why_no_repique)


def _carte_rouge(table: Table, seat: Seat) -> Iterator[Event]:
    """Yield the points of a carte rouge, and the repique that they may complete (cells `reckoning.carte_rouge.*`)."""
    rules = table.rules.of(ReckoningRules)
    yield Scored(seat, rules.carte_rouge.value, CARTE_ROUGE, rules.why_rouge)
    if rules.rouge_helps_to_a_repique:
        yield from _repique(table, seat, rules.carte_rouge.value)


def _carte_rouge_at_the_end(table: Table, seat: Seat, card: Card) -> Iterator[Event]:
    """Yield a carte rouge in games that score it with the player's first card, after everything good
    has been scored."""
    rules = table.rules.of(ReckoningRules)
    if not rules.carte_rouge.value or rules.carte_rouge_of.value == WITH_THE_LAST or table.a_trick_is_won:
        return
    hand = {*table.hands[seat], card}
    scored = set(chain.from_iterable(each.cards for each in table.scored[seat]))
    if scored == hand or (rules.carte_rouge_of.value == WHAT_IS_HELD and _holds_red(table, sorted(hand))):
        yield from _carte_rouge(table, seat)


def brings_a_repique(table: Table, seat: Seat, points: int) -> bool:
    """Whether a combination that has just scored this many points makes a repique."""
    return _comes_to_enough(table, seat, points) and not _counts_first(table, seat, good_too=True)


def _comes_to_enough(table: Table, seat: Seat, points: int) -> bool:
    """Whether the points of a combination bring a player's points before the play to the threshold of a repique."""
    made = sum(_in_order(table, seat))
    return made - points < table.rules.of(ReckoningRules).repique_at.value <= made


def _reached_in(table: Table, seat: Seat) -> int:
    """Return the class (by its place in the order) in which a player's combinations reach the threshold of a repique,
    regardless of the order in which they were named."""
    blank, *of_classes = _in_order(table, seat)
    sums = accumulate(of_classes, initial=blank)
    return sum(made < table.rules.of(ReckoningRules).repique_at.value for made in sums) - 1


def repique_of(table: Table, seat: Seat) -> tuple[Cause | None, int]:
    """Return the cause and points of a player's repique; None and 0 without one. A bonus of a player whose combinations
    reach the threshold is a repique, unless it may be a pique."""
    bonus = table.made_of[seat][Cause.BONUS]
    may_be_a_pique = table.rules.of(ReckoningRules).thirty_before.value
    if not bonus or not _has_enough(table, seat) or (may_be_a_pique and _has_no_repique(table, seat)):
        return None, 0
    return reached_with(table, seat), bonus


def _has_enough(table: Table, seat: Seat) -> bool:
    """Whether combinations have brought a player's points before the play to the threshold of a repique; a blank alone
    makes none."""
    blank, *of_classes = _in_order(table, seat)
    return blank < table.rules.of(ReckoningRules).repique_at.value <= blank + sum(of_classes)


def _has_no_repique(table: Table, seat: Seat) -> bool:
    """Whether a repique has been barred for good: by anything good; or only by what has been scored, if elder can still
    have a repique after younger's first card, since the first lead makes no pique."""
    rules = table.rules.of(ReckoningRules)
    lead_makes_a_pique = table.rules.of(ScoreRules).lead.value and rules.pique_barred_by.value == "what-is-scored"
    late = rules.only_what_is_scored_bars and not lead_makes_a_pique
    return _counts_first(table, seat, good_too=not late)


def reached_with(table: Table, seat: Seat) -> Cause:
    """Return the class with which a player's points before the play reach the threshold."""
    return Cause(CLASSES[min(_reached_in(table, seat), len(CLASSES) - 1)])


def after_play(table: Table, seat: Seat, card: Card) -> Iterator[Event]:
    """Yield a bonus of elder's that has waited for younger's first card; and a carte rouge, if it is scored with the
    player's first card."""
    if len(table.trick) == table.players and not table.a_trick_is_won:
        yield from _after_the_first_lead(table, after(seat, table.players))
    yield from _carte_rouge_at_the_end(table, seat, card)


def _after_the_first_lead(table: Table, elder: Seat) -> Iterator[Event]:
    """Yield elder's repique or pique, if only scored combinations bar it and younger has played without scoring what
    was good."""
    rules, of_the_lead = table.rules.of(ReckoningRules), table.made_of[elder][Cause.TRICKS]
    if is_to_have_a_repique(table, elder):
        why = rules.why_repique + rules.repique_barred_by.grounds
        yield Scored(elder, rules.repique.value, REPIQUE, why, Cause.BONUS)
    elif of_the_lead and rules.pique_barred_by.value == SCORED_FIRST:
        yield from after_trick_points(table, elder, of_the_lead, "lead")


def is_due_a_repique(table: Table, seat: Seat) -> bool:
    """Whether a player has scored what makes a repique, and the repique is not marked yet."""
    marked = bool(table.made_of[seat][Cause.BONUS])
    return not marked and _has_enough(table, seat) and not _counts_first(table, seat, good_too=True)


def is_to_have_a_repique(table: Table, elder: Seat) -> bool:
    """Whether elder, who has no bonus yet, gets a repique as soon as younger plays without scoring what is good,
    because only scored combinations bar it (cell `reckoning.repique.barred_by`)."""
    late = table.rules.of(ReckoningRules).only_what_is_scored_bars and not table.made_of[elder][Cause.BONUS]
    if not late or not _has_enough(table, elder):
        return False
    return _counts_first(table, elder, good_too=True) and not _counts_first(table, elder, good_too=False)


def _counts_first(table: Table, seat: Seat, *, good_too: bool) -> bool:
    """Whether the adversary has anything that counts before the class in which the points are reached.

    This is a blank or a scored combination, or a good combination of a player who can still score it in its place: of
    younger, and of elder too if elder scores after the lead. A class that is still to be called could be good for the
    adversary. If elder counts first, all of elder's classes precede all of younger's.
    """
    earlier, late = _earlier(table, seat), table.rules.of(ClassRules).elder_scores_late
    if good_too and _waits_for_a_class(table, seat):
        return True
    for other in (Seat(each) for each in range(table.players) if each != seat):
        made = table.made_of[other]
        if made[Cause.BLANK]:
            return True
        scored = {class_ for class_ in CLASSES if made[class_]}
        good = {class_ for class_, who in table.good_for.items() if who == other}
        if (good if good_too and (late or other == table.dealer) else scored).intersection(earlier):
            return True
    return False


def _earlier(table: Table, seat: Seat) -> Sequence[str]:
    """Return the classes in which the adversary's combinations count before a player's repique."""
    if table.rules.of(ReckoningRules).elder_counts_first:
        return CLASSES if seat == table.dealer else ()
    return CLASSES[: _reached_in(table, seat)]


def _waits_for_a_class(table: Table, seat: Seat) -> bool:
    """Whether a class that counts before a player's repique is still to be called."""
    return not table.good_for.keys() >= set(_earlier(table, seat))


def whole_hand(table: Table, seat: Seat) -> list[Card]:
    """Return a player's cards before the play: the hand, and the card that has been led to the first trick."""
    led = table.trick[:1] if seat == table.leader and not table.a_trick_is_won else ()
    return [*table.hands[seat], *led]


def _is_red(hand: Sequence[Card], scored: Sequence[Combination]) -> bool:
    """Whether the combination just scored is the first after which every card of the hand has been in one."""
    used = [set(chain.from_iterable(each.cards for each in some)) for some in (scored[:-1], scored)]
    return used[0] < set(hand) == used[1]


def _in_order(table: Table, seat: Seat) -> list[int]:
    """Return a player's points before the play: for the blank, for each class, and for a carte rouge that counts
    towards a repique."""
    made = table.made_of[seat]
    rouge = [made[Cause.BESIDE]] if table.rules.of(ReckoningRules).rouge_helps_to_a_repique else []
    return [made[Cause.BLANK], *(made[class_] for class_ in CLASSES), *rouge]


def scored_in(table: Table, seat: Seat, class_: str) -> int:
    """Return the points of the combinations that a player has scored in a class."""
    rules = table.rules.of(ClassRules)
    scored = (each for each in table.scored[seat] if rules.by_id[each.meld].class_ == class_)
    return sum(classes.worth(rules, each.meld, each.cards) for each in scored)


def _reckoned(table: Table, seat: Seat) -> int:
    """Return a player's points in this deal, except those that count towards no bonus."""
    made, rouge_towards = table.made_of[seat], table.rules.of(ReckoningRules).carte_rouge_towards.value
    return sum(made.values()) - (0 if rouge_towards in {"pique", "both"} else made[Cause.BESIDE])


def after_trick_points(table: Table, seat: Seat, points: int, what: str) -> Iterable[Event]:
    """Yield a pique if tricks bring a player who may make one to its threshold before the other has any points (cells
    `reckoning.pique.*`)."""
    rules, made = table.rules.of(ReckoningRules), _reckoned(table, seat)
    had = made - points >= rules.pique_at.value
    in_the_play = table.made_of[seat][Cause.TRICKS] + table.made_of[seat][Cause.BONUS]
    if made < rules.pique_at.value or (had and in_the_play != points):
        return ()
    why = (rules.thirty_before.grounds if had else ()) + (() if what in _TRICKS else rules.counts.grounds)
    if seat == table.dealer and not rules.younger_too.value:
        return (NoBonus(seat, PIQUE, rules.younger_too.grounds),)
    if (had and not rules.thirty_before.value) or what not in rules.counts.value:
        return (NoBonus(seat, PIQUE, why),)
    return (_pique(table, seat, why),)


def _pique(table: Table, seat: Seat, why: Grounds) -> Event:
    rules, other = table.rules.of(ReckoningRules), after(seat, table.players)
    barred = rules.pique_at.grounds + rules.pique_barred_by.grounds
    if _reckoned(table, other) or (other in table.called.decided and _what_is_good_bars_a_pique(table, other)):
        return NoBonus(seat, PIQUE, barred)
    why += barred + rules.pique.grounds + rules.younger_too.grounds
    return Scored(seat, rules.pique.value, PIQUE, why, Cause.BONUS)


def _what_is_good_bars_a_pique(table: Table, other: Seat) -> bool:
    """Whether good combinations bar the adversary's pique before they score, for this deal or until younger has played
    to the first lead (cell `reckoning.pique.barred_by`)."""
    barred_by = table.rules.of(ReckoningRules).pique_barred_by.value
    if barred_by != SCORED_FIRST:
        return barred_by == "what-is-good"
    still_to_score = other == table.dealer and not table.a_trick_is_won and len(table.trick) < table.players
    return still_to_score or is_ruled(table, other, RECKONS_NOTHING)


def before_the_play(
    table: Table, elder: Seat, hands: Sequence[Sequence[Card]], blanks: Sequence[Seat]
) -> tuple[tuple[int, ...], Grounds]:
    """Return the points of each player before the play, if both call everything they hold, and why."""
    rules, of_classes, blank = table.rules.of(ReckoningRules), table.rules.of(ClassRules), table.rules.of(BlankRules)
    grounds = [*rules.order.grounds, *rules.repique_at.grounds, *(blank.points.grounds if blanks else ())]
    made = [blank.points.value if seat in blanks else 0 for seat in range(table.players)]
    good: list[list[Holding]] = [[] for _ in made]
    ahead = [seat in blanks for seat in range(table.players)]
    won = [(class_, *class_winner(table, elder, class_, hands)) for class_ in CLASSES]
    if rules.elder_counts_first:
        won.sort(key=lambda each: each[1] != elder)
    for class_, winner, why in won:
        grounds += why
        if winner is None:
            continue
        scoring = classes.good_ones(of_classes, class_, hands[winner])
        grounds += of_classes.winner_scores_all.grounds if len(scoring) > 1 else ()
        barred = ahead[after(winner, table.players)]
        for held in scoring:
            grounds.append(held.kind.path)
            before, made[winner] = made[winner], made[winner] + held.points
            if before < rules.repique_at.value <= made[winner]:
                grounds += rules.why_no_repique if barred else rules.why_repique
                made[winner] += 0 if barred else rules.repique.value
            good[winner].append(held)
        ahead[winner] = True
    for seat, hand in enumerate(hands):
        is_red = rules.carte_rouge_of.value == WHAT_IS_HELD and _holds_red(table, hand)
        if rules.carte_rouge.value and (is_red or _could_be_red(of_classes, hand, good[seat])):
            before, made[seat] = made[seat], made[seat] + rules.carte_rouge.value
            enough = rules.rouge_helps_to_a_repique and before < rules.repique_at.value <= made[seat]
            made[seat] += rules.repique.value if enough and not ahead[after(Seat(seat), table.players)] else 0
    grounds += rules.why_rouge if rules.carte_rouge.value else ()
    return tuple(made), tuple(grounds)


def _holds_red(table: Table, hand: Sequence[Card]) -> bool:
    """Whether every card of a hand is in one of its combinations, good or not; only the best point counts."""
    rules = table.rules.of(ClassRules)
    return _could_be_red(rules, hand, [held for each in CLASSES for held in classes.good_ones(rules, each, hand)])


def _could_be_red(rules: ClassRules, hand: Sequence[Card], good: Sequence[Holding]) -> bool:
    """Whether every card of a hand is in something good; the caller chooses between equally good points."""
    others = {card for held in good if held.kind.class_ != POINT for card in held.cards}
    points = [held for held in good if held.kind.class_ == POINT]
    choice = [
        each for each in classes.whole_combinations(rules, POINT, hand) for point in points if each.key == point.key
    ]
    return any(others.union(each.cards) == set(hand) for each in choice) or others == set(hand)


def class_winner(
    table: Table, elder: Seat, class_: str, hands: Sequence[Sequence[Card]]
) -> tuple[Seat | None, Grounds]:
    """Return whose combinations of a class are good if both call the best, and why; None if they are equal."""
    rules, younger = table.rules.of(ClassRules), after(elder, table.players)
    mine, theirs = (classes.whole_combinations(rules, class_, hands[seat])[:1] for seat in (elder, younger))
    why = rules.best[class_].grounds + classes.makeup(rules, class_, mine) + classes.makeup(rules, class_, theirs)
    if not mine or not theirs:
        return (elder if mine else younger if theirs else None), why
    if mine[0].key == theirs[0].key:
        return None, why + rules.equal.grounds
    return (elder if mine[0].key > theirs[0].key else younger), why


def what_hands_bring(table: Table, question: Reckoning) -> Ruling:
    """Return the points that each player scores before the play with these two hands."""
    return Ruling(*before_the_play(table, question.by, question.hands, question.blanks))
