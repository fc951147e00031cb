"""The queue of work: results in order, whatever becomes of the workers."""

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest

from hoyle_conformance.runner.work_queue import in_order
from hoyle_conformance.runner.workers import Pool, Workers

#: The pieces that end every worker, in these tests.
Ends = Callable[[int], bool]


class Losing(Executor):
    """Workers that are all lost when one comes to a piece that ends it, as a pool of processes is."""

    def __init__(self, ends: Ends) -> None:
        self.ends, self.lost, self.done = ends, False, list[int]()

    def submit(self, work: Any, /, *arguments: Any, **_named: Any) -> Any:
        future = Future[Any]()
        self.lost = self.lost or self.ends(arguments[-1])
        if self.lost:
            future.set_exception(CancelledError())
        else:
            self.done.append(arguments[-1])
            future.set_result(work(*arguments))
        return future


def losing(ends: Ends, started: list[Losing]) -> Workers:
    @contextmanager
    def workers() -> Iterator[Pool]:
        started.append(Losing(ends))
        yield Pool(started[-1])

    return workers


def squared(number: int) -> int:
    return number * number


@pytest.mark.parametrize("many", [1, 2, 5])
def test_results_come_in_order_however_many_workers_there_are(many: int) -> None:
    @contextmanager
    def workers() -> Iterator[Pool]:
        with ThreadPoolExecutor(many) as executor:
            yield Pool(executor)

    found = list(in_order(squared, range(20), workers, lambda _taken: 3))
    assert found == [(number, number * number) for number in range(20)]


def test_a_piece_is_taken_when_all_but_the_last_before_it_are_done() -> None:
    done = list[int]()
    taken = list[tuple[int, int]]()

    def pieces() -> Iterator[int]:
        for number in range(12):
            taken.append((number, len(done)))
            yield number

    for number, _ in in_order(squared, pieces(), losing(lambda _: False, []), lambda count: max(2, count // 2)):
        done.append(number)
    # One more is taken whenever one is done, and two after every second once half of them may be in progress.
    assert taken[:5] == [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3)]
    assert all(number - before <= max(2, number // 2) for number, before in taken)
    assert [number for number, _ in taken] == done


def test_a_piece_that_ends_every_worker_has_no_result_and_costs_no_other_piece() -> None:
    started: list[Losing] = []
    found = dict(in_order(squared, range(6), losing(lambda piece: piece == 3, started)))
    assert found == {0: 0, 1: 1, 2: 4, 3: None, 4: 16, 5: 25}
    assert [each.done for each in started] == [[0, 1, 2], [], [4, 5]]


def test_a_lost_worker_alone_costs_nothing() -> None:
    started: list[Losing] = []
    found = dict(in_order(squared, range(4), losing(lambda piece: piece == 1 and len(started) == 1, started)))
    assert found == {0: 0, 1: 1, 2: 4, 3: 9}
    assert len(started) == 2


def test_no_more_pieces_are_taken_after_three_that_end_their_workers() -> None:
    started: list[Losing] = []
    found = list(in_order(squared, range(100), losing(lambda piece: piece >= 2, started), lambda _taken: 5))
    assert found == [(0, 0), (1, 1), *((piece, None) for piece in range(2, 9))]  # five were in progress
    assert len(started) == 2 * 3


def test_a_fault_of_the_work_itself_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        list(in_order(lambda piece: 1 // piece, [1, 0], losing(lambda _: False, [])))
