"""Measurements, and figures printed beside their goals."""

import os
import subprocess
import time
from collections.abc import Callable, Sequence
from typing import Any


def best(tries: int, measure: Callable[[], float]) -> float:
    """Return the least of so many measurements."""
    return min(measure() for _ in range(tries))


def seconds(act: Callable[[], object]) -> float:
    """Return how long something takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def processor_time(command: Sequence[str], *, check: bool = False, **options: Any) -> tuple[float, str]:
    """Return the processor time of a command and what it starts, and what it printed; options are those of `run`."""
    before = os.times()
    done = subprocess.run(command, check=check, capture_output=True, text=True, **options)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return spent, done.stdout


def line(what: str, value: float, unit: str, goal: float, *, least: bool) -> str:
    """Return one figure beside its goal; the ratio is above 1 if the goal is met."""
    ratio = value / goal if least else goal / value
    bound = "at least" if least else "under"
    return f"{what:<52} {value:>9,.0f} {unit:<4} {bound:>8} {goal:>6,.0f}   {ratio:5.2f} x"


def ratio(what: str, value: float, than: str, goal: float, *, least: bool = False) -> str:
    """Return how many times as much something takes, or gets done, as another; and whether that is the goal."""
    met = value >= goal if least else value <= goal
    bound = "at least" if least else "at most"
    return f"{what:<52} {value:>9.2f} times {than:<26} {bound} {goal:g}: {'met' if met else 'NOT met'}"
