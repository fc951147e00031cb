"""Inputs run through their targets without a fuzzer: a corpus, what it covers, or one input again."""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .confined import confined
from .target import FOLDER, Input, Target

if TYPE_CHECKING:
    from hoyle_conformance.suite.suite import Suite

_PACKAGES: Final = Path(__file__).resolve().parents[2] / "conformance"


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


def corpus(target: Target, suite: "Suite | None" = None, folder: Path = FOLDER) -> list[Path]:
    """Return the inputs of a target: its seeds, which are written, and what fuzzers have found in this folder."""
    from .seeds import seeds

    below = folder / target.name
    below.mkdir(parents=True, exist_ok=True)
    for seed in seeds(target.name, suite or own_suite()):
        if len(seed) <= target.longest:
            (below / hashlib.sha1(seed, usedforsecurity=False).hexdigest()).write_bytes(seed)  # as libFuzzer names it
    return sorted(below.iterdir())


def replay(target: Target, paths: Iterable[Path], suite: "Suite | None" = None) -> None:
    """Run inputs through a target; raises what the first defect raises, with the command that repeats it."""
    with reader(target, suite) as read:
        for path in paths:
            try:
                read(path.read_bytes())
            except BaseException as error:
                error.add_note(f"To repeat: python workbench/run_fuzzers.py repeat {target.name} {path}")
                raise


class Covered(NamedTuple):
    """The lines and the branches of a module, and how many of each are reached."""

    module: str
    lines: int
    reached: int
    branches: int
    taken: int

    def __str__(self) -> str:
        lines = f"{self.lines:>7} {self.reached / (self.lines or 1):>8.0%}"
        return f"{self.module:<56} {lines} {self.branches:>9} {self.taken / (self.branches or 1):>7.0%}"


def table_lines(targets: Sequence[Target]) -> Iterator[str]:
    """Run the corpus of each target, and yield its size and a table of what it covers.

    Lines that ran before are not measured, so no module of Hoyle may be imported yet.
    """
    import coverage

    packages = sorted({package for target in targets for package in target.packages})
    measured = coverage.Coverage(branch=True, source_pkgs=packages, data_file=None, config_file=False)
    measured.start()
    for target in targets:
        inputs = [path.read_bytes() for path in corpus(target)]
        yield f"{target.name:<12} {len(inputs):>4} inputs {sum(map(len, inputs)):>8,} bytes"
        with reader(target) as read:
            for data in inputs:
                read(data)
    measured.stop()
    yield f"\n{'module':<56} {'lines':>7} {'reached':>8} {'branches':>9} {'taken':>7}"
    rows = sorted(_covered(measured))
    yield from map(str, rows)
    yield str(Covered("all of these", *(sum(column) for column in zip(*(row[1:] for row in rows), strict=True))))


def _covered(measured: Any) -> Iterator[Covered]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        measured.json_report(outfile=str(report))
        files: dict[str, Any] = json.loads(report.read_text("utf-8"))["files"]
    for file, of in files.items():
        summary = of["summary"]
        yield Covered(
            Path(file).resolve().relative_to(_PACKAGES).as_posix(),
            *(summary[key] for key in ("num_statements", "covered_lines", "num_branches", "covered_branches")),
        )
