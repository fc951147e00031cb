"""`check`: run the checks of the suite against an engine in this process, and return the run with its report and
record."""

import os
from collections.abc import Callable, Iterable, Mapping
from io import StringIO
from pathlib import Path
from traceback import extract_tb
from typing import Any, Final, Protocol

from hoyle._errors import EngineError, HoyleError, UnknownNameError
from hoyle._load import House, join_house_rules, shipped_suite
from hoyle_conformance.checks.cache.cached_suite import load_requests
from hoyle_conformance.checks.planner import planner_of
from hoyle_conformance.files.diagnostics import Invalid
from hoyle_conformance.protocol.adapters import InProcess
from hoyle_conformance.protocol.messages import PROTOCOL, ProtocolError, Wire, decode, encode
from hoyle_conformance.reports import FORMATS, render
from hoyle_conformance.reports.failure import recorded_words
from hoyle_conformance.reports.load_record import record_of
from hoyle_conformance.runner import results as harness
from hoyle_conformance.runner.baseline import lines_by_check, read_baseline
from hoyle_conformance.runner.checker import relabelled
from hoyle_conformance.runner.record import IN_PROCESS, Call, Recorder
from hoyle_conformance.runner.run import run
from hoyle_conformance.runner.select import NothingSelected, select
from hoyle_conformance.suite.model import Check
from hoyle_conformance.suite.suite import Suite

_WIDTH: Final = 100
#: The keys of `ready` that an engine may have as attributes.
_OPTIONAL: Final = ("cannot", "position", "score", "draws", "declarations", "declares", "refuses", "lists")


class Engine(Protocol):
    """An engine as an object: the rulesets that it plays, the words that it claims, and its answer to a run.

    It may also have a `name` and a `version`, and the other keys of the message ``ready``.
    """

    @property
    def rulesets(self) -> Iterable[str]:
        """The rulesets that it plays."""

    @property
    def claims(self) -> Iterable[str]:
        """The words that it claims."""

    def run(self, request: dict[str, Any]) -> Any:
        """Return the observations of the steps of a request, one for each."""


#: A function that answers each message of the protocol.
Respond = Callable[[dict[str, Any]], Any]


class Run:
    """A run of checks, with the same report and record as that of `hoyle check`."""

    def __init__(self, suite: Suite, finished: harness.Run, lines: Iterable[bytes]) -> None:
        self._suite, self._run, self._lines = suite, finished, tuple(lines)

    @property
    def ok(self) -> bool:
        """Whether everything was as expected: every check that the engine claims passed, and at least one ran."""
        return self.exit_code == 0

    @property
    def exit_code(self) -> int:
        """The exit code that `hoyle check` would have."""
        return int(self._run.exit)

    @property
    def totals(self) -> Mapping[str, int]:
        """The number of checks with each status: pass, fail, unsupported and so on."""
        return {str(status): count for status, count in sorted(self._run.totals.items())}

    @property
    def results(self) -> Mapping[str, str]:
        """The status of each check, by its id."""
        return {result.check.id: str(result.status) for result in self._run.results}

    @property
    def failures(self) -> tuple[str, ...]:
        """The ids of the checks that failed, or that passed although the baseline expects a failure."""
        return tuple(result.check.id for result in self._run.results if result.status in harness.UNEXPECTED)

    @property
    def record(self) -> str:
        """The record of the run, as `hoyle check --record` writes it: JSON lines, for `hoyle report` and `hoyle
        diff`."""
        return b"".join(self._lines).decode()

    def report(self, kind: str = "text", *, failures: int = 5, verbose: bool = False) -> str:
        """Return a report: ``text`` as on a terminal, with so many causes of failures in full, and `verbose` as with
        ``-v``; or ``junit``, ``markdown``, ``html``, ``endpoint`` or ``engine``, as `hoyle report`
        writes them.

        Raises UnknownNameError for any other kind.
        """
        if kind == "text":
            return self._text(failures, verbose=verbose)
        if kind not in FORMATS:
            remedy = f"The kinds are {', '.join(['text', *FORMATS])}."
            raise UnknownNameError("unknown-report", f"no report '{str(kind)[:40]}'", "", remedy)
        return render(FORMATS[kind][0], record_of(self.record.encode(), "the run"))

    def _text(self, failures: int, *, verbose: bool) -> str:
        from rich.console import Console

        from hoyle_conformance.reports.terminal import print_report

        out = StringIO()
        console = Console(file=out, width=_WIDTH, emoji=False, color_system=None, force_terminal=False)
        print_report(console, self._suite, self._run, again=IN_PROCESS, adapter=(), failures=failures, verbose=verbose)
        return out.getvalue()

    def __str__(self) -> str:
        return self.report()

    def __repr__(self) -> str:
        totals = ", ".join(f"{count} {status}" for status, count in self.totals.items())
        return f"<Run of {self._run.ready.name}: {totals}>"


def check(
    engine: Engine | Respond,
    rulesets: str | Iterable[str] = (),
    *,
    select: str | Iterable[str] = (),
    house: House | None = None,
    baseline: str | os.PathLike[str] | None = None,
    seed: str = "",
) -> Run:
    """Check an engine in this process against the suite, and return the run.

    The engine is a function that answers each message of the protocol, or an object with `rulesets`, `claims` and
    `run(request)`, which returns an observation for each step. It gets copies of the messages. An exception of the
    engine is an error of that check. There is no time limit.

    `rulesets` and `select` select checks, and `house`, `baseline` and `seed` are as the options of
    `hoyle check`: a file of house rules or its content, a file of known failures, another relabelling.

    Raises EngineError if the engine does not introduce itself, UnknownNameError if nothing is selected, and HoyleError
    if a file cannot be used.
    """
    suite = shipped_suite()
    if house is not None:
        rules = join_house_rules(suite, house)
        suite = rules.joined(suite)
        rulesets = rulesets or (rules.ruleset.id,)
    checks = _selected(suite, *map(_words, (select, rulesets)))
    if planner_of(suite).cache_key:
        load_requests(suite, {check.scenario.id for check in checks})
    lines: list[bytes] = []
    recorder = Recorder(suite, lines.append, Call(IN_PROCESS, seed), recorded_words(suite, IN_PROCESS, ()))
    adapter = InProcess(Wire(suite.schemas, suite.version), _responder(engine))
    adapter.command = (_name_of(engine),)
    known = lines_by_check(_baseline(suite, baseline))
    try:
        finished = run(suite, adapter, relabelled(suite, checks, seed), known, recorder)
    except ProtocolError as fault:
        raise EngineError(fault.code, fault.message, _name_of(engine), fault.remedy) from fault
    if finished.interrupted:
        raise KeyboardInterrupt
    return Run(suite, finished, lines)


def _words(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def _selected(suite: Suite, patterns: tuple[str, ...], rulesets: tuple[str, ...]) -> list[Check]:
    """Return the selected checks; raise UnknownNameError if there are none."""
    try:
        return select(suite, patterns, rulesets)
    except NothingSelected as nothing:
        raise UnknownNameError("nothing-selected", str(nothing)) from nothing


def _baseline(suite: Suite, file: str | os.PathLike[str] | None) -> Any:
    """Return the known failures in a file; raise HoyleError if it cannot be used."""
    try:
        return read_baseline(Path(file), suite) if file is not None else ()
    except Invalid as invalid:
        first = invalid.diagnostics[0]
        raise HoyleError(first.code, first.message, first.place, str(first.remedy)) from invalid


def _name_of(engine: object) -> str:
    """Return the name of the class or function of an engine, with its module."""
    named = engine if hasattr(engine, "__qualname__") else type(engine)
    return f"{named.__module__}:{named.__qualname__}"


# ---- messages to and from the engine


def _responder(engine: Engine | Respond) -> Respond:
    """Return the function that answers a copy of each message; raise EngineError if the engine is of neither kind."""
    if isinstance(engine, type):
        raise EngineError("no-engine", "a class is no engine", _name_of(engine), f"Give {engine.__name__}().")
    answers = _as_function(engine) if callable(getattr(engine, "run", None)) else engine
    if not callable(answers):
        remedy = "Give a function that answers messages, or an object with rulesets, claims and run(request)."
        raise EngineError("no-engine", f"{type(engine).__name__} is no engine", "", remedy)

    def respond(message: dict[str, Any]) -> Any:
        try:
            return decode(encode(answers(decode(encode(message)))))
        except Exception as error:
            if message["type"] == "hello":
                remedy = "Give the object lists, rulesets and claims; or answer the message 'hello' with 'ready'."
                raise EngineError("raised", _reason(error), _name_of(engine), remedy) from error
            return {"type": "error", "seq": message["seq"], "reason": _reason(error)}

    return respond


def _as_function(engine: Any) -> Respond:
    """Return the function that answers for an engine object."""

    def respond(message: dict[str, Any]) -> Any:
        if message["type"] == "hello":
            return {
                "type": "ready",
                "protocol": PROTOCOL,
                "name": str(getattr(engine, "name", type(engine).__name__)),
                "version": str(getattr(engine, "version", "0")),
                "language": "Python",
                "rulesets": list(engine.rulesets),
                "claims": list(engine.claims),
                **{key: getattr(engine, key) for key in _OPTIONAL if hasattr(engine, key)},
            }
        seq, observed = message["seq"], engine.run(message)
        if isinstance(observed, Mapping):
            return {"seq": seq, **observed}
        return {"type": "observed", "seq": seq, "steps": list(observed)}

    return respond


def _reason(error: Exception) -> str:
    """Return an exception in one line, with the place in the engine that raised it."""
    last = extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno}, in {last.name})"
