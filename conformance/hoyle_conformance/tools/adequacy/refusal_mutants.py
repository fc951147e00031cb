"""Permissive engines: the reference with one of its refusals dropped, so that it allows what that rule alone forbids.

Where the interpreter refuses is read off its own source: each place in which a function returns a `Refusal` is taken
out in turn, and what comes after it decides instead.
"""

import ast
import inspect
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache, partial
from importlib import import_module
from pkgutil import walk_packages
from types import CodeType, ModuleType
from typing import Final, TypeGuard

from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.tools.adequacy.detect import DetectionCheck, MutantTrial, Noticing
from hoyle_conformance.tools.adequacy.mutants import REFUSALS, Mutant, Patch
from hoyle_reference import Rules, chapters
from hoyle_reference.frozen import frozen

_REFUSAL: Final = "Refusal"
#: Under this name functions find what notes that a refusal was come upon.
_HIT: Final = "_hoyle_hit"
#: The referee's own refusals are about claims and rulings, and are measured by the rows of the tables.
_LEFT_OUT: Final = "hoyle_reference.chapters.referee"


#: Refusals whose fault is to allow the act outright: another rule would refuse it too, but only since the phases of the
#: game say the same.
SAID_TWICE: Final = frozenset({"stock-is-gone"})
#: Functions that only choose which refusal to name: the act is refused in any case.
_ONLY_NAME: Final = frozenset({"_refuse_card"})

#: Which refusal: its module, its function, and how many refusals of that come before it.
At = tuple[str, str, int]


@frozen
class Site:
    """One place where a function of the interpreter refuses: how it is listed, where it is, and what is without it."""

    name: str
    at: At
    patch: Patch


def permissive(noticing: Noticing) -> Iterator[MutantTrial]:
    """An engine for each refusal of the chapters that these rules have, with the checks that come upon it."""
    modules, upon = _modules_of(noticing.rules), defaultdict[At, list[DetectionCheck]](list)
    with come_upon(noticing.rules) as hit:
        for asked in noticing.asked:
            hit.clear()
            observations(noticing.rules, asked.plan.message)
            for at in hit:
                upon[at].append(asked)
    for module in modules:
        for site in _sites(module):
            yield MutantTrial(Mutant(REFUSALS, site.name, patch=site.patch), upon.get(site.at, ()))


def names_of(rules: Rules, hit: Container[At]) -> frozenset[str]:
    """How those refusals are listed that were come upon."""
    return frozenset(site.name for module in _modules_of(rules) for site in _sites(module) if site.at in hit)


@contextmanager
def come_upon(rules: Rules) -> Iterator[set[At]]:
    """Notes every refusal of these rules that is come upon meanwhile."""
    hit: set[At] = set()
    with ExitStack() as stack:
        for name in _modules_of(rules):
            module = import_module(name)
            stack.enter_context(Patch(module, _HIT, lambda *at: hit.add(at)).made())
            for function in dict.fromkeys(site.at[1] for site in _sites(name)):
                noting = _changed(module, function, _Noting(name, function).visit)
                stack.enter_context(Patch(getattr(module, function), "__code__", noting).made())
        yield hit


def _modules_of(rules: Rules) -> Sequence[str]:
    return sorted({name for chapter in rules.book for name in _modules(chapter.read.__module__)})


@cache
def _modules(of: str) -> tuple[str, ...]:
    """The modules of a chapter: the one that reads it, and those beside it if it has a room of its own."""
    if _LEFT_OUT in of:
        return ()
    room = of.rpartition(".")[0]
    if room == chapters.__name__:
        return (of,)
    return tuple(found.name for found in walk_packages(import_module(room).__path__, f"{room}."))


@cache
def _sites(name: str) -> Sequence[Site]:
    module = import_module(name)
    return list(_found(module, ast.parse(inspect.getsource(module))))


def _found(module: ModuleType, tree: ast.Module) -> Iterator[Site]:
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef) or function.name in _ONLY_NAME:
            continue
        told: Counter[str] = Counter()
        for number, call in enumerate(_refusals(function)):
            code, which = _code(call), getattr(module, function.name)
            told[code] += 1
            again = f" ({told[code]})" if told[code] > 1 else ""
            patched = _changed(module, function.name, partial(_drop, number))
            at = module.__name__, function.name, number
            yield Site(f"{code} in {function.name}{again}", at, Patch(which, "__code__", patched))


def _refusals(function: ast.FunctionDef) -> list[ast.Call]:
    """The places in which a function refuses."""
    return [node for node in ast.walk(function) if _is_refusal(node)]


def _drop(number: int, function: ast.FunctionDef) -> None:
    """Take one of its refusals out of a function."""
    _Dropping(_refusals(function)[number], function).visit(function)


def _changed(module: ModuleType, function: str, change: Callable[[ast.FunctionDef], object]) -> CodeType:
    """The code of a function that is changed."""
    tree = ast.parse(inspect.getsource(module))
    change(next(each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == function))
    compiled = compile(ast.fix_missing_locations(tree), inspect.getfile(module), "exec")
    return next(each for each in compiled.co_consts if isinstance(each, CodeType) and each.co_name == function)


class _Noting(ast.NodeTransformer):
    """Lets a function note each refusal that it comes upon: ``Refusal(…)`` becomes ``hit(…) or Refusal(…)``."""

    def __init__(self, module: str, function: str) -> None:
        self._at = module, function
        self._order: dict[int, int] = {}

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._order = {id(call): number for number, call in enumerate(_refusals(node))}
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if id(node) not in self._order:
            return self.generic_visit(node)
        at: list[ast.expr] = [ast.Constant(each) for each in (*self._at, self._order[id(node)])]
        return ast.BoolOp(ast.Or(), [ast.Call(ast.Name(_HIT, ast.Load()), at, []), node])


def _is_refusal(node: ast.AST | None) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == _REFUSAL


def _code(call: ast.Call) -> str:
    """The code of a refusal, or of two between which it is decided."""
    return "/".join(str(each.value) for each in ast.walk(call.args[0]) if isinstance(each, ast.Constant))


class _Dropping(ast.NodeTransformer):
    """Takes out the innermost construct that refuses: a choice becomes its other side, a condition falls through (to
    where the act is allowed, if only another refusal follows), and what is left of a plain refusal is nothing."""

    def __init__(self, call: ast.Call, function: ast.FunctionDef) -> None:
        self._call, self._body, self._done = call, function.body, False
        self._outright = _code(call) in SAID_TWICE

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        if self._done or not self._has_it(node):
            return node
        self._done = True
        return node.orelse if self._has_it(node.body) else node.body

    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        if self._done or not self._has_it(node):
            return node
        self._done = True
        after = self._body[self._body.index(node) + 1 :] if node in self._body else []
        refused_anyway = any(isinstance(each, ast.Return) and _is_refusal(each.value) for each in after)
        return ast.Return(ast.Constant(None)) if refused_anyway or self._outright else ast.Pass()

    def visit_Return(self, node: ast.Return) -> ast.Return:
        self.generic_visit(node)
        if node.value is self._call and node in self._body:
            self._done, node.value = True, ast.Constant(None)
        return node

    def _has_it(self, node: ast.AST) -> bool:
        return any(each is self._call for each in ast.walk(node))
