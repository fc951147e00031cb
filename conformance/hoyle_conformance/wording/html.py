"""HTML in which no words can become markup: whatever is not markup already is escaped when it is inserted.

Names, reasons and observed values come from unknown programs, and pages are published. So one place escapes them, and a
content security policy holds even if that fails.
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
#: Every card by how it is printed.
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
    """HTML that is inserted as it stands."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return the markup itself, by which templates know that it is escaped already."""
        return self


NOTHING: Final = Markup("")


def text(words: str) -> Markup:
    """Return words escaped for HTML, also in an attribute; of invisible characters only the line breaks stay."""
    return words if isinstance(words, Markup) else Markup(escape(sanitize(words)))


def tag(name: str, /, *inside: str, **attributes: str | bool) -> Markup:
    """Return an element around what is inside.

    An attribute's name may end with `_`, or have it for a hyphen; an attribute that is False is left out, and one that
    is True has no value.
    """
    given = "".join(_attribute(key, value) for key, value in attributes.items() if value is not False)
    end = "" if name in _ALONE else f"{''.join(map(text, inside))}</{name}>"
    return Markup(f"<{name}{given}>{end}")


def joined(parts: Iterable[str], between: str = "") -> Markup:
    """Return several pieces in a row."""
    return Markup(text(between).join(map(text, parts)))


def drawn(words: str) -> Markup:
    """Return a sentence with the cards in it drawn."""
    shown, end = [], 0
    for found in _A_CARD.finditer(words):
        shown += [text(words[end : found.start()]), _card(found[0])]
        end = found.end()
    return Markup("".join([*shown, text(words[end:])]))


def unlinked(markup: Markup) -> Markup:
    """Return markup without its links, whose words stay."""
    return Markup(_LINK_TAG.sub("", markup))


def coded(words: str) -> Markup:
    """Return words in which names are between backticks, these set as code."""
    parts = " ".join(words.split()).split("`")
    if len(parts) % 2 == 0:  # one that has no fellow is no mark
        return text(words)
    return joined(tag("code", part) if place % 2 else part for place, part in enumerate(parts))


def _attribute(key: str, value: str | bool) -> str:
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(str(value))}"'


def _card(shown: str) -> Markup:
    """Return one card, drawn, with its name for screen readers."""
    card = _CARDS[shown]
    return tag("span", shown, class_=f"card {_SUIT_CLASSES[card[1]]}", role="img", aria_label=printed.card_name(card))
