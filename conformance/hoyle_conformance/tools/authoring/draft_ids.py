"""Ids that a new scenario may have: none that is in use, or was given to another once."""

from collections.abc import Iterable
from typing import NamedTuple

from hoyle_conformance.suite.suite import Suite


class NameTaken(NamedTuple):
    """Why a name cannot be had, and the remedy."""

    says: str
    remedy: str


def taken(suite: Suite, name: str) -> NameTaken | None:
    """Why a new scenario cannot have a name that could be one; nothing where it can."""
    if name in suite.scenarios:
        return NameTaken(
            f"there is a scenario '{name}' already", f"'hoyle explain {name}' shows it: choose another name."
        )
    for line in suite.lock.splitlines():
        kind, published, *more = [*line.split(maxsplit=2), ""]
        if (kind, published) == ("scenario", name):
            was = f" ({more[0]})" if more[0] else ""
            return NameTaken(f"'{name}' was the id of another scenario once{was}", "Ids stay for ever: choose another.")
    return None


def first_free(suite: Suite, names: Iterable[str]) -> str:
    """The first of some names that a new scenario can have."""
    return next(name for name in names if taken(suite, name) is None)
