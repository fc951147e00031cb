"""What is installed is what is written down, and what is built is the same wherever it is built."""

import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from conftest import HANGS, ROOT, need
from hoyle_conformance.checks.cache import store
from licences import has_licence

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
GROUPS = PROJECT["dependency-groups"]
TREE = ROOT / "conformance/hoyle_conformance"
LOCK = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]


def test_every_package_stands_with_its_digests_and_comes_from_the_public_index() -> None:
    (own,) = [each for each in LOCK if "registry" not in each["source"]]
    assert (own["name"], own["source"]) == (PROJECT["project"]["name"], {"editable": "."})
    for each in LOCK:
        files = [*each.get("wheels", ()), *([each["sdist"]] if "sdist" in each else [])]
        assert each is own or (files and each["source"] == {"registry": "https://pypi.org/simple"}), each["name"]
        for file in files:
            assert file["url"].startswith("https://files.pythonhosted.org/")
            assert re.fullmatch("sha256:[0-9a-f]{64}", file["hash"])


def test_what_is_locked_is_what_is_asked_for() -> None:
    versions: dict[str, list[str]] = {}
    for each in LOCK:
        versions.setdefault(each["name"], []).append(each.get("version", ""))
    wanted = [*PROJECT["build-system"]["requires"], *PROJECT["project"]["dependencies"]]
    wanted += [each for some in (*EXTRAS.values(), *GROUPS.values()) for each in some]
    for requirement in map(Requirement, wanted):
        locked = versions[canonicalize_name(requirement.name)]
        assert all(requirement.specifier.contains(version) for version in locked), requirement
    assert set(PROJECT["build-system"]["requires"]) < set(GROUPS["build"])


def test_the_list_of_uv_is_that_of_the_lock() -> None:
    text = (ROOT / "uv.txt").read_text("utf-8")
    (uv,) = [each for each in LOCK if each["name"] == "uv"]
    assert re.findall(r"^(\S+)", text, re.MULTILINE) == [f"uv=={uv['version']}"]
    assert sorted(re.findall(r"sha256:\w+", text)) == sorted(each["hash"] for each in (*uv["wheels"], uv["sdist"]))


def test_make_installs_nothing_but_by_its_digest() -> None:
    """Without dependencies, too: an old pip would take the newest version of a package asked for with an extra."""
    text = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(r"^INSTALL := .*--no-deps$", text, re.MULTILINE)
    assert re.search(r"^PINNED := \$\(INSTALL\) --require-hashes", text, re.MULTILINE)
    installing = re.findall(
        r"^\t.*(?:pip|(?:PIP|INSTALL|PINNED)\)) .*(?:install | -r |--editable).*", text, re.MULTILINE
    )
    assert len(installing) >= 4
    for line in installing:
        if ".venv-$@" not in line:  # 'make oldest' and 'make newest' try other versions
            assert re.search(r"--no-deps --require-hashes|PINNED\)|INSTALL\) --no-build-isolation", line), line


@pytest.mark.parametrize("file", ["action.yml", ".github/workflows/ci.yml"])
def test_workflows_install_nothing_but_by_its_digest(file: str) -> None:
    text = (ROOT / file).read_text("utf-8")
    installing = [
        line for line in text.splitlines() if "pip" in line and " install " in line and "HOYLE_FROM" not in line
    ]
    assert len(installing) == 3
    assert all("--no-deps --require-hashes --only-binary :all: -r" in line for line in installing[:2])
    assert "--no-deps --no-build-isolation" in installing[2]
    assert "pip check" in text


def small(to: Path, *, later: bool) -> Path:
    """A copy of the project with few scenarios; made later, with other times and rights."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    left_out = re.compile(
        r"spec/(preludes|census)/|spec/scenarios/(?!cut/)|tests/|docs/(?!assets/|glossary)|spec/(ids.lock|at-work)"
    )
    for name in sorted(filter(None, names.split("\0")), reverse=later):
        if not left_out.match(name) and (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, to / name)
            if later:
                (to / name).chmod(0o600)
                os.utime(to / name, (2_000_000_000, 2_000_000_000))
    lock = (ROOT / "spec/ids.lock").read_text("utf-8")
    (to / "spec/ids.lock").write_text(re.sub(r"^scenario (?!cut\.).*\n", "", lock, flags=re.MULTILINE), "utf-8")
    at_work = (ROOT / "spec/at-work.jsonl").read_text("utf-8")
    kept = re.sub(r'^{"scenario": "(?!cut\.).*\n', "", at_work, flags=re.MULTILINE)
    (to / "spec/at-work.jsonl").write_text(kept, "utf-8")
    return to


@pytest.mark.slow
@pytest.mark.posix
def test_a_wheel_is_the_same_wherever_and_whenever_it_is_built(tmp_path: Path) -> None:
    """In other folders, at other times, in other languages; and every file in it has a licence."""
    need(importlib.util.find_spec("hatchling"), "hatchling (make check)")
    wheels = []
    for place, later in (("one", False), ("another/folder", True)):
        project = small(tmp_path / place, later=later)
        environment = {
            key: value for key, value in os.environ.items() if key not in {"SOURCE_DATE_EPOCH", "PYTHONPATH"}
        }
        environment |= {"PYTHONHASHSEED": "7", "LC_ALL": "C", "TZ": "Asia/Tokyo"} if later else {"PYTHONHASHSEED": "1"}
        command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
        done = subprocess.run(
            command, cwd=project, env=environment, umask=0o077 if later else 0o022, capture_output=True, text=True,
            timeout=HANGS, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        wheels.append(next((project / "dist").glob("*.whl")))
    with zipfile.ZipFile(wheels[0]) as one, zipfile.ZipFile(wheels[1]) as other:
        assert one.namelist() == other.namelist()
        assert [name for name in one.namelist() if one.read(name) != other.read(name)] == []
        assert [name for name in one.namelist() if not has_licence(name, "The wheel")] == []
        assert f"hoyle_conformance/checks/cache/ready/{store.FILE}" in one.namelist()
        assets = {f"hoyle_conformance/web/server/assets/{path.name}" for path in (ROOT / "docs/assets").iterdir()}
        assert {name for name in one.namelist() if "/assets/" in name} == assets
        assert "hoyle_conformance/tools/ask/glossary.md" in one.namelist()
        templates = {path.relative_to(ROOT / "conformance").as_posix() for path in TREE.rglob("*.jinja")}
        assert templates <= {*one.namelist()}
        assert {"hoyle/__init__.py", "hoyle/__main__.py", "hoyle/py.typed"} <= {*one.namelist()}
    digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in wheels}
    assert len(digests) == 1


#: A command that installs or runs a package, up to the name of ours.
INSTALLS = re.compile(r"(?:pipx (?:run|install)|uvx|uv tool (?:run|install)|(?:uv )?pip install)\b[^`\n]*")
#: Hoyle with its place before it: a folder, a file, or an address; or as the command of a package whose place was said.
PLACED = re.compile(
    r"(?<=\./)hoyle|git\+\S+/hoyle@\S+|(?<=--spec \./hoyle )hoyle|(?<=--from \./hoyle )hoyle|hoyle-[\d.]+\S*\.whl"
)


@pytest.mark.whole
def test_nobody_is_told_to_install_a_package_that_is_not_ours() -> None:
    """Hoyle is not published yet: whoever takes its name in the package index could run code on a reader's machine."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    told = []
    for name in filter(None, names.split("\0")):
        path = ROOT / name
        if path.suffix not in {".md", ".py", ".yml", ".yaml", ".html", ".jinja", ".toml"} or not path.is_file():
            continue
        if name.startswith(("tests/", "docs/decisions/")):
            continue
        for line in INSTALLS.findall(path.read_text("utf-8")):
            told += [(name, line)] if re.search(r"\bhoyle\b", PLACED.sub("", line.split("  ")[0])) else []
    assert told == []


#: Does what pip has Hatchling do, and says whether imports work as before.
BUILDING = """
import sys
import hatchling.build

before = [*sys.path], sys.dont_write_bytecode
hatchling.build.get_requires_for_build_wheel()
hatchling.build.build_wheel(sys.argv[1])
print(before == ([*sys.path], sys.dont_write_bytecode))
"""


@pytest.mark.slow
@pytest.mark.posix
def test_building_writes_nothing_into_the_source_tree(tmp_path: Path) -> None:
    """A wheel, for which the suite is compiled."""
    need(importlib.util.find_spec("hatchling"), "hatchling (make check)")
    project, to = small(tmp_path / "project", later=False), tmp_path / "dist"
    before = {path.relative_to(project): path.stat().st_mtime_ns for path in project.rglob("*")}
    python = {"PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX", "PYTHONPATH"}
    environment = {key: value for key, value in os.environ.items() if key not in python}
    done = subprocess.run(
        [sys.executable, "-c", BUILDING, str(to)],
        cwd=project, env=environment, capture_output=True, text=True, timeout=HANGS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert {path.relative_to(project): path.stat().st_mtime_ns for path in project.rglob("*")} == before
    assert done.stdout.splitlines()[-1] == "True"
    assert re.findall("Compiling the suite: about .*", done.stderr) == ["Compiling the suite: about 15 seconds."]
    assert len(list(to.iterdir())) == 1
