"""The record of a run: JSON lines with a header and a footer, so that a record cut off can be seen to be so."""

import json
from typing import IO, Any

from .. import __version__
from ..protocol.messages import PROTOCOL, Ready
from ..suite.load import Suite
from .results import Result, Run


class Recorder:
    """Writes a run's record as it goes, so that nothing measured is lost; `stream` is nothing where none is wanted.

    Each line is as `record.schema.json` describes it.
    """

    def __init__(self, suite: Suite, stream: IO[str] | None) -> None:
        self._suite, self._stream = suite, stream

    def begin(self, ready: Ready, command: tuple[str, ...], selected: int) -> None:
        """The header."""
        self._write(_header(self._suite, ready, command, selected))

    def add(self, result: Result) -> None:
        """What became of one check."""
        self._write(_result(result))

    def end(self, run: Run) -> None:
        """The footer."""
        self._write(_footer(run))

    def _write(self, line: dict[str, Any]) -> None:
        if self._stream is not None:
            self._stream.write(json.dumps(line) + "\n")
            self._stream.flush()


def _header(suite: Suite, ready: Ready, command: tuple[str, ...], selected: int) -> dict[str, Any]:
    implementation: dict[str, Any] = {
        "name": ready.name,
        "version": ready.version,
        "language": ready.language,
        "rulesets": sorted(ready.rulesets),
        "capabilities": sorted(ready.capabilities),
    }
    if command:
        implementation["command"] = list(command)
    return {
        "type": "header",
        "hoyle": __version__,
        "protocol": PROTOCOL,
        "suite": {"version": suite.version, "digest": suite.digest},
        "implementation": implementation,
        "selected": selected,
    }


def _result(result: Result) -> dict[str, Any]:
    line: dict[str, Any] = {"type": "result", "check": result.check.id, "status": str(result.status)}
    if result.mismatch:
        mismatch = result.mismatch
        line |= {
            "step": mismatch.step,
            "what": mismatch.what,
            "expected": mismatch.expected,
            "observed": mismatch.observed,
        }
    line |= {key: value for key in ("reading", "code", "reason") if (value := getattr(result, key))}
    return line


def _footer(run: Run) -> dict[str, Any]:
    totals = {str(status): count for status, count in sorted(run.totals.items())}
    return {"type": "footer", "totals": totals, "ran": sum(result.ran for result in run.results), "exit": int(run.exit)}
