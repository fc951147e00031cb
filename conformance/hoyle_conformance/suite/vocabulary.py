"""The vocabulary of rule tables: what each cell decides, and what its values mean.

The files in ``spec/vocabulary`` are written by hand. `written` generates the schema of rule tables from them, and
``schemas/vocabulary.json``: what the rule book, the comparison of books and the questions say of a cell.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.suite.load import read_document
from hoyle_conformance.suite.semantics import defined_in
from hoyle_conformance.suite.suite import Suite

_FOLDER: Final = "vocabulary"
_ENDING: Final = ".vocabulary.yaml"
#: What is said of a cell that JSON Schema has no keyword for.
_SAID: Final = ("sentence", "short", "question", "questions")


def parameter_schema(suite: Suite, path: str) -> Mapping[str, Any]:
    """Return the schema of the parameter at a path, or of the list for a row in one."""
    node: Any = suite.schemas.documents["ruleset"]
    for part in path.split("."):
        if part not in node.get("properties", {}):
            break
        node = node["properties"][part]
    found: Mapping[str, Any] = node
    return found


def definitions(suite: Suite, paths: Iterable[str]) -> list[str]:
    """Return the addresses of the paragraphs that define these cells, each once: `SEMANTICS.md#trick-3`."""
    found = dict.fromkeys(parameter_schema(suite, path).get("$comment", "") for path in paths)
    return [address for address in found if address]


def question(suite: Suite, path: str) -> str:
    """Return the question that a cell, or a row of a list, answers; empty if the vocabulary has none."""
    schema = parameter_schema(suite, path)
    return str(schema.get("question") or schema.get("questions", {}).get(path.rpartition(".")[2], ""))


def vocabulary(spec: Path, schemas: Schemas) -> Mapping[str, Mapping[str, Any]]:
    """Return all that the vocabulary of a spec folder says, by the paths of the cells; raises Invalid."""
    files = sorted((spec / _FOLDER).glob(f"*{_ENDING}"))
    return {
        path: says
        for file in files
        for path, says in read_document(schemas, _FOLDER, file, f"spec/{_FOLDER}/{file.name}").data.items()
    }


def written(spec: Path, schemas: Schemas) -> Iterator[tuple[Path, str]]:
    """Yield each file that is generated from the vocabulary, with its text; raises Invalid, and KeyError for a cell
    that the schema of rule tables lacks."""
    words, defined = vocabulary(spec, schemas), defined_in(spec)
    path = spec / "schemas" / "ruleset.schema.json"
    ruleset = json.loads(path.read_text("utf-8"))
    more = {}
    for cell, says in words.items():
        node = ruleset
        for part in cell.split("."):
            node = node["properties"][part]
        node.update(title=says["title"], description=says["about"])
        if cell in defined:
            node["$comment"] = defined[cell].address
        if "values" in says:
            choices = [{"const": value, "description": means} for value, means in says["values"].items()]
            node["properties"]["is"] = {"oneOf": choices}
        pointer = "".join(f"/properties/{part}" for part in cell.split("."))
        more[pointer] = {key: says[key] for key in _SAID if key in says}
    yield path, _text(ruleset)
    yield (
        spec / "schemas" / "vocabulary.json",
        _text({"ruleset": {pointer: said for pointer, said in more.items() if said}}),
    )


def _text(data: Any) -> str:
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
