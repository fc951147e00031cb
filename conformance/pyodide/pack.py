"""Packing, in the Python of browsers: two archives of compiled modules, of the standard library what is needed.

What is needed is found by needing it: every module of our own is imported that can be, and the table is asked
something. What is not to be had in a browser cannot be imported, and is left out.
"""

import ast
import importlib
import importlib.util
import marshal
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

GIVEN, PACKED = Path("/given"), Path("/packed")
#: Where the archives will lie, which is what a trace of a mistake names.
LIBRARY = next(path for path in sys.path if path.endswith(".zip"))
NEVER_CHANGES = (1).to_bytes(4, "little")  # a hash, and nobody looks whether it still fits
EARLIEST = (1980, 1, 1, 0, 0, 0)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def main() -> None:
    """Import everything that the table needs, and pack the modules that were imported."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(GIVEN))
    own = [path for path in sorted(GIVEN.rglob("*.py")) if _can_be_imported(path)]
    __import__("start").begin(GIVEN)("")
    _pack("hoyle.zip", (*_compiled(own), *_others()))
    with zipfile.ZipFile("/stdlib.zip") as library:
        _pack("stdlib.zip", _needed(library))


def _can_be_imported(path: Path) -> bool:
    parts = path.relative_to(GIVEN).with_suffix("").parts
    try:
        importlib.import_module(".".join(parts).removesuffix(".__init__"))
    except ModuleNotFoundError:
        return False
    return True


def _compiled(own: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    for path in own:
        name = path.relative_to(GIVEN).as_posix()
        yield f"{name}c", _module(path.read_bytes(), f"/hoyle.zip/{name}")


def _others() -> Iterator[tuple[str, bytes]]:
    for path in sorted(GIVEN.rglob("*")):
        if path.is_file() and path.suffix != ".py":
            yield path.relative_to(GIVEN).as_posix(), path.read_bytes()


def _needed(library: zipfile.ZipFile) -> Iterator[tuple[str, bytes]]:
    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    for name in sorted(library.namelist()):
        if f"{LIBRARY}/{name}" in files or name == "encodings/__init__.py" or name.startswith("_sysconfigdata"):
            yield f"{name}c", _module(library.read(name), f"{LIBRARY}/{name}")


def _module(source: bytes, name: str) -> bytes:
    """Compile a module without its docstrings, which nobody reads in a browser."""
    tree = ast.parse(source, name)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body[0] = ast.copy_location(ast.Expr(ast.copy_location(ast.Constant(...), node.body[0])), node.body[0])
    code = compile(tree, name, "exec", dont_inherit=True)
    return importlib.util.MAGIC_NUMBER + NEVER_CHANGES + importlib.util.source_hash(source) + marshal.dumps(code)


def _pack(name: str, files: Iterable[tuple[str, bytes]]) -> None:
    """Write an archive that is not compressed, as it is read soonest: it will be compressed as a whole."""
    with zipfile.ZipFile(PACKED / name, "w") as archive:
        for path, content in files:
            archive.writestr(zipfile.ZipInfo(path, EARLIEST), content)


main()
