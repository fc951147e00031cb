"""A compiled suite: JSON texts of its documents and of the values computed from them, and the suite read from them
lazily."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from hoyle_conformance.checks.request import RunRequest
from hoyle_conformance.files.diagnostics import Diagnostic
from hoyle_conformance.files.document import Document
from hoyle_conformance.files.schemas import Lazily, Schemas
from hoyle_conformance.protocol.messages import EncodedMessage
from hoyle_conformance.suite.build import census_from, ruleset_from, scenario_from, source_from
from hoyle_conformance.suite.model import Filed, Heading, Relabelling
from hoyle_conformance.suite.paths import read_lock, read_version, shown
from hoyle_conformance.suite.suite import Suite, clauses_by_check, digest_of, digest_of_filed

T = TypeVar("T")

_SCENARIOS: Final = "scenarios"
#: The fields of a message that name its ruleset; the others may be the same under another.
_OF_THE_RULESET: Final = ("ruleset", "options")


class Compiled(NamedTuple):
    """A suite as JSON texts: one for its rules and, by file name, those of its compiled scenarios and of the data of
    all documents."""

    rules: bytes
    scenarios: Mapping[str, bytes]
    documents: Mapping[str, bytes]


def compiled(suite: Suite) -> Compiled:
    """Return a suite as JSON texts."""
    rules = [
        (kind, name, each) for kind, table in suite.tables.items() if kind != _SCENARIOS for name, each in table.items()
    ]
    in_files = [[kind, name, _within(suite, each), digest_of_filed(each)] for kind, name, each in rules]
    texts = compiled_scenarios(suite)
    documents = {_within(suite, each): _text(each.document.data) for _, _, each in rules}
    return Compiled(_text([suite.at_work_in, in_files]), texts.scenarios, {**documents, **texts.documents})


def compiled_scenarios(suite: Suite) -> Compiled:
    """Return the scenarios of a suite as JSON texts, without its rules.

    Each text has the scenario's id, its digest, the rulesets that inherit its outcomes, and its title. For each of its
    checks, the text has the ruleset, the clauses, and the reading that is followed.
    """
    scenarios, documents = {}, {}
    for each in suite.scenarios.values():
        headings = [check.heading for check in suite.index.checks_of(each)]
        checks = [[heading.ruleset, heading.cites, heading.follows] for heading in headings]
        name = _within(suite, each)
        scenarios[name] = _text([each.id, digest_of_filed(each), each.inherited, each.title, checks])
        documents[name] = _text(each.document.data)
    return Compiled(b"", scenarios, documents)


def file_of(scenario: str) -> str:
    """Return the name, within the spec folder, of the file that a scenario of the suite must have."""
    topic, _, name = scenario.partition(".")
    return f"{_SCENARIOS}/{topic}/{name}.scenario.yaml"


def id_in(text: bytes) -> str:
    """Return the id of the scenario in a compiled text, without parsing the text."""
    return text.split(b'"', 2)[1].decode()


def _within(suite: Suite, filed: Filed) -> str:
    """Return the name of the file of a document within its spec folder."""
    assert filed.document.path is not None, "the documents of a suite lie in files"
    return filed.document.path.relative_to(suite.root).as_posix()


def _text(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def written(suite: Compiled) -> bytes:
    """Return a compiled suite as lines of one text."""
    head = _text([list(suite.scenarios), list(suite.documents)])
    return b"\n".join((head, suite.rules, *suite.scenarios.values(), *suite.documents.values()))


def read(text: bytes) -> Compiled:
    """Return a compiled suite from its text."""
    head, rules, *lines = text.split(b"\n")
    scenarios, documents = json.loads(head)
    at = len(scenarios)
    return Compiled(rules, dict(zip(scenarios, lines[:at], strict=True)), dict(zip(documents, lines[at:], strict=True)))


def suite_from(root: Path, texts: Compiled, left_out: tuple[Diagnostic, ...] = ()) -> Suite:
    """Return the suite in a spec folder from its compiled form; each document is parsed on first use."""
    at_work_in, rules = json.loads(texts.rules)
    scenarios = {name: json.loads(text) for name, text in texts.scenarios.items()}
    in_files = [*rules, *([_SCENARIOS, of[0], name, of[1]] for name, of in scenarios.items())]
    inherited = {of[0]: of[2] for of in scenarios.values() if of[2]}
    called = shown(root, root)

    def table(kind: str, make: Callable[..., T]) -> Lazily[T]:
        at = {id_: name for each, id_, name, _digest in in_files if each == kind}

        def made(id_: str) -> T:
            document = Document(f"{called}/{at[id_]}", json.loads(texts.documents[at[id_]]), root / at[id_])
            return make(document, inherited[id_]) if id_ in inherited else make(document)

        return Lazily(at, made)

    suite = Suite(
        root=root,
        version=read_version(root),
        schemas=Schemas(root / "schemas"),
        sources=table("sources", source_from),
        rulesets=table("rulesets", ruleset_from),
        scenarios=table(_SCENARIOS, scenario_from),
        lock=read_lock(root),
        strays=(),
        censuses=table("census", census_from),
        left_out=left_out,
        at_work_in=at_work_in,
    )
    digests = {kind: {id_: digest for each, id_, _, digest in in_files if each == kind} for kind in suite.tables}
    return suite.preset(digest_of(digests), partial(_headings, scenarios.values(), clauses_by_check(at_work_in)))


def _headings(scenarios: Iterable[Any], also: Mapping[str, tuple[str, ...]]) -> Mapping[str, Heading]:
    """Return the headings of all checks, by id, in the order of the scenarios' ids."""
    found = {}
    for scenario, _, _, title, checks in sorted(scenarios, key=lambda each: each[0]):
        for ruleset, cites, follows in checks:
            name = f"{scenario}@{ruleset}"
            found[name] = Heading(scenario, title, ruleset, tuple(cites), follows, also=also.get(name, ()))
    return found


def written_requests(requests: Mapping[str, RunRequest]) -> bytes:
    """Return the requests of a scenario's checks, by ruleset, as lines of one text.

    The first line numbers the rulesets. Two lines follow for each number: the fields of a request, and its message
    without the ruleset. Rulesets whose requests are otherwise equal share a number.
    """
    numbers: dict[bytes, int] = {}
    of = {ruleset: numbers.setdefault(_shared(each), len(numbers)) for ruleset, each in requests.items()}
    return b"\n".join((_text(of), *numbers))


def _shared(request: RunRequest) -> bytes:
    message = {key: value for key, value in request.message.items() if key not in _OF_THE_RULESET}
    turned = request.turned
    fields = [request.ends, sorted(request.needs), request.seats, turned.seats, turned.suits]
    return _text(fields) + b"\n" + _text(message)


def requests_from(texts: Mapping[str, bytes]) -> Mapping[str, RunRequest]:
    """Return the requests of the checks of some scenarios by check id, from their texts by scenario id; each is parsed
    on first use."""
    lines = {scenario: text.split(b"\n") for scenario, text in texts.items()}
    numbers = {scenario: json.loads(of[0]) for scenario, of in lines.items()}
    parsed = cache(lambda scenario, at: json.loads(lines[scenario][at]))

    def request(name: str) -> RunRequest:
        scenario, _, ruleset = name.partition("@")
        at = 1 + 2 * numbers[scenario][ruleset]
        ends, needs, seats, *turned = parsed(scenario, at)
        message = _message(ruleset, parsed(scenario, at + 1), lines[scenario][at + 1])
        return RunRequest(message, tuple(ends), frozenset(needs), seats, Relabelling(*turned))

    return Lazily((f"{scenario}@{ruleset}" for scenario, of in numbers.items() for ruleset in of), request)


def _message(name: str, shared: Mapping[str, Any], line: bytes) -> Mapping[str, Any]:
    """Return a message for a ruleset from the part that rulesets share; it has its JSON text unless that has escaped
    letters, since letters are sent unescaped."""
    of_the_ruleset, head = _head(name)
    message = {**of_the_ruleset, **shared}
    return message if b"\\u" in line else EncodedMessage(message, head + line[1:])


@cache
def _head(name: str) -> tuple[Mapping[str, Any], bytes]:
    """Return the fields of a message that name its ruleset, and the beginning of its JSON text."""
    ruleset, *options = name.split("+")
    of_the_ruleset = {"ruleset": ruleset, "options": options}
    return of_the_ruleset, json.dumps(of_the_ruleset, separators=(",", ":")).encode()[:-1] + b","
