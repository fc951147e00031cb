"""The record of a run: JSON lines with a header and a footer; a record without a footer is incomplete.

The record is written line by line to its final place, because a run may take hours: if it is killed, the results are
where the user looks for them. The lock on the file ends with the process.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final, Protocol

from hoyle_conformance import __version__
from hoyle_conformance.protocol.messages import PROTOCOL, AdapterInfo
from hoyle_conformance.protocol.sandbox import NAME
from hoyle_conformance.runner.interrupts import Stop
from hoyle_conformance.runner.results import UNEXPECTED, Failure, FailureGroup, Mismatch, Result, Run, Status, or_else
from hoyle_conformance.runner.select import is_game
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

#: Stands for the folder of the suite in a record, regardless of where the suite is installed.
_SPEC: Final = "spec"


def utc() -> str:
    """Return the current time in UTC, to the second: ``2026-11-22T20:01:02Z``."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class FailureWords(Protocol):
    """Puts the failures of a run into the words of the record."""

    def result(self, result: Result) -> Mapping[str, str]:
        """Return the `reason` and the `remedy` of a result in words."""

    def stopped(self, stop: Stop) -> str:
        """Return the words for why a run ended before its last check."""

    def failure(self, failure: Failure) -> Mapping[str, Any]:
        """Return the words for a failure."""

    def cause(self, cause: FailureGroup) -> Mapping[str, Any]:
        """Return the words for a cause."""

    def run(self, run: Run) -> Mapping[str, Any]:
        """Return the words for a run as a whole."""


#: Returns the words for the failures of an adapter with this introduction and this command.
Teller = Callable[[AdapterInfo, Sequence[str]], FailureWords]


#: The words of a call that checks an engine in this process.
IN_PROCESS: Final = ("hoyle.check",)


@dataclass(frozen=True, slots=True)
class Call:
    """The command line of a run.

    `again` are the words that run a check again, without the adapter. `seed` is that of the relabelling, or None if the
    checks are sent as written. `shard` is the part of a divided selection, such as ``2/5``, and `sandbox` whether the
    adapter runs in a sandbox.
    """

    again: Sequence[str] = ("hoyle", "check")
    seed: str | None = ""
    shard: str = ""
    sandbox: bool = False


#: Plain 'hoyle check'.
_PLAIN: Final = Call()


class Recorder:
    """The writer of a run's record, which writes each result at once, so that none is lost.

    Each line is as `record.schema.json` describes it, with failures in the words of a `teller` and times from a
    `clock`.
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
        self._words: FailureWords = _Silent()

    def begin(self, info: AdapterInfo, command: tuple[str, ...], selected: Sequence[Check]) -> None:
        """Write the header."""
        if self._teller:
            self._words = self._teller(info, command)
        self._write(lambda: _header(self._suite, info, command, selected, self._call) | {"started": self._clock()})

    def add(self, result: Result) -> None:
        """Write the result of one check."""
        self._write(lambda: _result(self._suite, result, self._words) | self._failure(result))

    def end(self, run: Run) -> None:
        """Write the footer."""
        self._write(lambda: _footer(run, self._words) | self._of_the_run(run) | {"ended": self._clock()})

    def _of_the_run(self, run: Run) -> dict[str, Any]:
        return {"causes": list(map(self._cause, run.causes)), **or_else(_NO_WORDS, self._words.run, run)}

    def _cause(self, cause: FailureGroup) -> dict[str, Any]:
        return {**_cause(cause), **or_else(_NO_WORDS, self._words.cause, cause)}

    def _failure(self, result: Result) -> dict[str, Any]:
        """Return the words for a failure, including one that the baseline expects."""
        if result.status not in _FAILURES:
            return {}
        failure = Failure(result, result.mismatch)
        words = or_else(_NO_WORDS, self._words.failure, failure)
        return {"line": failure.line, **({"told": dict(words)} if words else {})}

    def _write(self, make: Callable[[], Mapping[str, Any]]) -> None:
        if self._write_line:  # without a reader, the line is not made
            self._write_line(json.dumps(make()).encode() + b"\n")


class _Silent:
    """The codes and values of failures, without words."""

    def result(self, result: Result) -> Mapping[str, str]:
        return {"reason": result.reason, "remedy": result.remedy}

    def stopped(self, stop: Stop) -> str:
        return stop.code

    def failure(self, _failure: Failure) -> Mapping[str, Any]:
        return {}

    def cause(self, _cause: FailureGroup) -> Mapping[str, Any]:
        return {}

    def run(self, _run: Run) -> Mapping[str, Any]:
        return {}


#: The words if Hoyle itself fails to find them, since the rest of the line is still useful.
_NO_WORDS: Final[Mapping[str, Any]] = MappingProxyType({})
#: The statuses that have words in the record.
_FAILURES: Final = UNEXPECTED | {Status.EXPECTED_FAILURE}


def _header(
    suite: Suite, info: AdapterInfo, command: tuple[str, ...], selected: Sequence[Check], call: Call
) -> dict[str, Any]:
    implementation: dict[str, Any] = {
        "name": info.name,
        "version": info.version,
        "language": info.language,
        "rulesets": sorted(info.rulesets),
        "claims": sorted(info.claims),
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
        **({"sandbox": {"means": NAME}} if call.sandbox else {}),
        "again": list(call.again),
        "rulesets": _rulesets(suite, selected),
    }


def _rulesets(suite: Suite, selected: Sequence[Check]) -> dict[str, Any]:
    """Return the title and the game of each ruleset, and the number of its checks in the suite, with the selected games
    of the census."""
    games = {check.ruleset: suite.rulesets[check.ruleset.partition("+")[0]].game for check in selected}
    checks = suite.index.checks_by_ruleset + Counter(check.ruleset for check in selected if is_game(check))
    return {
        name: {"title": suite.rules.title(name), "game": game, "checks": checks[name]} for name, game in games.items()
    }


def _result(suite: Suite, result: Result, words: FailureWords) -> dict[str, Any]:
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
    texts = {"code": result.code, **or_else(_NO_WORDS, words.result, result)}
    lists = {key: list(getattr(result, key)) for key in ("lacks", "partly")}
    expects = {"expected_status": result.expected_status and str(result.expected_status)}
    return line | {key: value for key, value in (marks | expects | texts | lists).items() if value}


def _file(suite: Suite, check: Check) -> str:
    """Return the path of a scenario within a suite; for a scenario outside the suite, its name as printed."""
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
    words = {"cause": cause.id, "what": cause.kind, "checks": list(cause.checks), "comes_from": list(cause.comes_from)}
    return words | {key: value for key in ("word", "refusal", "reason", "cell") if (value := getattr(cause, key))}


def _footer(run: Run, words: FailureWords) -> dict[str, Any]:
    readings = {name: {cell: list(ways) for cell, ways in cells.items()} for name, cells in run.readings.items()}
    totals = {str(status): count for status, count in sorted(run.totals.items())}
    return {
        "type": "footer",
        "totals": totals,
        "ran": sum(result.ran for result in run.results),
        "readings": readings,
        "exit": int(run.exit),
        **({"stopped": or_else(str(run.stopped.code), words.stopped, run.stopped)} if run.stopped else {}),
        **({"ending": {"code": run.ending.code, "reason": run.ending.message}} if run.ending else {}),
    }
