"""Requests to the table: each has an answer in JSON, and its links can be opened again."""

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.read import read_json
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.explorer.shapes import Shapes
from hoyle_conformance.web.server.access import AccessPolicy
from hoyle_conformance.web.server.server import Server, _Handler

from .properties import assert_printable
from .target import Input, Read

#: A request of the page, as JSON; and a whole request of a browser, as bytes.
VARIANTS: Final = ("ask", "http")
_POLICY: Final = AccessPolicy(frozenset({"127.0.0.1:8000"}), "token", "hoyle-8000")

Ask = Callable[[Mapping[str, Any]], dict[str, Any]]


def prepare(suite: Suite, _folder: Path) -> Read:
    """Return the function that answers requests, by a server that listens to no port."""
    reported: list[str] = []
    shapes = Shapes(suite.schemas.documents)
    server = _Unbound(suite, reported.append)

    def read(given: Input) -> None:
        reported.clear()
        if given.variant == "http":
            _check_response(server.respond(given.content))
        else:
            _check_answer(suite, shapes, server.ask, given.content)
        assert reported == []

    return read


def _check_shapes(suite: Suite, shapes: Shapes, request: Mapping[str, Any]) -> None:
    """Check that a position and steps are found wrong where the schema finds them so."""
    layout = request.get("layout")
    if not isinstance(layout, dict):
        return
    steps = layout.get("steps")
    parts = [("given", layout.get("given")), *(("step", each) for each in (steps if isinstance(steps, list) else ()))]
    for kind, value in parts:
        found = next(shapes.faults(f"scenario#/$defs/{kind}", value), None)
        complaint = suite.schemas.complaint(f"scenario#/$defs/{kind}", value)
        assert (found is None) == (not complaint), (value, found, complaint)


def _check_answer(suite: Suite, shapes: Shapes, ask: Ask, content: bytes) -> None:
    try:
        request = read_json(content.decode())
    except ValueError:
        return
    if not isinstance(request, dict):
        return
    _check_shapes(suite, shapes, request)
    answer = ask(request)
    assert "failed" not in answer, answer
    json.dumps(answer, allow_nan=False).encode()
    if "error" in answer:
        assert_printable(answer["error"]["says"])
        assert answer["error"]["says"]
    if answer.get("link"):
        made_of = "game" if request["ask"] == "play" else "layout"
        assert made_of in ask({"ask": "open", "link": answer["link"]})


class _Unbound(Server):
    """A server without a port, which is handed its requests."""

    def __init__(self, suite: Suite, report: Callable[[str], None]) -> None:
        self.prepare(suite, report, _POLICY)

    def respond(self, request: bytes) -> bytes:
        """Return the response to a request of a browser."""
        connection = _Connection(request)
        _Handler(connection, ("127.0.0.1", 1), self)  # type: ignore[arg-type]  # all that it needs of a socket
        return connection.sent.getvalue()


class _Connection:
    """A socket, as far as a handler needs one: what is received is given, and what is sent is kept."""

    def __init__(self, received: bytes) -> None:
        self.received, self.sent = received, io.BytesIO()

    def settimeout(self, _seconds: float) -> None:
        """Do nothing: there is nobody to wait for."""

    def makefile(self, _mode: str, _buffering: int) -> io.BytesIO:
        """Return what is received, as a file."""
        return io.BytesIO(self.received)

    def sendall(self, content: bytes) -> None:
        """Keep what is sent."""
        self.sent.write(content)


def _check_response(response: bytes) -> None:
    """Check that a response is not that of a fault of Hoyle."""
    assert not response.startswith(b"HTTP/1.0 500"), response
    assert b"fault of Hoyle" not in response
