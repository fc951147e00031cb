"""The combinations of a hand that are called against each other, and the comparison of two of them.

There are three classes, called and reckoned in this order: the point (cards of one suit), the sequence (cards of one
suit in a row) and the set (cards of one rank). Within a class the combination with more cards is better; with equal
numbers, the higher one. An option may let a void suit stand for a combination.

Implements SEMANTICS-PIQUET.md, class-1 to class-5, nought-1 and sink-1.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import Any, Final

from ...acts import CLASSES, NOUGHT, POINT, SEQUENCE, SET
from ...cards import RANKS, SUITS, Card, rank_of, read_rank
from ...cells import Cells, Rule, cell, equals, word, words
from ...refusals import Grounds, Malformed

#: A point whose value ends in four scores one less than its cards.
LESS_AT_FOUR: Final = "one-a-card-less-one-in-four"
#: Younger scores the combinations of a class in any order.
IN_ANY_ORDER: Final = "after-the-lead-in-any-order"
#: Elder scores a better sequence or set than the one called: always, or if no card out can make one as good as it.
ANY_OTHER: Final = "any-other"
GOOD_AGAINST_THE_CARDS: Final = "better-if-good-against-the-cards"
#: The number of cards with whose play elder may no longer score a class.
_CLOSED_BY: Final[Mapping[str, int]] = MappingProxyType({"before-the-lead": 1, "until-younger-plays": 2})


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """One kind of combination: its class, its number of cards, and its score (points); a point scores by its cards.
    `void` marks a kind that a void suit stands for."""

    id: str
    class_: str
    cards: int
    points: int
    void: bool
    path: str


@dataclass(frozen=True, slots=True, eq=False)
class Holding:
    """A combination that a hand holds: its kind, its cards, and its height among those with the same
    number of cards."""

    kind: Kind
    cards: tuple[Card, ...]
    count: int
    height: int
    points: int

    @property
    def key(self) -> tuple[int, int]:
        """The key that orders two combinations of a class: the number of cards, then the height."""
        return self.count, self.height


def _pips(values: Sequence[int]) -> tuple[int, ...]:
    """Return the value of a card of each rank (pips), from a list that begins with the ace."""
    pips = [0] * len(RANKS)
    for rank, value in zip(reversed(RANKS), values, strict=True):
        pips[read_rank(rank)] = value
    return tuple(pips)


def _ranks(value: Any) -> tuple[int, ...]:
    return tuple(map(read_rank, words(value)))


def _closed_by(value: Any) -> int:
    return _CLOSED_BY[word(value)]


@dataclass(frozen=True, slots=True, eq=False)
class ClassRules:
    """The kinds of combinations, the makeup and comparison of each class, the rules for calling and scoring, the values
    of a void suit, and whether parts of a longer combination may be called."""

    by_id: Mapping[str, Kind]
    best: Mapping[str, Rule[str]]
    point_worth: Rule[str]
    sequences: Mapping[int, Kind]
    sets: Mapping[int, Kind]
    void_value: int
    void_below: int
    pips: Rule[tuple[int, ...]] = cell("classes.point.values", _pips)
    sequence_of: Rule[str] = cell("classes.sequence.of", word)
    set_ranks: Rule[tuple[int, ...]] = cell("classes.set.ranks", _ranks)
    first: Rule[str] = cell("classes.first", word)
    order: Rule[bool] = cell("classes.order", equals("point-then-any"))
    replies: Rule[str] = cell("classes.replies", word)
    asking_binds: Rule[str] = cell("classes.asking", word, otherwise="")
    equal: Rule[str] = cell("classes.equal", word)
    specified: Rule[str] = cell("classes.specified", word)
    elder_until: Rule[int] = cell("classes.elder_scores", _closed_by, otherwise=0)
    younger_scores: Rule[str] = cell("classes.younger_scores", word)
    parts_too: Rule[bool] = cell("classes.sinking", equals("parts-too"))
    better_after_good: Rule[str] = cell("classes.after_good", word)
    winner_scores_all: Rule[bool] = cell("classes.winner_scores", equals("all-of-the-class"))

    @property
    def called_in_full(self) -> bool:
        """Whether elder calls the height of a point or sequence with its number of cards."""
        return self.replies.value == "in-full"

    @property
    def elder_scores_late(self) -> bool:
        """Whether elder may still score what is good after leading."""
        return self.elder_until.value > 1


def read(cells: Cells) -> ClassRules:
    """Compile the cells of this chapter."""
    point_worth = cells.rule("classes.point.points", word)
    kinds = {POINT: Kind(POINT, POINT, 0, 0, void=False, path=point_worth.grounds[0]), **dict(_kinds(cells))}
    nought = {row.value["class"]: row.value for row in cells.rows("classes.nought")}
    return cells.compiled(
        ClassRules,
        by_id=MappingProxyType(kinds),
        best=MappingProxyType({each: cells.rule(f"classes.{each}.best", word) for each in CLASSES}),
        point_worth=point_worth,
        sequences=_by_length(kinds, SEQUENCE),
        sets=_by_length(kinds, SET),
        void_value=nought[POINT]["value"] if POINT in nought else 0,
        void_below=2 * read_rank(nought[SEQUENCE]["below"]) - 1 if SEQUENCE in nought else 0,
    )


def _kinds(cells: Cells) -> Iterator[tuple[str, Kind]]:
    """Yield the kinds of combinations: those of ordinary cards, and those that a void suit stands for."""
    for void, rows in ((False, cells.rows("classes.combinations")), (True, cells.rows("classes.nought"))):
        for row in rows:
            fields: Mapping[str, Any] = row.value
            yield fields["id"], Kind(fields["id"], fields["class"], fields["cards"], fields["points"], void, row.path)


def _by_length(kinds: Mapping[str, Kind], class_: str) -> Mapping[int, Kind]:
    return MappingProxyType(
        {each.cards: each for each in kinds.values() if each.class_ == class_ and not each.void and each.points}
    )


def makeup(rules: ClassRules, class_: str, held: Sequence[Holding]) -> Grounds:
    """Return the cells that define how a class is made up, and the kind of its best one among these combinations."""
    made_of = {POINT: rules.pips.grounds, SEQUENCE: rules.sequence_of.grounds, SET: rules.set_ranks.grounds}[class_]
    return (*made_of, *(each.kind.path for each in held[:1]))


def whole_combinations(rules: ClassRules, class_: str, hand: Sequence[Card]) -> list[Holding]:
    """Return every maximal combination of a class in a hand, best first."""
    if class_ == SET:
        found = _sets(rules, hand)
    else:
        suits = [tuple(sorted([card for card in hand if card >> 3 == suit])) for suit in range(len(SUITS))]
        found = [held for cards in suits for held in _of_suit(rules, class_, cards)]
    return sorted(found, key=_best_first) if len(found) > 1 else found


def _best_first(held: Holding) -> tuple[int, int, tuple[Card, ...]]:
    return -held.count, -held.height, held.cards


@lru_cache(maxsize=8192)
def callable_(rules: ClassRules, class_: str, hand: tuple[Card, ...]) -> Sequence[Holding]:
    """Return every combination of a class that a player may call, best first: maximal ones, or parts of them too (cell
    `classes.sinking`)."""
    found = whole_combinations(rules, class_, hand)
    if not rules.parts_too.value or class_ == POINT:
        return found
    parts = {part.cards: part for held in found if held.cards for part in _parts(rules, held)}
    voids = [held for held in found if not held.cards]
    return sorted([*voids, *parts.values()], key=_best_first)


def _parts(rules: ClassRules, held: Holding) -> Iterator[Holding]:
    if held.kind.class_ == SEQUENCE:
        for size, kind in rules.sequences.items():
            for at in range(len(held.cards) - size + 1):
                cards = held.cards[at : at + size]
                yield Holding(kind, cards, size, 2 * rank_of(cards[-1]), kind.points)
    else:
        for size, kind in rules.sets.items():
            for cards in combinations(held.cards, size):
                yield Holding(kind, cards, size, held.height, kind.points)


@lru_cache(maxsize=8192)
def _of_suit(rules: ClassRules, class_: str, cards: tuple[Card, ...]) -> tuple[Holding, ...]:
    """Return the point or the sequences in the cards of one suit, lowest first; for a void suit, the combinations that
    an option allows."""
    if not cards:
        return tuple(_void(rules, class_))
    if class_ == POINT:
        value = sum(rules.pips.value[rank_of(card)] for card in cards)
        one_less = rules.point_worth.value == LESS_AT_FOUR and str(value).endswith("4")
        return (Holding(rules.by_id[POINT], cards, len(cards), value, len(cards) - one_less),)
    return tuple(
        Holding(kind, run, len(run), 2 * rank_of(run[-1]), kind.points)
        for run in _runs(cards)
        if (kind := rules.sequences.get(len(run)))
    )


def _runs(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield runs of the cards of one suit, lowest first, split at each missing rank."""
    start = 0
    for at in range(1, len(cards) + 1):
        if at == len(cards) or cards[at] != cards[at - 1] + 1:
            yield tuple(cards[start:at])
            start = at


def _sets(rules: ClassRules, hand: Sequence[Card]) -> list[Holding]:
    ranks = [card & 7 for card in hand]
    found = []
    for rank in rules.set_ranks.value:
        if kind := rules.sets.get(ranks.count(rank)):
            alike = tuple(sorted(card for card in hand if card & 7 == rank))
            found.append(Holding(kind, alike, len(alike), rank, kind.points))
    return found


def _void(rules: ClassRules, class_: str) -> Iterator[Holding]:
    """Yield the combinations that a void suit stands for, if an option allows it."""
    for kind in rules.by_id.values():
        if kind.void and kind.class_ == class_:
            height = rules.void_value if class_ == POINT else rules.void_below
            yield Holding(kind, (), kind.cards, height, kind.points)


def good_ones(rules: ClassRules, class_: str, hand: Sequence[Card]) -> list[Holding]:
    """Return the combinations that the winner of a class scores: the point, or every sequence or set (cell
    `classes.winner_scores`)."""
    found = whole_combinations(rules, class_, hand)
    return found if class_ != POINT and rules.winner_scores_all.value else found[:1]


def worth(rules: ClassRules, meld: str, cards: Sequence[Card]) -> int:
    """Return the score of cards as a combination of this kind (points); 0 if they do not form one."""
    kind = rules.by_id[meld]
    if kind.void:
        return kind.points if not cards else 0
    held = callable_(rules, kind.class_, tuple(cards))
    return next((each.points for each in held if each.kind == kind and len(each.cards) == len(cards)), 0)


def height_said(class_: str, height: str, rules: ClassRules) -> int:
    """Return the height that a word names: pips, a top card or a rank; raise Malformed for any other word."""
    if class_ == POINT and height.isascii() and height.isdecimal():
        return int(height)
    if class_ == SEQUENCE and height == NOUGHT and rules.void_below:
        return rules.void_below
    if class_ == POINT or height not in tuple(RANKS):
        raise Malformed(f"a {class_} is not as high as {height!r}")
    return read_rank(height) * (2 if class_ == SEQUENCE else 1)


def said(held: Holding) -> str:
    """Return the height of a combination, as a player calls it."""
    if held.kind.class_ == POINT:
        return str(held.height)
    return NOUGHT if held.kind.void else RANKS[rank_of(held.cards[-1])]
