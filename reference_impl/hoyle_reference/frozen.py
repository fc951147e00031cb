"""Frozen values: dataclasses that never change, whose methods are written when one of them is first needed.

For each class `dataclass` writes half a dozen functions and compiles them, which takes longer than all else a class
needs. There are some hundreds of kinds of acts, events, rules and results; a command makes values of few of them, and
compares hardly any.
"""

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields, make_dataclass
from types import MappingProxyType
from typing import Any, Final, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """The class as `dataclass(frozen=True, slots=True)` makes it; what that writes is written when it is needed."""
    made = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    for name, method in _AT_FIRST.items():
        if vars(cls).get(name) is None:
            setattr(made, name, method)
    return made


def _begin(self: object, *values: Any, **named: Any) -> None:
    """Begin the first value of a kind; `__init__` is there from now on."""
    cls = type(self)
    begin = _beginning(cls)
    if vars(cls).get("__init__") in {None, _begin}:
        setattr(cls, "__init__", begin)  # noqa: B010 -- a class as it is written has another
    begin(self, *values, **named)


def _beginning(cls: type[Any]) -> Callable[..., None]:
    """What begins a value: its fields in order, each given or as it is by default, and what the class adds to that.
    `dataclass` would write it along with much that is not needed."""
    scope: dict[str, Any] = {"_set": object.__setattr__, "_made": MISSING}
    heads, lines = ["self"], []
    for each in fields(cls):
        name, value = each.name, each.name
        if each.default_factory is not MISSING:
            scope[f"_{name}"], head = each.default_factory, f"{name}=_made"
            value = f"_{name}() if {name} is _made else {name}"
        elif each.default is not MISSING:
            scope[f"_{name}"], head = each.default, f"{name}=_{name}"
        else:
            head = name
        heads.append(head)
        lines.append(f"_set(self, {name!r}, {value})")
    lines += ["self.__post_init__()"] * hasattr(cls, "__post_init__")
    exec(f"def __init__({', '.join(heads)}):\n " + "\n ".join(lines or ["pass"]), scope)  # noqa: S102 -- of names of fields alone
    begin: Callable[..., None] = scope["__init__"]
    begin.__qualname__ = f"{cls.__qualname__}.__init__"
    return begin


def _at_first(name: str) -> Callable[..., Any]:
    """What stands for a method until it is first called."""

    def method(self: object, *others: object) -> Any:
        return _written(type(self), name)(self, *others)

    return method


def _written(cls: type[Any], name: str) -> Callable[..., Any]:
    """A method of the dataclass with the fields of a class, which has this and its like from now on."""
    described = [(each.name, each.type, each) for each in fields(cls)]
    with_a_docstring = {"__doc__": cls.__name__}  # else one is made, of a signature
    twin = make_dataclass(cls.__name__, described, namespace=with_a_docstring, init=False, unsafe_hash=True)
    for each in _COMPARING:
        if vars(cls).get(each) in {None, _AT_FIRST[each]}:
            setattr(cls, each, vars(twin)[each])
    method: Callable[..., Any] = vars(twin)[name]
    return method


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    raise FrozenInstanceError(f"'{name}' of {type(self).__name__} does not change")


def _made_again(self: Any) -> tuple[type[Any], tuple[Any, ...]]:
    """What a copy, or a value in another process, is made of."""
    return type(self), tuple(getattr(self, each.name) for each in fields(self) if each.init)


_COMPARING: Final = ("__repr__", "__eq__", "__hash__")
#: What every such class has before there is a value of it.
_AT_FIRST: Final = MappingProxyType(
    {
        "__init__": _begin,
        **{name: _at_first(name) for name in _COMPARING},
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__reduce__": _made_again,
    }
)
