"""The state of the server: the rules and drafts as their files are now, the answers to requests, and new drafts."""

import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from time import monotonic
from typing import Any, Final

from hoyle_conformance.checks.load import lint_position
from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, printable, shown_path
from hoyle_conformance.files.schemas import Lazily
from hoyle_conformance.files.write import write_whole
from hoyle_conformance.suite.build import scenario_from
from hoyle_conformance.suite.lint.ids import as_if_confirmed
from hoyle_conformance.suite.lint.scenarios import lint_scenario
from hoyle_conformance.suite.load import id_in_use, read_document
from hoyle_conformance.suite.model import Heading, Scenario
from hoyle_conformance.suite.paths import SCENARIO_FILE, VERSION
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.system import words_of
from hoyle_conformance.web.explorer.engine import Engine, no_answer
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.web.site.pages import page_at

#: Every existing file, with the data that reveal a change: the time of writing (nanoseconds), the size (bytes) and the
#: identity of the file.
Snapshot = Mapping[Path, tuple[int, int, int]]
#: Seconds between two checks for changed files.
_PAUSE: Final = 1.0
#: The maximum number of cached pages.
_PAGES: Final = 64


@dataclass(frozen=True, slots=True)
class PreparedSuites:
    """Values made from the present files.

    With drafts: the suite, and the engine that answers from it. Without drafts: the pages of confirmed rules, and the
    engine that writes files, since a draft may be written again.
    """

    suite: Suite
    engine: Engine
    filing: Engine
    page: Callable[[str], Page | None]


@dataclass
class ServerState:
    """A suite with the drafts of a folder, and those `named`, among its positions.

    When one of the files behind its `rules` changes, the rules are loaded again; the server answers nothing until they
    are valid.
    """

    suite: Suite
    folder: Path
    report: Callable[[str], None]
    load: Callable[[], Suite] | None = None
    rules: Sequence[Path] = ()
    named: Sequence[Path] = ()
    pause: float = _PAUSE
    lock: threading.RLock = field(default_factory=threading.RLock)
    _looked: float = 0
    _seen: tuple[Snapshot, Snapshot] | None = None
    _invalid: Invalid | None = None
    _prepared: PreparedSuites | None = None
    _reported: set[str] = field(default_factory=set)

    def current(self) -> PreparedSuites:
        """Return the suites made from the present files; raise Invalid if the rules cannot be used."""
        with self.lock:
            if self._prepared is None or monotonic() - self._looked >= self.pause:
                self._look()
                self._looked = monotonic()
            if self._invalid:
                raise self._invalid
            assert self._prepared is not None, "the first look prepares them"
            return self._prepared

    def _look(self) -> None:
        now = snapshot(self.rules), snapshot(draft_files(self.folder, self.named))
        if self._seen and now[0] != self._seen[0]:
            self._load()
        if now != self._seen and not self._invalid:
            self._prepare()
        self._seen = now

    def _load(self) -> None:
        try:
            self.suite, self._invalid = (self.load() if self.load else self.suite), None
        except Invalid as invalid:
            self._invalid = invalid
            self._report_once("The rules have changed, and cannot be used until this error is fixed.", invalid)

    def _prepare(self) -> None:
        found = drafts(self.suite, draft_files(self.folder, self.named), self.folder)
        if found.faults:
            self._report_once("A draft has an error and is left out.", Invalid(found.faults))
        suite = with_drafts(self.suite, found)
        self._prepared = PreparedSuites(
            suite, Engine(suite), Engine(self.suite), lru_cache(_PAGES)(partial(page_at, self.suite))
        )

    def _report_once(self, what: str, invalid: Invalid) -> None:
        """Report the mistakes in files that have not been reported before."""
        for shown in invalid.shown():
            if shown not in self._reported:
                self._reported.add(shown)
                self.report(f"{what}\n{shown}\n")

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request of the page, or the place of a draft that was written."""
        with self.lock:
            try:
                prepared = self.current()
            except Invalid as invalid:
                return _cannot_be_used(invalid)
            if request.get("ask") == "write":
                return self._write(prepared.filing, request)
            if request.get("ask") != "opponent":
                return (prepared.filing if request.get("ask") == "file" else prepared.engine).ask(request)
        return prepared.engine.ask(request)  # an opponent thinks; meanwhile the page gets answers

    def _write(self, filing: Engine, request: Mapping[str, Any]) -> dict[str, Any]:
        made = filing.ask({**{key: value for key, value in request.items() if key != "over"}, "ask": "file"})
        if "error" in made:
            return made
        if made.get("problems"):
            return {"error": made["problems"][0], "problems": made["problems"]}
        try:
            path = write(self.folder, made["name"], made["text"], over=request.get("over") is True)
        except NotWritten as not_written:
            draft = {"there": not_written.there, "name": made["name"], "id": made["id"]}
            return no_answer(not_written.says, not_written.remedy) | draft
        self.report(f"Wrote {printable(str(path))}.")
        return {"written": str(path), "name": made["name"]}


def _cannot_be_used(invalid: Invalid) -> dict[str, Any]:
    first, more = invalid.diagnostics[0], len(invalid.diagnostics) - 1
    others = f" ({more} more in the terminal)" if more else ""
    says = f"A file of the rules has changed, and cannot be used: {first.place}: {printable(first.message)}{others}."
    return no_answer(says, f"{printable(str(first.remedy))} Fix it, and continue here.".strip())


def snapshot(paths: Sequence[Path]) -> Snapshot:
    """Return the present state of these files, and of the YAML files in these folders, without hidden files, hidden
    folders and links to folders."""
    found: dict[Path, tuple[int, int, int]] = {}
    for path in (file for each in paths for file in _files(each)):
        with suppress(OSError):  # deleted in the meantime
            seen = path.stat()
            found[path] = (seen.st_mtime_ns, seen.st_size, seen.st_ino)
    return found


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(folder, name) for name in names if name.endswith(".yaml") and not name.startswith("."))


# ---- drafts


_WORD: Final = "[a-z0-9][a-z0-9-]{0,99}"
_NAME: Final = re.compile(rf"{_WORD}/{_WORD}{re.escape(SCENARIO_FILE)}")
#: The maximum number of files to read; a folder with more is not a folder of drafts.
_MOST_DRAFTS: Final = 5_000


class NotWritten(Exception):
    """A draft that was not written: the reason, the remedy, and whether a file is `there` that may be overwritten."""

    def __init__(self, says: str, remedy: str, *, there: bool = False) -> None:
        super().__init__(says)
        self.says, self.remedy, self.there = says, remedy, there


#: The default folder of drafts: not that of a clone's scenarios, where a mere proposal is a mistake.
USUAL: Final = Path("drafts")


@dataclass(frozen=True, slots=True)
class Drafts:
    """The scenarios in a folder that are not part of the suite, and the faults of other scenarios there."""

    scenarios: tuple[Scenario, ...]
    faults: tuple[Diagnostic, ...]


def draft_files(folder: Path, named: Sequence[Path] = ()) -> list[Path]:
    """Return the files `named`, and those of scenarios in the direct subfolders of this folder, the
    places of drafts."""
    found: list[Path] = []
    with suppress(OSError):  # an unreadable folder has none
        found = sorted(path for path in folder.glob(f"*/*{SCENARIO_FILE}") if path not in named)
    return [*named, *found[:_MOST_DRAFTS]]


def drafts(suite: Suite, files: Iterable[Path], folder: Path) -> Drafts:
    """Return the drafts among files, those in the `folder` or named, that are not scenarios of the suite."""
    of_a_spec = (folder.parent / VERSION).is_file()
    scenarios, faults = dict[str, Scenario](), list[Diagnostic]()
    for path in files:
        if of_a_spec and path.is_relative_to(folder) and _id(path) in suite.scenarios:
            continue  # part of the suite, so not read a second time
        try:
            scenario = read_draft(suite, path)
            first = scenarios.setdefault(scenario.id, scenario)
            if first is not scenario:
                raise Invalid([id_in_use(scenario.document, first.document.file)])  # noqa: TRY301 -- as of any other
        except Invalid as invalid:
            faults += invalid.diagnostics
    return Drafts(tuple(scenarios.values()), tuple(faults))


def _id(path: Path) -> str:
    return f"{path.parent.name}.{path.name.removesuffix(SCENARIO_FILE)}"


def read_draft(suite: Suite, path: Path) -> Scenario:
    """Return the draft in a file, with its proposals as its outcomes; raise Invalid if it is not sound, or if a
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
    """Write a file of this name with this text, replacing an existing one if `over`, and return its path; raise
    NotWritten if that fails, leaving everything unchanged."""
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
    """Write a new file, whole or not at all; raise FileExistsError if it exists, or OSError."""
    file = path.open("xb")
    try:
        with file:
            file.write(content)
    except BaseException:  # even if interrupted
        with suppress(OSError):
            path.unlink()
        raise
