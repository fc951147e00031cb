"""Reached lines: which lines of the interpreter run while something is done."""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

import hoyle_reference

_FOLDER: Final = str(Path(hoyle_reference.__file__).parent)
#: The path of a module and the number of a line.
Line = tuple[str, int]


def reached_lines(run: Callable[[], object]) -> frozenset[Line]:
    """Return the lines of the interpreter that run when a function is called."""
    lines: dict[CodeType, set[int]] = defaultdict(set)
    before = sys.gettrace()
    sys.settrace(_tracer(lines))
    try:
        run()
    finally:
        sys.settrace(before)
    return frozenset(_named(lines))


def _tracer(lines: dict[CodeType, set[int]]) -> Callable[[FrameType, str, Any], Any]:
    def of_call(frame: FrameType, _event: str, _argument: object) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(_FOLDER):
            return None
        reached = lines[code]

        def of_line(frame: FrameType, _event: str, _argument: object) -> Any:
            reached.add(frame.f_lineno)
            return of_line

        return of_line

    return of_call


def _named(lines: dict[CodeType, set[int]]) -> Iterator[Line]:
    for code, numbers in lines.items():
        yield from ((code.co_filename, number) for number in numbers)
