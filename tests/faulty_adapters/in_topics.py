"""Runs of an engine in this process; the adapters themselves need none of it, and start without it."""

from collections.abc import Collection

from faults import Respond

from hoyle_conformance.checks.relabel import Relabeller
from hoyle_conformance.protocol.adapters import InProcess
from hoyle_conformance.protocol.messages import Wire
from hoyle_conformance.runner.results import Run
from hoyle_conformance.runner.run import run
from hoyle_conformance.suite.suite import Suite


def run_in_topics(suite: Suite, engine: Respond, topics: Collection[str], every: int = 1) -> Run:
    """The run of an engine, in this process, against every so manieth check of some topics in the rulesets that it
    claims."""
    wire = Wire(suite.schemas, suite.version)
    ready = wire.ready(engine({"type": "hello", "protocol": 1, "suite": ""}))
    checks = [
        suite.index.checks[each]
        for each, heading in suite.index.headings.items()
        if heading.ruleset in ready.rulesets and heading.topic in topics
    ]
    return run(suite, InProcess(wire, engine), list(map(Relabeller(suite), checks[::every])))
