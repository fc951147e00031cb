"""Talking to an adapter: what it does is told as it was, nothing hangs, and what it broke it alone is blamed for."""

import contextlib
import gc
import json
import multiprocessing
import os
import select
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conftest import HANGS, until
from conftest import READY_MESSAGE as HELLO
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.checks.request import Adapted
from hoyle_conformance.protocol import process
from hoyle_conformance.protocol.adapters import Command, Ending
from hoyle_conformance.protocol.messages import EncodedMessage, ProtocolError, Wire, decode, encode, show_line
from hoyle_conformance.protocol.process import Process
from hoyle_conformance.runner.results import Result, Status
from hoyle_conformance.runner.run import AdapterRun, ChecksInFlight, InFlight
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.system import processes
from hoyle_conformance.system.pipes import LONGEST_LINE, Polled
from runner.test_run import READY, wire

pytestmark = pytest.mark.posix

Talk = Callable[..., Process]

# ---- a process that is talked to


@pytest.fixture
def logged() -> list[bytes]:
    return []


@pytest.fixture
def talk(logged: list[bytes]) -> Iterator[Talk]:
    """A shell that does this, as an adapter that may take so many seconds for an answer."""
    started: list[Process] = []

    def start(script: str, timeout: float = HANGS) -> Process:
        started.append(Process(["sh", "-c", script], timeout, logged.append))
        return started[-1]

    yield start
    for each in started:
        each.kill()


def open_files() -> list[str]:
    return [each.name for each in Path("/dev/fd").iterdir()]


def in_time(what: Callable[[], Any]) -> Any:
    """What comes of something that must not hang: it is done beside, so that the tests go on if it does."""
    became: list[Any] = []

    def done() -> None:
        try:
            became.append(what())
        except ProtocolError as fault:
            became.append(fault)

    beside = threading.Thread(target=done, daemon=True)
    beside.start()
    beside.join(HANGS / 10)
    assert became, "it hangs"
    return became[0]


@pytest.mark.slow
def test_an_adapter_that_does_not_read_is_not_waited_for(talk: Talk) -> None:
    """The message is longer than the system holds for it."""
    fault = in_time(lambda: talk("exec sleep 900", 0.3).ask({"long": "x" * 1_000_000}))
    assert (fault.code, fault.detail) == ("timeout", "no response within 0.3 s")


def test_an_answer_that_has_come_is_taken_though_nobody_looked_in_time(talk: Talk, tmp_path: Path) -> None:
    """Hoyle may have been busy with judging another one: that is not held against the adapter."""
    there = tmp_path / "answered"
    adapter = talk(f"read line; echo '{{}}'; touch '{there}'; exec sleep 900", 0.05)
    adapter.send({})
    until(there.exists)
    time.sleep(0.05)
    assert adapter.answer() == {}
    adapter.send({})
    with pytest.raises(ProtocolError, match="no response within"):
        adapter.answer()


def test_a_message_that_is_longer_than_a_pipe_holds_arrives_whole(talk: Talk) -> None:
    message = {"long": "x" * 300_000}
    assert in_time(lambda: talk("head -n 1 | wc -c").ask(message)) == len(encode(message))


def test_an_adapter_that_reads_no_goodbye_is_ended(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_GRACE", 0.05)
    adapter = talk("exec sleep 900")
    os.set_blocking(adapter._stdin.fileno(), False)
    with contextlib.suppress(OSError):  # as much as goes in
        while True:
            os.write(adapter._stdin.fileno(), b"x")
    ended = in_time(adapter.close)
    assert (ended.code, ended.detail) == ("does-not-end", "it was still running 0.05 s after bye")
    assert adapter._child.poll() is not None


def test_every_line_is_logged_as_it_is_said(talk: Talk, logged: list[bytes], tmp_path: Path) -> None:
    adapter = talk(f"read a; echo '[1]'; read b; echo '[2]'; read c; echo \"$a$b$c\" > {tmp_path}/heard")
    assert (adapter.ask({"n": 1}), adapter.said) == ([1], b"[1]\n")
    assert (adapter.ask({"n": 2}), adapter.said) == ([2], b"[2]\n")
    assert adapter.close() is None
    said = [b'{"n":1}', b"[1]", b'{"n":2}', b"[2]", b'{"type":"bye"}']
    assert logged == [line + b"\n" for line in said] or logged == [*(line + b"\n" for line in said), b""]
    assert (tmp_path / "heard").read_bytes() == b"".join(said[::2]) + b"\n"


@pytest.mark.parametrize(
    ("script", "code", "detail", "stderr"),
    [
        ("exit 0", "crashed", "exit code 0, with no error output", ""),
        ("echo why >&2; exit 3", "crashed", "exit code 3", "why"),
        ("echo '{}'; echo more", "unasked", "'more'", ""),
        ("echo '{}'; echo why >&2; exit 3", "ended-badly", "exit code 3", "why"),
        ("echo '{}'; kill -KILL $$", "ended-badly", "killed by signal 9", ""),
        ("echo '{}'; read bye", "", "", ""),
        ("echo '{}'; cat > /dev/null; echo more", "unasked", "'more'", ""),
    ],
)
def test_how_a_conversation_ends_is_told(talk: Talk, script: str, code: str, detail: str, stderr: str) -> None:
    try:
        adapter = talk(f"read hello; {script}")
        assert adapter.ask({}) == {}
        fault = adapter.close()
    except ProtocolError as broke:
        fault = broke
    assert (fault.code, fault.detail, fault.stderr) == (code, detail, stderr) if fault else not code


def test_a_line_that_waits_when_it_is_asked_was_not_asked_for(talk: Talk, logged: list[bytes], tmp_path: Path) -> None:
    """Though it has come only after the answer."""
    go = tmp_path / "go"
    later = f"echo '{{}}'; until [ -e {go} ]; do sleep 0.01; done; echo '{{\"more\": 1}}'"
    adapter = talk(f"read hello; {later}; read run; echo '{{}}'; read bye")
    assert adapter.ask({}) == {}
    go.touch()
    assert select.select([adapter._child.stdout], [], [], HANGS)[0]
    with pytest.raises(ProtocolError) as told:
        adapter.ask({})
    assert (told.value.code, told.value.detail) == ("unasked", "'{\"more\": 1}'")
    assert logged[-1] == adapter.said == b'{"more": 1}\n'


@pytest.mark.parametrize(("length", "flooded"), [(LONGEST_LINE - 1, False), (LONGEST_LINE, True)])
def test_a_line_has_so_many_bytes_at_most(talk: Talk, length: int, flooded: bool) -> None:
    """With its end it has one more."""
    text = f"head -c {length - 2} /dev/zero | tr '\\0' x"
    adapter = talk(f"read hello; printf '\"'; {text}; printf '\"\\n'; read run; echo 7; exec sleep 900")
    if flooded:
        fault = in_time(lambda: adapter.ask({}))
        assert (fault.code, fault.detail) == ("flooded", "more than 1,000,000 bytes")
    else:
        assert in_time(lambda: adapter.ask({})) == "x" * (length - 2)
        assert in_time(lambda: adapter.ask({})) == 7


def test_a_last_line_need_not_end(talk: Talk) -> None:
    assert talk("read hello; printf 7").ask({}) == 7


def test_end_of_the_error_output_is_kept(talk: Talk) -> None:
    adapter = talk("head -c 300000 /dev/zero | tr '\\0' x >&2; echo THE END >&2; exit 1")
    with pytest.raises(ProtocolError) as told:
        adapter.ask({})
    adapter._listener.join(HANGS)
    assert len(adapter.stderr) <= 4_000
    assert adapter.stderr.endswith("xTHE END")
    assert told.value.code == "crashed"


def test_where_hoyle_is_interrupted_while_it_starts_an_adapter_nothing_stays_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_what: object) -> None:
        raise KeyboardInterrupt

    before = sorted(open_files())
    monkeypatch.setattr(processes, "_started", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Process(["true"], HANGS, lambda _line: None)
    assert sorted(open_files()) == before


def test_a_process_that_has_ended_leaves_nothing_open(talk: Talk) -> None:
    before = len(open_files())
    for ending in (Process.kill, Process.close):
        adapter = talk("read hello; echo '{}'; read bye")
        assert adapter.ask({}) == {}
        ending(adapter)
        adapter._listener.join(HANGS)
        adapter.kill()  # again, and nothing happens
    assert len(open_files()) == before


def test_a_supervisor_that_is_stuck_is_ended(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_UNENDING", 0.05)
    adapter = talk("read hello; echo '{}'; exec sleep 900")
    assert adapter.ask({}) == {}
    let_go, adapter._let_go = adapter._let_go, lambda: None
    in_time(lambda: adapter.kill() or "done")
    assert adapter._child.poll() == -signal.SIGKILL
    let_go()


def test_an_adapter_has_all_of_its_time(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still: it is never too late."""
    monkeypatch.setattr(process, "time", SimpleNamespace(monotonic=lambda: 1_000.0, sleep=time.sleep))
    assert in_time(lambda: talk("read hello; echo 7", 0.9).ask({})) == 7


def test_an_end_is_told_at_once(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_LOOK_AFTER", HANGS)
    assert in_time(lambda: talk("read hello; exit 3").ask({})).code == "crashed"


@pytest.mark.slow
def test_an_adapter_has_ended_though_its_output_is_held_open(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """As some systems let it be: no end of it is ever read."""
    monkeypatch.setattr(Polled, "next", lambda _self, seconds: time.sleep(seconds))
    monkeypatch.setattr(process, "_GRACE", 0.05)
    adapter = talk("read hello; exit 3")
    fault = in_time(lambda: adapter.ask({}))
    assert (fault.code, fault.detail) == ("crashed", "exit code 3, with no error output")
    assert in_time(adapter.close).code == "ended-badly"


@pytest.mark.slow
@pytest.mark.parametrize(("command", "why"), [("/no/such", "no such file or directory"), ("/", "permission denied")])
def test_what_cannot_be_started_is_named_with_the_reason(command: str, why: str) -> None:
    gc.collect()
    before = len(open_files())
    with pytest.raises(ProtocolError) as told:
        Process([command], HANGS, lambda _line: None)
    assert (told.value.code, told.value.detail) == ("cannot-start", f"{command}: {why}")
    gc.collect()
    assert len(open_files()) == before


def test_what_the_terminal_sends_reaches_hoyle_alone(talk: Talk) -> None:
    adapter = talk("exec sleep 900")
    assert os.getsid(adapter._child.pid) != os.getsid(0)


def test_an_adapter_ends_though_a_copy_of_hoyle_has_what_holds_it(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_UNENDING", HANGS)
    adapter = talk("exec sleep 900")
    copy = multiprocessing.get_context("fork").Process(target=time.sleep, args=(HANGS,), daemon=True)
    copy.start()
    try:
        assert in_time(lambda: adapter.kill() or "done") == "done"
    finally:
        copy.kill()
        copy.join()


def test_an_adapter_that_nobody_ends_does_not_keep_hoyle() -> None:
    script = "from hoyle_conformance.protocol.process import Process; Process(['sleep', '900'], 1, print)"
    assert subprocess.run([sys.executable, "-c", script], timeout=HANGS / 10, check=False).returncode == 0


# ---- a command, which is started anew after a conversation that broke


BYE = ProtocolError("ended-badly", "exit code 1", "why")


class Scripted:
    """Processes that answer as they are told: each with what it answers in turn, and how it ends."""

    def __init__(self, *processes: tuple[list[Any], ProtocolError | None]) -> None:
        self.processes = list(processes)
        self.started: list[_One] = []

    def __call__(
        self, command: tuple[str, ...], timeout: float, _log: object, folder: object, *, sandbox: bool
    ) -> "_One":
        assert (command, timeout, folder, sandbox) == (("engine",), 7, None, False)
        self.started.append(_One(*self.processes.pop(0)))
        return self.started[-1]


class _One:
    stderr, said = "its error output", b"its last line\n"

    def __init__(self, answers: list[Any], ending: ProtocolError | None) -> None:
        self.answers, self.ending = answers, ending
        self.asked: list[Any] = []
        self.ended = ""

    def ask(self, message: Any) -> Any:
        self.send(message)
        return self.answer()

    def send(self, message: Any) -> None:
        assert not self.ended
        self.asked.append(message.get("seq", message["type"]))
        if isinstance(self.answers[0], ProtocolError) and self.answers[0].code == "unasked":
            raise self.answers.pop(0)

    def answer(self) -> Any:
        answer = self.answers.pop(0)
        if isinstance(answer, ProtocolError):
            raise answer
        return answer

    def close(self) -> ProtocolError | None:
        self.ended = self.ended or "closed"
        return self.ending

    def kill(self) -> None:
        self.ended = self.ended or "killed"


BODY = {"steps": [{"ask": "winner"}]}


def seen(seq: int, answer: object = "A") -> dict[str, Any]:
    return {"type": "observed", "seq": seq, "steps": [{"answer": answer}]}


@pytest.fixture
def scripted(suite: Suite, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Command, list[_One]]]:
    def start(*processes: tuple[list[Any], ProtocolError | None]) -> tuple[Command, list[_One]]:
        script = Scripted(*processes)
        monkeypatch.setattr(process, "Process", script)
        return Command(wire(suite), ["engine"], 7), script.started

    return start


Start = Callable[..., tuple[Command, list[_One]]]


def crashed() -> ProtocolError:
    return ProtocolError("crashed", "exit code 1")


def test_an_adapter_is_started_once_for_all_it_answers(scripted: Start) -> None:
    engine, started = scripted(([HELLO, seen(1), seen(2)], None))
    assert engine.introduce().name == "x"
    assert [engine.run(seq, BODY).steps[0]["answer"] for seq in (1, 2)] == ["A", "A"]
    assert engine.end() == Ending()
    assert [(each.asked, each.ended) for each in started] == [(["hello", 1, 2], "closed")]


def test_an_adapter_that_broke_at_its_first_run_is_started_again_for_the_next(scripted: Start) -> None:
    engine, started = scripted(([HELLO, crashed()], None), ([HELLO, seen(2)], None))
    engine.introduce()
    with pytest.raises(ProtocolError) as told:
        engine.run(1, BODY)
    assert (told.value.code, told.value.detail, told.value.stderr) == ("crashed", "exit code 1", "its error output")
    assert told.value.late is None
    assert engine.run(2, BODY).kind == "observed"
    assert [(each.asked, each.ended) for each in started] == [(["hello", 1], "killed"), (["hello", 2], "")]


@pytest.mark.parametrize(
    ("broke", "late", "detail"),
    [
        (crashed(), "crashed-later", "exit code 1"),
        (ProtocolError("unasked", "'a line'"), "unasked", "'a line'"),
        (ProtocolError("flooded", "more"), "unasked", "'its last line'"),
        (seen(1), "unasked", "'its last line'"),
    ],
)
def test_what_a_fresh_adapter_answers_was_left_behind_by_the_run_before(
    scripted: Start, broke: Any, late: str, detail: str
) -> None:
    engine, started = scripted(([HELLO, seen(1), broke], None), ([HELLO, seen(2), seen(3)], None))
    engine.introduce()
    engine.run(1, BODY)
    answer = engine.run(2, BODY)
    assert answer.steps[0]["answer"] == "A"
    assert answer.late is not None
    assert (answer.late.seq, answer.late.fault.code, answer.late.fault.detail) == (1, late, detail)
    assert answer.late.fault.stderr == "its error output"
    assert engine.run(3, BODY).late is None
    assert [each.ended for each in started] == ["killed", ""]


def test_a_fresh_adapter_that_answers_wrongly_has_answered(scripted: Start) -> None:
    """So the run before was the cause, and this answer is wrong in its own right."""
    engine, started = scripted(([HELLO, seen(1), crashed()], None), ([HELLO, seen(2, "nobody"), seen(3)], None))
    engine.introduce()
    engine.run(1, BODY)
    with pytest.raises(ProtocolError) as told:
        engine.run(2, BODY)
    assert told.value.code == "invalid-answer"
    assert told.value.late is not None
    assert (told.value.late.seq, told.value.late.fault.code) == (1, "crashed-later")
    assert engine.run(3, BODY).kind == "observed"
    assert [each.ended for each in started] == ["killed", ""]


def test_an_adapter_that_does_not_start_again_breaks_at_this_run(scripted: Start) -> None:
    engine, _ = scripted(([HELLO, seen(1), crashed()], None), ([ProtocolError("timeout", "no hello")], None))
    engine.introduce()
    engine.run(1, BODY)
    with pytest.raises(ProtocolError) as told:
        engine.run(2, BODY)
    assert (told.value.code, told.value.late) == ("crashed", None)


def test_a_repeated_key_in_the_answer_to_another_run_ends_the_conversation(scripted: Start) -> None:
    engine, started = scripted(([HELLO, ProtocolError("repeated-key", "'a'", seq=7)], None))
    engine.introduce()
    with pytest.raises(ProtocolError) as told:
        engine.run(1, BODY)
    assert (told.value.code, started[0].ended) == ("not-a-message", "killed")
    assert told.value.detail == "the adapter's message has a key twice: 'a'"


def test_an_adapter_is_kept_to_what_another_job_was_told(scripted: Start) -> None:
    engine, started = scripted(([HELLO], None), ([HELLO, seen(2)], None), ([HELLO, seen(3)], None))
    ready = engine.introduce()
    engine.keep_to(ready)
    assert started[0].ended == ""
    engine.keep_to(replace(ready, name="y"))
    assert started[0].ended == "killed"
    with pytest.raises(ProtocolError) as told:
        engine.run(1, BODY)
    assert (told.value.code, told.value.detail) == ("says-otherwise", "name 'x' instead of 'y'")
    engine.keep_to(ready)
    assert engine.run(3, BODY).kind == "observed"


@pytest.mark.parametrize(
    ("ending", "again", "late", "left"),
    [
        (None, None, "", ""),
        (BYE, None, "crashed-later", ""),
        (BYE, BYE, "", "ended-badly"),
        (BYE, ProtocolError("does-not-end"), "crashed-later", "does-not-end"),
        (ProtocolError("unasked", "'more'", "why"), None, "unasked", ""),
        (ProtocolError("does-not-end"), None, "", "does-not-end"),
    ],
)
def test_an_end_is_blamed_on_the_last_run_unless_it_is_always_so(
    scripted: Start, ending: ProtocolError | None, again: ProtocolError | None, late: str, left: str
) -> None:
    engine, _ = scripted(([HELLO, seen(1)], ending), ([HELLO], again))
    engine.introduce()
    engine.run(1, BODY)
    end = engine.end()
    assert (end.late.fault.code if end.late else "") == late
    assert end.late is None or (end.late.seq, end.late.fault.stderr) == (1, "why")
    assert (end.fault.code if end.fault else "") == left


def test_an_end_after_no_run_is_nobodys_but_its_own(scripted: Start) -> None:
    engine, started = scripted(([HELLO], BYE))
    engine.introduce()
    assert engine.end() == Ending(BYE)
    assert len(started) == 1


def test_what_is_closed_twice_has_ended_once(scripted: Start) -> None:
    engine, started = scripted(([HELLO], None))
    engine.close()
    engine.introduce()
    engine.close()
    assert started[0].ended == "closed"
    started[0].ended = "long ago"
    engine.close()
    assert started[0].ended == "long ago"


# ---- messages


def test_the_messages_of_a_conversation(suite: Suite) -> None:
    own = wire(suite)
    assert own.hello() == {"type": "hello", "protocol": 1, "suite": suite.version}
    check = next(iter(suite.index.checks.values()))
    body = planner_of(suite).request(check).message
    written = EncodedMessage(body, json.dumps(body).encode())
    for each in (written, dict(body)):
        assert decode(encode(own.run(12, each))) == {"type": "run", "seq": 12, **body}
        assert encode(own.run(12, each)).count(b"\n") == 1


def test_what_is_not_said_is_as_it_mostly_is(suite: Suite) -> None:
    said = wire(suite).ready(HELLO)
    assert (said.position, said.score, said.draws, said.declares) == ("none", "at-once", "one-by-one", "as-asked")
    assert said == replace(READY, language="sh", position="none", claims=frozenset({"winner"}))
    assert wire(suite).ready({**HELLO, "position": "any", "score": "later"}) == replace(
        said, position="any", score="later"
    )


@pytest.mark.parametrize(
    ("message", "code", "detail"),
    [
        (seen(2), "wrong-seq", "it answered run 2, not run 1"),
        ({"type": "observed", "steps": []}, "not-a-message", "'seq' is missing or not a number in "),
        ({"type": "ready", "seq": 2}, "not-a-message", "expected 'type' to be error or obs"),
        ({"type": "ready", "seq": 1}, "invalid-answer", "expected 'type' to be error or obs"),
        ({"type": "observed", "seq": 1, "steps": 7}, "invalid-answer", "'observed': "),
        ({"type": "observed", "seq": 1, "steps": []}, "wrong-number-of-steps", "0 for 1 steps"),
        (seen(1, "nobody"), "invalid-answer", "step 1 asks 'winner': "),
    ],
)
def test_what_is_no_answer_is_told(suite: Suite, message: Any, code: str, detail: str) -> None:
    with pytest.raises(ProtocolError) as told:
        wire(suite).answer(message, 1, BODY["steps"])
    assert (told.value.code, told.value.detail[: len(detail)]) == (code, detail)
    of_this_run = {"invalid-answer", "wrong-number-of-steps"}
    assert told.value.seq == (1 if code in of_this_run else None)


def test_what_is_nested_too_deeply_to_be_shown_is_told(suite: Suite) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ProtocolError, match="got something that is nested too deeply"):
        wire(suite).ready(deep)


def test_own_messages_are_not_validated(suite: Suite) -> None:
    own = Wire(suite.schemas, suite.version, ours=True)
    assert own.answer(seen(1, "nobody"), 1, BODY["steps"]).steps == ({"answer": "nobody"},)


@pytest.mark.parametrize("beside", ["", ', "n": 1' + "0" * 4_400])
def test_numbers_are_read_as_they_are(beside: str) -> None:
    """Also beside one that this machine has no room for."""
    line = b'{"a": [7, 7.0, -7e0, 0.5, 123456789012345678, -123456789012345678, 1e18, -1e18, 1e19, -1e19]%s}'
    read = decode(line % beside.encode())
    exact = 123456789012345678
    assert read["a"] == [7, 7, -7, 0.5, exact, -exact, 10**18, -(10**18), 10**18, -(10**18)]
    assert [type(each) for each in read["a"]] == [int, int, int, float, *[int] * 6]
    assert read.get("n", 10**18) == 10**18
    assert decode(b"[-1" + b"0" * 4_400 + b"]") == [-(10**18)]


@pytest.mark.parametrize(("length", "cut"), [(118, False), (119, True)])
def test_a_line_is_shown_whole_as_long_as_it_is_short(length: int, cut: bool) -> None:
    line = show_line(b"x" * length + b"\r\n")
    assert line == (f"'{'x' * 118}…" if cut else f"'{'x' * 118}'")


# ---- what is stored of a conversation that broke


class Message(dict[str, Any]):
    """A message to which there can be a weak reference."""


@pytest.fixture
def without_collector() -> Iterator[None]:
    """Leave cycles of references in memory, as a run does for a long time."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_collector")
@pytest.mark.parametrize("broken", [seen(1, "nobody"), seen(7)])
def test_a_broken_answer_is_freed_once_the_check_has_its_result(scripted: Start, suite: Suite, broken: Any) -> None:
    check = next(iter(suite.index.checks.values()))
    message = Message(broken)
    freed = weakref.ref(message)
    engine, _ = scripted(([HELLO, message], None))
    del message
    engine.introduce()
    own: Any = AdapterRun(OneRun(suite), ChecksInFlight(engine))
    current: InFlight = own.run(1, check)
    assert freed() is None
    result = own.judge(current)
    assert (result.status, result.check) == (Status.ERROR, check)


class OneRun:
    """Checks for each of which the same run is sent, which is not answered."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite

    def adapt(self, check: Check) -> Adapted:
        return Adapted(check, replace(planner_of(self.suite).request(check), message=BODY))

    def judge(self, _request: Adapted, _observed: object) -> Result:
        raise AssertionError
