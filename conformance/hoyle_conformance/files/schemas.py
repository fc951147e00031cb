"""JSON Schema, with messages for people.

The files under ``spec/schemas`` are the vocabulary. An invalid value is reported in words (`complaints`), with the
nearest valid name and its place in the file. These files have only keywords of JSON Schema; ``annotations.json`` and
``vocabulary.json`` have the others, which only Hoyle reads.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hoyle_conformance.files.diagnostics import COUNTED, Diagnostic, Invalid, shown_path
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.read import read_json, read_text
from hoyle_conformance.system import DENIED

if TYPE_CHECKING:
    import jsonschema_rs

    from hoyle_conformance.files.schema_errors import Complaint


# ---- lazy mappings


T = TypeVar("T")


class Lazily(Mapping[str, T]):
    """Values by name, each made on first use."""

    def __init__(self, names: Iterable[str], make: Callable[[str], T]) -> None:
        self._names, self._make = names if isinstance(names, Mapping) else dict.fromkeys(names), make
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._made:
            if name not in self._names:
                raise KeyError(name)
            self._made[name] = self._make(name)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


BASE: Final = "hoyle:/schemas/1/"
_ENDING: Final = ".schema.json"
#: The files that only Hoyle reads; for each schema, they have keywords by place in it.
_ANNOTATIONS: Final = ("annotations.json", "vocabulary.json")
#: The maximum number of entries of a list in a message, since finding the mistakes in each entry would take very long.
_LONGEST: Final = 1_000
_MESSAGES: Final = ("hello", "ready", "run", "observed", "skipped", "unsupported", "error", "bye")
_NAMES: Final = (
    *("common", "source", "ruleset", "house", "scenario", "census", "preludes", "at-work"),
    *("vocabulary", "position", "record", "rulesets", "suite", "known-differences", "transcript", "configuration"),
    # the outputs of commands
    *("ask", "check", "compare", "diff", "doctor", "explain", "fuzz", "identify", "list"),
    *("report", "rules", "validate", "what-if"),
    *(f"message-{message}" for message in _MESSAGES),
)


class Schemas:
    """All schemas of a spec folder; each is read, and its validator built, on first use."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.documents: Mapping[str, Any] = Lazily(_NAMES, self._document)
        self.validator = cache(self._validator)
        self.belongs = cache(self._belongs)
        self._unread: Exception | None = None  # the error in reading a schema that another refers to

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{_ENDING}"

    def _document(self, name: str) -> Any:
        """Return a schema with its annotations, and with choices of values also as `enum` and `sentences`."""
        schema = _read(self._path(name))
        for path, annotations in self._annotations.items():
            for pointer, more in annotations.get(name, {}).items():
                try:
                    _at(schema, pointer).update(more)
                except (KeyError, IndexError, ValueError, AttributeError) as error:
                    raise _no_schema(path, f"{name} has nothing at {pointer}") from error
        # The constants of each `oneOf` that is a choice of values become `enum`, and their meanings `sentences`.
        waiting = [schema]
        while waiting:
            node = waiting.pop()
            waiting += node if isinstance(node, list) else node.values() if isinstance(node, dict) else ()
            values = node.get("oneOf", ()) if isinstance(node, dict) else ()
            if values and all({"const"} <= each.keys() <= {"const", "description"} for each in values):
                del node["oneOf"]
                node["enum"] = [value["const"] for value in values]
                node["sentences"] = {value["const"]: value["description"] for value in values if "description" in value}
        return schema

    @cached_property
    def _annotations(self) -> Mapping[Path, Any]:
        return {path: _read(path) for path in (self._folder / name for name in _ANNOTATIONS)}

    def read_all(self) -> None:
        """Read all schemas; raises Invalid if one cannot be read or is not a schema."""
        for name in self.documents:
            self.documents[name]
        for name in self.documents:
            self.validator(name)

    def _referenced(self, uri: str) -> Any:
        """Return the schema that another one refers to; none is fetched from other files or from the network."""
        name = uri.removeprefix(BASE).removesuffix(_ENDING)
        if uri != f"{BASE}{name}{_ENDING}" or name not in self.documents:
            raise ValueError(f"{uri} is not one of Hoyle's schemas")
        try:
            return self.documents[name]
        except (Invalid, *DENIED) as error:
            self._unread = error  # the library would pass on only its words
            raise

    def _validator(self, name: str) -> "jsonschema_rs.Draft202012Validator":
        import decimal  # noqa: F401 -- if the next import cannot import it, it panics and raises no OSError

        import jsonschema_rs

        name, _, part = name.partition("#")
        self._unread = None
        try:
            schema = {"$ref": f"#{part}", "$defs": self.documents[name]["$defs"]} if part else self.documents[name]
            return jsonschema_rs.Draft202012Validator(
                schema, base_uri=f"{BASE}{name}{_ENDING}", retriever=self._referenced
            )
        except ValueError as error:
            raise self._unread or _no_schema(self._path(name), str(error).partition("\n")[0]) from error

    def check(self, name: str, document: Document) -> list[Diagnostic]:
        """Return the mistakes in a document of this kind, each once; at most the first `COUNTED`."""
        return [document.complain(each) for each in self.complaints(name, document.data)]

    def complaints(self, name: str, data: Any) -> "list[Complaint]":
        """Return the mistakes in data of this kind, each once; at most the first `COUNTED`."""
        validator = self.validator(name)
        if validator.is_valid(data):
            return []
        from hoyle_conformance.files.schema_errors import independent

        belongs = self.belongs(name.partition("#")[0])
        return independent(
            list(islice(self._complaints(data, validator.iter_errors(data), "the file", belongs), COUNTED))
        )

    def complaint(self, name: str, value: Any, whole: str = "the message") -> str:
        """Return the first mistake in a value of this kind, on one line that calls the value `whole`; empty if there is
        none.

        A kind is a schema, or a part of one: ``common#/$defs/seat``.
        """
        validator = self.validator(name)
        try:
            return "" if validator.is_valid(value) else self._first(validator, value, whole)
        except UnicodeError:
            return f"{whole} contains half a character (an unpaired surrogate)"
        except (ValueError, RecursionError):
            return f"{whole} is nested too deeply"

    def _first(self, validator: "jsonschema_rs.Draft202012Validator", value: Any, whole: str) -> str:
        """Return the first mistake in an invalid value, since finding all of them may take very long."""
        import jsonschema_rs

        if longest := _too_long(value):
            return f"{whole} has a list of {longest:,} entries; the most is {_LONGEST:,}"
        try:
            validator.validate(value)
        except jsonschema_rs.ValidationError as error:
            first = next(self._complaints(value, [error], whole, {}))
            return f"{first.message}. {first.remedy}".removesuffix(". ").removesuffix(".")
        return ""

    def _complaints(
        self, data: Any, errors: Iterable[Any], whole: str, belongs: Mapping[str, Sequence[str]]
    ) -> "Iterator[Complaint]":
        from hoyle_conformance.files.schema_errors import FailedSchema, ValuePlace, explain

        for error in errors:
            around = FailedSchema(*self._around(error.absolute_keyword_location), belongs)
            yield from explain(error, ValuePlace(_true_path(data, error.instance_path), whole), around)

    def _belongs(self, name: str) -> Mapping[str, Sequence[str]]:
        """Return the places of keys, in words, from a schema or one that contains it."""
        found: dict[str, list[str]] = {}
        waiting: list[Any] = [self.documents[name]]
        while waiting:
            node = waiting.pop(0)
            waiting += node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
            if isinstance(node, dict) and isinstance(node.get("belongs"), str):
                for key in node.get("properties", {}):
                    found.setdefault(key, []).append(node["belongs"])
        return found

    def _around(self, location: str) -> tuple[Any, list[str]]:
        """Return the schema that has the keyword at a location, and the keys that it knows."""
        name, _, pointer = location.removeprefix(BASE).partition(f"{_ENDING}#")
        schema = node = self.documents[name]
        for part in pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            schema = node if isinstance(node, dict) else schema
            node = node[int(key)] if isinstance(node, list) else node.get(key)
            if node is None:
                break
        return schema, list(self._known_keys(schema, name))

    def _known_keys(self, schema: Any, name: str) -> Iterator[str]:
        yield from schema.get("properties", {})
        if "$ref" in schema:
            elsewhere, _, pointer = schema["$ref"].partition("#")
            name = elsewhere.removesuffix(_ENDING) or name
            yield from self._known_keys(_at(self.documents[name], pointer), name)


def _at(node: Any, pointer: str) -> Any:
    """Return the value at a pointer; raises KeyError, IndexError or ValueError if there is none."""
    for part in pointer.split("/")[1:]:
        node = node[int(part) if isinstance(node, list) else part.replace("~1", "/").replace("~0", "~")]
    return node


def _read(path: Path) -> Any:
    """Return one schema; raises Invalid if it cannot be read."""
    shown = shown_path(path)
    text = read_text(path, shown, what="schema")
    try:
        return read_json(text)
    except ValueError as error:
        raise _no_schema(path, str(error)) from error


def _no_schema(path: Path, why: str) -> Invalid:
    message, remedy = f"the schema cannot be used: {why}", "Restore the file that came with Hoyle."
    return Invalid([Diagnostic(shown_path(path), 1, 1, "schema", message, remedy)])


def _too_long(value: Any) -> int:
    """Return the size of the first list or mapping in a value that has too many entries; 0 if there is none."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case list() | dict() as many if len(many) > _LONGEST:
                return len(many)
            case list() as entries:
                waiting += entries
            case dict() as entries:
                waiting += entries.values()
    return 0


def _true_path(data: Any, path: Iterable[str | int]) -> tuple[str | int, ...]:
    """Return a validator's path with keys of mappings as text, even if they look like numbers, and with the empty keys,
    which the validator leaves out."""
    true: list[str | int] = []
    for at in path:
        while isinstance(data, Mapping) and str(at) not in data and "" in data:
            true.append("")
            data = data[""]
        key = at if isinstance(data, list) else str(at)
        true.append(key)
        data = data[key]
    return tuple(true)
