"""Signals: alarms, and how a process ends by one; that of Windows too, which needs no more than other systems have."""

import os
import signal
import sys
from collections.abc import Iterator

import pytest

from conftest import until
from hoyle_conformance.system import processes as signals

either = pytest.mark.parametrize("system", [sys.platform, "win32"])


@pytest.fixture(autouse=True)
def handler() -> Iterator[None]:
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


def test_every_system_can_be_asked_to_end() -> None:
    assert {signal.SIGINT, signal.SIGTERM} < set(signals.ENDING)


class Rang(Exception):
    """The alarm rang."""


def ring() -> None:
    raise Rang


def unnoted() -> None:
    pass


@either
def test_an_alarm_breaks_off_what_is_waited_for(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    before = signal.getsignal(signal.SIGINT)
    noted: list[str] = []
    with pytest.raises(Rang), signals.alarm(0.01, lambda: noted.append("noted"), ring):
        until(lambda: False)
    assert noted == ["noted"]
    assert signal.getsignal(signal.SIGINT) is before


@either
def test_an_alarm_does_not_ring_after_the_end(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr(sys, "platform", system)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyError), signals.alarm(900, unnoted, ring):
        raise KeyError
    assert signal.getsignal(signal.SIGINT) is before


def test_while_a_timer_runs_ctrl_c_is_what_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _frame: taken.append(number))
    monkeypatch.setattr(sys, "platform", "win32")
    with signals.alarm(900, unnoted, ring):
        signal.raise_signal(signal.SIGINT)
    assert taken == [signal.SIGINT]


def test_windows_ends_by_no_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("that ends it without a word"))
    signals.end_by(signal.SIGTERM)
