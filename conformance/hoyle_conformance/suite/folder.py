"""The folder of a spec: where its files lie, by what names they are known, and how their paths are printed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

#: The folders of a spec, the ending of their files and the schema for them.
KINDS: Final = (("sources", "source"), ("rulesets", "ruleset"), ("scenarios", "scenario"), ("census", "census"))
#: The file that holds every id ever published.
LOCK: Final = "ids.lock"
#: The file that holds the version of the suite.
VERSION: Final = "VERSION"


def files(root: Path, kind: str) -> Iterator[Path]:
    """All files of a kind in a spec folder, in order of their paths."""
    folder = next(folder for folder, each in KINDS if each == kind)
    yield from sorted((root / folder).rglob(f"*.{kind}.yaml"))


def strays(root: Path) -> Iterator[Path]:
    """YAML files in the folders of a spec that are of no known kind, and so would never be read."""
    for folder, kind in KINDS:
        paths = sorted((root / folder).rglob("*.y*ml"))
        yield from (path for path in paths if not path.name.endswith(f".{kind}.yaml"))


def kind_of(path: Path) -> str | None:
    """What kind of file a path names, by its ending."""
    return next((kind for _, kind in KINDS if path.name.endswith(f".{kind}.yaml")), None)


def shown(root: Path, path: Path) -> str:
    """The path of a file of a spec as it is printed: from the folder that holds the spec."""
    return path.relative_to(root.parent).as_posix() if path.is_relative_to(root.parent) else path.as_posix()


def read_version(root: Path) -> str:
    """The version of a spec."""
    return (root / VERSION).read_text("utf-8").strip()


def read_lock(root: Path) -> str:
    """The text of a spec's ids.lock; nothing where it has none."""
    return (root / LOCK).read_text("utf-8") if (root / LOCK).is_file() else ""


def find_spec() -> Path:
    """The spec folder: inside the installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parents[1]
    for folder in (here / "spec", here.parents[1] / "spec"):
        if (folder / VERSION).is_file():
            return folder
    raise FileNotFoundError("the spec folder is missing from this installation: install hoyle again")
