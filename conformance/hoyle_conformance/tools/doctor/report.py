"""What the doctor found, in words: a line for each question, then every fault with the lines that show it."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from hoyle_conformance.protocol.split_command import written
from hoyle_conformance.tools.doctor.diagnosis import AnsweredQuestion, Diagnosis, Is
from hoyle_conformance.wording.text import plural, sanitize, with_label

#: What stands before a question, and what does where a terminal has no such characters.
_MARKS: Final[Mapping[Is, tuple[str, str]]] = MappingProxyType(
    {Is.WELL: ("✓", "+"), Is.WRONG: ("✗", "x"), Is.ODD: ("!", "!"), Is.UNSEEN: ("·", "-")}
)
_STDERR: Final = 500  # characters of an error output
_NAME: Final = 17  # columns


def can_show(encoding: str | None) -> bool:
    """Whether all marks can be written in an encoding."""
    try:
        "".join(mark for mark, _ in _MARKS.values()).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def shown(diagnosis: Diagnosis, *, plain: bool = False) -> Iterator[str]:
    """The whole diagnosis, line by line; `plain` without marks that not every terminal has."""
    evidence = diagnosis.evidence
    ready = evidence.first.ready if evidence.first else None
    name = f"{ready.name} {ready.version} ({ready.language}), " if ready else ""
    yield _line(f"Examining: {name}{written(evidence.command)}")
    yield ""
    for each in diagnosis.told:
        what = each.found.what if each.found else each.question.healthy
        yield _line(f"  {_MARKS[each.status][plain]} {each.question.name:<{_NAME}}{what}")
    for each in (*diagnosis.wrong, *diagnosis.odd):
        yield ""
        yield from _in_full(each, _MARKS[each.status][plain])
    yield ""
    yield from _in_short(diagnosis, _MARKS[Is.UNSEEN][plain])


def _in_full(told: AnsweredQuestion, mark: str) -> Iterator[str]:
    found = told.found
    assert found, "what is wrong was found"
    yield _line(f"{mark} {told.question.name}: {found.what}")
    for who, line in found.lines:
        yield from with_label(who, _line(line), whole=True)
    if found.stderr:
        yield from with_label("its error", sanitize(_end_of(found.stderr)), whole=True)
    yield from with_label("remedy", _line(told.remedy))


def _in_short(diagnosis: Diagnosis, unseen_mark: str) -> Iterator[str]:
    """How much was found, and what to do next."""
    command = _line(written(diagnosis.evidence.command))
    unseen = sum(each.status is Is.UNSEEN for each in diagnosis.told)
    if unseen and diagnosis.wrong:
        yield f"{plural(unseen, 'question')} ({unseen_mark}) could not be looked into: mend this first."
    if diagnosis.wrong:
        again = "." if diagnosis.evidence.cannot_start else f": hoyle doctor {command}"
        yield f"Next: mend it, and ask again{again}"
    else:
        yield f"Next: hoyle check {command}"
    yield _totals(diagnosis.wrong, diagnosis.odd)


def _totals(wrong: Sequence[AnsweredQuestion], odd: Sequence[AnsweredQuestion]) -> str:
    if not wrong and not odd:
        return "Healthy: no fault was found."
    beside = f"{len(odd)} to be mended though Hoyle can do with it" if odd else ""
    faults = f"{plural(len(wrong), 'fault')} found" if wrong else "No fault found"
    return f"{faults}{', and ' if beside else ''}{beside}."


def _end_of(stderr: str) -> str:
    """The last lines of an error output."""
    if len(stderr) <= _STDERR:
        return stderr
    end = stderr[-_STDERR:]
    return end.partition("\n")[2] or end


def _line(text: str) -> str:
    """Text from elsewhere on one line, and harmless."""
    return sanitize(text).replace("\n", " ")
