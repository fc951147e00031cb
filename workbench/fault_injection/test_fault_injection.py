"""Commands keep their promises when a call fails: a few points of each command here, all of them with `make faults`."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from conftest import HANGS, need
from fault_injection.campaign import Campaign
from fault_injection.commands import BASELINE, RECORD, Command, commands
from fault_injection.promises import Clean, broken_promises
from fault_injection.running import Ended, Workplace
from fault_injection.shim import FAMILIES, NOTHING, Counts, Fault, environment, read_counts
from fault_injection.talk import Answer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the library that fails calls is preloaded, as Linux does"),
]
NAMES = tuple(command.name for command in commands(Path(), HANGS))
#: So many calls of each command fail here.
SAMPLE = 3
#: Faults with which Hoyle once broke a promise.
REGRESSIONS = (
    ("check", Fault("write", 6, only="command write pipe:*")),  # the goodbye to the adapter
    ("check", Fault("write", 1, only="supervisor write pipe:*")),  # the signal that the adapter has ended
    ("check", Fault("open", 1, only="supervisor open64 /dev/null")),
    ("check", Fault("fork", 1, only="command pthread_create*")),
    ("check", Fault("read", 2, only="command read */message-observed.*")),  # the first time for its digest
    ("check --jobs 2", Fault("read", 1, only="child read */message-observed.*")),
    ("check --jobs 2", Fault("fork", 1, only="child pthread_create*")),
    ("check --jobs 2", Fault("write", 1, only="child write socket:*")),
    ("report", Fault("open", 1, ever=True, only="*/decimal.*")),
    ("table", Fault("open", 1, ever=True, only="*/table-playing.js")),
    ("table", Fault("fork", 1, only="command pthread_create*")),
)

Once = Callable[[str, Callable[[], Any]], Any]


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory, once: Once) -> Workplace:
    """A folder to run commands in, with the shim and the spec that one process has made for all."""
    need(shutil.which("cc"), "cc")
    folder = tmp_path_factory.mktemp("faults")
    made: Workplace = once("faults", lambda: Workplace.made(folder))
    return replace(made, folder=folder)


@pytest.fixture(scope="session")
def campaign(place: Workplace) -> Callable[[str], Campaign]:
    """The campaign of a command, which is prepared once in each process."""
    prepared: dict[str, Campaign] = {}

    def of(name: str) -> Campaign:
        if name not in prepared:
            (command,) = (each for each in commands(place.spec, HANGS) if each.name == name)
            prepared[name] = Campaign.of(place, command)
        return prepared[name]

    return of


@pytest.mark.parametrize("name", NAMES)
def test_promises_are_kept_when_some_calls_fail(campaign: Callable[[str], Campaign], name: str) -> None:
    """Each time the same calls of a command, chosen at random."""
    ours, chance = campaign(name), Random(name)
    clean = ours.clean.ended
    assert (clean.code, clean.left) == (0, ()), clean.errors
    assert ours.run(NOTHING)[1] is None
    families = {family for family in FAMILIES if clean.counts.made[family]}
    if "--timeout" in ours.command.words:
        families -= {"write"}  # the response to a message that was not written would be waited for very long
    for family in chance.sample(sorted(families), SAMPLE):
        number = chance.randint(1, max(1, clean.counts.made[family] * 9 // 10))  # a few calls depend on the time
        ended, broken = ours.run(Fault(family, number, ever=chance.random() < 0.5))
        assert broken is None, broken
        assert ended.counts.failed, f"{family} {number} is not reached"


@pytest.mark.parametrize(("name", "fault"), REGRESSIONS, ids=str)
def test_promises_that_were_broken_once_are_kept(campaign: Callable[[str], Campaign], name: str, fault: Fault) -> None:
    ended, broken = campaign(name).run(fault)
    assert ended.counts.failed, "the fault is not reached"
    assert broken is None, broken


# ---- the shim

#: Tries what it is given six times, and prints the errors, by a call that never fails.
TRIES = """
import ctypes, os, sys
ctypes.CDLL(None).begin_faults()
for _ in range(6):
    try:
        eval(sys.argv[1])
        error = 0
    except (OSError, MemoryError) as denied:
        error = getattr(denied, "errno", 12)
    os.writev(1, [b"%d" % error])
"""
CALLS = {
    "open": ("os.close(os.open('/dev/null', os.O_RDONLY))", "24"),
    "read": ("os.read(0, 1)", "5"),
    "write": ("os.write(2, b'x')", "5"),
    "rename": ("os.rename('one', 'one')", "13"),
    "fork": ("os.fork() or os._exit(0)", "11"),
    "allocation": ("bytes(100_000)", "12"),
}


@pytest.fixture(scope="module")
def library(place: Workplace) -> Path:
    return place.library


def tried(library: Path, folder: Path, fault: Fault, call: str) -> tuple[str, Counts]:
    """What a program prints with a fault, and its counts."""
    (folder / "one").touch()
    counts = folder / "counts"
    done = subprocess.run(
        [sys.executable, "-c", TRIES, call],
        env=environment(library, fault, counts),
        cwd=folder,
        input=b"0123456789",
        capture_output=True,
        check=True,
    )
    return done.stdout.decode(), read_counts(counts)


@pytest.mark.parametrize("ever", [False, True])
@pytest.mark.parametrize("family", FAMILIES)
def test_the_call_with_the_number_fails_or_it_and_all_later_ones(
    library: Path, tmp_path: Path, family: str, ever: bool
) -> None:
    call, error = CALLS[family]
    printed, counts = tried(library, tmp_path, Fault(family, 3, ever), call)
    expected = f"00{error * 4 if ever else f'{error}000'}"
    assert printed == expected
    assert counts.failed == (4 if ever else 1)
    assert counts.reached == counts.made[family] >= 6


def test_only_calls_that_are_described_so_are_counted(library: Path, tmp_path: Path) -> None:
    call = "[os.close(os.open(name, os.O_RDONLY)) for name in ('/dev/zero', '/dev/null')]"
    printed, counts = tried(library, tmp_path, Fault("open", 2, only="command open64 /dev/null"), call)
    assert printed == "0240000"
    assert (counts.reached, counts.failed, counts.first) == (6, 1, "command open64 /dev/null")


# ---- the promises

COMMAND = Command("check", ("check",), (RECORD, BASELINE))
COUNTS = Counts({}, 1, 1, "command read x")
RIGHT = b'{"right": 1}\n'


def ended(code: int | None = 0, output: str = "3 passed", errors: str = "", **more: Any) -> Ended:
    files = more.pop("files", {BASELINE: b"new\n"})
    return Ended(code, output, errors, files, COUNTS, **more)


CLEAN = Clean({BASELINE: b"old\n"}, ended())


def broken(how: Ended, family: str = "read", command: Command = COMMAND, clean: Clean = CLEAN) -> list[str]:
    return list(broken_promises(command, Fault(family, 1), clean, how))


@pytest.mark.parametrize(
    ("how", "promise"),
    [
        (ended(None, errors="x"), "it hangs"),
        (ended(70, errors="x", files={BASELINE: b"old\n"}), "it ends with 70"),
        (ended(-11, errors="x", files={BASELINE: b"old\n"}), "it ends with -11"),
        (ended(left=(1, 2)), "processes are left: 2"),
        (ended(4, errors="Traceback (most recent call last):"), "it prints 'Traceback'"),
        (ended(output="2 passed"), "it succeeds with another report"),
        (ended(files={BASELINE: b"old\n"}), "it succeeds with another known.txt"),
        (ended(4), "it does not say why it fails"),
        (ended(4, errors="x", files={BASELINE: b"ne"}), "known.txt is damaged"),
        (ended(4, errors="x", files={}), "known.txt is damaged"),
        (ended(4, errors="x", files={BASELINE: b"old\n", RECORD: RIGHT}), "run.jsonl is damaged"),
        (ended(files={BASELINE: b"new\n", ".known.txt.7.part": b""}), ".known.txt.7.part is left behind"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_broken_promise_is_noticed(how: Ended, promise: str) -> None:
    assert broken(how) == [promise]


@pytest.mark.parametrize(
    "how",
    [
        ended(),
        ended(errors="The cache was not written."),
        ended(74, errors="x", files={BASELINE: b"old\n"}),
        ended(4, errors="x", files={BASELINE: b"old\n", RECORD: b'{"type": "hea'}),
    ],
)
def test_what_is_allowed_is_no_broken_promise(how: Ended) -> None:
    assert broken(how) == []


def test_a_server_may_refuse_but_answers_nothing_else() -> None:
    serves = replace(COMMAND, serves=True)
    right, wrong = Answer("GET /", 200, "page"), Answer("GET /", 200, "half a pa")
    refused = [Answer("GET /", 503, "no"), Answer("GET /", 0, "OSError"), Answer("POST /", 200, '{"error": {}}')]
    clean = replace(CLEAN, ended=ended(answers=(right,)))
    assert broken(ended(answers=(right, *refused)), command=serves, clean=clean) == []
    assert broken(ended(answers=(wrong,)), command=serves, clean=clean) == ["it answers GET / otherwise"]
