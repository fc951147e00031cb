"""Strict YAML: the part of YAML that Hoyle files may use.

Plain words are read as in YAML 1.2 (``no`` is a word, ``12:30`` is text). `yaml_nodes` refuses the rest of YAML, and
invisible characters are refused too. Every mistake is a `Diagnostic`.
"""

import re
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.document import Document
from hoyle_conformance.files.read import read_text, refuse_unseen
from hoyle_conformance.files.yaml_nodes import Node, compose

_WHOLE = re.compile(r"[-+]?[0-9]{1,18}")
_CONSTANTS: Final = {"true": True, "false": False, "null": None, "~": None, "": None}


def read_file(path: Path, shown: str, *, within: Path | None = None) -> Document:
    """Read and load a file; raises Invalid with one diagnostic if it cannot be used, or is a link that leads out of the
    folder `within`."""
    return _load(read_text(path, shown, within=within), shown, path)


def load(text: str, file: str) -> Document:
    """Load one YAML document; raises Invalid with one diagnostic if it is not strict YAML."""
    refuse_unseen(text, file)
    return _load(text, file)


def _load(text: str, file: str, path: Path | None = None) -> Document:
    return Document(file, _data(compose(text, file)), path, text)


def _data(node: Node) -> Any:
    """Return the value of a node as plain data."""
    if isinstance(node.value, dict):
        return {key: _data(value) for key, (_, value) in node.value.items()}
    if isinstance(node.value, list):
        return [_data(item) for item in node.value]
    return _plain(node.value) if node.plain else node.value


def _plain(text: str) -> Any:
    """Return the value of a plain (unquoted) scalar in YAML 1.2; fractions stay text, since no Hoyle file has any."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    return text
