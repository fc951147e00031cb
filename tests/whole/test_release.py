"""The release: the bill of materials, the workflow that publishes, the dry run, and the files that GitHub reads."""

import importlib.util
import io
import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import ROOT, need
from hoyle_conformance import __version__

sys.path.insert(0, str(ROOT / "release"))

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
RELEASE = yaml.safe_load((ROOT / ".github/workflows/release.yml").read_text("utf-8"))
USED = re.compile(r"[\w-]+/[\w-]+@[0-9a-f]{40}")
PINNED = re.compile(r"^([a-z0-9.-]+)==([^ ;\\]+)", re.MULTILINE)


# ---- the bill of materials


@pytest.fixture(scope="module")
def bill(tmp_path_factory: pytest.TempPathFactory) -> Any:
    import sbom

    wheel = tmp_path_factory.mktemp("dist") / f"hoyle_conformance-{__version__}-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    sbom.main([str(wheel)])
    assert json.loads(sbom.bill_path(wheel).read_text("utf-8")) == sbom.bill(wheel)
    return sbom.bill(wheel)


def faults(bill: Any) -> str:
    """What CycloneDX's own schema finds wrong with a bill."""
    need(importlib.util.find_spec("cyclonedx"), "cyclonedx-python-lib (make test)")
    from cyclonedx.schema import SchemaVersion
    from cyclonedx.validation.json import JsonStrictValidator

    return str(JsonStrictValidator(SchemaVersion.V1_6).validate_str(json.dumps(bill)) or "")


@pytest.mark.slow
def test_bill_of_materials_is_valid(bill: Any) -> None:
    assert faults(bill) == ""


def test_bill_has_every_package_with_its_digests(bill: Any) -> None:
    import sbom

    text = sbom.listed_packages()
    listed = dict(PINNED.findall(text))
    assert {each["name"]: each["version"] for each in bill["components"]} == listed
    digests = [
        digest["content"]
        for each in bill["components"]
        for reference in each["externalReferences"]
        for digest in reference["hashes"]
    ]
    assert sorted(digests) == sorted(re.findall("sha256:([0-9a-f]{64})", text))
    assert all(each["licenses"] for each in bill["components"])
    assert bill["metadata"]["component"]["version"] == __version__


def test_every_package_of_the_bill_is_needed_by_hoyle(bill: Any) -> None:
    needs = {each["ref"]: set(each["dependsOn"]) for each in bill["dependencies"]}
    reached, new = set[str](), {bill["metadata"]["component"]["bom-ref"]}
    while new:
        reached |= new
        new = set().union(*(needs[each] for each in new)) - reached
    assert reached == {*needs}
    assert {each["bom-ref"] for each in bill["components"]} < reached


# ---- the dry run


def archives(folder: Path, of_wheel: str, of_source: str) -> tuple[Path, Path]:
    """A source archive and a wheel with nothing in them but their metadata."""
    source, wheel = folder / "hoyle-1.tar.gz", folder / "hoyle-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as files:
        files.writestr("hoyle-1.dist-info/METADATA", of_wheel)
    with tarfile.open(source, "w:gz") as archive:
        info = tarfile.TarInfo("hoyle-1/PKG-INFO")
        info.size = len(of_source)
        archive.addfile(info, io.BytesIO(of_source.encode()))
    return source, wheel


SOUND = (
    f"Metadata-Version: 2.4\nName: hoyle\nVersion: {__version__}\nDescription-Content-Type: text/markdown\n\n# Hoyle\n"
)


@pytest.mark.parametrize(
    ("of_wheel", "of_source", "why"),
    [
        (SOUND, SOUND, ""),
        (SOUND, SOUND.replace("# Hoyle", "# Other"), "differ"),
        (SOUND.replace(__version__, "99"), SOUND.replace(__version__, "99"), "has version 99"),
        (SOUND.replace("markdown", "plain"), SOUND.replace("markdown", "plain"), "no description"),
    ],
)
def test_files_with_wrong_metadata_are_not_released(tmp_path: Path, of_wheel: str, of_source: str, why: str) -> None:
    import dry_run

    files = archives(tmp_path, of_wheel, of_source)
    if why:
        with pytest.raises(dry_run.NotReady, match=why):
            dry_run.check_files(*files)
    else:
        dry_run.check_files(*files)


def test_version_is_final_only_when_all_files_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import dry_run

    assert len(list(dry_run.not_final())) == 1  # the changelog
    monkeypatch.setattr(dry_run, "version_in_the_code", lambda: "Unreleased")
    assert [each.partition(":")[0] for each in dry_run.not_final()] == ["CITATION.cff"]


# ---- the workflow


def test_release_runs_only_once_it_is_switched_on() -> None:
    assert set(RELEASE[True]) == {"workflow_dispatch"}  # YAML reads `on` as true
    jobs = RELEASE["jobs"]
    assert jobs["build"]["if"] == "vars.RELEASES == 'on' && github.ref == 'refs/heads/main'"
    for name, job in jobs.items():
        assert name == "build" or "build" in job["needs"]


def test_release_publishes_only_what_the_gate_and_the_dry_run_have_passed() -> None:
    runs = [step.get("run") for step in RELEASE["jobs"]["build"]["steps"]]
    assert runs.index(".ci/run") < runs.index("make release-dry-run FINAL=1")
    for name in ("attest", "publish", "tag"):
        steps = RELEASE["jobs"][name]["steps"]
        assert not any("checkout" in step.get("uses", "") for step in steps)
        assert "download-artifact" in steps[0]["uses"]


def test_each_job_of_a_release_has_the_fewest_rights() -> None:
    assert RELEASE["permissions"] == {}
    assert {name: job["permissions"] for name, job in RELEASE["jobs"].items()} == {
        "build": {"contents": "read"},
        "attest": {"attestations": "write", "contents": "read", "id-token": "write"},
        "publish": {"id-token": "write"},
        "tag": {"contents": "write"},
        "site": {"contents": "write"},
    }
    text = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    assert "secrets." not in text
    for job in RELEASE["jobs"].values():
        assert job["timeout-minutes"]
        for step in job["steps"]:
            assert "uses" not in step or USED.fullmatch(step["uses"])
            assert "${{" not in step.get("run", "")


# ---- the repository's address, and other files that GitHub reads


def documents() -> dict[str, str]:
    """The documents and workflows that git tracks, by their paths."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    endings = (".md", ".yml", ".yaml", ".cff")
    ours = [each for each in names.split("\0") if each.endswith(endings) and not each.startswith("tests/")]
    return {name: (ROOT / name).read_text("utf-8") for name in ours if (ROOT / name).is_file()}


@pytest.mark.slow
def test_no_document_names_an_owner() -> None:
    named = {
        found for text in documents().values() for found in re.findall(r"(?:github\.com/|uses: )([\w-]+)/hoyle\b", text)
    }
    assert named == {"OWNER"}
    assert "urls" not in PROJECT


@pytest.mark.parametrize("repository", ["somebody/hoyle", ""])
def test_site_prints_the_repository_or_leaves_it_out(monkeypatch: pytest.MonkeyPatch, repository: str) -> None:
    need(importlib.util.find_spec("mkdocs"), "mkdocs (make test)")
    monkeypatch.syspath_prepend(str(ROOT / "conformance"))
    import mkdocs_hook

    monkeypatch.setattr(mkdocs_hook, "_repository", lambda: repository)
    for name, text in documents().items():
        shown = mkdocs_hook.with_repository(text)
        assert "OWNER" not in shown, name
        assert shown.count("```") % 2 == 0
    shown = mkdocs_hook.with_repository((ROOT / "docs/ci.md").read_text("utf-8"))
    assert ("uses: somebody/hoyle@VERSION" in shown) == bool(repository)
    assert "pip install ./hoyle" in shown


def test_citation_names_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors", "type"} <= set(citation)
    assert citation["version"] == __version__
    assert citation["license"] == PROJECT["license"].split(" AND ")
    assert citation["title"] == f"Hoyle: {PROJECT['description'][0].lower()}{PROJECT['description'][1:]}"
