"""The styles and scripts of a kind of page, whoever puts it into its frame."""

from collections.abc import Mapping
from typing import Final

#: The styles of a kind of page, by their names in docs/assets, where it is not one with the name of the kind.
_STYLES: Final[Mapping[str, tuple[str, ...]]] = {
    "home": ("home", "position"),
    "position": ("position",),
    "learn": ("learn", "position"),
    "term": ("terms",),
    "questions": ("comparison",),
    "irregularities": ("comparison",),
    "source": ("sources",),
    "game": ("rules",),
    "vocabulary": ("sources",),
    "table": ("position", "table", "table-panels"),
}
#: The scripts of the table, in the order in which each needs those before it.
_TABLE: Final = (
    *("link", "engine", "fields", "store", "head", "piles", "facts", "laying", "felt"),
    *("acting", "answers", "taking"),
)
#: The scripts of a kind of page; there is one on all of them, which searches.
_SCRIPTS: Final[Mapping[str, tuple[str, ...]]] = {
    "home": ("cards", "replay"),
    "rules": ("rules",),
    "position": ("cards", "replay"),
    "positions": ("positions",),
    "comparison": ("comparison",),
    "learn": ("cards", "replay"),
    "table": ("cards", *(f"table-{part}" for part in _TABLE), "table"),
}


def styles_of(kind: str) -> tuple[str, ...]:
    """The styles of a kind of page, by their names among the assets, beside those of every page."""
    return _STYLES.get(kind, (kind,))


def scripts_of(kind: str) -> tuple[str, ...]:
    """The scripts of a kind of page, likewise."""
    return _SCRIPTS.get(kind, ())
