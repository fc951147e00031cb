"""Installing Hoyle: from the lists with old pips beside an index of newer versions, from its folder, and from a wheel.

These tests fetch packages, so the gate runs them and 'make test' does not: ``python -m pytest tests/setup``.
"""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = sorted(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"])
#: The pip that the first release of each Python brings, with the digest of its wheel.
FIRST_PIPS = {
    (3, 11): ("22.3", "1daab4b8d3b97d1d763caeb01a4640a2250a0ea899e257b1e44b9eded91e15ab"),
    (3, 12): ("23.2.1", "7ccf472345f20d35bdc9d1841ff5f313260c2c33fe417f48c30ac46cccabf5be"),
    (3, 13): ("24.2", "2cd581cf58ab7fcfca4ce8efa6dcacd0de5bf8d0a3eb9ec927e07405f4d9e2a2"),
    (3, 14): ("25.2", "6d67a2b4e7f14d8b31b8b52648866fa717f45a1eb70e83002f4331d07e953717"),
}
#: A version that no package has reached.
NEWER = "99999"
#: Python brings these, and Hoyle itself is no package of the lists.
NOT_LISTED = {"pip", "setuptools", "hoyle-conformance"}
#: Seconds after which an installation is held to hang.
HANGS = 900
#: Prints, as JSON, what is installed and what the lists named on the command line ask of this Python and system.
REPORT = """
import json, pathlib, re, sys
from importlib.metadata import distributions
from packaging.markers import Marker
from packaging.utils import canonicalize_name as name_of
installed = {name_of(each.metadata["Name"]): each.version for each in distributions()}
listed = {}
for path in sys.argv[1:]:
    text = pathlib.Path(path).read_text("utf-8")
    for name, version, marker in re.findall(r"^([a-z0-9.-]+)(?:\\[[^]]*\\])?==([^ ;]+)(?: ; (.+?))? \\\\$", text, re.M):
        if not marker or Marker(marker).evaluate():
            listed[name_of(name)] = version
print(json.dumps({"installed": installed, "listed": listed}))
"""


def _pythons() -> dict[tuple[int, int], str]:
    """A command for each minor version of Python, 3.11 or later, that is on the PATH or kept by pyenv."""
    found = {sys.version_info[:2]: sys.executable}
    for folder in map(Path, os.get_exec_path()):
        places = [folder, *(folder.parent.glob("versions/*/bin") if folder.name == "shims" else [])]
        for place in places:
            for minor in range(11, 20):
                command = shutil.which(f"python3.{minor}", path=str(place))
                if command and (3, minor) not in found and _starts(command):
                    found[3, minor] = command
    return dict(sorted(found.items()))


def _starts(command: str) -> bool:
    done = subprocess.run([command, "-c", "import ensurepip"], capture_output=True, timeout=60, check=False)
    return done.returncode == 0


PYTHONS = _pythons()
OLDEST, NEWEST = PYTHONS[min(PYTHONS)], PYTHONS[max(PYTHONS)]


def run(*words: object, cwd: Path, **environment: str) -> str:
    """The output of a command, which must succeed; nothing of this process's environment for Python reaches it."""
    env = {name: value for name, value in os.environ.items() if not re.match("PYTHON|VIRTUAL_ENV|MAKE|COV_", name)}
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=env | environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=HANGS,
        check=False,
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}"
    return done.stdout


@pytest.fixture(scope="session")
def caches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Empty caches and an empty home, shared by all installations here."""
    room = tmp_path_factory.mktemp("caches")
    return {"HOME": str(room), "UV_CACHE_DIR": str(room / "uv"), "PIP_CACHE_DIR": str(room / "pip")}


@pytest.fixture(scope="session")
def newer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an empty wheel of a version that does not exist for every package on the lists."""
    folder = tmp_path_factory.mktemp("newer")
    packages = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    for name in {each["name"] for each in packages} - NOT_LISTED:
        _empty_wheel(folder, name.replace("-", "_").replace(".", "_"), name)
    return folder


def _empty_wheel(folder: Path, stem: str, name: str) -> None:
    about = f"{stem}-{NEWER}.dist-info"
    extras = "Provides-Extra: toml\nProvides-Extra: mypyc\n"
    files = {
        f"{about}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {NEWER}\n{extras}",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: none\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = [f"{path},sha256={_digest(text)},{len(text)}" for path, text in files.items()]
    files[f"{about}/RECORD"] = "\n".join([*record, f"{about}/RECORD,,\n"])
    with zipfile.ZipFile(folder / f"{stem}-{NEWER}-py3-none-any.whl", "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the files that git tracks, as a fresh clone has them."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        source, copy = ROOT / name, tmp_path / "hoyle" / name
        if source.is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
    (tmp_path / "hoyle/.ci/run").chmod(0o755)
    return tmp_path / "hoyle"


@pytest.mark.parametrize(
    ("version", "installer"), [*((version, "uv") for version in FIRST_PIPS), (min(FIRST_PIPS), "pip")], ids=str
)
def test_old_pip_installs_exactly_the_listed_versions(
    version: tuple[int, int], installer: str, project: Path, newer: Path, caches: dict[str, str]
) -> None:
    """The pip of each first release, on that Python where it is to be had and else on this one."""
    pip, digest = FIRST_PIPS[version]
    run(PYTHONS.get(version, sys.executable), "-m", "venv", ".venv", cwd=project, **caches)
    python = project / ".venv/bin/python"
    (project / "pip.txt").write_text(f"pip=={pip} --hash=sha256:{digest}\n", "utf-8")
    run(python, "-m", "pip", "install", "--require-hashes", "-r", "pip.txt", cwd=project, **caches)
    extras = EXTRAS if installer == "uv" else ["test"]  # pip takes ten times as long
    goals = [f".venv/ready-{name}" for name in extras]
    offered = {"PIP_FIND_LINKS": str(newer), "UV_FIND_LINKS": str(newer)}
    run("make", f"INSTALLER={installer}", ".venv/ready", *goals, cwd=project, **caches, **offered)
    lists = ["uv.txt", *(f".venv/{name}.txt" for name in ("run", *extras))]
    report = json.loads(run(python, "-c", REPORT, *lists, cwd=project))
    installed = {name: each for name, each in report["installed"].items() if name not in NOT_LISTED}
    assert report["installed"]["pip"] == pip
    assert len(report["listed"]) > len(lists)
    assert installed == {name: each for name, each in report["listed"].items() if name not in NOT_LISTED}


def _files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize(
    "python", list(dict.fromkeys([OLDEST, NEWEST])), ids=lambda each: f"python{list(PYTHONS.values()).index(each)}"
)
def test_folder_and_wheel_install_with_pip_alone(python: str, project: Path, caches: dict[str, str]) -> None:
    """'pip install .' builds in place and leaves nothing behind; the wheel works offline, from another folder."""
    before = _files(project)
    room = project.parent
    run(python, "-m", "venv", "one", cwd=room, **caches)
    said = run("one/bin/python", "-m", "pip", "install", "-v", "./hoyle", cwd=room, **caches)
    assert "ompiling the suite" in said
    assert _files(project) == before
    assert "passed, 0 failed" in run("one/bin/hoyle", "check", "-s", "cut", cwd=room, **caches)
    run(python, "-m", "venv", "other", cwd=room, **caches)
    run("one/bin/python", "-m", "pip", "wheel", "--no-deps", "--wheel-dir", "wheels", "./hoyle", cwd=room, **caches)
    assert _files(project) == before
    (wheel,) = (room / "wheels").glob("hoyle_conformance-*.whl")
    run("other/bin/python", "-m", "pip", "install", wheel, cwd=room, **caches)
    kept = room / "kept"
    alone = ["unshare", "--net"] if shutil.which("unshare") and os.geteuid() == 0 else []
    said = run(*alone, "other/bin/hoyle", "check", cwd=room, **caches, HOYLE_CACHE_DIR=str(kept))
    assert " passed, 0 failed, 0 skipped" in said
    assert not kept.exists()  # the wheel brings the compiled suite
