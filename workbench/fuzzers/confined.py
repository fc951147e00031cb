"""Confinement of a target: it may write into one folder alone, and start no process and no connection.

Python reports such acts to audit hooks. A hook cannot be removed, so there is one for the process, which is at rest
between inputs.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

_NEVER: Final = frozenset(
    {
        *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty"),
        *("socket.connect", "socket.bind", "socket.sendto"),
    }
)
#: The acts that change files, with the arguments that name them.
_CHANGES: Final[Mapping[str, tuple[int, ...]]] = {
    **dict.fromkeys(("os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.chmod", "os.chown", "os.utime"), (0,)),
    **dict.fromkeys(("os.rename", "os.link", "os.symlink"), (0, 1)),
}
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
#: Python itself caches modules that are imported late.
_BYTECODE: Final = "__pycache__"


class Escaped(BaseException):
    """A target has done what it may not do. No handler of the code under test takes it for an error of its own."""


class _Hook:
    """The audit hook, with the folder that may be written to; None while no target runs."""

    def __init__(self) -> None:
        self.folder: Path | None = None
        sys.addaudithook(self)

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        if self.folder is None:
            return
        if event in _NEVER:
            raise Escaped(f"{event} {args}")
        if event == "open" and isinstance(args[2], int) and args[2] & _WRITING:
            self._check(event, args[0])
        for at in _CHANGES.get(event, ()):
            self._check(event, args[at])

    def _check(self, event: str, path: object) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return  # an open file, which was checked when it was opened
        written, folder = os.path.abspath(os.fsdecode(path)), self.folder  # noqa: PTH100 -- no link is followed
        cached = _BYTECODE in written or (sys.pycache_prefix and written.startswith(sys.pycache_prefix))
        if folder and not cached and not Path(written).is_relative_to(folder):
            raise Escaped(f"{event} {written}")


_HOOKS: Final[list[_Hook]] = []


@contextmanager
def confined(folder: Path) -> Iterator[None]:
    """Raise Escaped if the code within writes outside a folder, starts a process or opens a connection."""
    if not _HOOKS:
        _HOOKS.append(_Hook())
    (hook,) = _HOOKS
    before, hook.folder = hook.folder, folder
    try:
        yield
    finally:
        hook.folder = before
