"""The reference interpreter as an adapter, and functions that start either it or a command."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hoyle_conformance import __version__
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.protocol.adapters import Command, Implementation, InProcess
from hoyle_conformance.protocol.messages import PROTOCOL, Wire
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Rules

#: Receives every line to and from an adapter.
Log = Callable[[bytes], object]
#: Returns an adapter that is ready to be introduced.
Start = Callable[[Suite, Log], Implementation]


class Reference:
    """The built-in reference, which claims every ruleset of the suite, with all options, and every word."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite

    def __call__(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return the response to one message."""
        if message["type"] == "hello":
            return self._ready()
        seq = message["seq"]
        try:
            rules = self.rules("+".join((message["ruleset"], *message["options"])))
            return {"type": "observed", "seq": seq, "steps": observations(rules, message)}
        except Malformed as malformed:
            return {"type": "error", "seq": seq, "reason": str(malformed)}

    def rules(self, ruleset: str) -> Rules:
        """Return the rules of a ruleset; raises Malformed if no ruleset has that name."""
        return self._suite.rules.of(ruleset)

    def _ready(self) -> dict[str, Any]:
        suite = self._suite
        return {
            "type": "ready",
            "protocol": PROTOCOL,
            "name": "reference interpreter",
            "version": __version__,
            "language": "Python",
            "rulesets": sorted({*suite.rules.names, *suite.index.checks_by_ruleset}),
            "claims": sorted(suite.capabilities.everything),
            "position": "any",
        }


def start_reference(suite: Suite, _log: Log) -> Implementation:
    """Return the built-in reference as an adapter; its reasons for refusals are compared too."""
    return InProcess(Wire(suite.schemas, suite.version, ours=True), Reference(suite), trusted=True)


def start_command(
    command: Sequence[str], timeout: float, suite: Suite, log: Log, *, folder: Path | None = None, sandbox: bool = False
) -> Implementation:
    """Return a command that speaks the protocol as an adapter.

    `timeout` is the number of seconds for each response. The command runs in the working folder or in `folder`, and in
    a sandbox if `sandbox` is set.
    """
    return Command(Wire(suite.schemas, suite.version), command, timeout, log, folder, sandbox=sandbox)
