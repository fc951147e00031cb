"""The example adapters: each passes everything it claims, and what it does not claim is counted apart."""

import shutil
import subprocess
import sys

import pytest

from conftest import HANGS, ROOT, need
from hoyle_conformance.protocol.implementations import Command
from hoyle_conformance.protocol.messages import Wire
from hoyle_conformance.run.results import Exit, Status
from hoyle_conformance.run.runner import run
from hoyle_conformance.suite.value import Suite

pytestmark = pytest.mark.slow

ADAPTERS = ROOT / "conformance/adapters"
#: Every so manieth check is put to the reference as a process; to itself, it is asked all.
EVERY = 5
#: Compiles a file and runs what comes of it, which does not stay.
COMPILED = 'made=$(mktemp) && trap "rm -f $made" EXIT && cc -std=c11 -Wall -Wextra -Werror -o "$made" "$0" && "$made"'
EXAMPLES = {
    "tricks.py": ("Python", [sys.executable, str(ADAPTERS / "python/tricks.py")], {"tricks", "legal-plays"}),
    "piquet.py": (
        "Python",
        [sys.executable, str(ADAPTERS / "python/piquet.py")],
        {"tricks", "melds", "piquet-declarations", "settling"},
    ),
    "piquet_table.py": (
        "Python",
        [sys.executable, str(ADAPTERS / "python/piquet_table.py")],
        {
            *("dealing", "tricks", "legal-plays", "melds", "declarations", "talon", "calling"),
            *("piquet-declarations", "score", "game", "settling", "table", "census"),
        },
    ),
    "rubicon.py": (
        "Python",
        [sys.executable, str(ADAPTERS / "python/rubicon.py")],
        {
            *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations"),
            *("counting", "score", "game", "settling", "table", "census", "report"),
        },
    ),
    "rubicon_referee.py": (
        "Python",
        [sys.executable, str(ADAPTERS / "python/rubicon_referee.py")],
        {
            *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations"),
            *("counting", "score", "game", "settling", "table", "census", "report", "irregularities", "choose-rest"),
        },
    ),
    "declarations.js": (
        "JavaScript",
        ["node", str(ADAPTERS / "javascript/declarations.js")],
        {
            *("dealing", "tricks", "legal-plays", "drawing", "melds", "declarations"),
            *("seven", "counting", "score", "game", "table", "census", "report"),
        },
    ),
    "Deal.java": ("Java", ["java", str(ADAPTERS / "java/Deal.java")], {"dealing", "counting", "score", "table"}),
    "tricks.c": ("C", ["sh", "-c", COMPILED, str(ADAPTERS / "c/tricks.c")], {"winner", "playable"}),
}


def starter(command: list[str]) -> str:
    """What must be installed."""
    return "cc" if COMPILED in command else command[0]


def installed(command: list[str]) -> bool:
    return shutil.which(starter(command)) is not None


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_passes_everything_it_claims(suite: Suite, example: str) -> None:
    language, command, claims = EXAMPLES[example]
    need(installed(command), starter(command))
    done = run(suite, Command(Wire(suite.schemas, suite.version), command, timeout=HANGS), list(suite.checks.values()))
    wrong = [(result.check.id, result.mismatch, result.reason) for result in done.results if result.status == "fail"]
    assert wrong == []
    assert set(done.totals) == {Status.PASS, Status.UNSUPPORTED}
    assert done.exit is Exit.AS_EXPECTED
    assert done.ready.language == language
    assert done.ready.claims == suite.capabilities.words(claims)
    assert done.totals[Status.PASS] > 20
    for result in done.results:
        if result.status is Status.UNSUPPORTED:
            assert result.reason


def test_the_examples_do_not_use_the_reference() -> None:
    for path in ADAPTERS.glob("*/*.*"):
        assert "hoyle_" not in path.read_text("utf-8"), path


def test_together_the_examples_run_most_of_the_suite(suite: Suite) -> None:
    """Independent engines agree with the reference on most of what it claims: it does not merely agree with itself."""
    passed: set[str] = set()
    claimed = [check for check in suite.checks.values() if check.ruleset == "bezique-hoyle"]
    for _, command, _ in EXAMPLES.values():
        need(installed(command), starter(command))
        done = run(suite, Command(Wire(suite.schemas, suite.version), command, timeout=HANGS), claimed)
        passed |= {result.check.id for result in done.results if result.status is Status.PASS}
    assert len(passed) > 0.8 * len(claimed)


def test_the_reference_speaks_the_protocol_too(suite: Suite) -> None:
    command = [sys.executable, "-m", "hoyle_conformance", "serve"]
    some = list(suite.checks.values())[::EVERY]
    done = run(suite, Command(Wire(suite.schemas, suite.version), command, timeout=HANGS), some)
    assert set(done.totals) == {Status.PASS}


def test_an_adapter_ends_with_bye() -> None:
    for _, command, _ in EXAMPLES.values():
        if installed(command):
            done = subprocess.run(command, input=b'{"type":"bye"}\n', capture_output=True, timeout=HANGS, check=False)
            assert (done.returncode, done.stdout) == (0, b"")
