"""The conversations of the doctor with an adapter, each with a new process.

1. A few runs of what the adapter claims, with numbers that are not consecutive, and the first two again; then bye.
2. The same runs in another order; then the input ends without bye.
3. A run of an unknown ruleset, and one of a known ruleset.

If a conversation breaks, the later ones do not take place: they would show nothing new.
"""

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from hoyle_conformance.checks.request import Adapted, Claims
from hoyle_conformance.protocol.messages import AdapterInfo, ProtocolError, Wire, decode, encode
from hoyle_conformance.runner.checker import Checker
from hoyle_conformance.runner.reference_adapter import Log
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.doctor.conversation import RecordedProcess
from hoyle_conformance.tools.doctor.transcript import AdapterTranscript, Conversation, Exchange, ExchangeOutcome

#: The number of runs in a conversation.
RUNS: Final = 4
#: Choose from about so many checks, evenly spread over the claimed ones; from all of them if no run comes of these.
_SAMPLE: Final = 300
#: No suite has a ruleset of this name.
UNKNOWN_RULESET: Final = "no-such-game"
#: The `seq` of the runs in one conversation; an adapter that counts by itself gets them wrong.
_RUN_NUMBERS: Final = (41, 17, 92, 63, 80, 38)
Body = Mapping[str, Any]


def runs_to_ask(suite: Suite, ready: AdapterInfo) -> list[Mapping[str, Any]]:
    """Return a few different runs of what an adapter claims, as 'hoyle check' would send them, from the shortest to
    the longest; an empty list if no check can be sent."""
    plays = Claims(suite, ready).plays
    claimed = [suite.index.checks[each.id] for each in suite.index.headings.values() if plays(each.ruleset)]
    sample = claimed[:: len(claimed) // _SAMPLE + 1]
    found = list(_run_bodies(suite, ready, sample)) or list(_run_bodies(suite, ready, claimed))
    by_length = sorted({encode(each): each for each in found}.items(), key=lambda each: (len(each[0]), each[0]))
    last = len(by_length) - 1
    places = sorted({round(last * place / (RUNS - 1)) for place in range(RUNS)}) if by_length else []
    return [by_length[at][1] for at in places]


def _run_bodies(suite: Suite, ready: AdapterInfo, checks: Sequence[Check]) -> Iterator[Mapping[str, Any]]:
    """Yield the run of each of these checks that can be sent to the adapter."""
    for asked in map(Checker.with_questions(Claims(suite, ready), checks).adapt, checks):
        if isinstance(asked, Adapted):
            yield dict(asked.plan.message)


def examine(
    suite: Suite,
    command: Sequence[str],
    timeout: float,
    log: Log = lambda _line: None,
    folder: Path | None = None,
    *,
    sandbox: bool = False,
) -> AdapterTranscript:
    """Return the transcript of a few conversations with an adapter, which runs in the working folder or in `folder`,
    and in a sandbox if `sandbox` is set; pass every line to `log`."""
    transcript = AdapterTranscript(tuple(command), timeout, os.linesep == "\r\n", rulesets=suite.rules.names)
    examiner = _Examiner(Wire(suite.schemas, suite.version), command, timeout, log, folder, sandbox)
    try:
        with _OpenConversation(examiner) as opened:
            ready = opened.hello()
            bodies = runs_to_ask(suite, ready) if ready else []
            for body in (*bodies, *bodies[:2]):
                opened.ask(body)
    except ProtocolError as fault:
        return replace(transcript, cannot_start=fault)
    transcript = replace(transcript, first=opened.conversation)
    if ready is None:
        return transcript
    known = tuple(name for name in sorted(ready.rulesets) if suite.rules.knows(name))
    transcript = replace(
        transcript, known_rulesets=known, unknown_rulesets=tuple(sorted(ready.rulesets.difference(known)))
    )
    return _continue(examiner, transcript, bodies) if bodies and opened.conversation.is_complete else transcript


def _continue(examiner: "_Examiner", transcript: AdapterTranscript, bodies: Sequence[Body]) -> AdapterTranscript:
    """Return the transcript with the second conversation and, if that is complete, the third."""
    try:
        second = examiner.conversation(reversed(bodies), goodbye=False)
        transcript = replace(transcript, second=second)
        if not second.is_complete:
            return transcript
        unknown = {**bodies[0], "ruleset": UNKNOWN_RULESET, "options": []}
        return replace(transcript, third=examiner.conversation([unknown, bodies[0]]))
    except ProtocolError as fault:  # it started a moment ago
        return replace(transcript, cannot_start=fault)


@dataclass(frozen=True, slots=True)
class _Examiner:
    """Everything that the conversations with one adapter share."""

    wire: Wire
    command: Sequence[str]
    timeout: float
    log: Log
    folder: Path | None
    sandbox: bool

    def conversation(self, bodies: Iterable[Body], *, goodbye: bool = True) -> Conversation:
        """Return a conversation with these runs; raises ProtocolError if the adapter cannot be started."""
        with _OpenConversation(self, goodbye=goodbye) as opened:
            if opened.hello():
                for body in bodies:
                    opened.ask(body)
        return opened.conversation


class _OpenConversation:
    """A conversation in progress; raises ProtocolError if the adapter cannot be started."""

    def __init__(self, examiner: _Examiner, *, goodbye: bool = True) -> None:
        self._wire, self._goodbye = examiner.wire, goodbye
        self._began = time.monotonic()
        self._process = RecordedProcess(
            examiner.command, examiner.timeout, examiner.log, examiner.folder, sandbox=examiner.sandbox
        )
        self.conversation = Conversation(())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        so_far = self.conversation
        if so_far.exchanges and so_far.exchanges[-1].outcome is ExchangeOutcome.ENDED:
            self.conversation = replace(so_far, exit_text=self._process.describe_exit())
        if not self._goodbye:
            self._process.close_input()
        ending = self._process.close()
        self.conversation = replace(
            self.conversation,
            ending=ending if so_far.is_complete else None,
            leftover=self._process.leftover,
            stderr=self._process.stderr,
        )

    def hello(self) -> AdapterInfo | None:
        """Send hello and return the adapter's introduction; None if its answer is missing or invalid."""
        exchange = self._process.exchange(self._wire.hello())
        seconds = time.monotonic() - self._began if exchange.answer else None
        ready, fault = self._read_ready(exchange)
        self.conversation = Conversation((replace(exchange, fault=fault),), ready, seconds)
        return ready

    def _read_ready(self, exchange: Exchange) -> tuple[AdapterInfo | None, ProtocolError | None]:
        if exchange.answer is None:
            return None, None
        try:
            _refuse_repeated_keys(exchange)
            return self._wire.ready(exchange.answer), None
        except ProtocolError as fault:
            return None, fault

    def ask(self, body: Body) -> None:
        """Send a run, unless a message before it was not answered."""
        so_far = self.conversation
        if not so_far.is_complete:
            return
        seq = _RUN_NUMBERS[len(so_far.runs)]
        exchange = self._process.exchange(self._wire.run(seq, body))
        fault = self._protocol_error(exchange, body) if exchange.answer else None
        self.conversation = replace(so_far, exchanges=(*so_far.exchanges, replace(exchange, fault=fault)))

    def _protocol_error(self, exchange: Exchange, body: Body) -> ProtocolError | None:
        """Return the protocol error in an answer, disregarding its number."""
        seq = exchange.message["seq"]
        try:
            _refuse_repeated_keys(exchange)
            self._wire.answer({**(exchange.answer or {}), "seq": seq}, seq, body["steps"])
        except ProtocolError as fault:
            return fault
        return None


def _refuse_repeated_keys(exchange: Exchange) -> None:
    """Raise ProtocolError if the answer has a key twice; other faults in its text are found elsewhere."""
    try:
        decode(b"".join(exchange.lines[len(exchange.extra_lines) :]))
    except ProtocolError as fault:
        if fault.code == "repeated-key":
            raise
