"""Cards as people type or paste them: ``KS QS``, ``K♠ Q♠``, ``♠KQ ♦J``, ``10h``, ``king of spades``."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from hoyle_conformance.wording import cards as printed
from hoyle_reference.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS

REST: Final = "..."
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
_WORD: Final = re.compile(r"\S+")


class TextFault(Exception):
    """Text that is not understood: what is wrong, the remedy, and from where to where in the text."""

    def __init__(self, says: str, remedy: str, start: int, end: int) -> None:
        super().__init__(says)
        self.says, self.remedy, self.start, self.end = says, remedy, start, end


@dataclass(frozen=True, slots=True)
class TypedCard:
    """A card as it was typed: its face, the number of its copy if it was said, and its place in the text."""

    face: str
    copy: int
    start: int
    end: int


_HOW: Final = "Write cards like KS, K♠, 10h, ♠KQ or king of spades."


def read_cards(text: str, packs: int, taken: Iterable[str] = ()) -> list[str]:
    """Return the cards of a text; copies that are not said are those that are free, the first ones first. Raises
    TextFault for the first mistake."""
    typed = list(_typed(text))
    used = {*taken, *(_name(each.face, each.copy) for each in typed if each.copy)}
    found: list[str] = []
    for each in typed:
        if each.face == REST:
            found += [] if REST in found else [REST]
            continue
        said = _name(each.face, each.copy) if each.copy else ""
        free = [name for copy in range(1, packs + 1) if (name := _name(each.face, copy)) not in used]
        if each.copy > packs or said in found or said in set(taken) or not (said or free):
            raise TextFault(_too_many(each.face, packs), "Remove this card.", each.start, each.end)
        used.add(said or free[0])
        found.append(said or free[0])
    return found


def _too_many(face: str, packs: int) -> str:
    count = "one" if packs == 1 else str(packs)
    return f"There {'is' if packs == 1 else 'are'} only {count} {printed.card(face)}, and it is placed already."


def _name(face: str, copy: int) -> str:
    return face if copy == 1 else f"{face}#{copy}"


def _typed(text: str) -> Iterator[TypedCard]:
    """Yield the cards of a text. If a suit comes first, the ranks after it are of that suit."""
    at, suit = 0, ""
    while at < len(text):
        if dots := _DOTS.match(text, at):
            yield TypedCard(REST, 0, *dots.span())
            at = dots.end()
        elif between := _BETWEEN.match(text, at):
            at = between.end()
        elif found := _IN_WORDS.match(text, at):
            yield TypedCard(_RANK_WORDS[found[1].lower()] + _SUIT_WORDS[found[2].lower()], 0, *found.span())
            at = found.end()
        elif not suit and (found := _RANK_FIRST.match(text, at)):
            yield TypedCard(_rank(found[1]) + _suit(found[2]), _copy(found[3]), *found.span())
            at = found.end()
        elif found := _SUIT.match(text, at):
            suit, at = _suit(found[1] or found[2]), found.end()
        elif suit and (found := _RANK_ALONE.match(text, at)):
            yield TypedCard(_rank(found[1]) + suit, _copy(found[2]), *found.span())
            at = found.end()
        else:
            word = _WORD.match(text, at)
            assert word is not None, "what is no space is a word"
            raise TextFault(f"'{_short(word[0])}' is not a card.", _HOW, *word.span())


def _rank(text: str) -> str:
    return "T" if text == "10" else text.upper()


def _suit(text: str) -> str:
    return _SYMBOLS.get(text, text.upper())


def _copy(text: str | None) -> int:
    if not text:
        return 0
    return _MARKS.index(text) + 1 if text in _MARKS else int(text.removeprefix("#"))


def _short(word: str) -> str:
    return "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in word[:24])
