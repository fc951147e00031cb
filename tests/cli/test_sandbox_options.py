"""`--sandbox`: an adapter runs in a sandbox, or not at all; and what held stands in the record and in every report."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import ROOT, Done
from hoyle_conformance.protocol.sandbox import probe
from hoyle_conformance.protocol.sandbox.protections import Missing, Protection, Sandbox, SandboxLimits
from hoyle_conformance.runner.results import Exit
from protocol.sandbox.sandboxes import sandbox_of

Hoyle = Callable[..., Done]
ADAPTER = [sys.executable, str(ROOT / "conformance/adapters/python/tricks.py")]
#: Commands that start an adapter, each with as little work as there is.
COMMANDS = [
    ["check", "-s", "tricks.trump-beats-ace"],
    ["identify", "-r", "bezique-hoyle"],
    ["fuzz", "--games", "1", "-r", "bezique-hoyle"],
    ["doctor"],
    ["suite", "census", "-r", "bezique-hoyle", "--game", "1"],
]
NONE = Sandbox(
    "", SandboxLimits(), tuple(Missing(each, "this is a test") for each in Protection), remedy="Use another system."
)


@pytest.fixture
def no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "find_sandbox", lambda: NONE)


@pytest.mark.posix
@pytest.mark.usefixtures("no_sandbox")
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_where_something_is_missing_the_adapter_is_not_started(hoyle: Hoyle, tmp_path: Path, words: list[str]) -> None:
    started = tmp_path / "started"
    done = hoyle(*words, "--sandbox", "sh", "-c", f"touch {started}")
    assert done.returncode == Exit.ADAPTER_BROKE
    assert not started.exists()
    assert "  network: no network, and no sockets of other programs. Missing because this is a test.\n" in done.stderr
    assert "Use another system. Or use --sandbox-best-effort" in done.stderr
    assert "exit 2: this system cannot set up the whole sandbox" in done.stderr


@pytest.mark.usefixtures("no_sandbox")
def test_as_far_as_possible_it_runs_and_names_what_is_missing(hoyle: Hoyle, tmp_path: Path) -> None:
    record = tmp_path / "record"
    done = hoyle(*COMMANDS[0], "--sandbox", "--sandbox-best-effort", "--record", str(record), *ADAPTER)
    assert done.returncode == 0, done
    assert "Sandbox: none on this system; the adapter ran without protection\n" in done.stdout
    assert done.stderr.count("Missing because") == len(Protection)
    header = json.loads(record.read_text("utf-8").splitlines()[0])
    assert header["sandbox"] == {
        "means": "",
        "held": [],
        "missing": {str(each): "this is a test" for each in Protection},
    }


@pytest.mark.slow
@pytest.mark.posix
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_commands_that_start_an_adapter_start_it_in_a_sandbox(
    hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    found = sandbox_of("landlock")
    monkeypatch.setattr(probe, "find_sandbox", lambda: found)
    outside = tmp_path / "outside"
    hoyle(*words, "sh", "-c", f"touch {outside}")
    assert outside.exists()
    outside.unlink()
    hoyle(*words, "--sandbox-best-effort", "sh", "-c", f"touch {outside}")
    assert not outside.exists()


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_record_and_the_reports_name_what_held(
    hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    found = sandbox_of("bubblewrap")
    monkeypatch.setattr(probe, "find_sandbox", lambda: found)
    record, page, text = (tmp_path / name for name in ("run.jsonl", "run.html", "run.md"))
    words = ["-s", "tricks", "--jobs", jobs, "--html", str(page), "--markdown", str(text)]
    done = hoyle("check", *words, "--sandbox", "--record", str(record), *ADAPTER)
    assert done.returncode == 0, done
    says = "bubblewrap, with all protections"
    assert f"Sandbox: {says}\n" in done.stdout
    assert f"Sandbox: {says}" in text.read_text("utf-8")
    assert says in page.read_text("utf-8")
    assert f"Sandbox: {says}" in hoyle("report", str(record)).stdout
    header = json.loads(record.read_text("utf-8").splitlines()[0])
    assert header["sandbox"] == {"means": "bubblewrap", "held": list(map(str, Protection)), "missing": {}}
    shown = json.loads(hoyle("report", str(record), "--json").stdout)
    assert shown["records"][0]["sandbox"] == header["sandbox"]


def test_a_sandbox_needs_an_adapter(hoyle: Hoyle) -> None:
    done = hoyle("check", "--sandbox", "-s", "tricks")
    assert done.returncode == Exit.USAGE
    assert "A sandbox needs an adapter: give the COMMAND that starts it." in done.stderr


def test_other_machines_have_no_sandbox_of_this_one(hoyle: Hoyle) -> None:
    done = hoyle("fuzz", "--cluster", "localhost:1", "--sandbox", *ADAPTER)
    assert done.returncode == Exit.USAGE
    assert "--cluster and a sandbox cannot be combined" in done.stderr


@pytest.mark.usefixtures("no_sandbox")
@pytest.mark.parametrize(("key", "code"), [("sandbox", Exit.ADAPTER_BROKE), ("sandbox-best-effort", 0)])
def test_a_configuration_asks_for_it(hoyle: Hoyle, tmp_path: Path, key: str, code: int) -> None:
    (tmp_path / "hoyle.toml").write_text(f"command = {json.dumps(ADAPTER)}\n{key} = true\n", "utf-8")
    done = hoyle("check", "-s", "tricks.trump-beats-ace", cwd=tmp_path)
    assert done.returncode == code, done
    assert "Missing because this is a test." in done.stderr
