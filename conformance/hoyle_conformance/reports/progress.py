"""The progress of a run, shown on standard error.

On a terminal it is one line, which is cleared at the end. Elsewhere it is an occasional line of text, and only in long
runs. It is updated only when a result arrives, so it needs no thread and hardly any time.
"""

import os
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Final, TextIO, TypeVar

from hoyle_conformance.reports.words import phrase
from hoyle_conformance.runner.results import FAILED, Result
from hoyle_conformance.wording.text import plural

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")

#: The number of seconds before the line on a terminal appears, and between its updates.
_APPEARS, _DRAWN = 0.5, 0.2
#: The number of seconds before the first line of text; each later line is due after twice the elapsed time, but at most
#: this many seconds after the last.
_FIRST, _RAREST = 10.0, 300.0
_MINUTE: Final = 60
_HOUR: Final = 3_600

#: Return a monotonic time in seconds.
Clock = Callable[[], float]


@contextmanager
def progress(selected: int, clock: Clock = monotonic) -> Iterator[Callable[[Result], object]]:
    """Yield a function that takes each result, and show how many of the selected checks are done."""
    failed = 0

    def take(result: Result) -> None:
        nonlocal failed
        failed += result.status in FAILED
        show(1, lambda done, passed: progress_text(done, selected, failed, passed))

    with counting(selected, clock) as show:
        yield take


@contextmanager
def counting(total: int, clock: Clock = monotonic) -> "Iterator[Counting]":
    """Yield a function that takes a number of finished items and the text for all of them, and show how much of a total
    is done."""
    can_redraw = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    display = _Line(total) if can_redraw else _Lines(sys.stderr)
    try:
        yield Counting(total, display, clock)
    finally:
        display.clear()


def counted(items: Collection[T], noun: str) -> Iterator[T]:
    """Yield each of these items and show how many are done."""
    with counting(len(items)) as show:
        for item in items:
            yield item
            show(1, lambda done, _passed: f"{done:,} of {plural(len(items), noun)}")


class Counting:
    """The number of finished items, shown when the next update is due."""

    def __init__(self, total: int, display: "_Line | _Lines", clock: Clock) -> None:
        self._total, self._display, self._clock = total, display, clock
        self._done = 0
        self._began = self._first = clock()
        self._due = self._began + display.after(0.0)

    def __call__(self, more: int, text: Callable[[int, float], str]) -> None:
        """Add finished items. `text` is called with the number of all finished items and the seconds since the
        first."""
        now = self._clock()
        if not self._done:
            self._first = now  # before that, the adapter was starting
        self._done += more
        if now >= self._due and self._done < self._total:
            self._display.show(text(self._done, now - self._first), self._done)
            self._due = self._began + self._display.after(now - self._began)


def progress_text(done: int, selected: int, failed: int, passed: float) -> str:
    """Return the progress, `passed` seconds after the first result.

    It is of the form ``1,200 of 4,300 checks, 3 failed, about 2 min left``; after only one result there is no estimate.
    """
    left = phrase("progress.left", time=_span(passed / (done - 1) * (selected - done))) if done > 1 else ""
    return phrase("progress", done=done, checks=plural(selected, "check"), failed=failed, left=left)


def _span(seconds: float) -> str:
    if seconds < _MINUTE:
        return phrase("progress.seconds", count=max(1, round(seconds)))
    if seconds < _HOUR:
        return phrase("progress.minutes", count=round(seconds / _MINUTE))
    return phrase("progress.hours", count=seconds / _HOUR)


class _Lines:
    """Lines of text, at growing intervals."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def after(self, passed: float) -> float:
        """Return the number of seconds after the start at which the next line is due."""
        return max(_FIRST, min(2 * passed, passed + _RAREST))

    def show(self, text: str, _done: int) -> None:
        """Print a line."""
        print(text, file=self._stream, flush=True)

    def clear(self) -> None:
        """Do nothing: the printed lines stay."""


class _Line:
    """One line of a terminal, with a bar."""

    def __init__(self, selected: int) -> None:
        self._selected = selected
        self._progress: Progress | None = None

    def after(self, passed: float) -> float:
        """Return the number of seconds after the start at which the line is next redrawn."""
        return max(_APPEARS, passed + _DRAWN)

    def show(self, text: str, done: int) -> None:
        """Draw the line and its bar."""
        if self._progress is None:
            self._progress = self._begun()
        self._progress.update(self._progress.task_ids[0], completed=done, description=text)
        self._progress.refresh()

    def _begun(self) -> "Progress":
        from rich.console import Console  # a short run does not need it
        from rich.progress import BarColumn, Progress, TextColumn
        from rich.table import Column

        drawn = Progress(
            BarColumn(bar_width=20),
            TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis")),
            console=Console(stderr=True),
            transient=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        drawn.add_task("", total=self._selected)
        drawn.start()
        drawn.console.show_cursor()  # it would stay hidden if the command were killed
        return drawn

    def clear(self) -> None:
        """Remove the line."""
        if self._progress:
            self._progress.stop()
