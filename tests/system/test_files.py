"""Files: what every system does here, and what Windows does otherwise, as far as its part can be replaced."""

import errno
import io
import os
import stat
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from conftest import HANGS
from hoyle_conformance.system import files


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


def test_files_are_opened_byte_for_byte() -> None:
    """Windows opens a file as text, and changes how its lines end, unless a flag that it alone has says otherwise."""
    script = (
        "import os; os.O_BINARY = 1 << 29; from hoyle_conformance.system import files; "
        "print(bool(files.READ & files.WRITE & os.O_BINARY))"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=HANGS)
    assert done.stdout.split() == ["True"]


def test_a_file_is_locked_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"content")
    first, second = (os.open(path, files.WRITE) for _ in range(2))
    assert files.lock(first)
    assert not files.lock(second)
    assert path.read_bytes() == b"content"
    os.close(first)
    assert files.lock(second)
    os.write(second, b"C")
    os.close(second)
    assert path.read_bytes() == b"Content"


@pytest.mark.usefixtures("windows")
@pytest.mark.parametrize(
    ("fault", "is_locked"), [(None, True), (errno.EACCES, False), (errno.EDEADLK, False), (errno.EINVAL, True)]
)
def test_windows_locks_a_byte_that_nobody_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int | None, is_locked: bool
) -> None:
    """`locking` locks from where the file stands, without waiting, and says with EACCES that another has the lock."""
    calls: list[tuple[int, int, int]] = []

    def locking(opened: int, mode: int, count: int) -> None:
        calls.append((mode, count, os.lseek(opened, 0, os.SEEK_CUR)))
        if fault:
            raise OSError(fault, os.strerror(fault))

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(LK_NBLCK=2, locking=locking))
    opened = os.open(tmp_path / "file", files.WRITE)
    assert files.lock(opened) is is_locked
    ((mode, count, place),) = calls
    assert (mode, count) == (2, 1)
    assert 2_000_000_000 < place < 1 << 31, "behind the end of any file, but where 32 bits are enough for it"
    assert os.lseek(opened, 0, os.SEEK_CUR) == 0
    os.close(opened)


@pytest.mark.parametrize(("system", "refusals", "tries"), [("linux", 1, 1), ("win32", 3, 4), ("win32", 99, 11)])
def test_a_file_that_another_program_has_open_is_replaced_a_moment_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, refusals: int, tries: int
) -> None:
    tried, waited = list[Path](), list[float]()
    real = Path.replace

    def replace(part: Path, path: Path) -> Path:
        tried.append(path)
        if len(tried) <= refusals:
            raise PermissionError(errno.EACCES, "Access is denied")
        return real(part, path)

    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(time, "sleep", waited.append)
    part, path = tmp_path / "part", tmp_path / "file"
    part.write_bytes(b"new")
    if refusals < tries:
        files.replace(part, path)
    else:
        with pytest.raises(PermissionError):
            files.replace(part, path)
    assert (len(tried), len(waited)) == (tries, tries - 1)
    assert sum(waited) < 2
    assert path.exists() == (refusals < tries)


def test_an_open_file_is_removed(tmp_path: Path) -> None:
    file = io.FileIO(tmp_path / "file", "w")
    files.remove_open(file, tmp_path / "file")
    assert file.closed
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("windows")
def test_windows_closes_a_file_before_it_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, closed = io.FileIO(tmp_path / "file", "w"), list[bool]()

    def unlink(_path: Path) -> None:
        closed.append(file.closed)
        raise PermissionError(errno.EACCES, "another run has opened it")

    monkeypatch.setattr(Path, "unlink", unlink)
    files.remove_open(file, tmp_path / "file")
    assert closed == [True]


@pytest.mark.posix
def test_a_file_is_ours_if_nobody_else_owns_or_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o720)
    found = tmp_path.stat()
    assert files.is_ours(found, stat.S_IWOTH)
    assert not files.is_ours(found, stat.S_IWGRP)
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: found.st_uid + 1)
        assert not files.is_ours(found, stat.S_IWOTH)
    monkeypatch.setattr(sys, "platform", "win32")
    assert files.is_ours(found, found.st_mode), "on Windows the bits show nothing"
