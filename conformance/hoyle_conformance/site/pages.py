"""All the generated pages of the site."""

from collections.abc import Iterator
from pathlib import Path

from ..report import rulebook
from ..suite.load import Suite
from . import rulesets, scenarios, sources, vocabulary
from .page import Page, clause_link, scenario_link

#: Documents of the project that the site shows too: where they lie, and where they go.
DOCUMENTS = (
    ("spec/PROTOCOL.md", "protocol.md"),
    ("CONTRIBUTING.md", "contributing.md"),
    ("CHANGELOG.md", "changelog.md"),
)


def pages(suite: Suite) -> Iterator[Page]:
    """Every page that is made from the suite, and the project's documents."""
    yield from rulesets.pages(suite)
    yield from sources.pages(suite)
    yield from scenarios.pages(suite)
    yield disputes(suite)
    yield vocabulary.page(suite)
    yield from documents(suite.root.parent)


def documents(root: Path) -> Iterator[Page]:
    """The project's own documents, where they are at hand: an installation does not carry them."""
    for source, path in DOCUMENTS:
        if (root / source).is_file():
            yield Page(path, _links_on_the_site((root / source).read_text("utf-8")))


def _links_on_the_site(text: str) -> str:
    """A document's links, turned to where their targets are on the site."""
    for source, path in (*DOCUMENTS, ("docs/decisions/", "decisions/"), ("docs/check.md", "check.md")):
        text = text.replace(f"]({source}", f"]({path}")
    return text


def disputes(suite: Suite) -> Page:
    """Every place where a source can be read in more than one way, with who follows what and why."""
    here = "disputes.md"
    lines = [
        "# Where sources do not decide",
        "",
        "A source can be silent, damaged, or say two things. The readings are recorded side by side.",
        "Each can be executed, and an implementation may follow any of them; the report of a check says which.",
        "",
    ]
    for ruleset in suite.rulesets.values():
        for chapter in rulebook.chapters(suite, suite.rules(ruleset.id).cells):
            for entry in chapter.entries:
                if entry.readings:
                    lines += _dispute(suite, ruleset.title, entry, here)
    return Page(here, "\n".join(lines))


def _dispute(suite: Suite, title: str, entry: rulebook.Entry, here: str) -> Iterator[str]:
    cell = entry.cell
    yield f"## {entry.heading}"
    yield ""
    yield f"*{title}.* {cell.because}"
    yield ""
    for reading in entry.readings:
        mark = ", followed here" if reading.name == cell.follows else ""
        yield f"- **{reading.name}**{mark}: {reading.sentence} {reading.argument}"
    yield ""
    yield "It bears on: " + ", ".join(clause_link(clause, here) for clause in cell.cites)
    yield ""
    for scenario in scenarios.disputed(suite):
        if any(cell.path in reading.cells for reading in scenario.readings):
            yield f"- {scenario_link(scenario, here)}"
    yield ""
