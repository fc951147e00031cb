"""The JSON Schema of a position, made from what the table says of its fields."""

from typing import Any

from ..table.fields import Field, Of
from ..table.table import FIELDS


def position_schema() -> dict[str, Any]:
    """Return the content of `position.schema.json`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "position.schema.json",
        "title": "a position",
        "description": "Where every card of the pack is, and what has happened so far in this deal.",
        "type": "object",
        "additionalProperties": False,
        "required": [field.name for field in FIELDS if field.needed and field.of is Of.GAME],
        "properties": {field.name: _described(field) for field in FIELDS},
    }


def _described(field: Field) -> dict[str, Any]:
    """Return the schema of a field, with its description."""
    return {**field.kind.schema, "description": field.says} if field.says else dict(field.kind.schema)
