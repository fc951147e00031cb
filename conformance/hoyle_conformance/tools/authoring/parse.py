"""A parser of the parts of a scenario as people type them at a prompt or in an option, guided by the schemas.

A step is a player, an act or a question, and what belongs to it, in any order as long as it is clear: ``A declare
bezique QS JD``, ``A announce point 5``, ``A winner KS AS``. So is an expectation: ``scores A 40``, ``refused
must-follow-suit``. Named values come last, with or without ``=``: ``A announce point value 50``. The sentences of
`hoyle explain` are understood where they mean the same (``A plays K♠.``), and so is the notation of files: ``{by: A,
do: draw}``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.files.suggest import did_you_mean
from hoyle_conformance.wording.cards import SYMBOLS
from hoyle_conformance.wording.words import with_ids
from hoyle_reference.table import seats

SEATS: Final = tuple(seats.SEATS)
#: The greatest length of input, in characters: enough for a deck of eight packs.
LONGEST_INPUT: Final = 4_000
_LONGEST_QUOTE: Final = 40  # characters
_CARD: Final = re.compile(r"(10|[789TJQKA])([CDHS♣♦♥♠])(#[1-8]|[¹²³⁴⁵⁶⁷⁸])?")
_SUITS: Final = MappingProxyType({symbol: letter for letter, symbol in SYMBOLS.items()})
_COPIES: Final = MappingProxyType({mark: f"#{number}" for number, mark in enumerate("¹²³⁴⁵⁶⁷⁸", start=1)})
_NOTHING: Final = frozenset({"nothing", "nobody", "none", "null"})
#: Words of sentences that files spell otherwise, ...
_VERBS: Final = MappingProxyType(
    {
        "keeps": "hold",
        "says": "answer",
        "leads": "trick",
        "everyone": "draw-all",
        **{each + "s": each for each in ("play", "declare", "draw", "announce", "exchange", "show", "choose", "claim")},
    }
)
#: ... and words of sentences that add nothing.
_FILLER_WORDS: Final = frozenset(
    {"a", "an", "the", "to", "for", "of", "score", "turn-up", "first", "draws", "trick", "ask"}
)


class ParseError(Exception):
    """The input is not understood: the fault and the remedy."""

    def __init__(self, message: str, remedy: str = "") -> None:
        self.message, self.remedy = message, remedy
        super().__init__(f"{message}. {remedy}".removesuffix(" "))


class ScenarioParser:
    """A parser with the schemas of a suite and the names of combinations, by their ids."""

    def __init__(self, schemas: Schemas, melds: Mapping[str, str] = MappingProxyType({})) -> None:
        self._schemas, self._melds = schemas, melds

    @cached_property
    def kinds(self) -> Mapping[str, str]:
        """Every act and question by its word, with the part of a schema that describes it."""
        parts = [("common", "do"), ("common", "ask"), ("scenario", "do")]
        return {
            word: f"{name}#/$defs/{key}/{word}"
            for name, key in parts
            for word in self._schemas.documents[name]["$defs"][key]
        }

    def usage(self, word: str) -> str:
        """Return the usage of an act or a question: ``A declare MELD CARDS [irregular=…]``."""
        schema = self._schema(self.kinds[word])
        needed = [key.upper() for key in schema["required"] if key not in {"by", "do", "ask"}]
        others = [f"[{key}=…]" for key in schema["properties"] if key not in {*schema["required"], "by", "do", "ask"}]
        return " ".join([*(["A"] if "by" in schema["properties"] else []), word, *needed, *others])

    def entry(self, word: str) -> str:
        """Return an act or a question as it is written in a file: ``{by: A, do: declare, meld: …, cards: […]}``."""
        schema = self._schema(self.kinds[word])
        kind = "do" if "do" in schema["properties"] else "ask"
        keys = [key for key in ("by", kind, *schema["required"], *schema["properties"]) if key in schema["properties"]]
        known = {"by": "A", kind: word}
        parts = [
            f"{key}: {known.get(key, '…')}{'' if key in schema['required'] else '?'}" for key in dict.fromkeys(keys)
        ]
        return f"{{{', '.join(parts)}}}"

    def about(self, word: str) -> str:
        """Return a sentence about an act or a question."""
        return _first_sentence(self._schema(self.kinds[word])["description"])

    def keys(self, part: str) -> Mapping[str, str]:
        """Return the keys of a position (``given``) or of a step (``expectation``), each with a sentence."""
        described = self._schemas.documents["scenario"]["$defs"][part]["properties"]
        return {key: _description(self._schemas, schema) for key, schema in described.items()}

    def step(self, text: str) -> dict[str, Any]:
        """Return a step as a scenario has it; raises ParseError."""
        step = self._parse_flow(text) or self._parse_words(text)
        if complaint := self._schemas.complaint("scenario#/$defs/step", step, "the step"):
            word = str(step.get("do") or step.get("ask"))
            raise ParseError(complaint, f"Usage: {self.usage(word)}" if word in self.kinds else "")
        return step

    def value(self, part: str, key: str, text: str) -> Any:
        """Return the value of a key of a position (``given``) or of a step (``expectation``); raises ParseError."""
        keys = self.keys(part)
        if key not in keys:
            raise ParseError(f"'{_shorten(key)}' is not a key that can be written here", did_you_mean(key, keys))
        return self._parse_value(f"scenario#/$defs/{part}/properties/{key}", key, text)

    def expectation(self, text: str, step: Mapping[str, Any]) -> dict[str, Any]:
        """Return an expectation, such as ``scores A 40; trick_won_by A``; raises ParseError."""
        if (whole := self._parse_flow(text)) is not None:
            result = whole if whole.keys() & self.keys("expectation").keys() or "do" in step else {"answer": whole}
        else:
            parts = [self._key_first(part.strip()) for part in text.split(";") if part.strip()]
            if "ask" in step and parts and parts[0].split()[0].rstrip(":=") not in self.keys("expectation"):
                parts = [f"answer {text.strip()}"]
            of: dict[str, list[str]] = {}
            for key, _, value in (part.partition(" ") for part in parts):
                of.setdefault(key.rstrip(":="), []).append(value)
            result = {key: self._expected_value(key, " ".join(values), step) for key, values in of.items()}
        if complaint := self._schemas.complaint("scenario#/$defs/expectation", result, "the expectation"):
            raise ParseError(complaint)
        return result

    def _key_first(self, part: str) -> str:
        """Return an expectation with the player behind its key: ``scores A 40`` for ``A scores 40``."""
        seat, _, rest = part.partition(" ")
        key, _, value = rest.partition(" ")
        return f"{key} {seat} {value}" if seat in SEATS and key in self.keys("expectation") and value else part

    def _expected_value(self, key: str, text: str, step: Mapping[str, Any]) -> Any:
        if key == "accepted":
            raise ParseError("an act is expected to be accepted by default", "Leave it out.")
        if key == "answer" and "ask" in step:
            return self._parse_value(f"{self.kinds[step['ask']]}/answers", f"the answer to '{step['ask']}'", text)
        return self.value("expectation", key, text)

    def _parse_flow(self, text: str) -> dict[str, Any] | None:
        """Return the data of text in the notation of files; None if it is not."""
        _limit_length(text)
        if not text.lstrip().startswith("{"):
            return None
        try:
            data = _load_flow(text)
        except Invalid as invalid:
            raise ParseError(invalid.diagnostics[0].message, str(invalid.diagnostics[0].remedy)) from invalid
        return data if isinstance(data, dict) else None

    def _parse_words(self, text: str) -> dict[str, Any]:
        words = [_clean_word(word) for word in _split_words(with_ids(text, self._melds))]
        at, word = self._find_kind(words)
        schema, question = self._schema(self.kinds[word]), "ask" in self._schema(self.kinds[word])["properties"]
        step: dict[str, Any] = {"ask" if question else "do": word}
        rest = [*words[:at], *words[at + 1 :]]
        if rest and rest[0] in SEATS and "by" in schema["properties"]:
            step["by"] = rest.pop(0)
        self._fill(word, step, rest)
        in_order = ["by", "do", *schema["properties"]] if not question else ["ask", "by", *schema["properties"]]
        return {key: step[key] for key in dict.fromkeys(in_order) if key in step}

    def _find_kind(self, words: Sequence[str]) -> tuple[int, str]:
        """Return the index of the act or question in some words, and its word."""
        for at, piece in enumerate(words):
            if piece == "exchanges" and "turn-up" not in words:  # with the talon, that is
                return at, "discard"
            if (word := _VERBS.get(piece.lower(), piece)) in self.kinds:
                return at, word
        piece = next((word for word in words if word not in SEATS and not _CARD.fullmatch(word)), "")
        if not piece:
            raise ParseError("a step is a player, an act or a question, and its cards", "For example: A play KS")
        raise ParseError(f"'{_shorten(piece)}' is neither an act nor a question", did_you_mean(piece, self.kinds))

    def _fill(self, word: str, step: dict[str, Any], words: Iterable[str]) -> None:
        """Give each word the key to which it belongs."""
        properties, key = self._schema(self.kinds[word])["properties"], ""
        lists = [each for each, schema in properties.items() if schema.get("type") == "array"]
        for piece in words:
            before, equals, behind = piece.partition("=")
            if (named := before.replace("-", "_")) in properties.keys() - {"do", "ask"} and key in {"", *lists}:
                key = named
                if not equals or not behind:
                    continue
                piece = behind  # noqa: PLW2901 -- it is the same word without its key
            if (card := _card_or_dots(piece)) is not None and key not in properties.keys() - set(lists):
                key = self._add_card(word, step, card, key or next(iter(lists), "card"))
            elif piece not in _FILLER_WORDS:
                self._set_value(word, step, piece, key)
                key = ""
        if key and key not in step:
            raise ParseError(f"something is missing after '{key}'", f"Usage: {self.usage(word)}")

    def _add_card(self, word: str, step: dict[str, Any], card: str, key: str) -> str:
        """Add a card to the list of a key, or as its only card. Return the key of the next word, if it is named."""
        if key == "card":
            if key in step:
                raise ParseError(f"'{word}' takes one card, not two", f"Usage: {self.usage(word)}")
            step[key] = card
            return ""
        step.setdefault(key, []).append(card)
        return key if key != "cards" else ""

    def _set_value(self, word: str, step: dict[str, Any], piece: str, key: str) -> None:
        """Set the value of a key; without a key, of the first that has none yet and accepts the value."""
        schema = self._schema(self.kinds[word])
        taken = {*step, "do", "ask", "irregular"}  # any word could be that of an irregularity
        open_ = [key] if key else [each for each in schema["properties"] if each not in taken]
        in_order = sorted(open_, key=lambda each: each not in schema["required"])
        for each in in_order:
            for value in _possible_values(piece, alone=True):
                if self._schemas.validator(f"{self.kinds[word]}/properties/{each}").is_valid(value):
                    step[each] = value
                    return
        known = [value for each in in_order for value in schema["properties"][each].get("enum", ())]
        names = [*known, *(self._melds if "meld" in in_order else ())]
        what = (
            f"'{_shorten(piece)}' is not a value for '{key}'" if key else f"'{_shorten(piece)}' is not part of '{word}'"
        )
        near = did_you_mean(piece, names) if names else ""
        raise ParseError(what, f"{near} Usage: {self.usage(word)}".lstrip())

    def _parse_value(self, part: str, called: str, text: str) -> Any:
        _limit_length(text)
        validator, candidates = self._schemas.validator(part), list(_possible_values(text.strip()))
        for value in candidates:
            if validator.is_valid(value):
                return value
        nearest = max(candidates, key=lambda value: len(next(validator.iter_errors(value)).instance_path))
        raise ParseError(self._schemas.complaint(part, nearest, called))

    def _schema(self, part: str) -> Mapping[str, Any]:
        name, _, pointer = part.partition("#/")
        node: Any = self._schemas.documents[name]
        for key in pointer.split("/"):
            node = node[key]
        found: Mapping[str, Any] = node
        return found


def card(text: str) -> str:
    """Return a card as files have it, even if it was typed as it is printed: ``TH#2`` for ``10♥²``. Other text
    stays."""
    match = _CARD.fullmatch(text)
    if not match:
        return text
    rank, suit, copy = match.groups()
    number = _COPIES.get(copy, copy) or ""
    return f"{'T' if rank == '10' else rank}{_SUITS.get(suit, suit)}{'' if number == '#1' else number}"


def cards(text: str) -> list[str]:
    """Return cards, separated by spaces or commas; ``…`` and ``...`` stand for any cards."""
    return [_clean_word(each) for each in text.strip("[] ").replace(",", " ").split()]


def _split_words(text: str) -> list[str]:
    """Return the words of a text; a list or a mapping, with the text before it, is one word."""
    words: list[str] = []
    for word in text.split():
        last = words[-1] if words else ""
        opened = last.count("[") + last.count("{") - last.count("]") - last.count("}")
        if opened > 0 and re.match(r"(\w+=)?[\[{]", last):
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words


def _load_flow(text: str) -> Any:
    """Return the data of text in the notation of files; raises Invalid where it is none."""
    from hoyle_conformance.files.strict_yaml import load  # noqa: PLC0415 -- the table in a browser has no YAML

    return load(text, "this").data


def _possible_values(text: str, *, alone: bool = False) -> Iterator[Any]:
    """Yield the values that a text may mean, the likeliest first; `alone` if it is one word."""
    if text[:1] in {"{", "["}:
        with suppress(Invalid):
            yield _load_flow(text)
    words = cards(text)
    single = words[0] if len(words) == 1 else text
    if re.fullmatch(r"[+-]?\d{1,9}", single):
        yield int(single)
    yield single
    if single in _NOTHING:
        yield from (None, {}, [])
    if single in {"true", "false", "yes", "no"}:
        yield single in {"true", "yes"}
    if not alone:
        yield words
        yield from _by_seat(text)
        yield _combinations(text)


def _by_seat(text: str) -> Iterator[dict[str, Any]]:
    """Yield a value for each player named: a number, cards or combinations; or a word for each other name."""
    words = text.replace(",", " , ").replace("=", " ").replace(":", " ").split()
    starts = [at for at, word in enumerate(words) if word in SEATS]
    if starts[:1] == [0]:
        ends = [*starts[1:], len(words)]
        named = {words[start]: words[start + 1 : end] for start, end in zip(starts, ends, strict=True)}
        yield {seat: _number_or_word(some) for seat, some in named.items()}
        yield {seat: cards(" ".join(some)) for seat, some in named.items()}
        yield {seat: _combinations(" ".join(some)) for seat, some in named.items()}
    if words and len(words) % 2 == 0:
        yield dict(zip(words[::2], map(_number_or_word, zip(words[1::2])), strict=True))


def _combinations(text: str) -> list[dict[str, Any]]:
    """Return combinations with their cards, separated by commas: ``bezique QS JD, common-marriage KS QS``."""
    parts = [part.split() for part in text.split(",") if part.strip()]
    return [{"meld": meld, "cards": [card(each) for each in some]} for meld, *some in parts]


def _number_or_word(words: Sequence[str]) -> Any:
    """Return the only word, as a number if it is one; None if there are several."""
    only = words[0] if len(words) == 1 else None
    return int(only) if only and re.fullmatch(r"-?\d{1,9}", only) else only


def _card_or_dots(text: str) -> str | None:
    """Return a word as a card, or as dots for any cards; None if it is neither."""
    if text in {"...", "…"}:
        return "..."
    return card(text) if _CARD.fullmatch(text) else None


def _clean_word(word: str) -> str:
    """Return a word without punctuation; a card as files have it."""
    if word in {"...", "…"}:
        return "..."
    return card(word if word[-1:] in {"]", "}"} else word.strip(",.;:?!'\"") or word)


def _shorten(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1]}…"


def _limit_length(text: str) -> None:
    if len(text) > LONGEST_INPUT:
        raise ParseError(f"this is too long ({len(text):,} characters)", f"Shorten it to {LONGEST_INPUT:,} or less.")


def _description(schemas: Schemas, schema: Mapping[str, Any]) -> str:
    """Return the description of a value, its own or that of the schema to which it refers."""
    while "description" not in schema and "$ref" in schema:
        name, _, pointer = schema["$ref"].partition("#/")
        node: Any = schemas.documents[name.removesuffix(".schema.json") or "scenario"]
        for key in pointer.split("/"):
            node = node[key]
        schema = node
    return _first_sentence(schema.get("description", ""))


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[^.])\. ", text, maxsplit=1)[0].rstrip(".")
