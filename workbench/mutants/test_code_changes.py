"""Each change of a module is one change, and it is described as it is made."""

import ast
from pathlib import Path

import pytest

from mutants.code_changes import changed_module, code_changes

SOURCE = '''\
def first(a, b):
    """A docstring is not changed: 1."""
    if a == b and not a:
        return 1
    for each in a:
        if each:
            continue
    total = 0
    total += max(a)
    return [each for each in a if each > 2][1:]


class Thing:
    def second(self):
        yield self.value
        print(self)
'''


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "module.py"
    path.write_text(SOURCE, "utf-8")
    return path


def made(module: Path, change: str, function: str = "first") -> str:
    found = next(
        each for each in code_changes(module, thorough=True) if each.change == change and each.function == function
    )
    return ast.unparse(changed_module(module, found.number, thorough=True))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ("Eq becomes NotEq", "if a != b and (not a):"),
        ("And becomes Or", "if a == b or not a:"),
        ("operand 1 is left out", "if True and (not a):"),
        ("the condition is reversed", "if not (a == b and (not a)):"),
        ("'not' is left out", "if a == b and (not not a):"),
        ("1 becomes 2", "return 2"),
        ("Add becomes Sub", "total -= max(a)"),
        ("max becomes min", "total += min(a)"),
        ("'continue' in it is left out", "if each:\n            pass"),
        ("condition 1 is left out", "return [each for each in a][1:]"),
        ("the lower bound is left out", "if each > 2][:]"),
        ("nothing is returned", "return None"),
    ],
)
def test_a_change_is_made_as_it_is_described(module: Path, change: str, text: str) -> None:
    assert text in made(module, change)


def test_what_a_generator_yields_can_be_left_out(module: Path) -> None:
    assert "yield from ()" in made(module, "is left out", "Thing.second")


def test_every_change_makes_another_module_that_compiles(module: Path) -> None:
    changes = code_changes(module, thorough=True)
    texts = {ast.unparse(changed_module(module, each.number, thorough=True)) for each in changes}
    assert len(texts) == len(changes)
    assert ast.unparse(ast.parse(SOURCE)) not in texts
    for each in changes:
        compile(changed_module(module, each.number, thorough=True), "module.py", "exec")


def test_docstrings_are_not_changed(module: Path) -> None:
    assert all("docstring" not in each.text for each in code_changes(module, thorough=True))


def test_thorough_changes_are_made_only_if_asked_for(module: Path) -> None:
    assert len(code_changes(module)) < len(code_changes(module, thorough=True))


def test_a_change_that_does_not_exist_is_an_error(module: Path) -> None:
    with pytest.raises(ValueError, match="does not have so many changes"):
        changed_module(module, 1000)
