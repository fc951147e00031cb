"""What is sent: the very messages that an implementation is put a check by, without one that answers them."""

from collections.abc import Iterable, Iterator
from typing import Any

from hoyle_conformance.checks.adapt.adapt import Putting
from hoyle_conformance.protocol.adapters import InProcess
from hoyle_conformance.protocol.messages import AdapterInfo, Wire, encode
from hoyle_conformance.runner.ask_questions import new_questions
from hoyle_conformance.runner.execute import CheckRunner
from hoyle_conformance.runner.results import Result
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite


def sent(suite: Suite, ready: AdapterInfo, checks: Iterable[Check]) -> Iterator[tuple[bytes, Result]]:
    """For each check the line that is sent to an implementation which has said this of itself, numbered from 1, and
    what became of the check without an answer: that says why, where the line is empty since nothing is sent."""
    lines: list[bytes] = []

    def answer(message: dict[str, Any]) -> dict[str, Any]:
        lines.append(encode(message))
        return {"type": "skipped", "seq": message["seq"]}

    wire, chosen, putting = Wire(suite.schemas, suite.version, ours=True), list(checks), Putting(suite, ready)
    asking = CheckRunner(InProcess(wire, answer), putting, new_questions(putting, chosen))
    number = 1
    for check in chosen:
        became = asking.result(number, check)
        yield (lines.pop(), became) if lines else (b"", became)
        number += bool(became.left_out)


def everything(suite: Suite) -> AdapterInfo:
    """What an implementation says of itself that plays and claims all there is, and gets into any position."""
    return AdapterInfo("", "", "", frozenset(suite.rules.names), suite.capabilities.everything)
