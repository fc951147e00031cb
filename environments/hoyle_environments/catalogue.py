"""The action catalogue: a fixed number for each kind of action that a player can have in a game."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from hoyle import Action, Rules, UnknownNameError
from hoyle_reference import ClassRules
from hoyle_reference import Rules as CompiledRules
from hoyle_reference.acts import (
    ANSWERS,
    NOUGHT,
    POINT,
    SEQUENCE,
    SET,
    Act,
    Announce,
    Answer,
    CarteBlanche,
    Choose,
    Declare,
    Discard,
    Draw,
    Exchange,
    Hold,
    Peep,
    Play,
    Prove,
    Show,
    word_of,
)
from hoyle_reference.cards import RANKS, SEVEN, SUITS, name, rank_of, suit_of

#: What a player says who could act out of turn, and does not.
PASS: Final = "pass"  # noqa: S105 -- a word of the game
#: A card is put away in the exchange; the exchange ends with fewer cards than allowed.
PUT_AWAY: Final = "put-away"
PUT_NO_MORE: Final = "put-no-more"
_CARDS_OF_A_SUIT: Final = len(RANKS)


class Catalogue:
    """The numbers of the actions of a game, from 0 on. They depend on the rules alone, and never on a position.

    A number stands for one action, but for two kinds. A declaration is numbered by its combination and its suit, or its
    rank, and not by the copies of its cards: it stands for the first of the legal actions like it. An exchange is made
    card by card, as `NumberedGame` plays it, so that it has a number for each card and not for each set of cards.
    """

    def __init__(self, rules: Rules) -> None:
        self._rules, self._compiled = rules, rules._compiled
        names = dict.fromkeys(_names(self._compiled))
        self._numbers = {each: number for number, each in enumerate(names)}
        self._names = tuple(names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the actions, each at its number."""
        return self._names

    def __len__(self) -> int:
        """Return how many numbers there are."""
        return len(self._names)

    def __eq__(self, other: object) -> bool:
        return self._rules == other._rules if isinstance(other, Catalogue) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._rules)

    def __reduce__(self) -> tuple[type["Catalogue"], tuple[Rules]]:
        return Catalogue, (self._rules,)

    def number(self, action: Action | str) -> int:
        """Return the number of an action, or of a name in `names`; raises UnknownNameError if it has none."""
        spelt = action if isinstance(action, str) else self._name(action._act)
        if spelt not in self._numbers:
            remedy = "Catalogue.names has the names that have a number."
            raise UnknownNameError("no-number", f"no number for '{spelt[:80]}'", self._compiled.id, remedy)
        return self._numbers[spelt]

    def _number(self, act: Act) -> int:
        return self._numbers[self._name(act)]

    def _name(self, act: Act) -> str:
        """Return the name under which an act is numbered."""
        kind = word_of(type(act))
        match act:
            case Play() | Exchange() | Show():
                which = f" {name(act.card)}"
            case Declare() | Hold():
                which = f" {act.meld}{_which(self._compiled, act)}"
            case Announce():
                which = f" {act.class_}{_said(act)}"
            case Answer():
                which = f" {act.says}"
            case Choose():
                which = f" {act.choice}"
            case Peep():
                which = "" if act.suit is None else f" {SUITS[act.suit]}"
            case _:
                which = ""
        return kind + which


@lru_cache(maxsize=64)
def catalogue_of(rules: Rules) -> Catalogue:
    """Return the catalogue of a game, made once."""
    return Catalogue(rules)


def _which(rules: CompiledRules, act: Declare | Hold) -> str:
    """Return what tells a declaration from others of its combination: its suit, its suit and highest card, or its
    rank."""
    classes = rules.get(ClassRules)
    if classes is None:
        return f" {SUITS[suit_of(act.cards[0])]}" if _is_suited(rules, act.meld) else ""
    if not act.cards:
        return f" {NOUGHT}"
    class_, highest = classes.by_id[act.meld].class_, act.cards[-1]
    if class_ == SET:
        return f" {RANKS[rank_of(highest)]}"
    return f" {SUITS[suit_of(highest)]}" + (RANKS[rank_of(highest)] if class_ == SEQUENCE else "")


def _said(act: Announce) -> str:
    """Return what is said of a class: a number of cards, a value, a top card or a rank."""
    parts = (act.count, act.value, act.top, act.rank)
    return "".join(f" {key}:{part}" for key, part in zip(_KEYS, parts, strict=True) if part not in {None, ""})


_KEYS: Final = ("count", "value", "top", "rank")


def _is_suited(rules: CompiledRules, meld: str) -> bool:
    """Whether all cards of a combination are of one suit, whatever the trumps."""
    shapes = [shape for of_trumps in rules.declare.melds.by_id[meld].pattern.shapes for shape in of_trumps]
    return bool(shapes) and all(len({suit_of(face) for face in shape}) == 1 for shape in shapes)


# ---- all names


def _names(rules: CompiledRules) -> Iterator[str]:
    """Yield every name of an action that a game with these rules can have, in a fixed order."""
    yield PASS
    moves = rules.procedure.moves
    kinds = [kind for kind in _NAMED if kind in moves]
    for kind in kinds:
        yield from _NAMED[kind](rules, word_of(kind))


def _one(_rules: CompiledRules, kind: str) -> Iterator[str]:
    yield kind


def _cards(rules: CompiledRules, kind: str) -> Iterator[str]:
    yield from (f"{kind} {name(card)}" for card in rules.pack)


def _sevens(rules: CompiledRules, kind: str) -> Iterator[str]:
    yield from (f"{kind} {name(card)}" for card in rules.pack if rank_of(card) == SEVEN)


def _put_away(rules: CompiledRules, _kind: str) -> Iterator[str]:
    yield from _cards(rules, PUT_AWAY)
    yield PUT_NO_MORE


def _choices(rules: CompiledRules, kind: str) -> Iterator[str]:
    yield from (f"{kind} {choice}" for offer in rules.procedure.offers for choice in offer.choices)


def _looks(_rules: CompiledRules, kind: str) -> Iterator[str]:
    yield kind
    yield from (f"{kind} {suit}" for suit in SUITS)


def _answers(_rules: CompiledRules, kind: str) -> Iterator[str]:
    yield from (f"{kind} {says}" for says in ANSWERS)


def _combinations(rules: CompiledRules, kind: str) -> Iterator[str]:
    """Yield the names of declarations: by suit, by suit and highest card, or by rank."""
    classes = rules.get(ClassRules)
    if classes is None:
        for meld in rules.declare.melds.by_id:
            yield from ([f"{kind} {meld} {suit}" for suit in SUITS] if _is_suited(rules, meld) else [f"{kind} {meld}"])
        return
    for each in classes.by_id.values():
        if each.void:
            yield f"{kind} {each.id} {NOUGHT}"
        elif each.class_ == POINT:
            yield from (f"{kind} {each.id} {suit}" for suit in SUITS)
        elif each.class_ == SEQUENCE:
            yield from (f"{kind} {each.id} {suit}{top}" for suit in SUITS for top in RANKS[each.cards - 1 :])
        else:
            yield from (f"{kind} {each.id} {RANKS[rank]}" for rank in classes.set_ranks.value)


def _announcements(rules: CompiledRules, kind: str) -> Iterator[str]:
    """Yield the names of announcements: for each class numbers of cards, and the heights that are named when asked."""
    classes, counts = rules.of(ClassRules), range(_CARDS_OF_A_SUIT + 1)
    yield from (f"{kind} {class_} count:{count}" for class_ in (POINT, SEQUENCE) for count in counts)
    before = ["", *(f" count:{count}" for count in counts if classes.called_in_full)]
    heights = [f"{POINT}{{}} value:{value}" for value in range(sum(classes.pips.value) + 1)]
    heights += [f"{SEQUENCE}{{}} top:{top}" for top in (*RANKS, NOUGHT)]
    yield from (f"{kind} {height.format(number)}" for number in before for height in heights)
    sets = (f" count:{count} rank:{RANKS[rank]}" for count in sorted(classes.sets) for rank in classes.set_ranks.value)
    yield from (f"{kind} {SET}{each}" for each in (" count:0", *sets))
    yield f"{kind} blank"


#: The kinds of acts, each with what yields the names of those that a game can have.
_NAMED: Final = {
    Choose: _choices,
    Discard: _put_away,
    Peep: _looks,
    Prove: _one,
    Announce: _announcements,
    Answer: _answers,
    CarteBlanche: _one,
    Play: _cards,
    Declare: _combinations,
    Hold: _combinations,
    Exchange: _sevens,
    Show: _sevens,
    Draw: _one,
}
