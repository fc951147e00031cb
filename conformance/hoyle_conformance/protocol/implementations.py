"""Implementations: what the harness holds against the suite.

Whatever it is, it introduces itself and answers runs. `InProcess` calls a Python function with the very messages of the
protocol; `Command` talks to a child process, and starts it anew after a conversation that broke.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from .faults import Fault
from .messages import Answer, Ready, Wire

if TYPE_CHECKING:
    from .process import Process

Said = TypeVar("Said")


class Implementation(Protocol):
    """Something that can be held against the suite; `trusted` where its reasons for refusing are compared too."""

    trusted: bool
    command: tuple[str, ...]

    def introduce(self) -> Ready:
        """What it says of itself; raises Fault."""

    def run(self, seq: int, body: Mapping[str, Any]) -> Answer:
        """Its answer to one run; raises Fault."""

    def close(self) -> None:
        """End it."""


class InProcess:
    """A Python function that takes a message and returns the answer, in this process."""

    command: tuple[str, ...] = ()

    def __init__(self, wire: Wire, respond: Callable[[dict[str, Any]], Any], *, trusted: bool = False) -> None:
        self._wire, self._respond = wire, respond
        self.trusted = trusted

    def introduce(self) -> Ready:
        """What it says of itself; raises Fault where it does not speak the protocol."""
        return self._wire.ready(self._respond(self._wire.hello()))

    def run(self, seq: int, body: Mapping[str, Any]) -> Answer:
        """Its answer to one run; raises Fault where that is none."""
        return self._wire.answer(self._respond(self._wire.run(seq, body)), seq, len(body["steps"]))

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
        self._process: Process | None = None

    def introduce(self) -> Ready:
        """Start it and say hello; raises Fault where it does not start or does not answer."""
        return self._start()

    def run(self, seq: int, body: Mapping[str, Any]) -> Answer:
        """Its answer to one run; raises Fault, and ends it, where the conversation breaks."""
        message = self._wire.run(seq, body)
        if self._process is None:
            self._start()
        return self._talk(lambda process: self._wire.answer(process.ask(message), seq, len(body["steps"])))

    def close(self) -> None:
        """Say goodbye and end it."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _start(self) -> Ready:
        from .process import Process  # the built-in reference needs none

        self._process = Process(self.command, self._timeout, self._log)
        return self._talk(lambda process: self._wire.ready(process.ask(self._wire.hello())))

    def _talk(self, exchange: "Callable[[Process], Said]") -> Said:
        process = self._process
        assert process is not None, "a conversation needs a process"
        try:
            return exchange(process)
        except Fault as fault:
            process.kill()
            self._process = None
            raise Fault(fault.code, fault.detail, fault.stderr or process.stderr) from fault
