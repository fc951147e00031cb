"""Refusal mutants: the reference without one of its refusals, so that it allows an act that this rule alone forbids.

The refusals are found in the interpreter's source: each place where a function returns a `Refusal` is removed in turn,
and the code after it decides instead.
"""

import ast
import inspect
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from pkgutil import walk_packages
from types import CodeType, ModuleType
from typing import Final, TypeGuard

from adequacy.mutants import REFUSALS, DetectionCheck, Detector, Mutant, MutantTrial, Patch
from hoyle_conformance.checks.setup.trace import observations
from hoyle_reference import Rules, chapters

_REFUSAL: Final = "Refusal"
#: The global name under which patched functions find the recorder.
_RECORDER: Final = "_hoyle_hit"
#: The referee's refusals concern claims and rulings; mutants of the table's rows measure them.
_LEFT_OUT: Final = "hoyle_reference.chapters.referee"


#: Refusals without which the act is allowed outright: another rule refuses it only because the phase changes too.
REFUSED_TWICE: Final = frozenset({"stock-is-gone"})
#: Functions that only choose the code of a refusal: the act is refused in any case.
_ONLY_NAME: Final = frozenset({"_refuse_card"})

#: A refusal's module, its function, and the number of refusals in that function before it.
RefusalPlace = tuple[str, str, int]


@dataclass(frozen=True, slots=True)
class RefusalSite:
    """One place where a function of the interpreter refuses: its name in lists, its place, and the patch without it."""

    name: str
    at: RefusalPlace
    patch: Patch


def refusal_mutants(detector: Detector) -> Iterator[MutantTrial]:
    """Yield a mutant for each refusal in the chapters of these rules, with the checks that meet it."""
    modules, checks_at = _modules_of(detector.rules), defaultdict[RefusalPlace, list[DetectionCheck]](list)
    with record_refusals(detector.rules) as recorded:
        for detection in detector.checks:
            recorded.clear()
            observations(detector.rules, detection.request.message)
            for at in recorded:
                checks_at[at].append(detection)
    for module in modules:
        for site in _sites(module):
            yield MutantTrial(Mutant(REFUSALS, site.name, patch=site.patch), checks_at.get(site.at, ()))


def site_names(rules: Rules, recorded: Container[RefusalPlace]) -> frozenset[str]:
    """Return the names of the sites at these places."""
    return frozenset(site.name for module in _modules_of(rules) for site in _sites(module) if site.at in recorded)


@contextmanager
def record_refusals(rules: Rules) -> Iterator[set[RefusalPlace]]:
    """Record every refusal of these rules that the interpreter meets within the context."""
    recorded: set[RefusalPlace] = set()
    with ExitStack() as stack:
        for name in _modules_of(rules):
            module = import_module(name)
            stack.enter_context(Patch(module, _RECORDER, lambda *at: recorded.add(at)).applied())
            for function in dict.fromkeys(site.at[1] for site in _sites(name)):
                recording = _changed_code(module, function, _RecordRefusals(name, function).visit)
                stack.enter_context(Patch(getattr(module, function), "__code__", recording).applied())
        yield recorded


def _modules_of(rules: Rules) -> Sequence[str]:
    return sorted({name for chapter in rules.book for name in _chapter_modules(chapter.read.__module__)})


@cache
def _chapter_modules(of: str) -> tuple[str, ...]:
    """Return the modules of a chapter: the one that reads it, and the others in its package, if it has one."""
    if _LEFT_OUT in of:
        return ()
    package = of.rpartition(".")[0]
    if package == chapters.__name__:
        return (of,)
    return tuple(found.name for found in walk_packages(import_module(package).__path__, f"{package}."))


@cache
def _sites(name: str) -> Sequence[RefusalSite]:
    module = import_module(name)
    return list(_find_sites(module, ast.parse(inspect.getsource(module))))


def _find_sites(module: ModuleType, tree: ast.Module) -> Iterator[RefusalSite]:
    for function in tree.body:
        if not isinstance(function, ast.FunctionDef) or function.name in _ONLY_NAME:
            continue
        seen: Counter[str] = Counter()
        for number, call in enumerate(_refusals(function)):
            code, which = _code(call), getattr(module, function.name)
            seen[code] += 1
            again = f" ({seen[code]})" if seen[code] > 1 else ""
            patched = _changed_code(module, function.name, partial(_drop_refusal, number))
            at = module.__name__, function.name, number
            yield RefusalSite(f"{code} in {function.name}{again}", at, Patch(which, "__code__", patched))


def _refusals(function: ast.FunctionDef) -> list[ast.Call]:
    """Return the calls in a function that refuse."""
    return [node for node in ast.walk(function) if _is_refusal(node)]


def _drop_refusal(number: int, function: ast.FunctionDef) -> None:
    """Remove one refusal from a function."""
    _DropRefusal(_refusals(function)[number], function).visit(function)


def _changed_code(module: ModuleType, function: str, change: Callable[[ast.FunctionDef], object]) -> CodeType:
    """Return the code of a function after a change to its syntax tree."""
    tree = ast.parse(inspect.getsource(module))
    change(next(each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == function))
    compiled = compile(ast.fix_missing_locations(tree), inspect.getfile(module), "exec")
    return next(each for each in compiled.co_consts if isinstance(each, CodeType) and each.co_name == function)


class _RecordRefusals(ast.NodeTransformer):
    """Makes a function record each refusal that it meets: ``Refusal(…)`` becomes ``record(…) or Refusal(…)``."""

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
        return ast.BoolOp(ast.Or(), [ast.Call(ast.Name(_RECORDER, ast.Load()), at, []), node])


def _is_refusal(node: ast.AST | None) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == _REFUSAL


def _code(call: ast.Call) -> str:
    """Return the code of a refusal; both codes if the call chooses between two."""
    return "/".join(str(each.value) for each in ast.walk(call.args[0]) if isinstance(each, ast.Constant))


class _DropRefusal(ast.NodeTransformer):
    """Removes the innermost construct that refuses.

    A conditional expression becomes its other side; an `if` falls through, or allows the act if only another refusal
    follows; a plain refusal becomes None.
    """

    def __init__(self, call: ast.Call, function: ast.FunctionDef) -> None:
        self._call, self._body, self._done = call, function.body, False
        self._outright = _code(call) in REFUSED_TWICE

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        if self._done or not self._contains_call(node):
            return node
        self._done = True
        return node.orelse if self._contains_call(node.body) else node.body

    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        if self._done or not self._contains_call(node):
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

    def _contains_call(self, node: ast.AST) -> bool:
        return any(each is self._call for each in ast.walk(node))
