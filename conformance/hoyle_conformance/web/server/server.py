"""A server of the site's pages and of an interactive table, for browsers on this machine only."""

import http.server
import json
import posixpath
import socketserver
import sys
import threading
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from http import HTTPStatus
from pathlib import Path
from traceback import format_exc
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

from hoyle_conformance import __version__
from hoyle_conformance.files.read import read_json
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.system import DENIED, reason_of
from hoyle_conformance.system.pipes import REUSE_ADDRESS, start_thread
from hoyle_conformance.web.explorer.engine import Engine, no_answer
from hoyle_conformance.web.server.access import TOKEN, AccessPolicy, RequestRefused, headers_of, new_policy
from hoyle_conformance.web.site.navigation import CONTRIBUTE, TEST, tabs
from hoyle_conformance.web.site.page import Page, policy_of, scripts_of, styles_of
from hoyle_conformance.web.site.pages import page_at
from hoyle_conformance.wording.render import render

#: The maximum number of cached pages.
_PAGES: Final = 64
#: The page of the table.
TABLE: Final = "table.html"
_HTML: Final = "text/html; charset=utf-8"
_JSON: Final = "application/json; charset=utf-8"
_TEXT: Final = "text/plain; charset=utf-8"
_WAITS: Final = 30  # seconds for a client that begins a request and stops
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": f"{policy_of('')}; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_NO_MORE: Final[Mapping[str, str]] = MappingProxyType({})
_FAULT: Final = "This is a fault of Hoyle itself"


_HERE: Final = Path(__file__).resolve().parent
#: The folders of styles and scripts, in a wheel and in a checkout.
_ASSETS: Final = (_HERE / "assets", _HERE.parents[3] / "docs" / "assets")
#: The types of files other than pages, by their extensions.
KINDS: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".json": _JSON,
}


def asset(name: str) -> tuple[bytes, str] | None:
    """Return a style, script, drawing or typeface by its name, with its type; None if there is no such file."""
    kind = KINDS.get(Path(name).suffix)
    if kind is None or Path(name).name != name:
        return None
    path = next((folder / name for folder in _ASSETS if (folder / name).is_file()), None)
    return (path.read_bytes(), kind) if path else None


class Server(http.server.ThreadingHTTPServer):
    """A server at a port of this machine; raise OSError if the port is in use."""

    daemon_threads = True
    allow_reuse_address = REUSE_ADDRESS

    def __init__(self, port: int, suite: Suite, report: Callable[[str], None]) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.prepare(suite, report, new_policy(self.server_port))

    def prepare(self, suite: Suite, report: Callable[[str], None], policy: AccessPolicy) -> None:
        """Take the suite to serve, the function that reports faults, and the policy of access."""
        self.suite, self.report, self.policy = suite, report, policy
        self.engine, self._lock = Engine(suite), threading.Lock()
        self.page = lru_cache(_PAGES)(partial(page_at, suite))

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request of the page."""
        if request.get("ask") == "opponent":
            return self.engine.ask(request)  # an opponent thinks; meanwhile the page gets answers
        with self._lock:
            return self.engine.ask(request)

    def server_bind(self) -> None:
        """Bind the port, without asking the network for the name of this machine."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 -- the base class passes it
        """Print any error except that of a browser that has disconnected."""
        match sys.exc_info()[1]:
            case ConnectionError() | TimeoutError():
                return
            case OSError() | MemoryError() as denied:
                self.denied(denied)
            case _:
                self.fault()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a request in its own thread; raise OSError if the system starts no more threads."""
        start_thread(self.process_request_thread, request, client_address)

    def fault(self) -> None:
        """Print a fault that the server survives."""
        self.report(f"{format_exc()}\n{_FAULT}: please report it, with the lines above.")

    def denied(self, denied: OSError | MemoryError) -> str:
        """Print an access that the system denied and the server survives, and return the line."""
        line = f"Hoyle cannot answer a request: {reason_of(denied)}."
        self.report(line)
        return line

    @property
    def address(self) -> str:
        """The address of the table, with the token that gives a browser access."""
        return f"http://127.0.0.1:{self.server_port}/{TABLE}?{TOKEN}={self.policy.token}"


class _Handler(http.server.BaseHTTPRequestHandler):
    """The handler of one browser's requests."""

    server: Server
    timeout = _WAITS
    server_version, sys_version = "Hoyle", ""
    error_message_format, error_content_type = "%(code)d %(message)s\n", _TEXT

    def log_message(self, *_args: object) -> None:
        """Print nothing: the server reports what matters."""

    def do_HEAD(self) -> None:
        """Send the headers of a page, without the page."""
        self.do_GET()

    def do_GET(self) -> None:
        """Send a page, a style or a script."""
        headers, policy = headers_of(self.headers), self.server.policy
        more: Mapping[str, str] = {}
        try:
            policy.check_origin(headers)
            address = urlsplit(self.path)
            path = unquote(address.path).lstrip("/") or TABLE
            if policy.is_opened_by(address.query):
                more = {"Set-Cookie": policy.set_cookie}
                status, kind, content = HTTPStatus.OK, _HTML, bare(path, goes_on=True).encode()
            else:
                path = f"{path}index.html" if path.endswith("/") else path
                status, kind, content = self._found(path, known=policy.is_known(headers))
        except RequestRefused as refused:
            status, kind, content = refused.status, _TEXT, refused.why.encode()
        except ValueError:  # an invalid address
            status, kind, content = HTTPStatus.BAD_REQUEST, _TEXT, b"This is not a valid address."
        except DENIED as denied:
            status, kind, content = HTTPStatus.SERVICE_UNAVAILABLE, _TEXT, self.server.denied(denied).encode()
        except Exception:  # noqa: BLE001 -- whatever it is, the server continues and reports it
            self.server.fault()
            status, kind = HTTPStatus.INTERNAL_SERVER_ERROR, _TEXT
            content = f"{_FAULT}: see the terminal for details.".encode()
        self._send(status, kind, content, more)

    def _found(self, path: str, *, known: bool) -> tuple[HTTPStatus, str, bytes]:
        """Return the content at a path. A browser that is not `known` gets only styles, scripts and drawings."""
        found = asset(path.removeprefix("assets/")) if path.startswith("assets/") else None
        if found:
            return HTTPStatus.OK, found[1], found[0]
        if not known:
            return HTTPStatus.FORBIDDEN, _HTML, bare(path, goes_on=False).encode()
        page, kind = self.server.page(path), KINDS.get(Path(path).suffix)
        if page and page.text and kind:
            return HTTPStatus.OK, kind, page.text.encode()
        status = HTTPStatus.OK if page and page.body else HTTPStatus.NOT_FOUND
        return status, _HTML, framed(page if page and page.body else _missing(path), path, self.server.suite).encode()

    def do_POST(self) -> None:
        """Send the answer of the rules."""
        try:
            request = self._request()
        except RequestRefused as refused:
            self._send(refused.status, _JSON, _json(no_answer(refused.why, "")))
            return
        try:
            answer = _json(self.server.ask(request))
        except DENIED as denied:
            answer = _json(no_answer(self.server.denied(denied), "Try again."))
        except Exception:  # noqa: BLE001 -- likewise
            self.server.fault()
            answer = _json(
                no_answer(
                    f"{_FAULT}.",
                    "Take back the last step, and please report the error; the terminal shows the details.",
                )
            )
        self._send(HTTPStatus.OK, _JSON, answer)

    def _request(self) -> Mapping[str, Any]:
        length = self.server.policy.length_of(headers_of(self.headers))
        if self.path != "/ask":
            raise RequestRefused(HTTPStatus.NOT_FOUND, "Requests go to /ask only.")
        try:
            request = read_json(self.rfile.read(length).decode())
        except (ValueError, TimeoutError) as invalid:
            raise RequestRefused(HTTPStatus.BAD_REQUEST, "The request is not valid JSON.") from invalid
        if not isinstance(request, dict):
            raise RequestRefused(HTTPStatus.BAD_REQUEST, "The request must be a JSON object.")
        return request

    def _send(self, status: HTTPStatus, kind: str, content: bytes, more: Mapping[str, str] = _NO_MORE) -> None:
        self.close_connection = True
        self.send_response(status)
        own = {"Content-Type": kind, "Content-Length": str(len(content)), **more}
        for name, value in {**_HEADERS, **own}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def _json(answer: Mapping[str, Any]) -> bytes:
    return json.dumps(answer).encode()


# ---- pages


#: The tabs with pages that only the site has.
_ON_THE_SITE: Final = (TEST, CONTRIBUTE)


def framed(page: Page, path: str, suite: Suite) -> str:
    """Return a page as sent to a browser."""
    to = posixpath.relpath(".", posixpath.dirname(path) or ".") + "/"
    return render(
        "web/server/frame.html.jinja",
        page=page,
        to=to,
        tabs=[tab for tab in tabs(suite) if tab not in _ON_THE_SITE],
        styles=("base", *styles_of(page.kind)),
        scripts=("search", *scripts_of(page.kind)),
        version=__version__,
    )


def bare(path: str, *, goes_on: bool) -> str:
    """Return a page without a frame: for a browser that has just received the token and continues to the path, or for
    one that has no token."""
    return render("web/server/bare.html.jinja", path=quote(path), goes_on=goes_on)


def _missing(path: str) -> Page:
    """Return the page in place of a missing one."""
    title = "There is no such page here"
    return Page(path, body=render("web/server/missing.html.jinja", title=title), title=title, kind="documents")
