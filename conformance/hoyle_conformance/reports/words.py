"""The sentences of a report: what a run found, as codes and values, in the words of `words.json`.

That file has the text of every message, by the part of a report and what it says. Search it for a phrase of a report;
then search for its name, such as ``exit.broke``, to find where the phrase is used.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.checks.combinations import AS_ASKED
from hoyle_conformance.runner.guard import DEBUG, OWN_FAULT
from hoyle_conformance.runner.interrupts import Stop
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.wording.text import plural

FILE: Final = Path(__file__).with_name("words.json")


@cache
def phrases() -> Mapping[str, str]:
    """Return the text of every message, by its name."""
    found: dict[str, str] = json.loads(FILE.read_bytes())
    return found


def phrase(name: str, **values: Any) -> str:
    """Return the message of this name, with its values."""
    return phrases()[name].format_map(values)


def reason(result: Result) -> str:
    """Return why a check did not simply pass, beyond what its mismatches show; empty if there is nothing to say."""
    if result.code == OWN_FAULT:
        return phrase("result.own-fault", error=result.reason)
    if found := result.contradiction:
        here, there = (" or ".join(f"'{name}'" for name in names) for names in (found.here, found.there))
        return phrase("result.contradiction", path=found.path, here=here, there=there, other=found.other)
    if result.status is Status.UNEXPECTED_PASS:
        return phrase("result.now-passes")
    if result.lacks:
        return phrase(
            "result.declared-nothing" if AS_ASKED in result.lacks else "result.not-claimed",
            lacks=", ".join(result.lacks),
        )
    output = phrase("result.output", output=result.output) if result.output else ""
    return f"{result.reason}{output}"


def remedy(result: Result) -> str:
    """Return what to do about a result; empty if there is nothing to say."""
    if result.code == OWN_FAULT:
        return phrase("result.own-fault.remedy", debug=DEBUG)
    if result.contradiction:
        return phrase("result.contradiction.remedy")
    if result.status is Status.UNEXPECTED_PASS:
        by_id = result.expected_by == result.check.id
        return phrase("result.now-passes.remedy" if by_id else "result.now-passes.pattern", line=result.expected_by)
    return result.remedy


def stop_reason(stop: Stop) -> str:
    """Return why a run ended before its last check."""
    return phrase(f"stop.{stop.code}", limit=stop.limit, failures=plural(int(stop.limit), "failure"))
