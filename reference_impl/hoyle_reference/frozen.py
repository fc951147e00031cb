"""Frozen values: dataclasses that never change, whose methods are written when the first value of their kind is made.

For each class `dataclass` writes half a dozen functions and compiles them, which takes longer than all else a class
needs. There are some hundreds of kinds of acts, events, rules and results, and a command meets few of them.
"""

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields, make_dataclass
from types import MappingProxyType
from typing import Any, Final, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """The class as `dataclass(frozen=True, slots=True)` makes it; what that writes is written when it is needed."""
    made = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    for name, method in _AT_FIRST.items():
        if name not in vars(cls):
            setattr(made, name, method)
    return made


def _write_and_begin(self: object, *values: Any, **named: Any) -> None:
    """Begin the first value of a kind, whose methods are there from now on."""
    begin = _write(type(self))
    begin(self, *values, **named)


def _write(cls: type[Any]) -> Callable[..., None]:
    """Give a class the methods of a frozen dataclass with its fields, but for those of its own; and say what begins a
    value."""
    of_its_own = {name: getattr(cls, name) for name in ("__doc__", "__post_init__") if hasattr(cls, name)}
    described = [(each.name, each.type, each) for each in fields(cls)]
    twin = make_dataclass(cls.__name__, described, namespace=of_its_own, frozen=True)
    for name in ("__repr__", "__eq__", "__hash__", "__init__"):  # in this order: with the last one they are all there
        if vars(cls).get(name) in {None, _write_and_begin}:
            setattr(cls, name, vars(twin)[name])
    begin: Callable[..., None] = vars(twin)["__init__"]
    return begin


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    raise FrozenInstanceError(f"'{name}' of {type(self).__name__} does not change")


def _made_again(self: Any) -> tuple[type[Any], tuple[Any, ...]]:
    """What a copy, or a value in another process, is made of."""
    return type(self), tuple(getattr(self, each.name) for each in fields(self) if each.init)


#: What every such class has before there is a value of it.
_AT_FIRST: Final = MappingProxyType(
    {"__init__": _write_and_begin, "__setattr__": _refuse, "__delattr__": _refuse, "__reduce__": _made_again}
)
