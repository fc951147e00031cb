"""The cache: a database of values, each found by its kind and a key, and verified by a checksum.

Nothing here fails: a value that cannot be read is computed anew, one that cannot be written is not cached, and a folder
in which others can write is not used. A database that is damaged is removed, and one that has grown too large is
emptied.
"""

import hashlib
import json
import os
import sqlite3
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from hoyle_conformance.system.files import is_ours

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
_PATIENCE: Final = 5  # seconds to wait for another process that writes
_CHECKSUM: Final = 16  # bytes


def folder() -> Path:
    """Return the folder of the cache."""
    if named := os.environ.get(FOLDER):
        return Path(named)
    from platformdirs import user_cache_path  # only where it is asked

    return user_cache_path("hoyle", appauthor=False)


def read(kind: str, keys: Iterable[str]) -> dict[str, bytes]:
    """Return the values stored under these keys; without those that are damaged or cannot be read."""
    with suppress(OSError):
        return read_to_change(kind, keys)
    return {}


def read_one(kind: str, key: str) -> bytes | None:
    """Return the value stored under a key, or None."""
    return read(kind, [key]).get(key)


def read_to_change(kind: str, keys: Iterable[str]) -> dict[str, bytes]:
    """Return the values stored under these keys; raises OSError if the system denies some that may be sound, and so
    must not be replaced."""
    wanted = list(keys)
    found = _read(READY / FILE, "mode=ro&immutable=1", kind, wanted)
    missing = [key for key in wanted if key not in found]
    if missing and (ours := _ours(folder())):
        found |= _read(ours, "mode=rw", kind, missing)
    return found


def write(kind: str, values: Mapping[str, bytes], place: Path | None = None) -> None:
    """Store values by their keys, for this user or in a folder for a wheel; do nothing where that is impossible."""
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
    """Return the database in the user's folder, which may not exist yet; None if somebody else can have written it."""
    path = here / FILE
    try:
        if not is_ours(here.stat(), stat.S_IWGRP | stat.S_IWOTH):
            return None
        found = path.lstat()
    except OSError:
        return path
    return path if stat.S_ISREG(found.st_mode) and is_ours(found, stat.S_IWGRP | stat.S_IWOTH) else None


def _read(path: Path, how: str, kind: str, keys: list[str]) -> dict[str, bytes]:
    """Return the sound values of a database, which is removed if it is the user's and damaged; raises OSError if it is
    there, but cannot be read for now."""
    try:
        with _opened(path, how) as database:
            rows = database.execute(_FIND, (kind, json.dumps(keys))).fetchall()
    except sqlite3.OperationalError as error:
        if not _is_there(path) or "no such table" in str(error):
            return {}
        raise OSError(f"{path}: {error}") from error
    except sqlite3.Error:
        if path.parent != READY:
            with suppress(OSError):
                path.unlink()
        return {}
    return {key: value for key, value, checksum in rows if checksum == _checksum(kind, key, value)}


def _is_there(path: Path) -> bool:
    """Whether there is a file that this user may read."""
    return os.access(path, os.R_OK) and path.is_file()


@contextmanager
def _opened(path: Path, how: str) -> Iterator[sqlite3.Connection]:
    address = f"{path.absolute().as_uri()}?{how}"
    with closing(sqlite3.connect(address, timeout=_PATIENCE, uri=True)) as database:
        database.execute("PRAGMA synchronous = OFF")  # what a crash of the machine damages is computed anew
        yield database


def _checksum(kind: str, key: str, value: bytes) -> bytes:
    head = f"{FORM}\0{kind}\0{key}\0".encode()
    return hashlib.blake2b(value, digest_size=_CHECKSUM, key=hashlib.blake2b(head, digest_size=32).digest()).digest()
