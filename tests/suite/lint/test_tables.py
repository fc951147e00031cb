"""Lint for rule tables: no word may be misspelt without a diagnostic, an unchanged table is compiled once, and a fault
in one is not blamed on those that extend it."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import ROOT
from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.suite.lint import tables
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate.check_file import check_file
from hoyle_reference import Malformed

TABLES = [ROOT / f"spec/rulesets/{name}.ruleset.yaml" for name in ("bezique-bicycle", "rubicon-hoyle", "piquet-hoyle")]
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


@pytest.mark.slow
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


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the tables that are compiled from now on; no table has been linted before."""
    seen: list[str] = []
    real = tables.compile_rules

    def noted(table: Any, options: Any = ()) -> object:
        seen.append(table["id"])
        return real(table, options)

    monkeypatch.setattr(tables, "compile_rules", noted)
    monkeypatch.setattr(tables, "_SENSIBLE", set())
    return seen


def test_a_sensible_table_is_compiled_again_only_when_the_one_it_extends_differs(
    suite: Suite, compiled: list[str]
) -> None:
    own = suite.rulesets["six-deck-h2g2"]
    assert list(tables.lint_table(suite, own)) == []
    first = len(compiled)
    assert list(tables.lint_table(suite, own)) == []
    assert len(compiled) == first
    base = suite.rulesets[own.extends]
    document = replace(base.document, data={**base.document.data, "title": "Another title"})
    other = replace(suite, rulesets={**suite.rulesets, base.id: replace(base, document=document)})
    assert list(tables.lint_table(other, own)) == []
    assert len(compiled) > first


def test_a_senseless_table_is_reported_every_time(
    suite: Suite, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise Malformed("no such game", "deal.packs")

    monkeypatch.setattr(tables, "compile_rules", refuse)
    own = suite.rulesets["bezique-bicycle"]
    for _ in range(2):
        faults = list(tables.lint_table(suite, own))
        assert {(each.code, each.message) for each in faults} == {("senseless-cell", "deal.packs: no such game")}
    assert compiled == []


def faults_with(tmp_path: Path, ruleset: str, was: str, becomes: str) -> dict[str, Diagnostic]:
    """The first fault of each table, by its ruleset, if the table of `ruleset` is changed."""
    spec = Path(shutil.copytree(ROOT / "spec", tmp_path / "spec", ignore=shutil.ignore_patterns("scenarios")))
    (spec / "scenarios").mkdir()
    path = spec / f"rulesets/{ruleset}.ruleset.yaml"
    text = path.read_text("utf-8")
    assert text.count(was) == 1
    path.write_text(text.replace(was, becomes), "utf-8")
    with pytest.raises(Invalid) as caught:
        load_suite(spec)
    found = [each for each in caught.value.diagnostics if "/rulesets/" in each.file]
    return {Path(each.file).name.partition(".")[0]: each for each in reversed(found)}


def test_renaming_a_combination_is_diagnosed_in_every_table_that_extends_it(tmp_path: Path) -> None:
    faults = faults_with(tmp_path, "bezique-h2g2", "- id: royal-marriage\n", "- id: royal-wedding\n")
    says = {
        "rubicon-h2g2": "the combination 'royal-marriage' is new in this table, and has no 'name'",
        **dict.fromkeys(("four-handed-h2g2", "six-deck-h2g2"), "'rubicon-h2g2', which this table extends, makes no"),
        "eight-deck-h2g2": "'six-deck-h2g2', which this table extends, makes no sense",
    }
    assert faults.keys() == says.keys()
    for name, each in faults.items():
        assert each.message.startswith(says[name])
        key = "        - id: royal-marriage" if name == "rubicon-h2g2" else "extends: "
        line = (tmp_path / "spec/rulesets" / f"{name}.ruleset.yaml").read_text("utf-8").splitlines()[each.line - 1]
        assert line.startswith(key)
    assert faults["eight-deck-h2g2"].remedy == "Correct 'six-deck-h2g2' first."
