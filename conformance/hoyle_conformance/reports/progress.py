"""The progress of a run, shown on standard error.

On a terminal it is one line, which is cleared at the end. Elsewhere it is a line of text now and then, and only where a
run takes long. It is shown only when a result comes in, so it needs no thread and takes no time.
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

#: Seconds: after which the line on a terminal appears, and how often it is drawn anew.
_APPEARS, _DRAWN = 0.5, 0.2
#: Seconds: when a line of text is printed first; then after twice the time each, but never rarer than this.
_FIRST, _RAREST = 10.0, 300.0
_MINUTE: Final = 60
_HOUR: Final = 3_600

#: Seconds since some moment, as a clock that is never set says it.
Clock = Callable[[], float]


@contextmanager
def progress(selected: int, clock: Clock = monotonic) -> Iterator[Callable[[Result], object]]:
    """Show how many of the selected checks are done, to a caller that passes each result."""
    failed = 0

    def take(result: Result) -> None:
        nonlocal failed
        failed += result.status in FAILED
        show(1, lambda done, passed: progress_text(done, selected, failed, passed))

    with counting(selected, clock) as show:
        yield take


@contextmanager
def counting(total: int, clock: Clock = monotonic) -> "Iterator[Counting]":
    """Show how much of a total is done, to a caller that passes each number of things done, and the text for all."""
    can_redraw = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    display = _Line(total) if can_redraw else _Lines(sys.stderr)
    try:
        yield Counting(total, display, clock)
    finally:
        display.clear()


def counted(items: Collection[T], noun: str) -> Iterator[T]:
    """Yield each of these items, and show how many are done."""
    with counting(len(items)) as show:
        for item in items:
            yield item
            show(1, lambda done, _passed: f"{done:,} of {plural(len(items), noun)}")


class Counting:
    """The number of things done so far, shown when the next display is due."""

    def __init__(self, total: int, display: "_Line | _Lines", clock: Clock) -> None:
        self._total, self._display, self._clock = total, display, clock
        self._done = 0
        self._began = self._first = clock()
        self._due = self._began + display.after(0.0)

    def __call__(self, more: int, text: Callable[[int, float], str]) -> None:
        """Add what was done. `text` is called with the number of all things done, and the seconds since the first."""
        now = self._clock()
        if not self._done:
            self._first = now  # until then the adapter has been starting
        self._done += more
        if now >= self._due and self._done < self._total:
            self._display.show(text(self._done, now - self._first), self._done)
            self._due = self._began + self._display.after(now - self._began)


def progress_text(done: int, selected: int, failed: int, passed: float) -> str:
    """Return the progress, `passed` seconds after the first result.

    ``1,200 of 4,300 checks, 3 failed, about 2 min left``; after the first result alone there is no estimate.
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
        """Return how many seconds after the start the next line is due."""
        return max(_FIRST, min(2 * passed, passed + _RAREST))

    def show(self, text: str, _done: int) -> None:
        """Print a line."""
        print(text, file=self._stream, flush=True)

    def clear(self) -> None:
        """Leave the lines that were printed."""


class _Line:
    """One line of a terminal, with a bar."""

    def __init__(self, selected: int) -> None:
        self._selected = selected
        self._progress: Progress | None = None

    def after(self, passed: float) -> float:
        """Return how many seconds after the start the line is drawn again."""
        return max(_APPEARS, passed + _DRAWN)

    def show(self, text: str, done: int) -> None:
        """Draw the line and its bar."""
        if self._progress is None:
            self._progress = self._begun()
        self._progress.update(self._progress.task_ids[0], completed=done, description=text)
        self._progress.refresh()

    def _begun(self) -> "Progress":
        from rich.console import Console  # a run that is soon over needs none of it
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
        drawn.console.show_cursor()  # which would stay hidden where the command is killed
        return drawn

    def clear(self) -> None:
        """Remove the line."""
        if self._progress:
            self._progress.stop()
