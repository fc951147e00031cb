"""The example adapters: each passes everything it claims, and what it does not claim is counted apart."""

import json
import shutil
import subprocess
import sys
from functools import partial

import pytest

from conftest import HANGS, ROOT, need
from hoyle_conformance.protocol.adapters import Command
from hoyle_conformance.protocol.messages import Wire
from hoyle_conformance.runner.results import Exit, Run, Status
from hoyle_conformance.runner.run import run
from hoyle_conformance.suite.suite import Suite

pytestmark = pytest.mark.slow

ADAPTERS = ROOT / "conformance/adapters"
#: Every so manieth check is put to the reference as a process; to itself, it is asked all.
EVERY = 200
#: Compiles a file and runs what comes of it, which does not stay.
COMPILED = 'made=$(mktemp) && trap "rm -f $made" EXIT && cc -std=c11 -Wall -Wextra -Werror -o "$made" "$0" && "$made"'
#: Builds a file with one command, and gives what comes of it, which does not stay, to an adapter.
BUILT = 'made=$(mktemp) && trap "rm -f $made" EXIT && {build} && {adapter} "$made"'
LIBRARY = BUILT.format(
    build=f'cc -std=c11 -Wall -Wextra -Werror -shared -fPIC -o "$made" {ADAPTERS}/shared_library/worth.c',
    adapter=f"{sys.executable} {ADAPTERS}/shared_library/worth.py",
)
MODULE = BUILT.format(
    build=f'node {ADAPTERS}/webassembly/assemble.js {ADAPTERS}/webassembly/winner.wat "$made"',
    adapter=f"node {ADAPTERS}/webassembly/winner.js",
)
EXAMPLES = {
    "tricks.py": ("Python", [sys.executable, str(ADAPTERS / "python/tricks.py")], {"tricks", "legal-plays"}),
    "piquet.py": (
        *("Python", [sys.executable, str(ADAPTERS / "python/piquet.py")]),
        {"tricks", "melds", "piquet-declarations", "class-winner-by-calls", "settling"},
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
    "settlement.py": ("Python", [sys.executable, str(ADAPTERS / "http/settlement.py")], {"settlement"}),
    "worth.c": ("C", ["sh", "-c", LIBRARY], {"worth", "worth-of-cards", "declarable-from-hand"}),
    "winner.wat": ("WebAssembly", ["sh", "-c", MODULE], {"winner"}),
}


def starter(command: list[str]) -> str:
    """What must be installed."""
    return {COMPILED: "cc", LIBRARY: "cc", MODULE: "node"}[command[2]] if command[0] == "sh" else command[0]


def installed(command: list[str]) -> bool:
    return shutil.which(starter(command)) is not None


@pytest.mark.posix
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_passes_everything_it_claims(suite: Suite, example: str) -> None:
    language, command, claims = EXAMPLES[example]
    need(installed(command), starter(command))
    passes_what_it_claims(suite, asked(suite, command), language, claims)


def asked(suite: Suite, command: list[str], but: frozenset[str] = frozenset()) -> Run:
    """The run of an engine in the checks of the rulesets without options, but for some."""
    checks = [each for each in suite.index.checks.values() if "+" not in each.ruleset and each.id not in but]
    return run(suite, Command(Wire(suite.schemas, suite.version), command, timeout=HANGS), checks)


def passes_what_it_claims(suite: Suite, done: Run, language: str, claims: set[str]) -> None:
    """Assert that an engine passes everything that it claims, and what it claims."""
    assert [f"{each.check.id}: {each.mismatch} {each.reason}" for each in done.failures] == []
    assert (done.exit, set(done.totals)) == (Exit.AS_EXPECTED, {Status.PASS, Status.UNSUPPORTED})
    assert (done.ready.language, done.ready.claims) == (language, suite.capabilities.words(claims))
    assert done.totals[Status.PASS] > 10
    assert all(each.lacks for each in done.results if each.status is Status.UNSUPPORTED)


def test_the_examples_do_not_use_the_reference() -> None:
    for path in ADAPTERS.glob("*/*.*"):
        assert "hoyle_" not in path.read_text("utf-8"), path


def test_the_reference_speaks_the_protocol_too(suite: Suite) -> None:
    command = [sys.executable, "-m", "hoyle_conformance", "suite", "serve"]
    some = list(suite.index.checks.values())[::EVERY]
    done = run(suite, Command(Wire(suite.schemas, suite.version), command, timeout=HANGS), some)
    assert set(done.totals) == {Status.PASS}


@pytest.mark.posix
def test_an_adapter_ends_with_bye() -> None:
    for _, command, _ in EXAMPLES.values():
        if installed(command):
            done = subprocess.run(command, input=b'{"type":"bye"}\n', capture_output=True, timeout=HANGS, check=False)
            assert (done.returncode, done.stdout) == (0, b"")


@pytest.mark.posix
def test_the_adapter_over_http_uses_an_engine_that_runs() -> None:
    engine = [sys.executable, str(ADAPTERS / "http/settlement_engine.py"), "0"]
    adapter = [sys.executable, str(ADAPTERS / "http/settlement.py")]
    rubiconed = {"type": "run", "seq": 1, "steps": [{"ask": "settlement", "score": {"A": 98, "B": 120}}]}
    with subprocess.Popen(engine, stdout=subprocess.PIPE, text=True) as running:
        try:
            assert running.stdout
            url = running.stdout.readline().strip()
            asked = partial(subprocess.run, input=json.dumps(rubiconed), capture_output=True, text=True, timeout=HANGS)
            done = asked([*adapter, url], check=True)
            assert json.loads(done.stdout)["steps"] == [{"answer": {"winner": "B", "points": 318}}]
        finally:
            running.terminate()
    assert asked([*adapter, url], check=False).returncode != 0
