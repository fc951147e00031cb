"""The store: files of lines of JSON, each known by its address and found whole by its checksum, or not at all.

Nothing here waits or fails: what cannot be read is made anew, and what cannot be written is not kept. A file is written
beside its place and moved there, so that of two processes the last one wins and nobody reads half of one.
"""

import hashlib
import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

#: The version of the form in which a suite is kept: another one is not read.
FORM: Final = 4
#: Names the folder to use instead of the user's cache folder.
FOLDER: Final = "HOYLE_CACHE_DIR"
#: How many compiled suites stay; the oldest go first.
MOST: Final = 6
#: Of some kinds there are more: which checks have failed is kept for every command that is run.
_MOST_OF: Final = MappingProxyType({"failed": 100})
#: Where a wheel brings its own, ready.
READY: Final = Path(__file__).parent / "ready"
_UNFINISHED: Final = ".part"
_LEFT_BEHIND: Final = 3600  # seconds after which nobody is writing a file any more


def folder() -> Path:
    """Where compiled suites are kept."""
    if named := os.environ.get(FOLDER):
        return Path(named)
    from platformdirs import user_cache_path  # only where it is asked

    return user_cache_path("hoyle", appauthor=False)


def read(kind: str, address: str) -> Sequence[bytes] | None:
    """The lines kept under an address; nothing where there are none, or they are not as they were written."""
    for place in (READY, folder()):
        with suppress(OSError):
            path = place / _name(kind, address)
            if not path.is_file():  # a pipe would be waited for
                continue
            content = path.read_bytes()
            header, *lines = content.split(b"\n")
            if lines and header == _header(kind, address, memoryview(content)[len(header) + 1 :]):
                return lines
    return None


def has(kind: str, address: str) -> bool:
    """Whether something was kept under an address, be it damaged since."""
    with suppress(OSError):
        return any((place / _name(kind, address)).is_file() for place in (READY, folder()))
    return False


def write(kind: str, address: str, values: Sequence[Any], place: Path | None = None) -> None:
    """Keep values, a line each, under an address; where that cannot be, nothing is kept."""
    body = b"\n".join(json.dumps(value, separators=(",", ":")).encode() for value in values)
    with suppress(OSError):
        here = place or folder()
        here.mkdir(parents=True, exist_ok=True)
        _write(here / _name(kind, address), _header(kind, address, body) + b"\n" + body)
        _tidy(here, kind)


def _name(kind: str, address: str) -> str:
    return f"{kind}-{address[:32]}.jsonl"


def _header(kind: str, address: str, body: bytes | memoryview) -> bytes:
    checksum = hashlib.sha256(body).hexdigest()
    return f'{{"hoyle":"{kind}","form":{FORM},"address":"{address}","sha256":"{checksum}"}}'.encode()


def _write(path: Path, content: bytes) -> None:
    part = path.with_name(f"{path.name}.{os.getpid()}{_UNFINISHED}")
    try:
        part.write_bytes(content)
        part.replace(path)
    except BaseException:  # also where it is interrupted
        part.unlink(missing_ok=True)
        raise


def _tidy(here: Path, kind: str) -> None:
    """Remove what is too old: all but the newest, and what a process that was ended has left behind."""
    newest_first = sorted(here.glob(f"{kind}-*.jsonl"), key=_written, reverse=True)
    unfinished = [path for path in here.glob(f"*{_UNFINISHED}") if time.time() - _written(path) > _LEFT_BEHIND]
    for path in (*newest_first[_MOST_OF.get(kind, MOST) :], *unfinished):
        path.unlink(missing_ok=True)


def _written(path: Path) -> float:
    """When a file was written; long ago where somebody else has removed it meanwhile."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
