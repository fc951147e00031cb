"""Examining: the conversations that the doctor holds with an adapter, each with a fresh process.

1. It is asked a few runs of what it claims, under numbers that do not follow one another, and the first ones twice;
   then it is told goodbye.
2. The same runs in another order; then its input ends, without goodbye.
3. A ruleset that there is not, and then once more one that there is.

A conversation that breaks is the last: what comes after would say nothing new.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Self

from hoyle_conformance.protocol.errors import ProtocolError
from hoyle_conformance.protocol.messages import AdapterInfo, Wire, decode
from hoyle_conformance.runner.start_adapter import Log
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.doctor.choose import runs_to_ask
from hoyle_conformance.tools.doctor.conversation import Talk, on_windows
from hoyle_conformance.tools.doctor.transcript import AdapterTranscript, Became, Conversation, Exchange
from hoyle_reference.frozen import frozen

#: A ruleset that there is not, and will not be.
STRANGER: Final = "no-such-game"
#: The numbers of runs, for one conversation: whoever counts by himself has others.
_NUMBERS: Final = (41, 17, 92, 63, 80, 38)

Body = Mapping[str, Any]


def examine(suite: Suite, command: Sequence[str], timeout: float, log: Log = lambda _line: None) -> AdapterTranscript:
    """All that is seen of an adapter in a few conversations, of which every line may go into a log."""
    evidence = AdapterTranscript(tuple(command), timeout, on_windows(), rulesets=suite.ruleset_names)
    examiner = _Examiner(Wire(suite.schemas, suite.version), command, timeout, log)
    try:
        with _Held(examiner) as held:
            ready = held.introduce()
            bodies = runs_to_ask(suite, ready) if ready else []
            for body in (*bodies, *bodies[:2]):
                held.ask(body)
    except ProtocolError as fault:
        return replace(evidence, cannot_start=fault)
    evidence = replace(evidence, first=held.conversation)
    if ready is None:
        return evidence
    known = tuple(name for name in sorted(ready.rulesets) if suite.knows(name))
    evidence = replace(evidence, known=known, unknown=tuple(sorted(ready.rulesets.difference(known))))
    return _examined_again(examiner, evidence, bodies) if bodies and held.conversation.whole else evidence


def _examined_again(examiner: "_Examiner", evidence: AdapterTranscript, bodies: Sequence[Body]) -> AdapterTranscript:
    """The same with what is seen in the second conversation and, where that went well, in the third."""
    try:
        again = examiner.conversation(reversed(bodies), goodbye=False)
        evidence = replace(evidence, again=again)
        if not again.whole:
            return evidence
        stranger = {**bodies[0], "ruleset": STRANGER, "options": []}
        return replace(evidence, stranger=examiner.conversation([stranger, bodies[0]]))
    except ProtocolError as fault:  # what could be started a moment ago
        return replace(evidence, cannot_start=fault)


@frozen
class _Examiner:
    """Who holds the conversations with one adapter."""

    wire: Wire
    command: Sequence[str]
    timeout: float
    log: Log

    def conversation(self, bodies: Iterable[Body], *, goodbye: bool = True) -> Conversation:
        """A conversation about these; raises Fault where it cannot be started."""
        with _Held(self, goodbye=goodbye) as held:
            if held.introduce():
                for body in bodies:
                    held.ask(body)
        return held.conversation


class _Held:
    """A conversation while it is held; raises Fault where it cannot be started."""

    def __init__(self, examiner: _Examiner, *, goodbye: bool = True) -> None:
        self._wire, self._goodbye = examiner.wire, goodbye
        self._began = time.monotonic()
        self._talk = Talk(examiner.command, examiner.timeout, examiner.log)
        self.conversation = Conversation(())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        seen = self.conversation
        if seen.exchanges and seen.exchanges[-1].became is Became.ENDED:
            self.conversation = replace(seen, ended=self._talk.how_it_ended())
        if not self._goodbye:
            self._talk.close_its_input()
        ending = self._talk.close()
        self.conversation = replace(
            self.conversation,
            ending=ending if seen.whole else None,
            left=self._talk.left,
            stderr=self._talk.stderr,
        )

    def introduce(self) -> AdapterInfo | None:
        """What it says of itself; nothing where it says nothing that the protocol knows."""
        exchange = self._talk.tell(self._wire.hello())
        seconds = time.monotonic() - self._began if exchange.answer else None
        ready, fault = self._read_ready(exchange)
        self.conversation = Conversation((replace(exchange, fault=fault),), ready, seconds)
        return ready

    def _read_ready(self, exchange: Exchange) -> tuple[AdapterInfo | None, ProtocolError | None]:
        if exchange.answer is None:
            return None, None
        try:
            _each_key_once(exchange)
            return self._wire.ready(exchange.answer), None
        except ProtocolError as fault:
            return None, fault

    def ask(self, body: Body) -> None:
        """Put a run to it, if it is still there to be asked."""
        seen = self.conversation
        if not seen.whole:
            return
        seq = _NUMBERS[len(seen.runs)]
        exchange = self._talk.tell(self._wire.run(seq, body))
        fault = self._against(exchange, body) if exchange.answer else None
        self.conversation = replace(seen, exchanges=(*seen.exchanges, replace(exchange, fault=fault)))

    def _against(self, exchange: Exchange, body: Body) -> ProtocolError | None:
        """What the protocol has against an answer, beside its number."""
        seq = exchange.message["seq"]
        try:
            _each_key_once(exchange)
            self._wire.answer({**(exchange.answer or {}), "seq": seq}, seq, body["steps"])
        except ProtocolError as fault:
            return fault
        return None


def _each_key_once(exchange: Exchange) -> None:
    """Raises Fault where the answer has a key twice; other things that are wrong with its text are told elsewhere."""
    try:
        decode(b"".join(exchange.heard[len(exchange.beside) :]))
    except ProtocolError as fault:
        if fault.code == "repeated-key":
            raise
