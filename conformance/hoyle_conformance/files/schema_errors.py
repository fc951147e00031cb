"""Errors of a schema validator in words, with remedies.

Schemas may have keywords for this: `errorMessage` describes valid values, `meant` has the meanings of unknown words,
`see` is the command that shows the known ones, and `belongs` is the place of a schema's keys.

The parts are: other notations of cards, suits and players, and complaints.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Suggestion, nearest

# ---- other notations of cards, suits and players
#
# A schema has the keyword `spelt` for values that are a card, a suit or a seat.


_RANKS: Final = MappingProxyType(
    {
        **{each: each for each in "789tjqka"},
        **dict.fromkeys(("10", "1o", "io", "lo", "0", "ten"), "t"),
        **dict.fromkeys(("jack", "knave", "valet"), "j"),
        "seven": "7",
        "eight": "8",
        "nine": "9",
        "queen": "q",
        "king": "k",
        "ace": "a",
    }
)
_SUITS: Final = MappingProxyType(
    {
        **dict.fromkeys(("c", "club", "clubs", "♣", "♧"), "C"),
        **dict.fromkeys(("d", "diamond", "diamonds", "♦", "♢"), "D"),
        **dict.fromkeys(("h", "heart", "hearts", "♥", "♡"), "H"),
        **dict.fromkeys(("s", "spade", "spades", "♠", "♤"), "S"),
    }
)
_A_RANK: Final = "|".join(sorted(_RANKS, key=len, reverse=True))
_A_SUIT: Final = "|".join(sorted(_SUITS, key=len, reverse=True))
_COPY: Final = r"(?:[ ]?#?[ ]?\(?([1-8])\)?)?"
_BETWEEN: Final = r"[ _./-]?(?:of )?(?:the )?"
_RANK_FIRST: Final = re.compile(rf"(?:the )?({_A_RANK}){_BETWEEN}({_A_SUIT}){_COPY}")
_SUIT_FIRST: Final = re.compile(rf"({_A_SUIT}){_BETWEEN}({_A_RANK}){_COPY}")
#: Ranks that exist in other packs.
_NO_RANK: Final = re.compile(rf"([2-6]){_BETWEEN}(?:{_A_SUIT})|(?:{_A_SUIT}){_BETWEEN}([2-6])")
_LONGEST: Final = 30  # characters
_DOTS: Final = frozenset({"..", "....", "…", "*", "?", "etc", "etc.", "rest", "x"})
#: Other names of the seats.
_ELDER: Final = frozenset({"elder", "eldest", "younger", "dealer", "non-dealer", "pone", "leader", "nobody"})


def card_meant(text: str) -> str:
    """Return, in Hoyle's form, a card in another notation: ``10♥`` for ``TH``; empty if it is not a card."""
    plain = _plain(text)
    if found := _RANK_FIRST.fullmatch(plain):
        rank, suit, copy = found.groups()
    elif found := _SUIT_FIRST.fullmatch(plain):
        suit, rank, copy = found.groups()
    else:
        return ""
    return f"{_RANKS[rank].upper()}{_SUITS[suit]}{f'#{copy}' if copy and copy != '1' else ''}"


def _plain(text: str) -> str:
    """Return a text in lower case, without marks that only change the look of characters; superscripts become
    digits."""
    return unicodedata.normalize("NFKC", text[:_LONGEST]).replace("\ufe0f", "").replace("\ufe0e", "").strip().lower()


def _of_card(text: str) -> str:
    if meant := card_meant(text):
        return f"Write {meant}: ranks are 7 8 9 T J Q K A, suits C D H S."
    if found := _NO_RANK.fullmatch(_plain(text)):
        return f"A piquet pack has no {found[1] or found[2]}: its ranks are 7 8 9 T J Q K A."
    return "Write ... for cards that do not matter." if text in _DOTS else ""


def _of_suit(text: str) -> str:
    meant = _SUITS.get(_plain(text), "")
    return f"Write {meant}." if meant else ""


def _of_seat(text: str) -> str:
    if text.upper() in {"A", "B", "C", "D"}:
        return f"Write {text.upper()}."
    if _plain(text) in _ELDER:
        return "Name players by their seats: A and B, and in some games C and D. 'dealer' decides who is who."
    return ""


_REMEDIES: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {"card": _of_card, "suit": _of_suit, "seat": _of_seat}
)


def spelt_so(kind: str, text: str) -> str:
    """Return the remedy for a card, a suit or a seat in another notation; empty if its meaning is not known."""
    return _REMEDIES[kind](text) if kind in _REMEDIES else ""


Path = tuple[str | int, ...]
_LONGEST_QUOTE: Final = 60  # characters
#: The similarity from which a name is taken for a misspelling of a known one, even if it is known elsewhere.
_SURELY: Final = 0.8


@dataclass(frozen=True, slots=True)
class ValuePlace:
    """The place of a mistake in a value: its path, and the name of the whole value."""

    path: Path
    whole: str

    def __str__(self) -> str:
        """Return the path as people write it: ``outcomes[0].cites``. Steps are counted from 1, as elsewhere."""
        if self.path[:1] == ("steps",) and len(self.path) > 1 and isinstance(self.path[1], int):
            within, step = str(ValuePlace(self.path[2:], "")), f"step {self.path[1] + 1}"
            return f"'{within}' of {step}" if within else step
        words = "".join(f"[{at}]" if isinstance(at, int) else f".{at}" for at in self.path)
        return words.lstrip(".") or self.whole


@dataclass(frozen=True, slots=True)
class Complaint:
    """One mistake in a value: its place (`at_key` for the key rather than its value), the message and the remedy.

    `missing` are keys of which one is required; `misplaced` is a key that belongs elsewhere, or that was written
    instead of another.
    """

    path: Path
    code: str
    message: str
    remedy: str | Suggestion = ""
    at_key: bool = False
    missing: frozenset[str] = frozenset()
    misplaced: str = ""

    @property
    def meant(self) -> str:
        """The known name that was probably meant; empty if none is similar."""
        return nearest(self.remedy.word, self.remedy.known) if isinstance(self.remedy, Suggestion) else ""


@dataclass(frozen=True, slots=True)
class FailedSchema:
    """The schema that has the failed keyword, the keys that it knows, and, in words, the places of keys known elsewhere
    in the file."""

    schema: Any
    known: Sequence[str]
    belongs: Mapping[str, Sequence[str]]


def explain(error: Any, place: ValuePlace, around: FailedSchema) -> Iterator[Complaint]:
    """Yield the complaints for a validator's error."""
    kind = error.kind.name
    if kind in {"additionalProperties", "unevaluatedProperties"}:
        for key in error.kind.unexpected:
            yield _unknown_key(place, key, around)
    elif kind == "propertyNames":
        yield _bad_key(error, place, around)
    elif kind == "falseSchema" and (where := around.belongs.get(str(place.path[-1]))):
        *above, key = place.path
        yield _misplaced(ValuePlace(tuple(above), place.whole), str(key), where, str(key))
    else:
        yield _EXPLAIN.get(kind, _misfit)(error, place, around.schema)


def independent(found: Sequence[Complaint]) -> list[Complaint]:
    """Drop complaints that only repeat another: about a missing key that is misspelt or misplaced, about forms that all
    lack a missing key, and about the value of a key that cannot be there."""
    misspelt = {(each.path[:-1], each.meant) for each in found if each.at_key}
    misplaced = {each.misplaced for each in found}
    keys = {each.path for each in found if each.at_key}
    missing = {(each.path, key) for each in found if each.code == "missing-key" for key in each.missing}

    def repeats(each: Complaint) -> bool:
        is_told = any((each.path, key) in misspelt or key in misplaced for key in each.missing)
        is_told |= each.code == "misfit" and any((each.path, key) in missing for key in each.missing)
        return is_told or (not each.at_key and any(each.path[:end] in keys for end in range(1, len(each.path) + 1)))

    return [each for each in found if not repeats(each)]


def _unknown_key(place: ValuePlace, key: str, around: FailedSchema) -> Complaint:
    path, where = (*place.path, key), around.belongs.get(key, ())
    meant = around.schema.get("meant", {}).get(key, "")
    below_meant = [each for each in where if meant and f"'{meant}'" in each]
    if below_meant:
        return _misplaced(place, key, below_meant, meant)
    if where and not meant and not nearest(key, around.known, cutoff=_SURELY):
        return _misplaced(place, key, where, key)
    message = f"unknown key {quote(key)} in {place}"
    remedy = _meant(around.schema, key) or Suggestion(key, around.known)
    return Complaint(path, "unknown-key", message, remedy, at_key=True, misplaced=meant)


def _misplaced(place: ValuePlace, key: str, where: Sequence[str], instead: str) -> Complaint:
    """Return the complaint about a key that belongs elsewhere, and is written `instead` of another."""
    message = f"{quote(key)} is not allowed {'in' if place.path else 'at the top of'} {place}"
    remedy = f"It belongs {', or '.join(where)}."
    return Complaint((*place.path, key), "unknown-key", message, remedy, at_key=True, misplaced=instead)


def _bad_key(error: Any, place: ValuePlace, around: FailedSchema) -> Complaint:
    key = str(error.kind.error.instance)
    options = [str(each) for each in getattr(error.kind.error.kind, "options", [])]
    names = around.schema.get("propertyNames", {})
    where = around.belongs.get(key)
    remedy = f"It belongs {', or '.join(where)}." if where else _own_words(names) or Suggestion(key, options)
    message = f"{quote(key)} cannot be a key of {place}"
    return Complaint((*place.path, key), "unknown-key", message, _spelt(names, key) or remedy, at_key=True)


def _missing(error: Any, place: ValuePlace, schema: Any) -> Complaint:
    key = error.kind.property
    about = schema.get("properties", {}).get(key, {}) if isinstance(schema, Mapping) else {}
    examples = about.get("examples", ()) if isinstance(about, Mapping) else ()
    remedy = f"Add it, such as {key}: {_in_yaml(examples[0])}" if examples else "Add it."
    message = f"'{key}' is missing in {place}"
    return Complaint(place.path, "missing-key", message, remedy, missing=frozenset({key}))


def _in_yaml(value: Any) -> str:
    """Return a value on one line of YAML; it may be text, a number, a list or a mapping."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_in_yaml(each)}' for key, each in value.items())}}}"
    return f"[{', '.join(map(_in_yaml, value))}]" if isinstance(value, list) else str(value)


def _depends(error: Any, place: ValuePlace, schema: Any) -> Complaint:
    there = next(key for key in schema["dependentRequired"] if key in error.instance)
    needed = [key for key in schema["dependentRequired"][there] if key not in error.instance]
    return Complaint(place.path, "missing-key", f"'{there}' also needs '{' and '.join(needed)}'", "Add it.")


def _unknown_word(error: Any, place: ValuePlace, schema: Any) -> Complaint:
    options = error.kind.options if error.kind.name == "enum" else [error.kind.expected_value]
    word, known = str(error.instance), [str(each) for each in options]
    see = schema.get("see", "") if isinstance(schema, Mapping) else ""
    remedy = _meant(schema, word) or _spelt(schema, word) or Suggestion(word, known, see)
    return Complaint(place.path, "unknown-word", f"{quote(error.instance)} is not a value for {place}", remedy)


def _meant(schema: Any, word: str) -> str:
    """Return the schema's remedy for a word, as a sentence."""
    words = schema.get("meant", {}) if isinstance(schema, Mapping) else {}
    return f"Write '{words[word]}'." if word in words else ""


def _spelt(schema: Any, text: Any) -> str:
    """Return the remedy for a card, a suit or a player in another notation."""
    if not isinstance(schema, Mapping) or not isinstance(text, str):
        return ""
    refs = [each.get("$ref", "") for each in (schema, *schema.get("anyOf", ())) if isinstance(each, Mapping)]
    kinds = (schema.get("spelt", ""), *(ref.rpartition("/")[2] for ref in refs))
    return next((said for kind in kinds if (said := spelt_so(kind, text))), "")


def _wrong_type(error: Any, place: ValuePlace, schema: Any) -> Complaint:
    types = error.kind.types
    wanted = " or ".join(_TYPES[each] for each in types)
    message = f"{place} must be {wanted}, not {_describe(error.instance)}"
    return Complaint(place.path, "wrong-type", message, _type_remedy(types, error.instance, schema))


def _out_of_place(_error: Any, place: ValuePlace, _schema: Any) -> Complaint:
    return Complaint(place.path, "out-of-place", f"{place} is not allowed here", "Remove it.")


def _wrong_size(error: Any, place: ValuePlace, schema: Any) -> Complaint:
    bound = "at least" if error.kind.name.startswith("min") else "at most"
    size = f"it has {len(error.instance)} and needs {bound} {error.kind.limit}"
    remedy = _own_words(schema) or ("Add some." if bound == "at least" else "Take some out.")
    return Complaint(place.path, "wrong-size", f"{place} does not have the right number of entries: {size}", remedy)


def _out_of_range(error: Any, place: ValuePlace, _schema: Any) -> Complaint:
    bound = "less" if error.kind.name == "minimum" else "more"
    message, limit = f"{place} is {_cut(error.instance)}, {bound} than {error.kind.limit}", error.kind.limit
    remedy = f"Write a number that is {'at least' if bound == 'less' else 'at most'} {limit}."
    return Complaint(place.path, "out-of-range", message, remedy)


def _wrong_length(error: Any, place: ValuePlace, _schema: Any) -> Complaint:
    what = "is empty" if not error.instance else f"is too long ({len(error.instance)} characters)"
    remedy = "Shorten it." if error.instance else "Write something."
    return Complaint(place.path, "wrong-length", f"{place} {what}", remedy)


def _twice(error: Any, place: ValuePlace, schema: Any) -> Complaint:
    entries = error.instance
    again = _repeated([json.dumps(entry, sort_keys=True) for entry in entries])
    message = f"{quote(entries[again])} appears twice in {place}"
    return Complaint((*place.path, again), "twice", message, _own_words(schema) or "Remove one.")


def _repeated(entries: Sequence[str]) -> int:
    """Return the index of the first entry that equals an earlier one."""
    seen: set[str] = set()
    for at, entry in enumerate(entries):
        if entry in seen:
            return at
        seen.add(entry)
    return len(entries) - 1  # such as 1 and 1.0, which a schema treats as equal


def _misfit(error: Any, place: ValuePlace, schema: Any) -> Complaint:
    said = _own_words(schema)
    if isinstance(error.instance, str | int):
        remedy = _spelt(schema, error.instance) or said
        return Complaint(place.path, "misfit", f"{quote(error.instance)} does not fit {place}", remedy)
    message = said[:1].lower() + said[1:].rstrip(".") or "none of the forms allowed"
    branches = (*schema.get("oneOf", ()), *schema.get("anyOf", ())) if isinstance(schema, Mapping) else ()
    missing = frozenset(key for each in branches if isinstance(each, Mapping) for key in each.get("required", ()))
    return Complaint(place.path, "misfit", f"{place}: {message}" if place.path else message, missing=missing)


_EXPLAIN: Final[Mapping[str, Callable[[Any, ValuePlace, Any], Complaint]]] = MappingProxyType(
    {
        "required": _missing,
        "dependentRequired": _depends,
        "enum": _unknown_word,
        "const": _unknown_word,
        "type": _wrong_type,
        "falseSchema": _out_of_place,
        **dict.fromkeys(("minItems", "maxItems", "minProperties", "maxProperties"), _wrong_size),
        **dict.fromkeys(("minimum", "maximum"), _out_of_range),
        **dict.fromkeys(("minLength", "maxLength"), _wrong_length),
        "uniqueItems": _twice,
    }
)

_TYPES: Final = MappingProxyType(
    {
        "string": "text",
        "integer": "a whole number",
        "number": "a number",
        "boolean": "true or false",
        "array": "a list",
        "object": "a mapping of keys to values",
        "null": "empty",
    }
)


def _own_words(schema: Any) -> str:
    """Return the schema's own message, as a sentence."""
    text = schema.get("errorMessage", "") if isinstance(schema, Mapping) else ""
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _type_remedy(types: Iterable[str], value: Any, schema: Any) -> str:
    is_text = isinstance(value, str)
    switch = _own_words(schema) or f"In YAML 1.2 '{value}' is a word: write true or false."
    remedies = (
        ("boolean" in types and is_text, switch),
        ("integer" in types and is_text and value.replace(".", "").isdigit(), "Write a whole number, without quotes."),
        ("integer" in types and is_text, "Write the digits alone, without quotes or anything between them."),
        ("string" in types and isinstance(value, bool | int | float), "Put it in quotes to make it text."),
        ("array" in types and is_text, f"Write it as a list: [{_cut(value)}]."),
        ("array" in types and isinstance(value, Mapping), "Write it as a list: each entry begins with '- '."),
        ("object" in types, "Write it as lines of 'key: value'."),
    )
    return next((remedy for fits, remedy in remedies if fits), "")


def _describe(value: Any) -> str:
    match value:
        case None:
            return "empty"
        case bool():
            return "true or false"
        case str():
            return f"the text {quote(value)}"
        case int() | float():
            return f"the number {_cut(value)}"
        case list():
            return "a list"
        case _:
            return "a mapping"


def quote(value: Any) -> str:
    """Return a value in quotes, cut if it is long."""
    return f"'{_cut(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))}'"


def _cut(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
