"""The project as it was at an older commit, unpacked from its own history."""

import os
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: The interpreter with which the present one is compared: twelve rulesets existed then.
BEFORE = "4874da4748d6687832eb867afb1e47d73bd33ab3"


def unpack(commit: str, folder: Path) -> bool:
    """Unpack the project at a commit into a folder; return whether the history has that commit."""
    packed = subprocess.run(["git", "-C", ROOT, "archive", commit], capture_output=True, check=False)
    if packed.returncode:
        return False
    with tarfile.open(fileobj=BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return True


def imports_of(*folders: Path) -> dict[str, str]:
    """Return an environment in which Python imports from these folders first, and hashes alike in every process."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders)), "PYTHONHASHSEED": "0"}


def paths(project: Path) -> tuple[Path, Path]:
    """Return the folders from which Python imports a project."""
    return project / "reference_impl", project / "conformance"


def rulesets(project: Path) -> list[str]:
    """Return the rulesets of a project, without their options."""
    return sorted(path.name.partition(".")[0] for path in (project / "spec/rulesets").iterdir())


def a_day_before() -> str:
    """Return the last commit that is at least a day older than the newest, or the one before it in a short history;
    empty if there is neither."""
    newest = _git("log", "-1", "--format=%ct")
    if not newest:
        return ""
    day_before = f"--before={int(newest) - 24 * 60 * 60}"
    return _git("rev-list", "-1", day_before, "HEAD") or _git("rev-parse", "-q", "--verify", "HEAD~1")


def _git(*words: str) -> str:
    return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False).stdout.strip()
