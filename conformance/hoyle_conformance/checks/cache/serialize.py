"""The format of a cached suite and its requests: values for the lines of a file, and the suite read from them
lazily."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar

from hoyle_conformance.checks.cache.key import Snapshot
from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.lazy import Lazily
from hoyle_conformance.files.schemas import Schemas
from hoyle_conformance.protocol.messages import EncodedMessage
from hoyle_conformance.suite.build import census_from, ruleset_from, scenario_from, source_from
from hoyle_conformance.suite.index import clauses_by_check
from hoyle_conformance.suite.model import Filed, Heading, Relabelling
from hoyle_conformance.suite.paths import read_lock, read_version, shown
from hoyle_conformance.suite.suite import Suite, digest_of_filed, inherited_of

T = TypeVar("T")

#: What a message says of its ruleset; the rest may be the same under another.
_OF_THE_RULESET: Final = ("ruleset", "options")
#: The place of the digest in the line of a document: it is the first value, in quotes, of 64 characters.
_DIGEST: Final = slice(2, 66)


def written_suite(suite: Suite, made_of: Snapshot | None = None) -> Iterator[Any]:
    """Yield a suite as values: first its digest and ids, with the digests of what it was made of, then the headings of
    each scenario's checks, then its documents."""
    tables = suite.tables.values()
    headings = headings_by_scenario(suite)
    checks = [[name, [each.ruleset for each in found]] for name, found in headings.items()]
    yield [suite.digest, checks, suite.at_work_in, *map(list, tables), made_of]
    yield from (written_headings(found) for found in headings.values())
    for table in tables:
        yield from (written_document(suite.root, each) for each in table.values())


def headings_by_scenario(suite: Suite) -> Mapping[str, Sequence[Heading]]:
    """Return the headings of the checks of each scenario that has any."""
    found: dict[str, list[Heading]] = {}
    for heading in suite.index.headings.values():
        found.setdefault(heading.scenario, []).append(heading)
    return found


def written_headings(headings: Sequence[Heading]) -> list[Any]:
    """Return the headings of a scenario's checks as values."""
    return [headings[0].title, [[each.cites, each.follows] for each in headings]]


def written_document(root: Path, filed: Filed) -> list[Any]:
    """Return a document as values: its digest, the name of its file, its data, and the rulesets that inherit outcomes
    of it."""
    return [digest_of_filed(filed), _within(root, filed.document), filed.document.data, inherited_of(filed)]


def digest_in(line: bytes) -> str:
    """Return the digest in the line of a document, which is not parsed."""
    return line[_DIGEST].decode()


def _within(root: Path, document: Document) -> str:
    """Return the path of a document within its spec folder."""
    assert document.path is not None, "the documents of a suite lie in files"
    return document.path.relative_to(root).as_posix()


def suite_from(root: Path, lines: Sequence[bytes], left_out: tuple[Diagnostic, ...] = ()) -> Suite:
    """Return the suite in a spec folder from the lines of its cached form; each document is parsed when first used."""
    digest, checks, at_work_in, *ids, _made_of = json.loads(lines[0])
    sources, rulesets, scenarios, censuses = ids
    documents, called = iter(range(1 + len(checks), len(lines))), shown(root, root)

    def table(names: Sequence[str], make: Callable[..., T]) -> Lazily[T]:
        at = dict(zip(names, documents, strict=False))
        return Lazily(names, lambda name: _made(make, root, called, lines[at[name]]))

    suite = Suite(
        root=root,
        version=read_version(root),
        schemas=Schemas(root / "schemas"),
        sources=table(sources, source_from),
        rulesets=table(rulesets, ruleset_from),
        scenarios=table(scenarios, scenario_from),
        lock=read_lock(root),
        strays=(),
        censuses=table(censuses, census_from),
        left_out=left_out,
        at_work_in=at_work_in,
    )
    return suite.preset(digest, partial(_headings, checks, lines, clauses_by_check(at_work_in)))


def _made(make: Callable[..., T], root: Path, called: str, line: bytes) -> T:
    _digest, within, data, inherited = json.loads(line)
    document = Document(f"{called}/{within}", data, root / within)
    return make(document, inherited) if inherited else make(document)


def _headings(
    checks: Sequence[tuple[str, Sequence[str]]], lines: Sequence[bytes], also: Mapping[str, tuple[str, ...]]
) -> Lazily[Heading]:
    """Return the headings of the checks that these scenarios have under these rulesets; their lines follow the first,
    one for each scenario."""
    at = {scenario: (rulesets, line) for line, (scenario, rulesets) in enumerate(checks, start=1)}
    read = cache(lambda line: json.loads(lines[line]))

    def heading(name: str) -> Heading:
        scenario, _, ruleset = name.partition("@")
        rulesets, line = at[scenario]
        title, of_checks = read(line)
        cites, follows = of_checks[rulesets.index(ruleset)]
        return Heading(scenario, title, ruleset, tuple(cites), follows, also=also.get(name, ()))

    return Lazily((f"{scenario}@{ruleset}" for scenario, rulesets in checks for ruleset in rulesets), heading)


def written_requests(plans: Iterable[RunRequest]) -> Iterator[Any]:
    """Yield the requests of all checks as values.

    The first is a list of numbers, one for each check in the order of the headings. Two values follow for each number:
    the fields of a request, and its message without the ruleset. Checks whose requests differ in the ruleset alone
    share a number.
    """
    numbers: dict[str, int] = {}
    yield [numbers.setdefault(json.dumps(_shared(plan)), len(numbers)) for plan in plans]
    for text in numbers:
        yield from json.loads(text)


def _shared(plan: RunRequest) -> list[Any]:
    message = {key: value for key, value in plan.message.items() if key not in _OF_THE_RULESET}
    return [[plan.ends, sorted(plan.needs), plan.seats, plan.turned.seats, plan.turned.suits], message]


def requests_from(suite: Suite, lines: Sequence[bytes]) -> Mapping[str, RunRequest]:
    """Return the requests of all checks, by id; each is parsed when first used."""
    number = dict(zip(suite.index.headings, json.loads(lines[0]), strict=True))
    read = cache(lambda at: json.loads(lines[at]))

    def plan(name: str) -> RunRequest:
        at = 1 + 2 * number[name]
        ends, needs, seats, *turned = read(at)
        message = _message(suite.index.headings[name].ruleset, read(at + 1), lines[at + 1])
        return RunRequest(message, tuple(ends), frozenset(needs), seats, Relabelling(*turned))

    return Lazily(number, plan)


def _message(name: str, shared: Mapping[str, Any], line: bytes) -> Mapping[str, Any]:
    """Return a message for a ruleset, made of the part that rulesets share; with its JSON text, unless that has escaped
    letters, which are sent as they are."""
    of_the_ruleset, head = _head(name)
    message = {**of_the_ruleset, **shared}
    return message if b"\\u" in line else EncodedMessage(message, head + line[1:])


@cache
def _head(name: str) -> tuple[Mapping[str, Any], bytes]:
    """Return the fields of a message that name its ruleset, and the beginning of its JSON text."""
    ruleset, *options = name.split("+")
    of_the_ruleset = {"ruleset": ruleset, "options": options}
    return of_the_ruleset, json.dumps(of_the_ruleset, separators=(",", ":")).encode()[:-1] + b","
