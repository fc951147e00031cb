"""The record of an engine: a run in short, which a project can keep, and from which the site's page of engines is made.

It has counts by topic, the causes of failures, and of each failure what was expected and observed.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

from hoyle_conformance.files.diagnostics import Diagnostic, Invalid, shown_path
from hoyle_conformance.files.read import read_text
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.files.strict_json import read_json
from hoyle_conformance.reports.load_record import sanitize_all
from hoyle_conformance.reports.record import Checked, NamesCheck, Record
from hoyle_conformance.reports.summary import NOTHING, Count, count
from hoyle_conformance.runner.results import FAILED, Status
from hoyle_conformance.wording.failure_view import RuleAtWork
from hoyle_reference.frozen import frozen

_SCHEMA: Final = "engine"
#: The longest text that is stored of what an engine reported.
_LONGEST: Final = 300  # characters
_LARGEST: Final = 5_000_000  # bytes
#: The name of a file without its ending, which is also that of the engine's page.
_ID: Final = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")
_RENAME: Final = "Name the file after the engine and its version: my-engine-1.0.json."
_ANEW: Final = "Write the file again with 'hoyle report RECORD --engine FILE'."
_FAILED: Final = FAILED | {Status.EXPECTED_FAILURE}


# ---- to write


def engine_record(record: Record) -> str:
    """Return a run in short, as JSON that changes line by line."""
    of = record.implementation
    data = {
        "type": _SCHEMA,
        "name": of.name,
        "version": of.version,
        "language": of.language,
        "suite": {"version": record.suite, "digest": record.digest},
        "hoyle": record.hoyle,
        "date": record.started.partition("T")[0],
        **({"broken": record.broken} if record.broken else {}),
        "rulesets": _rulesets(record),
        "causes": [
            _cause(each.says, len(each.checks), each.rule)
            for each in record.causes
            if record.by_check[each.checks[0]].status in _FAILED
        ],
        "failures": {each.check: _failure(each) for each in record.results if each.status in _FAILED},
    }
    return written(data)


def written(data: Mapping[str, Any]) -> str:
    """Return JSON in which each ruleset, cause and failure is on a line of its own, so that changes can be read."""
    line = partial(json.dumps, ensure_ascii=False)
    rows = []
    for key, value in data.items():
        many = [f"{line(name)}: {line(each)}" for name, each in value.items()] if isinstance(value, dict) else []
        many = [line(each) for each in value] if isinstance(value, list) else many
        begin, end = ("[", "]") if isinstance(value, list) else ("{", "}")
        listed = ",\n".join(f"    {each}" for each in many)
        rows.append(f"  {line(key)}: " + (f"{begin}\n{listed}\n  {end}" if many else line(value)))
    return "{\n" + ",\n".join(rows) + "\n}\n"


def _rulesets(record: Record) -> Mapping[str, Any]:
    """Return the counts of each ruleset that is claimed and that something was sent of, topic by topic."""
    found = {}
    for name, results in record.claimed.items():
        topics: dict[str, list[Checked]] = {}
        for each in results:
            topics.setdefault(each.topic, []).append(each)
        counts = {topic: count(topics[topic]) for topic in sorted(topics)}
        if any(each.asked for each in counts.values()):
            known = record.rulesets[name]
            said = {topic: _counted(each) for topic, each in counts.items()}
            found[name] = {"title": known.title, "game": known.game, "topics": said}
    return found


def _counted(of: Count) -> Mapping[str, int]:
    return {"passed": of.passed, "failed": of.failed + of.known, "not_sent": of.not_asked}


def _cause(says: str, checks: int, rule: RuleAtWork | None) -> Mapping[str, Any]:
    of = {"rule": {"says": rule.says, "cell": rule.cell, "ruleset": rule.ruleset}} if rule else {}
    return {"says": _cut(says), "checks": checks, **of}


def _failure(of: Checked) -> Mapping[str, str]:
    """Return what was expected and observed; where nothing could be compared, the reason."""
    view = of.failure
    compared = view and (view.expected or view.observed)
    words = {"expected": view.expected, "observed": view.observed} if view and compared else {"reason": of.reason}
    return {"title": of.title, **{key: _cut(said) for key, said in words.items() if said}}


def _cut(words: str) -> str:
    """Return words on one line, of at most `_LONGEST` characters."""
    line = " ".join(words.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


# ---- to read


@frozen
class TestedRuleset:
    """A ruleset that an engine was checked against: its title, its game, and the count of each topic."""

    title: str
    game: str
    topics: Mapping[str, Count]

    @property
    def total(self) -> Count:
        """The count of all topics."""
        return sum(self.topics.values(), NOTHING)


@frozen
class KnownCause:
    """What went wrong in words, how many checks fail for it, and the rule that it breaks, if one explains it."""

    says: str
    checks: int
    rule: RuleAtWork | None


@frozen
class ShortFailure(NamesCheck):
    """A check that failed, by its id and title, with what was expected and observed, or the reason."""

    check: str
    title: str
    expected: str
    observed: str
    reason: str


@dataclass(frozen=True)
class EngineRecord:
    """The record of an engine, as it is read, by the `id` of its file.

    `group` is ``example`` or ``faulty``, or empty for an engine of someone else; `about` is a sentence about it, and
    `broken` the reason why the run was not whole, if it was not.
    """

    id: str
    group: str
    name: str
    version: str
    language: str
    about: str
    suite: str
    digest: str
    hoyle: str
    date: str
    broken: str
    rulesets: Mapping[str, TestedRuleset]
    causes: Sequence[KnownCause]
    failures: Sequence[ShortFailure]

    @property
    def title(self) -> str:
        """Its name and version, on one line."""
        return " ".join(f"{self.name} {self.version}".split())

    @cached_property
    def total(self) -> Count:
        """The count of all checks."""
        return sum((each.total for each in self.rulesets.values()), NOTHING)

    @cached_property
    def nearest(self) -> Sequence[str]:
        """The rulesets of whose checks the largest share passed, with all their options; often one, and none if nothing
        ran."""
        totals: dict[str, Count] = {}
        for name, each in self.rulesets.items():
            base = name.partition("+")[0]
            totals[base] = totals.get(base, NOTHING) + each.total
        shares = {name: _share(total) for name, total in totals.items()}
        return [name for name, share in shares.items() if share == max(shares.values())]

    @cached_property
    def broken_rules(self) -> Sequence[str]:
        """The cells of the rules that causes name, each once."""
        return list(dict.fromkeys(each.rule.cell for each in self.causes if each.rule))

    @cached_property
    def unexplained(self) -> Sequence[KnownCause]:
        """The causes that no rule explains."""
        return [each for each in self.causes if not each.rule]


def _share(of: Count) -> Fraction:
    return Fraction(of.passed, of.asked or 1)


def _engine(id_: str, data: Mapping[str, Any]) -> EngineRecord:
    return EngineRecord(
        id_,
        **{key: data.get(key, "") for key in ("group", "about", "broken")},
        **{key: data[key] for key in ("name", "version", "language", "hoyle", "date")},
        suite=data["suite"]["version"],
        digest=data["suite"]["digest"],
        rulesets={name: _tested(each) for name, each in data["rulesets"].items()},
        causes=[_known(each) for each in data["causes"]],
        failures=[_short(check, each) for check, each in data["failures"].items()],
    )


def _tested(data: Mapping[str, Any]) -> TestedRuleset:
    topics = {
        topic: Count(passed=of["passed"], failed=of["failed"], not_asked=of["not_sent"])
        for topic, of in data["topics"].items()
    }
    return TestedRuleset(data["title"], data["game"], topics)


def _known(data: Mapping[str, Any]) -> KnownCause:
    return KnownCause(data["says"], data["checks"], RuleAtWork(**data["rule"]) if "rule" in data else None)


def _short(check: str, data: Mapping[str, Any]) -> ShortFailure:
    return ShortFailure(check, data["title"], *(data.get(key, "") for key in ("expected", "observed", "reason")))


def read_engine(schemas: Schemas, path: Path) -> EngineRecord:
    """Read the record of an engine; raises Invalid, with the remedy, where it is none or its file is badly named."""
    file = shown_path(path)
    if not _ID.fullmatch(path.stem):
        raise _wrong(file, "the name of the file has other characters than a-z, 0-9, '.' and '-'", _RENAME)
    try:
        data = sanitize_all(read_json(read_text(path, file, what="record of an engine", largest=_LARGEST)))
    except ValueError as error:
        raise _wrong(file, str(error)) from error
    if complaint := schemas.complaint(_SCHEMA, data, "the file"):
        raise _wrong(file, complaint)
    return _engine(path.stem, data)


def read_engines(schemas: Schemas, folder: Path) -> Iterator[EngineRecord]:
    """Yield the records of a folder, in order of their names; none where there is no folder."""
    for path in sorted(folder.glob("*.json")):
        yield read_engine(schemas, path)


def _wrong(file: str, why: str, remedy: str = _ANEW) -> Invalid:
    return Invalid([Diagnostic(file, 1, 1, "engine", why, remedy)])
