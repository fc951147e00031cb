"""Programs: command lines as a shell of the system takes them, and which files may be run."""

import sys
from pathlib import Path

import pytest

from hoyle_conformance.system.processes import (
    how_to_make_executable,
    is_executable,
    join_command,
    program_ending,
    split_command,
)

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


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


@pytest.mark.posix
def test_a_command_line_is_read_as_a_shell_of_unix_does() -> None:
    assert split_command("python 'my adapter.py' a\\ b") == ("python", "my adapter.py", "a b")
    assert join_command(["python", "my adapter.py", "$x"]) == "python 'my adapter.py' '$x'"
    with pytest.raises(ValueError, match="closing"):
        split_command("python 'my")


@pytest.mark.usefixtures("windows")
def test_a_command_line_is_read_as_windows_does() -> None:
    for line, words in LINES.items():
        assert split_command(line) == words
        assert split_command(join_command(words)) == words
    with pytest.raises(ValueError, match="closing"):
        split_command('python "my')
    assert join_command(["python", "my adapter.py"]) == 'python "my adapter.py"'


@pytest.mark.posix
def test_a_file_may_be_run_if_its_permissions_say_so(tmp_path: Path) -> None:
    path = tmp_path / "engine"
    path.touch(0o600)
    assert not is_executable(path)
    path.chmod(0o700)
    assert is_executable(path)
    assert how_to_make_executable("./engine") == "chmod +x ./engine"
    assert program_ending() == ""


@pytest.mark.usefixtures("windows")
def test_windows_runs_a_file_if_its_name_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATHEXT", ".COM;.EXE;.CMD;")
    named = {name: is_executable(Path(name)) for name in ("engine", "engine.exe", "ENGINE.CMD", "engine.py", "a.b")}
    assert named == {"engine": False, "engine.exe": True, "ENGINE.CMD": True, "engine.py": False, "a.b": False}
    assert how_to_make_executable("engine") == "give it a name that ends with .exe"
