"""A queue of pieces of work: workers share them, and the results come in order, whatever workers are lost."""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from hoyle_conformance.runner.workers import LostWorker, Pool, Workers

P = TypeVar("P")
T = TypeVar("T")
#: After so many pieces in a row that end their workers, no more are tried.
_MOST_LOSSES: Final = 3


def in_order(
    work: Callable[[P], T],
    pieces: Iterable[P],
    workers: Workers,
    ahead: Callable[[int], float] = lambda _taken: math.inf,
) -> Iterator[tuple[P, T | None]]:
    """Yield each piece with its result, in order; without a result if the piece ends its workers.

    `ahead` returns how many pieces may be in progress, from the number of those taken so far. A piece is taken when all
    pieces before it but so many have been yielded, however many workers there are. If a worker is lost, new workers go
    on, first with the next piece alone: if it ends these workers too, it has no result.
    """
    queue = _WorkQueue(work, iter(pieces), ahead)
    while queue.take_pieces():
        with workers() as pool:
            yield from queue.results(pool)


@dataclass
class _InProgress(Generic[P, T]):
    """A piece in progress, and its future result if it has been submitted to the present workers, or is done."""

    piece: P
    future: Future[T] | None = None

    def leave_workers(self) -> None:
        """Keep the result if there is one already."""
        future = self.future
        if future and (not future.done() or future.cancelled() or future.exception()):
            self.future = None


class _WorkQueue(Generic[P, T]):
    """The pieces in progress, in order. The first is `suspect` after a loss, and runs alone."""

    def __init__(self, work: Callable[[P], T], pieces: Iterator[P], ahead: Callable[[int], float]) -> None:
        self._work, self._pieces, self._ahead = work, pieces, ahead
        self._waiting, self._taken = deque[_InProgress[P, T]](), 0
        self._suspect, self._losses = False, 0

    def take_pieces(self) -> bool:
        """Take as many pieces as may be in progress; return whether there are any."""
        while len(self._waiting) < self._ahead(self._taken) and self._losses < _MOST_LOSSES:
            try:
                self._waiting.append(_InProgress(next(self._pieces)))
            except StopIteration:
                break
            self._taken += 1
        return bool(self._waiting)

    def results(self, pool: Pool) -> Iterator[tuple[P, T | None]]:
        """Yield pieces until all are done or a worker is lost."""
        while self.take_pieces():
            first = self._waiting[0]
            first.future = first.future or pool.submit(self._work, first.piece)
            for each in () if self._suspect else self._waiting:
                each.future = each.future or pool.submit(self._work, each.piece)
            try:
                result = pool.result(first.future)
            except LostWorker:
                yield from self._given_up()
                return
            self._waiting.popleft()
            self._suspect, self._losses = False, 0
            yield first.piece, result

    def _given_up(self) -> Iterator[tuple[P, None]]:
        """Yield the first piece if it ran alone; after too many losses, yield all."""
        for each in self._waiting:
            each.leave_workers()
        if self._suspect:
            self._losses += 1
            yield self._waiting.popleft().piece, None
        self._suspect = not self._suspect
        while self._losses == _MOST_LOSSES and self._waiting:
            yield self._waiting.popleft().piece, None
