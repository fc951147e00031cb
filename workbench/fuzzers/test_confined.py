"""Confinement: a target writes into its folder, and what it does elsewhere ends it."""

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from fuzzers.confined import Escaped, confined

ESCAPES: dict[str, Callable[[Path], object]] = {
    "write": lambda path: path.write_text("x", "utf-8"),
    "append": lambda path: path.open("a"),
    "descriptor": lambda path: os.open(path, os.O_WRONLY | os.O_CREAT),
    "folder": lambda path: path.mkdir(),
    "remove": lambda path: path.unlink(),
    "rename": lambda path: path.rename(path.with_name("other")),
    "link": lambda path: path.symlink_to("x"),
    "process": lambda _path: subprocess.run(["true"], check=False),
    "connection": lambda _path: connect(),
}


def connect() -> None:
    with socket.socket() as connection:
        connection.connect(("127.0.0.1", 9))


@pytest.mark.posix
@pytest.mark.parametrize("how", ESCAPES)
def test_what_is_done_outside_the_folder_ends_the_target(tmp_path: Path, how: str) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    outside = tmp_path / "outside"
    with pytest.raises(Escaped), confined(inside):
        ESCAPES[how](outside)
    assert list(tmp_path.iterdir()) == [inside]


def test_a_path_that_leads_out_of_the_folder_is_outside(tmp_path: Path) -> None:
    with pytest.raises(Escaped), confined(tmp_path / "inside"):
        (tmp_path / "inside" / ".." / "outside").write_text("x", "utf-8")


def test_what_is_done_in_the_folder_or_only_reads_is_allowed(tmp_path: Path) -> None:
    with confined(tmp_path):
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "b").write_text("x", "utf-8")
        (tmp_path / "a" / "b").rename(tmp_path / "c")
        assert Path(__file__).read_bytes()
    (tmp_path / "c").unlink()


def test_afterwards_nothing_is_refused(tmp_path: Path) -> None:
    with confined(tmp_path / "inside"):
        pass
    (tmp_path / "outside").write_text("x", "utf-8")
