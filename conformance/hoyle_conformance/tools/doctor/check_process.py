"""Checks of how an adapter starts, introduces itself, writes its output and ends."""

from collections.abc import Iterator

from hoyle_conformance.files.diagnostics import did_you_mean
from hoyle_conformance.protocol.messages import show_line
from hoyle_conformance.tools.doctor.conversation import find_answer, is_broken_json
from hoyle_conformance.tools.doctor.transcript import (
    BYTE_ORDER_MARK,
    AdapterTranscript,
    Exchange,
    ExchangeOutcome,
    Finding,
    quote_exchange,
    quote_line,
    quote_message,
    stderr_of,
)
from hoyle_conformance.wording.text import plural, sentence

#: Seconds. A slower start delays every restart.
SLOW = 3.0
_BYE = ("Hoyle", '\'{"type":"bye"}\'')
_QUOTED = 3  # lines
#: Outcomes of which no line can be noise.
_NO_LINES = frozenset({ExchangeOutcome.UNREADABLE, ExchangeOutcome.FLOODED})


def check_start(transcript: AdapterTranscript) -> Finding | None:
    """Find a command that cannot be started."""
    fault = transcript.cannot_start
    return Finding(sentence(fault.message), remedy=transcript.how_to_start or fault.remedy) if fault else None


def check_hello(transcript: AdapterTranscript) -> Finding | None:
    """Find an adapter that ends before it answers hello, or does not answer."""
    conversation = transcript.first
    hello = conversation.exchanges[0] if conversation else None
    if hello is None or hello.answer or hello.late_lines or hello.outcome is ExchangeOutcome.UNREADABLE:
        return None
    what, remedy = _describe_silence(transcript, hello)
    stderr = "" if hello.outcome is ExchangeOutcome.FLOODED else stderr_of(conversation)  # it was ended while it wrote
    return Finding(what, quote_exchange(hello, *hello.lines[:3]), stderr, remedy_of=remedy)


def _describe_silence(transcript: AdapterTranscript, hello: Exchange) -> tuple[str, str]:
    """Return what happened instead of an answer to hello, and the name of the remedy."""
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


def check_ready(transcript: AdapterTranscript) -> Finding | None:
    """Find an invalid `ready`."""
    hello = transcript.first.exchanges[0] if transcript.first else None
    if hello is None or hello.fault is None:
        return None
    return Finding(sentence(hello.fault.message), quote_exchange(hello, *hello.lines[-1:]), remedy=hello.fault.remedy)


def check_claims(transcript: AdapterTranscript) -> Finding | None:
    """Find claims of unknown rulesets, or claims that no check needs."""
    conversation = transcript.first
    ready = conversation.ready if conversation else None
    if conversation is None or ready is None:
        return None
    lines = quote_exchange(conversation.exchanges[0], *conversation.exchanges[0].lines[-1:])
    if transcript.unknown_rulesets:
        name = transcript.unknown_rulesets[0]
        more = (
            f", nor are {len(transcript.unknown_rulesets) - 1} more that it claims"
            if transcript.unknown_rulesets[1:]
            else ""
        )
        remedy = f"{did_you_mean(name, transcript.rulesets)} 'hoyle suite list rulesets' shows them all.".strip()
        return Finding(
            f"'{name[:60]}' is not a ruleset of the suite{more}.", lines, is_grave=not conversation.runs, remedy=remedy
        )
    if not conversation.runs:
        words = ", ".join(sorted(ready.claims)[:8]) or "nothing"
        what = f"The claims leave nothing to send: they are {words}, and 'position' is '{ready.position}'."
        return Finding(what, lines)
    return None


def check_startup_time(transcript: AdapterTranscript) -> Finding | None:
    """Find an adapter whose every start takes `SLOW` seconds or more."""
    seconds = [each.startup_seconds for each in transcript.conversations if each.startup_seconds is not None]
    if not seconds or min(seconds) < SLOW:
        return None
    times = f", the fastest of {plural(len(seconds), 'start')}" if seconds[1:] else ""
    return Finding(f"The adapter was ready after {min(seconds):.1f} s{times}.", is_grave=False)


def check_bye(transcript: AdapterTranscript) -> Finding | None:
    """Find an adapter that ends at bye with a nonzero exit code or by a signal, or does not end."""
    for conversation in (transcript.first, transcript.third):
        fault = conversation.ending if conversation else None
        if fault and fault.code == "ended-badly":
            return Finding(f"At bye, the adapter ended with {fault.detail}.", (_BYE,), fault.stderr)
        if fault and fault.code == "does-not-end":
            return Finding(
                f"At bye, the adapter did not end: {fault.detail}.", (_BYE,), fault.stderr, remedy_of="does-not-end"
            )
    return None


def check_end_of_input(transcript: AdapterTranscript) -> Finding | None:
    """Find an adapter that does not end at the end of its input, or ends with an error."""
    fault = transcript.second.ending if transcript.second else None
    if fault is None:
        return None
    if check_bye(transcript):  # the remedy is the same
        return None
    behavior = "kept running" if fault.code == "does-not-end" else f"ended with {fault.detail}"
    return Finding(f"When its input ended without a bye, the adapter {behavior}.", stderr=fault.stderr, is_grave=False)


def check_flush(transcript: AdapterTranscript) -> Finding | None:
    """Find an adapter whose answer arrives only after its input is closed."""
    for each in transcript.exchanges:
        if each.late_lines and b"\n" in each.late_lines[0]:
            what = f"The adapter answered {each.name} only when its input was closed, {transcript.timeout:g} s later."
            return Finding(what, quote_exchange(each, *each.late_lines[:1]))
    return None


def check_line_feed(transcript: AdapterTranscript) -> Finding | None:
    """Find an answer without a line feed at its end."""
    for each in transcript.exchanges:
        last = (each.late_lines or each.lines)[-1:]
        if last and not last[0].endswith(b"\n") and each.outcome is not ExchangeOutcome.FLOODED:
            return Finding(f"The response to {each.name} does not end with a line feed.", quote_exchange(each, *last))
    return None


def check_noise(transcript: AdapterTranscript) -> Finding | None:
    """Find lines that are no answers: before `ready`, between answers, or at the end."""
    for each in transcript.exchanges:
        foreign = [line for line in each.extra_lines if _is_foreign(line)]
        if foreign and each.outcome not in _NO_LINES and not (each.late_lines and not each.lines):
            where = "before it was ready" if each.name == "hello" else f"when it was sent {each.name}"
            return Finding(
                f"The adapter wrote something that is not a response {where}.", quote_exchange(each, *foreign[:_QUOTED])
            )
    for conversation in transcript.conversations:
        foreign = [line for line in conversation.leftover if _is_foreign(line)]
        if foreign:
            return Finding(
                "The adapter wrote something that is not a response at the end.", [*map(quote_line, foreign[:_QUOTED])]
            )
    return None


def _is_foreign(line: bytes) -> bool:
    return find_answer([line])[0] is None and not is_broken_json(line)


def check_json(transcript: AdapterTranscript) -> Finding | None:
    """Find objects that are printed in a language's own notation instead of JSON."""
    for each, line in _response_lines(transcript):
        if b"\0" not in line and is_broken_json(line):
            return Finding(f"The response to {each.name} is not JSON.", quote_exchange(each, line))
    return None


def check_one_line(transcript: AdapterTranscript) -> Finding | None:
    """Find an answer that is spread over several lines."""
    for each in transcript.exchanges:
        lines = each.lines[len(each.lines) - each.answer_line_count :] if each.answer_line_count > 1 else ()
        if lines:
            return Finding(
                f"The response to {each.name} is on {each.answer_line_count} lines.",
                quote_exchange(each, *lines[:_QUOTED]),
            )
    return None


def check_utf_8(transcript: AdapterTranscript) -> Finding | None:
    """Find output in UTF-16 or an old character set."""
    for each, line in _response_lines(transcript):
        if each.outcome is ExchangeOutcome.UNREADABLE and b"\0" in line:
            return Finding("The adapter writes UTF-16, or zero bytes.", quote_exchange(each, line))
        try:
            line.decode()
        except UnicodeDecodeError as error:
            wrong = f"byte {error.start + 1} of the line is {line[error.start]:#04x}"
            return Finding(f"The response to {each.name} is not UTF-8: {wrong}.", quote_exchange(each, line))
    return None


def check_byte_order_mark(transcript: AdapterTranscript) -> Finding | None:
    """Find a byte-order mark at the beginning of the output, which Hoyle skips and other programs may not."""
    for each, line in _response_lines(transcript):
        if line.startswith(BYTE_ORDER_MARK):
            return Finding(
                "The output begins with a byte-order mark.",
                [quote_message(each.message), quote_line(line)],
                is_grave=False,
            )
    return None


def check_line_ends(transcript: AdapterTranscript) -> Finding | None:
    """Find lines that end with a carriage return and a line feed, except on Windows, where most languages write
    them."""
    for each, line in _response_lines(transcript):
        if line.endswith(b"\r\n") and not transcript.windows:
            ending = [quote_message(each.message), ("adapter", f"{show_line(line)}, and then \\r\\n")]
            return Finding("The lines end with a carriage return and a line feed.", ending, is_grave=False)
    return None


def _response_lines(transcript: AdapterTranscript) -> Iterator[tuple[Exchange, bytes]]:
    """Yield every line that the adapter wrote in response to a message, with its exchange."""
    return ((each, line) for each in transcript.exchanges for line in (*each.lines, *each.late_lines))
