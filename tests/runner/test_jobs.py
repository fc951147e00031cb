"""Several jobs: they give the report and the record of one, and leave nothing behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import HANGS, ROOT, Done, goldens, lines, timeless
from hoyle_conformance.protocol.adapters import Implementation
from hoyle_conformance.runner import jobs
from hoyle_conformance.runner.interrupts import Stop, StopCode
from hoyle_conformance.runner.reference_adapter import Log, start_reference
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.runner.run import run
from hoyle_conformance.suite.suite import Suite
from whole.test_faulty_adapters import FAULTY_ADAPTERS, REPORTS, exit_code_in, report_of

pytestmark = pytest.mark.slow

Hoyle = Callable[..., Done]
ADAPTER = [sys.executable, str(ROOT / "conformance/adapters/python/tricks.py")]
#: Faulty adapters, whose faults stay with the checks in which they are committed.
OF_EVERY_KIND = ["second-identical-card-wins", "hangs-once", "crashes", "claims-another-game", "crashes-at-bye"]


def unlogged(_line: bytes) -> None:
    pass


@pytest.mark.parametrize(
    ("words", "number"),
    [(["-s", "seven", "-r", "bezique-hoyle"], "3"), (["-s", "tricks", "-r", "bezique-hoyle", *ADAPTER], "2")],
    ids=["built in", "adapter"],
)
def test_several_jobs_give_the_report_and_the_record_of_one(
    hoyle: Hoyle, tmp_path: Path, words: list[str], number: str
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    wanted = hoyle("check", "--record", str(one), *words)
    done = hoyle("check", "--record", str(other), "--jobs", number, *words)
    assert done == wanted
    assert timeless(other) == timeless(one)
    assert lines(one)[-1]["type"] == "footer"


@pytest.mark.parametrize("fault", OF_EVERY_KIND)
def test_several_jobs_print_the_report_of_one(hoyle: Hoyle, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    report, code = report_of(fault, hoyle, monkeypatch, "--jobs", "2")
    assert report == goldens(REPORTS)[fault]["report"]
    assert code == exit_code_in(report)


def test_known_failures_are_known_to_every_job(hoyle: Hoyle, tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("tricks.identical-trumps@bezique-hoyle\ntricks.king-over-queen@bezique-hoyle\n")
    words = ["check", "-s", "tricks", "-r", "bezique-hoyle", "--baseline", str(known)]
    adapter = ["--", sys.executable, str(FAULTY_ADAPTERS), "second-identical-card-wins"]
    one, two = hoyle(*words, *adapter), hoyle(*words, "--jobs", "2", *adapter)
    assert one == two
    assert "1 failed as expected" in two.stdout
    assert "1 known failure now passes" in two.stdout


def test_a_run_is_given_up_after_the_same_check(suite: Suite, hoyle: Hoyle, tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    first = next(check for check in suite.index.checks.values() if check.scenario.topic == "cut")
    known.write_text(f"{first.id} crash\n")
    words = ["check", "-s", "cut", "-r", first.ruleset, "--baseline", str(known), "--record"]
    adapter = ["--", sys.executable, str(FAULTY_ADAPTERS), "crashes"]
    one, four = tmp_path / "one", tmp_path / "four"
    assert hoyle(*words, str(one), *adapter) == hoyle(*words, str(four), "--jobs", "4", *adapter)
    assert timeless(one) == timeless(four)
    assert lines(four)[-1]["totals"] == {"crash": 3, "expected-failure": 1}


def test_the_log_keeps_the_messages_of_each_check_in_their_order(hoyle: Hoyle, tmp_path: Path) -> None:
    log = tmp_path / "log"
    hoyle("check", "-s", "tricks", "-r", "bezique-hoyle", "--jobs", "3", "--log", str(log), "--", *ADAPTER)
    messages = lines(log)
    asked = [message["seq"] for message in messages if message["type"] == "run"]
    assert asked == sorted(asked)
    assert [message["seq"] for message in messages if message["type"] == "observed"] == asked
    for kind in ("hello", "ready", "bye"):
        assert sum(message["type"] == kind for message in messages) == 3


def test_where_processes_are_no_copies_they_load_the_suite(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "START_METHOD", "spawn")
    checks = [check for check in suite.index.checks.values() if check.scenario.topic == "cut"]
    others = jobs.helpers(suite, start_reference, unlogged, checks, 2)
    assert run(suite, start_reference(suite, unlogged), checks, helpers=others) == run(
        suite, start_reference(suite, unlogged), checks
    )


def test_where_a_job_ends_too_soon_what_was_measured_is_told_all_the_same(suite: Suite) -> None:
    def ending(_suite: Suite, _log: Log) -> Implementation:
        os._exit(0)

    checks = list(suite.index.checks.values())[:10]
    others = jobs.helpers(suite, ending, unlogged, checks, 2)
    done = run(suite, start_reference(suite, unlogged), checks, helpers=others)
    assert done.stopped == Stop(StopCode.LOST_PROCESS)
    assert [result.check for result in done.results] == [checks[0], checks[2]]
    assert done.exit is Exit.TOO_LITTLE_RAN


def there(path: Path) -> bool:
    """Whether the process is there after whose number a file is named."""
    try:
        os.kill(int(path.name), 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.posix
@pytest.mark.parametrize(("name", "to_all"), [("SIGTERM", False), ("SIGINT", True)])
def test_what_any_job_has_measured_is_recorded_when_the_run_is_interrupted(
    suite: Suite, tmp_path: Path, name: str, to_all: bool
) -> None:
    """The second of three hangs; the third does all of its share meanwhile; the first waits for the second."""
    record, pids = tmp_path / "record", tmp_path / "pids"
    pids.mkdir()
    adapter = f"echo > {pids}/$$; exec {sys.executable} {FAULTY_ADAPTERS} hangs-once"
    options = ["--jobs", "3", "--timeout", str(HANGS), "--record", str(record)]
    command = [
        sys.executable,
        "-m",
        "hoyle_conformance",
        "check",
        "-s",
        "cut",
        "-r",
        "bezique-hoyle",
        *options,
        "--",
        "sh",
        "-c",
        adapter,
    ]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as hoyle:
        while sorted(map(there, pids.iterdir())) != [False, True, True]:
            assert hoyle.poll() is None
            time.sleep(0.05)
        (os.killpg if to_all else os.kill)(hoyle.pid, getattr(signal, name))
        out, err = hoyle.communicate(timeout=HANGS)
    cut = [name for name in suite.index.checks if name.startswith("cut.") and name.endswith("@bezique-hoyle")]
    measured = [cut[0], *cut[2:4], *cut[5::3]]  # the first has asked one ahead
    assert [line["check"] for line in lines(record)[1:-1]] == measured
    assert lines(record)[-1]["exit"] == 3
    assert hoyle.returncode == -getattr(signal, name)
    assert f"Interrupted: {len(cut) - len(measured)} checks not run.".encode() in out
    assert err == b""
    assert [there(path) for path in pids.iterdir()] == [False] * 3
