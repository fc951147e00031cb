"""The compiled suite is kept: found again where nothing differs, made anew where anything does, and never missed."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conftest import HANGS, KEPT_IN, PLAIN, ROOT, the_suite, timeless
from hoyle_conformance.checks import load
from hoyle_conformance.checks.cache import cached_suite as opening
from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache import store as address
from hoyle_conformance.checks.cache.cached_suite import open_suite, validate_positions
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.cli import main
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.suite.suite import Suite

pytestmark = pytest.mark.slow

#: Files enough to make a suite of.
SCENARIOS = ("tricks", "to-score")
ONE_OF = 5
Edit = Callable[[Path], object]
#: Where the packages lie.
PACKAGES = {"hoyle_reference": ROOT / "reference_impl", "hoyle_conformance": ROOT / "conformance"}


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a spec that has few scenarios, and the suite that is kept of it."""
    here = tmp_path_factory.mktemp("few")
    for part in ("sources", "rulesets", "schemas"):
        shutil.copytree(ROOT / "spec" / part, here / "spec" / part)
    for topic in SCENARIOS:
        (here / "spec/scenarios" / topic).mkdir(parents=True)
        every = sorted((ROOT / "spec/scenarios" / topic).iterdir())
        for path in {*every[::ONE_OF], *(each for each in every if each.name.startswith("the-example."))}:
            shutil.copy(path, here / "spec/scenarios" / topic)
    for part in ("VERSION", "ids.lock", "at-work.jsonl"):
        shutil.copy(ROOT / "spec" / part, here / "spec" / part)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(KEPT_IN, str(here / "kept"))
        open_suite(here / "spec")
    return here


@pytest.fixture
def spec(few: Path, tmp_path: Path) -> Path:
    """A spec with few scenarios, for the user to change."""
    return shutil.copytree(few / "spec", tmp_path / "spec")


@pytest.fixture
def opened(few: Path, kept: Path, spec: Path) -> Path:
    """The same, of which all is kept: that does not tell where it lies."""
    shutil.copytree(few / "kept", kept)
    return spec


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Each time that a suite is read from its files."""
    seen: list[Path] = []
    plain = load.load_suite

    def counted(root: Path, **options: Any) -> Suite:
        seen.append(root)
        return plain(root, **options)

    monkeypatch.setattr(load, "load_suite", counted)
    return seen


def stored(kept: Path) -> Counter[str]:
    """How many values of each kind are in the cache."""
    if not (kept / store.FILE).is_file():
        return Counter()
    with closing(sqlite3.connect(kept / store.FILE)) as database:
        return Counter(kind for (kind,) in database.execute("SELECT kind FROM cached"))


def run(*words: str, **environment: str) -> tuple[int, str, str]:
    """How the command ends, and what it prints."""
    done = CliRunner().invoke(main, words, env={**PLAIN, **environment})
    return done.exit_code, done.stdout, done.stderr


def same(one: Suite, other: Suite) -> None:
    """Two suites that nobody can tell apart."""
    assert (one.root, one.digest, one.version, one.lock) == (other.root, other.digest, other.version, other.lock)
    for name in ("sources", "rulesets", "scenarios", "index.checks", "index.headings", "clauses"):
        assert list(attrgetter(name)(one).items()) == list(attrgetter(name)(other).items())
    for filed, twin in zip(one.scenarios.values(), other.scenarios.values(), strict=True):
        assert (filed.file, filed.document.path) == (twin.file, twin.document.path)
        assert filed.document.data == twin.document.data
    for check in one.index.checks.values():
        assert planner_of(one).request(check) == planner_of(other).request(other.index.checks[check.id])
        assert json.dumps(planner_of(one).request(check).message) == json.dumps(
            planner_of(other).request(other.index.checks[check.id]).message
        )


def test_a_suite_is_found_again_and_is_the_same(kept: Path, spec: Path, loads: list[Path]) -> None:
    first, second = open_suite(spec), open_suite(spec)
    assert loads == [spec]
    assert set(stored(kept)) == {"document", "requests", "rules", "scenario"}
    assert planner_of(second).sound
    same(first, second)
    same(load.load_suite(spec), second)


def test_plans_are_kept_once_all_are_needed(kept: Path, spec: Path) -> None:
    assert not planner_of(open_suite(spec, positions=False)).sound
    assert "requests" not in stored(kept)
    suite = open_suite(spec, positions=False)
    assert validate_positions(suite) == []
    assert stored(kept)["requests"] == len(suite.scenarios)
    again = open_suite(spec)
    same(suite, again)
    assert dict(planner_of(suite).cached_requests) == dict(planner_of(again).cached_requests)
    check = Relabeller(again)(next(iter(again.index.checks.values())))
    assert planner_of(again).request(check) is planner_of(again).cached_requests[check.id]


def test_a_plan_that_is_kept_is_not_taken_for_another(opened: Path) -> None:
    suite = open_suite(opened)
    check = Relabeller(suite)(next(iter(suite.index.checks.values())))
    changed = replace(check, scenario=replace(check.scenario, steps=check.scenario.steps * 2))
    assert len(planner_of(suite).request(changed).ends) == 2 * len(planner_of(suite).request(check).ends)
    assert planner_of(suite).request(check) is planner_of(suite).cached_requests[check.id]


def _append(path: Path) -> None:
    path.write_text(f"{path.read_text('utf-8')}\n", "utf-8")


@pytest.mark.parametrize(
    ("edit", "all_is_read"),
    [
        (lambda spec: _append(next((spec / "rulesets").glob("*.yaml"))), True),
        (lambda spec: _append(spec / "schemas" / "message-bye.schema.json"), True),
        (lambda spec: _append(spec / "ids.lock"), False),
    ],
    ids=["ruleset", "schema", "lock"],
)
def test_cache_is_made_anew_when_a_file_differs(
    edit: Edit, all_is_read: bool, kept: Path, opened: Path, loads: list[Path]
) -> None:
    open_suite(opened, positions=False)
    assert loads == []
    edit(opened)
    anew = open_suite(opened, positions=False)
    assert loads == [opened] * all_is_read
    assert stored(kept)["rules"] == 1 + all_is_read
    same(anew, open_suite(opened, positions=False))
    assert loads == [opened] * all_is_read


@pytest.mark.parametrize(
    ("package", "module", "differ"),
    [("hoyle_reference", "cells.py", (True, True)), ("hoyle_conformance", "wording/words.py", (False, True))],
)
def test_cache_is_made_anew_when_the_code_that_makes_it_differs(
    package: str, module: str, differ: tuple[bool, bool], spec: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def addresses() -> tuple[str, str]:
        return address.cache_key_of(spec), address.cache_key_of(spec, all_code=True)

    before = addresses()
    assert before[0] != before[1]
    there = tmp_path / "code" / package
    shutil.copytree(ROOT / PACKAGES[package] / package, there, ignore=shutil.ignore_patterns("__pycache__", "spec"))
    monkeypatch.syspath_prepend(str(there.parent))
    monkeypatch.delitem(sys.modules, package)
    assert addresses() == before
    _append(there / module)
    assert tuple(one != other for one, other in zip(addresses(), before, strict=True)) == differ


def test_a_spec_in_another_place_has_its_own_paths(opened: Path, tmp_path: Path, loads: list[Path]) -> None:
    moved = open_suite(opened.rename(tmp_path / "house-rules"))
    assert loads == []
    assert all(each.file.startswith("house-rules/scenarios/") for each in moved.scenarios.values())
    assert all(each.document.path and each.document.path.is_file() for each in moved.scenarios.values())


@pytest.mark.posix
def test_what_leads_elsewhere_is_not_kept(kept: Path, spec: Path) -> None:
    path = next((spec / "scenarios" / "tricks").iterdir())
    path.rename(spec.parent / path.name)
    path.symlink_to(spec.parent / path.name)
    assert address.cache_key_of(spec) == ""
    with pytest.raises(Invalid):  # as ever: it is not named after the id in it
        open_suite(spec)
    assert stored(kept) == {}


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(path.read_bytes()[:-7]),
        lambda path: path.write_bytes(os.urandom(5000)),
        lambda path: path.write_bytes(path.read_bytes().replace(b"tricks", b"trixes")),
        lambda path: (path.unlink(), path.mkdir()),
    ],
)
def test_what_is_damaged_is_made_anew(damage: Edit, kept: Path, opened: Path, loads: list[Path]) -> None:
    first = open_suite(opened)
    assert loads == []
    damage(kept / store.FILE)
    same(open_suite(opened), first)
    if (kept / store.FILE).is_file():
        loads.clear()
        open_suite(opened)
        assert loads == [], "it is stored anew"


def test_another_version_is_made_anew(opened: Path, loads: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "FORM", store.FORM + 1)
    open_suite(opened)
    assert loads == [opened]


def test_where_it_cannot_be_written_nothing_is_kept_or_said(kept: Path, spec: Path, loads: list[Path]) -> None:
    kept.write_text("a file where a folder should be", "utf-8")
    same(open_suite(spec), open_suite(spec))
    assert loads == [spec, spec]


def test_a_suite_with_mistakes_is_never_kept(kept: Path, spec: Path) -> None:
    path = next((spec / "scenarios" / "tricks").iterdir())
    path.write_text(path.read_text("utf-8").replace("steps:", "stepz:"), "utf-8")
    with pytest.raises(Invalid):
        open_suite(spec)
    assert len(open_suite(spec, drafts=True, positions=False).left_out) == 1
    assert stored(kept) == {}


def test_positions_with_mistakes_are_found_each_time(kept: Path, spec: Path) -> None:
    path = spec / "scenarios" / "to-score" / "the-example.scenario.yaml"
    path.write_text(path.read_text("utf-8").replace("KS", "KS#7"), "utf-8")
    with pytest.raises(Invalid) as anew:
        load.load_suite(spec)
    open_suite(spec, positions=False)
    for _ in range(2):
        with pytest.raises(Invalid) as raised:
            open_suite(spec)
        assert raised.value.diagnostics == anew.value.diagnostics
    assert "requests" not in stored(kept)


def test_what_is_written_while_it_is_read_is_not_kept(kept: Path, spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = load.load_suite

    def meanwhile(root: Path, **options: Any) -> Suite:
        suite = plain(root, **options)
        _append(spec / "VERSION")
        return suite

    monkeypatch.setattr(load, "load_suite", meanwhile)
    open_suite(spec)
    assert stored(kept) == {}


def test_two_processes_at_once(kept: Path, spec: Path) -> None:
    command = [sys.executable, "-m", "hoyle_conformance", "check", "--spec", str(spec)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert said[0] == said[1]
    assert [path.name for path in kept.iterdir()] == [store.FILE]
    assert planner_of(open_suite(spec)).sound


def test_validate_can_do_without_it(kept: Path, spec: Path, few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(spec.parent)
    kept.mkdir()
    assert run("validate", "--spec", str(spec), HOYLE_NO_CACHE="1")[0] in {0, 5}  # ids of the others are lost
    assert list(kept.iterdir()) == []
    shutil.copytree(few / "kept", kept, dirs_exist_ok=True)
    (kept / store.FILE).write_bytes(b"not to be read")
    path = next((spec / "scenarios" / "tricks").iterdir())
    assert run("validate", str(path), "--spec", str(spec), HOYLE_NO_CACHE="1") == (0, "1 file checked and valid.\n", "")
    assert (kept / store.FILE).read_bytes() == b"not to be read"


@pytest.mark.parametrize(
    "words",
    [
        ["suite", "list"],
        ["ask", "revoke"],
        ["explain", "to-score.the-example"],
        ["check", "-s", "to-score.*", "--record", "-"],
        ["check", "-s", "tricks.*", "--", sys.executable, str(ROOT / "tests/faulty_adapters/trivial.py")],
    ],
    ids=" ".join,
)
def test_command_prints_the_same_with_and_without_the_cache(
    words: list[str], opened: Path, tmp_path: Path, loads: list[Path]
) -> None:
    record = tmp_path / "run.jsonl"
    at = 1 + (words[0] == "suite")
    command, others = words[:at], [str(record) if word == "-" else word for word in words[at:]]
    seen = []
    for environment in ({"HOYLE_NO_CACHE": "1"}, {}):
        done = run(*command, "--spec", str(opened), *others, **environment)
        seen.append((done, timeless(record) if record.exists() else []))
    assert seen[0] == seen[1]
    _, said, told = seen[0][0]
    assert said or told, "there is something to be seen"
    assert loads == [opened]


def test_the_folder_is_the_users_unless_another_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import platformdirs

    assert store.folder() == Path(os.environ[KEPT_IN])
    monkeypatch.delenv(KEPT_IN)
    assert store.folder() == platformdirs.user_cache_path("hoyle", appauthor=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert store.folder() == tmp_path / "hoyle"


def test_what_a_wheel_brings_is_taken(
    kept: Path, spec: Path, loads: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(store, "READY", tmp_path / "ready")
    opening.compile_for_wheel(spec, tmp_path / "ready")
    assert len(loads) == 1
    assert planner_of(open_suite(spec)).sound
    assert len(loads) == 1
    assert not kept.exists()
    _append(spec / "VERSION")
    open_suite(spec)
    assert len(loads) == 1  # neither is this any rule
    assert not kept.exists()


@pytest.mark.parametrize("words", [["suite", "list"], ["rules", "bezique-hoyle", "bezique-britannica"]], ids=" ".join)
def test_to_look_a_rule_up_needs_no_interpreter(words: list[str]) -> None:
    code = (
        "import sys; from hoyle_conformance.cli import main; main(sys.argv[1:], standalone_mode=False);"
        "print('hoyle_reference.rules' in sys.modules, file=sys.stderr)"
    )
    the_suite()  # so that it is kept
    command = [sys.executable, "-c", code, *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS, check=True)
    assert done.stderr == "False\n"


# ---- the database

VALUES = {"a": b"1", "b": b"2"}


def test_values_are_found_by_kind_and_key(kept: Path) -> None:
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


@pytest.mark.parametrize("column", ["value", "key"])
def test_a_value_that_was_changed_is_not_returned(kept: Path, column: str) -> None:
    store.write("a-kind", VALUES)
    with closing(sqlite3.connect(kept / store.FILE)) as database, database:
        database.execute(f"UPDATE cached SET {column} = ? WHERE key = 'a'", ["changed"])  # noqa: S608 -- our own words
    assert store.read("a-kind", ["a", "b", "changed"]) == {"b": b"2"}
    store.write("a-kind", VALUES)
    assert store.read("a-kind", ["a", "b"]) == VALUES


def test_what_another_process_writes_is_waited_for_and_then_done_without(
    kept: Path, monkeypatch: pytest.MonkeyPatch
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
@pytest.mark.parametrize("foreign", ["owner", "group"])
def test_a_folder_that_others_can_write_in_is_not_used(
    foreign: str, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write("a-kind", VALUES)
    before = (kept / store.FILE).read_bytes()
    if foreign == "owner":
        monkeypatch.setattr(os, "geteuid", lambda: kept.stat().st_uid + 1)
    else:
        kept.chmod(0o770)
    assert store.read("a-kind", ["a"]) == {}
    store.write("a-kind", {"a": b"3"})
    assert (kept / store.FILE).read_bytes() == before


@pytest.mark.posix
@pytest.mark.parametrize(
    "replace",
    [
        lambda path: path.symlink_to(path.rename(path.parent.parent / "elsewhere")),
        lambda path: (path.unlink(), os.mkfifo(path)),
        lambda path: path.chmod(0o660),
    ],
)
def test_a_database_that_somebody_else_may_have_put_there_is_not_used(replace: Edit, kept: Path) -> None:
    store.write("a-kind", VALUES)
    replace(kept / store.FILE)
    assert store.read("a-kind", ["a"]) == {}
    store.write("a-kind", VALUES)
    assert store.read("a-kind", ["a"]) == {}
