"""Adapters: the engines that the suite is run against, in this process or behind a command.

An adapter introduces itself and answers runs. `InProcess` calls a Python function with the messages of the protocol.
`Command` communicates with a child process, and restarts the command after a broken conversation.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from hoyle_conformance.protocol.messages import AdapterInfo, LateFault, ProtocolError, Response, Wire, show_line

if TYPE_CHECKING:
    from hoyle_conformance.protocol.process import Process

#: The faults that the previous run may have caused, because they may have existed before this run was sent.
_LEFT_BEHIND: Final = frozenset({"crashed", "unasked", "not-json", "not-a-message", "wrong-seq", "flooded"})


class SentRun(NamedTuple):
    """A run that was sent.

    It has its number and body; the run that the process had answered `before`, if any; and the fault in sending this
    one, which is raised when its response is received.
    """

    seq: int
    body: Mapping[str, Any]
    before: int | None = None
    fault: ProtocolError | None = None


class Ending(NamedTuple):
    """The end of a conversation: a fault of the adapter that occurs at every end, or one caused by the last run."""

    fault: ProtocolError | None = None
    late: LateFault | None = None


class Implementation(Protocol):
    """An engine that runs checks; reasons for refusals are also compared if the engine is `trusted`."""

    trusted: bool
    command: tuple[str, ...]

    def introduce(self) -> AdapterInfo:
        """Return the adapter's introduction; raises ProtocolError."""

    def keep_to(self, info: AdapterInfo) -> None:
        """Use `info` as the adapter's introduction; restart a process with a different introduction."""

    def send(self, seq: int, body: Mapping[str, Any]) -> SentRun:
        """Send a run without waiting for the response, which must be received before anything else is sent."""

    def receive(self, sent: SentRun) -> Response:
        """Wait for the response to a run and return it, with the late fault of the previous run if one was found.

        Raises ProtocolError, which may also have such a late fault.
        """

    def run(self, seq: int, body: Mapping[str, Any]) -> Response:
        """Send a run and return the response. Raises ProtocolError as `receive` does."""

    def end(self) -> Ending:
        """End the adapter after its last response, and return how it ended."""

    def close(self) -> None:
        """End the adapter immediately."""


class InProcess:
    """A Python function in this process that takes a message and returns the response."""

    command: tuple[str, ...] = ()

    def __init__(self, wire: Wire, respond: Callable[[dict[str, Any]], Any], *, trusted: bool = False) -> None:
        self._wire, self._respond = wire, respond
        self.trusted = trusted

    def introduce(self) -> AdapterInfo:
        """Return the function's introduction; raises ProtocolError if it is invalid."""
        return self._wire.ready(self._respond(self._wire.hello()))

    def keep_to(self, info: AdapterInfo) -> None:
        """Do nothing, because a function is never restarted."""

    def send(self, seq: int, body: Mapping[str, Any]) -> SentRun:
        """Record the run; the function is called when the response is received."""
        return SentRun(seq, body)

    def receive(self, sent: SentRun) -> Response:
        """Call the function and return its response; raises ProtocolError if the response is invalid."""
        return self._wire.answer(self._respond(self._wire.run(sent.seq, sent.body)), sent.seq, sent.body["steps"])

    def run(self, seq: int, body: Mapping[str, Any]) -> Response:
        """Return the response to a run. Raises ProtocolError as `receive` does."""
        return self.receive(self.send(seq, body))

    def end(self) -> Ending:
        """Return an ending without faults, because there is no process to end."""
        return Ending()

    def close(self) -> None:
        """Do nothing, because there is no process to end."""


class Command:
    """A command that speaks the protocol over its standard input and output.

    It runs in the working folder or in `folder`, and in a sandbox if `sandbox` is set.
    """

    trusted = False

    def __init__(
        self,
        wire: Wire,
        command: Sequence[str],
        timeout: float,
        log: Callable[[bytes], object] = lambda _line: None,
        folder: Path | None = None,
        *,
        sandbox: bool = False,
    ) -> None:
        self._wire, self._timeout, self._log, self._folder = wire, timeout, log, folder
        self._sandbox = sandbox
        self.command = tuple(command)
        self._process: Process | None = None
        self._last_line = b""
        #: The introduction that every process must repeat, and that of the current process.
        self._info: AdapterInfo | None = None
        self._introduced: AdapterInfo | None = None
        #: The last run that the process answered, if any.
        self._answered: int | None = None

    def introduce(self) -> AdapterInfo:
        """Start the command and say hello; raises ProtocolError if it does not start or does not respond."""
        info = self._start()
        self._info = self._info or info
        return info

    def keep_to(self, info: AdapterInfo) -> None:
        """Use `info` as the adapter's introduction; restart a process with a different introduction."""
        self._info = info
        if self._introduced != info:
            self._kill()

    def send(self, seq: int, body: Mapping[str, Any]) -> SentRun:
        """Send a run; the adapter answers it while Hoyle does other work."""
        before = self._answered
        try:
            self._send(seq, body)
        except ProtocolError as fault:
            return SentRun(seq, body, before, fault.alone())
        return SentRun(seq, body, before)

    def receive(self, sent: SentRun) -> Response:
        """Return the response to a run. If the conversation breaks, end the process and raise ProtocolError.

        The previous run may have caused the fault, so this run is sent again to a new process. If that process answers,
        the fault is a late fault of the previous run.
        """
        try:
            if sent.fault:
                raise sent.fault.alone()
            return self._receive(sent)
        except ProtocolError as fault:
            if sent.before is None or fault.code not in _LEFT_BEHIND or not self._could_start_again():
                raise
            late = LateFault(sent.before, self._left_behind(fault))
        try:
            self._send(sent.seq, sent.body)
            return replace(self._receive(sent), late=late)
        except ProtocolError as fault:
            if fault.of_the_answer:
                fault.late = late
            raise

    def run(self, seq: int, body: Mapping[str, Any]) -> Response:
        """Return the response to a run. Raises ProtocolError as `receive` does."""
        return self.receive(self.send(seq, body))

    def end(self) -> Ending:
        """Say goodbye and return how the process ended. Its fault is that of the last run if a new process ends without
        it."""
        before, fault = self._answered, self._goodbye()
        if fault is None or before is None or fault.code == "does-not-end":
            return Ending(fault)
        try:
            self._start()
        except ProtocolError:
            return Ending(fault)
        fresh = self._goodbye()
        if fresh is not None and fresh.code == fault.code:
            return Ending(fresh)
        return Ending(fresh, LateFault(before, self._left_behind(fault)))

    def close(self) -> None:
        """Say goodbye and end the process."""
        self._goodbye()

    def _goodbye(self) -> ProtocolError | None:
        fault = self._process.close() if self._process else None
        self._process = None
        return fault

    def _left_behind(self, fault: ProtocolError) -> ProtocolError:
        """Return a fault of the conversation as one caused by the previous run."""
        if fault.code in {"crashed", "ended-badly"}:
            return ProtocolError("crashed-later", fault.detail, fault.stderr)
        detail = fault.detail if fault.code == "unasked" else show_line(self._last_line)
        return ProtocolError("unasked", detail, fault.stderr)

    def _send(self, seq: int, body: Mapping[str, Any]) -> None:
        process = self._process or self._start_again()
        try:
            process.send(self._wire.run(seq, body))
        except ProtocolError as fault:
            raise self._broken(fault) from fault

    def _receive(self, sent: SentRun) -> Response:
        """Return the response of the current process. Raises ProtocolError, and ends the process unless the fault is in
        a complete response to this run."""
        process = self._process
        assert process is not None, "a run was sent to it"
        try:
            response = self._wire.answer(process.answer(), sent.seq, sent.body["steps"])
        except ProtocolError as fault:
            if fault.of_the_answer and fault.seq == sent.seq:
                self._answered = sent.seq
                raise
            if fault.of_the_answer:  # a complete response to another run is no answer
                raise self._broken(ProtocolError("not-a-message", fault.message, fault.stderr)) from fault
            raise self._broken(fault) from fault
        self._answered = sent.seq
        return response

    def _could_start_again(self) -> bool:
        try:
            self._start_again()
        except ProtocolError:  # the next run reports it
            return False
        return True

    def _start_again(self) -> "Process":
        """Restart the command; raises ProtocolError if its introduction has changed."""
        info = self._start()
        if self._info is not None and info != self._info:
            self._kill()
            raise ProtocolError("says-otherwise", "; ".join(self._info.differences(info)))
        assert self._process is not None, "it has just been started"
        return self._process

    def _start(self) -> AdapterInfo:
        from hoyle_conformance.protocol.process import Process  # the built-in reference does not need it

        self._process = process = Process(self.command, self._timeout, self._log, self._folder, sandbox=self._sandbox)
        self._answered, self._introduced = None, None
        try:
            self._introduced = self._wire.ready(process.ask(self._wire.hello()))
        except ProtocolError as fault:
            raise self._broken(fault) from fault
        return self._introduced

    def _broken(self, fault: ProtocolError) -> ProtocolError:
        """End the process, and return the fault with the end of the adapter's error output."""
        process = self._process
        assert process is not None, "a conversation needs a process"
        self._kill()
        self._last_line = process.said
        return ProtocolError(fault.code, fault.detail, fault.stderr or process.stderr)

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process = None
