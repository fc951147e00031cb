"""A run, and what has changed between two, as data for programs (`check`, `report` and `diff`)."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from hoyle_conformance.reports.diff import Changes, CheckChange
from hoyle_conformance.reports.record import Checked, Record
from hoyle_conformance.wording.failure_view import CauseView


def record_data(record: Record) -> dict[str, Any]:
    """Return a run as `report.schema.json#/$defs/run` describes it."""
    adapter = record.implementation
    return {
        "engine": {
            "name": adapter.name,
            "version": adapter.version,
            "language": adapter.language,
            "command": list(adapter.command),
        },
        "hoyle": record.hoyle,
        "suite": {"version": record.suite, "digest": record.digest},
        "seed": record.seed,
        "shard": record.shard,
        "sandbox": dict(record.sandbox) if record.sandbox else None,
        "started": record.started,
        "ended": record.ended,
        "exit": record.exit,
        "explained": record.explained,
        "broken": record.broken,
        "selected": record.selected,
        "totals": _totals(record.results),
        "rulesets": [_ruleset_data(record, name) for name in record.rulesets],
        "readings": {name: {cell: list(ways) for cell, ways in cells.items()} for name, cells in _readings(record)},
        "causes": [_cause_data(each) for each in record.causes],
        "failures": [_failure_data(each) for each in record.failures],
    }


def _totals(results: Iterable[Checked]) -> dict[str, int]:
    """Return how many checks ended with each status."""
    return dict(sorted(Counter(str(each.status) for each in results).items()))


def _readings(record: Record) -> Iterable[tuple[str, Any]]:
    return (record.readings or {}).items()


def _ruleset_data(record: Record, name: str) -> dict[str, Any]:
    ruleset = record.rulesets[name]
    return {
        "ruleset": name,
        "title": ruleset.title,
        "game": ruleset.game,
        "claimed": name in record.claimed,
        "checks": ruleset.checks,
        "totals": _totals(record.of_rulesets[name]),
    }


def _cause_data(cause: CauseView) -> dict[str, Any]:
    rule = {"ruleset": cause.rule.ruleset, "cell": cause.rule.cell, "says": cause.rule.says} if cause.rule else None
    return {"cause": cause.id, "says": cause.says, "checks": list(cause.checks), "rule": rule}


def _failure_data(checked: Checked) -> dict[str, Any]:
    failure = checked.failure
    return {
        "check": checked.check,
        "title": checked.title,
        "status": str(checked.status),
        "file": checked.file,
        "line": checked.line,
        "cites": list(checked.cites),
        "reason": checked.reason,
        "remedy": checked.remedy,
        "expected": failure.expected if failure else "",
        "observed": failure.observed if failure else "",
        "again": failure.again if failure else "",
    }


def changes_data(changes: Changes) -> dict[str, Any]:
    """Return what has changed between two runs, as `diff.schema.json` describes it."""
    gone, new = changes.claims
    return {
        "old": changes.old.file,
        "new": changes.new.file,
        "worse": changes.worse,
        "checks": [
            {"change": str(kind), **_change_data(each)} for kind, some in changes.checks.items() for each in some
        ],
        "readings": [
            {"ruleset": each.ruleset, "cell": each.cell, "was": list(each.was), "now": list(each.now)}
            for each in changes.readings
        ],
        "runs": [{"what": each.what, "was": each.was, "now": each.now} for each in changes.said],
        "claims": {"gone": list(gone), "new": list(new)},
    }


def _change_data(change: CheckChange) -> dict[str, Any]:
    was, now = (each and str(each.status) for each in (change.was, change.now))
    return {"check": change.checked.check, "title": change.checked.title, "was": was, "now": now}
