"""The reckoning: pique and repique, the bonuses for reaching so many points before the adversary has any.

Points before the play are reckoned in a fixed order (blank, point, sequence, set), whenever they were called.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Final

from . import classes
from .cards import Card
from .cells import Cells
from .classes import CLASSES, POINT, Held
from .events import Event, Scored
from .handling import NoBonus
from .refusals import Grounds
from .seats import Seat, after
from .table import Blank, Combination, Table

ORDER: Final[Grounds] = ("reckoning.order",)
REPIQUE: Final[Grounds] = ("reckoning.repique.at", "reckoning.repique.points")
REPIQUE_AT: Final[Grounds] = ("reckoning.repique.at",)
REPIQUE_BARRED: Final[Grounds] = ("reckoning.repique.at", "reckoning.repique.barred_by")
PIQUE_BY: Final[Grounds] = ("reckoning.pique.by",)
PIQUE: Final[Grounds] = ("reckoning.pique.at", "reckoning.pique.points", *PIQUE_BY)
PIQUE_BARRED: Final[Grounds] = ("reckoning.pique.at", "reckoning.pique.barred_by")
BLANK: Final[Grounds] = ("blank.points",)
SCORES_ALL: Final[Grounds] = ("classes.winner_scores",)
CARTE_ROUGE: Final[Grounds] = ("reckoning.carte_rouge.points",)


@dataclass(frozen=True, slots=True)
class ReckoningRules:
    """How many points make a repique or a pique, and what each brings (points); what bars a pique; and what a carte
    rouge scores, where it does."""

    repique_at: int
    repique: int
    pique_at: int
    pique: int
    what_is_good_bars: bool
    carte_rouge: int


def read(cells: Cells) -> ReckoningRules:
    """The rules of this chapter, from the table."""
    rouge = CARTE_ROUGE[0]
    return ReckoningRules(
        repique_at=cells.number("reckoning.repique.at"),
        repique=cells.number("reckoning.repique.points"),
        pique_at=cells.number("reckoning.pique.at"),
        pique=cells.number("reckoning.pique.points"),
        what_is_good_bars=cells.word("reckoning.pique.barred_by") == "what-is-good",
        carte_rouge=cells.number(rouge) if rouge in cells else 0,
    )


def after_combination(table: Table, seat: Seat, points: int) -> Iterator[Event]:
    """What follows when a combination has scored: a repique, where it brings the player's combinations to so many
    points before the adversary has any; a carte rouge, where every card of the hand is used (`reckoning.*`)."""
    rules, made = table.rules.reckoning, sum(_in_order(table, seat))
    if made - points < rules.repique_at <= made:
        if _counts_first(table, seat, _reached_in(table, seat)):
            yield NoBonus(seat, "repique", REPIQUE_BARRED + ORDER)
        else:
            yield Scored(seat, rules.repique, "repique", REPIQUE + ORDER)
    if rules.carte_rouge and _is_red(table.hands[seat], table.scored[seat]):
        yield Scored(seat, rules.carte_rouge, "carte-rouge", CARTE_ROUGE, beside=True)


def _reached_in(table: Table, seat: Seat) -> int:
    """The class (by its place in the order) in which a player's combinations come to enough for a repique, in whatever
    order they were named."""
    blank, *of_classes = _in_order(table, seat)
    sums = accumulate(of_classes, initial=blank)
    return sum(made < table.rules.reckoning.repique_at for made in sums) - 1


def _counts_first(table: Table, seat: Seat, reached_in: int) -> bool:
    """Whether the adversary has a blank, or anything in an earlier class: what elder has scored; what is good in
    younger's hand, since younger scores it later and it counts where it belongs."""
    earlier = CLASSES[:reached_in]
    for other in (Seat(each) for each in range(table.players) if each != seat):
        if table.blanks[other] is Blank.SCORED:
            return True
        scored = {table.rules.classes.by_id[each.meld].class_ for each in table.scored[other]}
        good = {class_ for class_, who in zip(CLASSES, table.called.decided, strict=False) if who == other}
        if (good if other == table.dealer else scored).intersection(earlier):
            return True
    return False


def _is_red(hand: Sequence[Card], scored: Sequence[Combination]) -> bool:
    """Whether the combination just scored is the one after which every card of the hand has been in one."""
    used = [set(chain.from_iterable(each.cards for each in some)) for some in (scored[:-1], scored)]
    return used[0] < set(hand) == used[1]


def _in_order(table: Table, seat: Seat) -> list[int]:
    """What a player has scored before the play: with the blank, and in each class (points)."""
    rules = table.rules
    made = dict.fromkeys(CLASSES, 0)
    for each in table.scored[seat]:
        made[rules.classes.by_id[each.meld].class_] += classes.worth(rules.classes, each.meld, each.cards)
    return [rules.blank.points if table.blanks[seat] is Blank.SCORED else 0, *made.values()]


def after_trick_points(table: Table, seat: Seat, points: int) -> Iterable[Event]:
    """A pique, where tricks bring elder to so many points before younger has any (cells `reckoning.pique.*`)."""
    rules, made = table.rules.reckoning, table.made[seat]
    if made < rules.pique_at or made - points >= rules.pique_at:
        return ()
    return (NoBonus(seat, "pique", PIQUE_BY),) if seat == table.dealer else _pique(table, seat)


def _pique(table: Table, seat: Seat) -> Iterator[Event]:
    rules = table.rules.reckoning
    younger = after(seat, table.players)
    good = rules.what_is_good_bars and younger in table.called.decided
    if table.made[younger] or good:
        yield NoBonus(seat, "pique", PIQUE_BARRED)
    else:
        yield Scored(seat, rules.pique, "pique", PIQUE + PIQUE_BARRED)


def before_the_play(
    table: Table, elder: Seat, hands: Sequence[Sequence[Card]], blanks: Sequence[Seat]
) -> tuple[tuple[int, ...], Grounds]:
    """What two hands bring each player before the play, if both call all they hold (points), and why."""
    rules, grounds = table.rules, [*ORDER, *REPIQUE_AT, *(BLANK if blanks else ())]
    made = [rules.blank.points if seat in blanks else 0 for seat in range(table.players)]
    good: list[list[Held]] = [[] for _ in made]
    ahead = [seat in blanks for seat in range(table.players)]
    for class_ in CLASSES:
        winner, why = class_winner(table, elder, class_, hands)
        grounds += why
        if winner is None:
            continue
        scoring = classes.good_ones(rules.classes, class_, hands[winner])
        grounds += SCORES_ALL if len(scoring) > 1 else ()
        for held in scoring:
            grounds.append(held.kind.path)
            before, made[winner] = made[winner], made[winner] + held.points
            if before < rules.reckoning.repique_at <= made[winner]:
                barred = any(ahead[:winner]) or any(ahead[winner + 1 :])
                grounds += REPIQUE_BARRED if barred else REPIQUE
                made[winner] += 0 if barred else rules.reckoning.repique
            good[winner].append(held)
        ahead[winner] = True
    for seat, hand in enumerate(hands):
        if rules.reckoning.carte_rouge and _could_be_red(rules.classes, hand, good[seat]):
            made[seat] += rules.reckoning.carte_rouge
    grounds += CARTE_ROUGE if rules.reckoning.carte_rouge else ()
    return tuple(made), tuple(grounds)


def _could_be_red(rules: classes.ClassRules, hand: Sequence[Card], good: Sequence[Held]) -> bool:
    """Whether every card of a hand is in something good; of points that are equally good, the caller chooses."""
    others = {card for held in good if held.kind.class_ != POINT for card in held.cards}
    points = [held for held in good if held.kind.class_ == POINT]
    choice = [each for each in classes.whole(rules, POINT, hand) for point in points if each.key == point.key]
    return any(others.union(each.cards) == set(hand) for each in choice) or others == set(hand)


def class_winner(
    table: Table, elder: Seat, class_: str, hands: Sequence[Sequence[Card]]
) -> tuple[Seat | None, Grounds]:
    """Whose combinations of a class are good if both call the best, and why; nobody's where both are equal."""
    rules, younger = table.rules.classes, after(elder, table.players)
    mine, theirs = (classes.whole(rules, class_, hands[seat])[:1] for seat in (elder, younger))
    why = classes.BEST[class_] + classes.makeup(class_, mine) + classes.makeup(class_, theirs)
    if not mine or not theirs:
        return (elder if mine else younger if theirs else None), why
    if mine[0].key == theirs[0].key:
        return None, (*why, "classes.equal")
    return (elder if mine[0].key > theirs[0].key else younger), why
