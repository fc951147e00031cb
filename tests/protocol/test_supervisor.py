"""However Hoyle ends, its adapters end, what was measured is recorded and reported once, and the exit code says how."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from conftest import HANGS, READY_MESSAGE, ROOT, lines, until
from hoyle_conformance.cli import exit as exits
from hoyle_conformance.protocol import process
from hoyle_conformance.protocol.messages import ProtocolError
from hoyle_conformance.protocol.process import Process
from hoyle_conformance.runner.results import Exit

pytestmark = [pytest.mark.slow, pytest.mark.posix]
linux = pytest.mark.skipif(sys.platform != "linux", reason="only there orphans are found")

HOYLE = [sys.executable, "-m", "hoyle_conformance"]
READY = json.dumps({**READY_MESSAGE, "claims": ["winner", "census"], "position": "any"})
#: What an adapter does at the beginning: its number is the name of a file in the folder here, and it says hello.
BEGIN = f"""echo > $here/$$; read hello; echo '{READY}'; read run"""


def alive(number: int) -> bool:
    """Whether a process is there, and is not one that has ended and waits for its parent to notice."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{number}/stat")
    try:
        return not status.is_file() or status.read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Here:
    """A folder in which adapters leave their numbers."""

    def __init__(self, path: Path) -> None:
        self.path = path / "here"
        self.path.mkdir()

    @property
    def numbers(self) -> list[int]:
        return [int(path.name) for path in self.path.iterdir() if path.name.isdigit()]

    def has(self, count: int) -> Callable[[], bool]:
        """Whether there are so many."""
        return lambda: len(self.numbers) == count

    def empty(self) -> bool:
        """Whether none of them is alive."""
        return not any(map(alive, self.numbers))

    def shell(self, script: str) -> list[str]:
        """The command of an adapter."""
        return ["sh", "-c", f"here={self.path}; {script}"]


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Here]:
    folder = Here(tmp_path)
    yield folder
    for number in folder.numbers:
        if alive(number):
            os.kill(number, signal.SIGKILL)


@pytest.fixture
def talk(here: Here) -> Iterator[Callable[[str], Process]]:
    started: list[Process] = []

    def start(script: str) -> Process:
        started.append(Process(here.shell(script), HANGS, lambda _line: None))
        return started[-1]

    yield start
    for each in started:
        each.kill()


def running(*words: str, adapter: Sequence[str], **more: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [*HOYLE, *words, "--timeout", str(HANGS), "--", *adapter],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **more,  # type: ignore[call-overload]
    )


# -- what an adapter has started ends with it


ORPHANS = {
    "a child": "sleep 900 & echo > $here/$!",
    "a child in a session of its own": "setsid sh -c 'echo > $0/$$; exec sleep 900' $here &",
    "an orphan in a session of its own": "(setsid sh -c 'echo > $0/$$; trap \"\" TERM HUP; exec sleep 900' $here &) &",
    "one that is stopped": "setsid sh -c 'echo > $0/$$; kill -STOP $$' $here &",
}


@linux
@pytest.mark.parametrize(
    ("left", "ending"),
    list(
        zip(
            ORPHANS.values(),
            ["exit", "kill -SEGV $$", "kill -STOP $$", "trap '' TERM HUP; while :; do sleep 900; done"],
            strict=True,
        )
    ),
    ids=ORPHANS,
)
def test_what_an_adapter_has_started_ends_with_it(
    talk: Callable[[str], Process], here: Here, left: str, ending: str
) -> None:
    process = talk(f"{left}\nread hello; echo '{{}}'; {ending}")
    until(here.has(1))
    assert process.ask({}) == {}
    process.kill()
    assert here.empty()


@linux
def test_where_it_has_ended_by_itself_what_it_leaves_behind_ends_too(
    talk: Callable[[str], Process], here: Here
) -> None:
    process = talk(f"{ORPHANS['an orphan in a session of its own']} read hello; exit 7")
    until(here.has(1))
    with pytest.raises(ProtocolError, match="exit code 7"):
        process.ask({})
    until(here.empty)


@pytest.mark.parametrize("ending", ["exit 7", "trap '' TERM HUP; while :; do sleep 900; done"])
def test_where_orphans_are_not_found_the_group_of_the_adapter_is_ended(
    talk: Callable[[str], Process], here: Here, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As elsewhere than on Linux."""
    text, supervisor = Path(process._SUPERVISOR).read_text("utf-8"), tmp_path / "supervisor.py"
    linux = 'LINUX = sys.platform == "linux"'
    assert text.count(linux) == 1
    supervisor.write_text(text.replace(linux, "LINUX = False"), "utf-8")
    monkeypatch.setattr(process, "_SUPERVISOR", str(supervisor))
    adapter = talk(f"{ORPHANS['a child']}\necho > $here/$$; read hello; echo '{{}}'; {ending}")
    until(here.has(2))
    assert adapter.ask({}) == {}
    adapter.kill()
    until(here.empty)


def test_an_adapter_that_closes_its_output_has_closed_it(
    talk: Callable[[str], Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hoyle_conformance.protocol.process._GRACE", 0.01)
    with pytest.raises(ProtocolError, match="it closed its output"):
        talk("read hello; exec >&-; read forever").ask({})


@linux
def test_an_adapter_is_started_with_signals_as_they_are(talk: Callable[[str], Process]) -> None:
    own = Path("/proc/self/status").read_text()
    process = talk("exec grep -E 'Sig(Blk|Ign)' /proc/self/status")
    seen = b"".join(process._lines.next(HANGS) or b"" for _ in range(2)).decode()
    assert "SigBlk:\t0000000000000000" in seen
    ignored = {line.split()[0]: int(line.split()[1], 16) for line in own.splitlines() if line.startswith("SigIgn")}
    for name in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores these, and no adapter inherits that
        ignored["SigIgn:"] &= ~(1 << (name - 1))
    assert f"SigIgn:\t{ignored['SigIgn:']:016x}" in seen


@linux
def test_an_adapter_that_ends_its_supervisor_ends_with_it(talk: Callable[[str], Process], here: Here) -> None:
    process = talk("echo > $here/$$; read hello; kill -KILL $PPID; exec sleep 900")
    with pytest.raises(ProtocolError, match="killed by signal 9"):
        process.ask({})
    until(here.empty)


@linux
def test_an_adapter_that_stops_its_supervisor_is_ended(talk: Callable[[str], Process], here: Here) -> None:
    process = talk("echo > $here/$$; read hello; kill -STOP $PPID; echo '{}'; exec sleep 900")
    assert process.ask({}) == {}
    process.kill()
    assert here.empty()


# -- Hoyle ends


#: It has been asked something, and goes on only when somebody writes into a named pipe.
HANGS_UNTIL_TOLD = f"{BEGIN}; echo > $here/asked-$$; read told < $here/fifo"
#: It has been asked something, and does not end by itself, nor does what it has started.
HANGS_FOR_EVER = f"trap '' TERM HUP INT; {ORPHANS['an orphan in a session of its own']} {BEGIN}; exec sleep 900"


def checking(*words: str, adapter: Sequence[str], **more: object) -> "subprocess.Popen[str]":
    return running("check", "-s", "cut", "-s", "tricks", "-r", "bezique-hoyle", *words, adapter=adapter, **more)


@pytest.mark.parametrize(("first", "jobs"), [(signal.SIGINT, "2"), (signal.SIGHUP, "1")])
def test_however_many_signals_come_all_is_told_once(here: Here, tmp_path: Path, first: int, jobs: str) -> None:
    """The others come while the adapter, which has been told that this is the end, takes its time."""
    record, goodbye = tmp_path / "record", here.path / "goodbye"
    os.mkfifo(goodbye)
    adapter = here.shell(f"{BEGIN}; echo > $here/asked-$$; read bye; echo > $here/told-$$; read done < $here/goodbye")
    with checking("--jobs", jobs, "--record", str(record), adapter=adapter) as hoyle:
        until(lambda: len(list(here.path.glob("asked-*"))) == int(jobs), hoyle)
        os.killpg(hoyle.pid, first)
        # Not one of them alone, which another job may have told; but Hoyle may also not have told them in time.
        until(lambda: len(list(here.path.glob("told-*"))) == int(jobs) or hoyle.poll() is not None)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) * 4:
            os.killpg(hoyle.pid, number)
            time.sleep(0.001)  # a signal that is still to be delivered is not sent twice
        keeps_it_open = os.open(goodbye, os.O_RDWR)
        os.write(keeps_it_open, b"\n" * int(jobs))
        out, err = hoyle.communicate(timeout=HANGS)
        os.close(keeps_it_open)
    assert here.empty()
    assert err == ""
    assert out.count("Interrupted: ") == 1
    assert out.count("passed, ") == 1
    assert hoyle.returncode == -first
    assert lines(record)[-1] == {**lines(record)[-1], "type": "footer", "ran": 0, "exit": 3}


def parent(number: int) -> int:
    """The process that has started another."""
    return int(Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1])


@linux
def test_a_job_that_has_been_stopped_ends_as_the_others(here: Here) -> None:
    """What it is told would reach it only when it goes on."""
    adapter = here.shell(f"{BEGIN}; echo > $here/asked-$$; read bye")
    with checking("--jobs", "2", adapter=adapter) as hoyle:
        try:
            until(lambda: len(list(here.path.glob("asked-*"))) == 2, hoyle)
            jobs = {parent(parent(number)) for number in here.numbers}
            (helper,) = jobs - {hoyle.pid}
            os.kill(helper, signal.SIGSTOP)
            hoyle.send_signal(signal.SIGTERM)
            out, _ = hoyle.communicate(timeout=HANGS)
        finally:
            if hoyle.poll() is None:
                os.killpg(hoyle.pid, signal.SIGKILL)
    assert "Interrupted: " in out
    assert hoyle.returncode == -signal.SIGTERM
    assert here.empty()


def test_what_is_ignored_stays_ignored(here: Here) -> None:
    """As with nohup: the adapter answers after the signal has come, and the run goes on."""
    os.mkfifo(here.path / "fifo")
    answer = '{"type":"skipped","seq":1,"reason":"as told"}'
    adapter = here.shell(f"{HANGS_UNTIL_TOLD}; echo '{answer}'; read bye")
    nohup = [
        sys.executable,
        "-c",
        "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])",
    ]
    command = [*nohup, *HOYLE, "check", "-s", "tricks.trump-beats-ace@bezique-hoyle", "--", *adapter]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as hoyle:
        until(lambda: list(here.path.glob("asked-*")), hoyle)
        hoyle.send_signal(signal.SIGHUP)
        (here.path / "fifo").write_text("on\n")
        out, _ = hoyle.communicate(timeout=HANGS)
    assert "1 skipped" in out
    assert hoyle.returncode == Exit.TOO_LITTLE_RAN


COMMANDS = {
    "check with jobs": ["check", "-s", "cut", "-s", "tricks", "-r", "bezique-hoyle", "--jobs", "2"],
    "census": ["check", "-s", "census", "-r", "bezique-hoyle"],
    "identify": ["identify", "-r", "bezique-hoyle"],
}


@linux
@pytest.mark.parametrize(
    ("words", "number"), [(COMMANDS["check with jobs"], signal.SIGKILL), (COMMANDS["identify"], signal.SIGQUIT)]
)
def test_nothing_that_becomes_of_hoyle_leaves_an_adapter_alive(here: Here, words: list[str], number: int) -> None:
    with running(*words, adapter=here.shell(HANGS_FOR_EVER)) as hoyle:
        until(here.has(4 if "--jobs" in words else 2), hoyle)
        hoyle.send_signal(number)
        hoyle.communicate(timeout=HANGS)  # which waits for its helpers too: they have the same output
    until(here.empty)


@linux
@pytest.mark.parametrize("words", [COMMANDS["check with jobs"], COMMANDS["census"]], ids=" ".join)
def test_before_an_adapter_has_said_anything_it_is_ended_too(here: Here, words: list[str]) -> None:
    with running(*words, adapter=here.shell("echo > $here/$$; read hello; read bye")) as hoyle:
        until(here.has(2 if "--jobs" in words else 1), hoyle)
        hoyle.send_signal(signal.SIGTERM)
        out, err = hoyle.communicate(timeout=HANGS)
    until(here.empty)  # Hoyle may not have known yet that it has been started
    assert (out, err.strip(), hoyle.returncode) == ("", "Interrupted.", -signal.SIGTERM)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_workers_end_with_the_process_that_has_started_them(here: Here, number: int) -> None:
    work = f"import os, pathlib, time; pathlib.Path('{here.path}', str(os.getpid())).touch(); time.sleep(900)"
    script = (
        "from hoyle_conformance.runner.jobs import workers\n"
        f"with workers(2) as pool: list(pool.map(exec, [{work!r}] * 2))"
    )
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as whole:
        until(here.has(2), whole)
        whole.send_signal(number)
        whole.communicate(timeout=HANGS)
    until(here.empty)


def test_workers_ignore_an_interrupt_that_the_process_was_started_to_ignore(tmp_path: Path) -> None:
    """As in the background of a script, where the terminal of the script interrupts every process."""
    work = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
    start = "from hoyle_conformance.runner.jobs import workers\n"
    script = f"{start}with workers(1) as pool: list(pool.map(exec, [{work!r}]))"
    command = ["sh", "-c", "trap '' INT; exec \"$@\"", "sh", sys.executable, "-c", script]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=HANGS, check=False, text=True)
    assert (done.returncode, done.stderr) == (0, "")


# -- what Hoyle says cannot be said, or not to anybody


def said(*words: str, **streams: object) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run([*HOYLE, *words], cwd=ROOT, timeout=HANGS, check=False, **streams)  # type: ignore[call-overload, no-any-return]


@pytest.fixture
def nobody() -> Iterator[int]:
    """A pipe from which nobody reads."""
    reads, writes = os.pipe()
    os.close(reads)
    yield writes
    os.close(writes)


@pytest.mark.parametrize("words", ["check -s cut -r bezique-hoyle", "rules bezique-hoyle", "--help"])
def test_a_closed_pipe_ends_every_command_as_it_ends_others(words: str, nobody: int) -> None:
    done = said(*words.split(), stdout=nobody, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")


def test_where_nobody_reads_the_report_the_adapter_ends_and_the_record_is_whole(
    here: Here, tmp_path: Path, nobody: int
) -> None:
    record = tmp_path / "record"
    adapter = here.shell(f"{BEGIN}; exit 1")
    words = ("check", "-s", "cut", "-s", "tricks", "--record", str(record), "--", *adapter)
    done = said(*words, stdout=nobody, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (-signal.SIGPIPE, b"")
    assert here.empty()
    assert lines(record)[-1]["type"] == "footer"


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("words", "code"), [("suite list", 0), ("check -s cut nonsense", Exit.ADAPTER_BROKE), ("--nonsense", Exit.USAGE)]
)
def test_where_nobody_hears_the_exit_code_is_the_same(words: str, code: int) -> None:
    with FULL.open("wb") as full:
        assert said(*words.split(), stdout=subprocess.DEVNULL, stderr=full).returncode == code


@pytest.mark.parametrize("closed", ["2>&-", "<&- 2>&-"])
def test_where_standard_error_is_closed_nothing_else_takes_its_place(closed: str, tmp_path: Path) -> None:
    record, known = tmp_path / "record", tmp_path / "known"
    known.touch()
    words = ["check", "-s", "cut", "-r", "bezique-hoyle", "--record", str(record), "--baseline", str(known)]
    done = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", *HOYLE, *words], cwd=ROOT, capture_output=True, timeout=HANGS, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines(record)[-1]["exit"] == 0


def test_what_is_said_to_a_closed_standard_error_gets_into_no_file(tmp_path: Path) -> None:
    """Not even where a file gets the number that standard error would have."""
    script = (
        "import sys; from hoyle_conformance.cli.exit import prepare_streams; prepare_streams()\n"
        "with open(sys.argv[1], 'w') as record: print('to nobody', file=sys.stderr, flush=True); record.write('record')"
    )
    command = ["sh", "-c", '"$@" 2>&-', "sh", sys.executable, "-c", script, str(tmp_path / "record")]
    subprocess.run(command, cwd=ROOT, timeout=HANGS, check=True)
    assert (tmp_path / "record").read_text() == "record"


def test_an_output_that_is_closed_is_told() -> None:
    done = subprocess.run(
        ["sh", "-c", '"$@" >&-', "sh", *HOYLE, "suite", "list"],
        cwd=ROOT,
        capture_output=True,
        timeout=HANGS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (74, b"Hoyle cannot continue: standard output: it is closed.\n")


def test_a_working_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    gone, path = tmp_path / "gone", os.pathsep.join(filter(None, [*sys.path]))
    gone.mkdir()
    done = subprocess.run(
        ["sh", "-c", 'cd "$0" && rmdir "$0" && exec "$@"', str(gone), *HOYLE, "validate", "mine.scenario.yaml"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        timeout=HANGS,
        check=False,
        text=True,
    )
    said = (
        f"the current folder no longer exists ({gone}); change to another folder, with 'cd', and run the command again"
    )
    assert (done.returncode, done.stderr) == (74, f"Hoyle cannot continue: {said}.\n")


def test_every_exit_code_is_documented() -> None:
    told = (ROOT / "docs" / "check.md").read_text().partition("| exit code | |")[2].partition("\n\n")[0]
    codes = [int(line.split("|")[1]) for line in told.splitlines()[2:]]
    by_a_signal = [128 + number for number in (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGTERM)]
    assert codes == [*map(int, Exit), exits.OWN_FAULT, exits.NOT_WRITTEN, *by_a_signal]
