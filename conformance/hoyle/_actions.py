"""Actions: the acts of players and of chance, as values with one line of text."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import cache, total_ordering
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from hoyle._errors import NotationError
from hoyle._notation import A_CARD, CARD_KEYS, Reader, read_action, read_json, write_action
from hoyle_reference import ACTS, Malformed, read_act, write_act
from hoyle_reference import Rules as CompiledRules
from hoyle_reference.acts import Act, Discards, by
from hoyle_reference.seats import seat_or_none

_HOW: Final = f"An action is written like 'A play KS', or as the JSON of the protocol. {A_CARD}"


@total_ordering
class Action:
    """One act of a player, or of chance: a value that compares, sorts by its text, hashes and prints as one line.

    `Action.from_text`, `Game.legal_actions`, `Game.action` and `ChanceOutcomes` return actions. Two actions are equal
    if they are the same act of the same player with the same cards, in whatever game.
    """

    __slots__ = ("_act",)

    def __init__(self, act: Act) -> None:
        self._act = act

    @classmethod
    def from_text(cls, text: str) -> "Action":
        """Return the action that a text spells, in whatever game it may be done; raises NotationError if it spells
        none.

        >>> Action.from_text("A play KS").cards
        ('KS',)
        """
        return action_from(None, text)

    @property
    def player(self) -> str | None:
        """The seat of the player who acts, or None for the cut, which all players do."""
        return seat_or_none(by(self._act))

    @property
    def kind(self) -> str:
        """The word for the act: play, declare, draw and so on."""
        return str(self.to_json()["do"])

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that the action names, such as KS or TH#2."""
        spelt = self.to_json()
        named = next((spelt[key] for key in CARD_KEYS if key in spelt), ())
        return (named,) if isinstance(named, str) else tuple(named)

    def to_json(self) -> dict[str, Any]:
        """Return the action as the protocol spells it: ``{"by": "A", "do": "play", "card": "KS"}``."""
        return write_act(self._act)

    def __str__(self) -> str:
        return write_action(self.to_json())

    def __repr__(self) -> str:
        return f"Action.from_text({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return self._act == other._act if isinstance(other, Action) else NotImplemented

    def __lt__(self, other: object) -> bool:
        return str(self) < str(other) if isinstance(other, Action) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._act)


def action_from(rules: CompiledRules | None, spelt: object) -> Action:
    """Return the action that a text or a mapping describes, in a game with these rules or in any game; raise
    NotationError for anything else."""
    if isinstance(spelt, Action):
        if rules is None or (by(spelt._act) or 0) < rules.players:
            return spelt
        spelt = spelt.to_json()
    if isinstance(spelt, str):
        reader = Reader(spelt)
        act = read_action(reader, act_fields())
        if not reader.is_done:
            reader.fail("the action ends here")
        return action_of(rules, act, repr(spelt[:80]))
    return action_of(rules, read_json(spelt, "the action"), "the action")


def action_of(rules: CompiledRules | None, spelt: Any, place: str) -> Action:
    """Return the action that plain data describes; raise NotationError, which names this place."""
    if not isinstance(spelt, Mapping):
        raise NotationError("bad-action", "an action is a text or a mapping", place, _HOW)
    try:
        return Action(read_act(rules, spelt))
    except Malformed as malformed:
        raise NotationError("bad-action", str(malformed), place, _HOW) from malformed


@cache
def act_fields() -> Mapping[str, Mapping[str, bool]]:
    """Return the keys of every act, and whether the act requires them."""
    return {
        word: {each.name.rstrip("_"): each.default is MISSING for each in fields(act)}  # type: ignore[arg-type]
        for word, act in ACTS.items()
    }


def exchanges_in(parts: Sequence[Sequence[Act]]) -> Discards | None:
    """Return the part of the legal acts with the exchanges, if there is one."""
    return next((part for part in parts if isinstance(part, Discards)), None)


def in_order(acts: Iterable[Act]) -> Iterator[Act]:
    """Return acts with those of one kind sorted by their words and cards; the order of the kinds is kept.

    The interpreter lists acts in the order in which cards were dealt and drawn, which a position does not contain.
    """
    for kind, alike in groupby(acts, type):
        yield from sorted(alike, key=_order_of(kind))


@cache
def _order_of(kind: type[Act]) -> Callable[[Act], Any]:
    """Return a sort key for the acts of one kind: their fields, with None first."""
    described = fields(kind)  # type: ignore[arg-type]  # every act is a dataclass
    get = attrgetter("by", *(each.name for each in described if each.name != "by"))
    if all(each.default is not None for each in described):
        return get
    return lambda act: [(value is not None, value) for value in get(act)]
