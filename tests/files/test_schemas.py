"""The schemas: each property says what it is, references are found beside the file, and what editors offer is valid."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator, Registry

from conftest import ROOT
from hoyle_conformance.files.schemas import BASE
from hoyle_conformance.web.site.pages import SCHEMAS, schemas

FOLDER_OF_SCHEMAS = ROOT / "spec/schemas"
NAMES = [path.name for path in sorted(FOLDER_OF_SCHEMAS.glob("*.schema.json"))]
REGISTRY = Registry([(BASE + name, json.loads((FOLDER_OF_SCHEMAS / name).read_text("utf-8"))) for name in NAMES])
#: What holds values of its own, in which no schema is looked for.
VALUES = {"examples", "enum", "const", "required"}
#: What narrows a property that is described elsewhere.
NARROWS = {"if", "then", "else", "oneOf"}

Place = tuple[str, ...]


def read(name: str) -> Any:
    return json.loads((FOLDER_OF_SCHEMAS / name).read_text("utf-8"))


def parts(schema: Any, place: Place = (), *, of_properties: bool = False) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """Every schema within a schema, with its place."""
    if isinstance(schema, list):
        for at, each in enumerate(schema):
            yield from parts(each, (*place, str(at)))
    if isinstance(schema, dict):
        if not of_properties:
            yield place, schema
        for key, each in schema.items():
            if of_properties or key not in VALUES:
                inside = key in {"properties", "$defs"} and not of_properties
                yield from parts(each, (*place, key), of_properties=inside)


def found(name: str, ref: str) -> tuple[str, Any]:
    """What a reference in a schema leads to, and in which file."""
    file, _, pointer = ref.partition("#")
    node = read(file or name)
    for step in pointer.split("/")[1:]:
        node = node[int(step) if isinstance(node, list) else step.replace("~1", "/")]
    return file or name, node


def is_described(name: str, schema: Any) -> bool:
    if not isinstance(schema, dict) or "const" in schema:
        return True
    told = schema.get("description") or schema.get("title")
    return bool(told) or ("$ref" in schema and is_described(*found(name, schema["$ref"])))


@pytest.mark.parametrize("name", [each for each in NAMES if each != "record.schema.json"])
def test_every_property_says_what_it_is(name: str) -> None:
    """The value of a rule (`is`) is what the rule is."""
    silent = [
        (*place, key)
        for place, part in parts(read(name))
        if NARROWS.isdisjoint(place)
        for key, schema in part.get("properties", {}).items()
        if key != "is" and not is_described(name, schema)
    ]
    assert silent == []


@pytest.mark.parametrize("name", NAMES)
def test_every_schema_is_named_after_its_file_and_finds_the_others_beside_it(name: str) -> None:
    schema = read(name)
    assert schema["$id"] == name
    for _, part in parts(schema):
        if "$ref" in part:
            file, node = found(name, part["$ref"])
            assert file in NAMES
            assert isinstance(node, dict | bool)


def test_an_editor_says_of_acts_and_questions_what_the_protocol_says() -> None:
    own, common = read("scenario.schema.json")["$defs"], read("common.schema.json")["$defs"]
    for acts, steps in (({**common["do"], **own["do"]}, own["step"]), (common["do"], common["step"])):
        for key, known in (("do", acts), ("ask", common["ask"])):
            for word in steps["properties"][key]["oneOf"]:
                assert word["description"] == known[word["const"]]["description"]


def proposed() -> Iterator[tuple[str, Any]]:
    """Everything that an editor proposes to write, with the kind of thing that it should be."""
    for name in (
        "scenario.schema.json",
        "house.schema.json",
        "common.schema.json",
        "source.schema.json",
        "ruleset.schema.json",
    ):
        for place, part in parts(read(name)):
            kind = f"{name}#/{'/'.join(place)}" if place else name
            yield from ((kind, each) for each in part.get("examples", ()))


def test_what_an_editor_proposes_is_valid() -> None:
    every = list(proposed())
    assert len(every) > 50
    for kind, value in every:
        schema = Draft202012Validator({"$ref": kind}, registry=REGISTRY, base_uri=BASE)
        assert schema.is_valid(value), (kind, value)


def test_the_site_has_every_schema_as_it_is() -> None:
    assert [page.path for page in schemas(ROOT / "spec")] == [f"{SCHEMAS}/{name}" for name in NAMES]
    for page in schemas(ROOT / "spec"):
        assert json.loads(page.text) == read(page.path.rpartition("/")[2])
