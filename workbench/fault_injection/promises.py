"""What a command must keep to when calls of it fail, and which of these promises it has broken."""

import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fault_injection.commands import CACHE, RECORD, Command
from fault_injection.running import Contents, Ended, timeless
from fault_injection.shim import Fault
from hoyle_conformance.cli.exit import CLOSED_PIPE, NOT_WRITTEN
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.reports.load_record import record_of
from hoyle_conformance.runner.results import Exit

#: The exit codes with which a command may end: those in the documentation, but for a fault of Hoyle itself.
_CODES: Final = frozenset({*map(int, Exit), NOT_WRITTEN, CLOSED_PIPE, -signal.SIGPIPE})
#: How a library that is not written in Python ends a process that has no memory left.
_ABORTED: Final = -signal.SIGABRT
#: A file that the cache may have; whether it is right is found by the next run.
_IS_CACHED: Final = re.compile(rf"{CACHE}/\w+-\w+\.jsonl")
#: What Python prints when it has not been caught.
_UNCAUGHT: Final = ("Traceback", "Exception ignored", "Fatal Python error", "This is a bug in Hoyle")


@dataclass(frozen=True)
class Clean:
    """A command without a fault: the files that it finds, and how it ends."""

    before: Contents
    ended: Ended


def broken_promises(command: Command, fault: Fault, clean: Clean, ended: Ended) -> Iterator[str]:
    """Yield the promises that a command has broken in a run with a fault."""
    aborted = fault.family == "allocation" and ended.code == _ABORTED
    if ended.code not in _CODES and not aborted:
        yield "it hangs" if ended.code is None else f"it ends with {ended.code}"
    if ended.left:
        yield f"processes are left: {len(ended.left)}"
    for words in _UNCAUGHT:
        if words in ended.output + ended.errors:
            yield f"it prints '{words}'"
    if ended.code == clean.ended.code:
        yield from _as_clean(command, clean, ended)
    elif not (ended.errors.strip() or f"\nexit {ended.code}: " in ended.output or aborted or fault.family == "write"):
        yield "it does not say why it fails"
    yield from _whole_files(command, fault, clean, ended)


def _as_clean(command: Command, clean: Clean, ended: Ended) -> Iterator[str]:
    """Yield what is different from a run without a fault that ends with the same code."""
    if command.serves:
        for answer in ended.answers:
            if not answer.refuses and answer not in clean.ended.answers:
                yield f"it answers {answer.request} otherwise"
        return
    if ended.output != clean.ended.output:
        yield "it succeeds with another report"
    now, then = timeless(ended.files), timeless(clean.ended.files)
    for name in command.writes:
        if now.get(name) != then.get(name):
            yield f"it succeeds with another {name}"


def _whole_files(command: Command, fault: Fault, clean: Clean, ended: Ended) -> Iterator[str]:
    """Yield the files that are damaged, or that should not be there."""
    now, then = timeless(ended.files), timeless(clean.ended.files)
    before = timeless(clean.before)
    for name in command.writes:
        whole = now.get(name) in {before.get(name), then.get(name)}
        if not whole and not (name == RECORD and _is_a_beginning(ended.files.get(name, b""))):
            yield f"{name} is damaged"
    if ended.code is not None and ended.code >= 0 and fault.family != "rename":
        new = now.keys() - before.keys() - then.keys() - {*command.writes}
        yield from (f"{name} is left behind" for name in new if not _IS_CACHED.fullmatch(name))


def _is_a_beginning(record: bytes) -> bool:
    """Whether a file is a record that was cut off, if only before its first line was whole."""
    if b"\n" not in record:
        return True
    try:
        return bool(record_of(record, RECORD))
    except Invalid:
        return False
