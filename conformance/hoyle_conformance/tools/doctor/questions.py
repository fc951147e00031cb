"""What the doctor asks of an adapter: every classic fault is a value, with what tells it and since when it can be told.

They stand in the order of a conversation. One that cannot be told, because the conversation did not come so far, is
not looked into: mending what stands before it comes first.
"""

from collections.abc import Callable, Sequence
from typing import Final

from hoyle_conformance.tools.doctor import check_answers as answering
from hoyle_conformance.tools.doctor import check_output as writing_lines
from hoyle_conformance.tools.doctor import check_startup as starting_up
from hoyle_conformance.tools.doctor.finding import Finding
from hoyle_conformance.tools.doctor.transcript import AdapterTranscript
from hoyle_reference.frozen import frozen

#: What is found wrong in what was seen; nothing if all is well.
Finds = Callable[[AdapterTranscript], Finding | None]


@frozen
class DoctorQuestion:
    """One thing that is asked of an adapter: its name, what is so where all is well, whether it could be `seen`, and
    what is found."""

    name: str
    healthy: str
    seen: Callable[[AdapterTranscript], object]
    finds: Finds


def started(evidence: AdapterTranscript) -> object:
    """It could be started."""
    return evidence.first


def wrote(evidence: AdapterTranscript) -> object:
    """It has written something."""
    return any(each.heard or each.released for each in evidence.exchanges)


def said_what_it_is(evidence: AdapterTranscript) -> object:
    """It has answered hello with a message."""
    return evidence.first and evidence.first.exchanges[0].answer


def ready(evidence: AdapterTranscript) -> object:
    """It has said ready, as the protocol has it."""
    return evidence.first and evidence.first.ready


def asked(evidence: AdapterTranscript) -> object:
    """It has been asked something that it claims."""
    return next(evidence.runs, None)


def answered(evidence: AdapterTranscript) -> object:
    """It has answered a run."""
    return any(each.answer for each in evidence.runs)


def went_well(evidence: AdapterTranscript) -> object:
    """It has answered everything in the first conversation."""
    return asked(evidence) and evidence.first and evidence.first.whole


def asked_again(evidence: AdapterTranscript) -> object:
    """It has been started again, and answered."""
    return evidence.again and evidence.again.exchanges[0].answer


def answered_again(evidence: AdapterTranscript) -> object:
    """It has answered everything again."""
    return evidence.again and evidence.again.whole


def asked_a_stranger(evidence: AdapterTranscript) -> object:
    """It has been asked of a ruleset that there is not."""
    return evidence.stranger and evidence.stranger.runs


QUESTIONS: Final[Sequence[DoctorQuestion]] = (
    DoctorQuestion("starts", "The command can be started.", lambda _evidence: True, starting_up.cannot_start),
    DoctorQuestion("hello", "It answers hello.", started, starting_up.says_nothing),
    DoctorQuestion("flush", "It flushes: every answer comes at once.", wrote, writing_lines.is_not_flushed),
    DoctorQuestion("line-feed", "It ends every answer with a line feed.", wrote, writing_lines.has_no_line_feed),
    DoctorQuestion("noise", "It writes nothing but answers to standard output.", said_what_it_is, writing_lines.noise),
    DoctorQuestion("one-line", "It writes each answer on one line.", said_what_it_is, writing_lines.spread_over_lines),
    DoctorQuestion("json", "It writes JSON.", wrote, writing_lines.no_json),
    DoctorQuestion("utf-8", "It writes UTF-8.", wrote, writing_lines.not_in_utf_8),
    DoctorQuestion("byte-order-mark", "It writes no byte-order mark.", wrote, writing_lines.byte_order_mark),
    DoctorQuestion("line-ends", "Its lines end with a line feed alone.", wrote, writing_lines.carriage_return),
    DoctorQuestion("ready", "Its 'ready' is as the protocol has it.", said_what_it_is, starting_up.not_ready),
    DoctorQuestion("claims", "It claims what there is to be asked.", ready, starting_up.claims_nothing_to_ask),
    DoctorQuestion("slow", "It starts quickly.", said_what_it_is, starting_up.starts_slowly),
    DoctorQuestion("answers", "It answers what it is asked.", asked, answering.does_not_answer),
    DoctorQuestion("once", "It answers each message once.", answered, answering.answers_twice),
    DoctorQuestion("seq", "It sends the number of the run back.", answered, answering.another_number),
    DoctorQuestion("steps", "It answers every step.", answered, answering.another_number_of_steps),
    DoctorQuestion("form", "Its answers are as the protocol has them.", answered, answering.of_another_form),
    DoctorQuestion("declines", "It does not decline what it claims.", answered, answering.declines),
    DoctorQuestion("same", "It answers the same question in the same way.", answered_again, answering.otherwise),
    DoctorQuestion("itself", "It says the same of itself every time.", asked_again, answering.says_otherwise),
    DoctorQuestion(
        "stranger", "It lives on after a ruleset that it does not know.", asked_a_stranger, answering.dies_of_it
    ),
    DoctorQuestion("bye", "It ends at bye, with exit code 0.", went_well, starting_up.ends_badly),
    DoctorQuestion("end", "It ends at the end of its input.", answered_again, starting_up.does_not_end),
)
