"""Mutants: a module of the harness with one thing changed in one of its functions."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

#: What becomes of a comparison, of what is joined, and of what is reckoned.
_OTHERWISE: Final[dict[type[ast.AST], type[ast.AST]]] = {
    one: other
    for pair in (
        *((ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn), (ast.Lt, ast.LtE), (ast.Gt, ast.GtE)),
        *((ast.And, ast.Or), (ast.Add, ast.Sub), (ast.BitOr, ast.BitAnd)),
    )
    for one, other in (pair, pair[::-1])
}
#: Statements that can be left out.
_LEFT_OUT: Final = (ast.Raise, ast.Continue, ast.Break, ast.AugAssign)
#: What is not true in any case: whether it is this or that is seldom asked.
_NOTHING: Final = (None, False, "", b"")
#: A change to be made in a tree, in words.
Change = tuple[str, Callable[[], object]]


@dataclass(frozen=True)
class Mutant:
    """One thing changed in a function: the module's path, the function's name, where it stands in the text, what
    becomes of it, and which of the changes of the module it is."""

    path: Path
    function: str
    line: int
    last_line: int
    text: str
    change: str
    number: int

    @property
    def name(self) -> str:
        """What it is known by as long as its line is not changed, wherever that moves to."""
        return f"{self.path.parent.name}/{self.path.name} {self.function}: {self.text}: {self.change}"


def mutants(path: Path) -> list[Mutant]:
    """Every mutant of a module."""
    source = _text(path)
    lines = source.splitlines()
    return [
        Mutant(
            path, function, node.lineno, node.end_lineno or node.lineno, lines[node.lineno - 1].strip(), what, number
        )
        for number, (function, node, (what, _)) in enumerate(_changes(ast.parse(source)))
    ]


def mutated(path: Path, number: int) -> ast.Module:
    """The module with its so manieth change made."""
    tree = ast.parse(_text(path))
    for place, (_, _, (_, change)) in enumerate(_changes(tree)):
        if place == number:
            change()
            return ast.fix_missing_locations(tree)
    raise ValueError(f"{path} has not so many changes")


@cache
def _text(path: Path) -> str:
    """A module as it is read first: whoever edits it while its mutants are tried does not make others of them."""
    return path.read_text("utf-8")


def _changes(tree: ast.Module) -> Iterator[tuple[str, ast.stmt | ast.expr, Change]]:
    """Every change that can be made in a function of the module, with the function and the place."""
    for function, node in _functions(tree, ""):
        for statement in node.body:
            for place in _within(statement):
                for change in _of(place):
                    yield function, place, change


def _functions(node: ast.AST, within: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of a module and the methods of its classes; what is defined in a function belongs to it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield within + child.name, child
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, f"{within}{child.name}.")


def _within(node: ast.AST) -> Iterator[ast.stmt | ast.expr]:
    """A statement and everything in it, but for what is said of types and what is said to the reader."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.stmt | ast.expr):
        yield node
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in {"annotation", "returns", "args.defaults"}:
                yield from _within(child)


def _of(node: ast.stmt | ast.expr) -> Iterator[Change]:
    match node:
        case ast.Compare(ops=[operator]):
            yield from _swapped(node.ops, operator)
        case ast.BoolOp() | ast.BinOp() | ast.AugAssign() if type(node.op) in _OTHERWISE:
            yield f"{_word(node.op)} becomes {_word(_OTHERWISE[type(node.op)]())}", lambda: _set(node, "op")
        case ast.Constant(value=bool()):
            yield f"{node.value} becomes {not node.value}", lambda: setattr(node, "value", not node.value)
        case ast.Constant(value=int(value)):
            yield f"{value} becomes {value + 1}", lambda: setattr(node, "value", value + 1)
        case ast.UnaryOp(op=ast.Not()):
            yield "'not' is left out", lambda: setattr(node, "operand", ast.UnaryOp(ast.Not(), node.operand))
        case ast.IfExp(test=test):
            yield from _reversed(node, test)
    yield from _undone(node)


def _undone(node: ast.stmt | ast.expr) -> Iterator[Change]:
    """What is done no more."""
    match node:
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value in _NOTHING):
            yield "nothing is returned", lambda: setattr(node, "value", ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.YieldFrom()):
            yield "is left out", lambda: setattr(node, "value", ast.Constant(None))
        case ast.Call(func=ast.Attribute(attr="suppress")):
            yield "nothing is suppressed", lambda: setattr(node, "args", [])
        case ast.If(test=test) | ast.While(test=test):
            yield from _reversed(node, test)
    if isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try):
        yield from _left_out(node)


def _reversed(node: ast.AST, test: ast.expr) -> Iterator[Change]:
    """A condition that is no single comparison, which is changed itself."""
    if not isinstance(test, ast.Compare | ast.UnaryOp):
        yield "the condition is reversed", lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), test))


def _swapped(operators: list[ast.cmpop], operator: ast.cmpop) -> Iterator[Change]:
    other = _OTHERWISE[type(operator)]()
    assert isinstance(other, ast.cmpop)
    yield f"{_word(operator)} becomes {_word(other)}", lambda: operators.__setitem__(0, other)


def _set(node: ast.expr | ast.stmt, name: str) -> None:
    setattr(node, name, _OTHERWISE[type(getattr(node, name))]())


def _left_out(node: ast.If | ast.For | ast.While | ast.With | ast.Try) -> Iterator[Change]:
    for body in (node.body, getattr(node, "orelse", []), getattr(node, "finalbody", [])):
        for place, statement in enumerate(body):
            if isinstance(statement, _LEFT_OUT):
                word = type(statement).__name__.lower()
                left = ast.copy_location(ast.Pass(), statement)
                yield (
                    f"'{word}' in it is left out",
                    lambda body=body, place=place, left=left: body.__setitem__(place, left),
                )


def _word(operator: ast.AST) -> str:
    return type(operator).__name__
