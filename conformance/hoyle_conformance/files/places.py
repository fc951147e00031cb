"""Places: where in the text of a YAML file a value stands."""

from collections.abc import Sequence
from typing import Any, Final

import yaml

_Fastest: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


class Loader(_Fastest):  # type: ignore[misc]  # its base is chosen at run time
    """PyYAML without its YAML 1.1 guesses: every plain word arrives as text."""

    yaml_implicit_resolvers: Final[dict[str, Any]] = {}


def place_of(text: str, path: Sequence[str | int], *, key: bool = False) -> tuple[int, int]:
    """The line and column (from 0) of the value that `path` leads to, or of its key; of the nearest where it is
    missing."""
    node: Any = yaml.compose(text, Loader=Loader)
    mark = node.start_mark
    for step, at in enumerate(path):
        entry = _entry(node, at)
        if entry is None:
            break
        key_mark, node = entry
        mark = key_mark if key and step == len(path) - 1 else node.start_mark
    return mark.line, mark.column


def _entry(node: yaml.Node, at: str | int) -> tuple[Any, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(at):
                return key.start_mark, value
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            if at in {index, _id_of(item)}:
                return item.start_mark, item
    return None


def _id_of(node: yaml.Node) -> str:
    """The `id` of a row, by which paths may name it."""
    entry = _entry(node, "id") if isinstance(node, yaml.MappingNode) else None
    return str(entry[1].value) if entry else ""
