"""The record of a run as JUnit XML, which GitLab and Jenkins read: a suite for each ruleset, and a case for each
check."""

from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from hoyle_conformance.reports.record import NOT_ASKED, Checked, Record
from hoyle_conformance.reports.summary import failure_text, reason_line, suite_name
from hoyle_conformance.reports.words import phrase
from hoyle_conformance.runner.results import Status

_SECOND: Final = 1_000  # milliseconds


def junit(record: Record) -> str:
    """Return the whole document.

    A case is identified by its `classname` (the ruleset and the topic) and its `name` (the id of the scenario), because
    these never change, while a title may. Rulesets that are not claimed are left out.
    """
    suites = Element("testsuites", name="hoyle")
    for ruleset, results in record.claimed.items():
        if results:
            _suite(suites, ruleset, record, results)
    if record.broken:
        suite = SubElement(suites, "testsuite", name="hoyle", tests="1", failures="0", errors="1", skipped="0")
        case = SubElement(suite, "testcase", classname="hoyle", name=phrase("junit.run"))
        SubElement(case, "error", type="run", message=record.broken).text = record.broken
    for key in ("tests", "failures", "errors"):
        suites.set(key, str(sum(int(each.get(key, "0")) for each in suites)))
    indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(suites, encoding="unicode")}\n'


def _suite(suites: Element, ruleset: str, record: Record, results: Sequence[Checked]) -> None:
    suite = SubElement(
        suites,
        "testsuite",
        name=ruleset,
        tests=str(len(results)),
        failures=str(sum(_kind(each) == "failure" for each in results)),
        errors=str(sum(_kind(each) == "error" for each in results)),
        skipped=str(sum(_kind(each) == "skipped" for each in results)),
        time=_seconds(sum(each.milliseconds for each in results)),
        timestamp=record.started.replace("Z", "+00:00"),
    )
    properties = SubElement(suite, "properties")
    said = {"title": record.rulesets[ruleset].title, "implementation": record.implementation.title}
    for name, value in (said | {"suite": suite_name(record)}).items():
        SubElement(properties, "property", name=name, value=value)
    for each in results:
        _case(suite, each)


def _case(suite: Element, checked: Checked) -> None:
    case = SubElement(
        suite,
        "testcase",
        classname=f"{checked.ruleset}.{checked.topic}",
        name=checked.scenario,
        file=checked.file,
        time=_seconds(checked.milliseconds),
    )
    if kind := _kind(checked):
        type_ = "xfail" if checked.status is Status.EXPECTED_FAILURE else str(checked.status)
        said = reason_line(checked)
        message = said if kind == "skipped" else f"{checked.title}: {said}"
        SubElement(case, kind, type=type_, message=message).text = f"\n{failure_text(checked)}\n"


def _kind(checked: Checked) -> str:
    """Return the name of the element for a result; empty if the check passed."""
    if checked.status in {Status.FAIL, Status.UNEXPECTED_PASS}:
        return "failure"
    if checked.failed:
        return "error"
    return "skipped" if checked.status in {*NOT_ASKED, Status.EXPECTED_FAILURE} else ""


def _seconds(milliseconds: int) -> str:
    return f"{milliseconds // _SECOND}.{milliseconds % _SECOND:03}"
