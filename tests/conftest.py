import gc
import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache, partial
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, TypeVar

import pytest
import yaml
from hypothesis import settings

import browser_bundle as bundle
from hoyle_conformance import cli
from hoyle_conformance.checks import load
from hoyle_conformance.checks.cache import store
from hoyle_conformance.checks.cache.cached_suite import open_suite
from hoyle_conformance.checks.load import load_suite
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.cli import options as common
from hoyle_conformance.protocol import sandbox
from hoyle_conformance.reports import progress
from hoyle_conformance.suite import paths as folder
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.system.files import lock
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.web.site.pages import pages
from hoyle_reference import Rules

ROOT = Path(__file__).resolve().parents[1]
#: On the gate nothing may be skipped: what a test needs is installed there.
ON_THE_GATE = bool(os.environ.get("HOYLE_GATE"))
#: What chance comes upon elsewhere is not to keep a change from landing: on the gate laws are tried with the same
#: examples every time, and with new ones wherever else the tests run.
settings.register_profile("gate", derandomize=True)
if ON_THE_GATE:
    settings.load_profile("gate")
#: In a module of tests that all need a POSIX system. Windows lacks what it imports or names.
ALL_POSIX = re.compile(r"^pytestmark = .*\bmark\.posix\b", re.MULTILINE)
#: The signals that a command heeds, as far as a system has them.
INTERRUPTING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
#: Seconds after which what should have ended is held to hang: far more than it takes on a busy machine.
HANGS = 900
#: Seconds without a finished test after which the names of the running tests are printed.
SILENT = 10
#: What an adapter says to hello that answers one kind of question.
READY_MESSAGE = {
    "type": "ready",
    "protocol": 1,
    "name": "x",
    "version": "1",
    "language": "sh",
    "rulesets": ["bezique-hoyle"],
    "claims": ["winner"],
}
#: How a command prints in a test, whatever the terminal.
PLAIN = {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"}

#: What another run of the same writes otherwise into its record.
TIMES = {"started", "ended", "milliseconds"}

Made = TypeVar("Made")


def until(what: Callable[[], object], hoyle: "subprocess.Popen[str] | None" = None) -> None:
    """Wait for something that must come, as long as the command that it comes from has not ended."""
    end = time.monotonic() + HANGS
    while not what():
        assert hoyle is None or hoyle.poll() is None, hoyle.communicate()
        assert time.monotonic() < end
        time.sleep(0.01)


class RunningTests:
    """Prints the names of the running tests whenever no test has finished for ten seconds."""

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self.reporter, self.names, self.since = reporter, dict[str, None](), time.monotonic()
        threading.Thread(target=self.watch, daemon=True).start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.names[nodeid] = None

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.names.pop(nodeid, None)
        self.since = time.monotonic()

    def watch(self) -> None:
        while True:
            time.sleep(1)
            if self.names and time.monotonic() - self.since > SILENT:
                self.since = time.monotonic()
                self.reporter.write_line(f"\nrunning: {', '.join(list(self.names))}")


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    if session.config.pluginmanager.hasplugin("dsession"):  # the tests run in other processes
        session.config.pluginmanager.register(RunningTests(session.config.pluginmanager.getplugin("terminalreporter")))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--scenario", default="to-score.the-example", help="the one of tests/whole/test_one_scenario.py")


#: What takes longest is begun first, so that nobody has to wait for it at the end: the site, which one process builds
#: for all, and some tests.
LONGEST = (
    "test_pages.py",
    "test_escaping.py",
    "test_the_mixture_is_found_out",
    "test_positions_of_every_topic_are_answered_as_the_suite_expects",
    "test_an_example_passes_everything_it_claims[piquet.py]",
)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    if sys.platform == "win32" and collection_path.match("test_*.py"):
        return bool(ALL_POSIX.search(collection_path.read_text("utf-8"))) or None
    return None


def pytest_runtest_setup(item: pytest.Item) -> None:
    if sys.platform == "win32" and item.get_closest_marker("posix"):
        pytest.skip("needs a POSIX system")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not any(name in LONGEST for name in (item.path.name, item.name)))


@pytest.fixture(scope="session")
def suite() -> Suite:
    return the_suite()


@pytest.fixture(scope="session")
def rules(suite: Suite) -> Rules:
    return suite.rules.of("bezique-hoyle")


@pytest.fixture(scope="session")
def check_of_each_outcome(suite: Suite) -> list[Check]:
    """One check of each outcome of each scenario, under the first of the rulesets that share it.

    Code is tried with these; that every check is right is proved once, in tests/whole/test_spec.py and by
    `make check` in .ci/run.
    """
    first: dict[tuple[str, str, str], Check] = {}
    for check in suite.index.checks.values():
        first.setdefault((check.scenario.id, check.follows, repr(check.branches)), check)
    return list(first.values())


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[], Any]], Any]:
    """Makes a value in one of the processes that share the tests; the others wait for it and read it."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own

    def made(name: str, make: Callable[[], Made]) -> Made:
        path = shared / f"{name}.pickle"
        with (shared / f"{name}.lock").open("w") as lock:
            _lock(lock.fileno())
            if not path.exists():
                path.write_bytes(pickle.dumps(make()))
        value: Made = pickle.loads(path.read_bytes())  # noqa: S301 -- it was written above
        return value

    return made


def _lock(file: int) -> None:
    """Wait until nobody else has an open file to itself."""
    until(lambda: lock(file))


@pytest.fixture(scope="session")
def made(suite: Suite, once: Callable[[str, Callable[[], Any]], Any]) -> dict[str, Page]:
    """Every page of the site that is made from the suite, by its path."""
    found: dict[str, Page] = once("pages", lambda: {page.path: page for page in pages(suite)})
    return found


@pytest.fixture(scope="session")
def table_files(suite: Suite, once: Callable[[str, Callable[[], Any]], Any]) -> dict[str, bytes]:
    """Python and the suite as the table of the site has them, by their paths; none where they cannot be made."""
    found: dict[str, bytes] = once("table", lambda: dict(bundle.bundle(suite)))
    return found


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which commands keep what they compile."""
    monkeypatch.setenv(KEPT_IN, str(tmp_path / "kept"))
    return tmp_path / "kept"


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


#: With this no command says how far it is: on a busy machine it would, and on another not.
NO_PROGRESS = "HOYLE_NO_PROGRESS"
#: Where commands keep what they compile while they are tested: never in the folder of the user.
KEPT_IN = "HOYLE_CACHE_DIR"


#: Python itself ignores these, as far as a system has them, and restores them in the processes that it starts.
IGNORED_BY_PYTHON = tuple(getattr(signal, name) for name in ("SIGPIPE", "SIGXFZ", "SIGXFSZ") if hasattr(signal, name))


def pytest_configure(config: pytest.Config) -> None:
    take_ignored_signals()
    gc.set_threshold(1_000_000)  # as the command does
    if not hasattr(config, "workerinput"):  # those that share the tests take it over
        os.environ[NO_PROGRESS] = "1"
        here = tempfile.mkdtemp(prefix="hoyle-kept-")
        config.add_cleanup(partial(shutil.rmtree, here, ignore_errors=True))
        _take_over(store.folder(), Path(here))
        os.environ[KEPT_IN] = here
        if sys.dont_write_bytecode:
            _cache_bytecode(config.cache.mkdir("bytecode") if hasattr(config, "cache") else Path(here, "bytecode"))


def take_ignored_signals() -> None:
    """Give every signal that this process was started to ignore a handler that does nothing.

    A script starts `make test &` with SIGINT and SIGQUIT ignored, and `nohup` ignores SIGHUP. An ignored signal stays
    ignored in every process that a test starts, so that no test could interrupt a command; a handler does not. The
    tests themselves go on as before when such a signal comes.
    """
    for number in signal.valid_signals():
        if signal.getsignal(number) is signal.SIG_IGN and number not in IGNORED_BY_PYTHON:
            signal.signal(number, lambda _number, _frame: None)


def pytest_collection_finish() -> None:
    gc.freeze()  # pytest looks for garbage ten times when it ends: not among what there was before the first test


def _cache_bytecode(folder: Path) -> None:
    """Let this process and those that tests start cache bytecode in a folder, and none beside the sources.

    Under PYTHONDONTWRITEBYTECODE each of the hundreds of commands and adapters would compile all its modules.
    """
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(folder)
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def _take_over(users: Path, here: Path) -> None:
    """What a command has compiled of this very spec by this very code need not be compiled again to be tested."""
    with suppress(OSError):
        shutil.copy(users / store.FILE, here)


@cache
def the_suite() -> Suite:
    """The suite of this installation, opened once for all tests of a process: it is sound, however a command asks for
    it. One process compiles it, and the others read it."""
    with (Path(os.environ[KEPT_IN]) / "compiling.lock").open("w") as lock:
        _lock(lock.fileno())
        suite = open_suite(ROOT / "spec")
    planner_of(suite).cache_key = ""  # no command looks for its plans again
    return suite


@pytest.fixture
def hoyle(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """The command with these words, in this process; the suite of this installation is loaded once for all calls, or
    another suite stands in its place. With `together`, what is said of mistakes stands where a terminal shows it."""

    def run(*words: str, cwd: Path = ROOT, together: bool = False, installed: Callable[[], Suite] = the_suite) -> Done:
        def loaded(root: Path | None = None, **options: Any) -> Suite:
            return load_suite(root, **options) if root else installed()

        out = TextIOWrapper(BytesIO(), "utf-8")
        err = out if together else TextIOWrapper(BytesIO(), "utf-8")
        handled = {name: signal.getsignal(name) for name in INTERRUPTING}
        with monkeypatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.chdir(cwd)
            patch.setattr(sys, "argv", ["hoyle", *words])
            patch.setattr(progress, "_FIRST", HANGS)  # how far it is would be said where the machine is busy
            patch.setattr(load, "load_suite", loaded)
            patch.setattr(common, "open_suite", loaded)
            if installed is not the_suite:
                patch.setattr(folder, "find_spec", lambda: installed().root)
            for name, value in PLAIN.items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as ended:
                cli.run()
        for name, handler in handled.items():
            signal.signal(name, handler)
        assert isinstance(ended.value.code, int)
        return Done(ended.value.code, _written(out), "" if together else _written(err))

    return run


def _written(stream: TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, BytesIO)
    return stream.buffer.getvalue().decode()


def lines(path: Path) -> list[Any]:
    """The lines of a file of JSON lines, such as a record."""
    return list(map(json.loads, path.read_bytes().splitlines()))


def timeless(record: Path) -> list[dict[str, Any]]:
    """The lines of a record, without what the clock has put into them."""
    return [{key: each for key, each in line.items() if key not in TIMES} for line in lines(record)]


def need(available: object, what: str) -> None:
    """Skip a test for want of something, except on the gate, where it fails instead."""
    if not available:
        if ON_THE_GATE:
            pytest.fail(f"{what} is missing on the gate")
        pytest.skip(f"needs {what}")


def need_sandbox() -> None:
    """Skip a test where this system cannot set up the sandbox of an adapter."""
    if problem := sandbox.problem():
        pytest.skip(problem)


def golden(path: Path, text: str) -> None:
    """Compare with a file that a person has read; HOYLE_WRITE_GOLDEN=1 writes it anew, to be read again."""
    if os.environ.get("HOYLE_WRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), f"{path} is missing: write it with HOYLE_WRITE_GOLDEN=1 and read it"
    assert text == path.read_text(encoding="utf-8")


def golden_among(path: Path, text: str, name: str, key: str) -> None:
    """Compare with one of the texts in a YAML file, likewise; only one process at a time may write them."""
    found = goldens(path)
    if os.environ.get("HOYLE_WRITE_GOLDEN"):
        found.setdefault(name, {})[key] = text
        path.write_text(yaml.dump(found, None, _Blocks, allow_unicode=True, sort_keys=False, width=1_000), "utf-8")
    assert text == found[name][key]


@cache
def goldens(path: Path) -> dict[str, dict[str, Any]]:
    """The texts in a YAML file, by their names and keys."""
    found: dict[str, dict[str, Any]] = yaml.load(path.read_bytes(), yaml.CSafeLoader)
    return found


class _Blocks(yaml.CSafeDumper):
    """Writes texts of several lines as they are."""


_Blocks.add_representer(
    str, lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, "|" if "\n" in text else None)
)
