"""The vocabulary of rule tables: the decision that each cell stands for, and the meanings of its values.

The files in ``spec/vocabulary`` are written by hand. From them, ``make protocol`` generates the schema of rule tables
and ``schemas/vocabulary.json``, which has the words for cells in the rule book, the comparison of books and the
questions.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from hoyle_conformance.suite.suite import Suite


def parameter_schema(suite: Suite, path: str) -> Mapping[str, Any]:
    """Return the schema of the parameter at a path; for a row of a list, that of the list."""
    node: Mapping[str, Any] = suite.schemas.documents["ruleset"]
    for part in path.split("."):
        if part not in node.get("properties", {}):
            break
        node = node["properties"][part]
    return node


def definitions(suite: Suite, paths: Iterable[str]) -> list[str]:
    """Return the addresses of the paragraphs that define these cells, each once: `SEMANTICS.md#trick-3`."""
    return list(filter(None, dict.fromkeys(parameter_schema(suite, path).get("$comment", "") for path in paths)))


def question(suite: Suite, path: str) -> str:
    """Return the question that a cell, or a row of a list, answers; empty if the vocabulary has none."""
    schema = parameter_schema(suite, path)
    return str(schema.get("question") or schema.get("questions", {}).get(path.rpartition(".")[2], ""))


#: Texts for people, which change no outcome.
WORDS: Final = frozenset({"name", "title", "ruling"})


class RuleOwner(NamedTuple):
    """An owner of a rule: a ruleset, plain or with an option; and the name of the reading, if the rule is disputed and
    the table follows another."""

    ruleset: str
    reading: str = ""


def without_words(value: Any) -> Any:
    """Return a value without its texts for people."""
    if not isinstance(value, Mapping):
        return value
    return {key: each for key, each in value.items() if key not in WORDS}
