"""Lint for rule tables: no word of a table may be misspelt without a diagnostic."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from conftest import ROOT
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate.check_file import check_file

TABLES = sorted((ROOT / "spec/rulesets").glob("*.ruleset.yaml"))
WORD = re.compile(r"[a-z][a-z0-9]+(-[a-z0-9]+)*")
#: What gives a name or a heading, and may have any.
NAMING = frozenset({"id", "name", "title"})
#: Of other words than a kind, so many are one that is tried.
ONE_OF = 9


def words(node: yaml.Node, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], yaml.ScalarNode]]:
    """Each word in a table that is not the key of anything, with the keys that lead to it."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from words(value, (*path, str(key.value)))
    elif isinstance(node, yaml.SequenceNode):
        for each in node.value:
            yield from words(each, path)
    elif isinstance(node, yaml.ScalarNode) and node.tag.endswith(":str") and WORD.fullmatch(node.value):
        yield path, node


def tried(text: str) -> list[yaml.ScalarNode]:
    """The words of a table to misspell: every kind, and some of the others."""
    found = [(path, node) for path, node in words(yaml.compose(text)) if path[-1] not in NAMING]
    of_kinds = [node for path, node in found if path[-1] in {"kind", "over"}]
    others = {(path[-2:], node.value): node for path, node in found if path[-1] not in {"kind", "over"}}
    return [*of_kinds, *list(others.values())[::ONE_OF]]


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=lambda path: path.name.partition(".")[0])
def test_every_misspelt_word_is_diagnosed(table: Path, suite: Suite, tmp_path: Path) -> None:
    text = re.sub(r"^id: .*", "id: mine", table.read_text("utf-8"), count=1, flags=re.MULTILINE)
    path = tmp_path / "mine.ruleset.yaml"
    path.write_text(text, "utf-8")
    assert check_file(suite, path) == []
    chosen, passed = tried(text), []
    assert chosen
    for node in chosen:
        word, start, end = str(node.value), node.start_mark.index, node.end_mark.index
        path.write_text(f"{text[:start]}{word[:-1]}x{word[-1]}{text[end:]}", "utf-8")
        if not check_file(suite, path):
            passed.append((node.start_mark.line + 1, word))
    assert passed == []


@pytest.mark.parametrize(
    ("kind", "message", "remedy"),
    [
        ("mariage", "no other combination is of the kind 'mariage'", "Did you mean 'marriage'?"),
        ("weddings", "no other combination is of the kind 'weddings'", "Valid here: marriage, sequence"),
    ],
)
def test_kind_that_only_one_combination_has_is_named_after_it(
    kind: str, message: str, remedy: str, suite: Suite, tmp_path: Path
) -> None:
    text = re.sub(r"^id: .*", "id: mine", TABLES[0].read_text("utf-8"), count=1, flags=re.MULTILINE)
    path = tmp_path / "mine.ruleset.yaml"
    path.write_text(text.replace("kind: marriage", f"kind: {kind}", 1), "utf-8")
    (found,) = check_file(suite, path)
    assert (found.code, found.message) == ("unknown-kind", message)
    assert remedy in str(found.remedy)
    assert found.line == text[: text.index("kind: marriage")].count("\n") + 1
    everywhere = text.replace("kind: marriage", f"kind: {kind}").replace("over: [marriage]", f"over: [{kind}]")
    path.write_text(everywhere, "utf-8")
    assert check_file(suite, path) == []  # two combinations have it
