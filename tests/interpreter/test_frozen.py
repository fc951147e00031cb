"""Frozen values: what `frozen` makes of a class is what `dataclass` makes of it, whenever its methods are written."""

import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoyle_reference.frozen import frozen

pytestmark = pytest.mark.interpreter

anything = st.one_of(st.none(), st.integers(), st.sampled_from(["", "A♠", "'"]), st.tuples(st.booleans()))
#: The names of fields, and what stands in each where nothing is given; those with nothing come first.
described = st.dictionaries(st.sampled_from("abcdef"), st.none() | st.tuples(anything), max_size=5).map(
    lambda found: dict(sorted(found.items(), key=lambda each: each[1] is not None))
)


def of(names: dict[str, tuple[Any] | None], make: Callable[[type], type[Any]]) -> type[Any]:
    """A class with these fields, made in one way."""
    defaults = {name: default[0] for name, default in names.items() if default}
    body = {"__annotations__": dict.fromkeys(names, object), "__doc__": "A value.", "__module__": __name__, **defaults}
    return make(type("Value", (), body))


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(described, st.data())
def test_frozen_class_equals_a_dataclass(names: dict[str, tuple[Any] | None], data: st.DataObject) -> None:
    ours, theirs = of(names, frozen), of(names, dataclass(frozen=True, slots=True))
    given_ones = st.fixed_dictionaries(
        {name: anything for name, default in names.items() if not default},
        optional={name: anything for name, default in names.items() if default},
    )
    one, other = data.draw(given_ones), data.draw(given_ones)
    first, twin = ours(**one), theirs(**one)
    assert repr(first) == repr(twin)
    assert hash(first) == hash(twin)
    assert (first == ours(**other)) == (twin == theirs(**other))
    assert first != twin
    assert repr(replace(first, **other)) == repr(replace(twin, **other))
    assert repr(ours(*(getattr(twin, each.name) for each in fields(twin)))) == repr(twin)
    assert (ours.__match_args__, ours.__slots__) == (theirs.__match_args__, theirs.__slots__)
    for same in (copy(first), deepcopy(first)):
        assert same == first
    for name in (*names, "no such field"):
        with pytest.raises(FrozenInstanceError, match=f"'{name}' of Value does not change"):
            setattr(first, name, 1)
        with pytest.raises(FrozenInstanceError):
            delattr(first, name)
    assert repr(first) == repr(twin)


@pytest.mark.parametrize("wrong", [{"a": 1}, {"a": 1, "b": 2, "c": 3}])
def test_a_value_has_all_its_fields_and_no_others(wrong: dict[str, int]) -> None:
    value = of({"a": None, "b": None}, frozen)
    for _ in range(2):  # before its methods are written and after
        with pytest.raises(TypeError, match=r"__init__\(\)"):
            value(**wrong)
    assert value(1, 2).b == 2


@frozen
class Pile:
    """Cards on the table, in order."""

    cards: tuple[str, ...]
    face_up: bool = True
    seen: list[str] = field(default_factory=list, compare=False, repr=False)
    most: ClassVar[int] = 128

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", tuple(sorted(self.cards)))

    def __repr__(self) -> str:
        return f"Pile of {len(self.cards)}"

    def __hash__(self) -> int:
        return len(self.cards)


@frozen
class Talon(Pile):
    """A pile that is drawn from."""

    left: int = 3


@frozen
class Trick:
    """Cards that are carried elsewhere as their number."""

    cards: tuple[str, ...]

    def __reduce__(self) -> tuple[type[int], tuple[int]]:
        return int, (len(self.cards),)


class Stock(Talon):
    """Has the fields of another, and none of its own."""


@frozen
class Trumps:
    """The suit that is trumps."""

    suit: str


class Hearts(Trumps):
    """Begins with nothing, since it says itself what it is."""

    def __init__(self) -> None:
        super().__init__("H")


def test_a_class_that_begins_its_own_way_does_so_every_time() -> None:
    assert [Hearts(), Hearts(), Trumps("H")] == [Hearts()] * 2 + [Trumps("H")]
    assert repr(Hearts()) == "Hearts(suit='H')"
    assert Hearts() != Trumps("H")


def test_what_a_class_has_of_its_own_stays() -> None:
    pile = Pile(("KS", "AS"))
    assert (pile.cards, pile.face_up, pile.seen, Pile.most) == (("AS", "KS"), True, [], 128)
    assert (repr(pile), hash(pile)) == ("Pile of 2", 2)
    assert pile == Pile(("AS", "KS"), seen=["KS"]) != Pile(("AS",))


def test_a_class_that_is_made_of_another_has_its_fields_first() -> None:
    talon, stock = Talon(("AS",), left=2), Stock(("AS",), left=2)
    assert [each.name for each in fields(talon)] == ["cards", "face_up", "seen", "left"]
    assert (talon.left, stock.left) == (2, 2)
    assert talon != stock
    assert Pile(("AS",)) != talon


def test_a_value_goes_to_another_process() -> None:
    assert copy(Trick(("AS", "KS"))) == 2  # type: ignore[comparison-overlap]  # what it is carried as
    pile = Talon(("AS", "KS"), face_up=False)
    assert pickle.loads(pickle.dumps(pile)) == pile  # noqa: S301 -- it was written just now
