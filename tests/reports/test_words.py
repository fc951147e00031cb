"""The messages of a report: each is used, and the last line explains an exit code other than 0, with what to do."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from conftest import ROOT, Done
from hoyle_conformance.protocol.messages import AdapterInfo, ProtocolError
from hoyle_conformance.reports.failure import _HINTS as HINTS
from hoyle_conformance.reports.words import exit_line, explain_exit, phrases
from hoyle_conformance.runner.interrupts import Stop, StopCode
from hoyle_conformance.runner.results import OWN_FAULT, Exit, Result, Run, Status
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

READY = AdapterInfo("x", "1", "Python", frozenset({"bezique-hoyle"}), frozenset({"play"}))
NO_RULESET = ("ruleset rubicon-hoyle",)
NO_CLAIMS = replace(READY, rulesets=frozenset())
ENDED_BADLY = ProtocolError("ended-badly", "exit code 7")
GAVE_UP = Stop(StopCode.BROKE_IN_ALL, 2)


@pytest.fixture(scope="module")
def checks(suite: Suite) -> list[Check]:
    return [each for each in suite.index.checks.values() if all("do" in step for step in each.scenario.steps)][:3]


def a_run(
    checks: list[Check], *statuses: Status, ready: AdapterInfo = READY, run: dict[str, Any] | None = None, **of: Any
) -> Run:
    """A run of three checks, of which so many were put to it."""
    results = [Result(check, status, **of) for check, status in zip(checks, statuses, strict=False)]
    return Run(ready, (), checks[: max(len(results), 1)], results, **(run or {}))


PASS, FAIL, SKIPPED, UNSUPPORTED = Status.PASS, Status.FAIL, Status.SKIPPED, Status.UNSUPPORTED


def test_where_all_is_as_expected_nothing_is_explained(checks: list[Check]) -> None:
    assert explain_exit(a_run(checks, PASS, PASS)) == ""


@pytest.mark.parametrize(
    ("statuses", "more", "code", "says"),
    [
        ([PASS, FAIL], {}, 1, "1 check failed; fix the engine or its adapter, or add known failures to the baseline"),
        ([Status.UNEXPECTED_PASS], {}, 1, "1 known failure now passes; remove its line from the baseline"),
        ([Status.ERROR], {"code": OWN_FAULT}, 1, "Hoyle itself failed in 1 check; please report it"),
        ([PASS, Status.CRASH], {}, 2, "the conversation broke in 1 check; fix the adapter first: --log FILE"),
        ([Status.TIMEOUT] * 2, {"run": {"stopped": GAVE_UP}}, 2, "broke in 2 checks, so 0 checks did not run; "),
        ([PASS], {"run": {"ending": ENDED_BADLY}}, 2, "did not end cleanly: exit code 7; it must"),
        ([PASS, SKIPPED], {}, 3, "1 claimed check was not done; do them, or claim less; or add them to the baseline"),
        ([], {"run": {"stopped": Stop(StopCode.DEADLINE, 6.0)}}, 3, "has passed, with 1 check not run; run the"),
        ([UNSUPPORTED], {"lacks": NO_RULESET}, 3, "the engine claims bezique-hoyle, not rubicon-hoyle; claim"),
        ([UNSUPPORTED], {"lacks": ("play", "turn")}, 3, "does not claim what these checks need, such as 'play'; "),
        (
            [Status.EXPECTED_FAILURE] * 2,
            {"expected_status": FAIL},
            1,
            "so the baseline excuses nothing: 2 checks failed",
        ),
        ([FAIL], {"expected_status": Status.CRASH}, 1, "; 1 check has a status that the baseline does not expect; "),
        ([SKIPPED], {"known": True}, 3, "nothing ran: every check that was selected is in the baseline; select others"),
        (
            [UNSUPPORTED],
            {"lacks": NO_RULESET, "ready": NO_CLAIMS},
            3,
            "the engine claims no ruleset; name those that it ",
        ),
    ],
)
def test_each_reason_is_told_with_its_remedy(
    checks: list[Check], statuses: list[Status], more: dict[str, Any], code: int, says: str
) -> None:
    run = a_run(checks, *statuses, **more)
    line = explain_exit(run)
    assert run.exit == code
    assert line.startswith(f"exit {code}: ")
    assert says in line
    assert line.endswith(".")


def test_the_question_that_was_not_answered_is_named(suite: Suite) -> None:
    asking = [
        each for each in suite.index.checks.values() if {step.get("ask") for step in each.scenario.steps} == {"worth"}
    ]
    line = explain_exit(a_run(asking, SKIPPED, SKIPPED))
    assert "2 claimed checks were not done; answer 'worth', or stop claiming it; or add them to the baseline." in line


def test_reasons_of_one_code_stand_together(checks: list[Check]) -> None:
    run = Run(READY, (), checks, [Result(checks[0], FAIL), Result(checks[1], Status.UNEXPECTED_PASS)])
    assert explain_exit(run).count("; ") == 3
    line = explain_exit(Run(READY, (), checks, [Result(checks[0], SKIPPED)]))
    assert "the run was stopped, with 2 checks not run; " in line
    assert "1 claimed check was not done; " in line


def test_a_signal_is_explained_by_its_own_code(checks: list[Check]) -> None:
    run = a_run(checks, run={"stopped": Stop()})
    assert explain_exit(run, 130) == "exit 130: interrupted, with 1 check not run; run the command again for these."


def test_what_an_adapter_says_of_itself_does_no_harm(checks: list[Check]) -> None:
    said = ProtocolError("ended-badly", "\x1b[31m\nexit 0")
    assert "\x1b" not in explain_exit(a_run(checks, PASS, run={"ending": said}))
    assert "\n" not in exit_line(Exit.ADAPTER_BROKE, "a\nb")


@pytest.mark.parametrize(
    ("words", "last"),
    [
        (["check", "-s", "cut.equal-cards", "--", "no-such-program"], "exit 2: no check was sent, because Hoyle "),
        (["validate", "tests/conftest.py"], "exit 5: 1 mistake found."),
        (["check", "--rules", "README.md"], "exit 4: 1 mistake found."),
    ],
)
def test_the_last_line_of_every_command_tells_it(hoyle: Callable[..., Done], words: list[str], last: str) -> None:
    done = hoyle(*words)
    assert done.stderr.splitlines()[-1].startswith(last)
    assert str(done.returncode) == last[5]


# ---- the messages


def test_every_message_is_used_and_every_name_has_one() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "conformance/hoyle_conformance").rglob("*.py"))
    known = {f"{kind}.{each}" for kind, some in {"stop": StopCode, "hint": HINTS}.items() for each in some}
    used = {*re.findall(r'["\']([a-z]+(?:-[a-z]+)*(?:\.[a-z-]+)*)["\']', code), *known}
    unused = {name for name in phrases() if name not in used and not name.startswith("wrong.")}
    assert unused == set()
    named = re.findall(r'phrase\(\s*"([^"]+)"', code)
    assert known.union(named) <= phrases().keys()
