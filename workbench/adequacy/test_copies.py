"""Copies of this process: however the work in one ends, it is known how."""

import os
import signal

import pytest

from adequacy import copies

pytestmark = pytest.mark.posix


def breaking() -> int:
    raise RuntimeError


def hanging() -> int:
    copies.limit_processor_time(0.01)
    while True:
        pass


def in_time() -> int:
    copies.limit_processor_time(0.01)
    copies.limit_processor_time(0)
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
    return 3


def test_work_in_a_copy_ends_with_a_code() -> None:
    ours = os.getpid()
    assert copies.run_in_a_copy(in_time, broken=2) == 3
    assert copies.run_in_a_copy(breaking, broken=2) == 2
    assert copies.run_in_a_copy(hanging, broken=2) == -signal.SIGVTALRM
    assert os.getpid() == ours
