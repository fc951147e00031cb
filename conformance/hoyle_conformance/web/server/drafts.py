"""Drafts of scenarios in the reader's folder: reading them, and writing a new one beside them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from hoyle_conformance.checks.load import lint_position
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, printable, shown_path, words_of
from hoyle_conformance.files.schemas import Lazily
from hoyle_conformance.files.write import write_whole
from hoyle_conformance.suite.build import scenario_from
from hoyle_conformance.suite.lint.ids import as_if_confirmed
from hoyle_conformance.suite.lint.scenarios import lint_scenario
from hoyle_conformance.suite.load import id_in_use, read_document
from hoyle_conformance.suite.model import Heading, Scenario
from hoyle_conformance.suite.paths import VERSION
from hoyle_conformance.suite.suite import Suite

_ENDING: Final = ".scenario.yaml"
_WORD: Final = "[a-z0-9][a-z0-9-]{0,99}"
_NAME: Final = re.compile(rf"{_WORD}/{_WORD}{re.escape(_ENDING)}")
#: The most files that are read; a folder with more is not one of drafts.
_MOST: Final = 5_000


class NotWritten(Exception):
    """A draft that was not written: why, and what to do; and whether a file is `there` that may be overwritten."""

    def __init__(self, says: str, remedy: str, *, there: bool = False) -> None:
        super().__init__(says)
        self.says, self.remedy, self.there = says, remedy, there


#: The folder of drafts if none is named: not that of a clone's scenarios, where a mere proposal is a mistake.
USUAL: Final = Path("drafts")


@dataclass(frozen=True, slots=True)
class Drafts:
    """The scenarios in a folder that are none of the suite's, and the faults of others there."""

    scenarios: tuple[Scenario, ...]
    faults: tuple[Diagnostic, ...]


def draft_files(folder: Path, named: Sequence[Path] = ()) -> list[Path]:
    """Return the files `named`, and those of scenarios in the folders right below this one, the places of drafts."""
    found: list[Path] = []
    with suppress(OSError):  # a folder that may not be read has none
        found = sorted(path for path in folder.glob(f"*/*{_ENDING}") if path not in named)
    return [*named, *found[:_MOST]]


def drafts(suite: Suite, files: Iterable[Path], folder: Path) -> Drafts:
    """Return the drafts among files, those in the `folder` or named, that are none of the suite's scenarios."""
    of_a_spec = (folder.parent / VERSION).is_file()
    scenarios, faults = dict[str, Scenario](), list[Diagnostic]()
    for path in files:
        if of_a_spec and path.is_relative_to(folder) and _id(path) in suite.scenarios:
            continue  # the suite has it, and it is not read a second time
        try:
            scenario = read_draft(suite, path)
            first = scenarios.setdefault(scenario.id, scenario)
            if first is not scenario:
                raise Invalid([id_in_use(scenario.document, first.document.file)])  # noqa: TRY301 -- as of any other
        except Invalid as invalid:
            faults += invalid.diagnostics
    return Drafts(tuple(scenarios.values()), tuple(faults))


def _id(path: Path) -> str:
    return f"{path.parent.name}.{path.name.removesuffix(_ENDING)}"


def read_draft(suite: Suite, path: Path) -> Scenario:
    """Return the draft in a file, with its proposals as its outcomes; raises Invalid if it is not sound, or if a
    scenario of the suite has its id."""
    scenario = scenario_from(read_document(suite.schemas, "scenario", path, shown_path(path), within=path.parent))
    if scenario.id in suite.scenarios:
        raise Invalid([id_in_use(scenario.document, suite.scenarios[scenario.id].document.file)])
    confirmed = as_if_confirmed(scenario) if scenario.proposals else scenario
    faults = lint_scenario(suite, confirmed) or list(lint_position(suite, confirmed))
    if faults:
        raise Invalid(faults)
    return confirmed


def with_drafts(suite: Suite, some: Drafts) -> Suite:
    """Return the suite with these drafts before its scenarios."""
    own = {each.id: each for each in some.scenarios}
    if not own:
        return suite

    def headings() -> Mapping[str, Heading]:
        first = (check.heading for each in some.scenarios for check in suite.index.checks_of(each))
        return {**{each.id: each for each in first}, **suite.index.headings}

    names = [*own, *suite.scenarios]
    other = replace(suite, scenarios=Lazily(names, lambda name: own.get(name) or suite.scenarios[name]))
    return other.preset(suite.digest, headings)


def write(folder: Path, name: str, text: str, *, over: bool = False) -> Path:
    """Write a file of this name with this text, also `over` one that is there, and return its path; raises NotWritten,
    and then nothing has changed."""
    if not _NAME.fullmatch(name):
        raise NotWritten(
            f"'{printable(name)}' is not a valid name for a scenario file.",
            "Use lowercase letters, digits and hyphens.",
        )
    path = folder / name
    try:
        content = text.encode()
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.parent.resolve().is_relative_to(folder.resolve()):
            raise NotWritten(
                f"{path.parent} is a link that leads out of {folder}.", "Remove the link, or choose another topic."
            )
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise NotWritten(f"{path} exists and is not a regular file.", "Choose another name.")
        if over and path.exists():
            write_whole(path, text)
        else:
            _write_new(path, content)
    except FileExistsError as error:
        remedy = "Choose another name, or overwrite it; its content is then lost."
        raise NotWritten(f"{path} already exists.", remedy, there=True) from error
    except UnicodeEncodeError as error:
        raise NotWritten("The title contains a character that cannot be saved.", "Type the title again.") from error
    except OSError as error:
        why = words_of(error)
        raise NotWritten(f"{path} cannot be written: {why}.", "Start 'hoyle table' with another --folder.") from error
    return path


def _write_new(path: Path, content: bytes) -> None:
    """Write a new file, whole or not at all; raises FileExistsError if it is there, and OSError."""
    file = path.open("xb")
    try:
        with file:
            file.write(content)
    except BaseException:  # also where it is interrupted
        with suppress(OSError):
            path.unlink()
        raise
