"""Mappings whose values are made when they are needed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

T = TypeVar("T")


class Lazily(Mapping[str, T]):
    """Values by name, each made when it is first looked up."""

    def __init__(self, names: Iterable[str], make: Callable[[str], T]) -> None:
        self._names, self._make = names if isinstance(names, Mapping) else dict.fromkeys(names), make
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._made:
            if name not in self._names:
                raise KeyError(name)
            self._made[name] = self._make(name)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
