"""Classes: the combinations of a hand that are called against each other, and which of two is the better.

There are three classes, called and reckoned in this order: the point (cards of one suit), the sequence (cards of one
suit in a row) and the set (cards of one rank). Within a class the greater number of cards is better, and of as many the
higher ones. An option may let a void suit stand for a combination.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType
from typing import Any, Final

from .cards import RANKS, SUITS, Card, rank_of, read_rank, suit_of
from .cells import Cells
from .refusals import Grounds, Malformed

POINT: Final = "point"
SEQUENCE: Final = "sequence"
SET: Final = "set"
CLASSES: Final = (POINT, SEQUENCE, SET)
#: How high a void suit stands among sequences, as a caller says it.
NOUGHT: Final = "nought"

BEST: Final[Mapping[str, Grounds]] = MappingProxyType(
    {each: (f"classes.{each}.best",) for each in CLASSES},
)
POINT_WORTH: Final[Grounds] = ("classes.point.points",)
POINT_VALUES: Final[Grounds] = ("classes.point.values",)
SET_RANKS: Final[Grounds] = ("classes.set.ranks",)
ONE_SUIT: Final[Grounds] = ("classes.sequence.of",)


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of combination: its class, of how many cards it is, and what it scores (points); the point scores by its
    cards. `void` marks what a void suit stands for."""

    id: str
    class_: str
    cards: int
    points: int
    void: bool
    path: str


@dataclass(frozen=True, slots=True)
class Held:
    """A combination that a hand holds: its kind, its cards, and how high it is among those of as many cards."""

    kind: Kind
    cards: tuple[Card, ...]
    count: int
    height: int
    points: int

    @property
    def key(self) -> tuple[int, int]:
        """What decides between two of a class: the number of cards, then the height."""
        return self.count, self.height


@dataclass(frozen=True, slots=True)
class ClassRules:
    """The kinds of combinations, the pips of each rank for the point, the ranks that make sets, what a void suit stands
    for, and whether parts of a longer combination may be called."""

    by_id: Mapping[str, Kind]
    pips: tuple[int, ...]
    set_ranks: tuple[int, ...]
    sequences: Mapping[int, Kind]
    sets: Mapping[int, Kind]
    void_value: int
    void_below: int
    parts_too: bool
    winner_scores_all: bool


def read(cells: Cells) -> ClassRules:
    """The rules of this chapter, from the table."""
    kinds = {POINT: Kind(POINT, POINT, 0, 0, void=False, path=POINT_WORTH[0])}
    for row in (*cells.rows("classes.combinations"), *cells.rows("classes.nought")):
        fields: Mapping[str, Any] = row.value
        void = row.path.startswith("classes.nought")
        kinds[fields["id"]] = Kind(
            fields["id"], fields["class"], fields["cards"], fields["points"], void=void, path=row.path
        )
    nought = {row.value["class"]: row.value for row in cells.rows("classes.nought")}
    pips = [0] * len(RANKS)
    for rank, value in zip(reversed(RANKS), cells["classes.point.values"].value, strict=True):
        pips[read_rank(rank)] = value
    return ClassRules(
        by_id=MappingProxyType(kinds),
        pips=tuple(pips),
        set_ranks=tuple(map(read_rank, cells.words("classes.set.ranks"))),
        sequences=_by_length(kinds, SEQUENCE),
        sets=_by_length(kinds, SET),
        void_value=nought[POINT]["value"] if POINT in nought else 0,
        void_below=2 * read_rank(nought[SEQUENCE]["below"]) - 1 if SEQUENCE in nought else 0,
        parts_too=cells.word("classes.sinking") == "parts-too",
        winner_scores_all=cells.word("classes.winner_scores") == "all-of-the-class",
    )


def _by_length(kinds: Mapping[str, Kind], class_: str) -> Mapping[int, Kind]:
    return MappingProxyType(
        {each.cards: each for each in kinds.values() if each.class_ == class_ and not each.void and each.points}
    )


def whole(rules: ClassRules, class_: str, hand: Sequence[Card]) -> list[Held]:
    """Every combination of a class in a hand, each as long as it can be, the best first."""
    suits = [[card for card in hand if suit_of(card) == suit] for suit in range(len(SUITS))]
    found = [*_FIND[class_](rules, suits), *_void(rules, class_, suits)]
    return sorted(found, key=lambda held: (-held.count, -held.height, held.cards))


def callable_(rules: ClassRules, class_: str, hand: Sequence[Card]) -> list[Held]:
    """Every combination of a class that a player may call, the best first: whole ones, or parts of them too (cell
    `classes.sinking`)."""
    found = whole(rules, class_, hand)
    if not rules.parts_too or class_ == POINT:
        return found
    parts = {part.cards: part for held in found if held.cards for part in _parts(rules, held)}
    voids = [held for held in found if not held.cards]
    return sorted([*voids, *parts.values()], key=lambda held: (-held.count, -held.height, held.cards))


def _parts(rules: ClassRules, held: Held) -> Iterator[Held]:
    if held.kind.class_ == SEQUENCE:
        for size, kind in rules.sequences.items():
            for at in range(len(held.cards) - size + 1):
                cards = held.cards[at : at + size]
                yield Held(kind, cards, size, 2 * rank_of(cards[-1]), kind.points)
    else:
        for size, kind in rules.sets.items():
            for cards in combinations(held.cards, size):
                yield Held(kind, cards, size, held.height, kind.points)


def _points(rules: ClassRules, suits: Sequence[Sequence[Card]]) -> Iterator[Held]:
    kind = rules.by_id[POINT]
    for cards in filter(None, suits):
        value = sum(rules.pips[rank_of(card)] for card in cards)
        yield Held(kind, tuple(sorted(cards)), len(cards), value, len(cards))


def _sequences(rules: ClassRules, suits: Sequence[Sequence[Card]]) -> Iterator[Held]:
    for cards in suits:
        for run in _runs(sorted(cards)):
            if kind := rules.sequences.get(len(run)):
                yield Held(kind, run, len(run), 2 * rank_of(run[-1]), kind.points)


def _runs(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """The cards of one suit, lowest first, cut wherever a rank is missing."""
    start = 0
    for at in range(1, len(cards) + 1):
        if at == len(cards) or cards[at] != cards[at - 1] + 1:
            yield tuple(cards[start:at])
            start = at


def _sets(rules: ClassRules, suits: Sequence[Sequence[Card]]) -> Iterator[Held]:
    cards = [card for suit in suits for card in suit]
    for rank in rules.set_ranks:
        alike = tuple(card for card in cards if rank_of(card) == rank)
        if kind := rules.sets.get(len(alike)):
            yield Held(kind, alike, len(alike), rank, kind.points)


def _void(rules: ClassRules, class_: str, suits: Sequence[Sequence[Card]]) -> Iterator[Held]:
    """What void suits stand for, where an option lets them."""
    for kind in rules.by_id.values():
        if kind.void and kind.class_ == class_:
            height = rules.void_value if class_ == POINT else rules.void_below
            yield from (Held(kind, (), kind.cards, height, kind.points) for suit in suits if not suit)


_FIND: Final = MappingProxyType({POINT: _points, SEQUENCE: _sequences, SET: _sets})


def good_ones(rules: ClassRules, class_: str, hand: Sequence[Card]) -> list[Held]:
    """What the player who has the best of a class scores: the point, or every sequence or set (cell
    `classes.winner_scores`)."""
    found = whole(rules, class_, hand)
    return found if class_ != POINT and rules.winner_scores_all else found[:1]


def worth(rules: ClassRules, meld: str, cards: Sequence[Card]) -> int:
    """What cards score as a combination of this kind (points); 0 if they are none."""
    kind = rules.by_id[meld]
    if kind.void:
        return kind.points if not cards else 0
    held = callable_(rules, kind.class_, cards)
    return next((each.points for each in held if each.kind == kind and len(each.cards) == len(cards)), 0)


def height_said(class_: str, height: str, rules: ClassRules) -> int:
    """How high a combination is that a player has called so: pips, a top card or a rank; raises Malformed for a word
    that says no height."""
    if class_ == POINT:
        return int(height)
    if class_ == SEQUENCE and height == NOUGHT and rules.void_below:
        return rules.void_below
    if height not in tuple(RANKS):
        raise Malformed(f"no rank {height!r}")
    return read_rank(height) * (2 if class_ == SEQUENCE else 1)


def said(held: Held) -> str:
    """How high a combination is, as a player calls it."""
    if held.kind.class_ == POINT:
        return str(held.height)
    return NOUGHT if held.kind.void else RANKS[rank_of(held.cards[-1])]
