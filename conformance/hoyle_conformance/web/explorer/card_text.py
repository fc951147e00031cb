"""Cards as people type or paste them: ``KS QS``, ``K♠ Q♠``, ``♠KQ ♦J``, ``10h``, ``king of spades``."""

import re
from collections.abc import Collection, Iterator
from typing import Final

from hoyle_conformance.checks.setup.given import REST
from hoyle_conformance.web.explorer.layout import Wrong
from hoyle_conformance.web.explorer.shapes import shortened
from hoyle_conformance.wording import cards as printed
from hoyle_reference.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS

_SYMBOLS: Final = {
    **{symbol: suit for suit, symbol in printed.SYMBOLS.items()},
    **dict(zip("♧♢♡♤", SUITS, strict=True)),
}
_MARKS: Final = "¹²³⁴⁵⁶⁷⁸"
_RANK_WORDS: Final = {**dict(zip(RANK_NAMES, RANKS, strict=True)), "jack": "J"}
_SUIT_WORDS: Final = {word: SUITS[at] for at, name in enumerate(SUIT_NAMES) for word in (name, name.removesuffix("s"))}
_RANK: Final = rf"10|[{RANKS}]"
_COPY: Final = rf"#[1-8]|[{_MARKS}]"
_ANY_SUIT: Final = "".join(_SYMBOLS)
#: Separators between cards.
_BETWEEN: Final = re.compile(r"(?:[\s,;·|/()\[\]\ufe0e\ufe0f-]|\.(?!\.))+|and\b", re.IGNORECASE)
_DOTS: Final = re.compile(r"\.\.\.|…")
_IN_WORDS: Final = re.compile(
    rf"({'|'.join(_RANK_WORDS)})\s+(?:of\s+)?({'|'.join(sorted(_SUIT_WORDS, key=len, reverse=True))})\b", re.IGNORECASE
)
_RANK_FIRST: Final = re.compile(rf"({_RANK})([CDHS{_ANY_SUIT}])({_COPY})?(?!\w)", re.IGNORECASE)
_SUIT: Final = re.compile(rf"([{_ANY_SUIT}])|([CDHS]):", re.IGNORECASE)
_RANK_ALONE: Final = re.compile(rf"({_RANK})({_COPY})?", re.IGNORECASE)
_HOW: Final = "Write cards like KS, K♠, 10h, ♠KQ or king of spades."
_LONGEST: Final = 2_000


def read_cards(text: str, packs: int, taken: Collection[str] = ()) -> list[str]:
    """Return the cards of a text; a card without a copy number gets the first free copy. Raise Wrong for the first
    mistake, or if there are none."""
    typed = list(_typed(text[:_LONGEST]))
    used = {*taken, *(_name(face, copy) for face, copy in typed if copy)}
    found: list[str] = []
    for face, copy in typed:
        if face == REST:
            found += [] if REST in found else [REST]
            continue
        said = _name(face, copy) if copy else ""
        free = [name for number in range(1, packs + 1) if (name := _name(face, number)) not in used]
        if copy > packs or said in found or said in taken or not (said or free):
            there_are = "There is only one" if packs == 1 else f"There are only {packs}"
            raise Wrong(f"{there_are} {printed.card(face)}, and it is placed already.", "Remove this card.")
        used.add(said or free[0])
        found.append(said or free[0])
    if not found or found == [REST]:
        raise Wrong("The text names no card.", _HOW)
    return found


def _name(face: str, copy: int) -> str:
    return face if copy == 1 else f"{face}#{copy}"


def _typed(text: str) -> Iterator[tuple[str, int]]:
    """Yield the cards of a text: each face, with the number of its copy, 0 if none is given. If a suit comes first, the
    ranks after it belong to that suit."""
    at, suit = 0, ""
    while at < len(text):
        if found := _BETWEEN.match(text, at):
            pass
        elif found := _DOTS.match(text, at):
            yield REST, 0
        elif found := _IN_WORDS.match(text, at):
            yield _RANK_WORDS[found[1].lower()] + _SUIT_WORDS[found[2].lower()], 0
        elif not suit and (found := _RANK_FIRST.match(text, at)):
            yield _rank(found[1]) + _suit(found[2]), _copy(found[3])
        elif found := _SUIT.match(text, at):
            suit = _suit(found[1] or found[2])
        elif suit and (found := _RANK_ALONE.match(text, at)):
            yield _rank(found[1]) + suit, _copy(found[2])
        else:
            raise Wrong(f"'{shortened(text[at:].split(maxsplit=1)[0])}' is not a card.", _HOW)
        at = found.end()


def _rank(text: str) -> str:
    return "T" if text == "10" else text.upper()


def _suit(text: str) -> str:
    return _SYMBOLS.get(text, text.upper())


def _copy(text: str | None) -> int:
    if not text:
        return 0
    return _MARKS.index(text) + 1 if text in _MARKS else int(text.removeprefix("#"))
