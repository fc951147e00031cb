"""The reader's folder: the drafts of scenarios in it, and a new one written beside them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ..files.diagnostics import Diagnostic, Invalid, shown_path
from ..lint.positions import lint_position
from ..model import Scenario
from ..suite.folder import VERSION
from ..suite.making import scenario_from
from ..suite.reading import read_document
from ..suite.value import Suite

_ENDING: Final = ".scenario.yaml"
_NAME: Final = re.compile(rf"[a-z0-9-]{{1,60}}/[a-z0-9-]{{1,100}}{re.escape(_ENDING)}")
#: So many files are looked at; a folder with more is not one of drafts.
MOST: Final = 2_000


class NotWritten(Exception):
    """A draft that was not written: why, and what to do."""

    def __init__(self, says: str, remedy: str) -> None:
        super().__init__(says)
        self.says, self.remedy = says, remedy


@dataclass(frozen=True, slots=True)
class Drafts:
    """The scenarios in a folder that are none of the suite's, and what is wrong with others there."""

    scenarios: tuple[Scenario, ...]
    faults: tuple[Diagnostic, ...]


def usual_folder() -> Path:
    """Where drafts go if no folder is named: among the scenarios of a clone, or else into ``scenarios`` here."""
    return Path("spec/scenarios") if (Path("spec") / VERSION).is_file() else Path("scenarios")


def stamp(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """What changes when a file of the folder does."""
    return tuple((str(path), each.st_mtime_ns, each.st_size) for path in _files(folder) for each in [path.stat()])


def _files(folder: Path) -> list[Path]:
    """The drafts in a folder and in those right below it, as `hoyle table` writes them."""
    found = [*folder.glob(f"*{_ENDING}"), *folder.glob(f"*/*{_ENDING}")] if folder.is_dir() else []
    return sorted(path for path in found if path.is_file())[:MOST]


def drafts(suite: Suite, folder: Path) -> Drafts:
    """The drafts that a folder holds beside the scenarios of the suite."""
    scenarios, faults = [], list[Diagnostic]()
    for path in _files(folder):
        if path.resolve().is_relative_to((suite.root / "scenarios").resolve()) and _is_of(suite, path):
            continue
        try:
            scenario = scenario_from(read_document(suite.schemas, "scenario", path, shown_path(path), within=folder))
        except Invalid as invalid:
            faults += invalid.diagnostics
            continue
        found = list(_faults(suite, scenario))
        faults += found
        scenarios += [] if found else [scenario]
    return Drafts(tuple(scenarios), tuple(faults))


def _is_of(suite: Suite, path: Path) -> bool:
    """Whether a file is that of a scenario which the suite has."""
    return any(each.document.path == path.resolve() for each in suite.scenarios.values())


def _faults(suite: Suite, scenario: Scenario) -> Iterator[Diagnostic]:
    if scenario.id in suite.scenarios:
        message = f"there is a scenario '{scenario.id}' in the suite"
        yield scenario.document.diagnose(["id"], "id-in-use", message, "Give the draft another id.")
        return
    yield from lint_position(suite, scenario)


def with_drafts(suite: Suite, some: Drafts) -> Suite:
    """The suite with these drafts among its scenarios."""
    if not some.scenarios:
        return suite
    scenarios = {**dict(suite.scenarios), **{each.id: each for each in some.scenarios}}
    other = replace(suite, scenarios=scenarios)
    other.known.digest = suite.known.digest
    return other


def write(folder: Path, name: str, text: str) -> Path:
    """The path of a new file of this name with this text; raises NotWritten, and then nothing is written."""
    if not _NAME.fullmatch(name):
        raise NotWritten(f"'{name}' is no name for a scenario's file", "Use small letters, digits and hyphens.")
    path = folder / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.parent.resolve().is_relative_to(folder.resolve()):
            raise NotWritten(f"{path.parent} leads out of {folder}", "Remove that link, or choose another topic.")
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError as error:
        raise NotWritten(f"{path} is there already", "Choose another name.") from error
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise NotWritten(f"{path} cannot be written: {why}", "Start 'hoyle table' with another --folder.") from error
    return path
