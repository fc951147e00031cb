"""HTML in which no text can become markup: anything that is not already markup is escaped when it is inserted.

Names, reasons and observed values come from unknown programs, and pages are published. So this module alone escapes
them, and a content security policy protects the pages even if escaping fails.
"""

import re
from collections.abc import Iterable
from html import escape
from types import MappingProxyType
from typing import Final

from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.text import sanitize
from hoyle_reference.cards import MOST_PACKS, RANKS, SUITS

_LINK_TAG: Final = re.compile(r"</?a\b[^>]*>")
_ALONE: Final = frozenset({"meta", "link", "br", "input"})
_SUIT_CLASSES: Final = MappingProxyType({"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"})
#: Every card by its printed form.
_CARDS: Final = MappingProxyType(
    {
        printed.card(card): card
        for card in (
            f"{rank}{suit}{copy}"
            for rank in RANKS
            for suit in SUITS
            for copy in ("", *(f"#{number}" for number in range(2, MOST_PACKS + 1)))
        )
    }
)
_A_CARD: Final = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(_CARDS, key=len, reverse=True))})(?!\w)")


class Markup(str):
    """HTML that is inserted unchanged."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return the markup itself; templates recognise escaped text by this method."""
        return self


NOTHING: Final = Markup("")


def text(words: str) -> Markup:
    """Return a text escaped for HTML, including attributes; line breaks are the only invisible characters kept."""
    return words if isinstance(words, Markup) else Markup(escape(sanitize(words)))


def tag(name: str, /, *inside: str, **attributes: str | bool) -> Markup:
    """Return an element around its content.

    The name of an attribute may end with `_`, and `_` within it stands for a hyphen. An attribute that is False is left
    out, and one that is True has no value.
    """
    given = "".join(_attribute(key, value) for key, value in attributes.items() if value is not False)
    end = "" if name in _ALONE else f"{''.join(map(text, inside))}</{name}>"
    return Markup(f"<{name}{given}>{end}")


def joined(parts: Iterable[str], between: str = "") -> Markup:
    """Return several pieces of markup in a row."""
    return Markup(text(between).join(map(text, parts)))


def drawn(words: str) -> Markup:
    """Return a sentence with its cards drawn as pictures."""
    shown, end = [], 0
    for found in _A_CARD.finditer(words):
        shown += [text(words[end : found.start()]), _card(found[0])]
        end = found.end()
    return Markup("".join([*shown, text(words[end:])]))


def unlinked(markup: Markup) -> Markup:
    """Return markup without its links; their text is kept."""
    return Markup(_LINK_TAG.sub("", markup))


def coded(words: str) -> Markup:
    """Return a text with each name between backticks formatted as code."""
    parts = " ".join(words.split()).split("`")
    if len(parts) % 2 == 0:  # an unpaired backtick is not a mark
        return text(words)
    return joined(tag("code", part) if place % 2 else part for place, part in enumerate(parts))


def _attribute(key: str, value: str | bool) -> str:
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(str(value))}"'


def _card(shown: str) -> Markup:
    """Return one card, drawn, with its name for screen readers."""
    card = _CARDS[shown]
    return tag("span", shown, class_=f"card {_SUIT_CLASSES[card[1]]}", role="img", aria_label=printed.card_name(card))
