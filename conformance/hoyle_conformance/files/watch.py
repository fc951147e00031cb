"""Files watched for changes.

On any system, a file's times and size are polled; changes are reported once they have ended.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from hoyle_reference.frozen import frozen

#: Every file that is there, by what tells a changed one: when it was written (nanoseconds), its size (bytes), which
#: file it is.
Snapshot = Mapping[Path, tuple[int, int, int]]
_YAML: Final = ".yaml"
#: Folders of files that programs write: they and hidden folders are not looked into.
_WRITTEN: Final = frozenset({"__pycache__", "node_modules"})


@frozen
class Changed:
    """Files that are new or changed, and those that are gone, each in order."""

    files: tuple[Path, ...]
    gone: tuple[Path, ...]


def snapshot(paths: Sequence[Path], suffix: str = _YAML) -> Snapshot:
    """Return the present state of these files, and of the files in these folders that end in `suffix`; hidden files,
    hidden folders and links to folders are left out."""
    found: dict[Path, tuple[int, int, int]] = {}
    for path in (file for each in paths for file in _files(each, suffix)):
        with suppress(OSError):  # it has gone since
            seen = path.stat()
            found[path] = (seen.st_mtime_ns, seen.st_size, seen.st_ino)
    return found


def _files(path: Path, suffix: str) -> Iterator[Path]:
    if not path.is_dir():
        yield path
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if name not in _WRITTEN and not name.startswith(".")]
        yield from (Path(folder, name) for name in names if name.endswith(suffix) and not name.startswith("."))


def changes(before: Snapshot, look: Callable[[], Snapshot], wait: Callable[[], None]) -> Iterator[Changed]:
    """Yield the differences from `before`, and then every further change, each once nothing has changed during a
    `wait`."""
    while True:
        wait()
        now = look()
        while now != before:
            wait()
            later = look()
            if later == now:
                break
            now = later
        changed = tuple(sorted(path for path in now if now[path] != before.get(path)))
        gone = tuple(sorted(before.keys() - now.keys()))
        before = now
        if changed or gone:
            yield Changed(changed, gone)
