"""What an adapter answers to the runs of what it claims."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from hoyle_conformance.runner.compare import comparable
from hoyle_conformance.tools.doctor.conversation import the_answer
from hoyle_conformance.tools.doctor.finding import Finding, of, stderr_of
from hoyle_conformance.tools.doctor.transcript import AdapterTranscript, Became, Exchange
from hoyle_conformance.wording.text import plural, sentence

#: A message that fits into the room that many programs keep for a line is no longer than this, in bytes.
_ROOM: Final = 1_000
_DECLINED: Final = ("unsupported", "skipped", "error")


def does_not_answer(evidence: AdapterTranscript) -> Finding | None:
    """It ends, or is silent, when it is asked something that it claims."""
    conversations = (each for each in (evidence.first, evidence.again) if each)
    for conversation in conversations:
        for each in conversation.runs:
            if each.answer or each.released or each.became is Became.UNREADABLE:
                continue
            stderr, lines = stderr_of(conversation), of(each, *each.heard[:3])
            long = each.length > _ROOM and _answered_a_shorter(conversation.runs, each)
            length = f", a message of {each.length:,} bytes" if long else ""
            if each.became is Became.ENDED:
                what = f"It ended when it was asked {each.name}{length}: {conversation.ended}."
                return Finding(what, lines, stderr, remedy_of="long" if long else "ended")
            if each.became is Became.FLOODED:
                return Finding(f"What it wrote for {each.name} did not end.", lines[:2], remedy_of="flood")
            what = f"It gave no answer to {each.name}{length} within {evidence.timeout:g} s."
            return Finding(what, lines, stderr, remedy_of="long" if long else "")
    return None


def _answered_a_shorter(runs: tuple[Exchange, ...], than: Exchange) -> bool:
    answered = [each.length for each in runs if each.answer]
    return bool(answered) and max(answered) < than.length


def answers_twice(evidence: AdapterTranscript) -> Finding | None:
    """Another answer comes after the answer."""
    for conversation in evidence.conversations:
        after = (*(each.beside for each in conversation.exchanges[1:]), conversation.left)
        for asked, lines in zip(conversation.exchanges, after, strict=True):
            more = [line for line in lines if the_answer([line])[0] is not None]
            if more:
                return Finding(f"It answered {asked.name} more than once.", of(asked, *asked.heard[-1:], *more[:1]))
    return None


def another_number(evidence: AdapterTranscript) -> Finding | None:
    """Its answer has the number of another run, or none."""
    for each in evidence.runs:
        answered = each.answer.get("seq") if each.answer else None
        if each.answer and (type(answered) is not int or answered != each.message["seq"]):
            what = f"It answered {each.name} " + (
                f"as run {repr(answered)[:20]}." if "seq" in each.answer else "without 'seq'."
            )
            return Finding(what, of(each, *each.heard[-1:]))
    return None


def another_number_of_steps(evidence: AdapterTranscript) -> Finding | None:
    """Its answer does not have one observation a step."""
    return _by_the_protocol(evidence, frozenset({"wrong-number-of-steps"}))


def of_another_form(evidence: AdapterTranscript) -> Finding | None:
    """Its answer is not as the protocol has it."""
    return _by_the_protocol(evidence, frozenset({"invalid-answer", "not-a-message", "repeated-key"}))


def _by_the_protocol(evidence: AdapterTranscript, codes: frozenset[str]) -> Finding | None:
    for each in evidence.runs:
        if each.fault and each.fault.code in codes:
            twice = each.fault.code == "repeated-key"
            detail = f"{each.fault.detail} stands twice" if twice else each.fault.detail
            return Finding(sentence(f"In its answer to {each.name}: {detail}"), of(each, *each.heard[-1:]))
    return None


def declines(evidence: AdapterTranscript) -> Finding | None:
    """It claims something and, asked for it, says that it cannot."""
    runs = [each for each in evidence.runs if each.answer]
    declined = [(each, why) for each in runs if (why := _why_declined(each.answer or {})) is not None]
    if not declined:
        return None
    each, why = declined[0]
    reason = f": {why[:100]!r}" if why else ""
    what = f"It declined {len(declined)} of {plural(len(runs), 'run')} of what it claims{reason}."
    return Finding(what, of(each, *each.heard[-1:]), grave=False)


def _why_declined(answer: Mapping[str, Any]) -> str | None:
    """Why an answer is none, in the adapter's words; nothing if it is one."""
    if answer.get("type") in _DECLINED:
        return str(answer.get("reason", ""))
    steps = answer.get("steps")
    declined = (
        str(step[word]) for step in (steps if isinstance(steps, list) else ()) if isinstance(step, Mapping)
        for word in _DECLINED if word in step
    )  # fmt: skip
    return next(declined, None)


def otherwise(evidence: AdapterTranscript) -> Finding | None:
    """The same question has another answer the next time, or after other questions."""
    answers: dict[str, Exchange] = {}
    for each in evidence.runs:
        if each.answer is None or each.fault:
            continue
        asked = repr({key: value for key, value in each.message.items() if key != "seq"})
        before = answers.setdefault(asked, each)
        if before.answer is not None and _told(before.answer) != _told(each.answer):
            at = _step(before.answer, each.answer)
            where = f"In step {at} it" if at else "It"
            lines = (*of(before, *before.heard[-1:]), *of(each, *each.heard[-1:]))
            return Finding(f"{where} answered {each.name} otherwise than {before.name}, which asks the same.", lines)
    return None


def _told(answer: Mapping[str, Any]) -> Any:
    """What an answer says: neither its number nor its reasons, nor the order of cards."""
    return answer.get("type"), list(_steps(answer))


def _steps(answer: Mapping[str, Any]) -> Iterator[Any]:
    steps = answer.get("steps", ())
    for step in steps if isinstance(steps, list) else ():
        yield comparable({key: value for key, value in step.items() if key != "reason"})


def _step(one: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    """The first step in which two answers differ, counted from 1; 0 where they differ otherwise."""
    pairs = enumerate(zip(_steps(one), _steps(other), strict=False), start=1)
    return next((at for at, (was, now) in pairs if was != now), 0)


def says_otherwise(evidence: AdapterTranscript) -> Finding | None:
    """It says something else of itself when it is started again."""
    first = evidence.first
    for other in (evidence.again, evidence.stranger):
        if first is None or other is None or first.ready is None:
            continue
        if other.ready is None:
            return Finding(
                "When it was started again, its 'ready' was not as the protocol has it.", _readies(first, other)
            )
        if other.ready != first.ready:
            what = "; ".join(first.ready.differences(other.ready))
            return Finding(
                f"When it was started again, it said something else of itself: {what[:200]}.", _readies(first, other)
            )
    return None


def _readies(*conversations: Any) -> tuple[tuple[str, str], ...]:
    return tuple(line for each in conversations for line in of(each.exchanges[0], *each.exchanges[0].heard[-1:])[1:])


def dies_of_it(evidence: AdapterTranscript) -> Finding | None:
    """A ruleset that it does not know is its end, or the end of its answers."""
    conversation = evidence.stranger
    for number, each in enumerate(conversation.runs if conversation else ()):
        if each.answer:
            continue
        what = "when it was asked of" if not number else "after it had been asked of"
        became = f"It ended {what}" if each.became is Became.ENDED else f"It did not answer {what}"
        how = f": {conversation.ended}" if conversation and each.became is Became.ENDED else ""
        return Finding(
            f"{became} a ruleset that there is not{how}.",
            of(each, *each.heard[:1]),
            stderr_of(conversation),
            grave=False,
        )
    return None
