"""`--sandbox`: an adapter runs in a sandbox, or not at all; the record and every report say so."""

import json
import os
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import ROOT, Done, need_sandbox
from hoyle_conformance.protocol import sandbox
from hoyle_conformance.runner.results import Exit

Hoyle = Callable[..., Done]
ADAPTER = [sys.executable, str(ROOT / "conformance/adapters/python/tricks.py")]
#: Commands that start an adapter, each with as little work as there is.
COMMANDS = [
    ["check", "-s", "tricks.trump-beats-ace"],
    ["identify", "-r", "bezique-hoyle"],
    ["fuzz", "--games", "1", "-r", "bezique-hoyle"],
    ["doctor"],
]


@pytest.mark.posix
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_where_there_is_no_sandbox_the_adapter_is_not_started(
    hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setattr(sandbox, "problem", lambda: "use another system")
    started = tmp_path / "started"
    done = hoyle(*words, "--sandbox", "sh", "-c", f"touch {started}")
    assert done.returncode == Exit.ADAPTER_BROKE
    assert not started.exists()
    says = "exit 2: this system has no sandbox, so the adapter was not started; use another system.\n"
    assert done.stderr.endswith(says)


@pytest.mark.slow
@pytest.mark.posix
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_commands_that_start_an_adapter_start_it_in_a_sandbox(hoyle: Hoyle, tmp_path: Path, words: list[str]) -> None:
    need_sandbox()
    outside = tmp_path / "outside"
    hoyle(*words, "sh", "-c", f"touch {outside}", cwd=tmp_path)
    assert outside.exists()
    outside.unlink()
    hoyle(*words, "--sandbox", "sh", "-c", f"touch {outside}", cwd=tmp_path)
    assert not outside.exists()


@pytest.mark.slow
def test_the_record_and_the_reports_name_it(hoyle: Hoyle, tmp_path: Path) -> None:
    need_sandbox()
    record, page = tmp_path / "run.jsonl", tmp_path / "run.html"
    words = ["-s", "tricks", "--jobs", "2", "--html", str(page)]
    done = hoyle("check", *words, "--sandbox", "--record", str(record), *ADAPTER)
    assert done.returncode == 0, done
    assert "Sandbox: bubblewrap\n" in done.stdout
    assert "Sandbox: bubblewrap" in hoyle("report", str(record), "--markdown", "-").stdout
    assert "bubblewrap" in page.read_text("utf-8")
    assert "Sandbox: bubblewrap\n" in hoyle("report", str(record)).stdout
    header = json.loads(record.read_text("utf-8").splitlines()[0])
    assert header["sandbox"] == {"means": "bubblewrap"}
    shown = json.loads(hoyle("report", str(record), "--json").stdout)
    assert shown["records"][0]["sandbox"] == header["sandbox"]


def test_a_sandbox_needs_an_adapter(hoyle: Hoyle) -> None:
    done = hoyle("check", "--sandbox", "-s", "tricks")
    assert done.returncode == Exit.USAGE
    assert "A sandbox needs an adapter: give the COMMAND that starts it." in done.stderr


def test_a_configuration_asks_for_it(hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "problem", lambda: "use another system")
    (tmp_path / "hoyle.toml").write_text(f"command = {json.dumps(ADAPTER)}\nsandbox = true\n", "utf-8")
    done = hoyle("check", "-s", "tricks.trump-beats-ace", cwd=tmp_path)
    assert done.returncode == Exit.ADAPTER_BROKE, done
    assert "use another system" in done.stderr


@pytest.mark.posix
def test_the_container_shown_is_started(hoyle: Hoyle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a program of its name, which starts an adapter in place of the image."""
    build, check = re.findall(
        r"^(docker .*|hoyle check docker .*)$", (ROOT / "docs/check.md").read_text("utf-8"), re.MULTILINE
    )
    *_options, image = shlex.split(check)
    assert shlex.split(build) == ["docker", "build", "--tag", image, "."]
    docker, called = tmp_path / "docker", tmp_path / "called"
    docker.write_text(f'#!/bin/sh\necho "$*" > {called}\nexec {shlex.join(ADAPTER)}\n', "utf-8")
    docker.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    words = shlex.split(check)[2:]
    assert hoyle("check", "-s", "tricks.trump-beats-ace", *words).returncode == 0
    called_with = "run --rm -i --network none --read-only --memory 1g --pids-limit 256 --cap-drop ALL my-engine\n"
    assert called.read_text("utf-8") == called_with
