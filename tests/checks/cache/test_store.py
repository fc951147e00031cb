"""The cache returns what was stored or nothing, and never what somebody else may have written."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from checks.cache.test_cached_suite import kept  # noqa: F401 -- a fixture
from hoyle_conformance.checks.cache import store

VALUES = {"a": b"1", "b": b"2"}


def test_values_are_found_by_kind_and_key(kept: Path) -> None:  # noqa: F811
    store.write("a-kind", VALUES)
    store.write("a-kind", {"b": b"3"})
    assert store.read("a-kind", ["b", "a", "c"]) == {"a": b"1", "b": b"3"}
    assert store.read("another-kind", ["a"]) == {}
    assert [path.name for path in kept.iterdir()] == [store.FILE]


@pytest.mark.usefixtures("kept")
def test_a_database_that_has_grown_too_large_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    store.write("a-kind", VALUES)
    monkeypatch.setattr(store, "LARGEST", 1)
    store.write("a-kind", {"c": b"3"})
    assert store.read("a-kind", ["a", "b", "c"]) == {"c": b"3"}


@pytest.mark.parametrize("column", ["value", "checksum", "key"])
def test_a_value_that_was_changed_is_not_returned(kept: Path, column: str) -> None:  # noqa: F811
    store.write("a-kind", VALUES)
    with closing(sqlite3.connect(kept / store.FILE)) as database, database:
        database.execute(f"UPDATE cached SET {column} = ? WHERE key = 'a'", ["changed"])  # noqa: S608 -- our own words
    assert store.read("a-kind", ["a", "b", "changed"]) == {"b": b"2"}
    store.write("a-kind", VALUES)
    assert store.read("a-kind", ["a", "b"]) == VALUES


def test_what_another_process_writes_is_waited_for_and_then_done_without(
    kept: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(store, "_PATIENCE", 0.01)
    store.write("a-kind", VALUES)
    with closing(sqlite3.connect(kept / store.FILE)) as database:
        database.execute("BEGIN EXCLUSIVE")
        store.write("a-kind", {"a": b"lost"})
        assert store.read("a-kind", ["a"]) == {}
        with pytest.raises(OSError, match="locked"):
            store.read_to_change("a-kind", ["a"])
    assert store.read("a-kind", ["a"]) == {"a": b"1"}


@pytest.mark.posix
@pytest.mark.parametrize("foreign", ["owner", "others", "group"])
def test_a_folder_that_others_can_write_in_is_not_used(
    foreign: str,
    kept: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store.write("a-kind", VALUES)
    before = (kept / store.FILE).read_bytes()
    if foreign == "owner":
        monkeypatch.setattr(os, "geteuid", lambda: kept.stat().st_uid + 1)
    else:
        kept.chmod(0o707 if foreign == "others" else 0o770)
    assert store.read("a-kind", ["a"]) == {}
    store.write("a-kind", {"a": b"3"})
    assert (kept / store.FILE).read_bytes() == before


def _by_a_link(path: Path) -> None:
    path.symlink_to(path.rename(path.parent.parent / "elsewhere"))


def _by_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.posix
@pytest.mark.parametrize("replace", [_by_a_link, _by_a_pipe, lambda path: path.chmod(0o660)])
def test_a_database_that_somebody_else_may_have_put_there_is_not_used(
    replace: Callable[[Path], None],
    kept: Path,  # noqa: F811
) -> None:
    store.write("a-kind", VALUES)
    replace(kept / store.FILE)
    assert store.read("a-kind", ["a"]) == {}
    store.write("a-kind", VALUES)
    assert store.read("a-kind", ["a"]) == {}
