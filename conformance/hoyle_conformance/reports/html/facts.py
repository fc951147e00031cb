"""The facts of a run: who was held against what, when, and how the checks were put."""

import shlex
from collections.abc import Iterator

from hoyle_conformance.reports.record import Record, RecordedAdapter
from hoyle_conformance.wording.html import Markup, joined, tag
from hoyle_conformance.wording.text import plural


def of_the_run(record: Record) -> Markup:
    """The facts, each with its name."""
    pairs = ((tag("dt", name), tag("dd", value)) for name, value in _facts(record))
    return joined([tag("dl", joined(joined(pair) for pair in pairs)), _claims(record.implementation)])


def _facts(record: Record) -> Iterator[tuple[str, str]]:
    yield "Suite", f"{record.suite} ({record.digest[:8]})"
    if record.house:
        yield "House rules", house_rules(record)
    yield "Checks", f"{plural(record.selected, 'check')} chosen, {turned(record)}"
    yield "When", when(record)
    if record.implementation.command:
        yield "Command", tag("code", shlex.join(record.implementation.command))


def house_rules(record: Record) -> str:
    """The house rules that were joined to the suite, by their names."""
    return f"{record.house['id']}, which extends {record.house['extends']}" if record.house else "none"


def turned(record: Record) -> str:
    """How the checks were turned."""
    if record.seed is None:
        return "sent as they are written"
    return f"turned by the seed '{record.seed}'" if record.seed else "turned as usual"


def when(record: Record) -> str:
    """When it began, and when it ended, in universal time."""
    day, _, time = record.started.removesuffix("Z").partition("T")
    until = f" to {record.ended.removesuffix('Z').partition('T')[2]}" if record.ended else ""
    return f"{day}, {time}{until} UTC"


def _claims(of: RecordedAdapter) -> Markup:
    rulesets = tag("p", "Rulesets: ", joined((tag("code", each) for each in sorted(of.rulesets)), ", "))
    claims = tag("p", "What it can do: ", joined((tag("code", each) for each in sorted(of.claims)), ", "))
    return tag("details", tag("summary", "What it claims"), rulesets, claims)
