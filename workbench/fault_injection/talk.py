"""A browser's part in a conversation with `hoyle table`: it opens a page, asks for a draft, and ends the server."""

import http.client
import json
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from fault_injection.commands import RULESETS, SCENARIOS

_ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:(\d+)/table\.html\?token=([\w-]+)\n(?:.*\n)*.*ends it\.\n")
#: Seconds for a server to begin, to answer, and to end by itself.
_BEGINS, _ANSWERS, _ENDS = 300, 60, 2
#: The errors of a connection that the server has broken off.
_BROKEN: Final = (OSError, http.client.HTTPException)


@dataclass(frozen=True)
class Answer:
    """What a server has answered to a request: a status, 0 if the connection broke, and a text."""

    request: str
    status: int
    text: str

    @property
    def refuses(self) -> bool:
        """Whether the answer is an error, so that nobody takes it for what was asked for."""
        return self.status != http.HTTPStatus.OK or '{"error": ' in self.text


def talk(process: "subprocess.Popen[bytes]", output: Path) -> list[Answer]:
    """Return the answers of a server, and interrupt it, unless it ends by itself."""
    answers = list[Answer]()
    if found := _address(process, output):
        for answer in _answers(int(found[1]), found[2]):
            answers.append(answer)
            if not answer.status:
                break
    if not (found and answers[-1].status):
        with suppress(subprocess.TimeoutExpired):
            process.wait(_ENDS)
    process.send_signal(signal.SIGINT)
    return answers


def _answers(port: int, token: str) -> Iterator[Answer]:
    """Yield the answers to requests for some pages, for a position, and for a draft of it."""
    headers = {"Cookie": f"hoyle-{port}={token}", "Content-Type": "application/json"}
    for path in ("/", f"/rulesets/{RULESETS[0]}.html", "/assets/table-playing.js"):
        answer = _asked(port, "GET", path, headers)
        yield replace(answer, text=answer.text.replace(f":{port}/", ":PORT/"))
    position = _asked(port, "POST", "/ask", headers, {"ask": "position", "id": SCENARIOS[0]})
    yield position
    if not position.refuses:
        draft = {"id": "hundred.mine", "title": "Mine", "layout": json.loads(position.text)["layout"]}
        yield _asked(port, "POST", "/ask", headers, {"ask": "file", **draft})


def _address(process: "subprocess.Popen[bytes]", output: Path) -> re.Match[str] | None:
    """Return the address that a server prints when it is ready; None if the server ends before."""
    until = time.monotonic() + _BEGINS
    while not (found := _ADDRESS.search(output.read_text("utf-8", "replace"))) and time.monotonic() < until:
        if process.poll() is not None:
            return None
        time.sleep(0.01)
    return found


def _asked(port: int, method: str, path: str, headers: dict[str, str], body: dict[str, Any] | None = None) -> Answer:
    request = f"{method} {body['ask'] if body else path}"
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_ANSWERS)
    try:
        connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        return Answer(request, answer.status, answer.read().decode())
    except _BROKEN as error:
        return Answer(request, 0, type(error).__name__)
    finally:
        connection.close()
