"""The address of a compiled suite: the content of all files that it is made of, and of the code that makes it."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from hoyle_conformance.files.read import LARGEST_OF_LINES
from hoyle_conformance.suite.paths import AT_WORK, KINDS, LOCK, VERSION

#: The folders and files of a spec that say something of the suite.
_FOLDERS: Final = (*(folder for folder, _ in KINDS), "schemas")
#: With what is found once and kept there, which a suite can do without.
_ALL_FOLDERS: Final = (*_FOLDERS, "preludes")
_FILES: Final = (VERSION, LOCK, AT_WORK)
#: The packages of code, and the layers of the second that make a suite and its plans: a change in the other layers
#: changes neither.
_CODE: Final = ("hoyle_reference", "hoyle_conformance")
LAYERS: Final = frozenset({"files", "suite", "protocol", "checks"})
_MOSTLY: Final = 1 << 14  # bytes: more than most files have
_AT_ONCE: Final = 1 << 17  # bytes
_HOW: Final = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_CODE_ENDINGS: Final = (".py", ".so", ".pyd")


def address_of(root: Path, *, all_code: bool = False) -> str:
    """The address of the suite in a spec folder, or of what `all_code` makes of it and of its preludes; nothing where
    its files cannot all be read."""
    digest = hashlib.sha256()
    try:
        of_the_spec = _of_the_spec(root, _ALL_FOLDERS if all_code else _FOLDERS)
        for name, path in (*of_the_spec, *_of_the_code(all_code=all_code)):
            content = _content(path)
            digest.update(f"{name}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
            digest.update(content)
    except (OSError, RecursionError):  # the latter of folders in folders, a thousand deep
        return ""
    return digest.hexdigest()


def _content(path: str) -> bytes:
    """The content of a file, without the comfort that takes, of a thousand files, twice the time; raises OSError where
    it is larger than any file that is read."""
    file = os.open(path, _HOW)
    try:
        content = os.read(file, _MOSTLY)
        if len(content) < _MOSTLY:
            return content
        if os.fstat(file).st_size > LARGEST_OF_LINES:
            raise OSError(f"{path} is too large")
        return b"".join((content, *iter(partial(os.read, file, _AT_ONCE), b"")))
    finally:
        os.close(file)


def _of_the_spec(root: Path, folders: Iterable[str]) -> Iterator[tuple[str, str]]:
    for folder in folders:
        yield from _below(str(root / folder), folder) if (root / folder).is_dir() else ()
    for name in filter(lambda name: os.path.lexists(root / name), _FILES):
        if (root / name).is_symlink() or not (root / name).is_file():
            raise OSError(f"{root / name} is no regular file")
        yield name, str(root / name)


def _of_the_code(*, all_code: bool) -> Iterator[tuple[str, str]]:
    for package in _CODE:
        found = find_spec(package)
        for folder in (found and found.submodule_search_locations) or ():
            inside = _below(folder, package, left_out=("__pycache__", "spec"))
            code = (each for each in inside if each[0].endswith(_CODE_ENDINGS))
            yield from (each for each in code if all_code or _makes_a_suite(each[0]))


def _makes_a_suite(name: str) -> bool:
    """Whether a module is one of those by which a suite is what it is."""
    package, layer, *_ = name.split("/")
    return package != _CODE[1] or layer in LAYERS


def _below(folder: str, name: str, left_out: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """The files in a folder and the folders in it, by names that do not tell where it lies, and their paths."""
    found: list[tuple[str, str]] = []
    with os.scandir(folder) as entries:
        in_order = sorted(entries, key=lambda entry: entry.name)
    for entry in in_order:
        if entry.is_symlink():
            raise OSError(f"{entry.path} leads elsewhere, and what it means may depend on where")
        if entry.name in left_out:
            continue
        if entry.is_dir():
            found += _below(entry.path, f"{name}/{entry.name}", left_out)
        elif entry.is_file():
            found.append((f"{name}/{entry.name}", entry.path))
        else:
            raise OSError(f"{entry.path} is no regular file")
    return found
