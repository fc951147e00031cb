"""An adapter's lines: whatever it writes, each check has a result that can be recorded, read and reported."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.protocol.adapters import InProcess
from hoyle_conformance.protocol.messages import PROTOCOL, ProtocolError, Wire, decode
from hoyle_conformance.reports.failure import recorded_words
from hoyle_conformance.reports.load_record import record_of
from hoyle_conformance.reports.summary import summary_lines
from hoyle_conformance.runner.record import Recorder
from hoyle_conformance.runner.results import OWN_FAULT
from hoyle_conformance.runner.run import run
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

from .properties import assert_printable
from .target import Input, Read

#: Checks that together have every act and question, and expect every observable.
VARIANTS: Final = (
    "to-score.the-example@bezique-hoyle",
    "melds.bezique@bezique-hoyle",
    "tricks.identical-trumps@bezique-hoyle",
    "partie.equal-after-six@piquet-rubicon-hoyle",
    "irregular.winner-lifted-the-last-two@bezique-britannica",
    "three-hands.a-question-changes-nothing@three-handed-h2g2+three-tricks-first",
    "talon.elder-peeps-after-four@piquet-saunt-parlett+ten-for-the-last",
    "irregular.too-many-cards-found-during-a-trick@six-deck-h2g2",
    "irregular.rubicon-a-fresh-deal-and-the-carte-blanche-before-it@rubicon-hoyle",
    "to-score.announced-alone-with-several-opponents@four-handed-h2g2",
    "settlement.unequal-brisques-with-six-decks@eight-deck-h2g2",
    "carte-rouge.three-quatorzes@piquet-saunt-parlett+ten-for-the-last",
    "three-hands.sevens-before-three-tricks@three-handed-h2g2+three-tricks-first",
    "trick-points.deal-six-each@piquet-saunt-parlett+ten-for-the-last",
    "three-hands.packets-go-round@three-handed-h2g2+three-tricks-first",
    "three-hands.highest-of-three-cuts@three-handed-h2g2+three-tricks-first",
    "seven.which-the-loser-may-exchange@three-handed-h2g2",
    "nought.sixieme@piquet-saunt-parlett+nought",
    "blank.younger-too-late@piquet-saunt-parlett+ten-for-the-last",
)
_TIME: Final = "2026-01-01T00:00:00Z"
_SPARE: Final = b'{"type":"error","seq":1,"reason":"no line"}'


def prepare(suite: Suite, _folder: Path) -> Read:
    """Return the function that runs one check against an adapter that writes these lines."""
    checks = {name: suite.index.checks[name] for name in VARIANTS}
    claims_all = {
        "type": "ready",
        "protocol": PROTOCOL,
        "name": "any",
        "version": "1",
        "language": "any",
        "rulesets": sorted(suite.rules.names),
        "claims": sorted(suite.capabilities.everything),
        "position": "any",
    }

    def read(given: Input) -> None:
        check = checks.get(given.variant, checks[VARIANTS[0]])
        _run_and_report(suite, check, claims_all, given.content.split(b"\n"))

    return read


def _run_and_report(suite: Suite, check: Check, ready: Any, lines: Sequence[bytes]) -> None:
    """Run a check: the first line is the introduction, or empty for one that claims everything; then come responses."""
    introduction, *responses = lines
    waiting: Iterator[bytes] = iter(responses)

    def respond(message: dict[str, Any]) -> Any:
        if message["type"] == "hello":
            return decode(introduction) if introduction else ready
        return decode(next(waiting, _SPARE))

    recorded: list[bytes] = []
    teller = recorded_words(suite, ["hoyle", "check"], [])
    recorder = Recorder(suite, recorded.append, teller=teller, clock=lambda: _TIME)
    try:
        done = run(suite, InProcess(Wire(suite.schemas, suite.version), respond), [check], recorder=recorder)
    except ProtocolError:  # it does not introduce itself
        return
    assert [each.reason for each in done.results if each.code == OWN_FAULT] == []
    record = record_of(b"".join(recorded), "run.jsonl")
    assert [each.check for each in record.results] == [check.id]
    for line in summary_lines(record):
        assert_printable(line)
