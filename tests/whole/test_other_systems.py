"""What Windows and macOS have otherwise, as far as it can be brought about here."""

import ast
import io
import os
import shlex
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import HANGS, ROOT, Done
from hoyle_conformance.checks.cache import key as address
from hoyle_conformance.cli import exit as exits
from hoyle_conformance.files import read as opening
from hoyle_conformance.files import write as writing
from hoyle_conformance.files.diagnostics import shown_path
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.protocol import process
from hoyle_conformance.protocol.split_command import join_command, split_command
from hoyle_conformance.runner.baseline import read_baseline
from hoyle_conformance.suite.load import read_suite
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate.check_file import _is_same_file, check_file

#: The interpreter opens no files.
CODE = sorted((ROOT / "conformance").rglob("*.py"))


# ---- line ends


@pytest.mark.parametrize("kind", ["scenarios/tricks", "rulesets", "sources"])
def test_a_file_means_the_same_however_its_lines_end(kind: str, tmp_path: Path) -> None:
    for path in sorted((ROOT / "spec" / kind).glob("*.yaml"))[:5]:
        content = path.read_bytes()
        assert b"\r" not in content
        (tmp_path / path.name).write_bytes(content.replace(b"\n", b"\r\n"))
        here, there = (read_file(each, each.name) for each in (path, tmp_path / path.name))
        assert here.data == there.data
        assert here.line_of([]) == there.line_of([])


def test_a_spec_whose_lines_end_otherwise_has_the_same_digest(tmp_path: Path) -> None:
    digests = []
    for end in (b"\n", b"\r\n"):
        spec = tmp_path / str(len(end)) / "spec"
        for name in ("rulesets/bezique-hoyle.ruleset.yaml", "sources/hoyle.source.yaml", "VERSION", "ids.lock"):
            _copy(name, spec, end)
        for path in sorted((ROOT / "spec/schemas").glob("*.json")):
            _copy(path.relative_to(ROOT / "spec").as_posix(), spec, end)
        suite, _ = read_suite(spec)
        digests.append((suite.digest, suite.version, set(suite.clauses)))
    assert digests[0] == digests[1]


def _copy(name: str, spec: Path, end: bytes) -> None:
    (spec / name).parent.mkdir(parents=True, exist_ok=True)
    (spec / name).write_bytes((ROOT / "spec" / name).read_bytes().replace(b"\n", end))


def test_a_baseline_may_end_its_lines_otherwise(suite: Suite, tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    file.write_bytes(b"# ours\r\ntricks.trump-beats-ace@bezique-hoyle\r\n")
    (line,) = read_baseline(file, suite)
    assert line.name == "tricks.trump-beats-ace@bezique-hoyle"


@pytest.mark.parametrize("module", [opening, writing, address])
def test_files_are_opened_byte_for_byte(module: Any) -> None:
    """Windows opens a file as text, and changes how its lines end, unless it is told not to."""
    script = f"import os; os.O_BINARY = 1 << 29\nfrom {module.__name__} import _HOW; print(bool(_HOW & os.O_BINARY))"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=HANGS)
    assert done.stdout == "True\n"


@pytest.mark.slow
def test_no_file_is_opened_in_the_encoding_of_the_system_or_with_its_line_ends() -> None:
    """On Windows they are others."""
    for path in CODE:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _opens_a_file(node.func):
                assert _says_how(node), f"{path}:{node.lineno}"
                if ast.unparse(node.func).endswith(".write_text") and "formatter" not in ast.unparse(node.func):
                    assert "newline" in {each.arg for each in node.keywords}, f"{path}:{node.lineno}"


def _opens_a_file(called: ast.expr) -> bool:
    if isinstance(called, ast.Attribute):
        return called.attr in {"read_text", "write_text", "open", "fdopen"}
    return isinstance(called, ast.Name) and called.id == "open"


def _says_how(call: ast.Call) -> bool:
    if ast.unparse(call.func) in {"os.open", "webbrowser.open", "formatter.write_text"}:
        return True
    named = {each.arg for each in call.keywords}
    words = [each.value for each in call.args if isinstance(each, ast.Constant)]
    binary = any(isinstance(word, str) and "b" in word and len(word) <= 3 for word in words)
    return binary or "encoding" in named or "utf-8" in words or len(call.args) >= 3


# ---- what a terminal can show


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_a_terminal_without_card_symbols_is_no_reason_to_fail(
    hoyle: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, encoding: str, tmp_path: Path
) -> None:
    text = hoyle("explain", "tricks.trump-beats-ace@bezique-hoyle").stdout
    assert "♠" in text or "♥" in text or "♦" in text
    with (tmp_path / "out").open("w", encoding=encoding, newline="") as out, monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        exits.prepare_streams()
        print(text, end="", flush=True)
    shown = (tmp_path / "out").read_bytes().decode(encoding)
    assert len(shown.splitlines()) == len(text.splitlines())
    assert "?" in shown


# ---- command lines and paths


LINES = {
    r"C:\Python\python.exe adapter.py": (r"C:\Python\python.exe", "adapter.py"),
    r'"C:\Program Files\nodejs\node.exe" a.js --name "my engine"': (
        r"C:\Program Files\nodejs\node.exe",
        "a.js",
        "--name",
        "my engine",
    ),
    'engine --name="my engine"': ("engine", "--name=my engine"),
    " \t": (),
}


def test_a_command_line_is_read_as_its_system_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert split_command("python 'my adapter.py' a\\ b") == ("python", "my adapter.py", "a b")
    assert join_command(["python", "my adapter.py", "$x"]) == "python 'my adapter.py' '$x'"
    with pytest.raises(ValueError, match="closing"):
        split_command("python 'my")
    monkeypatch.setattr(sys, "platform", "win32")
    for line, words in LINES.items():
        assert split_command(line) == words
        assert split_command(join_command(words)) == words
    with pytest.raises(ValueError, match="closing"):
        split_command('python "my')
    assert join_command(["python", "my adapter.py"]) == 'python "my adapter.py"'


def test_what_repeats_a_check_can_be_pasted_into_the_shell_of_the_system() -> None:
    """No module that prints a command writes it for a shell of Unix alone."""
    rooms = [ROOT / "conformance/hoyle_conformance" / room for room in ("report", "cli", "doctor")]
    for path in sorted(path for room in rooms for path in room.rglob("*.py")):
        assert "shlex" not in path.read_text("utf-8"), path
    assert shlex.join(["a b"]) == join_command(["a b"])


def test_a_path_elsewhere_is_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows it may be on another drive, to which no relative path leads."""
    monkeypatch.chdir(ROOT)
    assert shown_path(Path.cwd() / "a" / "b.yaml") == "a/b.yaml"
    assert shown_path(Path("/another/drive.yaml")) == Path("/another/drive.yaml").as_posix()
    assert all("os.path.relpath" not in path.read_text("utf-8") or path.match("files/read.py") for path in CODE)


def test_a_file_is_known_by_any_of_its_names(suite: Suite, tmp_path: Path) -> None:
    """There are systems that tell no capitals apart, so that one file has many names."""
    file = ROOT / "spec/scenarios/tricks/trump-beats-ace.scenario.yaml"
    assert _is_same_file(file, Path(os.path.relpath(file)))
    (tmp_path / "Other.scenario.yaml").hardlink_to(_copied(file, tmp_path))
    assert _is_same_file(tmp_path / "Other.scenario.yaml", tmp_path / file.name)
    assert not _is_same_file(file, tmp_path / file.name)
    assert not _is_same_file(tmp_path / "none", file)
    assert [each.code for each in check_file(suite, tmp_path / file.name)] == ["id-in-use"]


def _copied(file: Path, folder: Path) -> Path:
    (folder / file.name).write_bytes(file.read_bytes())
    return folder / file.name


def test_python_runs_it_by_its_name() -> None:
    """Windows often does not look where pip puts programs."""
    for words, printed in ((["-m", "hoyle", "--version"], "hoyle "), (["-c", "import hoyle"], "")):
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=HANGS, check=True)
        assert done.stdout[: len("hoyle ")] == printed
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "conformance/hoyle" in wheel["packages"]


# ---- processes


def test_an_adapter_that_does_not_read_is_not_waited_for() -> None:
    """Where it cannot be asked whether a pipe has room."""
    reads, writes = os.pipe()
    before, begun = set(threading.enumerate()), time.monotonic()
    with os.fdopen(writes, "wb") as pipe:
        process.write_within(pipe, b"x" * 1_000_000, 0.05)
        waited = time.monotonic() - begun
        os.close(reads)  # as the end of the adapter does
    assert 0.05 <= waited < HANGS
    for thread in {*threading.enumerate()} - before:
        thread.join(HANGS)
        assert not thread.is_alive()


def test_what_is_read_in_time_is_written() -> None:
    written_: io.BytesIO = io.BytesIO()
    process.write_within(written_, b"a line\n", HANGS)
    assert written_.getvalue() == b"a line\n"


class Child:
    """A process, as far as it is ended."""

    pid = 4711

    def __init__(self, code: int | None) -> None:
        self.code, self.killed = code, False

    def poll(self) -> int | None:
        return self.code

    def kill(self) -> None:
        self.killed = True


@pytest.mark.parametrize(("code", "asked"), [(None, True), (0, False)])
def test_on_windows_whatever_an_adapter_has_started_is_ended_with_it(
    monkeypatch: pytest.MonkeyPatch, code: int | None, asked: bool
) -> None:
    calls: list[list[str]] = []

    def run(command: list[str], **_options: Any) -> None:
        calls.append(command)
        raise OSError("there is no such program here")

    monkeypatch.setattr(subprocess, "run", run)
    child = Child(code)
    process.end_tree(child)  # type: ignore[arg-type] -- as much of a process as is used
    assert calls == ([["taskkill", "/T", "/F", "/PID", "4711"]] if asked else [])
    assert child.killed


def test_a_process_that_has_no_supervisor_is_spoken_to_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, with what this system has of that."""
    monkeypatch.setattr(sys, "platform", "win32")
    words = [sys.executable, "-c", "import sys\nfor line in sys.stdin: print('{\"a\": 1}', flush=True)"]
    adapter = process.Process(words, HANGS, lambda _line: None)
    assert adapter.ask({"type": "hello"}) == {"a": 1}
    adapter.kill()
    assert adapter._child.poll() is not None


# ---- the tests themselves


def test_nothing_that_the_tests_share_needs_unix() -> None:
    tree = ast.parse((ROOT / "tests/conftest.py").read_text("utf-8"))
    names = {alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names}
    assert names.isdisjoint({"fcntl", "resource", "pwd", "grp", "termios", "pty"})
