"""The vocabulary of rule tables: the schema of each parameter, and the paragraph that defines it."""

from collections.abc import Iterable, Mapping
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


def definitions(suite: Suite, paths: Iterable[str]) -> list[str]:
    """Return the addresses of the paragraphs that define these cells, each once: `SEMANTICS.md#trick-3`."""
    found = dict.fromkeys(parameter_schema(suite, path).get("$comment", "") for path in paths)
    return [address for address in found if address]
