"""The budget of code that the gate enforces."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from conftest import ROOT


@pytest.fixture
def size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The tool, with a budget that has been committed twice and is in a folder of its own."""
    spec = spec_from_file_location("size", ROOT / ".ci/size.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "size", module)
    spec.loader.exec_module(module)
    (tmp_path / ".ci").mkdir()
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "git", lambda *words: "one\n" if words[0] == "log" else '[limits]\n"tests" = [90, 9]\n')
    return module


def budget(size: ModuleType, text: str) -> list[str]:
    (size.ROOT / ".ci/limits.toml").write_text(text, "utf-8")
    return list(size.faults({"tests": size.Size(90, 9)}))


def test_a_part_over_its_limit_is_a_fault(size: ModuleType) -> None:
    assert not budget(size, '[limits]\n"tests" = [90, 9]\n')
    assert budget(size, '[limits]\n"tests" = [89, 9]\n') == ["tests is over its limit of 89 lines in 9 files"]
    assert budget(size, '[limits]\n"tests" = [90, 8]\n') == ["tests is over its limit of 90 lines in 8 files"]


def test_every_part_has_a_limit(size: ModuleType) -> None:
    assert budget(size, '[limits]\n"harness" = [1, 1]\n') == [
        "tests has no limit in .ci/limits.toml",
        "harness does not exist: remove its limit",
    ]


def test_a_limit_is_raised_only_by_a_decision(size: ModuleType) -> None:
    raised = '[limits]\n"tests" = [91, 9]\n'
    (fault,) = budget(size, raised)
    assert fault.startswith("the limit of tests was raised")
    (size.ROOT / "why.md").touch()
    assert not budget(size, raised + '[raised]\n"tests" = "why.md"\n')


def test_limits_can_be_lowered_to_what_there_is(size: ModuleType) -> None:
    budget(size, '[limits]\n"gone" = [5, 1]\n"tests" = [100, 8]\n')
    assert size.lowered({"tests": size.Size(90, 9)}) == '[limits]\n"tests" = [90, 8]\n'


def test_code_lines_are_neither_blank_nor_comments_nor_docstrings(size: ModuleType) -> None:
    (size.ROOT / "a.py").write_text('"""One.\n\nTwo."""\n\n# three\nx = "# four"  # five\n', "utf-8")
    (size.ROOT / "a.css").write_text("a {\n\n}\n", "utf-8")
    assert [size.code_lines(size.ROOT / name) for name in ("a.py", "a.css")] == [1, 2]
