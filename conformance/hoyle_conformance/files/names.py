"""Names: the one that was meant, where another was written."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

_SHOWN_CHOICES: Final = 12
#: No name is so long, in characters.
_LONGEST: Final = 200


def nearest(word: str, known: Iterable[str]) -> str:
    """The known name most like `word`, or nothing."""
    if len(word) > _LONGEST:
        return ""
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


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The remedy for a wrong name, looked for when it is shown: of a thousand mistakes most never are."""

    word: str
    known: Collection[str]

    def __str__(self) -> str:
        return did_you_mean(self.word, self.known)
