"""Writes the software bill of materials of a wheel: what is installed with it, in CycloneDX's JSON.

``make wheel`` runs it. The versions and digests are those of uv.lock, with which Hoyle is tested; licences
and dependencies are those that the installed packages name. The same wheel has the same bill.
"""

import hashlib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
#: The schema of the bill. The version of CycloneDX stands in its name.
SPEC = "1.6"
SCHEMA = f"http://cyclonedx.org/schema/bom-{SPEC}.schema.json"
_PIN = re.compile(r"^([a-z0-9.-]+)==([^ ;\\]+)(?: ; ([^\\]+?))? \\$", re.MULTILINE)
_DIGEST = re.compile(r"--hash=sha256:([0-9a-f]{64})")
_LICENCE = "License :: OSI Approved :: "

Json = dict[str, Any]


class Package(NamedTuple):
    """A package of the list: its version, the digests of its files, and the systems that need it, if not all do."""

    name: str
    version: str
    digests: tuple[str, ...]
    marker: str = ""

    @property
    def purl(self) -> str:
        """The address of the package, in the form of a package URL."""
        return f"pkg:pypi/{self.name}@{self.version}"


def main(wheels: Sequence[str]) -> None:
    """Write the bill of each wheel beside it."""
    for wheel in map(Path, wheels):
        path = bill_path(wheel)
        path.write_text(f"{json.dumps(bill(wheel), indent=2, ensure_ascii=False)}\n", "utf-8")
        print(f"Wrote {path.name}.")


def bill_path(wheel: Path) -> Path:
    """Return the path of a wheel's bill."""
    return wheel.with_suffix(".cdx.json")


def listed_packages() -> str:
    """Return the list of the packages that are installed with Hoyle."""
    export = ["uv", "--quiet", "export", "--frozen", "--no-emit-project", "--no-header", "--no-annotate"]
    command = [sys.executable, "-m", *export, "--no-default-groups", "--project", ROOT]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def packages(text: str) -> list[Package]:
    """Return the packages of a list."""
    places = [*_PIN.finditer(text)]
    ends = [*(each.start() for each in places[1:]), len(text)]
    return [
        Package(found[1], found[2], tuple(_DIGEST.findall(text[found.end() : end])), found[3] or "")
        for found, end in zip(places, ends, strict=True)
    ]


def bill(wheel: Path) -> Json:
    """Return the bill of a wheel."""
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    listed = {each.name: each for each in packages(listed_packages())}
    return {
        "$schema": SCHEMA,
        "bomFormat": "CycloneDX",
        "specVersion": SPEC,
        "serialNumber": f"urn:uuid:{uuid5(NAMESPACE_URL, digest)}",
        "version": 1,
        "metadata": {
            "lifecycles": [{"phase": "build"}],
            "component": {
                "type": "application",
                "bom-ref": wheel.name,
                "name": PROJECT["name"],
                "version": wheel.name.split("-")[1],
                "description": PROJECT["description"],
                "licenses": [{"expression": PROJECT["license"]}],
                "hashes": [{"alg": "SHA-256", "content": digest}],
            },
        },
        "components": [_component(each) for each in listed.values()],
        "dependencies": [
            {"ref": wheel.name, "dependsOn": _refs(PROJECT["dependencies"], listed)},
            *({"ref": each.purl, "dependsOn": _refs(_needed_by(each), listed)} for each in listed.values()),
        ],
    }


def _component(package: Package) -> Json:
    files = [{"alg": "SHA-256", "content": digest} for digest in package.digests]
    page = f"https://pypi.org/project/{package.name}/{package.version}/"
    only = {"properties": [{"name": "marker", "value": package.marker}]} if package.marker else {}
    return {
        "type": "library",
        "bom-ref": package.purl,
        "name": package.name,
        "version": package.version,
        "scope": "optional" if package.marker else "required",
        "licenses": _licences(package.name),
        "purl": package.purl,
        "externalReferences": [{"type": "distribution", "url": page, "hashes": files}],
        **only,
    }


def _licences(name: str) -> list[Json]:
    """Return the licences that an installed package names: an expression, or names of its own."""
    about = distribution(name).metadata
    if expression := about.get("License-Expression"):
        return [{"expression": expression}]
    named = [each.removeprefix(_LICENCE) for each in about.get_all("Classifier") or () if each.startswith(_LICENCE)]
    return [{"license": {"name": each}} for each in named or [str(about["License"])]]


def _needed_by(package: Package) -> list[str]:
    """Return the requirements of a package on all systems, without those of its extras."""
    return [each for each in distribution(package.name).requires or () if "extra" not in each.partition(";")[2]]


def _refs(requirements: Iterable[str], listed: Mapping[str, Package]) -> list[str]:
    names = (canonicalize_name(Requirement(each).name) for each in requirements)
    return sorted(listed[name].purl for name in names if name in listed)


if __name__ == "__main__":
    main(sys.argv[1:])
