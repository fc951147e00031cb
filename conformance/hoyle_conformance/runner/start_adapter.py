"""Starting: how a process comes by an implementation of its own."""

from collections.abc import Callable, Sequence

from hoyle_conformance.protocol.adapters import Command, Implementation, InProcess
from hoyle_conformance.protocol.messages import Wire
from hoyle_conformance.runner.reference_adapter import Reference
from hoyle_conformance.suite.suite import Suite

#: Is given every line to and from an adapter.
Log = Callable[[bytes], object]
#: Makes an implementation ready to be spoken to.
Start = Callable[[Suite, Log], Implementation]


def built_in(suite: Suite, _log: Log) -> Implementation:
    """The built-in reference, whose reasons for refusing are compared too."""
    return InProcess(Wire(suite.schemas, suite.version, ours=True), Reference(suite), trusted=True)


def adapter(command: Sequence[str], timeout: float, suite: Suite, log: Log) -> Implementation:
    """A command that speaks the protocol, and may take so many seconds for an answer."""
    return Command(Wire(suite.schemas, suite.version), command, timeout, log)
