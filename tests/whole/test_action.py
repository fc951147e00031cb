"""The action for GitHub: its steps are run here as a runner does, with the inputs in the environment."""

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import yaml

from conftest import HANGS, ROOT, need, need_sandbox

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = ACTION["runs"]["steps"]
ADAPTER = ROOT / "conformance" / "adapters" / "python" / "tricks.py"
pytestmark = pytest.mark.posix

Step = Callable[..., tuple[int, str, dict[str, str]]]


def test_it_says_all_that_github_asks_for() -> None:
    assert {"name", "description", "inputs", "outputs", "runs"} <= set(ACTION)
    assert ACTION["runs"]["using"] == "composite"
    for step in STEPS:
        assert {"name", "shell", "run"} <= set(step)
    for each in ACTION["inputs"].values():
        assert each["description"]
        assert each.get("required") or isinstance(each["default"], str)
    outputs = {each["value"] for each in ACTION["outputs"].values()}
    assert outputs == {f"${{{{ steps.check.outputs.{name} }}}}" for name in ACTION["outputs"]}


def test_no_input_stands_in_a_script() -> None:
    """What came with an input would be carried out by the shell; and every input is used."""
    used = set()
    for step in STEPS:
        assert "${{" not in step["run"]
        for value in [*step["env"].values(), step.get("working-directory", "")]:
            used |= set(re.findall(r"\$\{\{ inputs\.([\w-]+) \}\}", value))
    assert used == set(ACTION["inputs"])


def test_it_uses_no_other_action() -> None:
    assert all("uses" not in step for step in STEPS)


@pytest.fixture
def step(tmp_path: Path) -> Step:
    """Runs a step with these inputs, in a folder of its own; its exit code, what it printed, and its outputs."""
    need(which("bash"), "bash")
    room = tmp_path / "runner" / "hoyle" / "bin"
    room.mkdir(parents=True)
    for name, begins in {"python": "", "hoyle": "-m hoyle_conformance"}.items():
        (room / name).write_text(f'#!/bin/sh\nexec {sys.executable} {begins} "$@"\n', "utf-8")
        (room / name).chmod(0o755)

    def run(number: int = 1, **inputs: str) -> tuple[int, str, dict[str, str]]:
        given = {name: each.get("default", "") for name, each in ACTION["inputs"].items()} | inputs
        outputs, summary = tmp_path / "outputs", tmp_path / "summary.md"
        outputs.write_text("", "utf-8")
        told = {"runner.temp": str(tmp_path / "runner"), "github.action_path": str(ROOT)}
        told |= {f"inputs.{name}": value for name, value in given.items()}
        env = {name: _filled(str(value), told) for name, value in STEPS[number]["env"].items()}
        path = os.pathsep.join([str(ROOT / "reference_impl"), str(ROOT / "conformance")])
        runner = {"GITHUB_OUTPUT": str(outputs), "GITHUB_STEP_SUMMARY": str(summary), "PYTHONPATH": path}
        script = tmp_path / "script.sh"
        script.write_text(STEPS[number]["run"], "utf-8")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            check=False,
            cwd=tmp_path,
            env={**os.environ, **env, **runner},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=HANGS,
        )
        lines = outputs.read_text("utf-8").splitlines()
        return done.returncode, done.stdout, dict(line.split("=", 1) for line in lines)

    return run


def _filled(text: str, told: Mapping[str, Any]) -> str:
    return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: told[found[1]], text)


@pytest.mark.slow
def test_it_checks_and_reports(step: Step, tmp_path: Path) -> None:
    code, said, outputs = step(
        command=f"'{sys.executable}' {ADAPTER}", rulesets="bezique-hoyle", args="-s last-tricks --timeout 60"
    )
    assert code == 0, said
    assert outputs["exit"] == "0"
    assert int(outputs["passed"]) > 0
    assert outputs["failed"] == "0"
    assert f"{outputs['passed']} passed, 0 failed" in said
    assert outputs["record"] == "hoyle.jsonl"
    for name in ("record", "junit", "badge"):
        assert (tmp_path / outputs[name]).stat().st_size > 0
    assert (tmp_path / "summary.md").stat().st_size > 0


@pytest.mark.slow
def test_what_fails_fails_the_step_and_nothing_in_an_input_is_carried_out(step: Step, tmp_path: Path) -> None:
    evil = "$(touch carried-out) `touch carried-out` ; touch carried-out"
    (tmp_path / "my adapter.py").write_text(
        "import sys\nassert sys.argv[1:] == " + repr(evil.split()) + ", sys.argv\n" + ADAPTER.read_text("utf-8"),
        "utf-8",
    )
    code, said, outputs = step(
        command=f"{sys.executable} 'my adapter.py' {evil}",
        args="-s last-tricks.no-such-check",
        record="$(touch carried-out).jsonl",
    )
    assert (code, outputs["exit"], outputs["passed"], outputs["failed"]) == (4, "4", "", ""), said
    assert "::error title=Hoyle::hoyle check ended with exit code 4 and ran no checks" in said
    code, said, outputs = step(command=f"{sys.executable} 'my adapter.py' {evil}", args="-s tricks.trump-beats-ace")
    assert code == 0, said
    assert not (tmp_path / "carried-out").exists()


@pytest.mark.slow
def test_the_adapter_runs_in_a_sandbox_if_this_is_asked_for(step: Step) -> None:
    need_sandbox()
    code, said, _ = step(command=f"'{sys.executable}' {ADAPTER}", args="-s tricks.trump-beats-ace", sandbox="true")
    assert code == 0, said
    assert "Sandbox: bubblewrap" in said


def test_a_machine_without_a_python_is_told_what_to_do(
    step: Step, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bash = which("bash")
    (tmp_path / "path").mkdir()
    assert bash
    (tmp_path / "path" / "bash").symlink_to(bash)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    code, said, _ = step(0)
    assert code == 4
    assert "::error title=Hoyle::No Python 3.11 or later was found" in said


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ({"command": f"{sys.executable} {ADAPTER} 'x"}, "command: a quotation mark is not closed on its line."),
        ({"rulesets": "bezique-hoyle\n'x\ny'"}, "rulesets: a quotation mark is not closed on its line."),
        ({"args": "last-tricks -- true"}, "args: remove '--'"),
        ({"record": "hoyle.jsonl\nexit=0"}, "record: use a file name on one line"),
        ({"sandbox": "yes"}, "sandbox: use 'true' or 'false'."),
    ],
)
def test_an_input_that_cannot_be_meant_is_told_and_nothing_is_checked(
    step: Step, tmp_path: Path, inputs: dict[str, str], says: str
) -> None:
    code, said, outputs = step(**{"command": f"{sys.executable} {ADAPTER}", **inputs})
    assert (code, outputs) == (4, {})
    assert f"::error title=Hoyle::{says}" in said
    assert not list(tmp_path.glob("*.jsonl*"))


def test_an_older_record_is_none_of_a_run_that_measured_nothing(step: Step, tmp_path: Path) -> None:
    (tmp_path / "hoyle.jsonl").write_bytes((ROOT / "tests" / "records" / "right.jsonl").read_bytes())
    (tmp_path / "runner" / "hoyle" / "bin" / "hoyle").write_text("#!/bin/sh\nexit 0\n", "utf-8")
    found, said, outputs = step(command="no-such-program")
    assert (found, outputs["exit"], outputs["passed"], outputs["failed"]) == (3, "3", "", "")
    assert "hoyle check ended with exit code 0 and ran no checks" in said
