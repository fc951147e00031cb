"""How an adapter writes: at once, one line an answer, in UTF-8, and nothing else."""

from collections.abc import Iterator

from hoyle_conformance.protocol.messages import shown
from hoyle_conformance.tools.doctor.conversation import is_broken_json, the_answer
from hoyle_conformance.tools.doctor.finding import Finding, heard, of, said
from hoyle_conformance.tools.doctor.transcript import BYTE_ORDER_MARK, AdapterTranscript, Became, Exchange

_QUOTED = 3  # lines
#: What was written then has no lines that could be noise.
_NO_LINES = frozenset({Became.UNREADABLE, Became.FLOODED})


def is_not_flushed(evidence: AdapterTranscript) -> Finding | None:
    """What it writes comes only when it ends, or when its input does."""
    for each in evidence.exchanges:
        if each.released and b"\n" in each.released[0]:
            what = f"It answered {each.name} only when its input was closed, {evidence.timeout:g} s later."
            return Finding(what, of(each, *each.released[:1]))
    return None


def has_no_line_feed(evidence: AdapterTranscript) -> Finding | None:
    """An answer is not ended, so that nobody knows that it is one."""
    for each in evidence.exchanges:
        last = (each.released or each.heard)[-1:]
        if last and not last[0].endswith(b"\n") and each.became is not Became.FLOODED:
            return Finding(f"What it wrote for {each.name} does not end with a line feed.", of(each, *last))
    return None


def noise(evidence: AdapterTranscript) -> Finding | None:
    """It writes something else, before it is ready, between answers, or at the end."""
    for each in evidence.exchanges:
        foreign = [line for line in each.beside if _is_foreign(line)]
        if foreign and each.became not in _NO_LINES and not (each.released and not each.heard):
            where = "before it was ready" if each.name == "hello" else f"when {each.name} was asked"
            return Finding(f"It wrote what is no answer {where}.", of(each, *foreign[:_QUOTED]))
    for conversation in evidence.conversations:
        foreign = [line for line in conversation.left if _is_foreign(line)]
        if foreign:
            return Finding("It wrote what is no answer at the end.", [*map(heard, foreign[:_QUOTED])])
    return None


def _is_foreign(line: bytes) -> bool:
    return the_answer([line])[0] is None and not is_broken_json(line)


def no_json(evidence: AdapterTranscript) -> Finding | None:
    """It writes something like JSON, as its language shows objects."""
    for each, line in _lines(evidence):
        if b"\0" not in line and is_broken_json(line):
            return Finding(f"What it wrote for {each.name} is no JSON.", of(each, line))
    return None


def spread_over_lines(evidence: AdapterTranscript) -> Finding | None:
    """It writes JSON to be looked at, not one line."""
    for each in evidence.exchanges:
        lines = each.heard[len(each.heard) - each.spread :] if each.spread > 1 else ()
        if lines:
            return Finding(f"Its answer to {each.name} is on {each.spread} lines.", of(each, *lines[:_QUOTED]))
    return None


def not_in_utf_8(evidence: AdapterTranscript) -> Finding | None:
    """It writes in UTF-16, or in the character set of an old system."""
    for each, line in _lines(evidence):
        if each.became is Became.UNREADABLE and b"\0" in line:
            return Finding("It writes UTF-16, or bytes of 0.", of(each, line))
        try:
            line.decode()
        except UnicodeDecodeError as error:
            wrong = f"byte {error.start + 1} of the line is {line[error.start]:#04x}"
            return Finding(f"What it wrote for {each.name} is not UTF-8: {wrong}.", of(each, line))
    return None


def byte_order_mark(evidence: AdapterTranscript) -> Finding | None:
    """Three bytes at the beginning that Hoyle reads over, and others do not."""
    for each, line in _lines(evidence):
        if line.startswith(BYTE_ORDER_MARK):
            return Finding("Its output begins with a byte-order mark.", [said(each.message), heard(line)], grave=False)
    return None


def carriage_return(evidence: AdapterTranscript) -> Finding | None:
    """Lines that end as on Windows: Hoyle reads them, and on Windows itself they are what most languages write."""
    for each, line in _lines(evidence):
        if line.endswith(b"\r\n") and not evidence.windows:
            ending = [said(each.message), ("adapter", f"{shown(line)}, and then \\r\\n")]
            return Finding("Its lines end with a carriage return and a line feed.", ending, grave=False)
    return None


def _lines(evidence: AdapterTranscript) -> Iterator[tuple[Exchange, bytes]]:
    """Every line, with what it was heard for."""
    return ((each, line) for each in evidence.exchanges for line in (*each.heard, *each.released))
