"""How an adapter starts, what it says of itself, and how it ends."""

from hoyle_conformance.files.suggest import did_you_mean
from hoyle_conformance.tools.doctor.finding import Finding, of, stderr_of
from hoyle_conformance.tools.doctor.transcript import AdapterTranscript, Became, Exchange
from hoyle_conformance.wording.text import plural, sentence

#: Seconds: who starts more slowly than this is waited for whenever he is started again.
SLOW = 3.0


def cannot_start(evidence: AdapterTranscript) -> Finding | None:
    """No such program, or none that may be run."""
    fault = evidence.cannot_start
    return Finding(sentence(fault.message), remedy=evidence.how_to_start or fault.remedy) if fault else None


def says_nothing(evidence: AdapterTranscript) -> Finding | None:
    """It ends before it has said what it is, or says nothing at all."""
    conversation = evidence.first
    hello = conversation.exchanges[0] if conversation else None
    if hello is None or hello.answer or hello.released or hello.became is Became.UNREADABLE:
        return None
    what, remedy = _instead_of_ready(evidence, hello)
    stderr = "" if hello.became is Became.FLOODED else stderr_of(conversation)  # it was ended while it wrote
    return Finding(what, of(hello, *hello.heard[:3]), stderr, remedy_of=remedy)


def _instead_of_ready(evidence: AdapterTranscript, hello: Exchange) -> tuple[str, str]:
    """What came instead of an answer to hello, and whose remedy helps."""
    ended = evidence.first.ended if evidence.first else ""
    match hello.became:
        case Became.FLOODED:
            return "What it wrote for hello did not end.", "flood"
        case Became.ENDED if not hello.heard:
            return f"It ended before it answered hello: {ended}.", "ended"
        case Became.ENDED:
            return "Nothing that it wrote is an answer to hello.", "no-ready"
        case _ if hello.heard:
            return f"Nothing that it wrote within {evidence.timeout:g} s is an answer to hello.", "no-ready"
        case _:
            return f"It wrote nothing within {evidence.timeout:g} s, nor when its input was closed.", "hello"


def not_ready(evidence: AdapterTranscript) -> Finding | None:
    """What it says of itself is not as the protocol has it."""
    hello = evidence.first.exchanges[0] if evidence.first else None
    if hello is None or hello.fault is None:
        return None
    return Finding(sentence(hello.fault.message), of(hello, *hello.heard[-1:]), remedy=hello.fault.remedy)


def claims_nothing_to_ask(evidence: AdapterTranscript) -> Finding | None:
    """It claims rulesets that there are not, or nothing that any check needs."""
    conversation = evidence.first
    ready = conversation.ready if conversation else None
    if conversation is None or ready is None:
        return None
    lines = of(conversation.exchanges[0], *conversation.exchanges[0].heard[-1:])
    if evidence.unknown:
        name = evidence.unknown[0]
        more = f", nor are {len(evidence.unknown) - 1} more that it claims" if evidence.unknown[1:] else ""
        remedy = f"{did_you_mean(name, evidence.rulesets)} 'hoyle suite list rulesets' shows them all.".strip()
        return Finding(
            f"'{name[:60]}' is no ruleset of the suite{more}.", lines, grave=not conversation.runs, remedy=remedy
        )
    if not conversation.runs:
        words = ", ".join(sorted(ready.claims)[:8]) or "nothing"
        what = f"There is nothing to ask it: it claims {words}, and 'position' is '{ready.position}'."
        return Finding(what, lines)
    return None


def starts_slowly(evidence: AdapterTranscript) -> Finding | None:
    """It takes its time, however often it is started."""
    seconds = [each.seconds for each in evidence.conversations if each.seconds is not None]
    if not seconds or min(seconds) < SLOW:
        return None
    times = f", the fastest of {plural(len(seconds), 'start')}" if seconds[1:] else ""
    return Finding(f"It was ready after {min(seconds):.1f} s{times}.", grave=False)


def ends_badly(evidence: AdapterTranscript) -> Finding | None:
    """At bye it ends with another exit code than 0, by a signal, or not at all."""
    for conversation in (evidence.first, evidence.stranger):
        fault = conversation.ending if conversation else None
        if fault and fault.code == "ended-badly":
            return Finding(f"At bye it ended with {fault.detail}.", (_BYE,), fault.stderr)
        if fault and fault.code == "does-not-end":
            return Finding(f"At bye it did not end: {fault.detail}.", (_BYE,), fault.stderr, remedy_of="does-not-end")
    return None


def does_not_end(evidence: AdapterTranscript) -> Finding | None:
    """When its input ends, it stays, or ends as if something had gone wrong."""
    fault = evidence.again.ending if evidence.again else None
    if fault is None:
        return None
    if ends_badly(evidence):  # which is mended in the same place
        return None
    became = "it stayed" if fault.code == "does-not-end" else f"it ended with {fault.detail}"
    return Finding(f"When its input ended without a bye, {became}.", stderr=fault.stderr, grave=False)


_BYE = ("Hoyle", '\'{"type":"bye"}\'')
