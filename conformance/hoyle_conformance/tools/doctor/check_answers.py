"""Checks of how an adapter answers the runs that it claims."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from hoyle_conformance.runner.consensus import comparable
from hoyle_conformance.tools.doctor.conversation import find_answer
from hoyle_conformance.tools.doctor.transcript import (
    AdapterTranscript,
    Exchange,
    ExchangeOutcome,
    Finding,
    quote_exchange,
    stderr_of,
)
from hoyle_conformance.wording.text import plural, sentence

#: Bytes. Longer messages do not fit into the line buffer of many programs.
_USUAL_BUFFER: Final = 1_000
_DECLINED: Final = ("unsupported", "skipped", "error")


def check_answered(transcript: AdapterTranscript) -> Finding | None:
    """Find a run at which the adapter ends or does not answer."""
    for conversation in filter(None, (transcript.first, transcript.second)):
        for each in conversation.runs:
            if each.answer or each.late_lines or each.outcome is ExchangeOutcome.UNREADABLE:
                continue
            stderr, lines = stderr_of(conversation), quote_exchange(each, *each.lines[:3])
            long = each.length > _USUAL_BUFFER and _answered_a_shorter(conversation.runs, each)
            length = f", a message of {each.length:,} bytes" if long else ""
            if each.outcome is ExchangeOutcome.ENDED:
                what = f"The adapter ended when it was sent {each.name}{length}: {conversation.exit_text}."
                return Finding(what, lines, stderr, remedy_of="long" if long else "ended")
            if each.outcome is ExchangeOutcome.FLOODED:
                return Finding(f"The response to {each.name} did not end.", lines[:2], remedy_of="flood")
            what = f"The adapter did not respond to {each.name}{length} within {transcript.timeout} s."
            return Finding(what, lines, stderr, remedy_of="long" if long else "")
    return None


def _answered_a_shorter(runs: tuple[Exchange, ...], than: Exchange) -> bool:
    """Whether a shorter message than `than` was answered, and no message as long."""
    answered = [each.length for each in runs if each.answer]
    return bool(answered) and max(answered) < than.length


def check_answered_once(transcript: AdapterTranscript) -> Finding | None:
    """Find a second answer to one message."""
    for conversation in transcript.conversations:
        after = (*(each.extra_lines for each in conversation.exchanges[1:]), conversation.leftover)
        for asked, lines in zip(conversation.exchanges, after, strict=True):
            more = [line for line in lines if find_answer([line])[0] is not None]
            if more:
                return Finding(
                    f"The adapter answered {asked.name} more than once.",
                    quote_exchange(asked, *asked.lines[-1:], *more[:1]),
                )
    return None


def check_seq(transcript: AdapterTranscript) -> Finding | None:
    """Find an answer with the number of another run, or with none."""
    for each in transcript.runs:
        answered = each.answer.get("seq") if each.answer else None
        if each.answer and (type(answered) is not int or answered != each.message["seq"]):
            what = f"The adapter answered {each.name} " + (
                f"as run {repr(answered)[:20]}." if "seq" in each.answer else "without 'seq'."
            )
            return Finding(what, quote_exchange(each, *each.lines[-1:]))
    return None


def check_steps(transcript: AdapterTranscript) -> Finding | None:
    """Find an answer that does not have one observation for each step."""
    return _find_protocol_error(transcript, frozenset({"wrong-number-of-steps"}))


def check_form(transcript: AdapterTranscript) -> Finding | None:
    """Find an answer that is invalid by the protocol."""
    return _find_protocol_error(transcript, frozenset({"invalid-answer", "not-a-message", "repeated-key"}))


def _find_protocol_error(transcript: AdapterTranscript, codes: frozenset[str]) -> Finding | None:
    """Find the first answer whose protocol error has one of these codes."""
    for each in transcript.runs:
        if each.fault and each.fault.code in codes:
            twice = each.fault.code == "repeated-key"
            detail = f"{each.fault.detail} appears twice" if twice else each.fault.detail
            return Finding(
                sentence(f"In the response to {each.name}: {detail}"), quote_exchange(each, *each.lines[-1:])
            )
    return None


def check_declined(transcript: AdapterTranscript) -> Finding | None:
    """Find runs that the adapter declines although it claims them."""
    runs = [each for each in transcript.runs if each.answer]
    declined = [(each, why) for each in runs if (why := _why_declined(each.answer or {})) is not None]
    if not declined:
        return None
    each, why = declined[0]
    reason = f": {why[:100]!r}" if why else ""
    what = f"The adapter declined {len(declined)} of {plural(len(runs), 'run')} that its claims cover{reason}."
    return Finding(what, quote_exchange(each, *each.lines[-1:]), is_grave=False)


def _why_declined(answer: Mapping[str, Any]) -> str | None:
    """Return the reason that a declined answer gives; None if the answer is not declined."""
    if answer.get("type") in _DECLINED:
        return str(answer.get("reason", ""))
    steps = answer.get("steps")
    declined = (
        str(step[word]) for step in (steps if isinstance(steps, list) else ()) if isinstance(step, Mapping)
        for word in _DECLINED if word in step
    )  # fmt: skip
    return next(declined, None)


def check_same_answer(transcript: AdapterTranscript) -> Finding | None:
    """Find a question whose answer changes when it is repeated, or after other questions."""
    answers: dict[str, Exchange] = {}
    for each in transcript.runs:
        if each.answer is None or each.fault:
            continue
        asked = repr({key: value for key, value in each.message.items() if key != "seq"})
        before = answers.setdefault(asked, each)
        if before.answer is not None and _comparable_answer(before.answer) != _comparable_answer(each.answer):
            at = _first_differing_step(before.answer, each.answer)
            where = f"In step {at}, the adapter" if at else "The adapter"
            lines = (*quote_exchange(before, *before.lines[-1:]), *quote_exchange(each, *each.lines[-1:]))
            return Finding(
                f"{where} answered {each.name} differently from {before.name}, which is the same request.", lines
            )
    return None


def _comparable_answer(answer: Mapping[str, Any]) -> Any:
    """Return an answer without its number, its reasons and the order of cards."""
    return answer.get("type"), list(_comparable_steps(answer))


def _comparable_steps(answer: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the steps of an answer, without reasons and the order of cards."""
    steps = answer.get("steps", ())
    for step in steps if isinstance(steps, list) else ():
        yield comparable({key: value for key, value in step.items() if key != "reason"})


def _first_differing_step(one: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    """Return the first step in which two answers differ, counted from 1; 0 if they differ elsewhere."""
    pairs = enumerate(zip(_comparable_steps(one), _comparable_steps(other), strict=False), start=1)
    return next((at for at, (was, now) in pairs if was != now), 0)


def check_same_ready(transcript: AdapterTranscript) -> Finding | None:
    """Find a `ready` that changes when the adapter is restarted."""
    first = transcript.first
    for other in (transcript.second, transcript.third):
        if first is None or other is None or first.ready is None:
            continue
        if other.ready is None:
            return Finding("After a restart, the 'ready' message was not valid.", _ready_lines(first, other))
        if other.ready != first.ready:
            what = "; ".join(first.ready.differences(other.ready))
            return Finding(
                f"After a restart, the 'ready' message was different: {what[:200]}.",
                _ready_lines(first, other),
            )
    return None


def _ready_lines(*conversations: Any) -> tuple[tuple[str, str], ...]:
    """Return the lines of the `ready` of each conversation, quoted."""
    return tuple(
        line for each in conversations for line in quote_exchange(each.exchanges[0], *each.exchanges[0].lines[-1:])[1:]
    )


def check_unknown_ruleset(transcript: AdapterTranscript) -> Finding | None:
    """Find an adapter that ends or stops answering after a run of an unknown ruleset."""
    conversation = transcript.third
    for number, each in enumerate(conversation.runs if conversation else ()):
        if each.answer:
            continue
        when = "when it was sent a run of" if not number else "after it had been sent a run of"
        behavior = "The adapter ended" if each.outcome is ExchangeOutcome.ENDED else "The adapter did not respond"
        how = f": {conversation.exit_text}" if conversation and each.outcome is ExchangeOutcome.ENDED else ""
        return Finding(
            f"{behavior} {when} an unknown ruleset{how}.",
            quote_exchange(each, *each.lines[:1]),
            stderr_of(conversation),
            is_grave=False,
        )
    return None
