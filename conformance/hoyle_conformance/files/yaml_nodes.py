"""YAML as nodes, composed from the parser's events, so that deep nesting causes no recursion.

Strict YAML refuses aliases, anchors, tags, keys that are not words or that repeat, a second document, and more levels
or entries than any file needs. Each mistake is reported at its place.

The last part finds the places of values in the text of a file.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

import yaml

from hoyle_conformance.files.diagnostics import UNSEEN, Diagnostic, Invalid, diagnostic_at, named

DEEPEST: Final = 40  # levels
MOST: Final = 10_000  # values, keys not counted
#: The code, message and remedy for a document with more levels than `DEEPEST`.
_TOO_DEEP: Final = (
    "too-deep",
    f"nested more than {DEEPEST} levels deep",
    "No Hoyle file needs that: check the brackets and the indentation.",
)

#: The message and remedy for a line that PyYAML accepts, but that other parsers refuse, as YAML 1.2 requires.
_TOO_SHALLOW: Final = (
    "a line within brackets is not indented deeper than the key before them",
    "Close the brackets, or indent each line up to the closing bracket, that bracket too, deeper than the key.",
)

_Fastest: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
#: The place where something begins: line and column, from 0.
Mark: TypeAlias = tuple[int, int]


class Loader(_Fastest):  # type: ignore[misc]  # its base is chosen at run time
    """PyYAML without its YAML 1.1 guesses: every plain word is text."""

    yaml_implicit_resolvers: Final[dict[str, Any]] = {}


class Node(NamedTuple):
    """A value: its place, its content, and, for text, whether it is unquoted. The entries of a mapping also have the
    place of their key."""

    mark: Mark
    value: str | list["Node"] | dict[str, tuple[Mark, "Node"]]
    plain: bool = False


def compose(text: str, file: str) -> Node:
    """Return the root of the only document in a text; raises Invalid with one diagnostic if the text is empty or not
    strict YAML."""
    composing = _Composing(file, text)
    try:
        for event in yaml.parse(text, Loader=Loader):
            composing.take(event)
    except yaml.YAMLError as error:
        mark: Any = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        at = _within(text, (mark.line, mark.column)) if mark else (0, 0)
        if getattr(error, "problem", None) == "exceeded maximum nesting depth":  # libyaml 0.2.6 stops at 1,000 levels
            composing.refuse(at, *_TOO_DEEP)
        composing.refuse(at, "yaml", *_explain(error, text, at[0]))
    if composing.root is None:
        raise Invalid([Diagnostic(file, 1, 1, "empty", "the file is empty", "Write a document, or remove the file.")])
    return composing.root


@dataclass(slots=True)
class _Composing:
    """The state of a document that is being read: the open collections, each with the key that still lacks its
    value."""

    file: str
    text: str
    root: Node | None = None
    open: list[Node] = field(default_factory=list)
    keys: list[tuple[Mark, str] | None] = field(default_factory=list)
    #: The column that the lines of each open collection in brackets must exceed; None for a collection without
    #: brackets.
    brackets: list[int | None] = field(default_factory=list)
    entries: int = 0

    def take(self, event: Any) -> None:
        """Process the next event of the parser; raises Invalid for anything that strict YAML lacks."""
        if take := _TAKE.get(type(event)):
            mark = event.start_mark.line, event.start_mark.column
            column = self.brackets[-1] if self.brackets else None
            if column is not None and mark[1] <= column and event.start_mark.index < event.end_mark.index:
                self.refuse(mark, "indentation", *_TOO_SHALLOW)
            take(self, event, mark)

    def document(self, _event: Any, mark: Mark) -> None:
        if self.root is not None:
            remedy = "Put each document in a file of its own."
            self.refuse(mark, "yaml", "a second document begins here", remedy)

    def alias(self, _event: Any, mark: Mark) -> None:
        remedy = "Hoyle files do not use aliases: write the value out."
        self.refuse(mark, "alias", "an alias repeats a value from elsewhere", remedy)

    def scalar(self, event: Any, mark: Mark) -> None:
        if event.tag or event.anchor:
            self.refuse_decorated(event, mark)
        style = event.style
        if style == '"' and (unseen := re.search(UNSEEN, event.value)):
            message = f"this text contains the character {named(unseen[0])}, which is not allowed"
            self.refuse(mark, "character", message, "Remove its escape sequence.")
        if self.open and isinstance(self.open[-1].value, dict) and self.keys[-1] is None:
            self.keys[-1] = self.new_key(mark, event.value)
        else:
            self.put(Node(mark, event.value, not style))

    def collection(self, event: Any, mark: Mark) -> None:
        if len(self.open) >= DEEPEST:
            self.refuse(mark, *_TOO_DEEP)
        self.refuse_decorated(event, mark)
        if self.open and isinstance(self.open[-1].value, dict) and self.keys[-1] is None:
            self.refuse(mark, "key", "a key must be a word", "Write 'key: value'.")
        node = Node(mark, {} if isinstance(event, yaml.MappingStartEvent) else [])
        self.put(node)
        self.brackets.append(self.column_around() if event.flow_style else None)
        self.open.append(node)
        self.keys.append(None)

    def column_around(self) -> int:
        """Return the column that the lines of a collection in brackets must exceed: that of the keys or dashes around
        the collection."""
        column = self.brackets[-1] if self.brackets else -1
        return self.open[-1].mark[1] if column is None else column

    def end(self, _event: Any, _mark: Mark) -> None:
        self.open.pop()
        self.keys.pop()
        self.brackets.pop()

    def new_key(self, mark: Mark, key: str) -> tuple[Mark, str]:
        entries: Any = self.open[-1].value
        if key in entries:
            message, first = f"the key '{key}' appears a second time", entries[key][0][0] + 1
            self.refuse(mark, "duplicate-key", message, f"It first appears on line {first}: keep one of them.")
        return mark, key

    def put(self, node: Node) -> None:
        self.entries += 1
        if self.entries > MOST:
            message = f"the file has more than {MOST:,} values"
            self.refuse(node.mark, "too-large", message, "No Hoyle file needs so many: split it.")
        if not self.open:
            self.root = node
            return
        above: Any = self.open[-1].value
        if isinstance(above, list):
            above.append(node)
        elif key := self.keys[-1]:
            above[key[1]] = key[0], node
            self.keys[-1] = None

    def refuse_decorated(self, event: Any, mark: Mark) -> None:
        if event.tag:
            self.refuse(mark, "tag", f"the tag {event.tag} is not allowed", "Write the value without a tag.")
        if event.anchor:
            remedy = "Hoyle files do not use anchors and aliases: write the value out in each place."
            self.refuse(mark, "anchor", f"the anchor &{event.anchor} is not allowed", remedy)

    def refuse(self, mark: Mark, code: str, message: str, remedy: str) -> None:
        raise Invalid([diagnostic_at(self.file, self.text, *mark, code, message, remedy)])


_TAKE: Final[Mapping[type, Callable[[_Composing, Any, Mark], None]]] = MappingProxyType(
    {
        yaml.DocumentStartEvent: _Composing.document,
        yaml.AliasEvent: _Composing.alias,
        yaml.ScalarEvent: _Composing.scalar,
        yaml.MappingStartEvent: _Composing.collection,
        yaml.SequenceStartEvent: _Composing.collection,
        yaml.MappingEndEvent: _Composing.end,
        yaml.SequenceEndEvent: _Composing.end,
    }
)


#: Match a card with a space before its copy number, which turns the number into a comment.
_A_COPY: Final = re.compile(r"\b([789TJQKA][CDHS]) +(#[1-8])\b")


def _within(text: str, mark: Mark) -> Mark:
    """Return a place in the text; the end of the text if the parser names the line after it."""
    last = text.count("\n")
    return mark if mark[0] <= last else (last, len(text) - (text.rfind("\n") + 1))


def _explain(error: yaml.YAMLError, text: str, at: int) -> tuple[str, str]:
    """Return a parser's complaint about a line (from 0) in words, with the remedy for the usual causes."""
    problem = getattr(error, "problem", None) or "not YAML"
    line = text.split("\n")[at]
    if "\\t" in problem or "\t" in line[: len(line) - len(line.lstrip())]:
        return "a tab where YAML requires spaces", "Indent with spaces."
    if "anchor" in problem or "alias" in problem:
        return problem, "Hoyle files do not use aliases: write the value out."
    if "escape" in problem:
        return problem, "Write the character itself."
    if "mapping values are not allowed" in problem:
        return "a ': ' where none is allowed", "Put text that contains ': ' in quotes, or fix the indentation."
    if "did not find expected" in problem or "could not find expected" in problem:
        remedy = "Look for an unclosed bracket or quote, or wrong indentation, just above."
        if copy := _A_COPY.search("\n".join(text.split("\n")[max(0, at - 2) : at + 1])):
            remedy = f"After a space # begins a comment: write {copy[1]}{copy[2]} without it."
        return f"the structure is broken here ({problem})", remedy
    return problem, "Put text with special characters in quotes."


# ---- places of values


def place_of(text: str, path: Sequence[str | int], *, key: bool = False) -> Mark:
    """Return the line and column (from 0) of the value of `path`, or of its key. If the value is missing, return the
    nearest place; if the text can no longer be read, its beginning."""
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
    """Return the root node of a text, composed once for all its mistakes."""
    try:
        return compose(text, "")
    except Invalid:  # the text was valid when it was loaded, and has changed since
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
    """Return the `id` by which paths may name a row; empty if it has none."""
    entry = node.value.get("id") if isinstance(node.value, dict) else None
    return entry[1].value if entry and isinstance(entry[1].value, str) else ""
