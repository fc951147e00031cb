"""Strict YAML: what a Hoyle file may contain, and nothing more.

Plain words are read as YAML 1.2 reads them (``no`` is a word, ``12:30`` is text); a key stands once; aliases and tags
are refused, and so are files too large or too deep to be meant. Whatever is wrong is a `Diagnostic`.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import yaml

from .diagnostics import Diagnostic, Invalid
from .document import Document, diagnostic_at
from .places import Loader

LARGEST: Final = 1_000_000  # bytes
DEEPEST: Final = 40  # levels

_WHOLE = re.compile(r"[-+]?[0-9]{1,18}")
_CONSTANTS: Final = {"true": True, "false": False, "null": None, "~": None, "": None}
#: The tags that nodes have when nobody writes one.
_TAGS: Final = frozenset(f"tag:yaml.org,2002:{kind}" for kind in ("str", "seq", "map"))
#: Many indicators on one line, or a line that begins so far to the right that many levels must lie above it.
_RUN_OF_INDICATORS = re.compile(rf"(?:[-?:][ \t]+){{{DEEPEST}}}|^[-?: ]{{400}}", re.MULTILINE)
_TOO_DEEP: Final = f"nested more than {DEEPEST} levels deep"
_CHECK_BRACKETS: Final = "No Hoyle file needs that: check the brackets and the indentation."
_BRACKETS = re.compile(r"[\[\]{}]")


def read_file(path: Path, shown: str) -> Document:
    """Read and load a file; raises Invalid with one diagnostic where it cannot be used."""
    try:
        size = path.stat().st_size
        if size > LARGEST:
            message = f"the file is too large ({size:,} bytes)"
            raise Invalid(
                [Diagnostic(shown, 1, 1, "too-large", message, f"Files may have up to {LARGEST:,} bytes: divide it.")]
            )
        raw = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise Invalid([Diagnostic(shown, 1, 1, "unreadable", f"cannot read the file: {reason}")]) from error
    return load(decode(raw, shown), shown, path)


def decode(raw: bytes, file: str) -> str:
    """Bytes as text; raises Invalid where they are not UTF-8."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text, at = raw.decode("utf-8", "replace"), len(raw[: error.start].decode("utf-8", "replace"))
        message = f"byte 0x{raw[error.start]:02x} is not UTF-8"
        if "\0" in text:
            text, message = "", f"{message}; the file looks like UTF-16"
        raise _invalid(file, text, at, "encoding", message, "Save the file as UTF-8.") from error


def load(text: str, file: str, path: Path | None = None) -> Document:
    """Load one YAML document; raises Invalid with one diagnostic where it is not strict YAML."""
    _refuse_characters(text, file)
    _refuse_depth(text, file)
    try:
        node = yaml.compose(text, Loader=Loader)
    except yaml.MarkedYAMLError as error:
        mark: Any = error.problem_mark or error.context_mark
        message, remedy = _explain(error, text)
        raise Invalid([diagnostic_at(file, text, mark.line, mark.column, "yaml", message, remedy)]) from error
    if node is None:
        raise Invalid([Diagnostic(file, 1, 1, "empty", "the file is empty", "Write a document, or remove the file.")])
    return Document(file, _Reader(file, text).value(node), path, text)


def _invalid(file: str, text: str, at: int, code: str, message: str, remedy: str) -> Invalid:
    """One mistake at an offset in the text."""
    line = text.count("\n", 0, at)
    column = at - (text.rfind("\n", 0, at) + 1)
    return Invalid([diagnostic_at(file, text, line, column, code, message, remedy)])


def _refuse_characters(text: str, file: str) -> None:
    found = yaml.reader.Reader.NON_PRINTABLE.search(text)
    if found:
        message = f"the character U+{ord(found[0]):04X} has no place in a YAML file"
        raise _invalid(file, text.replace(found[0], "�"), found.start(), "character", message, "Remove it.")


def _refuse_depth(text: str, file: str) -> None:
    """Refuse nesting that no person writes before the parser, which is recursive, sees it."""
    run = _RUN_OF_INDICATORS.search(text)
    start, depth = run.start() if run else None, 0
    for bracket in _BRACKETS.finditer(text):
        depth = depth + 1 if bracket[0] in "[{" else max(0, depth - 1)
        if depth > DEEPEST:
            start = bracket.start()
            break
    if start is not None:
        raise _invalid(file, text, start, "too-deep", _TOO_DEEP, _CHECK_BRACKETS)


def _explain(error: yaml.MarkedYAMLError, text: str) -> tuple[str, str]:
    """A parser's complaint in words, with the remedy for the usual causes."""
    problem = error.problem or "not YAML"
    line = text.split("\n")[error.problem_mark.line : error.problem_mark.line + 1] if error.problem_mark else []
    if "\\t" in problem or (line and "\t" in line[0][: len(line[0]) - len(line[0].lstrip())]):
        return "a tab stands where YAML wants spaces", "Indent with spaces."
    if "expected a single document" in str(error):
        return "a second document begins here", "Put each document into a file of its own."
    if "undefined alias" in problem or "anchor" in problem:
        return f"{problem}", "Hoyle files use no anchors and aliases: write the value out."
    if "mapping values are not allowed" in problem:
        return (
            "a ': ' where none can stand",
            "Put text that holds ': ' into quotes, or mend the indentation.",
        )
    if "did not find expected" in problem or "could not find expected" in problem:
        return (
            f"the structure breaks off here ({problem})",
            "Look for an unclosed bracket or quote, or wrong indentation, just above.",
        )
    return problem, "Put text with special characters into quotes."


class _Reader:
    """Turns the nodes of one document into plain data, and refuses what strict YAML does not have."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        self.seen: set[int] = set()

    def value(self, node: Any, depth: int = 0) -> Any:
        if id(node) in self.seen:
            self.refuse_alias()
        if depth > DEEPEST:
            self.refuse(node.start_mark, "too-deep", _TOO_DEEP, _CHECK_BRACKETS)
        self.seen.add(id(node))
        if node.tag not in _TAGS:
            self.refuse(node.start_mark, "tag", f"the tag {node.tag} is not allowed", "Write the value without a tag.")
        if isinstance(node, yaml.MappingNode):
            return self.mapping(node, depth)
        if isinstance(node, yaml.SequenceNode):
            return [self.value(item, depth + 1) for item in node.value]
        return node.value if node.style else _plain(node.value)

    def mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Any]:
        data: dict[str, Any] = {}
        lines: dict[str, int] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.refuse(key.start_mark, "key", "a key must be a word", "Write 'key: value'.")
            if key.value in data:
                first = lines[key.value]
                self.refuse(
                    key.start_mark,
                    "duplicate-key",
                    f"the key '{key.value}' stands here a second time",
                    f"It stands first on line {first}: keep one of them.",
                )
            lines[key.value] = key.start_mark.line + 1
            data[key.value] = self.value(value, depth + 1)
        return data

    def refuse(self, mark: Any, code: str, message: str, remedy: str) -> None:
        raise Invalid([diagnostic_at(self.file, self.text, mark.line, mark.column, code, message, remedy)])

    def refuse_alias(self) -> None:
        mark = next(event.start_mark for event in _events(self.text) if isinstance(event, yaml.AliasEvent))
        self.refuse(
            mark, "alias", "an alias repeats a value from elsewhere", "Hoyle files use no aliases: write the value out."
        )


def _events(text: str) -> Iterator[Any]:
    yield from yaml.parse(text, Loader=Loader)


def _plain(text: str) -> Any:
    """What a plain (unquoted) scalar means in YAML 1.2; no Hoyle file has fractions, so they stay text."""
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    return text
