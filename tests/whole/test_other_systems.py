"""What Windows and macOS have otherwise, as far as it can be brought about here."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import HANGS, ROOT, Done, need
from hoyle_conformance.cli import exit as exits
from hoyle_conformance.files.diagnostics import shown_path
from hoyle_conformance.protocol import process
from hoyle_conformance.runner.baseline import read_baseline
from hoyle_conformance.suite.load import read_suite
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.validate.check_file import _is_same_file, check_file

#: The interpreter opens no files.
CODE = sorted((ROOT / "conformance").rglob("*.py"))


# ---- line ends


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


@pytest.mark.parametrize("encoding", ["cp437", "ascii"])
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


def test_a_process_that_has_no_supervisor_is_spoken_to_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, with what this system has of that."""
    monkeypatch.setattr(sys, "platform", "win32")
    words = [sys.executable, "-c", "import sys\nfor line in sys.stdin: print('{\"a\": 1}', flush=True)"]
    adapter = process.Process(words, HANGS, lambda _line: None)
    assert adapter.ask({"type": "hello"}) == {"a": 1}
    adapter.kill()
    assert adapter._child.poll() is not None


# ---- one place for what differs


#: Modules whose content is for one system, each with the reason why it asks which one this is.
FOR_ONE_SYSTEM = {
    "hoyle_conformance/protocol/supervisor.py": "a script without Hoyle, for systems with process groups",
    "hoyle_conformance/protocol/sandbox.py": "programs of Linux",
}
#: Modules of the standard library that some system lacks.
NOT_EVERYWHERE = {"_winapi", "fcntl", "grp", "msvcrt", "pty", "pwd", "resource", "termios", "winreg"}
#: Modules of which some systems have only a part.
IN_PART = {"os", "select", "signal", "socket", "subprocess"}


def _questions(tree: ast.AST) -> Iterator[str]:
    """What in a module asks for the system, or for a part of the library that not every system has."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from {alias.name for alias in node.names} & {*NOT_EVERYWHERE, "platform"}
        elif isinstance(node, ast.ImportFrom):
            yield from {node.module} & NOT_EVERYWHERE
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in {"sys.platform", "os.name"}:
            yield ast.unparse(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in {"getattr", "hasattr"}:
            yield from {ast.unparse(node.args[0])} & IN_PART


@pytest.mark.slow
def test_one_package_alone_asks_which_system_it_is() -> None:
    """Functions that a system lacks are found by mypy, which reads the code as each of three systems does."""
    packages = ("conformance/hoyle", "conformance/hoyle_conformance", "reference_impl/hoyle_reference")
    asking = {
        path.relative_to((ROOT / package).parent).as_posix(): asked
        for package in packages
        for path in (ROOT / package).rglob("*.py")
        if "system" not in path.parts and (asked := {*_questions(ast.parse(path.read_text("utf-8")))})
    }
    assert asking.keys() == FOR_ONE_SYSTEM.keys(), asking


# ---- what is checked out


#: Windows takes these for devices, whatever ending they have.
DEVICES = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(10))}


def _listed(*options: str) -> list[str]:
    """What git says of each file of this clone."""
    need(shutil.which("git") and (ROOT / ".git").exists(), "git, and a clone")
    command = ["git", "ls-files", "-z", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=HANGS)
    return done.stdout.decode().rstrip("\0").split("\0")


def test_every_file_can_be_checked_out_on_every_system() -> None:
    names = _listed()
    parts = {part for name in names for part in name.split("/")}
    assert [part for part in parts if re.search(r'[<>:"|?*\\\x00-\x1f]|[. ]$', part)] == []
    assert [part for part in parts if part.partition(".")[0].lower() in DEVICES] == []
    assert [name for name in names if len(name) > 150] == [], "a path may have 260 characters, with that of the clone"
    places = {name.rpartition("/")[0] for name in names} | {*names}
    assert len({unicodedata.normalize("NFC", place).casefold() for place in places}) == len(places)


def test_lines_end_in_one_way_in_every_clone() -> None:
    for line in _listed("--eol"):
        how, name = line.split("\t")
        is_text = not name.endswith((".gz", ".png", ".woff2"))
        assert how.startswith(("i/lf", "i/none") if is_text else "i/-text"), name
        assert re.search(r"eol=lf|attr/-text", how), name
