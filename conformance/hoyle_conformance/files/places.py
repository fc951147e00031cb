"""The places of values in the text of a YAML file."""

from collections.abc import Sequence
from functools import lru_cache

from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.files.yaml_nodes import Mark, Node, compose


def place_of(text: str, path: Sequence[str | int], *, key: bool = False) -> Mark:
    """Return the line and column (from 0) of the value of `path`, or of its key; of the nearest one if it is missing;
    the beginning if the text can no longer be read."""
    node = _composed(text)
    mark = node.mark
    for step, at in enumerate(path):
        entry = _entry(node, at)
        if entry is None:
            break
        key_mark, node = entry
        mark = key_mark if key and step == len(path) - 1 else node.mark
    return mark


@lru_cache(maxsize=4)
def _composed(text: str) -> Node:
    """Return the root node of a text, composed once for all mistakes in it."""
    try:
        return compose(text, "")
    except Invalid:  # it was sound when it was loaded, and has been changed since
        return Node((0, 0), "")


def _entry(node: Node, at: str | int) -> tuple[Mark, Node] | None:
    if isinstance(node.value, dict):
        return node.value.get(str(at))
    if isinstance(node.value, str):
        return None
    if isinstance(at, int):
        return (node.value[at].mark, node.value[at]) if 0 <= at < len(node.value) else None
    return next(((item.mark, item) for item in node.value if _id_of(item) == at), None)


def _id_of(node: Node) -> str:
    """Return the `id` of a row, by which paths may name it; empty if it has none."""
    entry = node.value.get("id") if isinstance(node.value, dict) else None
    return entry[1].value if entry and isinstance(entry[1].value, str) else ""
