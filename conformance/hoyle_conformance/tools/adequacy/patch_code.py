"""Patched code: functions of the interpreter that run with one change of their source until it is taken back.

The code object of the function itself is replaced, so that the change applies wherever a chapter refers to it.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import hoyle_reference
from hoyle_conformance.tools.adequacy.code_changes import SourceChange, changed_module, code_changes

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
        tree = changed_module(change.path, number, thorough=True)
        compiled = compile(tree, str(change.path), "exec", dont_inherit=True)
        code = {(each.co_qualname, each.co_firstlineno): each for each in _code_objects(compiled)}
        self._codes = [
            (each, each.__code__, code[each.__code__.co_qualname, each.__code__.co_firstlineno])
            for each in _functions(module)
            if each.__code__.co_qualname == change.function
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


def _code_objects(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _code_objects(each)


@cache
def _functions(module: str) -> Sequence[FunctionType]:
    """Return the functions of a module and the methods of its classes, without what wraps them."""
    here = import_module(module)
    own = [each for each in vars(here).values() if getattr(each, "__module__", "") == module]
    members = [member for each in own if isinstance(each, type) for member in vars(each).values()]
    found = (function for thing in (*own, *members) for function in _unwrapped(thing))
    return [each for each in found if each.__code__.co_filename == here.__file__]


def _unwrapped(thing: Any) -> Iterator[FunctionType]:
    if isinstance(thing, property):
        yield from (each for each in (thing.fget, thing.fset) if isinstance(each, FunctionType))
    elif isinstance(function := getattr(thing, "__wrapped__", getattr(thing, "__func__", thing)), FunctionType):
        yield function


def clear_caches() -> None:
    """Clear what the functions of the interpreter have remembered."""
    for each in _caches():
        each.cache_clear()


@cache
def _caches() -> Sequence[Any]:
    things = (each for name in interpreter_modules() for each in vars(import_module(name)).values())
    return [each for each in things if hasattr(each, "cache_clear")]
