"""Cache keys: a digest of all files of a spec folder, and of the code that compiles them."""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from hoyle_conformance.files.read import LARGEST_OF_LINES
from hoyle_conformance.suite.paths import AT_WORK, KINDS, LOCK, VERSION
from hoyle_conformance.system.files import READ

#: The folders of a spec that a suite is made of.
_FOLDERS: Final = (*(folder for folder, _ in KINDS), "schemas")
_SCHEMAS: Final = "schemas/"
_SCENARIOS: Final = "scenarios/"
#: With the preludes, which a suite can do without.
_ALL_FOLDERS: Final = (*_FOLDERS, "preludes")
_FILES: Final = (VERSION, LOCK, AT_WORK)
#: Files whose content is in no line of the cache.
_READ_EACH_TIME: Final = frozenset({LOCK, VERSION})
#: The packages of code, and the layers of the second that make a suite and its requests: a change in the other layers
#: changes neither.
_CODE: Final = ("hoyle_reference", "hoyle_conformance")
LAYERS: Final = frozenset({"system", "files", "suite", "protocol", "checks"})
_MOSTLY: Final = 1 << 14  # bytes: more than most files have
_AT_ONCE: Final = 1 << 17  # bytes
_CODE_ENDINGS: Final = (".py", ".so", ".pyd")


def cache_key_of(root: Path, *, all_code: bool = False) -> str:
    """Return the cache key of the suite in a spec folder; with `all_code`, of anything that the whole code computes
    from it and its preludes. Empty where not all files can be read."""
    now = snapshot_of(root, all_code=all_code)
    return now.key if now else ""


@dataclass(frozen=True)
class Snapshot:
    """The content that a suite is compiled from: one digest of the schemas and of the code that compiles it, and the
    digest of each other file, by its name in the spec folder."""

    code: str
    files: Mapping[str, str]

    @cached_property
    def key(self) -> str:
        """The cache key of what is compiled from this content."""
        return _together([("", self.code), *self.files.items()])

    @cached_property
    def documents(self) -> Mapping[str, str]:
        """The cache key of the data of each document, by its file."""
        return {
            name: f"{self.code}{digest}"
            for name, digest in self.files.items()
            if any(name.startswith(f"{folder}/") and name.endswith(f".{kind}.yaml") for folder, kind in KINDS)
        }

    @cached_property
    def scenarios(self) -> Mapping[str, str]:
        """The cache key of what is compiled from each scenario and the rules, by its file; in a suite's order."""
        rules = self.rules
        files = sorted((name for name in self.files if _is_scenario(name)), key=lambda name: name.split("/"))
        return {name: f"{rules}{self.files[name]}" for name in files}

    @cached_property
    def rules(self) -> str:
        """The cache key of what scenarios rest on: all but their own files, and two files that are read each time."""
        others = (name for name in self.files if not _is_scenario(name) and name not in _READ_EACH_TIME)
        return _together([("", self.code), *((name, self.files[name]) for name in others)])


def _is_scenario(name: str) -> bool:
    return name.startswith(_SCENARIOS) and name.endswith(".scenario.yaml")


def snapshot_of(root: Path, *, all_code: bool = False) -> Snapshot | None:
    """Return the digests of what the suite in a spec folder is compiled from, or with `all_code` of what anything is
    computed from; None where not all files can be read."""
    try:
        files = {
            name: digest_of_file(path) for name, path in _of_the_spec(root, _ALL_FOLDERS if all_code else _FOLDERS)
        }
        code = _code_digests(all_code=all_code)
    except (OSError, RecursionError):  # the latter of folders in folders, a thousand deep
        return None
    schemas = [(name, files.pop(name)) for name in [*files] if name.startswith(_SCHEMAS)]
    return Snapshot(_together([*schemas, *code]), files)


def digest_of_code(root: Path) -> str:
    """Return one digest of the whole code and of the schemas in a spec folder; empty where not all files can be
    read."""
    try:
        schemas = [(name, path) for name, path in _of_the_spec(root, ("schemas",)) if name.startswith(_SCHEMAS)]
        return _together([*((name, digest_of_file(path)) for name, path in schemas), *_code_digests(all_code=True)])
    except (OSError, RecursionError):
        return ""


def _code_digests(*, all_code: bool) -> list[tuple[str, str]]:
    return [(name, digest_of_file(path)) for name, path in _of_the_code(all_code=all_code)]


def _together(digests: Iterable[tuple[str, str]]) -> str:
    """Return one digest of several, each with the name of its file."""
    text = "".join(f"{name}\0{digest}\0" for name, digest in digests)
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def digest_of_file(path: str) -> str:
    """Return the digest of a file's content; raises OSError where it cannot be read."""
    return hashlib.sha256(_content(path)).hexdigest()


def _content(path: str) -> bytes:
    """Return the content of a file; raises OSError where it is larger than any file that is read. Plain system calls
    take half the time of `Path.read_bytes` over a thousand files."""
    file = os.open(path, READ)
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
            raise OSError(f"{root / name} is not a regular file")
        yield name, str(root / name)


def _of_the_code(*, all_code: bool) -> Iterator[tuple[str, str]]:
    for package in _CODE:
        found = find_spec(package)
        for folder in (found and found.submodule_search_locations) or ():
            inside = _below(folder, package, left_out=("__pycache__", "spec"))
            code = (each for each in inside if each[0].endswith(_CODE_ENDINGS))
            yield from (each for each in code if all_code or _makes_a_suite(each[0]))


def _makes_a_suite(name: str) -> bool:
    """Whether a module takes part in compiling a suite."""
    package, layer, *_ = name.split("/")
    return package != _CODE[1] or layer in LAYERS


def _below(folder: str, name: str, left_out: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """Return the name and path of every file below a folder; the names do not depend on where the folder is."""
    found: list[tuple[str, str]] = []
    with os.scandir(folder) as entries:
        in_order = sorted(entries, key=lambda entry: entry.name)
    for entry in in_order:
        if entry.is_symlink():
            raise OSError(f"{entry.path} is a link, so its content may depend on where it leads")
        if entry.name in left_out:
            continue
        if entry.is_dir():
            found += _below(entry.path, f"{name}/{entry.name}", left_out)
        elif entry.is_file():
            found.append((f"{name}/{entry.name}", entry.path))
        else:
            raise OSError(f"{entry.path} is not a regular file")
    return found
