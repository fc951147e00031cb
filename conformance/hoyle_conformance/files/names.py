"""Names: the one that was meant, where another was written."""

from collections.abc import Iterable
from typing import Final

_SHOWN_CHOICES: Final = 12


def nearest(word: str, known: Iterable[str]) -> str:
    """The known name most like `word`, or nothing."""
    from difflib import get_close_matches  # hardly ever is a name wrong

    return next(iter(get_close_matches(word, list(known), n=1, cutoff=0.6)), "")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The remedy for a wrong name: the nearest one, or all where they are few."""
    names = list(known)
    if near := nearest(word, names):
        return f"Did you mean '{near}'?"
    if not names:
        return ""
    more = ", …" if len(names) > _SHOWN_CHOICES else ""
    return f"Known here: {', '.join(names[:_SHOWN_CHOICES])}{more}."
