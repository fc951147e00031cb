"""The record of a run in the Common Test Report Format, JSON that many tools read; see https://ctrf.io."""

import json
from collections import Counter
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.reports.record import NOT_ASKED, Checked, Record, epoch_seconds
from hoyle_conformance.reports.summary import failure_text, reason_line
from hoyle_conformance.runner.results import UNEXPECTED, Status

_VERSION: Final = "0.0.0"
_SECOND: Final = 1_000  # milliseconds
_STATUSES: Final = MappingProxyType(
    {Status.PASS: "passed", **dict.fromkeys(UNEXPECTED, "failed"), **dict.fromkeys(NOT_ASKED, "skipped")}
)
_ALL: Final = ("passed", "failed", "skipped", "pending", "other")


def ctrf(record: Record) -> str:
    """Return the whole document.

    There is a test for each check of the rulesets that are claimed; a run that as a whole is not as expected is a
    failed test of its own.
    """
    results = [each for each in record.results if each.ruleset in record.claimed]
    tests = list(map(_test, results))
    if record.broken:
        run = {"testId": "run", "name": "The run as a whole", "status": "failed", "duration": 0}
        tests.append({**run, "message": record.broken})
    document = {
        "reportFormat": "CTRF",
        "specVersion": _VERSION,
        "generatedBy": f"hoyle {record.hoyle}",
        "results": {
            "tool": {"name": "hoyle", "version": record.hoyle},
            "summary": _summary(record, tests),
            "tests": tests,
            "environment": {"appName": record.implementation.name, "appVersion": record.implementation.version},
            "extra": {"suite": {"version": record.suite, "digest": record.digest}},
        },
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _summary(record: Record, tests: list[dict[str, Any]]) -> dict[str, int]:
    counts = Counter(each["status"] for each in tests)
    start, took = epoch_seconds(record.started) * _SECOND, sum(each.milliseconds for each in record.results)
    stop = epoch_seconds(record.ended) * _SECOND if record.ended else start + took
    return {
        "tests": len(tests),
        **{status: counts[status] for status in _ALL},
        "suites": len(record.claimed),
        "start": start,
        "stop": stop,
    }


def _test(checked: Checked) -> dict[str, Any]:
    test: dict[str, Any] = {
        "testId": checked.check,
        "name": checked.title,
        "status": _STATUSES.get(checked.status, "other"),
        "rawStatus": str(checked.status),
        "duration": checked.milliseconds,
        "suite": [checked.ruleset, checked.topic],
        "filePath": checked.file,
        "labels": {"scenario": checked.scenario, "ruleset": checked.ruleset},
    }
    more = {"line": checked.line, "tags": list(checked.cites), "message": reason_line(checked)}
    trace = {"trace": failure_text(checked)} if checked.failure else {}
    return test | {key: value for key, value in more.items() if value} | trace
