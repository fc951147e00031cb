"""The items: one for each check, with the same words for a failure as `hoyle check` has."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NoReturn

import pytest

from ..model import Check
from ..protocol.faults import Fault
from ..protocol.starting import adapter
from ..report.layout import harmless
from ..run.results import FAILED, Failure, Result, Status
from .conversation import Conversation, Wanted
from .told import Told, told, told_of

_DECLINED = "It was not done, though what it needs is claimed"
_CLAIM_LESS = "Claim less, or let its line stand in the baseline: what is claimed is asked for."


class Departs(Exception):
    """An implementation departs from what is expected of it; what a person needs to know of it, in words."""

    def __init__(self, told: Told) -> None:
        self.told = told
        super().__init__(told.short)


class SuiteOfChecks(pytest.Collector):
    """The checks of the suite that are selected, and the adapter that they are put to."""

    wanted: Wanted

    def __init__(self, **parts: Any) -> None:
        super().__init__(**parts)
        self._conversation: Conversation | None = None
        self._speechless = False
        self._left: Sequence[Check] = ()
        self._next: dict[str, Check] = {}

    def collect(self) -> Iterator["OneCheck"]:
        """An item for each check."""
        for check in self.wanted.checks:
            item: OneCheck = OneCheck.from_parent(self, name=check.id)
            item.check = check
            item.user_properties.append(("title", check.scenario.title))
            yield item

    def see(self, items: Sequence[pytest.Item]) -> None:
        """Take it that these are all the items of the session, after some may have been deselected."""
        self._left = [item.check for item in items if isinstance(item, OneCheck)]

    def following(self, item: pytest.Item, then: pytest.Item | None) -> None:
        """Take it that one item comes after another."""
        self._next.clear()
        if isinstance(item, OneCheck) and isinstance(then, OneCheck):
            self._next[item.check.id] = then.check

    def begin(self) -> Conversation:
        """The conversation, begun if it is not; raises Departs where the adapter cannot be spoken to, and is skipped
        after that."""
        if self._speechless:
            pytest.skip("the adapter cannot be spoken to")
        if self._conversation is None:
            wanted = self.wanted
            started = adapter(wanted.command, wanted.timeout, wanted.suite, lambda _line: None)
            try:
                self._conversation = Conversation(wanted.suite, started, self._left, wanted.known)
            except Fault as fault:
                self._speechless = True
                raise Departs(told_of(fault)) from fault
        return self._conversation

    def result(self, check: Check) -> Result:
        """What becomes of a check; skipped where nothing more is asked."""
        conversation = self.begin()
        if conversation.gave_up:
            pytest.skip(f"not run: {conversation.gave_up}")
        return conversation.result(check, self._next.get(check.id))

    def told(self, result: Result) -> Told:
        """What a person needs to know of a failure."""
        conversation = self.begin()
        return told(self.wanted, conversation.ready, result)

    def close(self) -> None:
        """End the adapter, whatever it is doing."""
        if self._conversation is not None:
            self._conversation.close()

    def ending(self) -> str:
        """What was wrong with how the adapter ended, if it has."""
        return self._conversation.ending if self._conversation else ""


class OneCheck(pytest.Item):
    """A check as an item of pytest."""

    check: Check

    @property
    def _suite(self) -> SuiteOfChecks:
        assert isinstance(self.parent, SuiteOfChecks)
        return self.parent

    def setup(self) -> None:
        """The adapter is there."""
        self._suite.begin()

    def runtest(self) -> None:
        """Put it to the adapter; raises Departs where that departs from what is expected."""
        result = self._suite.result(self.check)
        match result.status:
            case Status.PASS:
                return
            case Status.EXPECTED_FAILURE:
                pytest.xfail(harmless(self._suite.told(replace(result, status=Status.FAIL)).short))
            case Status.UNSUPPORTED | Status.SKIPPED:
                self._not_done(result)
            case _:
                assert result.status in FAILED
                raise Departs(self._suite.told(result))

    def _not_done(self, result: Result) -> NoReturn:
        """What is not claimed is skipped, and what is known; raises Departs where it is claimed and declined."""
        if result.left_out and not result.known:
            reason = f"{_DECLINED}: {result.reason or 'no reason given'}"
            raise Departs(self._suite.told(replace(result, reason=reason, remedy=_CLAIM_LESS)))
        pytest.skip(harmless(result.reason or "no reason given"))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """A failure in the words of `hoyle check`; whatever else is raised as pytest shows it."""
        if isinstance(excinfo.value, Departs):
            return excinfo.value.told
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Where it stands in the suite."""
        return self.path, None, self.name
