"""Suggestions for a wrong name: the known names that are like it."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from typing import Final

_SHOWN_CHOICES: Final = 16
#: Of more names than this the first are no help: none is shown.
_MANY: Final = 200
#: So many names at most may have been meant.
_SHOWN_NEAR: Final = 4
#: No name is so long, in characters.
_LONGEST: Final = 200
#: From so much likeness on a name is near, where 1 is the same; so like is one that has all the words of another, or
#: ends in it.
_NEAR: Final = 0.6
_ALL_ITS_WORDS: Final = 0.8
_ITS_END: Final = 0.9
#: A name that is less like by more than this is not meant.
_APART: Final = 0.06


def nearest(word: str, known: Iterable[str], *, cutoff: float = _NEAR) -> str:
    """Return the known name most like `word`; empty if none is as like it as `cutoff` (1 is the same)."""
    if len(word) > _LONGEST:
        return ""

    return next(iter(get_close_matches(word, list(known), n=1, cutoff=cutoff)), "")


def near(word: str, known: Iterable[str]) -> list[str]:
    """Return the known names that `word` may mean, the likeliest first: those with nearly its spelling, and those that
    have all its words."""
    if len(word) > _LONGEST:
        return []

    names, words = list(known), _words(word)
    alike = get_close_matches(word, names, n=_SHOWN_NEAR, cutoff=_NEAR)
    likeness = {name: SequenceMatcher(None, name, word).ratio() for name in alike}
    for name in names if words else ():
        if words <= _words(name):
            enough = _ITS_END if name.endswith((f"/{word}", f"-{word}", f".{word}")) else _ALL_ITS_WORDS
            likeness[name] = max(likeness.get(name, 0), enough)
    least = max(likeness.values(), default=0) - _APART
    found = (name for name in likeness if likeness[name] >= least)
    return sorted(found, key=lambda name: (-likeness[name], len(name)))[:_SHOWN_NEAR]


def _words(name: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", name.lower()))


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the remedy for a wrong name: the names like it, or else the first known ones; empty if there are many of
    those."""
    names = list(known)
    if found := near(word, names):
        return f"Did you mean {either(found)}?"
    if not names or len(names) > _MANY:
        return ""
    more = ", …" if len(names) > _SHOWN_CHOICES else ""
    return f"Valid here: {', '.join(names[:_SHOWN_CHOICES])}{more}."


def either(names: Iterable[str]) -> str:
    """Return names in quotes as alternatives: ``'a', 'b' or 'c'``."""
    *others, last = [f"'{name}'" for name in names]
    return f"{', '.join(others)} or {last}" if others else last


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The remedy for a wrong name, searched for when it is printed: of a thousand mistakes most never are. `see` is a
    command that shows every name."""

    word: str
    known: Collection[str]
    see: str = ""

    def __str__(self) -> str:
        said = did_you_mean(self.word, self.known)
        return f"{said} '{self.see}' shows them all.".strip() if self.see else said
