"""The doctor's report: one line for each question, then each fault with the lines that show it."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from hoyle_conformance.system.processes import join_command
from hoyle_conformance.tools.doctor.diagnosis import AnsweredQuestion, Diagnosis, QuestionStatus
from hoyle_conformance.wording.text import join_and, plural, sanitize, with_label

#: The marks of the question statuses, each with an ASCII one for terminals that cannot show it.
_MARKS: Final[Mapping[QuestionStatus, tuple[str, str]]] = MappingProxyType(
    {
        QuestionStatus.OK: ("✓", "+"),
        QuestionStatus.WRONG: ("✗", "x"),
        QuestionStatus.ODD: ("!", "!"),
        QuestionStatus.NOT_REACHED: ("·", "-"),
    }
)
_STDERR: Final = 500  # characters of an error output
_NAME: Final = 17  # columns


def can_encode_marks(encoding: str | None) -> bool:
    """Return whether an encoding can represent all marks."""
    try:
        "".join(mark for mark, _ in _MARKS.values()).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def report_lines(diagnosis: Diagnosis, words: Sequence[str], *, plain: bool = False) -> Iterator[str]:
    """Yield the lines of a diagnosis; `words` name the adapter in the next command. With `plain`, use ASCII marks."""
    transcript, marks = diagnosis.transcript, {status: each[plain] for status, each in _MARKS.items()}
    ready = transcript.first.ready if transcript.first else None
    name = f"{ready.name} {ready.version} ({ready.language}), " if ready else ""
    yield _one_line(f"Examining: {name}{join_command(transcript.command)}")
    yield ""
    for each in diagnosis.answers:
        yield _one_line(f"  {marks[each.status]} {each.name:<{_NAME}}{each.says}")
    wrong, odd = (diagnosis.with_status(each) for each in (QuestionStatus.WRONG, QuestionStatus.ODD))
    for each in (*wrong, *odd):
        yield ""
        yield from _finding_lines(each, marks[each.status])
    yield ""
    unseen = len(diagnosis.with_status(QuestionStatus.NOT_REACHED))
    if unseen and wrong:
        mark = marks[QuestionStatus.NOT_REACHED]
        yield f"{plural(unseen, 'question')} ({mark}) could not be examined: fix this first."
    next_command = _one_line(join_command(["hoyle", "doctor" if wrong else "check", *words]))
    if wrong:
        yield f"Next: fix it, and run the command again{'.' if transcript.cannot_start else f': {next_command}'}"
    else:
        yield f"Next: {next_command}"
    faults = [plural(len(wrong), "fault")] if wrong else []
    minor = [f"{plural(len(odd), 'minor fault')} that Hoyle tolerates"] if odd else []
    yield f"Found {join_and([*faults, *minor])}." if faults or minor else "No fault was found."


def diagnosis_data(diagnosis: Diagnosis) -> dict[str, Any]:
    """Return a diagnosis as `doctor.schema.json` describes it."""
    ready = diagnosis.transcript.first.ready if diagnosis.transcript.first else None
    return {
        "engine": ready and {"name": ready.name, "version": ready.version, "language": ready.language},
        "command": list(diagnosis.transcript.command),
        "exit": int(diagnosis.exit),
        "questions": [
            {
                "question": each.name,
                "status": str(each.status),
                "says": sanitize(each.says),
                "lines": [{"who": who, "line": sanitize(line)} for who, line in each.lines],
                "error_output": sanitize(each.stderr),
                "remedy": sanitize(each.remedy),
            }
            for each in diagnosis.answers
        ],
    }


def _finding_lines(answer: AnsweredQuestion, mark: str) -> Iterator[str]:
    """Yield a fault with its quoted lines, the last lines of the error output, and its remedy."""
    yield _one_line(f"{mark} {answer.name}: {answer.says}")
    for who, line in answer.lines:
        yield from with_label(who, _one_line(line), whole=True)
    stderr = answer.stderr[-_STDERR:]
    if stderr != answer.stderr:
        stderr = stderr.partition("\n")[2] or stderr
    yield from with_label("its error", sanitize(stderr), whole=True)
    yield from with_label("remedy", _one_line(answer.remedy))


def _one_line(text: str) -> str:
    """Return untrusted text on one line, sanitized."""
    return sanitize(text).replace("\n", " ")
