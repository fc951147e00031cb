"""Does everything that a release does, but for publishing it.

``make release-dry-run`` builds the source archive, and the wheel from it; checks both; installs the wheel into a clean
environment, from a list of packages by their digests, and runs the main job there; writes the bill of materials; and
builds the site of the version. The files are in build/release. With --final, the version must be ready to be published.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import yaml
from packaging.metadata import Metadata

import sbom

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "build/release"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


class NotReady(Exception):
    """The release cannot be made as the files are."""


def main(words: list[str] | None = None) -> int:
    """Make everything, and print what was made; return 1 if anything is not ready."""
    parser = argparse.ArgumentParser(description="Do everything that a release does, but for publishing it.")
    parser.add_argument("--final", action="store_true", help="Fail unless the version is ready to be published.")
    parser.add_argument("--site", type=Path, help="Use this site, which was built from the same files.")
    options = parser.parse_args(words)
    try:
        if options.final:
            check_final()
        source, wheel = build()
        check_files(source, wheel)
        sbom.main([str(wheel)])
        run_in_a_clean_environment(wheel)
        version = version_of(wheel)
        _run(sys.executable, ROOT / "conformance/spec_json.py", OUT / "spec-json")
        site_of(version, options.site)
    except NotReady as not_ready:
        print(not_ready, file=sys.stderr)
        return 1
    print(f"Everything for version {version} is in {OUT.relative_to(ROOT)}.")
    return 0


def check_final() -> None:
    """Raise NotReady unless the version can be published."""
    if missing := [*not_final()]:
        raise NotReady("\n".join(missing))


def not_final() -> Iterator[str]:
    """Yield what is missing before the version can be published."""
    version = version_in_the_code()
    if not re.search(rf"^## {re.escape(version)}\b", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE):
        yield f"CHANGELOG.md: there is no heading '## {version}'."
    if str(yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))["version"]) != version:
        yield f"CITATION.cff: the version is not {version}."


def version_in_the_code() -> str:
    """Return the version that the code says it is."""
    text = (ROOT / "conformance/hoyle_conformance/__init__.py").read_text("utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    assert found
    return found[1]


def version_of(wheel: Path) -> str:
    """Return the version in the name of a wheel."""
    return wheel.name.split("-")[1]


def build() -> tuple[Path, Path]:
    """Build the source archive, and the wheel from it, and return both; raise NotReady if there is not one of each."""
    shutil.rmtree(OUT, ignore_errors=True)
    _run(sys.executable, "-m", "build", "--no-isolation", "--outdir", OUT, ROOT)
    sources, wheels = ([*OUT.glob(pattern)] for pattern in ("*.tar.gz", "*.whl"))
    if (len(sources), len(wheels)) != (1, 1):
        raise NotReady("The build did not make one source archive and one wheel.")
    return sources[0], wheels[0]


def check_files(source: Path, wheel: Path) -> None:
    """Raise NotReady unless both files have sound metadata, the same, and the version of the code."""
    with zipfile.ZipFile(wheel) as files:
        (name,) = (each for each in files.namelist() if each.endswith(".dist-info/METADATA"))
        of_wheel = files.read(name)
    with tarfile.open(source) as archive:
        found = archive.extractfile(f"{source.name.removesuffix('.tar.gz')}/PKG-INFO")
        assert found
        of_source = found.read()
    if of_wheel != of_source:
        raise NotReady("The metadata of the wheel differ from those of the source archive.")
    about = Metadata.from_email(of_wheel, validate=True)
    if str(about.version) != version_in_the_code():
        raise NotReady(f"The wheel has version {about.version}, and the code {version_in_the_code()}.")
    if not about.description or about.description_content_type != "text/markdown":
        raise NotReady("The package index would show no description.")


def run_in_a_clean_environment(wheel: Path) -> None:
    """Install the wheel, and the packages of the list, into a new environment, and run its main job in an empty
    folder."""
    room = OUT.parent / "clean"
    shutil.rmtree(room, ignore_errors=True)
    _run(sys.executable, "-m", "venv", room)
    python = room / "bin/python"
    listed = OUT.parent / "run.txt"
    listed.write_text(sbom.listed_packages(), "utf-8")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    _run(*install, "--require-hashes", "--only-binary", ":all:", "-r", listed)
    _run(*install, wheel)
    empty = room / "empty"
    empty.mkdir()
    _run(python, "-I", "-m", "hoyle_conformance", "check", cwd=empty)
    shutil.rmtree(room)


def site_of(version: str, built: Path | None) -> None:
    """Put the site into the folder of a version, built for its address there unless it is `built` already."""
    site = OUT / "site" / version
    if built:
        shutil.copytree(built, site)
        return
    address = os.environ.get("HOYLE_SITE_URL", "").rstrip("/")
    more = {"HOYLE_SITE_URL": f"{address}/{version}/"} if address else {}
    _run(sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", site, **more)


def _run(*words: object, cwd: Path = ROOT, **environment: str) -> None:
    """Run a command; raise NotReady if it fails."""
    env = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "HOYLE_GATE"}}
    done = subprocess.run([*map(str, words)], cwd=cwd, env=env | environment, check=False)
    if done.returncode:
        raise NotReady(f"This command failed, with exit code {done.returncode}: {' '.join(map(str, words))}")


if __name__ == "__main__":
    sys.exit(main())
