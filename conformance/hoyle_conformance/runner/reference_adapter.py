"""The reference interpreter as an implementation: it answers the messages of the protocol."""

from collections.abc import Mapping
from typing import Any

from hoyle_conformance import __version__
from hoyle_conformance.checks.setup.trace import observations
from hoyle_conformance.protocol.messages import PROTOCOL
from hoyle_conformance.suite.suite import Suite
from hoyle_reference import Malformed, Rules


class Reference:
    """The built-in reference: it claims every ruleset of the suite, with all options, and every word."""

    def __init__(self, suite: Suite) -> None:
        self._suite = suite

    def __call__(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one message."""
        if message["type"] == "hello":
            return self._ready()
        seq = message["seq"]
        try:
            rules = self.rules("+".join((message["ruleset"], *message["options"])))
            return {"type": "observed", "seq": seq, "steps": observations(rules, message)}
        except Malformed as malformed:
            return {"type": "error", "seq": seq, "reason": str(malformed)}

    def rules(self, ruleset: str) -> Rules:
        """The rules that it plays a ruleset by; raises Malformed where there is none of that name."""
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
