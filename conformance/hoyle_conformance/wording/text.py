"""Text utilities: lines of readable width, counts with nouns, lists in words, and sanitizing of foreign text."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import TextWrapper
from typing import Final

_WIDTH: Final = 100
_LABEL: Final = 10
#: Match the beginning of a command for GitHub Actions in any printed text. ``::name`` is one at the beginning of a
#: line, where wrapping may place any word, or the end of a word that is too long; ``##[name]`` is one anywhere.
_COMMAND: Final = re.compile(r"(?:(?<!\S)|(?<=\S{40})):(?=:)|#(?=#\[)")


def wrap(text: str, indent: int = 0, hanging: int = 0, *, width: int = _WIDTH) -> list[str]:
    """Return text in lines, indented by `indent` spaces; lines after the first are indented by `hanging` more."""
    first, rest = " " * indent, " " * (indent + hanging)
    if len(first) + len(text) <= width and text.isprintable() and text == text.strip() != "":
        return [first + text]  # the usual case
    return TextWrapper(width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False).wrap(text)


def with_label(label: str, text: str, *, whole: bool = False) -> Iterator[str]:
    """Yield the lines of a text next to its label, each paragraph wrapped unless the text is to stay `whole`; nothing
    for an empty text."""
    for paragraph in text.split("\n") if text else ():
        for piece in [paragraph] if whole else wrap(paragraph) or [""]:
            yield f"  {label + ' ' * bool(label):<{_LABEL}}{piece}".rstrip()
            label = ""


def plural(count: int, noun: str) -> str:
    """Return a count with its noun: ``1 check``, ``12 checks``."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def join_and(items: Sequence[str], last: str = "and") -> str:
    """Return items joined by commas and a last word: ``a, b and c``."""
    return f"{', '.join(items[:-1])} {last} {items[-1]}" if len(items) > 1 else "".join(items)


def cut(text: str, most: int) -> str:
    """Return a text with at most this many characters, the last of which is an ellipsis if it is cut."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def tally(words: Iterable[str]) -> str:
    """Return the words with their counts, the most frequent first: ``2 crash, 1 timeout``."""
    counts = sorted(Counter(words).items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{count:,} {word}" for word, count in counts)


def sentence(text: str) -> str:
    """Return a phrase as a sentence."""
    end = "" if text.endswith(("?", ".", "…")) else "."
    return text[:1].upper() + text[1:] + end


def sanitize(text: str) -> str:
    """Return foreign text in which characters that move the cursor, change colours or begin a command for GitHub
    Actions are replaced; line breaks are kept."""
    if not text.isprintable():
        text = "".join(char if char.isprintable() or char == "\n" else "�" for char in text)
    return _COMMAND.sub("�", text) if "::" in text or "##[" in text else text
