"""The record of a run: JSON lines with a header and a footer, so that a record cut off can be seen to be so."""

import json
from collections.abc import Callable
from typing import Any

from .. import __version__
from ..protocol.messages import PROTOCOL, Ready
from ..suite.value import Suite
from .results import Cause, Mismatch, Result, Run


class Recorder:
    """Writes a run's record as it goes, so that nothing measured is lost; `seed` is what turns the checks, or nothing
    where they are as written.

    Each line is as `record.schema.json` describes it.
    """

    def __init__(self, suite: Suite, write: Callable[[bytes], object] | None = None, seed: str | None = "") -> None:
        self._suite, self._write_line, self._seed = suite, write, seed

    def begin(self, ready: Ready, command: tuple[str, ...], selected: int) -> None:
        """The header."""
        self._write(_header, self._suite, ready, command, selected, self._seed)

    def add(self, result: Result) -> None:
        """What became of one check."""
        self._write(_result, result)

    def end(self, run: Run) -> None:
        """The footer."""
        self._write(_footer, run)

    def _write(self, make: Callable[..., dict[str, Any]], *about: Any) -> None:
        if self._write_line:  # what nobody reads is not even made
            self._write_line(json.dumps(make(*about)).encode() + b"\n")


def _header(suite: Suite, ready: Ready, command: tuple[str, ...], selected: int, seed: str | None) -> dict[str, Any]:
    implementation: dict[str, Any] = {
        "name": ready.name,
        "version": ready.version,
        "language": ready.language,
        "rulesets": sorted(ready.rulesets),
        "claims": sorted(ready.claims),
    }
    if command:
        implementation["command"] = list(command)
    return {
        "type": "header",
        "hoyle": __version__,
        "protocol": PROTOCOL,
        "suite": {"version": suite.version, "digest": suite.digest},
        **({"rules": suite.house.written} if suite.house else {}),
        "implementation": implementation,
        "selected": selected,
        "seed": seed,
    }


def _result(result: Result) -> dict[str, Any]:
    line: dict[str, Any] = {"type": "result", "check": result.check.id, "status": str(result.status)}
    line |= {"computed": True} if result.check.computed else {}
    if result.mismatches:
        line["mismatches"] = list(map(_mismatch, result.mismatches))
    if result.reading:
        line["readings"] = list(result.readings)
    line |= {key: value for key in ("code", "reason") if (value := getattr(result, key))}
    return line


def _mismatch(mismatch: Mismatch) -> dict[str, Any]:
    different: dict[str, Any] = {
        "step": mismatch.step,
        "what": mismatch.what,
        "expected": mismatch.expected,
        "observed": mismatch.observed,
    }
    return {**different, "reason": mismatch.reason} if mismatch.reason else different


def _cause(cause: Cause) -> dict[str, Any]:
    told = {"cause": cause.id, "what": cause.kind, "checks": list(cause.checks), "comes_from": list(cause.comes_from)}
    return told | {key: value for key in ("word", "refusal", "reason", "cell") if (value := getattr(cause, key))}


def _footer(run: Run) -> dict[str, Any]:
    readings = {name: {cell: list(ways) for cell, ways in cells.items()} for name, cells in run.readings.items()}
    totals = {str(status): count for status, count in sorted(run.totals.items())}
    return {
        "type": "footer",
        "totals": totals,
        "ran": sum(result.ran for result in run.results),
        "readings": readings,
        "causes": list(map(_cause, run.causes)),
        "exit": int(run.exit),
        **({"stopped": run.gave_up or run.interrupted} if run.gave_up or run.interrupted else {}),
        **({"ending": {"code": run.ending.code, "reason": run.ending.message}} if run.ending else {}),
    }
