"""The commit-msg hook accepts a subject of the form that CONTRIBUTING describes, and refuses any other."""

import subprocess
from pathlib import Path

import pytest

from conftest import ROOT

pytestmark = pytest.mark.posix

HOOK = ROOT / ".githooks/commit-msg"


def run(message: str, folder: Path) -> subprocess.CompletedProcess[str]:
    file = folder / "message"
    file.write_text(message, "utf-8")
    return subprocess.run(["sh", str(HOOK), str(file)], check=False, capture_output=True, text=True)


@pytest.mark.parametrize(
    "message",
    [
        "runner: charge a late crash to the request that caused it\n\nIt was charged to the next check.\n",
        "what-if: show the scenarios that change\n# Please enter the commit message",
        f"docs: {'x' * 66}",
        "Merge branch 'main' into fix",
    ],
)
def test_a_good_message_passes(message: str, tmp_path: Path) -> None:
    assert run(message, tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("describe baselines", 'not "area: imperative"'),
        ("docs: describe baselines.", "full stop"),
        (f"docs: {'x' * 67}", "longer than 72 characters"),
        ("docs: describe baselines\nwith statuses", "not empty"),
    ],
)
def test_another_message_is_refused_with_the_reason(message: str, reason: str, tmp_path: Path) -> None:
    done = run(message, tmp_path)
    assert done.returncode == 1
    assert reason in done.stderr
    assert "CONTRIBUTING.md" in done.stderr
