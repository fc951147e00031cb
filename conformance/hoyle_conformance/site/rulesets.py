"""The pages of the rulesets: each table as a rule book, and an overview."""

from collections.abc import Iterator

from ..model import Ruleset
from ..report import rulebook
from ..suite.value import Suite
from .page import Page, clause_link, link
from .text import code, text
from .vocabulary import parameter_link


def pages(suite: Suite) -> Iterator[Page]:
    """One page a ruleset, and one that lists them."""
    yield _overview(suite)
    for ruleset in suite.rulesets.values():
        yield _ruleset(suite, ruleset)


def _overview(suite: Suite) -> Page:
    here = "rulesets/index.md"
    lines = [
        "# The rules",
        "",
        "A ruleset is one game as one source gives it: every rule with the statement it comes from.",
        "",
    ]
    for ruleset in (each for rulesets in suite.games.values() for each in rulesets):
        lines += [f"## {link(ruleset.title, f'rulesets/{ruleset.id}.md', here)}", "", text(ruleset.summary), ""]
        if options := suite.options(ruleset.id):
            lines += ["The source offers these options:", ""]
            lines += [f"- {text(title)} ({code(f'{ruleset.id}+{option}')})" for option, title in options.items()]
            lines += [""]
    return Page(here, "\n".join(lines))


def _ruleset(suite: Suite, ruleset: Ruleset) -> Page:
    here = f"rulesets/{ruleset.id}.md"
    rules = suite.rules(ruleset.id)
    checks = sum(check.ruleset.partition("+")[0] == ruleset.id for check in suite.checks.values())
    lines = [
        f"# {text(ruleset.title)}",
        "",
        text(ruleset.summary),
        "",
        f"{code(ruleset.id)} · {checks} checks · "
        + ", ".join(link(suite.sources[source].title, f"sources/{source}.md", here) for source in ruleset.sources),
        "",
    ]
    for chapter in rulebook.chapters(suite, rules.cells):
        lines += [f"## {text(chapter.title)}", ""]
        group = ""
        for entry in chapter.entries:
            if entry.group != group:
                group = entry.group
                lines += [f"### {text(group)}", ""]
            lines += _entry(entry, here)
    if suite.options(ruleset.id):
        lines += ["## Options", ""]
        for option, title in suite.options(ruleset.id).items():
            lines += [f"### {text(title)}", "", code(f"{ruleset.id}+{option}"), ""]
            plain = {each.path: each for each in rules.cells}
            for chapter in rulebook.chapters(suite, suite.rules(f"{ruleset.id}+{option}").cells):
                for entry in chapter.entries:
                    if entry.cell != plain.get(entry.cell.path):
                        lines += _entry(entry, here)
    return Page(here, "\n".join(lines))


def _entry(entry: rulebook.Entry, here: str) -> Iterator[str]:
    """One rule: its sentence, how certain it is, and where it comes from."""
    cell = entry.cell
    yield '<div class="rule" markdown>'
    yield ""
    yield f"**{text(entry.heading)}.** {text(entry.sentence)}"
    yield ""
    yield from certainty(entry)
    grounds = " ".join(clause_link(clause, here) for clause in cell.cites)
    yield f'<span class="cites">{grounds} · cell {parameter_link(cell, here)}</span>'
    yield ""
    yield "</div>"
    yield ""


def certainty(entry: rulebook.Entry) -> Iterator[str]:
    """How certain a rule is, where its source does not simply state it, and its readings."""
    cell = entry.cell
    if cell.status != "stated":
        yield f'<span class="status {cell.status}">{cell.status}</span> {text(cell.because)}'
        yield ""
    for reading in entry.readings:
        mark = "**followed here**" if reading.name == cell.follows else "or"
        yield f"- {mark} ({text(reading.name)}): {text(reading.sentence)} *{text(reading.argument)}*"
    if entry.readings:
        yield ""
