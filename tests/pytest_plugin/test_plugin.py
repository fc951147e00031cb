"""`pytest --hoyle COMMAND`: the checks as items, with pytest's own ways to select, repeat and share them out."""

import ast
import json
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import PLAIN, ROOT, Done, need_sandbox, the_suite
from hoyle_conformance import pytest_plugin
from hoyle_conformance.checks.cache.cached_suite import store_suite
from hoyle_conformance.checks.cache.store import snapshot_of
from hoyle_conformance.protocol import sandbox
from hoyle_conformance.pytest_plugin import plugin as session

pytestmark = pytest.mark.slow

pytest_plugins = "pytester"

PLUGIN = "hoyle_conformance.pytest_plugin"
#: In this topic the first card wins in some checks, and not in others.
TOPIC = "hoyle::last-tricks"
OF = ("--hoyle-ruleset", "bezique-hoyle")
FAILS, PASSES = "last-tricks.ace-and-ten@bezique-hoyle", "last-tricks.ten-and-knave@bezique-hoyle"

#: Knows one thing only, that who leads wins; and does one thing more, which is asked for.
ADAPTER = """
import json, sys

does = sys.argv[1:]
ruleset = "no-such-ruleset" if "knows-no-ruleset" in does else "bezique-hoyle"
for line in sys.stdin:
    message = json.loads(line)
    answer = {"type": "observed", "seq": message.get("seq")}
    if message["type"] == "bye":
        break
    if message["type"] == "hello":
        answer = {"type": "ready", "protocol": 1, "name": "who leads", "version": "1", "language": "Python",
                  "rulesets": [ruleset], "claims": ["winner"]}
    elif "crashes" in does:
        sys.exit("it is too much")
    elif "declines" in does:
        answer |= {"type": "unsupported", "reason": "not today"}
    else:
        answer["steps"] = [{"answer": step["by"]} for step in message["steps"]]
    print(json.dumps(answer), flush=True)
    if "crashes-after-the-first" in does and message.get("seq") == 1:
        sys.exit("it was too much")
sys.exit(3 if "ends-badly" in does else 0)
"""

Pytest = Callable[..., pytest.RunResult]


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Pytest:
    """pytest with the plugin and these words, held against the adapter that does this."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(session, "open_suite", lambda **_: the_suite())
    pytester.makepyfile(adapter=ADAPTER)

    def run(*words: str, does: str | None = "", inside: bool = True) -> pytest.RunResult:
        given = () if does is None else ("--hoyle", shlex.join([sys.executable, "adapter.py", *does.split()]))
        how = pytester.runpytest_inprocess if inside else pytester.runpytest_subprocess
        return how("-p", PLUGIN, *given, *words)

    return run


def test_each_check_is_an_item_with_its_own_id(run: Pytest) -> None:
    done = run("--collect-only", "-q", TOPIC, *OF)
    assert done.ret == 0
    listed = [line for line in done.outlines if line.startswith("hoyle::")]
    of_the_topic = [name for name, each in the_suite().index.headings.items() if each.topic == "last-tricks"]
    assert listed == [f"hoyle::{name}" for name in of_the_topic if name.endswith("@bezique-hoyle")]
    assert f"hoyle::{FAILS}" in listed


def test_the_verdict_is_that_of_hoyle_check(run: Pytest, hoyle: Callable[..., Done], pytester: pytest.Pytester) -> None:
    done = run("-q", "--junit-xml", "junit.xml", TOPIC, *OF)
    recorded = pytester.path / "run.jsonl"
    words = ("-s", "last-tricks", "-r", "bezique-hoyle", "--record", str(recorded))
    hoyle("check", *words, "--", sys.executable, "adapter.py", cwd=pytester.path)
    results = [json.loads(line) for line in recorded.read_text("utf-8").splitlines()[1:-1]]
    failed = {each["check"] for each in results if each["status"] == "fail"}
    shown = {line.split()[1].removeprefix("hoyle::") for line in done.outlines if line.startswith("FAILED")}
    assert shown == failed
    assert FAILS in failed
    done.assert_outcomes(
        failed=len(failed),
        passed=sum(each["status"] == "pass" for each in results),
        skipped=sum(each["status"] == "unsupported" for each in results),
    )
    assert done.ret == 1
    assert f'classname="hoyle" name="{FAILS}"' in (pytester.path / "junit.xml").read_text("utf-8")


def test_a_failure_is_told_in_the_same_words(
    run: Pytest, hoyle: Callable[..., Done], pytester: pytest.Pytester
) -> None:
    name = f"hoyle::{FAILS}"
    done = run(name)
    assert done.ret == 1
    told = hoyle("check", "-s", FAILS, sys.executable, "adapter.py", cwd=pytester.path).stdout.splitlines()
    begins = next(at for at, line in enumerate(told) if line.startswith("  FAIL  "))
    ends = next(at for at, line in enumerate(told) if line.startswith("  page "))
    assert "\n".join(line.rstrip() for line in told[begins : ends + 1]) in done.stdout.str()
    done.stdout.fnmatch_lines([f"FAILED {name} - the answer to 'winner' is wrong*"])


def test_what_is_not_claimed_is_skipped_with_the_reason(run: Pytest) -> None:
    done = run("-rs", "hoyle::last-tricks.trump-wins")
    outcomes = done.parseoutcomes()
    assert outcomes["skipped"] > 0
    done.stdout.fnmatch_lines(["SKIPPED*not claimed: ruleset bezique-britannica*"])


def test_only_items_of_rulesets_that_are_claimed_are_there_unless_they_are_named(run: Pytest) -> None:
    everything, claimed = the_suite().index.headings.values(), "bezique-hoyle"
    of_others = sum(each.ruleset != claimed for each in everything)
    done = run("--collect-only", "-q", "hoyle::")
    assert (
        f"{len(everything) - of_others}/{len(everything)} tests collected ({of_others} deselected)" in done.stdout.str()
    )


def test_where_nothing_is_asked_the_session_does_not_end_well(run: Pytest) -> None:
    done = run(TOPIC, does="knows-no-ruleset")
    assert done.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    done.stdout.fnmatch_lines(["Hoyle: every check was skipped, so nothing is known about this engine.*"])


def test_known_failures_must_fail(run: Pytest, pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("known.txt").write_text(f"{FAILS}\n{PASSES}  # no more\n", "utf-8")
    done = run(TOPIC, *OF, "--hoyle-baseline", "known.txt", "-rx", "-k", "ace-and-ten or ten-and-knave")
    assert done.parseoutcomes()["xfailed"] == 1
    done.stdout.fnmatch_lines([f"XFAIL hoyle::{FAILS} - the answer to 'winner' is wrong*"])
    done.stdout.fnmatch_lines(["*reason*this known failure now passes", "*Remove its line from the baseline."])
    assert done.ret == 1


def test_an_ini_file_stands_for_the_options_where_no_files_are_named(run: Pytest, pytester: pytest.Pytester) -> None:
    pytester.path.joinpath("known.txt").write_text(f"{FAILS}\n", "utf-8")
    command = shlex.join([sys.executable, "adapter.py"])
    pytester.makeini(
        f"[pytest]\nhoyle_command = {command}\nhoyle_ruleset = bezique-hoyle\nhoyle_baseline = known.txt\n"
        "hoyle_timeout = 30\n"
    )
    named = pytester.makepyfile("def test_it():\n    pass")
    run(str(named), does=None).assert_outcomes(passed=1)
    run("-k", "last-tricks and ace-and-ten", does=None).assert_outcomes(
        xfailed=1, deselected=len(own())
    )  # and the one of the file
    run(f"hoyle::{FAILS}", does=None).assert_outcomes(xfailed=1)


def own() -> list[str]:
    return [name for name, each in the_suite().index.headings.items() if each.ruleset == "bezique-hoyle"]


# ---- an adapter that breaks


def test_an_adapter_that_cannot_be_started_is_one_error(run: Pytest) -> None:
    done = run("--hoyle", "no-such-command", does=None)
    assert done.ret == pytest.ExitCode.INTERRUPTED
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(
        ["Cannot communicate with the adapter: the command could not be started: no-such-command*"]
    )


def test_one_that_crashes_again_and_again_is_given_up(run: Pytest) -> None:
    done = run(TOPIC, *OF, "-rs", does="crashes")
    outcomes = done.parseoutcomes()
    assert outcomes["failed"] == 3
    done.stdout.fnmatch_lines(["*the adapter ended before it answered: exit code 1*", "*it is too much*"])
    done.stdout.fnmatch_lines(["SKIPPED*not run: gave up after 3 scenarios in a row*"])


def test_what_is_found_out_later_belongs_to_the_check_before(run: Pytest) -> None:
    done = run(TOPIC, *OF, "-k", "ace", does="crashes-after-the-first")
    done.stdout.fnmatch_lines(["*the adapter ended after answering*"])
    told = [line for line in done.outlines if line.startswith("FAILED")]
    assert FAILS in told[0]
    assert "it was too much" in told[0]


def test_one_that_claims_and_declines_fails(run: Pytest, pytester: pytest.Pytester) -> None:
    done = run(f"hoyle::{FAILS}", does="declines")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        ["*The adapter did not do this, although it claims what the check needs: not today*", "*Claim less*"]
    )
    known = pytester.path / "known.txt"
    for line, outcome in ((FAILS, "failed"), (f"{FAILS} unsupported", "skipped")):
        known.write_text(f"{line}\n", "utf-8")
        run(f"hoyle::{FAILS}", "--hoyle-baseline", "known.txt", does="declines").assert_outcomes(**{outcome: 1})


@pytest.mark.parametrize(
    ("does", "status", "outcome", "says"),
    [
        ("crashes", "crash", "xfailed", "Hoyle: no check passed, so the baseline excuses nothing: *"),
        ("crashes", "fail", "failed", "*The baseline expects: fail"),
    ],
)
def test_where_nothing_passes_the_session_does_not_end_well(
    run: Pytest, pytester: pytest.Pytester, does: str, status: str, outcome: str, says: str
) -> None:
    pytester.path.joinpath("known.txt").write_text(f"{FAILS} {status}\n", "utf-8")
    done = run(f"hoyle::{FAILS}", "--hoyle-baseline", "known.txt", does=does)
    done.assert_outcomes(**{outcome: 1})
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    done.stdout.fnmatch_lines([says])


def test_one_that_ends_badly_is_an_error_after_the_last_item(run: Pytest) -> None:
    done = run(TOPIC, *OF, "--deselect", f"hoyle::{FAILS}", "-k", "ten-and-knave or without-trumps", does="ends-badly")
    done.assert_outcomes(passed=2, errors=1, deselected=32)
    done.stdout.fnmatch_lines(
        ["*ERROR at teardown*", "*At the end of the run, the adapter did not end cleanly: exit code 3."]
    )


# ---- in a sandbox


def test_an_option_or_an_ini_file_asks_for_a_sandbox(run: Pytest, pytester: pytest.Pytester) -> None:
    need_sandbox()
    outside = pytester.path / "outside"
    command = f"sh -c 'touch {outside}'"
    for words, value in ((["--hoyle-sandbox"], "false"), ([], "true"), ([], "false")):
        pytester.makeini(f"[pytest]\nhoyle_sandbox = {value}\n")
        done = run(TOPIC, "--hoyle", command, *words, does=None)
        held = bool(words) or value == "true"
        assert outside.exists() is not held
        assert ("sandbox: bubblewrap" in done.stdout.str()) is held


def test_where_there_is_no_sandbox_the_adapter_is_not_started(
    run: Pytest, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = pytester.path / "outside"
    monkeypatch.setattr(sandbox, "problem", lambda: "use another system")
    done = run(TOPIC, "--hoyle", f"sh -c 'touch {outside}'", "--hoyle-sandbox", does=None)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert "This system has no sandbox, so the adapter was not started; use another system." in done.stderr.str()
    assert not outside.exists()


# ---- wrong usage


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--hoyle", "'x"], "no closing quotation"),
        (["--hoyle", "x", "--hoyle-timeout", "soon"], "give a number of seconds"),
        (["--hoyle", "x", "--hoyle-ruleset", "bezique-hoyl"], "Did you mean 'bezique-hoyle'?"),
        (["--hoyle", "x", "hoyle::last-tricksy"], "no check matches 'last-tricksy'"),
        ([TOPIC], "give --hoyle COMMAND"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_call_is_told_in_a_line(run: Pytest, words: list[str], said: str) -> None:
    done = run(*words, does=None)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert said in done.stderr.str()
    assert "Traceback" not in done.stderr.str()


# ---- what it costs, and other processes


def test_other_runs_pay_nothing_for_it(pytester: pytest.Pytester) -> None:
    """Nothing of Hoyle is imported before it is asked for."""
    script = f"import sys, {PLUGIN}; print(*sorted(name for name in sys.modules if name.startswith('hoyle')))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=pytester.path, check=True, capture_output=True, text=True, timeout=900
    )
    assert done.stdout.split() == ["hoyle_conformance", PLUGIN]
    assert pytest_plugin.__file__ is not None
    tree = ast.parse(Path(pytest_plugin.__file__).read_text("utf-8"))
    assert [ast.unparse(each) for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)] == [
        "import pytest"
    ]


def test_pytest_finds_it_where_hoyle_is_installed() -> None:
    told = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert told["project"]["entry-points"]["pytest11"] == {"hoyle": PLUGIN}


def test_each_process_that_shares_the_items_has_an_adapter_of_its_own(
    run: Pytest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "reference_impl"), str(ROOT / "conformance")]))
    for name, value in PLAIN.items():
        monkeypatch.setenv(name, value)
    alone = run(TOPIC, *OF).parseoutcomes()
    # What is compiled already need not be compiled by each of them.
    if now := snapshot_of(ROOT / "spec"):
        store_suite(the_suite(), now, sound=False)
    shared = run("-p", "xdist", "-n", "2", TOPIC, *OF, inside=False)
    shared.stdout.fnmatch_lines(["2 workers*"])
    counted = (
        "failed",
        "passed",
        "skipped",
    )  # and not what pytest warns of, as it does where a plugin is there already
    assert [shared.parseoutcomes()[each] for each in counted] == [alone[each] for each in counted]
    assert f"FAILED hoyle::{FAILS}" in shared.stdout.str()
