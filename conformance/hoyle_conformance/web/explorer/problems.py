"""Faults in the form of layouts, and problems of positions and steps under a ruleset, in words for a card player.

The forms are those of the schemas. `Shapes` supports only the keywords that describe positions and steps; a test
compares it with a validator of JSON Schema.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from hoyle_conformance.checks.request import CannotSetUp
from hoyle_conformance.web.explorer.layout import shortened
from hoyle_conformance.wording import cards as printed
from hoyle_conformance.wording.text import sentence
from hoyle_reference import Malformed, Rules

# ---- faults of form


Path = tuple[str | int, ...]
Schema = Mapping[str, Any]

#: The maximum nesting.
_DEEPEST: Final = 24


@dataclass(frozen=True, slots=True)
class LayoutFault:
    """A part of a layout with the wrong form: its place and the problem, in words."""

    path: Path
    says: str


class Shapes:
    """The forms that schemas describe, by their names: ``scenario#/$defs/given``."""

    def __init__(self, documents: Mapping[str, Any]) -> None:
        self._documents = documents
        self.first = lru_cache(2_000)(self._first)

    def faults(self, kind: str, value: Any) -> Iterator[LayoutFault]:
        """Yield the faults of a value of this kind."""
        name, _, pointer = kind.partition("#")
        yield from self._faults(self._at(name, pointer), name, value, ())

    def _first(self, kind: str, text: str) -> LayoutFault | None:
        """Return the first fault of a value of this kind, as JSON; None if there is none."""
        return next(self.faults(kind, json.loads(text)), None)

    def of_cell(self, schema: Schema, value: Any) -> Iterator[LayoutFault]:
        """Yield the faults of the value of a cell, by its schema."""
        yield from self._faults(schema, "ruleset", value, ())

    def _at(self, name: str, pointer: str) -> Schema:
        node: Any = self._documents[name]
        for part in pointer.split("/")[1:]:
            node = node[part]
        found: Schema = node
        return found

    def _faults(self, schema: Any, name: str, value: Any, path: Path) -> Iterator[LayoutFault]:
        if isinstance(schema, bool):
            yield from () if schema else [LayoutFault(path, f"'{path[-1] if path else 'this'}' is not allowed here")]
            return
        if len(path) > _DEEPEST:
            yield LayoutFault(path, "this is nested too deeply")
            return
        says = schema.get("errorMessage")
        for fault in self._all(schema, name, value, path):
            own = isinstance(says, str) and fault.path == path
            yield LayoutFault(path, str(says)) if own else fault
            if own:
                return

    def _all(self, schema: Schema, name: str, value: Any, path: Path) -> Iterator[LayoutFault]:
        if "type" in schema and not _TYPES[schema["type"]](value):
            yield LayoutFault(path, f"{_here(path)} must be {_NOUNS[schema['type']]}")
            return
        yield from (
            LayoutFault(path, says) for keyword, holds in _PLAIN if keyword in schema for says in holds(schema, value)
        )
        if "$ref" in schema:
            other, _, pointer = schema["$ref"].partition("#")
            other = other.removesuffix(".schema.json") or name
            yield from self._faults(self._at(other, pointer), other, value, path)
        if isinstance(value, Mapping):
            yield from self._of_mapping(schema, name, value, path)
        elif isinstance(value, list):
            yield from self._of_list(schema, name, value, path)
        yield from self._combined(schema, name, value, path)

    def _of_mapping(self, schema: Schema, name: str, value: Mapping[str, Any], path: Path) -> Iterator[LayoutFault]:
        known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
        for key, each in value.items():
            if "propertyNames" in schema and not self._fits(schema["propertyNames"], name, key):
                yield LayoutFault((*path, key), f"'{_short(key)}' is not allowed here")
            elif key in known:
                yield from self._faults(known[key], name, each, (*path, key))
            elif more is False:
                yield LayoutFault((*path, key), f"'{_short(key)}' is not allowed here")
            elif more is not True:
                yield from self._faults(more, name, each, (*path, key))
        for key in schema.get("required", ()):
            if key not in value:
                yield LayoutFault(path, f"'{key}' is missing")
        for key, needed in schema.get("dependentRequired", {}).items():
            yield from (
                LayoutFault(path, f"'{key}' needs '{one}'") for one in needed if key in value and one not in value
            )

    def _of_list(self, schema: Schema, name: str, value: Sequence[Any], path: Path) -> Iterator[LayoutFault]:
        if "items" in schema:
            for at, each in enumerate(value):
                yield from self._faults(schema["items"], name, each, (*path, at))
        if "contains" in schema:
            count = sum(self._fits(schema["contains"], name, each) for each in value)
            if not schema.get("minContains", 1) <= count <= schema.get("maxContains", count):
                yield LayoutFault(path, f"{_here(path)} has an entry too often, or not at all")

    def _combined(self, schema: Schema, name: str, value: Any, path: Path) -> Iterator[LayoutFault]:
        for each in schema.get("allOf", ()):
            yield from self._faults(each, name, value, path)
        if "anyOf" in schema and not any(self._fits(each, name, value) for each in schema["anyOf"]):
            yield LayoutFault(path, f"{_here(path)} has none of the allowed forms")
        if "oneOf" in schema and sum(self._fits(each, name, value) for each in schema["oneOf"]) != 1:
            yield LayoutFault(path, f"{_here(path)} must have exactly one of the allowed forms")
        if "not" in schema and self._fits(schema["not"], name, value):
            yield LayoutFault(path, f"{_here(path)} cannot have this value")
        if "if" in schema:
            then = schema.get("then" if self._fits(schema["if"], name, value) else "else", True)
            yield from self._faults(then, name, value, path)

    def _fits(self, schema: Any, name: str, value: Any) -> bool:
        return next(self._faults(schema, name, value, ()), None) is None


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_TYPES: Final[Mapping[str, Callable[[Any], bool]]] = {
    "object": lambda value: isinstance(value, Mapping) and all(isinstance(key, str) for key in value),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
_NOUNS: Final = {
    "object": "a mapping",
    "array": "a list",
    "string": "a word",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "nothing",
}


def _enum(schema: Schema, value: Any) -> Iterator[str]:
    if not any(_same(value, each) for each in schema["enum"]):
        yield f"'{_short(value)}' is none of: {', '.join(map(str, schema['enum']))}"


def _const(schema: Schema, value: Any) -> Iterator[str]:
    if not _same(value, schema["const"]):
        yield f"'{_short(value)}' must be '{schema['const']}'"


def _pattern(schema: Schema, value: Any) -> Iterator[str]:
    if isinstance(value, str) and not re.search(schema["pattern"], value):
        yield f"'{_short(value)}' has the wrong format"


def _numbers(schema: Schema, value: Any) -> Iterator[str]:
    if _is_number(value) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{_short(value)} is out of range"


def _sizes(schema: Schema, value: Any) -> Iterator[str]:
    for kind, least, most in ((list, "minItems", "maxItems"), (dict, "minProperties", "maxProperties")):
        if isinstance(value, kind) and not schema.get(least, 0) <= len(value) <= schema.get(most, len(value)):
            yield f"{len(value)} entries are too few or too many"
    if isinstance(value, str) and not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)):
        yield "the text is too short or too long"


def _unique(schema: Schema, value: Any) -> Iterator[str]:
    if schema["uniqueItems"] and isinstance(value, list):
        seen = [repr(each) for each in value]
        if len(set(seen)) < len(seen):
            yield "an entry occurs twice"


_PLAIN: Final[tuple[tuple[str, Callable[[Schema, Any], Iterator[str]]], ...]] = (
    ("enum", _enum),
    ("const", _const),
    ("pattern", _pattern),
    ("minimum", _numbers),
    ("minItems", _sizes),
    ("minProperties", _sizes),
    ("maxLength", _sizes),
    ("uniqueItems", _unique),
)


def _same(value: Any, other: Any) -> bool:
    return type(value) is type(other) and bool(value == other)


def _here(path: Path) -> str:
    return f"'{_short(path[-1])}'" if path else "this"


def _short(value: Any) -> str:
    return shortened(str(value) if isinstance(value, (str, int)) else type(value).__name__)


# ---- problems in words


#: The message for a position in which nothing, or more than one thing, determines the stage of the game.
_STANDS: Final = (
    "The position must give the state of the game exactly once.",
    "Choose who leads, who has won the trick, or who is to exchange or announce; or begin before the deal.",
)
#: The message for an act or a question that a game does not have.
_NO_SUCH: Final = re.compile(r"no (act|question) '[\w-]+' in this game")
_CARD: Final = re.compile(r"\b[789TJQKA][CDHS](#[2-8])?(?![\w#])")


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem: its description, the remedy, and its place in the layout, under `given` or in the steps."""

    says: str
    remedy: str
    path: tuple[str | int, ...] = ()

    @property
    def cannot(self) -> dict[str, str]:
        """The description of the problem, as a page shows it."""
        return {"says": self.says, "remedy": self.remedy}


def incomplete(error: CannotSetUp, rules: Rules) -> Problem:
    """Return the problem of a position that cannot be completed, or of a step that names something the game does not
    have."""
    says, remedy = error.at_the_table
    return Problem(_said(says, rules), _said(remedy, rules), error.path)


def malformed(error: Malformed, rules: Rules, path: tuple[str | int, ...] = ()) -> Problem:
    """Return the problem of something that the interpreter finds malformed, whatever the rules."""
    what = "this position" if not path else "this step"
    remedy = "Change the position." if not path else "Change or remove this step."
    return Problem(
        _said(f"under these rules {what} makes no sense: {_NO_SUCH.sub(_none, error.message)}", rules), remedy, path
    )


def _none(found: re.Match[str]) -> str:
    return f"the game has no such {found[1]}"


def broken(_error: Exception, path: tuple[str | int, ...] = ()) -> Problem:
    """Return the problem that the interpreter cannot play on."""
    says = "The game cannot go on from here: these rules contradict each other in this position."
    return Problem(says, "Undo the last change to the rules or the position.", path)


def misshapen(fault: LayoutFault, path: tuple[str | int, ...] = ()) -> Problem:
    """Return the problem of a position or step with the wrong form."""
    whole = (*path, *fault.path)
    if not whole:
        return Problem(*_STANDS)
    remedy = "Remove this step, or state it again." if path else "Correct or remove it."
    return Problem(_pretty(fault.says), remedy, whole)


def together(found: Iterable[tuple[str, Problem]]) -> list[dict[str, Any]]:
    """Return the problems of rulesets, equal ones merged, each with its rulesets."""
    alike: dict[Problem, list[str]] = {}
    for ruleset, problem in found:
        alike.setdefault(problem, []).append(ruleset)
    return [{**problem.cannot, "path": list(problem.path), "rulesets": rulesets} for problem, rulesets in alike.items()]


def _said(words: str, rules: Rules) -> str:
    """Return words with the usual name of the ruleset, and with cards as printed."""
    return _pretty(words.replace(f"under {rules.id}", "under these rules"))


def _pretty(words: str) -> str:
    return sentence(_CARD.sub(lambda found: printed.card(found[0]), words)) if words else ""
