"""The marker of tests that need a POSIX system, which Windows skips: no test that needs one lacks it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import ROOT

#: Names that Windows lacks, and words of programs for POSIX systems.
LACKING = (
    r"\b(fcntl|grp|pty|pwd|resource|termios)\.\w|\bos\.(fork|geteuid|getuid|killpg|mkfifo|setsid)\b"
    r"|\bsignal\.(SIG(ALRM|CONT|HUP|KILL|PIPE|QUIT|STOP|XFSZ)|ITIMER_\w+|[gs]etitimer)\b"
)
OF_POSIX = rf"{LACKING}|start_new_session|\.chmod\(|\.symlink_to\(|'(/bin/sh|sh|/dev/\w+|/proc\b.*)'"
IS_MARKED = r"mark\.posix|platform != 'linux'"


def unmarked(tree: ast.Module) -> list[str]:
    """The tests of a module that need a POSIX system, by themselves or by what they use, and do not say so; and what
    makes the module itself need one when it is imported."""
    named = {name: node for node in tree.body for name in _names(node)}
    if "pytestmark" in named and re.search(IS_MARKED, ast.unparse(named["pytestmark"])):
        return []
    needs = {name for name, node in named.items() if re.search(OF_POSIX, ast.unparse(node))}
    while more := {name for name, node in named.items() if name not in needs and needs & _used(node)}:
        needs |= more
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
    unsaid = [each.name for each in tests if each.name in needs and not _is_marked(each)]
    return [*unsaid, *filter(re.compile(LACKING).search, map(ast.unparse, _run_by_import(tree)))]


def _is_marked(test: ast.FunctionDef) -> bool:
    return any(re.search(IS_MARKED, ast.unparse(decorator)) for decorator in test.decorator_list)


def _names(node: ast.stmt) -> Iterator[str]:
    """The names that a statement of a module gives to what it defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    yield from (target.id for target in targets if isinstance(target, ast.Name))


def _used(node: ast.AST) -> set[str]:
    """The names that a definition uses, those of fixtures among them."""
    nodes = list(ast.walk(node))
    fixtures = {each.value for each in nodes if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    names = {each.id for each in nodes if isinstance(each, ast.Name)}
    return names | fixtures | {each.arg for each in nodes if isinstance(each, ast.arg)}


def _run_by_import(node: ast.AST) -> Iterator[ast.expr]:
    """The attributes that are looked up when a module is imported."""
    if isinstance(node, ast.Attribute):
        yield node
    inside = [*node.decorator_list, *node.args.defaults] if isinstance(node, ast.FunctionDef) else None
    for child in ast.iter_child_nodes(node) if inside is None else inside:
        if not isinstance(child, ast.Lambda):
            yield from _run_by_import(child)


@pytest.mark.slow
def test_every_test_that_needs_posix_is_marked() -> None:
    """Windows skips what is marked."""
    here = Path(__file__).resolve()
    alone = {"browser", "setup"}  # these do not run on Windows
    paths = [path for path in (ROOT / "tests").rglob("test_*.py") if path != here and path.parent.name not in alone]
    found = {path.name: unmarked(ast.parse(path.read_text("utf-8"))) for path in paths}
    assert {name: tests for name, tests in found.items() if tests} == {}


def test_nothing_that_the_tests_share_needs_unix() -> None:
    tree = ast.parse((ROOT / "tests/conftest.py").read_text("utf-8"))
    names = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    assert names.isdisjoint({"fcntl", "msvcrt", "resource", "pwd", "grp", "termios", "pty"})
