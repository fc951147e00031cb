"""The vocabulary of rule tables: the schema of each parameter."""

from collections.abc import Mapping
from typing import Any

from hoyle_conformance.suite.suite import Suite


def parameter_schema(suite: Suite, path: str) -> Mapping[str, Any]:
    """Return the schema of the parameter at a path, or of the list for a row in one."""
    node: Any = suite.schemas.documents["ruleset"]
    for part in path.split("."):
        if part not in node.get("properties", {}):
            break
        node = node["properties"][part]
    found: Mapping[str, Any] = node
    return found
