"""Inputs run through their targets without a fuzzer: the kept corpus, or one input again."""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from .confined import confined
from .target import Input, Target

if TYPE_CHECKING:
    from hoyle_conformance.suite.suite import Suite


@contextmanager
def reader(target: Target, suite: "Suite | None" = None) -> Iterator[Callable[[bytes], None]]:
    """Yield the function that reads an input of a target, confined to a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="hoyle-fuzzers-") as named:
        folder = Path(named).resolve()
        read = target.load().prepare(suite or own_suite(), folder)

        def confined_read(data: bytes) -> None:
            with confined(folder):
                read(Input.of(data))

        yield confined_read


@cache
def own_suite() -> "Suite":
    """Return the suite of this clone, which stores nothing more in its cache."""
    from hoyle_conformance.checks.cache.cached_suite import open_suite
    from hoyle_conformance.checks.planner import planner_of

    suite = open_suite()
    planner_of(suite).cache_key = ""
    return suite


def kept(target: Target) -> list[Path]:
    """Return the inputs of a target's corpus, in order of their names."""
    return sorted(target.corpus.iterdir()) if target.corpus.is_dir() else []


def replay(target: Target, paths: Iterable[Path], suite: "Suite | None" = None) -> None:
    """Run inputs through a target; raises what the first defect raises, with the command that repeats it."""
    with reader(target, suite) as read:
        for path in paths:
            try:
                read(path.read_bytes())
            except BaseException as error:
                error.add_note(f"To repeat: python workbench/run_fuzzers.py repeat {target.name} {path}")
                raise
