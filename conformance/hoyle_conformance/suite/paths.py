"""The spec folder: its files, their names, and their printed paths."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid
from hoyle_conformance.files.read import files_below, read_text

#: The folders of a spec, the extension of their files, and the schema for them.
KINDS: Final = (("sources", "source"), ("rulesets", "ruleset"), ("scenarios", "scenario"), ("census", "census"))
#: The file that holds every id ever published.
LOCK: Final = "ids.lock"
#: The file with the rulesets that inherit outcomes.
AT_WORK: Final = "at-work.jsonl"
#: The file with the version of the suite.
VERSION: Final = "VERSION"
#: The extension of a scenario's file.
SCENARIO_FILE: Final = ".scenario.yaml"
_LONGEST_VERSION: Final = 40  # characters
_YAML: Final = frozenset({".yaml", ".yml"})
#: The installed package.
_HERE: Final = Path(__file__).resolve().parents[1]


def files(root: Path, kind: str) -> Iterator[Path]:
    """Return all files of a kind in a spec folder, sorted by path; raises Invalid if a folder cannot be read."""
    folder = next(folder for folder, each in KINDS if each == kind)
    return (path for path in _below(root, folder) if path.name.endswith(f".{kind}.yaml"))


def strays(root: Path) -> Iterator[Path]:
    """Yield the YAML files in the folders of a spec that are of no known kind, and links to folders, since neither
    would be read. Raises Invalid if a folder cannot be read."""
    for folder, kind in KINDS:
        for path in _below(root, folder):
            if not path.name.endswith(f".{kind}.yaml") and (path.suffix in _YAML or path.is_dir()):
                yield path


def _below(root: Path, folder: str) -> Iterator[Path]:
    return files_below(root / folder, shown(root, root / folder), within=tree(root))


def tree(root: Path) -> Path | None:
    """Return the folder that no link in a spec may leave. Return None for the installed spec, because an installer may
    keep its files elsewhere and link to them."""
    return None if is_installed(root) else root


def is_installed(root: Path) -> bool:
    """Return whether a spec belongs to an installation of Hoyle rather than a checkout."""
    return root == _HERE / "spec"


def kind_of(path: Path) -> str | None:
    """Return the kind of a file from the extension of its path; None if it is of no known kind."""
    return next((kind for _, kind in KINDS if path.name.endswith(f".{kind}.yaml")), None)


def shown(root: Path, path: Path) -> str:
    """Return the printed path of a file of a spec, relative to the folder that contains the spec."""
    return path.relative_to(root.parent).as_posix() if path.is_relative_to(root.parent) else path.as_posix()


def read_version(root: Path) -> str:
    """Return the version of a spec; raises Invalid if its file is not a single short line."""
    file = shown(root, root / VERSION)
    version = read_text(root / VERSION, file, within=tree(root)).strip()
    if not version or len(version) > _LONGEST_VERSION or "\n" in version:
        message = f"this is not a version of {_LONGEST_VERSION} characters or less on one line"
        raise Invalid([Diagnostic(file, 1, 1, "version", message, "Write one, such as 1.2.0.")])
    return version


def read_lock(root: Path) -> str:
    """Return the text of a spec's ids.lock; empty if there is none. Raises Invalid if it cannot be read."""
    file = shown(root, root / LOCK)
    if not os.path.lexists(root / LOCK):
        return ""
    return read_text(root / LOCK, file, within=tree(root))


def find_spec() -> Path:
    """Return the spec folder: inside the installed package, or next to the package in a checkout."""
    for folder in (_HERE / "spec", _HERE.parents[1] / "spec"):
        if (folder / VERSION).is_file():
            return folder
    raise FileNotFoundError("the spec folder is missing from this installation: install hoyle again")
