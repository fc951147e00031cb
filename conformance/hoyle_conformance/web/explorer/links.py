"""Links of layouts: a layout as the end of an address, which opens for ever, and a layout read from an address.

The layout itself is the link, so nothing has to be stored anywhere. Its version comes first, and links of every
version open.
"""

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

#: The version of links that is written; each that was ever written is read.
VERSION: Final = "1"
#: A link has no more characters than this, and what it holds no more bytes.
LONGEST: Final = 32_768
LARGEST: Final = 131_072
#: What stands in a layout stands in no more lists and mappings than this.
_DEEPEST: Final = 16
#: Whole numbers that every reader of JSON reads alike.
_GREATEST: Final = 2**53 - 1
_FORBIDDEN: Final = "__proto__"


class Unreadable(ValueError):
    """This is no link to a position; the message says why, and `remedy` what may be done."""

    def __init__(self, says: str, remedy: str) -> None:
        super().__init__(says)
        self.says, self.remedy = says, remedy


def _words(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, str) for each in value)


def _mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _mappings(value: Any) -> bool:
    return isinstance(value, list) and all(map(_mapping, value))


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _number(value: Any) -> bool:
    return type(value) is int and value >= 0


#: What a link may hold, in this order, each with what it looks like: a layout, of which those of `_NEEDED` are always
#: there, and the number of the step that is shown, where that is not the last.
KEYS: Final[Mapping[str, Callable[[Any], bool]]] = MappingProxyType(
    {
        "v": lambda value: type(value) is int and value == int(VERSION),
        "rulesets": _words,
        "drawn_by": _text,
        "given": _mapping,
        "steps": _mappings,
        "readings": _mapping,
        "house": _mapping,
        "title": _text,
        "at": _number,
    }
)
_NEEDED: Final = frozenset({"v", "rulesets", "given", "steps"})


def written(layout: Mapping[str, Any]) -> str:
    """Return a layout as it is after the # of an address; raises Unreadable for one that could not be read again."""
    in_order = {key: layout[key] for key in KEYS if key in layout}
    text = json.dumps(in_order, ensure_ascii=False, separators=(",", ":"))
    _checked(json.loads(text))
    return packed(text)


def packed(text: str) -> str:
    """Return a JSON text packed into the characters of a link, after the version; raises Unreadable if it is too
    large."""
    content = zlib.compress(_utf8(text), level=9, wbits=-zlib.MAX_WBITS)
    link = f"{VERSION}.{urlsafe_b64encode(content).decode().rstrip('=')}"
    if len(link) > LONGEST or len(_utf8(text)) > LARGEST:
        raise Unreadable("This position is too large for a link.", "Save it as a file, or remove some steps.")
    return link


def read(text: str) -> dict[str, Any]:
    """Return the layout at the end of an address, or of what is after its #; raises Unreadable."""
    return _checked(unpacked(text.rpartition("#")[2]))


def unpacked(link: str) -> Any:
    """Return the data that `packed` has packed into a link; raises Unreadable."""
    if len(link) > LONGEST:
        raise _damaged("it is too long")
    version, dot, payload = link.partition(".")
    if not dot or not version.isdecimal() or not version.isascii():
        raise _damaged("it does not begin as it should")
    if version != VERSION:
        raise Unreadable(
            "This link was made by another version of the table.",
            "Reload the page for the newest version, and try again.",
        )
    return _json(_inflated(payload))


def _inflated(payload: str) -> bytes:
    """Return the data packed into the characters of a link, up to the most that there may be."""
    if not payload or not payload.isascii() or not payload.replace("-", "").replace("_", "").isalnum():
        raise _damaged("it contains characters that a link cannot have")
    unpacking = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    try:
        found = unpacking.decompress(urlsafe_b64decode(payload + "=" * (-len(payload) % 4)), LARGEST + 1)
    except (ValueError, zlib.error) as error:
        raise _damaged("a part of it is missing or changed") from error
    if len(found) > LARGEST:
        raise _damaged("its content is too large")
    if not unpacking.eof or unpacking.unused_data:
        raise _damaged("a part of it is missing or changed")
    return found


def _json(data: bytes) -> Any:
    try:
        return json.loads(data.decode(), parse_float=_whole, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise _damaged("its content is not a position") from error


def _whole(number: str) -> int | float:
    """Return a number with a point or an exponent; a whole one as an integer."""
    value = float(number)
    return int(value) if value.is_integer() else value


def _no_number(word: str) -> None:
    """Raise ValueError for what JSON does not have, and Python reads."""
    raise ValueError(word)


def _checked(value: Any) -> dict[str, Any]:
    """Return a layout, as far as that can be checked without the rules; raises Unreadable."""
    if not isinstance(value, dict) or not _NEEDED <= value.keys() <= KEYS.keys():
        raise _damaged("its content is not a position")
    if not all(KEYS[key](each) for key, each in value.items()) or not _plain(value, _DEEPEST):
        raise _damaged("its content is not a position")
    return {key: value[key] for key in KEYS if key in value}


def _plain(value: Any, depth: int) -> bool:
    """Whether a value holds nothing but text that can be written, and numbers that every reader reads alike."""
    match value:
        case dict():
            return depth > 0 and all(
                key != _FORBIDDEN and _plain(key, 0) and _plain(each, depth - 1) for key, each in value.items()
            )
        case list():
            return depth > 0 and all(_plain(each, depth - 1) for each in value)
        case str():
            return not any("\ud800" <= char <= "\udfff" for char in value)
        case int():
            return -_GREATEST <= value <= _GREATEST
        case _:
            return value is None


def _utf8(text: str) -> bytes:
    return text.encode()


def _damaged(why: str) -> Unreadable:
    return Unreadable(
        f"This link cannot be opened: {why}.", "Copy the whole link again, or ask for the position as a file."
    )
