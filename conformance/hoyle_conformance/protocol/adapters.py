"""Implementations: what the harness holds against the suite.

Whatever it is, it introduces itself and answers runs. `InProcess` calls a Python function with the very messages of the
protocol; `Command` talks to a child process, and starts it anew after a conversation that broke.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

from hoyle_conformance.protocol.errors import OF_THE_ANSWER, ProtocolError
from hoyle_conformance.protocol.messages import AdapterInfo, Response, Wire, shown

if TYPE_CHECKING:
    from hoyle_conformance.protocol.process import Process

Said = TypeVar("Said")
#: Waits for the answer to a run, and gives it; raises Fault where there is none.
Answers = Callable[[], Response]

#: The faults that may have been there already when a run was asked, left behind by the one before.
_LEFT_BEHIND: Final = frozenset({"crashed", "unasked", "not-json", "not-a-message", "wrong-seq", "flooded"})


class Late(NamedTuple):
    """What was found only after a run had been answered: its number, and the fault."""

    seq: int
    fault: ProtocolError


class Implementation(Protocol):
    """Something that can be held against the suite; `trusted` where its reasons for refusing are compared too.

    `asked` is the number of the last run that was put to it; `late` is what was found, in the last run or in the end,
    to be wrong with the run before, and `ending` what was wrong with how it ended.
    """

    trusted: bool
    command: tuple[str, ...]
    asked: int
    late: Late | None
    ending: ProtocolError | None

    def introduce(self) -> AdapterInfo:
        """What it says of itself; raises Fault."""

    def keep_to(self, ready: AdapterInfo) -> None:
        """Take it that it has said this of itself, and must say so whenever it is asked."""

    def begin(self, seq: int, body: Mapping[str, Any]) -> Answers:
        """Put a run to it, and give what waits for its answer; before that nothing else is asked."""

    def run(self, seq: int, body: Mapping[str, Any]) -> Response:
        """Its answer to one run; raises Fault."""

    def end(self) -> None:
        """End it when it has answered everything, and see how it ends."""

    def close(self) -> None:
        """End it, whatever it is doing."""


class InProcess:
    """A Python function that takes a message and returns the answer, in this process."""

    command: tuple[str, ...] = ()
    late: Late | None = None
    ending: ProtocolError | None = None

    def __init__(self, wire: Wire, respond: Callable[[dict[str, Any]], Any], *, trusted: bool = False) -> None:
        self._wire, self._respond = wire, respond
        self.trusted = trusted
        self.asked = 0

    def introduce(self) -> AdapterInfo:
        """What it says of itself; raises Fault where it does not speak the protocol."""
        return self._wire.ready(self._respond(self._wire.hello()))

    def keep_to(self, ready: AdapterInfo) -> None:
        """It is never started again."""

    def begin(self, seq: int, body: Mapping[str, Any]) -> Answers:
        """Put a run to it; it answers when it is waited for."""
        self.asked = seq
        return lambda: self._wire.answer(self._respond(self._wire.run(seq, body)), seq, body["steps"])

    def run(self, seq: int, body: Mapping[str, Any]) -> Response:
        """Its answer to one run; raises Fault where that is none."""
        return self.begin(seq, body)()

    def end(self) -> None:
        """Nothing to end."""

    def close(self) -> None:
        """Nothing to end."""


class Command:
    """A command that speaks the protocol over its standard input and output."""

    trusted = False

    def __init__(
        self, wire: Wire, command: Sequence[str], timeout: float, log: Callable[[bytes], object] = lambda _line: None
    ) -> None:
        self._wire, self._timeout, self._log = wire, timeout, log
        self.command = tuple(command)
        self.asked = 0
        self.late: Late | None = None
        self.ending: ProtocolError | None = None
        self._process: Process | None = None
        self._last_line = b""
        self._said: AdapterInfo | None = None
        self._introduced: AdapterInfo | None = None
        #: The last run that the process has answered, if it has answered one.
        self._answered: int | None = None

    def introduce(self) -> AdapterInfo:
        """Start it and say hello; raises Fault where it does not start or does not answer."""
        ready = self._start()
        self._said = self._said or ready
        return ready

    def keep_to(self, ready: AdapterInfo) -> None:
        """Take it that it has said this of itself; where it has just said something else, it is started again."""
        self._said = ready
        if self._introduced != ready:
            self._kill()

    def begin(self, seq: int, body: Mapping[str, Any]) -> Answers:
        """Put a run to it, which it answers while others do something else."""
        self.late, self.asked, before = None, seq, self._answered
        try:
            self._send(seq, body)
        except ProtocolError as fault:
            return partial(self._answer, seq, body, before, fault.alone())
        return partial(self._answer, seq, body, before)

    def run(self, seq: int, body: Mapping[str, Any]) -> Response:
        """Its answer to one run; raises Fault, and ends it, where the conversation breaks."""
        return self.begin(seq, body)()

    def _answer(
        self, seq: int, body: Mapping[str, Any], before: int | None, unsent: ProtocolError | None = None
    ) -> Response:
        """Its answer to a run, which may be `unsent`; raises Fault, and ends it, where the conversation breaks.

        What breaks it may be left behind by the run `before`: so the run is asked again of a fresh process, and where
        that answers it, the run before was the cause.
        """
        try:
            if unsent:
                raise unsent.alone()
            return self._receive(seq, body)
        except ProtocolError as fault:
            if before is None or fault.code not in _LEFT_BEHIND or not self._could_start_again():
                raise
            late = Late(before, self._left_behind(fault))
        try:
            self._send(seq, body)
            answer = self._receive(seq, body)
        except ProtocolError as fault:
            self.late = late if fault.code in OF_THE_ANSWER else None
            raise
        self.late = late
        return answer

    def end(self) -> None:
        """Say goodbye to it. What is wrong with its end was left behind by the last run, unless it always ends so."""
        self.late, before = None, self._answered
        self.ending = fault = self._goodbye()
        if fault is None or before is None or fault.code == "does-not-end":
            return
        try:
            self._start()
        except ProtocolError:
            return
        self.ending = self._goodbye()
        if self.ending is None or self.ending.code != fault.code:
            self.late = Late(before, self._left_behind(fault))

    def close(self) -> None:
        """Say goodbye and end it."""
        self._goodbye()

    def _goodbye(self) -> ProtocolError | None:
        """What was wrong with its end."""
        process = self._process
        fault = process.close() if process else None
        self._process = None
        return fault

    def _left_behind(self, fault: ProtocolError) -> ProtocolError:
        """A fault of the conversation, as one of the run that was answered before it."""
        if fault.code in {"crashed", "ended-badly"}:
            return ProtocolError("crashed-later", fault.detail, fault.stderr)
        return ProtocolError(
            "unasked", fault.detail if fault.code == "unasked" else shown(self._last_line), fault.stderr
        )

    def _send(self, seq: int, body: Mapping[str, Any]) -> None:
        if self._process is None:
            self._start_again()
        message = self._wire.run(seq, body)
        self._talk(lambda process: process.send(message), seq)

    def _receive(self, seq: int, body: Mapping[str, Any]) -> Response:
        answer = self._talk(lambda process: self._wire.answer(process.answer(), seq, body["steps"]), seq)
        self._answered = seq
        return answer

    def _could_start_again(self) -> bool:
        try:
            self._start_again()
        except ProtocolError:  # it is told of the next run that is asked
            return False
        return True

    def _start_again(self) -> None:
        """Start it once more; raises Fault where it says something else of itself than before."""
        ready = self._start()
        if self._said is not None and ready != self._said:
            self._kill()
            raise ProtocolError("says-otherwise", "; ".join(self._said.differences(ready)))

    def _start(self) -> AdapterInfo:
        from hoyle_conformance.protocol.process import Process  # the built-in reference needs none

        self._process, self._answered, self._introduced = Process(self.command, self._timeout, self._log), None, None
        self._introduced = self._talk(lambda process: self._wire.ready(process.ask(self._wire.hello())))
        return self._introduced

    def _talk(self, exchange: "Callable[[Process], Said]", seq: int | None = None) -> Said:
        """What comes of an exchange. Of a fault the process is ended, but not where it answered this run."""
        process = self._process
        assert process is not None, "a conversation needs a process"
        try:
            return exchange(process)
        except ProtocolError as fault:
            if seq is not None and fault.seq == seq and fault.code in OF_THE_ANSWER:
                self._answered = seq
                raise
            self._kill()
            self._last_line = process.said
            # What would leave the conversation as it was is no answer at all, where it is not to this run.
            code = "not-a-message" if seq is not None and fault.code in OF_THE_ANSWER else fault.code
            detail = fault.message if code != fault.code else fault.detail
            raise ProtocolError(code, detail, fault.stderr or process.stderr) from fault

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None
