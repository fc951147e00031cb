"""Frozen dataclasses of the interpreter, whose methods are generated on first use.

`dataclass` generates and compiles all methods at once, though a command needs few methods of few classes. With it, one
check takes a sixth more processor time, and still a seventh more if a command imports only the chapters of its game.
"""

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields, make_dataclass
from types import MappingProxyType
from typing import Any, Final, NoReturn, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Make a class like `dataclass(frozen=True, slots=True)`, but generate each method on its first call."""
    made = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    for name in _WRITTEN:
        if vars(cls).get(name) is None:
            setattr(made, name, _standing_for(made, name))
    for name, method in _ALL_ALONG.items():
        if name not in vars(cls):
            setattr(made, name, method)
    return made


def _standing_for(cls: type[Any], name: str) -> Callable[..., Any]:
    """Return the stand-in for a method until its first call."""

    def first(self: object, *values: object, **named: object) -> Any:
        method = _beginning(cls) if name == "__init__" else _written(cls, name)
        setattr(cls, name, method)
        return method(self, *values, **named)

    return first


def _beginning(cls: type[Any]) -> Callable[..., None]:
    """Return the `__init__` of a class: it sets each field as given or by default, and calls `__post_init__`.
    `dataclass` would also generate other methods that are not needed."""
    heads, lines, default = ["self"], ["pass"], {}
    for each in fields(cls):
        name = value = each.name
        if each.default_factory is not MISSING:
            default[name], value = each.default_factory, f"_default[{name!r}]() if {name} is _made else {name}"
            heads.append(f"{name}=_made")
        elif each.default is not MISSING:
            default[name] = each.default
            heads.append(f"{name}=_default[{name!r}]")
        else:
            heads.append(name)
        lines.append(f"_set_{name}(self, {value})")
    lines += ["self.__post_init__()"] * hasattr(cls, "__post_init__")
    put = {f"_set_{each.name}": getattr(cls, each.name).__set__ for each in fields(cls)}  # the descriptor of its slot
    scope: dict[str, Any] = {**put, "_default": default, "_made": MISSING}
    exec(f"def __init__({', '.join(heads)}): {'; '.join(lines)}", scope)  # noqa: S102 -- only names of fields
    begin: Callable[..., None] = scope["__init__"]
    begin.__qualname__ = f"{cls.__qualname__}.__init__"
    return begin


def _written(cls: type[Any], name: str) -> Callable[..., Any]:
    """Return a method of the dataclass with the fields of a class."""
    described = [(each.name, each.type, each) for each in fields(cls)]
    twin = make_dataclass(
        cls.__name__,
        described,
        namespace={"__doc__": cls.__name__},  # else it is generated from the signature
        init=False,
        repr=name == "__repr__",
        eq=name == "__eq__",
        unsafe_hash=name == "__hash__",
    )
    method: Callable[..., Any] = vars(twin)[name]
    return method


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    raise FrozenInstanceError(f"'{name}' of {type(self).__name__} does not change")


def _made_again(self: Any) -> tuple[type[Any], tuple[Any, ...]]:
    """Return the class and the values of its fields, for a copy or another process."""
    return type(self), tuple(getattr(self, each.name) for each in fields(self) if each.init)


#: The methods generated for each class on first use.
_WRITTEN: Final = ("__init__", "__repr__", "__eq__", "__hash__")
#: The attributes of every such class, whatever its fields.
_ALL_ALONG: Final = MappingProxyType({"__setattr__": _refuse, "__delattr__": _refuse, "__reduce__": _made_again})
