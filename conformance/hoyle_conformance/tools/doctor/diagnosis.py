"""The diagnosis of an adapter: the faults in a transcript, and the remedy for each.

`questions.yaml` has the doctor's questions in the order of a conversation, each with its remedies. A question that the
conversation did not reach stays unanswered until the faults before it are fixed. A new fault is a `Finding` in one of
the functions below, and a question or a remedy in that file.
"""

import codecs
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Final

from hoyle_conformance.files.diagnostics import did_you_mean
from hoyle_conformance.files.strict_yaml import read_file
from hoyle_conformance.protocol.messages import DECLINED, encode, show_line
from hoyle_conformance.runner.consensus import comparable
from hoyle_conformance.runner.results import Exit
from hoyle_conformance.tools.doctor.conversation import (
    AdapterTranscript,
    Conversation,
    Exchange,
    ExchangeOutcome,
    find_answer,
    is_broken_json,
)
from hoyle_conformance.wording.text import plural, sentence

#: The startup time, in seconds, above which every restart is delayed.
SLOW = 3.0
#: The size, in bytes, above which a message does not fit into the line buffer of many programs.
_USUAL_BUFFER: Final = 1_000
_QUOTED: Final = 3  # lines
_BYE: Final = (("Hoyle", '\'{"type":"bye"}\''),)
_FILE: Final = Path(__file__).with_name("questions.yaml")
#: The key of the remedy for all languages.
IN_GENERAL: Final = "in general"


class QuestionStatus(StrEnum):
    """The status of a question."""

    OK = "well"
    WRONG = "wrong"  # the conversation breaks
    ODD = "odd"  # Hoyle can work around the fault
    NOT_REACHED = "unseen"  # the conversation stopped before


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of an adapter: its question, a summary, quoted lines of the conversation with their senders (``Hoyle``,
    ``adapter``), and the end of its error output.

    A finding with `is_grave` breaks the conversation in 'hoyle check'. The remedy is `remedy`, the one named
    `remedy_of` in `questions.yaml`, or by default the one of the question.
    """

    question: str
    summary: str
    lines: Sequence[tuple[str, str]] = ()
    stderr: str = ""
    is_grave: bool = True
    remedy: str = ""
    remedy_of: str = ""


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with its status; the summary, quoted lines and error output of its finding,
    or the sentence for a healthy adapter; and the remedy."""

    name: str
    status: QuestionStatus
    says: str
    lines: Sequence[tuple[str, str]] = ()
    stderr: str = ""
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The answers to all questions, in order, and the transcript behind them."""

    transcript: AdapterTranscript
    answers: Sequence[AnsweredQuestion]

    def with_status(self, status: QuestionStatus) -> Sequence[AnsweredQuestion]:
        """Return the questions that have this status."""
        return [each for each in self.answers if each.status is status]

    @property
    def exit(self) -> Exit:
        """The exit code: that of 'hoyle check' if the conversation breaks, 1 if there is a lesser
        fault, otherwise 0."""
        if self.with_status(QuestionStatus.WRONG):
            return Exit.ADAPTER_BROKE
        return Exit.UNEXPECTED_RESULT if self.with_status(QuestionStatus.ODD) else Exit.AS_EXPECTED


def diagnose(transcript: AdapterTranscript) -> Diagnosis:
    """Return the diagnosis of an adapter from its transcript, with remedies in the language of the adapter. The first
    finding of a question counts."""
    language, reached = _language(transcript), _reached(transcript)
    found: dict[str, Finding] = {}
    for each in findings(transcript):
        found.setdefault(each.question, each)
    answers = []
    for name, question in questions().items():
        fault = found.get(name)
        if not reached[question["after"]]:
            answers.append(AnsweredQuestion(name, QuestionStatus.NOT_REACHED, question["healthy"]))
        elif fault is None:
            answers.append(AnsweredQuestion(name, QuestionStatus.OK, question["healthy"]))
        else:
            status = QuestionStatus.WRONG if fault.is_grave else QuestionStatus.ODD
            remedy = fault.remedy or _remedy(fault.remedy_of or name, language)
            answers.append(AnsweredQuestion(name, status, fault.summary, fault.lines, fault.stderr, remedy))
    return Diagnosis(transcript, answers)


@cache
def _data() -> Mapping[str, Mapping[str, Any]]:
    """Return the content of `questions.yaml`."""
    read: Mapping[str, Mapping[str, Any]] = read_file(_FILE, _FILE.name).data
    return read


def questions() -> Mapping[str, Mapping[str, str]]:
    """Return the questions in order, each with the text for a healthy adapter and the stage that it comes after."""
    return _data()["questions"]


def remedies() -> Mapping[str, Mapping[str, str]]:
    """Return all remedies, by the name of the question or the finding and then by language."""
    return _data()["remedies"]


def _remedy(name: str, language: str) -> str:
    """Return the remedies of a fault, the general one and the one for a language."""
    known = remedies()[name]
    return f"{known[IN_GENERAL]} In {language}: {known[language]}" if language in known else known[IN_GENERAL]


def _language(transcript: AdapterTranscript) -> str:
    """Return the language of an adapter if it has remedies: from its `ready` or, without one, from its command; empty
    if unknown."""
    languages = {name: language for language, names in _data()["languages"].items() for name in names.split()}

    def program(word: str) -> str:
        """Return a program's name without its folder, version and extension, such as python for python3.12."""
        name = PurePath(word).name.lower().removesuffix(".exe")
        return name if name in languages else name.rstrip("0123456789.")

    if said := transcript.language.strip().lower():
        return languages.get(said) or languages.get(program(said.split()[0]), "")
    names = [*(PurePath(word).suffix.lower() for word in transcript.command), *map(program, transcript.command[:1])]
    return next((languages[name] for name in names if name in languages), "")


def _reached(transcript: AdapterTranscript) -> Mapping[str, bool]:
    """Return whether a transcript reached each stage that `questions.yaml` names."""
    first, second, third = transcript.first, transcript.second, transcript.third
    return {
        "nothing": True,
        "the start": first is not None,
        "any output": any(each.lines or each.late_lines for each in transcript.exchanges),
        "hello": bool(first and first.exchanges[0].answer),
        "ready": bool(first and first.ready),
        "a run": any(True for _ in transcript.runs),
        "an answer": any(each.answer for each in transcript.runs),
        "all answers": bool(first and first.runs and first.is_complete),
        "a restart": bool(second and second.exchanges[0].answer),
        "all answers of both": bool(second and second.runs and second.is_complete),
        "an unknown ruleset": bool(third and third.runs),
    }


# ---- findings


def findings(transcript: AdapterTranscript) -> Iterator[Finding]:
    """Yield every fault in a transcript."""
    if fault := transcript.cannot_start:
        yield Finding("starts", sentence(fault.message), remedy=transcript.how_to_start or fault.remedy)
    if transcript.first:
        yield from _in_hello(transcript, transcript.first)
    for conversation in transcript.conversations:
        for each in conversation.exchanges:
            yield from _in_lines(each, windows=transcript.windows, timeout=transcript.timeout)
        yield from _in_extra_lines(conversation)
    for conversation in filter(None, (transcript.first, transcript.second)):
        for each in conversation.runs:
            yield from _in_silence(transcript, conversation, each)
    yield from _in_answers([each for each in transcript.runs if each.answer])
    yield from _in_repetitions(transcript.runs)
    yield from _after_a_restart(transcript)
    yield from _at_the_end(transcript)


def _quote(exchange: Exchange, *lines: bytes) -> tuple[tuple[str, str], ...]:
    """Return a message and some of the lines after it, as quoted lines."""
    return ("Hoyle", show_line(encode(exchange.message))), *(("adapter", show_line(line)) for line in lines)


def _quote_last(exchange: Exchange) -> tuple[tuple[str, str], ...]:
    """Return a message and the last line after it, as quoted lines."""
    return _quote(exchange, *exchange.lines[-1:])


def _in_hello(transcript: AdapterTranscript, first: Conversation) -> Iterator[Finding]:
    """Yield the faults of the introduction."""
    hello, ready, unknown = first.exchanges[0], first.ready, transcript.unknown_rulesets
    if not (hello.answer or hello.late_lines or hello.outcome is ExchangeOutcome.UNREADABLE):
        quoted, stderr = _quote(hello, *hello.lines[:_QUOTED]), first.stderr
        within = "" if hello.outcome is ExchangeOutcome.ENDED else f" within {transcript.timeout} s"
        if hello.outcome is ExchangeOutcome.FLOODED:  # it was stopped while writing: its error output does not count
            yield Finding("hello", "The response to hello did not end.", quoted, remedy_of="flood")
        elif hello.lines:
            what = f"Nothing that it wrote{within} is a response to hello."
            yield Finding("hello", what, quoted, stderr, remedy_of="no-ready")
        elif hello.outcome is ExchangeOutcome.ENDED:
            what = f"The adapter ended before it answered hello: {first.exit_text}."
            yield Finding("hello", what, quoted, stderr, remedy_of="ended")
        else:
            what = f"The adapter wrote nothing within {transcript.timeout:g} s, nor when its input was closed."
            yield Finding("hello", what, quoted, stderr)
    if hello.fault:
        yield Finding("ready", sentence(hello.fault.message), _quote_last(hello), remedy=hello.fault.remedy)
    if unknown:
        more = f", nor are {len(unknown) - 1} more that it claims" if unknown[1:] else ""
        what = f"'{unknown[0][:60]}' is not a ruleset of the suite{more}."
        remedy = f"{did_you_mean(unknown[0], transcript.rulesets)} 'hoyle suite list rulesets' shows them all.".strip()
        yield Finding("claims", what, _quote_last(hello), is_grave=not first.runs, remedy=remedy)
    elif ready and not first.runs:
        words = ", ".join(sorted(ready.claims)[:8]) or "nothing"
        what = f"The claims leave nothing to send: they are {words}, and 'position' is '{ready.position}'."
        yield Finding("claims", what, _quote_last(hello))


def _in_lines(each: Exchange, *, windows: bool, timeout: float) -> Iterator[Finding]:
    """Yield the faults in the form of the lines that answer one message."""
    if each.late_lines and b"\n" in each.late_lines[0]:
        what = f"The adapter answered {each.name} only when its input was closed, {timeout:g} s later."
        yield Finding("flush", what, _quote(each, each.late_lines[0]))
    last = (each.late_lines or each.lines)[-1:]
    if last and not last[0].endswith(b"\n") and each.outcome is not ExchangeOutcome.FLOODED:
        yield Finding("line-feed", f"The response to {each.name} does not end with a line feed.", _quote(each, *last))
    if (count := each.answer_line_count) > 1:
        lines = _quote(each, *each.lines[-count:][:_QUOTED])
        yield Finding("one-line", f"The response to {each.name} is on {count} lines.", lines)
    for line in (*each.lines, *each.late_lines):
        quoted = _quote(each, line)
        if b"\0" not in line and is_broken_json(line):
            yield Finding("json", f"The response to {each.name} is not JSON.", quoted)
        if each.outcome is ExchangeOutcome.UNREADABLE and b"\0" in line:
            yield Finding("utf-8", "The adapter writes UTF-16, or zero bytes.", quoted)
        try:
            line.decode()
        except UnicodeDecodeError as error:
            wrong = f"byte {error.start + 1} of the line is {line[error.start]:#04x}"
            yield Finding("utf-8", f"The response to {each.name} is not UTF-8: {wrong}.", quoted)
        if line.startswith(codecs.BOM_UTF8):  # Hoyle skips it; other programs may not
            yield Finding("byte-order-mark", "The output begins with a byte-order mark.", quoted, is_grave=False)
        if line.endswith(b"\r\n") and not windows:  # where most languages write errors
            ending = (*_quote(each), ("adapter", f"{show_line(line)}, and then \\r\\n"))
            what = "The lines end with a carriage return and a line feed."
            yield Finding("line-ends", what, ending, is_grave=False)


def _in_extra_lines(conversation: Conversation) -> Iterator[Finding]:
    """Yield the faults in the lines of a conversation that are not part of its answers: other output, and further
    answers."""
    what = "The adapter wrote something that is not a response"
    for each in conversation.exchanges:
        has_lines = each.outcome not in {ExchangeOutcome.UNREADABLE, ExchangeOutcome.FLOODED}
        if has_lines and (foreign := _foreign(each.extra_lines)):
            where = "before it was ready" if each.name == "hello" else f"when it was sent {each.name}"
            yield Finding("noise", f"{what} {where}.", _quote(each, *foreign))
    if foreign := _foreign(conversation.leftover):
        yield Finding("noise", f"{what} at the end.", [("adapter", show_line(line)) for line in foreign])
    after = (*(each.extra_lines for each in conversation.exchanges[1:]), conversation.leftover)
    for each, lines in zip(conversation.exchanges, after, strict=True):
        if more := [line for line in lines if find_answer([line])[0] is not None]:
            quoted = _quote(each, *each.lines[-1:], *more[:1])
            yield Finding("once", f"The adapter answered {each.name} more than once.", quoted)


def _foreign(lines: Sequence[bytes]) -> list[bytes]:
    """Return the first lines that are neither answers nor attempts at one."""
    return [line for line in lines if find_answer([line])[0] is None and not is_broken_json(line)][:_QUOTED]


def _in_silence(transcript: AdapterTranscript, conversation: Conversation, each: Exchange) -> Iterator[Finding]:
    """Yield the fault of a run that has no answer."""
    if each.answer or each.late_lines or each.outcome is ExchangeOutcome.UNREADABLE:
        return
    answered = [other.length for other in conversation.runs if other.answer]
    long = each.length > _USUAL_BUFFER and bool(answered) and max(answered) < each.length
    asked = f"{each.name}, a message of {each.length:,} bytes" if long else each.name
    lines, remedy_of = _quote(each, *each.lines[:_QUOTED]), "long" if long else ""
    if each.outcome is ExchangeOutcome.FLOODED:
        yield Finding("answers", f"The response to {each.name} did not end.", lines[:2], remedy_of="flood")
    elif each.outcome is ExchangeOutcome.ENDED:
        what = f"The adapter ended when it was sent {asked}: {conversation.exit_text}."
        yield Finding("answers", what, lines, conversation.stderr, remedy_of=remedy_of or "ended")
    else:
        what = f"The adapter did not respond to {asked} within {transcript.timeout} s."
        yield Finding("answers", what, lines, conversation.stderr, remedy_of=remedy_of)


def _in_answers(runs: Sequence[Exchange]) -> Iterator[Finding]:
    """Yield the faults in the content of the answers."""
    questions = {"wrong-number-of-steps": "steps", **dict.fromkeys(("invalid-answer", "not-a-message"), "form")}
    questions["repeated-key"] = "form"
    declined = [(each, why) for each in runs if (why := _why_declined(each.answer or {})) is not None]
    for each in runs:
        seq = each.answer.get("seq") if each.answer else None
        if type(seq) is not int or seq != each.message["seq"]:
            how = f"as run {repr(seq)[:20]}" if each.answer and "seq" in each.answer else "without 'seq'"
            yield Finding("seq", f"The adapter answered {each.name} {how}.", _quote_last(each))
        if each.fault and (name := questions.get(each.fault.code)):
            twice = " appears twice" if each.fault.code == "repeated-key" else ""
            what = sentence(f"In the response to {each.name}: {each.fault.detail}{twice}")
            yield Finding(name, what, _quote_last(each))
    for each, why in declined[:1]:
        reason = f": {why[:100]!r}" if why else ""
        what = f"The adapter declined {len(declined)} of {plural(len(runs), 'run')} that its claims cover{reason}."
        yield Finding("declines", what, _quote_last(each), is_grave=False)


def _why_declined(answer: Mapping[str, Any]) -> str | None:
    """Return the reason in a declined answer; None if the answer is not declined."""
    if answer.get("type") in DECLINED:
        return str(answer.get("reason", ""))
    return next((str(step[word]) for step in _steps(answer) for word in DECLINED if word in step), None)


def _steps(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the steps of an answer that are mappings."""
    steps = answer.get("steps")
    return [step for step in (steps if isinstance(steps, list) else ()) if isinstance(step, Mapping)]


def _in_repetitions(runs: Iterator[Exchange]) -> Iterator[Finding]:
    """Yield the requests that got another answer than before, apart from reasons and the order of cards."""
    answers: dict[str, Exchange] = {}
    for each in runs:
        if each.answer is None or each.fault:
            continue
        before = answers.setdefault(repr({**each.message, "seq": 0}), each)
        assert before.answer, "only answers are kept"
        said = [[{**step, "reason": ""} for step in _steps(of.answer or {})] for of in (before, each)]
        was, now = (list(map(comparable, steps)) for steps in said)
        if (before.answer.get("type"), was) != (each.answer.get("type"), now):
            pairs = enumerate(zip(was, now, strict=False), start=1)
            step = next((number for number, (one, other) in pairs if one != other), 0)
            what = f"In step {step}, the adapter" if step else "The adapter"
            what += f" answered {each.name} differently from {before.name}, which is the same request."
            yield Finding("same", what, (*_quote_last(before), *_quote_last(each)))


def _after_a_restart(transcript: AdapterTranscript) -> Iterator[Finding]:
    """Yield the faults of later processes: another introduction, a slow start, and the end at an unknown ruleset."""
    first, third = transcript.first, transcript.third
    for other in filter(None, (transcript.second, third)):
        if first and first.ready and other.ready != first.ready:
            quoted = [line for each in (first, other) for line in _quote_last(each.exchanges[0])[1:]]
            ready = other.ready
            how = f"different: {'; '.join(first.ready.differences(ready))[:200]}" if ready else "not valid"
            yield Finding("itself", f"After a restart, the 'ready' message was {how}.", quoted)
    seconds = [each.startup_seconds for each in transcript.conversations if each.startup_seconds is not None]
    if seconds and min(seconds) >= SLOW:
        times = f", the fastest of {plural(len(seconds), 'start')}" if seconds[1:] else ""
        yield Finding("slow", f"The adapter was ready after {min(seconds):.1f} s{times}.", is_grave=False)
    for number, each in enumerate(third.runs if third else ()):
        if third and not each.answer:
            when = "after it had been sent a run of" if number else "when it was sent a run of"
            ended = each.outcome is ExchangeOutcome.ENDED
            how = f": {third.exit_text}" if ended else ""
            what = f"The adapter {'ended' if ended else 'did not respond'} {when} an unknown ruleset{how}."
            yield Finding("stranger", what, _quote(each, *each.lines[:1]), third.stderr, is_grave=False)


def _at_the_end(transcript: AdapterTranscript) -> Iterator[Finding]:
    """Yield the faults in how the adapter ended: at bye, and at the end of its input if it ended well at bye."""
    ends = [each.ending for each in (transcript.first, transcript.third) if each and each.ending]
    at_bye = [each for each in ends if each.code in {"ended-badly", "does-not-end"}]
    for fault in at_bye:
        if fault.code == "ended-badly":
            yield Finding("bye", f"At bye, the adapter ended with {fault.detail}.", _BYE, fault.stderr)
        else:
            what = f"At bye, the adapter did not end: {fault.detail}."
            yield Finding("bye", what, _BYE, fault.stderr, remedy_of="does-not-end")
    ending = transcript.second.ending if transcript.second else None
    if ending and not at_bye:  # with the same remedy
        how = "kept running" if ending.code == "does-not-end" else f"ended with {ending.detail}"
        what = f"When its input ended without a bye, the adapter {how}."
        yield Finding("end", what, stderr=ending.stderr, is_grave=False)
