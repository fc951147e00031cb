"""The doctor's questions about an adapter, and the diagnosis that answers them.

The questions are in the order of a conversation. A question that the conversation did not reach is not answered: fix
the faults before it first. A new fault is a row in `QUESTIONS`, a `check_…` function, and a remedy in `remedies.yaml`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final

from hoyle_conformance.runner.results import Exit
from hoyle_conformance.tools.doctor import check_answers, check_process
from hoyle_conformance.tools.doctor.remedies import language_of, remedy
from hoyle_conformance.tools.doctor.transcript import AdapterTranscript, Finding

#: Return the fault that a transcript shows, or None.
FindFault = Callable[[AdapterTranscript], Finding | None]


@dataclass(frozen=True, slots=True)
class DoctorQuestion:
    """One question about an adapter: its name, the text for a healthy adapter, whether a transcript reaches
    the question, and the function that finds the fault."""

    name: str
    healthy_text: str
    is_reached: Callable[[AdapterTranscript], bool]
    find: FindFault


def has_started(transcript: AdapterTranscript) -> bool:
    """Whether the adapter could be started."""
    return transcript.first is not None


def has_written(transcript: AdapterTranscript) -> bool:
    """Whether the adapter has written anything."""
    return any(each.lines or each.late_lines for each in transcript.exchanges)


def has_answered_hello(transcript: AdapterTranscript) -> bool:
    """Whether the adapter has answered hello with a message."""
    return bool(transcript.first and transcript.first.exchanges[0].answer)


def is_ready(transcript: AdapterTranscript) -> bool:
    """Whether the adapter has sent a valid `ready`."""
    return bool(transcript.first and transcript.first.ready)


def has_runs(transcript: AdapterTranscript) -> bool:
    """Whether the adapter was sent a run that it claims."""
    return any(True for _ in transcript.runs)


def has_answers(transcript: AdapterTranscript) -> bool:
    """Whether the adapter has answered a run."""
    return any(each.answer for each in transcript.runs)


def completed_first(transcript: AdapterTranscript) -> bool:
    """Whether the adapter has answered every message of the first conversation."""
    return bool(has_runs(transcript) and transcript.first and transcript.first.is_complete)


def answered_hello_again(transcript: AdapterTranscript) -> bool:
    """Whether the adapter was started a second time and answered hello."""
    return bool(transcript.second and transcript.second.exchanges[0].answer)


def completed_second(transcript: AdapterTranscript) -> bool:
    """Whether the adapter has answered every message of the second conversation."""
    return bool(transcript.second and transcript.second.is_complete)


def ran_unknown_ruleset(transcript: AdapterTranscript) -> bool:
    """Whether the adapter was sent a run of an unknown ruleset."""
    return bool(transcript.third and transcript.third.runs)


QUESTIONS: Final[Sequence[DoctorQuestion]] = (
    DoctorQuestion("starts", "The command can be started.", lambda _evidence: True, check_process.check_start),
    DoctorQuestion("hello", "The adapter answers hello.", has_started, check_process.check_hello),
    DoctorQuestion("flush", "Every response arrives at once.", has_written, check_process.check_flush),
    DoctorQuestion("line-feed", "Every response ends with a line feed.", has_written, check_process.check_line_feed),
    DoctorQuestion("noise", "Standard output contains only responses.", has_answered_hello, check_process.check_noise),
    DoctorQuestion("one-line", "Each response is on one line.", has_answered_hello, check_process.check_one_line),
    DoctorQuestion("json", "Every response is JSON.", has_written, check_process.check_json),
    DoctorQuestion("utf-8", "Every response is UTF-8.", has_written, check_process.check_utf_8),
    DoctorQuestion(
        "byte-order-mark", "The output has no byte-order mark.", has_written, check_process.check_byte_order_mark
    ),
    DoctorQuestion("line-ends", "Lines end with a line feed alone.", has_written, check_process.check_line_ends),
    DoctorQuestion("ready", "The 'ready' message is valid.", has_answered_hello, check_process.check_ready),
    DoctorQuestion("claims", "The claims are valid.", is_ready, check_process.check_claims),
    DoctorQuestion("slow", "The adapter starts quickly.", has_answered_hello, check_process.check_startup_time),
    DoctorQuestion("answers", "The adapter answers every request.", has_runs, check_answers.check_answered),
    DoctorQuestion("once", "The adapter answers each request once.", has_answers, check_answers.check_answered_once),
    DoctorQuestion("seq", "Each response has the number of its run.", has_answers, check_answers.check_seq),
    DoctorQuestion("steps", "The adapter answers every step.", has_answers, check_answers.check_steps),
    DoctorQuestion("form", "The responses are valid.", has_answers, check_answers.check_form),
    DoctorQuestion(
        "declines", "The adapter declines nothing that it claims.", has_answers, check_answers.check_declined
    ),
    DoctorQuestion(
        "same", "The same question gets the same answer.", completed_second, check_answers.check_same_answer
    ),
    DoctorQuestion(
        "itself",
        "The 'ready' message is the same after a restart.",
        answered_hello_again,
        check_answers.check_same_ready,
    ),
    DoctorQuestion(
        "stranger",
        "The adapter survives a run of an unknown ruleset.",
        ran_unknown_ruleset,
        check_answers.check_unknown_ruleset,
    ),
    DoctorQuestion("bye", "The adapter ends at bye, with exit code 0.", completed_first, check_process.check_bye),
    DoctorQuestion(
        "end", "The adapter ends at the end of its input.", completed_second, check_process.check_end_of_input
    ),
)


class QuestionStatus(StrEnum):
    """The status of a question."""

    OK = "well"
    WRONG = "wrong"  # the conversation breaks
    ODD = "odd"  # Hoyle can work around the fault
    NOT_REACHED = "unseen"  # the conversation ended before


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question with its status, the finding if there is one, and the remedy."""

    question: DoctorQuestion
    status: QuestionStatus
    found: Finding | None = None
    remedy: str = ""


@dataclass(frozen=True)
class Diagnosis:
    """The answers to all questions, in order, and the transcript behind them."""

    transcript: AdapterTranscript
    answers: Sequence[AnsweredQuestion]

    @cached_property
    def wrong(self) -> Sequence[AnsweredQuestion]:
        """The faults that break the conversation."""
        return [each for each in self.answers if each.status is QuestionStatus.WRONG]

    @cached_property
    def odd(self) -> Sequence[AnsweredQuestion]:
        """The faults that Hoyle can work around, and that should be fixed."""
        return [each for each in self.answers if each.status is QuestionStatus.ODD]

    @property
    def exit(self) -> Exit:
        """The exit code: that of 'hoyle check' where the conversation breaks, 1 where something is odd, else 0."""
        if self.wrong:
            return Exit.ADAPTER_BROKE
        return Exit.UNEXPECTED_RESULT if self.odd else Exit.AS_EXPECTED


def diagnose(transcript: AdapterTranscript) -> Diagnosis:
    """Return the diagnosis of an adapter from its transcript."""
    language = language_of(transcript.language, transcript.command)
    return Diagnosis(transcript, [_answer(question, transcript, language) for question in QUESTIONS])


def _answer(question: DoctorQuestion, transcript: AdapterTranscript, language: str) -> AnsweredQuestion:
    """Return the answer to one question; look up the remedy in the adapter's `language`."""
    if not question.is_reached(transcript):
        return AnsweredQuestion(question, QuestionStatus.NOT_REACHED)
    found = question.find(transcript)
    if found is None:
        return AnsweredQuestion(question, QuestionStatus.OK)
    what_to_do = found.remedy or remedy(found.remedy_of or question.name, language)
    return AnsweredQuestion(question, QuestionStatus.WRONG if found.is_grave else QuestionStatus.ODD, found, what_to_do)
