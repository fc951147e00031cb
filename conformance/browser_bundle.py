"""The browser bundle: the interpreter and the suite for the browser, in files named after their content.

Pyodide is Python compiled for browsers. The necessary parts of it, our own modules and the compiled suite are packed
once for each state of the code and the spec, and stored next to the compiled suites. Without Node or Pyodide there is
no bundle.
"""

import ast
import gzip
import hashlib
import importlib.util
import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.compiled import compiled, written
from hoyle_conformance.checks.cache.store import cache_key_of
from hoyle_conformance.suite.paths import VERSION
from hoyle_conformance.suite.suite import Suite

#: The place of the files on the site, and the file that lists the others.
FOLDER: Final = "assets/pyodide"
MANIFEST: Final = "manifest.json"
#: The packing script.
PACKER: Final = Path(__file__).with_name("pyodide")
_PYODIDE: Final = PACKER / "node_modules" / "pyodide"
_PACKAGES: Final = ("hoyle_reference", "hoyle_conformance", "hoyle")
#: Modules imported only where a program names rules in files: the table has the suite already.
_LEFT_OUT: Final = frozenset({"hoyle._load"})
_UNFINISHED: Final = "unfinished-"
_MOST: Final = 3  # bundles to keep
_LONGEST: Final = 120  # seconds allowed for packing
#: Browsers load these scripts as they are; servers report various types for the other files, so Hoyle packs those.
_SCRIPTS: Final = ("pyodide.mjs", "pyodide.asm.mjs")


def bundle(suite: Suite) -> Mapping[str, bytes]:
    """Return the files of the bundle, by their paths on the site; none if this machine cannot make it."""
    place = _made(suite)
    if place is None:
        return {}
    return {f"{FOLDER}/{path.name}": path.read_bytes() for path in sorted(place.iterdir())}


def can_be_made() -> bool:
    """Return whether Node and Pyodide are available to make the bundle."""
    return bool(shutil.which("node")) and _PYODIDE.is_dir()


def _made(suite: Suite) -> Path | None:
    """Return the folder of a suite's bundle, making it if it does not exist; None if it cannot be made."""
    if not can_be_made():
        return None
    place = store.folder() / f"table-{_address(suite)}"
    if not (place / MANIFEST).is_file():
        with TemporaryDirectory() as name:
            folder = Path(name)
            _gather(suite, folder / "in")
            _pack(folder / "in", folder / "out")
            _publish(folder / "out", folder / "named")
            _keep(folder / "named", place)
    return place


def _keep(named: Path, place: Path) -> None:
    """Move the files to their final place, whole or not at all, and delete the oldest bundles."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=place.parent, prefix=_UNFINISHED) as beside:
        whole = Path(shutil.copytree(named, Path(beside) / "whole"))
        if not place.exists():  # another process may have made it in the meantime
            whole.rename(place)
    newest_first = sorted(place.parent.glob("table-*"), key=lambda each: each.stat().st_mtime, reverse=True)
    for old in newest_first[_MOST:]:
        shutil.rmtree(old, ignore_errors=True)


def _address(suite: Suite) -> str:
    """Return a digest of everything that a bundle depends on: the spec, our code, the packing, and Pyodide."""
    digest = hashlib.sha256(cache_key_of(suite.root, all_code=True).encode())
    for path in sorted([*PACKER.glob("*.*"), _PYODIDE / "package.json", Path(__file__)]):
        digest.update(path.read_bytes() if path.is_file() else b"")
    return digest.hexdigest()[:32]


def _gather(suite: Suite, to: Path) -> None:
    """Copy our modules, the compiled suite without its games, and its schemas into a folder."""
    for name, path in modules():
        copy = to / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    shutil.copy(PACKER / "start.py", to)
    (to / "suite.jsonl").write_bytes(written(compiled(replace(suite, censuses={}))))
    shutil.copytree(suite.root / "schemas", to / "spec/schemas")
    shutil.copy(suite.root / VERSION, to / "spec")


def modules() -> Iterator[tuple[str, Path]]:
    """Yield every module that `start.py` imports anywhere, and those that these import; also those of the interpreter,
    which imports its modules lazily."""
    known: dict[str, Path] = {}
    waiting = list(_imported(PACKER / "start.py", "start"))
    while waiting:
        name = waiting.pop()
        path = _file_of(name) if name.partition(".")[0] in _PACKAGES and name not in _LEFT_OUT else None
        if path and name not in known:
            known[name] = path
            waiting += [name.rpartition(".")[0], *_imported(path, name)]
    for name, path in sorted(known.items()):
        yield "/".join(name.split(".")) + ("/__init__.py" if path.name == "__init__.py" else ".py"), path


def _imported(path: Path, name: str) -> Iterator[str]:
    """Yield the names that a module imports when it runs; some are names within modules."""
    inside = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in (ast.walk if name == _PACKAGES[0] else _run)(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = inside.split(".")[: 1 - node.level or None] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (base, *(f"{base}.{alias.name}" for alias in node.names))


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a module except those that only a type checker reads."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING"):
            yield from _run(child)


def _file_of(name: str) -> Path | None:
    """Return the file of one of our modules; None if the name is not one."""
    package, *parts = name.split(".")
    found = importlib.util.find_spec(package)
    folder = Path(found.submodule_search_locations[0]) if found and found.submodule_search_locations else None
    if not folder:
        return None
    ways = (folder.joinpath(*parts).with_suffix(".py"), folder.joinpath(*parts, "__init__.py"))
    return next((path for path in (ways if parts else ways[1:]) if path.is_file()), None)


def _pack(given: Path, out: Path) -> None:
    """Build the archives with the Python version of the browser."""
    out.mkdir()
    command = ["node", str(PACKER / "pack.mjs"), str(given), str(out)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=_LONGEST, check=False)  # noqa: S603 -- our own
    if done.returncode:
        raise RuntimeError(f"the interpreter could not be packed for browsers:\n{done.stderr or done.stdout}")
    shutil.copy(_PYODIDE / "pyodide.asm.wasm", out)


def _publish(out: Path, named: Path) -> None:
    """Give each file a name made of its content, and record the names."""
    named.mkdir()
    files = {}
    for path in sorted([*out.iterdir(), *(_PYODIDE / name for name in _SCRIPTS)]):
        content = _without_map(path) if path.name in _SCRIPTS else gzip.compress(path.read_bytes(), 9, mtime=0)
        digest = hashlib.sha256(content).hexdigest()[:16]
        ending = ".mjs" if path.name in _SCRIPTS else ".packed"
        name = f"{path.name.removesuffix('.mjs')}-{digest}{ending}"
        (named / name).write_bytes(content)
        files[path.name] = {"name": name, "bytes": len(content)}
    about = json.loads((_PYODIDE / "pyodide-lock.json").read_text("utf-8"))["info"]
    manifest = {"files": files, "lock": {"info": about, "packages": {}}}  # none of its packages is needed
    (named / MANIFEST).write_text(json.dumps(manifest, indent=1), "utf-8", newline="\n")


def _without_map(path: Path) -> bytes:
    """Return a script without the line that names its source map, which is not shipped."""
    lines = path.read_bytes().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(b"//# sourceMappingURL="))
