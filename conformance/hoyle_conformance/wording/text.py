"""Text in lines of readable width, counts with their nouns, lists in words, and sanitizing of foreign text."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import TextWrapper
from typing import Final

_WIDTH: Final = 100
_LABEL: Final = 10
#: How a command for GitHub Actions begins, in whatever is printed there: ``::name`` at the beginning of a line, where
#: any word may come to stand, as may the end of one that is too long for a line; and ``##[name]`` anywhere.
_COMMAND: Final = re.compile(r"(?:(?<!\S)|(?<=\S{40})):(?=:)|#(?=#\[)")


def wrap(text: str, indent: int = 0, hanging: int = 0, *, width: int = _WIDTH) -> list[str]:
    """Return text in lines, indented by so many spaces, the lines after the first by `hanging` more."""
    first, rest = " " * indent, " " * (indent + hanging)
    if len(first) + len(text) <= width and text.isprintable() and text == text.strip() != "":
        return [first + text]  # as it mostly is
    return TextWrapper(width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False).wrap(text)


def with_label(label: str, text: str, *, whole: bool = False) -> Iterator[str]:
    """Yield text in lines beside its label, each paragraph wrapped unless it is to stay `whole`; none for no text."""
    for paragraph in text.split("\n") if text else ():
        for piece in [paragraph] if whole else wrap(paragraph) or [""]:
            yield f"  {label + ' ' * bool(label):<{_LABEL}}{piece}".rstrip()
            label = ""


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: ``1 check``, ``12 checks``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def join_and(items: Sequence[str], last: str = "and") -> str:
    """Return items in a row of words: ``a, b and c``."""
    return f"{', '.join(items[:-1])} {last} {items[-1]}" if len(items) > 1 else "".join(items)


def tally(words: Iterable[str]) -> str:
    """Return how often each word occurs, the most frequent first: ``2 crash, 1 timeout``."""
    counts = sorted(Counter(words).items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{count:,} {word}" for word, count in counts)


def sentence(text: str) -> str:
    """Return a phrase as a sentence."""
    end = "" if text.endswith(("?", ".", "…")) else "."
    return text[:1].upper() + text[1:] + end


def sanitize(text: str) -> str:
    """Return foreign text with replacements for whatever could move the cursor, change colours or be a command for
    GitHub Actions; line breaks stay."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() or char == "\n" else "�" for char in text)
    return _COMMAND.sub("�", text) if "::" in text or "##[" in text else text
