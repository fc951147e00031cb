"""Speaking with the language server of an editor: LSP, as far as a test needs it."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any, Final

HERE: Final = Path(__file__).parent
SERVER: Final = HERE / "node_modules/yaml-language-server/bin/yaml-language-server"
#: As editors have it by default, but for what is fetched from elsewhere.
_SETTINGS: Final = {
    "yaml": {
        "validate": True,
        "hover": True,
        "completion": True,
        "schemaStore": {"enable": False},
        "kubernetesCRDStore": {"enable": False},
    }
}


class Editor:
    """An editor in which one file after the other is opened; it knows the schemas by what the files say of them."""

    def __init__(self, root: Path, hangs: float) -> None:
        self._hangs = hangs
        self._server = subprocess.Popen(
            ["node", str(SERVER), "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root
        )
        self._last = 0
        self._ask("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": {}})
        self._tell("initialized", {})
        self._tell("workspace/didChangeConfiguration", {"settings": _SETTINGS})

    def close(self) -> None:
        """Ends the server."""
        self._server.kill()
        self._server.communicate()

    def open(self, path: Path, text: str) -> list[dict[str, Any]]:
        """What is marked in a file with this text, which has not been open before."""
        about = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
        self._tell("textDocument/didOpen", {"textDocument": about})
        told = self._until(
            lambda said: (
                said.get("method") == "textDocument/publishDiagnostics" and said["params"]["uri"] == path.as_uri()
            )
        )
        marked: list[dict[str, Any]] = told["params"]["diagnostics"]
        return marked

    def completions(self, path: Path, line: int, column: int) -> list[dict[str, Any]]:
        """What is offered at a place (from 0) of an open file."""
        offered = self._ask("textDocument/completion", _place(path, line, column))
        items: list[dict[str, Any]] = offered["items"] if isinstance(offered, dict) else offered or []
        return items

    def hover(self, path: Path, line: int, column: int) -> str:
        """What is shown over a place (from 0) of an open file."""
        shown = self._ask("textDocument/hover", _place(path, line, column))
        contents = shown["contents"] if shown else ""
        return str(contents["value"] if isinstance(contents, dict) else contents)

    def _ask(self, method: str, params: Any) -> Any:
        self._last += 1
        number = self._last
        self._send({"id": number, "method": method, "params": params})
        return self._until(lambda said: said.get("id") == number and "method" not in said)["result"]

    def _tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._server.stdin is not None
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(content), content))
        self._server.stdin.flush()

    def _until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first message that is wanted; what the server asks is answered with nothing."""
        found: list[dict[str, Any]] = []

        def read() -> None:
            while not found:
                said = self._read()
                if "method" in said and "id" in said:
                    nothing = [_SETTINGS["yaml"], {}, {}, {}] if said["method"] == "workspace/configuration" else None
                    self._send({"id": said["id"], "result": nothing})
                elif wanted(said):
                    found.append(said)

        reading = Thread(target=read, daemon=True)
        reading.start()
        reading.join(self._hangs)
        assert found, "the language server says nothing"
        return found[0]

    def _read(self) -> dict[str, Any]:
        assert self._server.stdout is not None
        length = 0
        while (line := self._server.stdout.readline().strip()) or not length:
            assert line, "the language server has ended"
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        said: dict[str, Any] = json.loads(self._server.stdout.read(length))
        return said


def _place(path: Path, line: int, column: int) -> dict[str, Any]:
    return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}}
