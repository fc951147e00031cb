"""The pages of the disputes: each rule that a source leaves open, with what every ruleset says of it, and why."""

from collections.abc import Iterator

from ..report.comparison import Line, compared
from ..report.rulebook import Entry
from ..suite.value import Suite
from . import scenarios
from .page import Page, clause_link, link, scenario_link
from .rulesets import certainty
from .text import code, text

OVERVIEW = "disputes.md"


def pages(suite: Suite) -> Iterator[Page]:
    """One page a dispute, and one that lists them."""
    disputes = [line for line in compared(suite, list(suite.rulesets)) if any(e and e.readings for e in line.entries)]
    yield _overview(suite, disputes)
    for line in disputes:
        yield _dispute(suite, line)


def path_of(cell: str) -> str:
    """Where the page of a disputed cell lies."""
    return f"disputes/{cell.replace('.', '-')}.md"


def _overview(suite: Suite, disputes: list[Line]) -> Page:
    lines = [
        "# Where sources do not decide",
        "",
        "A source can be silent, damaged, or say two things. The readings are recorded side by side.",
        "Each can be executed, and an implementation may follow any of them; the report of a check says which.",
        "",
        "| the question | open in | settled in |",
        "|---|---|---|",
    ]
    for line in disputes:
        named = _concerned(suite, line)
        open_in = [code(name) for name, entry in named if entry and entry.readings]
        decided = [code(name) for name, entry in named if entry and not entry.readings]
        title = link(line.title, path_of(line.path), OVERVIEW)
        lines.append(f"| {title} | {', '.join(open_in)} | {', '.join(decided)} |")
    return Page(OVERVIEW, "\n".join([*lines, ""]))


def _concerned(suite: Suite, line: Line) -> list[tuple[str, Entry | None]]:
    """The rulesets of the games in which a rule is disputed, with what each says of it."""
    named = dict(zip(suite.rulesets, line.entries, strict=True))
    games = {suite.rulesets[name].game for name, entry in named.items() if entry and entry.readings}
    return [(name, entry) for name, entry in named.items() if suite.rulesets[name].game in games]


def _dispute(suite: Suite, line: Line) -> Page:
    here = path_of(line.path)
    lines = [
        f"# {text(line.title)}",
        "",
        f"{code(line.path)} · {link('all disputes', OVERVIEW, here)}",
        "",
    ]
    concerned = _concerned(suite, line)
    for name, entry in sorted(concerned, key=lambda each: not (each[1] and each[1].readings)):
        if entry:
            lines += [f"## {link(suite.rulesets[name].title, f'rulesets/{name}.md', here)}", ""]
            lines += _says(entry, here)
    elsewhere = [
        link(suite.rulesets[name].title, f"rulesets/{name}.md", here) for name, entry in concerned if not entry
    ]
    if elsewhere:
        lines += [f"The question does not arise in: {'; '.join(elsewhere)}.", ""]
    found = [each for each in scenarios.disputed(suite) if any(line.path in reading.cells for reading in each.readings)]
    lines += ["## Positions that turn on it", "", *(f"- {scenario_link(each, here)}" for each in found), ""]
    return Page(here, "\n".join(lines))


def _says(entry: Entry, here: str) -> Iterator[str]:
    if not entry.readings:
        yield text(entry.sentence)
        yield ""
    yield from certainty(entry)
    yield f'<span class="cites">{" ".join(clause_link(clause, here) for clause in entry.cell.cites)}</span>'
    yield ""
