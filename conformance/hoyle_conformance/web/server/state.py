"""The state of the server: the rules and the drafts as their files are now, and the answers to requests."""

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from time import monotonic
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Invalid, printable
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.engine import Engine
from hoyle_conformance.web.server.drafts import NotWritten, draft_files, drafts, with_drafts, write
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.web.site.pages import page_at

#: Every file that is there, by what tells a changed one: when it was written (nanoseconds), its size (bytes), which
#: file it is.
Snapshot = Mapping[Path, tuple[int, int, int]]
#: Seconds between two looks for changed files.
_PAUSE: Final = 1.0
#: So many pages are cached.
_PAGES: Final = 64


@dataclass(frozen=True, slots=True)
class PreparedSuites:
    """Values made from the files as they are: the suite with the drafts, and the engine that answers by it; without the
    drafts, the engine that writes files, since a draft may be written again, and the pages of confirmed rules."""

    suite: Suite
    engine: Engine
    filing: Engine
    page: Callable[[str], Page | None]


@dataclass
class ServerState:
    """A suite with the drafts of a folder, and those `named`, among its positions.

    When one of the files behind its `rules` changes, they are loaded again; until they can be, nothing is answered.
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
        """Return the suites of the files as they are; raises Invalid if the rules cannot be used."""
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
        return prepared.engine.ask(request)  # an opponent thinks, and the page is answered meanwhile

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
            return error(not_written.says, not_written.remedy) | draft
        self.report(f"Wrote {printable(str(path))}.")
        return {"written": str(path), "name": made["name"]}


def _cannot_be_used(invalid: Invalid) -> dict[str, Any]:
    first, more = invalid.diagnostics[0], len(invalid.diagnostics) - 1
    others = f" ({more} more in the terminal)" if more else ""
    says = f"A file of the rules has changed, and cannot be used: {first.place}: {printable(first.message)}{others}."
    return error(says, f"{printable(str(first.remedy))} Fix it, and continue here.".strip())


def error(says: str, remedy: str) -> dict[str, Any]:
    """Return why there is no answer, and what to do, as the page shows it."""
    return {"error": {"says": says, "remedy": remedy}}


def snapshot(paths: Sequence[Path]) -> Snapshot:
    """Return the present state of these files, and of the YAML files in these folders; hidden files, hidden folders and
    links to folders are left out."""
    found: dict[Path, tuple[int, int, int]] = {}
    for path in (file for each in paths for file in _files(each)):
        with suppress(OSError):  # it has gone since
            seen = path.stat()
            found[path] = (seen.st_mtime_ns, seen.st_size, seen.st_ino)
    return found


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(folder, name) for name in names if name.endswith(".yaml") and not name.startswith("."))
