"""The cache: a database of values, each found by its kind and a key, and verified by a checksum.

The first part has the cache keys.

No failure here is an error: a value that cannot be read is computed again, one that cannot be written is not cached,
and a folder that others can write to is not used. A damaged database is removed, and one that is too large is emptied.
"""

import hashlib
import json
import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from hoyle_conformance.files.read import LARGEST_OF_LINES
from hoyle_conformance.suite.paths import AT_WORK, KINDS, LOCK, VERSION
from hoyle_conformance.system.files import READ, is_ours

# ---- cache keys


#: The folders of a spec from which a suite is made.
_FOLDERS: Final = (*(folder for folder, _ in KINDS), "schemas")
_SCHEMAS: Final = "schemas/"
_SCENARIOS: Final = "scenarios/"
#: The same with the preludes, which a suite does not need.
_ALL_FOLDERS: Final = (*_FOLDERS, "preludes")
_FILES: Final = (VERSION, LOCK, AT_WORK)
#: Files whose content is not in any cached value.
_READ_EACH_TIME: Final = frozenset({LOCK, VERSION})
#: The packages of code, and the layers of the second one that make a suite and its requests; changes in other layers
#: affect neither.
_CODE: Final = ("hoyle_reference", "hoyle_conformance")
LAYERS: Final = frozenset({"system", "files", "suite", "protocol", "checks"})
_MOSTLY: Final = 1 << 14  # bytes: larger than most files
_AT_ONCE: Final = 1 << 17  # bytes
_CODE_ENDINGS: Final = (".py", ".so", ".pyd")


def cache_key_of(root: Path, *, all_code: bool = False) -> str:
    """Return the cache key of the suite in a spec folder; with `all_code`, of anything that the whole code computes
    from it and its preludes. Return an empty text if some files cannot be read."""
    now = snapshot_of(root, all_code=all_code)
    return now.key if now else ""


@dataclass(frozen=True)
class Snapshot:
    """The content from which a suite is compiled: one digest of the schemas and of the code that compiles it, and the
    digest of each other file, by its name in the spec folder."""

    code: str
    files: Mapping[str, str]

    @cached_property
    def key(self) -> str:
        """The cache key of everything compiled from this content."""
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
        """The cache key of the values compiled from each scenario and the rules, by file, in the order of a suite."""
        rules = self.rules
        files = sorted((name for name in self.files if _is_scenario(name)), key=lambda name: name.split("/"))
        return {name: f"{rules}{self.files[name]}" for name in files}

    @cached_property
    def rules(self) -> str:
        """The cache key of the inputs of scenarios: everything except their own files, and two files that are read each
        time."""
        others = (name for name in self.files if not _is_scenario(name) and name not in _READ_EACH_TIME)
        return _together([("", self.code), *((name, self.files[name]) for name in others)])


def _is_scenario(name: str) -> bool:
    return name.startswith(_SCENARIOS) and name.endswith(".scenario.yaml")


def snapshot_of(root: Path, *, all_code: bool = False) -> Snapshot | None:
    """Return the digests of the inputs from which the suite in a spec folder is compiled; with `all_code`, those for
    anything computed from it. Return None if some files cannot be read."""
    try:
        files = {
            name: digest_of_file(path) for name, path in _of_the_spec(root, _ALL_FOLDERS if all_code else _FOLDERS)
        }
        code = _code_digests(all_code=all_code)
    except (OSError, RecursionError):  # RecursionError is for folders nested a thousand deep
        return None
    schemas = [(name, files.pop(name)) for name in [*files] if name.startswith(_SCHEMAS)]
    return Snapshot(_together([*schemas, *code]), files)


def digest_of_code(root: Path) -> str:
    """Return one digest of the whole code and of the schemas in a spec folder; empty if some files cannot be read."""
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
    """Return the digest of a file's content; raises OSError if it cannot be read."""
    return hashlib.sha256(_content(path)).hexdigest()


def _content(path: str) -> bytes:
    """Return the content of a file; raises OSError if the file is larger than Hoyle reads. Plain system calls take half
    the time of `Path.read_bytes` for a thousand files."""
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
    """Return whether a module takes part in compiling a suite."""
    package, layer, *_ = name.split("/")
    return package != _CODE[1] or layer in LAYERS


def _below(folder: str, name: str, left_out: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """Return the name and path of every file below a folder; the names are relative to the folder."""
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


#: The version of the format; values of another version are not read.
FORM: Final = 6
#: The environment variable that names another folder than the user's cache folder.
FOLDER: Final = "HOYLE_CACHE_DIR"
#: The name of the database.
FILE: Final = "hoyle.sqlite3"
#: The folder of the database that comes with a wheel.
READY: Final = Path(__file__).parent / "ready"
#: The size at which a database is emptied.
LARGEST: Final = 128_000_000  # bytes
_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS cached"
    " (kind TEXT NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, checksum BLOB NOT NULL, UNIQUE (kind, key))"
)
_FIND: Final = (
    "SELECT key, CAST(value AS BLOB), checksum FROM cached WHERE kind = ? AND key IN (SELECT value FROM json_each(?))"
)
_KEEP: Final = "INSERT OR REPLACE INTO cached VALUES (?, ?, ?, ?)"
_SIZE: Final = (
    "SELECT (page_count - freelist_count) * page_size"
    " FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()"
)
_OURS_ALONE: Final = 0o600  # the permissions of a database
_PATIENCE: Final = 5  # seconds to wait for another process that is writing
_CHECKSUM: Final = 16  # bytes


def folder() -> Path:
    """Return the folder of the cache."""
    if named := os.environ.get(FOLDER):
        return Path(named)
    from platformdirs import user_cache_path  # imported only when needed

    return user_cache_path("hoyle", appauthor=False)


def read(kind: str, keys: Iterable[str]) -> dict[str, bytes]:
    """Return the values stored under these keys, without damaged and unreadable ones."""
    with suppress(OSError):
        return read_to_change(kind, keys)
    return {}


def read_one(kind: str, key: str) -> bytes | None:
    """Return the value stored under a key, or None."""
    return read(kind, [key]).get(key)


def read_to_change(kind: str, keys: Iterable[str]) -> dict[str, bytes]:
    """Return the values stored under these keys. Raises OSError if the system denies access to values that may be valid
    and so must not be replaced."""
    wanted = list(keys)
    found = _read(READY / FILE, "mode=ro&immutable=1", kind, wanted)
    missing = [key for key in wanted if key not in found]
    if missing and (ours := _ours(folder())):
        found |= _read(ours, "mode=rw", kind, missing)
    return found


def write(kind: str, values: Mapping[str, bytes], place: Path | None = None) -> None:
    """Store values by key, for this user or in a folder for a wheel; do nothing if that is impossible."""
    with suppress(OSError, sqlite3.Error):
        here = place or folder()
        here.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = here / FILE if place else _ours(here)
        if path is None:
            return
        path.touch(_OURS_ALONE)
        with _opened(path, "mode=rw") as database, database:
            database.execute(_TABLE)
            if database.execute(_SIZE).fetchone()[0] > LARGEST:
                database.execute("DELETE FROM cached")
            rows = ((kind, key, value, _checksum(kind, key, value)) for key, value in values.items())
            database.executemany(_KEEP, rows)


def _ours(here: Path) -> Path | None:
    """Return the database in the user's folder, which may not exist yet; None if another user may have written it."""
    path = here / FILE
    try:
        if not is_ours(here.stat(), stat.S_IWGRP | stat.S_IWOTH):
            return None
        found = path.lstat()
    except OSError:
        return path
    return path if stat.S_ISREG(found.st_mode) and is_ours(found, stat.S_IWGRP | stat.S_IWOTH) else None


def _read(path: Path, how: str, kind: str, keys: list[str]) -> dict[str, bytes]:
    """Return the valid values of a database. Remove it if it is the user's and damaged; raise OSError if it exists but
    cannot be read now."""
    try:
        with _opened(path, how) as database:
            rows = database.execute(_FIND, (kind, json.dumps(keys))).fetchall()
    except sqlite3.OperationalError as error:
        if not (os.access(path, os.R_OK) and path.is_file()) or "no such table" in str(error):
            return {}
        raise OSError(f"{path}: {error}") from error
    except sqlite3.Error:
        if path.parent != READY:
            with suppress(OSError):
                path.unlink()
        return {}
    return {key: value for key, value, checksum in rows if checksum == _checksum(kind, key, value)}


@contextmanager
def _opened(path: Path, how: str) -> Iterator[sqlite3.Connection]:
    address = f"{path.absolute().as_uri()}?{how}"
    with closing(sqlite3.connect(address, timeout=_PATIENCE, uri=True)) as database:
        database.execute("PRAGMA synchronous = OFF")  # values damaged by a crash of the machine are computed again
        yield database


def _checksum(kind: str, key: str, value: bytes) -> bytes:
    head = f"{FORM}\0{kind}\0{key}\0".encode()
    return hashlib.blake2b(value, digest_size=_CHECKSUM, key=hashlib.blake2b(head, digest_size=32).digest()).digest()
