"""The record of a run: JSON lines with a header and a footer, so that a record cut off can be seen to be so.

A record is written in place, line by line: a run may take hours, and if it is killed its results must be where the
user looks for them. The lock on the file goes with the process.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, Protocol

from hoyle_conformance import __version__
from hoyle_conformance.protocol.messages import PROTOCOL, AdapterInfo
from hoyle_conformance.runner.guard import or_else
from hoyle_conformance.runner.results import FAILED, Failure, FailureGroup, Mismatch, Result, Run, Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_reference.frozen import frozen

#: In a record every scenario lies where it lies in the suite, wherever that is installed.
_SPEC: Final = "spec"


def utc() -> str:
    """The time, to the second, in UTC: ``2026-11-22T20:01:02Z``."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class FailureWords(Protocol):
    """Says in words what went wrong, as the record keeps it."""

    def failure(self, failure: Failure) -> Mapping[str, Any]:
        """All that is told of a failure."""

    def cause(self, cause: FailureGroup) -> Mapping[str, Any]:
        """All that is told of a cause."""

    def run(self, run: Run) -> Mapping[str, Any]:
        """All that is told of a run as a whole."""


#: Who tells what went wrong with an implementation that has said this of itself, and is started by this command.
Teller = Callable[[AdapterInfo, Sequence[str]], FailureWords]


@frozen
class Call:
    """How a run was called for: the words that put a check again, without the adapter; `seed`, which turns the checks,
    or nothing where they are as written; and which part of a selection it is, ``2/5``, where that was divided."""

    again: Sequence[str] = ("hoyle", "check")
    seed: str | None = ""
    shard: str = ""


#: 'hoyle check', with nothing more.
_PLAIN: Final = Call()


class Recorder:
    """Writes a run's record as it goes, so that nothing measured is lost, with what somebody `tells` of its failures,
    and when it was by the clock.

    Each line is as `record.schema.json` describes it.
    """

    def __init__(
        self,
        suite: Suite,
        write: Callable[[bytes], object] | None = None,
        call: Call = _PLAIN,
        teller: Teller | None = None,
        clock: Callable[[], str] = utc,
    ) -> None:
        self._suite, self._write_line, self._call = suite, write, call
        self._teller, self._clock = teller, clock
        self._tells: FailureWords = _Silent()

    def begin(self, ready: AdapterInfo, command: tuple[str, ...], selected: Sequence[Check]) -> None:
        """The header."""
        if self._teller:
            self._tells = self._teller(ready, command)
        self._write(lambda: _header(self._suite, ready, command, selected, self._call) | {"started": self._clock()})

    def add(self, result: Result) -> None:
        """What became of one check."""
        self._write(lambda: _result(self._suite, result) | self._told(result))

    def end(self, run: Run) -> None:
        """The footer."""
        self._write(lambda: _footer(run) | self._of_the_run(run) | {"ended": self._clock()})

    def _of_the_run(self, run: Run) -> dict[str, Any]:
        explained = _if_it_can_be_said(partial(self._tells.run, run))
        return {"causes": list(map(self._cause, run.causes)), **explained}

    def _cause(self, cause: FailureGroup) -> dict[str, Any]:
        return _cause(cause) | _if_it_can_be_said(partial(self._tells.cause, cause))

    def _told(self, result: Result) -> dict[str, Any]:
        """What is told of a failure, also of one that was foreseen."""
        if result.status not in _FAILURES:
            return {}
        failure = Failure(result, result.mismatch)
        told = _if_it_can_be_said(partial(self._tells.failure, failure))
        return {"line": failure.line, **({"told": told} if told else {})}

    def _write(self, make: Callable[[], Mapping[str, Any]]) -> None:
        if self._write_line:  # what nobody reads is not even made
            self._write_line(json.dumps(make()).encode() + b"\n")


class _Silent:
    """Where nobody tells anything."""

    def failure(self, _failure: Failure) -> Mapping[str, Any]:
        return {}

    def cause(self, _cause: FailureGroup) -> Mapping[str, Any]:
        return {}

    def run(self, _run: Run) -> Mapping[str, Any]:
        return {}


def _if_it_can_be_said(say: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """What is said; nothing where Hoyle itself fails in that, for the rest of the line is worth keeping."""
    nothing: Mapping[str, Any] = {}
    return dict(or_else(nothing, say))


#: What is told of.
_FAILURES: Final = FAILED | {Status.EXPECTED_FAILURE}


def _header(
    suite: Suite, ready: AdapterInfo, command: tuple[str, ...], selected: Sequence[Check], call: Call
) -> dict[str, Any]:
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
        "selected": len(selected),
        "seed": call.seed,
        **({"shard": call.shard} if call.shard else {}),
        "again": list(call.again),
        "rulesets": _rulesets(suite, dict.fromkeys(check.ruleset for check in selected)),
    }


def _rulesets(suite: Suite, names: Iterable[str]) -> dict[str, Any]:
    """What each ruleset is called, which game it is a form of, and how many checks the suite has of it."""
    games = {name: suite.rulesets[name.partition("+")[0]].game for name in names}
    checks = suite.index.checks_by_ruleset
    return {
        name: {"title": suite.rules.title(name), "game": game, "checks": checks[name]} for name, game in games.items()
    }


def _result(suite: Suite, result: Result) -> dict[str, Any]:
    check = result.check
    line: dict[str, Any] = {
        "type": "result",
        "check": check.id,
        "title": check.scenario.title,
        "file": _file(suite, check),
        "cites": list(check.cites),
        "status": str(result.status),
        "milliseconds": result.milliseconds,
    }
    if result.mismatches:
        line["mismatches"] = list(map(_mismatch, result.mismatches))
    if result.reading:
        line["readings"] = list(result.readings)
    marks = {"computed": check.computed, "known": result.known}
    said = {key: getattr(result, key) for key in ("code", "reason", "remedy")}
    words = {key: list(getattr(result, key)) for key in ("lacks", "partly")}
    expects = {"expected_status": result.expected_status and str(result.expected_status)}
    return line | {key: value for key, value in (marks | expects | said | words).items() if value}


def _file(suite: Suite, check: Check) -> str:
    """Where a scenario is written in a suite; elsewhere, for one that is not of it, its name as it is printed."""
    file, folder = check.scenario.file, f"{suite.shown(suite.root)}/"
    return f"{_SPEC}/{file.removeprefix(folder)}" if file.startswith(folder) else file


def _mismatch(mismatch: Mismatch) -> dict[str, Any]:
    different: dict[str, Any] = {
        "step": mismatch.step,
        "what": mismatch.what,
        "expected": mismatch.expected,
        "observed": mismatch.observed,
    }
    return {**different, "reason": mismatch.reason} if mismatch.reason else different


def _cause(cause: FailureGroup) -> dict[str, Any]:
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
        "exit": int(run.exit),
        **({"stopped": run.stopped} if run.stopped else {}),
        **({"ending": {"code": run.ending.code, "reason": run.ending.message}} if run.ending else {}),
    }
