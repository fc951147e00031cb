"""What a record keeps of failures and their causes in words: the same as the terminal shows."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from hoyle_conformance.protocol.messages import AdapterInfo
from hoyle_conformance.reports import causes
from hoyle_conformance.reports.exit_codes import explained
from hoyle_conformance.reports.failure import Telling, told
from hoyle_conformance.runner.record import Teller
from hoyle_conformance.runner.results import Failure, FailureGroup, Run
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.failure_lines import written
from hoyle_reference.frozen import frozen


@frozen
class RecordedWords:
    """Says in words what went wrong, as the record keeps it."""

    telling: Telling

    def failure(self, failure: Failure) -> Mapping[str, Any]:
        """All that is told of a failure; of which rule is at work in others too, nothing is known yet."""
        return dict(written(told(self.telling, failure)))

    def cause(self, cause: FailureGroup) -> Mapping[str, Any]:
        """What went wrong, the rule that has to do with it, and all that is told of its example."""
        rule = causes.rule_of(self.telling.suite, cause)
        says = {"says": causes.wrong(cause), "told": written(told(self.telling, cause.example, cause.cell))}
        return {**says, "rule": {"says": rule.says, "cell": rule.cell, "ruleset": rule.ruleset}} if rule else says

    def run(self, run: Run) -> Mapping[str, Any]:
        """Why the command does not end with 0."""
        why = explained(run)
        return {"explained": why} if why else {}


def teller(suite: Suite, again: Sequence[str]) -> Teller:
    """Who tells of the failures of a run, each with the command that repeats it, which begins with `again`."""
    return partial(_tells, suite, again)


def _tells(suite: Suite, again: Sequence[str], ready: AdapterInfo, command: Sequence[str]) -> RecordedWords:
    return RecordedWords(Telling(suite, ready.name, again, command, ready))
