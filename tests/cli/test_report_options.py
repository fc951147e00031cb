"""Reports that 'hoyle check' writes at once: the same as those of a record, all of them, or the reason why not."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import Done
from hoyle_conformance import reports
from hoyle_conformance.cli.outputs import AT_ONCE
from hoyle_conformance.tools.authoring.templates.templates import adapter_templates

pytestmark = pytest.mark.whole

Hoyle = Callable[..., Done]
#: An adapter in which the first card wins every trick.
FIRST_WINS = adapter_templates()["python"].text
CHECK = ("check", "-s", "tricks.*", "-r", "bezique-hoyle")


@pytest.fixture
def adapter(tmp_path: Path) -> tuple[str, str]:
    file = tmp_path / "first_wins.py"
    file.write_text(FIRST_WINS, "utf-8")
    return sys.executable, str(file)


def options(folder: Path) -> list[str]:
    return [word for name in AT_ONCE for word in (f"--{name}", str(folder / f"direct.{name}"))]


def test_reports_of_a_run_are_those_of_its_record(hoyle: Hoyle, tmp_path: Path, adapter: tuple[str, str]) -> None:
    record = tmp_path / "run.jsonl"
    done = hoyle(*CHECK, *options(tmp_path), "--record", str(record), *adapter)
    assert (done.returncode, done.stderr) == (1, "")
    for name in AT_ONCE:
        later = tmp_path / f"later.{name}"
        assert hoyle("report", str(record), f"--{name}", str(later)).returncode == 0
        direct = (tmp_path / f"direct.{name}").read_text("utf-8")
        assert direct
        assert direct == later.read_text("utf-8"), name


@pytest.mark.posix
@pytest.mark.parametrize(("select", "code"), [("tricks.*", 1), ("tricks.lower-card-loses", 4)])
def test_a_report_that_cannot_be_written_in_the_end_keeps_nothing_else_from_being_written(
    hoyle: Hoyle, tmp_path: Path, select: str, code: int
) -> None:
    """The folder of one report is lost during the run; the exit code of the run stands, unless it was 0."""
    lost = tmp_path / "lost"
    lost.mkdir()
    file = tmp_path / "adapter.py"
    file.write_text(f"import os\nos.rmdir({str(lost)!r}) if os.path.isdir({str(lost)!r}) else None\n{FIRST_WINS}")
    page, junit = tmp_path / "run.html", lost / "run.xml"
    words = ("check", "-s", select, "-r", "bezique-hoyle", "--junit", str(junit), "--html", str(page))
    done = hoyle(*words, sys.executable, str(file))
    assert done.returncode == code, done
    assert f"Not everything could be written. --junit: cannot write {junit}" in done.stderr
    assert "passed, " in done.stdout
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_a_report_in_which_hoyle_fails_keeps_no_other_from_being_written(
    hoyle: Hoyle, tmp_path: Path, adapter: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    render = reports.render

    def broken(function: str, of: object) -> str:
        if function.startswith("junit"):
            raise ZeroDivisionError
        return render(function, of)

    monkeypatch.setattr(reports, "render", broken)
    done = hoyle(*CHECK, *options(tmp_path), *adapter)
    assert done.returncode == 1
    assert "Not everything could be written. --junit: Hoyle itself failed." in done.stderr
    assert {each.suffix for each in tmp_path.glob("direct.*")} == {f".{name}" for name in AT_ONCE} - {".junit"}
