"""The starters: each runs as it is, is well, and is right about the tricks that the first card wins."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import HANGS, ROOT, Done, golden, need
from hoyle_conformance.protocol import process
from hoyle_conformance.tools.authoring.templates import templates as module
from hoyle_conformance.tools.authoring.templates.templates import AdapterTemplate, adapter_templates
from hoyle_conformance.tools.doctor import conversation as talking
from hoyle_conformance.tools.doctor import diagnosis
from transcripts import Session, played

#: Their compiler is not everywhere, not even on the gate; whoever changes one of these runs it.
NOT_EVERYWHERE = {"rust"}


def is_there(each: AdapterTemplate) -> bool:
    """Whether its compiler is there, and runs: rustup's does not, in a home without a toolchain."""
    if shutil.which(each.needs) is None:
        return False
    return (
        each.language not in NOT_EVERYWHERE
        or not subprocess.run([each.needs, "--version"], check=False, capture_output=True).returncode
    )


#: The languages that are tried here.
TRIED = [name for name, each in adapter_templates().items() if name not in NOT_EVERYWHERE or is_there(each)]


def test_every_starter_is_a_file_of_its_own_that_says_how_it_is_run() -> None:
    folder = Path(module.__file__).parent
    files = {each.name for each in folder.iterdir() if each.is_file() and each.stem not in {"__init__", "templates"}}
    assert {each.file for each in adapter_templates().values()} == files
    for each in adapter_templates().values():
        run = each.at(Path(each.file)).run
        shown = " ".join(["python" if word.startswith("py") else word for word in run])
        for command in ("doctor", "check"):
            assert f"hoyle {command} {shown}" in each.text
        if each.build:
            assert Path(each.at(Path(each.file)).build[-1]).name in each.text
        assert each.text.count("ENGINE") == 1
        assert "hoyle_" not in each.text


@pytest.fixture
def time_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, nothing is found slow."""
    monkeypatch.setattr(talking.RecordedProcess, "seconds_for", lambda _talk, _message: HANGS)
    monkeypatch.setattr(process, "_GRACE", HANGS / 10)
    monkeypatch.setattr(diagnosis, "SLOW", HANGS)


@pytest.mark.slow
@pytest.mark.usefixtures("time_to_start")
@pytest.mark.parametrize("language", TRIED)
def test_a_starter_runs_is_well_and_knows_the_easy_tricks(
    hoyle: Callable[..., Done], tmp_path: Path, language: str
) -> None:
    need(is_there(adapter_templates()[language]), adapter_templates()[language].needs)
    wrote = hoyle("new", "adapter", "--language", language, str(tmp_path))
    assert (wrote.returncode, wrote.stderr) == (0, "")
    made = adapter_templates()[language]
    made = made.at(tmp_path / made.file)
    assert Path(made.file).read_text("utf-8") == made.text
    if made.build:
        done = subprocess.run(made.build, capture_output=True, text=True, timeout=HANGS, check=False)
        assert (done.returncode, done.stdout + done.stderr) == (0, "")
    well = hoyle("doctor", "--", *made.run)
    assert (well.returncode, well.stderr) == (0, ""), well.stdout
    assert well.stdout.endswith("\nNo fault was found.\n")
    checked = hoyle("check", "-s", "tricks.*", "-r", "bezique-hoyle", f"--timeout={HANGS}", "--", *made.run)
    assert checked.returncode == 1
    assert "1. The answer to 'winner' is wrong." in checked.stdout
    passed, failed = map(int, re.findall(r"\n([0-9]+) passed, ([0-9]+) failed, 0 skipped\n", checked.stdout)[0])
    assert passed > 0
    assert failed > 0


# ---- writing one


def test_a_starter_may_be_printed(hoyle: Callable[..., Done], tmp_path: Path) -> None:
    assert hoyle("new", "adapter", "-l", "java", "-", cwd=tmp_path) == Done(0, adapter_templates()["java"].text, "")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_ever_overwritten(hoyle: Callable[..., Done], tmp_path: Path) -> None:
    (tmp_path / "my_adapter.py").write_text("mine\n", encoding="utf-8")
    for place in ("my_adapter.py", "."):
        done = hoyle("new", "adapter", "--language", "python", place, cwd=tmp_path)
        assert done.returncode == 4
        assert done.stderr.endswith("my_adapter.py already exists, and is unchanged. Name another file.\n")
    assert (tmp_path / "my_adapter.py").read_text("utf-8") == "mine\n"


@pytest.mark.posix
def test_a_link_that_leads_nowhere_is_a_file_too(hoyle: Callable[..., Done], tmp_path: Path) -> None:
    (tmp_path / "my_adapter.py").symlink_to(tmp_path / "elsewhere.py")
    assert hoyle("new", "adapter", "--language", "python", cwd=tmp_path).returncode == 4
    assert not (tmp_path / "elsewhere.py").exists()


def test_on_windows_a_program_has_an_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "which", lambda _: None)  # on Windows the real one asks the system from Python 3.12 on
    monkeypatch.setattr(sys, "platform", "win32")
    assert adapter_templates()["go"].at(Path("my_adapter.go")).run[0].endswith("my_adapter.exe")


# ---- the page that begins with one


@pytest.mark.slow
@pytest.mark.usefixtures("time_to_start")
def test_the_way_to_a_green_badge_is_as_it_is_shown(
    hoyle: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "which", lambda name: name == "python")
    page = ROOT / "docs/start.md"
    text = page.read_text("utf-8")
    before, heading, after = text.partition("\n## Put your engine in\n")
    for example in ("rubicon.py", "rubicon_referee.py"):
        shutil.copy(ROOT / "workbench/adapters/python" / example, tmp_path)
    session = Session(tmp_path, hoyle, {"pipx install ./hoyle": ""})
    before = played(before, session)
    (engine,) = re.findall(r"```python\n(.*?)```", after, re.DOTALL)
    adapter = tmp_path / "my_adapter.py"
    naive = adapter.read_text("utf-8")
    put_in = re.sub(r"def winner.*?return 0\n", lambda _: engine, naive, flags=re.DOTALL)
    assert put_in != naive
    adapter.write_text(put_in, encoding="utf-8")
    after = played(after, session)
    assert session.code == 0
    assert "brightgreen" in after
    golden(page, before + heading + after)
