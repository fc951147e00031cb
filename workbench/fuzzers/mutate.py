"""Mutations of inputs by their structure: data is parsed, changed in a few places and written again.

A byte changed at random in YAML or JSON seldom gets past the parser. A changed value often does.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

import yaml

from .target import Input
from .words import Words

#: How many changes a mutation makes.
_CHANGES: Final = (1, 1, 1, 2, 2, 4)
#: How often bytes are changed at random instead, and how often the variant is exchanged.
_BY_BYTES: Final = 0.15
_OTHER_VARIANT: Final = 0.02
#: The pieces that a text is made of.
_PIECE: Final = re.compile(r"\w[\w.+#@-]*|\s+|[^\w\s]")

#: An alias in YAML: data with many of them would be very large when it is written.
_ALIAS: Final = re.compile(r"(?<![^\s\[{,:-])\*\w")

#: Changes bytes at random, and returns at most so many.
ByBytes = Callable[[bytes, int], bytes]


class Place(NamedTuple):
    """A place in data: the list or mapping, the index or key there, and the nearest key."""

    holder: Any
    at: Any
    key: str

    @property
    def value(self) -> Any:
        """The value at the place."""
        return self.holder[self.at]


@dataclass(frozen=True, slots=True)
class Parsed:
    """Content as data, and the function that writes such data as content again."""

    data: Any
    write: Callable[[Any], str]


@dataclass(frozen=True, slots=True)
class Mutator:
    """The mutations of a target's inputs: its variants, the words that it knows, and how bytes are changed."""

    variants: Sequence[str]
    words: Words
    by_bytes: ByBytes

    def mutate(self, data: bytes, longest: int, seed: int) -> bytes:
        """Return another input; the same for the same seed."""
        rng, given = Random(seed), Input.of(data)
        variant = rng.choice(self.variants) if rng.random() < _OTHER_VARIANT else given.variant
        room = max(1, longest - len(variant.encode()) - 1)
        content = b"" if rng.random() < _BY_BYTES else self._by_structure(given.content, rng)
        if not 0 < len(content) <= room:
            content = self.by_bytes(given.content, room)
        return bytes(Input(variant, content))[:longest]

    def cross(self, one: bytes, other: bytes, longest: int, seed: int) -> bytes:
        """Return the first of two inputs with a part of the second in it."""
        rng, given = Random(seed), Input.of(one)
        texts = _text(given.content), _text(Input.of(other).content)
        here, there = (parse(text, rng) for text in texts)
        text = here.write(grafted(here.data, there.data, rng)) if here and there else spliced(*texts, rng)
        made = bytes(Input(given.variant, text.encode("utf-8", "surrogatepass")))
        return made if len(made) <= longest else one[:longest]

    def _by_structure(self, content: bytes, rng: Random) -> bytes:
        text = _text(content)
        parsed = parse(text, rng)
        if parsed is None:
            return changed_text(text, self.words, rng).encode("utf-8", "surrogatepass")
        data = parsed.data
        for _ in range(rng.choice(_CHANGES)):
            data = changed(data, self.words, rng)
        return parsed.write(data).encode("utf-8", "surrogatepass")


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


# ---- data


def parse(text: str, rng: Random) -> Parsed | None:
    """Return a text as data: JSON, one of several lines of JSON, or YAML; None if it is none of these."""
    try:
        return Parsed(json.loads(text), _write_json)
    except (ValueError, RecursionError):
        return _parse_a_line(text, rng) or _parse_yaml(text)


def _parse_a_line(text: str, rng: Random) -> Parsed | None:
    """Return one line of a text as data; written again, it is among the other lines."""
    lines = text.split("\n")
    places = [at for at, line in enumerate(lines) if line[:1] == "{"]
    if len(lines) == 1 or not places:
        return None
    at = rng.choice(places)
    try:
        data = json.loads(lines[at])
    except (ValueError, RecursionError):
        return None
    return Parsed(data, lambda made: "\n".join([*lines[:at], _write_json(made), *lines[at + 1 :]]))


def _parse_yaml(text: str) -> Parsed | None:
    if _ALIAS.search(text):
        return None
    try:
        data = yaml.load(text, yaml.CSafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return Parsed(data, _write_yaml) if isinstance(data, dict | list) else None


def _write_json(data: Any) -> str:
    """Return data as JSON; a number that is too large for a float stands for infinity, which JSON does not have."""
    return json.dumps(data, ensure_ascii=False).replace("Infinity", "1e999")


def _write_yaml(data: Any) -> str:
    return yaml.dump(data, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False, width=120)


def changed(data: Any, words: Words, rng: Random) -> Any:
    """Return a copy of data with one change somewhere in it."""
    whole = {"": _copy(data)}
    rng.choice(_EDITS)(rng.choice(list(places(whole))), words, rng)
    return whole.get("")


def grafted(data: Any, other: Any, rng: Random) -> Any:
    """Return a copy of data with a value of other data in it, under the same key if there is one."""
    whole = {"": _copy(data)}
    place, sources = rng.choice(list(places(whole))), list(places({"": _copy(other)}))
    place.holder[place.at] = rng.choice([each for each in sources if each.key == place.key] or sources).value
    return whole[""]


def places(data: Any, key: str = "") -> Iterator[Place]:
    """Yield every place in a list or mapping, however deep."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for at, value in entries:
        place = Place(data, at, at if isinstance(at, str) else key)
        yield place
        yield from places(value, place.key)


def _copy(data: Any) -> Any:
    return json.loads(json.dumps(data, default=str))


def _replace(place: Place, words: Words, rng: Random) -> None:
    place.holder[place.at] = words.value(place.key, rng)


def _remove(place: Place, _words: Words, _rng: Random) -> None:
    del place.holder[place.at]


def _repeat(place: Place, words: Words, rng: Random) -> None:
    if isinstance(place.holder, list):
        place.holder.insert(rng.randrange(len(place.holder) + 1), _copy(place.value))
    else:
        place.holder[rng.choice(words.keys)] = _copy(place.value)


def _add(place: Place, words: Words, rng: Random) -> None:
    if isinstance(place.value, list):
        place.value.insert(rng.randrange(len(place.value) + 1), words.value(place.key, rng))
    elif isinstance(place.value, dict):
        key = rng.choice(words.keys)
        place.value[key] = words.value(key, rng)
    else:
        place.holder[place.at] = [place.value]


def _exchange(place: Place, _words: Words, rng: Random) -> None:
    holder = place.holder
    other = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    holder[place.at], holder[other] = holder[other], holder[place.at]


def _rename(place: Place, words: Words, rng: Random) -> None:
    if isinstance(place.holder, dict):
        place.holder[rng.choice(words.keys)] = place.holder.pop(place.at)


def _retype(place: Place, _words: Words, _rng: Random) -> None:
    value = place.value
    place.holder[place.at] = [value] if not isinstance(value, list) else value[0] if value else None


_EDITS: Final = (_replace, _replace, _replace, _replace, _remove, _repeat, _add, _add, _exchange, _rename, _retype)


# ---- text


def changed_text(text: str, words: Words, rng: Random) -> str:
    """Return a text with some of its words and signs removed, repeated or replaced."""
    pieces = _PIECE.findall(text) or [""]
    for _ in range(rng.choice(_CHANGES)):
        at, other = rng.randrange(len(pieces)), rng.randrange(len(pieces))
        match rng.randrange(5):
            case 0:
                pieces[at] = words.word(rng)
            case 1:
                pieces.insert(at, words.word(rng))
            case 2:
                pieces[at] = pieces[other]
            case 3:
                pieces[at:at] = pieces[other : other + rng.choice((1, 5, 20))]
            case _:
                del pieces[at : at + rng.choice((1, 1, 5))]
        pieces = pieces or [""]
    return "".join(pieces)


def spliced(text: str, other: str, rng: Random) -> str:
    """Return the beginning of a text and the end of another."""
    pieces, others = _PIECE.findall(text), _PIECE.findall(other)
    return "".join(pieces[: rng.randint(0, len(pieces))] + others[rng.randint(0, len(others)) :])
