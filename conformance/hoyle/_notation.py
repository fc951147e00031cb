"""The text notation: JSON values on one line, actions, and the parts of positions and games.

docs/notation.md has the grammar. The text is derived from the JSON, so that every act and field has one.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NoReturn

from hoyle._errors import NotationError

#: The maximum length of a text, in characters: a game of forty deals with eight packs has a tenth of that.
LONGEST: Final = 4_000_000
#: The maximum nesting of a value: a position has four levels.
DEEPEST: Final = 12
#: The maximum number of digits: no score has so many.
_MOST_DIGITS: Final = 18
_SEE: Final = "The grammar is in docs/notation.md."
#: How cards are written, as a remedy.
A_CARD: Final = "A card is one of 7 8 9 T J Q K A, then one of C D H S: TS, KH, 9D#2."
_CARD: Final = r"[789TJQKA][CDHS](?:#[2-8])?"
_SCALAR: Final = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?[0-9]{1,18}(?![A-Za-z0-9#])|[A-Za-z0-9#-]+')
_KEY: Final = re.compile(r"[A-Za-z0-9_.-]+")
_CARDS: Final = re.compile(rf"\[((?:{_CARD})+)\]")
ONE_CARD: Final = re.compile(_CARD)
_BARE: Final = re.compile(rf"[A-Za-z][A-Za-z0-9-]*|{_CARD}")
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}")
#: The characters that an error shows: those up to the next space or mark.
_NEXT: Final = re.compile(r"[^\s;,:\[\]{}]+|.")
_SYMBOLS: Final = str.maketrans("♣♦♥♠", "CDHS")
#: Words that stand for other values.
_STAND_FOR: Final = {"-": None, "yes": True, "no": False}
#: The keys whose value is a separate word in an action, and those whose value is its cards.
WORD_KEYS: Final = ("meld", "choice", "class", "says", "irregularity")
CARD_KEYS: Final = ("card", "cards", "deck")


def refuse(message: str, place: str = "", read: str = "") -> NoReturn:
    """Raise the error that a text is not in the notation; `read` may be a card that is written in another way."""
    card = read.upper().replace("10", "T").translate(_SYMBOLS)
    meant = card != read and ONE_CARD.fullmatch(card)
    raise NotationError("bad-text", message, place, f"Write {card}." if meant else _SEE)


# ---- JSON


def read_json(data: object, place: str) -> Any:
    """Return a value as plain data: the content of a JSON text, or a checked copy of a value that JSON can represent.

    Raise NotationError for anything else.
    """
    try:
        return _DECODER.decode(_json_text(data))
    except RecursionError as error:
        raise NotationError("bad-json", "it is nested too deeply", place) from error
    except (ValueError, TypeError) as error:
        raise NotationError("bad-json", f"it is not valid JSON: {str(error)[:200]}", place) from error


def _json_text(data: object) -> str:
    """Return a JSON text unchanged, or that of a value; raise ValueError or TypeError."""
    if isinstance(data, (bytes, bytearray)):
        data = data.decode("utf-8")
    text = data if isinstance(data, str) else json.dumps(data, default=dict)
    if len(text) > LONGEST:
        raise ValueError(f"it is longer than {LONGEST:,} characters")
    return text


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("a key appears twice")
    return data


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")


def _whole(text: str) -> int:
    if len(text) > _MOST_DIGITS:
        raise ValueError("a number is too great")
    return int(text)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number, parse_int=_whole)


def canonical(data: Any) -> str:
    """Return the canonical JSON text of a value, with its keys in order."""
    return json.dumps(data, separators=(",", ":"))


# ---- values


def write_value(value: Any) -> str:
    """Return a JSON value as text, without spaces, and without quotes where none are needed."""
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{write_key(key)}:{write_value(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        if value and all(isinstance(each, str) and ONE_CARD.fullmatch(each) for each in value):
            return f"[{''.join(value)}]"
        return f"[{','.join(map(write_value, value))}]"
    if isinstance(value, str):
        return write_word(value)
    return next((word for word, each in _STAND_FOR.items() if each is value), str(value))


def write_word(text: str) -> str:
    """Return a text unchanged, or in quotes if it would otherwise be read as something else."""
    return text if _BARE.fullmatch(text) and text not in _STAND_FOR else json.dumps(text)


def write_key(key: str) -> str:
    """Return a key unchanged; raise NotationError if it has characters that keys do not allow."""
    return key if _KEY.fullmatch(key) else refuse(f"no key is written {key[:40]!r}")


class Reader:
    """A reader of a text, from left to right."""

    def __init__(self, text: object) -> None:
        if not isinstance(text, str):
            refuse(f"a text is needed, not {type(text).__name__}")
        if len(text) > LONGEST:
            refuse(f"the text is longer than {LONGEST:,} characters")
        if "\n" in text:
            refuse("one line is expected; to_text() writes it, and str() a board")
        self._text, self._at = text, 0

    @property
    def is_done(self) -> bool:
        """Whether the whole text has been read."""
        return self._at >= len(self._text)

    def fail(self, message: str, read: str = "") -> NoReturn:
        """Raise NotationError at this place of the text; `read` is as for `refuse`."""
        refuse(message, f"character {self._at + 1}", read)

    def expected(self, what: str) -> NoReturn:
        """Raise NotationError: something else is expected at this place of the text."""
        found = _NEXT.match(self._text, self._at)
        read = found[0][:40] if found else ""
        self.fail(f"{what} is expected, not {repr(read) if read else 'the end'}", read)

    def comes(self, literal: str) -> bool:
        """Return whether a literal comes next."""
        return self._text.startswith(literal, self._at)

    def take(self, literal: str) -> bool:
        """Read a literal if it comes next, and return whether it did."""
        found = self.comes(literal)
        self._at += len(literal) * found
        return found

    def need(self, literal: str) -> None:
        """Read a literal, which must come next."""
        if not self.take(literal):
            self.expected(repr(literal))

    def match(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        """Read a match of a pattern, which must come next."""
        found = pattern.match(self._text, self._at)
        if found is None:
            self.expected(what)
        self._at = found.end()
        return found

    def key(self) -> str:
        """Read a key and the colon after it."""
        key = self.match(_KEY, "a key")[0]
        self.need(":")
        return key

    def value(self, depth: int = 0) -> Any:
        """Read a value."""
        if depth > DEEPEST:
            self.fail("the value is nested too deeply")
        if found := _CARDS.match(self._text, self._at):
            self._at = found.end()
            return ONE_CARD.findall(found[1])
        if self.take("["):
            return list(self._until("]", lambda: self.value(depth + 1)))
        if self.take("{"):
            return self.once(self._until("}", lambda: (self.key(), self.value(depth + 1))))
        return self.scalar(self.match(_SCALAR, "a value")[0])

    def scalar(self, token: str) -> Any:
        """Return the value of a word, a number, a card or a quoted text."""
        if token.startswith('"'):
            return read_json(token, "a quoted text")
        if _NUMBER.fullmatch(token):
            return int(token)
        if token in _STAND_FOR:
            return _STAND_FOR[token]
        return token if _BARE.fullmatch(token) else self.fail(f"{token[:40]!r} is no value", token)

    def once(self, pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
        """Return pairs as a mapping; each key may occur only once."""
        read: dict[str, Any] = {}
        for key, value in pairs:
            if key in read:
                self.fail(f"'{key}' appears twice")
            read[key] = value
        return read

    def _until(self, end: str, read: Any) -> Iterator[Any]:
        if self.take(end):
            return
        while True:
            yield read()
            if self.take(end):
                return
            self.need(",")


# ---- actions


def write_action(act: Mapping[str, Any]) -> str:
    """Return an action as text: the seat, the act, its word, its cards, and the rest by its keys."""
    parts = [act["by"]] if "by" in act else []
    parts.append(act["do"])
    parts += [_write_plain_word(act[key]) for key in WORD_KEYS if key in act]
    cards = next((act[key] for key in CARD_KEYS if key in act), ())
    parts += [cards] if isinstance(cards, str) else cards
    rest = (key for key in act if key not in {"by", "do", *WORD_KEYS, *CARD_KEYS})
    return " ".join([*parts, *(f"{key}:{write_value(act[key])}" for key in rest)])


def _write_plain_word(word: str) -> str:
    """Return a word of an action unchanged, or in quotes if it would be read as a card or as something else."""
    return json.dumps(word) if ONE_CARD.fullmatch(word) else write_word(word)


#: The keys of each act, and whether the act requires them.
Fields = Mapping[str, Mapping[str, bool]]
_END: Final = "(?![^ ;])"
_SEAT: Final = re.compile(rf"(?:([A-D])(?: |{_END}))?")
_A_PLAYER: Final = "a player (A, B, C or D)"
_ACT_WORD: Final = re.compile(rf"[A-Za-z-]+{_END}")
_PART: Final = re.compile(
    rf'(?P<key>[a-z_]+):|(?:(?P<card>{_CARD})|"(?:[^"\\\x00-\x1f]|\\.)*"|[A-Za-z][A-Za-z0-9-]*){_END}'
)


def read_action(reader: Reader, fields: Fields) -> dict[str, Any]:
    """Read an action, and return its mapping; `fields` has the keys of each act, and whether it requires them."""
    seat = reader.match(_SEAT, _A_PLAYER)[1]
    word = reader.match(_ACT_WORD, "an act" if seat else _A_PLAYER)[0]
    if seat is None and (word not in fields or "by" in fields[word]):
        reader.fail(f"{_A_PLAYER} is expected, not {word[:40]!r}", word)
    if word not in fields:
        reader.fail(f"an act is expected, such as play, not {word[:40]!r}", word)
    return {**({"by": seat} if seat else {}), "do": word, **reader.once(_read_parts(reader, word, fields[word]))}


def _read_parts(reader: Reader, word: str, takes: Mapping[str, bool]) -> Iterator[tuple[str, Any]]:
    """Yield the keys and values after the word of an act, which takes these keys."""
    cards: list[str] = []
    while reader.take(" "):
        part = reader.match(_PART, "a word, a card or a key")
        if part["card"]:
            cards.append(part["card"])
        elif part["key"]:
            yield part["key"], reader.value()
        else:
            yield _key_among(WORD_KEYS, reader, word, takes, part[0]), reader.scalar(part[0])
    if cards or any(takes.get(key) for key in CARD_KEYS):
        key = _key_among(CARD_KEYS, reader, word, takes, " ".join(cards))
        if key == "card" and len(cards) != 1:
            reader.fail(f"'{word}' takes one card, not {len(cards)}")
        yield key, cards[0] if key == "card" else cards


def _key_among(keys: Sequence[str], reader: Reader, word: str, takes: Mapping[str, bool], read: str) -> str:
    """Return the key among these that an act takes, for what has been read."""
    others = " and ".join(key for key in takes if key != "by") or "nothing"
    found = next((key for key in keys if key in takes), "")
    return found or reader.fail(f"'{word}' takes {others}, not {read[:40]!r}", read)
