"""What the corpus covers: lines and branches of the modules that the targets are meant to reach."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from .replay import kept, reader
from .target import Target

_PACKAGES: Final = Path(__file__).resolve().parents[2] / "conformance"


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
    for target in targets:
        size = sum(path.stat().st_size for path in kept(target))
        yield f"{target.name:<12} {len(kept(target)):>4} inputs {size:>8,} bytes"
    yield f"\n{'module':<56} {'lines':>7} {'reached':>8} {'branches':>9} {'taken':>7}"
    rows = sorted(_covered(targets))
    yield from map(str, rows)
    yield str(Covered("all of these", *(sum(column) for column in zip(*(row[1:] for row in rows), strict=True))))


def _covered(targets: Sequence[Target]) -> Iterator[Covered]:
    import coverage

    packages = sorted({package for target in targets for package in target.packages})
    measured = coverage.Coverage(branch=True, source_pkgs=packages, data_file=None, config_file=False)
    measured.start()
    for target in targets:
        with reader(target) as read:
            for path in kept(target):
                read(path.read_bytes())
    measured.stop()
    with TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        measured.json_report(outfile=str(report))
        files: dict[str, Any] = json.loads(report.read_text("utf-8"))["files"]
    for file, of in files.items():
        summary = of["summary"]
        yield Covered(
            Path(file).resolve().relative_to(_PACKAGES).as_posix(),
            *(summary[key] for key in ("num_statements", "covered_lines", "num_branches", "covered_branches")),
        )
