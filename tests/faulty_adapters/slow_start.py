"""The command with more time for adapters to start: run as ``python tests/faulty_adapters/slow_start.py check …``.

However busy a machine is, what an adapter needs to start is not held against it: only its answers to runs are timed.
"""

from typing import Any

from hoyle_conformance import cli
from hoyle_conformance.protocol import process
from hoyle_conformance.protocol.process import Process

#: Seconds after which an adapter that says nothing of itself is held to hang.
TO_START = 900


class SlowStart(Process):
    """An adapter that may take its time to introduce itself."""

    def ask(self, message: dict[str, Any]) -> Any:
        own = self.timeout
        self.timeout = TO_START if message["type"] == "hello" else own
        try:
            return super().ask(message)
        finally:
            self.timeout = own


if __name__ == "__main__":
    process.Process = SlowStart  # type: ignore[misc]  # that is the patience
    cli.run()
