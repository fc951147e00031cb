"""The server: the pages of the site and a table that answers, for the browsers of this machine alone."""

import http.server
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from ..files.diagnostics import Invalid
from ..site.doors import doors
from ..site.page import Page
from ..site.pages import page_at
from ..suite.value import Suite
from ..table.engine import Engine
from .assets import asset
from .door import TurnedAway, door
from .folder import Drafts, NotWritten, drafts, stamp, with_drafts, write
from .frame import framed, not_there

#: The page of the table.
TABLE: Final = "table.html"
_HTML: Final = "text/html; charset=utf-8"
_JSON: Final = "application/json; charset=utf-8"
_WAITS: Final = 30  # seconds for whoever begins to ask and does not go on
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass
class Room:
    """What is served: a suite, with the drafts of a folder among its positions, as they are now."""

    suite: Suite
    folder: Path
    told: Callable[[str], None]
    lock: threading.RLock = field(default_factory=threading.RLock)
    _stamp: object = None
    _engine: Engine | None = None
    _with_drafts: Suite | None = None

    def current(self) -> Engine:
        """What answers, with the drafts as they lie in the folder; what is wrong with one is told once."""
        with self.lock:
            now = stamp(self.folder)
            if self._engine is None or now != self._stamp:
                found = drafts(self.suite, self.folder)
                self._tell(found)
                self._with_drafts = with_drafts(self.suite, found)
                self._engine, self._stamp = Engine(self._with_drafts), now
            return self._engine

    def _tell(self, found: Drafts) -> None:
        for fault in found.faults:
            self.told(f"A draft is left out, for it has a mistake.\n{fault}\n")

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to what the page asks; or where a draft was written."""
        with self.lock:
            engine = self.current()
            if request.get("ask") != "write":
                return engine.ask(request)
            made = engine.ask({**request, "ask": "file"})
            if "text" not in made or "error" in made or made.get("problems"):
                return made
            try:
                path = write(self.folder, made["name"], made["text"])
            except NotWritten as not_written:
                return {"error": {"says": not_written.says, "remedy": not_written.remedy}}
            self.told(f"Wrote {path}.")
            return {"written": str(path), "name": made["name"]}

    def page(self, path: str) -> Page | None:
        """The page of the site at a path; nothing where there is none."""
        with self.lock:
            self.current()
            assert self._with_drafts is not None, "it is made with the engine"
            page = page_at(self._with_drafts, path)
            return page if page and page.body else None


class Server(http.server.ThreadingHTTPServer):
    """Listens at a port of this machine; raises OSError where that is in use."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(self, port: int, room: Room) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.room, self.door = room, door(self.server_port)

    @property
    def address(self) -> str:
        """The address of the table."""
        return f"http://127.0.0.1:{self.server_port}/{TABLE}"


class _Handler(http.server.BaseHTTPRequestHandler):
    """Answers one browser."""

    server: Server
    timeout = _WAITS
    server_version, sys_version = "Hoyle", ""

    def log_message(self, *_args: object) -> None:
        """Nothing: what matters is told by the room."""

    def do_GET(self) -> None:
        """A page, a style or a script."""
        try:
            self.server.door.let_in(_headers(self))
            self._get(unquote(urlsplit(self.path).path).lstrip("/") or TABLE)
        except TurnedAway as away:
            self._send(away.status, "text/plain; charset=utf-8", away.why.encode())

    def _get(self, path: str) -> None:
        if path.startswith("assets/"):
            found = asset(path.removeprefix("assets/"))
            if found:
                self._send(HTTPStatus.OK, found[1], found[0])
                return
        page, status, why = None, HTTPStatus.NOT_FOUND, "Some pages are on the site only."
        try:
            page = self.server.room.page(f"{path}index.html" if path.endswith("/") else path)
        except Invalid as invalid:
            status, why = (
                HTTPStatus.INTERNAL_SERVER_ERROR,
                f"The rules cannot be read: {invalid.diagnostics[0].message}.",
            )
        shown = page or not_there(path, why)
        html = framed(shown, path, doors(self.server.room.suite), self.server.door.token)
        self._send(HTTPStatus.OK if page else status, _HTML, html.encode())

    def do_POST(self) -> None:
        """What the rules say, or a draft that is to be written."""
        try:
            request = self._asked()
        except TurnedAway as away:
            self.close_connection = True  # what was sent is not read
            self._send(away.status, _JSON, _error(away.why, ""))
            return
        try:
            answer = json.dumps(self.server.room.ask(request)).encode()
        except Exception as error:  # noqa: BLE001 -- whatever it is, the server goes on, and says so
            self.server.room.told(f"This is a fault of Hoyle itself, please report it: {error!r}")
            answer = _error("This is a fault of Hoyle itself", "Please report it, with what the terminal says.")
        self._send(HTTPStatus.OK, _JSON, answer)

    def _asked(self) -> Mapping[str, Any]:
        length = self.server.door.length_of(_headers(self))
        if urlsplit(self.path).path != "/ask":
            raise TurnedAway(HTTPStatus.NOT_FOUND, "Only /ask is asked.")
        try:
            request = json.loads(self.rfile.read(length))
        except (ValueError, RecursionError, TimeoutError) as error:
            raise TurnedAway(HTTPStatus.BAD_REQUEST, "This is no JSON.") from error
        if not isinstance(request, dict):
            raise TurnedAway(HTTPStatus.BAD_REQUEST, "What is asked is a mapping.")
        return request

    def _send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        try:
            self.send_response(status)
            for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(content))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
        except ConnectionError:  # nobody waits for it any more
            self.close_connection = True


def _headers(handler: http.server.BaseHTTPRequestHandler) -> Mapping[str, str]:
    """The headers of a request, each by its name as it is usually written; one that stands twice says nothing."""
    said = {name.title(): handler.headers.get_all(name) or [] for name in handler.headers}
    return {name: values[0] if len(values) == 1 else "" for name, values in said.items()}


def _error(says: str, remedy: str) -> bytes:
    return json.dumps({"error": {"says": says, "remedy": remedy}}).encode()
