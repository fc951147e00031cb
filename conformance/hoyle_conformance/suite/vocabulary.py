"""The vocabulary of rule tables: the decision that each cell stands for, and the meanings of its values.

The files in ``spec/vocabulary`` are written by hand. From them, `written` generates the schema of rule tables and
``schemas/vocabulary.json``, which has the words for cells in the rule book, the comparison of books and the questions.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.suite.semantics import defined_in
from hoyle_conformance.suite.suite import Suite

_FOLDER: Final = "vocabulary"
_ENDING: Final = ".vocabulary.yaml"
_WIDTH: Final = 120
#: The keys of a cell for which JSON Schema has no keyword.
_SAID: Final = ("sentence", "short", "question", "questions")


def parameter_schema(suite: Suite, path: str) -> Mapping[str, Any]:
    """Return the schema of the parameter at a path; for a row of a list, that of the list."""
    node: Mapping[str, Any] = suite.schemas.documents["ruleset"]
    for part in path.split("."):
        if part not in node.get("properties", {}):
            break
        node = node["properties"][part]
    return node


def definitions(suite: Suite, paths: Iterable[str]) -> list[str]:
    """Return the addresses of the paragraphs that define these cells, each once: `SEMANTICS.md#trick-3`."""
    return list(filter(None, dict.fromkeys(parameter_schema(suite, path).get("$comment", "") for path in paths)))


def question(suite: Suite, path: str) -> str:
    """Return the question that a cell, or a row of a list, answers; empty if the vocabulary has none."""
    schema = parameter_schema(suite, path)
    return str(schema.get("question") or schema.get("questions", {}).get(path.rpartition(".")[2], ""))


def vocabulary(spec: Path, schemas: Schemas) -> Mapping[str, Mapping[str, Any]]:
    """Return the whole vocabulary of a spec folder, by the paths of the cells; raises Invalid."""
    from hoyle_conformance.suite.load import read_document  # needs PyYAML, which the table in a browser lacks

    return {
        path: says
        for file in sorted((spec / _FOLDER).glob(f"*{_ENDING}"))
        for path, says in read_document(schemas, _FOLDER, file, f"spec/{_FOLDER}/{file.name}").data.items()
    }


def written(spec: Path, schemas: Schemas) -> Iterator[tuple[Path, str]]:
    """Yield each file generated from the vocabulary, with its text. Raises Invalid, and KeyError for a cell that the
    schema of rule tables lacks."""
    defined, more = defined_in(spec), {}
    path = spec / "schemas" / "ruleset.schema.json"
    ruleset = json.loads(path.read_text("utf-8"))
    for cell, says in vocabulary(spec, schemas).items():
        node = ruleset
        for part in cell.split("."):
            node = node["properties"][part]
        node.update(title=says["title"], description=says["about"])
        if cell in defined:
            node["$comment"] = defined[cell].address
        if "values" in says:
            choices = [{"const": value, "description": means} for value, means in says["values"].items()]
            node["properties"]["is"] = {"oneOf": choices}
        if said := {key: says[key] for key in _SAID if key in says}:
            more["".join(f"/properties/{part}" for part in cell.split("."))] = said
    yield path, json_text(ruleset) + "\n"
    yield path.with_name("vocabulary.json"), json_text({"ruleset": more}) + "\n"


def json_text(data: Any, indent: int = 0) -> str:
    """Return data as JSON; values that fit into a line of 120 characters are on one line."""
    line = json.dumps(data, ensure_ascii=False)
    if indent + len(line) <= _WIDTH or not isinstance(data, (dict, list)):
        return line
    keys = [f"{json.dumps(key)}: " for key in data] if isinstance(data, dict) else [""] * len(data)
    values = zip(keys, data.values() if isinstance(data, dict) else data, strict=True)
    inside = ",\n".join(f"{'':{indent + 2}}{key}{json_text(value, indent + 2)}" for key, value in values)
    return f"{line[0]}\n{inside}\n{'':{indent}}{line[-1]}"


#: Texts for people, which change no outcome.
WORDS: Final = frozenset({"name", "title", "ruling"})


class RuleOwner(NamedTuple):
    """An owner of a rule: a ruleset, plain or with an option; and the name of the reading, if the rule is disputed and
    the table follows another."""

    ruleset: str
    reading: str = ""


def without_words(value: Any) -> Any:
    """Return a value without its texts for people."""
    if not isinstance(value, Mapping):
        return value
    return {key: each for key, each in value.items() if key not in WORDS}
