"""Patched code: functions of the interpreter that run with one change of their source until it is taken back.

The code object of the function itself is replaced, so that the change applies wherever a chapter refers to it.
"""

import ast
import gc
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import FunctionType, ModuleType
from typing import Any, Final

import hoyle_reference
from mutants.code_changes import SourceChange, changed_module, code_changes, functions_in

#: The module that writes the methods of classes: they are written before a mutant is tried.
_WRITES_METHODS: Final = "hoyle_reference.frozen"


@cache
def interpreter_modules() -> Sequence[str]:
    """Return the names of the modules of the interpreter whose functions can be changed."""
    package = hoyle_reference.__name__
    found = [package, *(each.name for each in walk_packages(hoyle_reference.__path__, f"{package}."))]
    return [name for name in sorted(found) if name != _WRITES_METHODS]


@cache
def changes_of(module: str) -> Sequence[SourceChange]:
    """Return every change of a module of the interpreter."""
    return code_changes(_path(import_module(module)), thorough=True)


def _path(module: ModuleType) -> Path:
    assert module.__file__, "the interpreter is made of files"
    return Path(module.__file__)


class CodePatch:
    """One change of the interpreter's code, which can be applied and undone at any time."""

    def __init__(self, module: str, number: int) -> None:
        change = changes_of(module)[number]
        compiled = compile(_changed_tree(change), str(change.path), "exec", dont_inherit=True)
        code = dict(functions_in(compiled))
        self._codes = [
            (each, each.__code__, code[key])
            for each in _functions()[str(change.path)]
            if f"{each.__code__.co_qualname}.".startswith(f"{change.function}.")
            and (key := (each.__code__.co_qualname, each.__code__.co_firstlineno)) in code
        ]

    def apply(self) -> None:
        """Let the function run with the change."""
        for function, _, changed in self._codes:
            function.__code__ = changed
        clear_caches()

    def undo(self) -> None:
        """Let the function run as it is written."""
        for function, was, _ in self._codes:
            function.__code__ = was
        clear_caches()

    @contextmanager
    def undone(self) -> Iterator[None]:
        """Undo the change for the duration of a context."""
        self.undo()
        yield
        self.apply()


def _changed_tree(change: SourceChange) -> ast.Module:
    """Return the tree of a module with a change. Each function names what it named before, if only where it never
    runs: a function takes another code only if that uses the same variables around it."""
    tree = changed_module(change.path, change.number, thorough=True)
    before = {each.lineno: each for each in _function_nodes(ast.parse(change.path.read_text("utf-8")))}
    for node in _function_nodes(tree):
        if lost := sorted(_names(before[node.lineno]) - _names(node)):
            never: list[ast.stmt] = [ast.Expr(ast.Name(name, ast.Load())) for name in lost]
            node.body.append(ast.If(ast.Constant(value=False), never, []))
    return ast.fix_missing_locations(tree)


def _function_nodes(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


@cache
def _functions() -> Mapping[str, Sequence[FunctionType]]:
    """Return the functions that exist, by the path of their module: methods and functions within functions too."""
    for name in interpreter_modules():
        import_module(name)
    gc.unfreeze()  # what is frozen is not listed
    found = defaultdict[str, list[FunctionType]](list)
    for each in gc.get_objects():
        if isinstance(each, FunctionType):
            found[each.__code__.co_filename].append(each)
    return found


def find_functions() -> None:
    """Find the functions of the interpreter, before any code is patched."""
    _functions()


def clear_caches() -> None:
    """Clear what the functions of the interpreter have remembered."""
    for each in _caches():
        each.cache_clear()


@cache
def _caches() -> Sequence[Any]:
    things = (each for name in interpreter_modules() for each in vars(import_module(name)).values())
    return [each for each in things if hasattr(each, "cache_clear")]
