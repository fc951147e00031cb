"""The server: the pages of the site and a table that answers, for the browsers of this machine alone."""

import http.server
import json
import os
import socketserver
import sys
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import PurePosixPath
from traceback import format_exc
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.files.strict_json import read_json
from hoyle_conformance.web.server.access import TurnedAway, door, headers_of
from hoyle_conformance.web.server.assets import KINDS, asset
from hoyle_conformance.web.server.documents import document, not_at_hand
from hoyle_conformance.web.server.pages import framed, mistaken
from hoyle_conformance.web.server.state import ServerState, failed

#: The page of the table.
TABLE: Final = "table.html"
_HTML: Final = "text/html; charset=utf-8"
_JSON: Final = "application/json; charset=utf-8"
_TEXT: Final = "text/plain; charset=utf-8"
_WAITS: Final = 30  # seconds for whoever begins to ask and does not go on
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_FAULT: Final = "This is a fault of Hoyle itself"


class Server(http.server.ThreadingHTTPServer):
    """Listens at a port of this machine; raises OSError where that is in use."""

    daemon_threads = True
    allow_reuse_address = os.name != "nt"  # where others could take the port over with it

    def __init__(self, port: int, room: ServerState) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.room, self.door = room, door(self.server_port)

    def server_bind(self) -> None:
        """Take the port, without asking the network what this machine is called."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 -- as it is called
        """Whoever has hung up is not missed; of anything else the terminal is told."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            self.fault()

    def fault(self) -> None:
        """Tell of a fault, with which the server goes on."""
        self.room.told(f"{format_exc()}\n{_FAULT}: please report it, with the lines above.")

    @property
    def address(self) -> str:
        """The address of the table."""
        return f"http://127.0.0.1:{self.server_port}/{TABLE}"


class _Handler(http.server.BaseHTTPRequestHandler):
    """Answers one browser."""

    server: Server
    timeout = _WAITS
    server_version, sys_version = "Hoyle", ""
    error_message_format, error_content_type = "%(code)d %(message)s\n", _TEXT

    def log_message(self, *_args: object) -> None:
        """Nothing: what matters is told by the room."""

    def do_HEAD(self) -> None:
        """What there is to a page, without the page."""
        self.do_GET()

    def do_GET(self) -> None:
        """A page, a style or a script."""
        try:
            self.server.door.let_in(headers_of(self.headers))
            path = unquote(urlsplit(self.path).path).lstrip("/") or TABLE
            status, kind, content = self._found(f"{path}index.html" if path.endswith("/") else path)
        except TurnedAway as away:
            status, kind, content = away.status, _TEXT, away.why.encode()
        except ValueError:  # an address that is none
            status, kind, content = HTTPStatus.BAD_REQUEST, _TEXT, b"This is no address."
        except Exception:  # noqa: BLE001 -- whatever it is, the server goes on, and says so
            self.server.fault()
            status, kind = HTTPStatus.INTERNAL_SERVER_ERROR, _TEXT
            content = f"{_FAULT}: the terminal says more.".encode()
        self._send(status, kind, content)

    def _found(self, path: str) -> tuple[HTTPStatus, str, bytes]:
        """What is at a path; the mistakes in the rules, where they have become such that there are no pages."""
        found = asset(path.removeprefix("assets/")) if path.startswith("assets/") else None
        if found:
            return HTTPStatus.OK, found[1], found[0]
        room = self.server.room
        try:
            page = document(room.suite.root.parent, path) or room.current().page(path)
        except Invalid as invalid:
            shown, status = mistaken(path, invalid), HTTPStatus.INTERNAL_SERVER_ERROR
        else:
            kind = KINDS.get(PurePosixPath(path).suffix)
            if page and page.text and kind:
                return HTTPStatus.OK, kind, page.text.encode()
            is_there = page and page.body
            shown, status = (page, HTTPStatus.OK) if page and is_there else (not_at_hand(path), HTTPStatus.NOT_FOUND)
        return status, _HTML, framed(shown, path, room.suite, self.server.door.token).encode()

    def do_POST(self) -> None:
        """What the rules say, or a draft that is to be written."""
        try:
            request = self._asked()
        except TurnedAway as away:
            self._send(away.status, _JSON, _json(failed(away.why, "")))
            return
        try:
            answer = _json(self.server.room.ask(request))
        except Exception:  # noqa: BLE001 -- likewise
            self.server.fault()
            answer = _json(
                failed(f"{_FAULT}.", "Take back the last step; and please report it: the terminal says more.")
            )
        self._send(HTTPStatus.OK, _JSON, answer)

    def _asked(self) -> Mapping[str, Any]:
        length = self.server.door.length_of(headers_of(self.headers))
        if self.path != "/ask":
            raise TurnedAway(HTTPStatus.NOT_FOUND, "Only /ask is asked.")
        try:
            request = read_json(self.rfile.read(length).decode())
        except (ValueError, TimeoutError) as error:
            raise TurnedAway(HTTPStatus.BAD_REQUEST, "This is no JSON.") from error
        if not isinstance(request, dict):
            raise TurnedAway(HTTPStatus.BAD_REQUEST, "What is asked is a mapping.")
        return request

    def _send(self, status: HTTPStatus, kind: str, content: bytes) -> None:
        self.close_connection = True
        self.send_response(status)
        for name, value in {**_HEADERS, "Content-Type": kind, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def _json(answer: Mapping[str, Any]) -> bytes:
    return json.dumps(answer).encode()
