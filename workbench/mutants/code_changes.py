"""Code changes: a module of Python with one thing changed in one of its functions.

A comparison or an operator becomes its opposite, a number one more, a condition its reverse; a statement is left out,
or nothing is returned. Thorough changes add one side of `and` and `or`, conditions of comprehensions, `any` for `all`,
`min` for `max`, and what a generator yields. The changes are made in the syntax tree, so that each keeps its line.

Processes start with this module before they import anything of Hoyle, so it imports nothing of it.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from operator import setitem
from pathlib import Path
from types import CodeType
from typing import Final

#: The operators that replace each other.
_OPPOSITES: Final[dict[type[ast.AST], type[ast.AST]]] = {
    one: other
    for pair in (
        *((ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn), (ast.Lt, ast.LtE), (ast.Gt, ast.GtE)),
        *((ast.And, ast.Or), (ast.Add, ast.Sub), (ast.BitOr, ast.BitAnd)),
    )
    for one, other in (pair, pair[::-1])
}
#: Statements that can be left out.
_REMOVABLE: Final = (ast.Raise, ast.Continue, ast.Break, ast.AugAssign)
#: Return values that are kept: a caller seldom tells one from another.
_FALSY: Final = (None, False, "", b"")
#: The functions that replace each other.
_OPPOSITE_FUNCTIONS: Final = {"any": "all", "all": "any", "min": "max", "max": "min"}
#: The description of a change, and the function that makes it in a tree.
_Edit = tuple[str, Callable[[], object]]


@dataclass(frozen=True)
class SourceChange:
    """One change in one function: the path of the module, the name of the function, the lines and the text of the
    place, the description, and the number of the change in the module."""

    path: Path
    function: str
    line: int
    last_line: int
    text: str
    change: str
    number: int

    @property
    def name(self) -> str:
        """The name in lists, which stays the same until the line itself is edited."""
        return f"{self.path.parent.name}/{self.path.name} {self.function}: {self.text}: {self.change}"


def code_changes(path: Path, *, thorough: bool = False) -> list[SourceChange]:
    """Return every change of a module, with the `thorough` ones if asked for."""
    source = _text(path)
    lines = source.splitlines()
    return [
        SourceChange(
            path, function, node.lineno, node.end_lineno or node.lineno, lines[node.lineno - 1].strip(), what, number
        )
        for number, (function, node, (what, _)) in enumerate(_edits(ast.parse(source), thorough))
    ]


def changed_module(path: Path, number: int, *, thorough: bool = False) -> ast.Module:
    """Return the syntax tree of a module with the change of this number; raises ValueError if there is none."""
    tree = ast.parse(_text(path))
    for place, (_, _, (_, edit)) in enumerate(_edits(tree, thorough)):
        if place == number:
            edit()
            return ast.fix_missing_locations(tree)
    raise ValueError(f"{path} does not have so many changes")


def functions_in(code: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    """Yield every function in the code of a module, by its name and its first line."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield (each.co_qualname, each.co_firstlineno), each
            yield from functions_in(each)


@cache
def _text(path: Path) -> str:
    """Return the text of a module as it was first read, so that an edit during a run does not make other changes."""
    return path.read_text("utf-8")


def _edits(tree: ast.Module, thorough: bool) -> Iterator[tuple[str, ast.stmt | ast.expr, _Edit]]:
    """Yield every change of a module, with the name of the function and the place."""
    for function, node in _functions(tree, ""):
        for statement in node.body:
            for place in _places(statement):
                for edit in (*_edits_of(place), *(_thorough_edits(place) if thorough else ())):
                    yield function, place, edit


def _functions(node: ast.AST, within: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions of a module and the methods of its classes; a nested function belongs to the outer one."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield within + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{within}{child.name}.")


def _places(node: ast.AST) -> Iterator[ast.stmt | ast.expr]:
    """Yield a statement and everything in it, except docstrings and annotations."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.stmt | ast.expr):
        yield node
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in {"annotation", "returns", "args.defaults"}:
                yield from _places(child)


def _edits_of(node: ast.stmt | ast.expr) -> Iterator[_Edit]:
    match node:
        case ast.Compare(ops=[operator]):
            yield from _swap_comparison(node.ops, operator)
        case ast.BoolOp() | ast.BinOp() | ast.AugAssign() if type(node.op) in _OPPOSITES:
            yield f"{_word(node.op)} becomes {_word(_OPPOSITES[type(node.op)]())}", lambda: _swap_operator(node)
        case ast.Constant(value=bool(truth)):
            yield f"{truth} becomes {not truth}", lambda: setattr(node, "value", not truth)
        case ast.Constant(value=int(value)):
            yield f"{value} becomes {value + 1}", lambda: setattr(node, "value", value + 1)
        case ast.UnaryOp(op=ast.Not()):
            yield "'not' is left out", lambda: setattr(node, "operand", ast.UnaryOp(ast.Not(), node.operand))
        case ast.IfExp(test=test):
            yield from _reverse(node, test)
    yield from _removals(node)


def _thorough_edits(node: ast.stmt | ast.expr) -> Iterator[_Edit]:
    match node:
        case ast.BoolOp(values=values):
            neutral = ast.Constant(isinstance(node.op, ast.And))
            for at in range(len(values)):
                yield f"operand {at + 1} is left out", partial(setitem, values, at, neutral)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            for part in node.generators:
                for at in range(len(part.ifs)):
                    yield f"condition {at + 1} is left out", partial(part.ifs.pop, at)
        case ast.Call(func=ast.Name(id=name) as function) if name in _OPPOSITE_FUNCTIONS:
            other = _OPPOSITE_FUNCTIONS[name]
            yield f"{name} becomes {other}", partial(setattr, function, "id", other)
    yield from _more_removals(node)


def _more_removals(node: ast.stmt | ast.expr) -> Iterator[_Edit]:
    match node:
        case ast.Expr(value=ast.Yield()):
            yield "is left out", partial(setattr, node, "value", _empty_yield())
        case ast.If(test=ast.Compare()) | ast.IfExp(test=ast.Compare()):
            for value in (True, False):
                yield f"the condition is always {value}", partial(setattr, node, "test", ast.Constant(value))
        case ast.Subscript(slice=ast.Slice() as part):
            for name in ("lower", "upper"):
                if getattr(part, name) is not None:
                    yield f"the {name} bound is left out", partial(setattr, part, name, None)


def _empty_yield() -> ast.YieldFrom:
    """Return an expression that keeps a function a generator, and yields nothing."""
    return ast.YieldFrom(ast.Tuple([], ast.Load()))


def _removals(node: ast.stmt | ast.expr) -> Iterator[_Edit]:
    """Yield the changes by which something is no longer done."""
    match node:
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value in _FALSY):
            yield "nothing is returned", lambda: setattr(node, "value", ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.YieldFrom()):
            yield "is left out", lambda: setattr(node, "value", ast.Constant(None))
        case ast.Call(func=ast.Attribute(attr="suppress")):
            yield "nothing is suppressed", lambda: setattr(node, "args", [])
        case ast.If(test=test) | ast.While(test=test):
            yield from _reverse(node, test)
    if isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try):
        yield from _statement_removals(node)


def _reverse(node: ast.AST, test: ast.expr) -> Iterator[_Edit]:
    """Yield the reverse of a condition, unless it is a single comparison, which has a change of its own."""
    if not isinstance(test, ast.Compare | ast.UnaryOp):
        yield "the condition is reversed", lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), test))


def _swap_comparison(operators: list[ast.cmpop], operator: ast.cmpop) -> Iterator[_Edit]:
    other = _OPPOSITES[type(operator)]()
    assert isinstance(other, ast.cmpop)
    yield f"{_word(operator)} becomes {_word(other)}", lambda: operators.__setitem__(0, other)


def _swap_operator(node: ast.BoolOp | ast.BinOp | ast.AugAssign) -> None:
    setattr(node, "op", _OPPOSITES[type(node.op)]())  # noqa: B010 -- which kind of operator it takes depends on the node


def _statement_removals(node: ast.If | ast.For | ast.While | ast.With | ast.Try) -> Iterator[_Edit]:
    for body in (node.body, getattr(node, "orelse", []), getattr(node, "finalbody", [])):
        for place, statement in enumerate(body):
            if isinstance(statement, _REMOVABLE):
                word = type(statement).__name__.lower()
                nothing = ast.copy_location(ast.Pass(), statement)
                yield f"'{word}' in it is left out", partial(setitem, body, place, nothing)


def _word(operator: ast.AST) -> str:
    return type(operator).__name__
