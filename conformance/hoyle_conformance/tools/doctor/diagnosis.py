"""The diagnosis of an adapter: the doctor's questions, the faults that answer them, and the remedy for each.

The questions follow the order of a conversation. A question that the conversation did not reach stays unanswered until
the faults before it are fixed. A new fault needs a function decorated with `@_question`, and a remedy in
`remedies.yaml` under the name of the question, or of the finding if the question has several.
"""

import codecs
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path, PurePath
from types import MappingProxyType
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


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of an adapter: a summary, quoted lines of the conversation with their senders (``Hoyle``, ``adapter``),
    and the end of its error output.

    A finding with `is_grave` breaks the conversation in 'hoyle check'. The remedy is `remedy`, the one named
    `remedy_of` in `remedies.yaml`, or by default the one with the question's name.
    """

    summary: str
    lines: Sequence[tuple[str, str]] = ()
    stderr: str = ""
    is_grave: bool = True
    remedy: str = ""
    remedy_of: str = ""


#: A function that yields the faults in a transcript; the first one counts.
FindFaults = Callable[[AdapterTranscript], Iterator[Finding]]
#: A function that returns whether a transcript reaches a question.
IsReached = Callable[[AdapterTranscript], bool]


@dataclass(frozen=True, slots=True)
class DoctorQuestion:
    """One question about an adapter: its name, the text for a healthy adapter, and the functions that decide whether a
    transcript reaches it and find its faults."""

    name: str
    healthy_text: str
    is_reached: IsReached
    find: FindFaults


#: All questions, in order.
QUESTIONS: Final[list[DoctorQuestion]] = []


def _question(name: str, healthy_text: str, is_reached: IsReached) -> Callable[[FindFaults], FindFaults]:
    """Return a decorator that adds a question, with the decorated function to find its faults."""

    def add(find: FindFaults) -> FindFaults:
        QUESTIONS.append(DoctorQuestion(name, healthy_text, is_reached, find))
        return find

    return add


class QuestionStatus(StrEnum):
    """The status of a question."""

    OK = "well"
    WRONG = "wrong"  # the conversation breaks
    ODD = "odd"  # Hoyle can work around the fault
    NOT_REACHED = "unseen"  # the conversation stopped before


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with its status, the finding if there is one, and the remedy."""

    question: DoctorQuestion
    status: QuestionStatus
    found: Finding | None = None
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
    """Return the diagnosis of an adapter from its transcript, with remedies in the language of the adapter."""
    language = language_of(transcript.language, transcript.command)
    return Diagnosis(transcript, [_answer(question, transcript, language) for question in QUESTIONS])


def _answer(question: DoctorQuestion, transcript: AdapterTranscript, language: str) -> AnsweredQuestion:
    """Return the answer to one question."""
    if not question.is_reached(transcript):
        return AnsweredQuestion(question, QuestionStatus.NOT_REACHED)
    found = next(question.find(transcript), None)
    if found is None:
        return AnsweredQuestion(question, QuestionStatus.OK)
    what_to_do = found.remedy or remedy(found.remedy_of or question.name, language)
    return AnsweredQuestion(question, QuestionStatus.WRONG if found.is_grave else QuestionStatus.ODD, found, what_to_do)


# ---- remedies


FILE: Final = Path(__file__).with_name("remedies.yaml")
#: The key of the remedy for all languages.
IN_GENERAL: Final = "in general"
#: The languages with remedies of their own, with other names of each, its programs, and its file extensions.
_LANGUAGES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Python": "python python3 pypy cpython py pipx uv .py .pyz",
        "JavaScript": "javascript js node nodejs node.js deno bun typescript ts tsx ts-node .js .mjs .cjs .ts .mts",
        "Java": "java kotlin scala .java .jar .class .kts",
        "C": "c .c",
        "C++": "c++ cpp .cpp .cc .cxx",
        "Go": "go golang .go",
        "Rust": "rust cargo .rs",
        "C#": "c# csharp dotnet .net f# .cs .csproj .dll",
        "Ruby": "ruby jruby .rb",
        "Perl": "perl .pl",
        "PHP": "php .php",
    }
)
_LANGUAGE_OF: Final = {name: language for language, names in _LANGUAGES.items() for name in names.split()}


def language_of(said: str, command: Sequence[str]) -> str:
    """Return the language of an adapter if it has remedies: from its `ready` (`said`) or, without one, from its
    command; empty if unknown."""
    if said.strip():
        name = said.strip().lower()
        return _LANGUAGE_OF.get(name) or _LANGUAGE_OF.get(_program(name.split()[0]), "")
    names = [*(PurePath(word).suffix.lower() for word in command), *map(_program, command[:1])]
    return next((_LANGUAGE_OF[name] for name in names if name in _LANGUAGE_OF), "")


def _program(word: str) -> str:
    """Return a program's name without its folder, version and extension: ``python`` for ``/usr/bin/python3.12``."""
    name = PurePath(word).name.lower().removesuffix(".exe")
    return name if name in _LANGUAGE_OF else name.rstrip("0123456789.")


@cache
def remedies() -> Mapping[str, Mapping[str, str]]:
    """Return all remedies, by the name of the fault and then by language."""
    read: Mapping[str, Mapping[str, str]] = read_file(FILE, FILE.name).data
    return read


def remedy(name: str, language: str) -> str:
    """Return the remedies of a fault, the general one and the one for a language; raise KeyError if there is no such
    fault."""
    known = remedies()[name]
    return f"{known[IN_GENERAL]} In {language}: {known[language]}" if language in known else known[IN_GENERAL]


# ---- parts of a transcript


def _has_started(transcript: AdapterTranscript) -> bool:
    return transcript.first is not None


def _has_written(transcript: AdapterTranscript) -> bool:
    return any(each.lines or each.late_lines for each in transcript.exchanges)


def _has_answered_hello(transcript: AdapterTranscript) -> bool:
    return bool(transcript.first and transcript.first.exchanges[0].answer)


def _is_ready(transcript: AdapterTranscript) -> bool:
    return bool(transcript.first and transcript.first.ready)


def _has_runs(transcript: AdapterTranscript) -> bool:
    return any(True for _ in transcript.runs)


def _has_answers(transcript: AdapterTranscript) -> bool:
    return any(each.answer for each in transcript.runs)


def _is_complete(conversation: Conversation | None) -> bool:
    return bool(conversation and conversation.runs and conversation.is_complete)


def _quote(exchange: Exchange, *lines: bytes) -> tuple[tuple[str, str], ...]:
    """Return a message and some of the lines after it, as quoted lines."""
    return ("Hoyle", show_line(encode(exchange.message))), *(("adapter", show_line(line)) for line in lines)


def _quote_last(exchange: Exchange) -> tuple[tuple[str, str], ...]:
    """Return a message and the last line after it, as quoted lines."""
    return _quote(exchange, *exchange.lines[-1:])


def _stderr(conversation: Conversation | None) -> str:
    """Return the end of a conversation's error output."""
    return conversation.stderr if conversation else ""


def _response_lines(transcript: AdapterTranscript) -> Iterator[tuple[Exchange, bytes]]:
    """Yield every line that the adapter wrote in response to a message, with its exchange."""
    return ((each, line) for each in transcript.exchanges for line in (*each.lines, *each.late_lines))


# ---- startup and output format


@_question("starts", "The command can be started.", lambda _transcript: True)
def _cannot_start(transcript: AdapterTranscript) -> Iterator[Finding]:
    if fault := transcript.cannot_start:
        yield Finding(sentence(fault.message), remedy=transcript.how_to_start or fault.remedy)


@_question("hello", "The adapter answers hello.", _has_started)
def _no_answer_to_hello(transcript: AdapterTranscript) -> Iterator[Finding]:
    conversation = transcript.first
    hello = conversation.exchanges[0] if conversation else None
    if hello is None or hello.answer or hello.late_lines or hello.outcome is ExchangeOutcome.UNREADABLE:
        return
    what, remedy_of = _describe_silence(transcript, hello)
    stderr = "" if hello.outcome is ExchangeOutcome.FLOODED else _stderr(conversation)  # it was stopped while writing
    yield Finding(what, _quote(hello, *hello.lines[:_QUOTED]), stderr, remedy_of=remedy_of)


def _describe_silence(transcript: AdapterTranscript, hello: Exchange) -> tuple[str, str]:
    """Describe the result of a hello without an answer, and name its remedy."""
    ended = transcript.first.exit_text if transcript.first else ""
    match hello.outcome:
        case ExchangeOutcome.FLOODED:
            return "The response to hello did not end.", "flood"
        case ExchangeOutcome.ENDED if not hello.lines:
            return f"The adapter ended before it answered hello: {ended}.", "ended"
        case ExchangeOutcome.ENDED:
            return "Nothing that it wrote is a response to hello.", "no-ready"
        case _ if hello.lines:
            return f"Nothing that it wrote within {transcript.timeout} s is a response to hello.", "no-ready"
        case _:
            return f"The adapter wrote nothing within {transcript.timeout:g} s, nor when its input was closed.", "hello"


@_question("flush", "Every response arrives at once.", _has_written)
def _answers_late(transcript: AdapterTranscript) -> Iterator[Finding]:
    for each in transcript.exchanges:
        if each.late_lines and b"\n" in each.late_lines[0]:
            what = f"The adapter answered {each.name} only when its input was closed, {transcript.timeout:g} s later."
            yield Finding(what, _quote(each, *each.late_lines[:1]))


@_question("line-feed", "Every response ends with a line feed.", _has_written)
def _no_line_feed(transcript: AdapterTranscript) -> Iterator[Finding]:
    for each in transcript.exchanges:
        last = (each.late_lines or each.lines)[-1:]
        if last and not last[0].endswith(b"\n") and each.outcome is not ExchangeOutcome.FLOODED:
            yield Finding(f"The response to {each.name} does not end with a line feed.", _quote(each, *last))


@_question("noise", "Standard output contains only responses.", _has_answered_hello)
def _noise(transcript: AdapterTranscript) -> Iterator[Finding]:
    what = "The adapter wrote something that is not a response"
    for each in transcript.exchanges:
        foreign = _foreign(each.extra_lines)
        has_lines = each.outcome not in {ExchangeOutcome.UNREADABLE, ExchangeOutcome.FLOODED}
        if foreign and has_lines and (each.lines or not each.late_lines):
            where = "before it was ready" if each.name == "hello" else f"when it was sent {each.name}"
            yield Finding(f"{what} {where}.", _quote(each, *foreign))
    for conversation in transcript.conversations:
        if foreign := _foreign(conversation.leftover):
            yield Finding(f"{what} at the end.", [("adapter", show_line(line)) for line in foreign])


def _foreign(lines: Sequence[bytes]) -> list[bytes]:
    """Return the first lines that are neither answers nor attempts at one."""
    return [line for line in lines if find_answer([line])[0] is None and not is_broken_json(line)][:_QUOTED]


@_question("one-line", "Each response is on one line.", _has_answered_hello)
def _several_lines(transcript: AdapterTranscript) -> Iterator[Finding]:
    for each in transcript.exchanges:
        if each.answer_line_count > 1:
            lines = each.lines[-each.answer_line_count :][:_QUOTED]
            yield Finding(f"The response to {each.name} is on {each.answer_line_count} lines.", _quote(each, *lines))


@_question("json", "Every response is JSON.", _has_written)
def _no_json(transcript: AdapterTranscript) -> Iterator[Finding]:
    for each, line in _response_lines(transcript):
        if b"\0" not in line and is_broken_json(line):
            yield Finding(f"The response to {each.name} is not JSON.", _quote(each, line))


@_question("utf-8", "Every response is UTF-8.", _has_written)
def _no_utf_8(transcript: AdapterTranscript) -> Iterator[Finding]:
    for each, line in _response_lines(transcript):
        if each.outcome is ExchangeOutcome.UNREADABLE and b"\0" in line:
            yield Finding("The adapter writes UTF-16, or zero bytes.", _quote(each, line))
        try:
            line.decode()
        except UnicodeDecodeError as error:
            wrong = f"byte {error.start + 1} of the line is {line[error.start]:#04x}"
            yield Finding(f"The response to {each.name} is not UTF-8: {wrong}.", _quote(each, line))


@_question("byte-order-mark", "The output has no byte-order mark.", _has_written)
def _byte_order_mark(transcript: AdapterTranscript) -> Iterator[Finding]:
    for each, line in _response_lines(transcript):  # Hoyle skips it; other programs may not
        if line.startswith(codecs.BOM_UTF8):
            yield Finding("The output begins with a byte-order mark.", _quote(each, line), is_grave=False)


@_question("line-ends", "Lines end with a line feed alone.", _has_written)
def _carriage_returns(transcript: AdapterTranscript) -> Iterator[Finding]:
    for each, line in _response_lines(transcript):
        if line.endswith(b"\r\n") and not transcript.windows:  # where most languages write errors
            ending = (*_quote(each), ("adapter", f"{show_line(line)}, and then \\r\\n"))
            yield Finding("The lines end with a carriage return and a line feed.", ending, is_grave=False)


@_question("ready", "The 'ready' message is valid.", _has_answered_hello)
def _invalid_ready(transcript: AdapterTranscript) -> Iterator[Finding]:
    hello = transcript.first.exchanges[0] if transcript.first else None
    if hello and hello.fault:
        yield Finding(sentence(hello.fault.message), _quote_last(hello), remedy=hello.fault.remedy)


@_question("claims", "The claims are valid.", _is_ready)
def _useless_claims(transcript: AdapterTranscript) -> Iterator[Finding]:
    conversation, unknown = transcript.first, transcript.unknown_rulesets
    if conversation is None or conversation.ready is None:
        return
    lines = _quote_last(conversation.exchanges[0])
    if unknown:
        more = f", nor are {len(unknown) - 1} more that it claims" if unknown[1:] else ""
        what = f"'{unknown[0][:60]}' is not a ruleset of the suite{more}."
        what_to_do = f"{did_you_mean(unknown[0], transcript.rulesets)} 'hoyle suite list rulesets' shows them all."
        yield Finding(what, lines, is_grave=not conversation.runs, remedy=what_to_do.strip())
    elif not conversation.runs:
        ready = conversation.ready
        words = ", ".join(sorted(ready.claims)[:8]) or "nothing"
        yield Finding(
            f"The claims leave nothing to send: they are {words}, and 'position' is '{ready.position}'.", lines
        )


@_question("slow", "The adapter starts quickly.", _has_answered_hello)
def _slow(transcript: AdapterTranscript) -> Iterator[Finding]:
    seconds = [each.startup_seconds for each in transcript.conversations if each.startup_seconds is not None]
    if seconds and min(seconds) >= SLOW:
        times = f", the fastest of {plural(len(seconds), 'start')}" if seconds[1:] else ""
        yield Finding(f"The adapter was ready after {min(seconds):.1f} s{times}.", is_grave=False)


# ---- answers to claimed runs


@_question("answers", "The adapter answers every request.", _has_runs)
def _no_answer(transcript: AdapterTranscript) -> Iterator[Finding]:
    for conversation in filter(None, (transcript.first, transcript.second)):
        for each in conversation.runs:
            if each.answer or each.late_lines or each.outcome is ExchangeOutcome.UNREADABLE:
                continue
            answered = [other.length for other in conversation.runs if other.answer]
            long = each.length > _USUAL_BUFFER and bool(answered) and max(answered) < each.length
            asked = f"{each.name}, a message of {each.length:,} bytes" if long else each.name
            lines, remedy_of = _quote(each, *each.lines[:_QUOTED]), "long" if long else ""
            if each.outcome is ExchangeOutcome.FLOODED:
                yield Finding(f"The response to {each.name} did not end.", lines[:2], remedy_of="flood")
            elif each.outcome is ExchangeOutcome.ENDED:
                what = f"The adapter ended when it was sent {asked}: {conversation.exit_text}."
                yield Finding(what, lines, conversation.stderr, remedy_of=remedy_of or "ended")
            else:
                what = f"The adapter did not respond to {asked} within {transcript.timeout} s."
                yield Finding(what, lines, conversation.stderr, remedy_of=remedy_of)


@_question("once", "The adapter answers each request once.", _has_answers)
def _answers_twice(transcript: AdapterTranscript) -> Iterator[Finding]:
    for conversation in transcript.conversations:
        after = (*(each.extra_lines for each in conversation.exchanges[1:]), conversation.leftover)
        for asked, lines in zip(conversation.exchanges, after, strict=True):
            if more := [line for line in lines if find_answer([line])[0] is not None]:
                quoted = _quote(asked, *asked.lines[-1:], *more[:1])
                yield Finding(f"The adapter answered {asked.name} more than once.", quoted)


@_question("seq", "Each response has the number of its run.", _has_answers)
def _wrong_number(transcript: AdapterTranscript) -> Iterator[Finding]:
    for each in transcript.runs:
        seq = each.answer.get("seq") if each.answer else None
        if each.answer and (type(seq) is not int or seq != each.message["seq"]):
            how = f"as run {repr(seq)[:20]}" if "seq" in each.answer else "without 'seq'"
            yield Finding(f"The adapter answered {each.name} {how}.", _quote_last(each))


@_question("steps", "The adapter answers every step.", _has_answers)
def _missing_steps(transcript: AdapterTranscript) -> Iterator[Finding]:
    return _protocol_errors(transcript, "wrong-number-of-steps")


@_question("form", "The responses are valid.", _has_answers)
def _invalid_answer(transcript: AdapterTranscript) -> Iterator[Finding]:
    return _protocol_errors(transcript, "invalid-answer", "not-a-message", "repeated-key")


def _protocol_errors(transcript: AdapterTranscript, *codes: str) -> Iterator[Finding]:
    """Yield the answers whose protocol error has one of these codes."""
    for each in transcript.runs:
        if each.fault and each.fault.code in codes:
            twice = " appears twice" if each.fault.code == "repeated-key" else ""
            yield Finding(sentence(f"In the response to {each.name}: {each.fault.detail}{twice}"), _quote_last(each))


@_question("declines", "The adapter declines nothing that it claims.", _has_answers)
def _declines(transcript: AdapterTranscript) -> Iterator[Finding]:
    runs = [each for each in transcript.runs if each.answer]
    declined = [(each, why) for each in runs if (why := _why_declined(each.answer or {})) is not None]
    for each, why in declined:
        reason = f": {why[:100]!r}" if why else ""
        what = f"The adapter declined {len(declined)} of {plural(len(runs), 'run')} that its claims cover{reason}."
        yield Finding(what, _quote_last(each), is_grave=False)


def _why_declined(answer: Mapping[str, Any]) -> str | None:
    """Return the reason in a declined answer; None if the answer is not declined."""
    if answer.get("type") in DECLINED:
        return str(answer.get("reason", ""))
    steps = answer.get("steps")
    of_steps = [step for step in (steps if isinstance(steps, list) else ()) if isinstance(step, Mapping)]
    return next((str(step[word]) for step in of_steps for word in DECLINED if word in step), None)


@_question("same", "The same question gets the same answer.", lambda transcript: _is_complete(transcript.second))
def _another_answer(transcript: AdapterTranscript) -> Iterator[Finding]:
    answers: dict[str, Exchange] = {}
    for each in transcript.runs:
        if each.answer is None or each.fault:
            continue
        asked = repr({key: value for key, value in each.message.items() if key != "seq"})
        before = answers.setdefault(asked, each)
        steps = list(_comparable_steps(before)), list(_comparable_steps(each))
        if before.answer and (before.answer.get("type"), steps[0]) != (each.answer.get("type"), steps[1]):
            pairs = enumerate(zip(*steps, strict=False), start=1)
            step = next((number for number, (was, now) in pairs if was != now), 0)
            what = f"In step {step}, the adapter" if step else "The adapter"
            what += f" answered {each.name} differently from {before.name}, which is the same request."
            yield Finding(what, (*_quote_last(before), *_quote_last(each)))


def _comparable_steps(exchange: Exchange) -> Iterator[Any]:
    """Yield the steps of an answer without reasons, and with cards in a fixed order."""
    steps = exchange.answer.get("steps", ()) if exchange.answer else ()
    for step in steps if isinstance(steps, list) else ():
        yield comparable({key: value for key, value in step.items() if key != "reason"})


# ---- restart and exit


@_question(
    "itself",
    "The 'ready' message is the same after a restart.",
    lambda transcript: bool(transcript.second and transcript.second.exchanges[0].answer),
)
def _another_ready(transcript: AdapterTranscript) -> Iterator[Finding]:
    first = transcript.first
    for other in (transcript.second, transcript.third):
        if first is None or other is None or first.ready is None or other.ready == first.ready:
            continue
        quoted = [line for each in (first, other) for line in _quote_last(each.exchanges[0])[1:]]
        how = f"different: {'; '.join(first.ready.differences(other.ready))[:200]}" if other.ready else "not valid"
        yield Finding(f"After a restart, the 'ready' message was {how}.", quoted)


@_question(
    "stranger",
    "The adapter survives a run of an unknown ruleset.",
    lambda transcript: bool(transcript.third and transcript.third.runs),
)
def _stopped_by_an_unknown_ruleset(transcript: AdapterTranscript) -> Iterator[Finding]:
    conversation = transcript.third
    for number, each in enumerate(conversation.runs if conversation else ()):
        if not each.answer:
            when = "after it had been sent a run of" if number else "when it was sent a run of"
            ended = each.outcome is ExchangeOutcome.ENDED
            how = f": {conversation.exit_text}" if conversation and ended else ""
            what = f"The adapter {'ended' if ended else 'did not respond'} {when} an unknown ruleset{how}."
            yield Finding(what, _quote(each, *each.lines[:1]), _stderr(conversation), is_grave=False)


@_question("bye", "The adapter ends at bye, with exit code 0.", lambda transcript: _is_complete(transcript.first))
def _wrong_end_at_bye(transcript: AdapterTranscript) -> Iterator[Finding]:
    for conversation in (transcript.first, transcript.third):
        fault = conversation.ending if conversation else None
        if fault and fault.code == "ended-badly":
            yield Finding(f"At bye, the adapter ended with {fault.detail}.", _BYE, fault.stderr)
        elif fault and fault.code == "does-not-end":
            what = f"At bye, the adapter did not end: {fault.detail}."
            yield Finding(what, _BYE, fault.stderr, remedy_of="does-not-end")


@_question("end", "The adapter ends at the end of its input.", lambda transcript: _is_complete(transcript.second))
def _wrong_end_of_input(transcript: AdapterTranscript) -> Iterator[Finding]:
    fault = transcript.second.ending if transcript.second else None
    if fault and not any(_wrong_end_at_bye(transcript)):  # with the same remedy
        behavior = "kept running" if fault.code == "does-not-end" else f"ended with {fault.detail}"
        yield Finding(
            f"When its input ended without a bye, the adapter {behavior}.", stderr=fault.stderr, is_grave=False
        )
