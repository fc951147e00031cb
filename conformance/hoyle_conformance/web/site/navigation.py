"""Navigation: the tabs at the top of every page, and the pages of each."""

from dataclasses import dataclass
from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.rulebook.compose import folder as folder  # noqa: PLC0414 -- for all pages


@dataclass(frozen=True, slots=True)
class NavItem:
    """A page of a tab: its title there, and its path."""

    title: str
    path: str


@dataclass(frozen=True, slots=True)
class NavTab:
    """A tab: its title, its start page, and its pages."""

    title: str
    path: str
    pages: tuple[NavItem, ...] = ()


TABLE: Final = NavTab("The table", "table.html")
POSITIONS: Final = NavTab("Positions", "scenarios/index.html")
SOURCES: Final = NavTab("Sources", "sources/index.html")
TEST: Final = NavTab(
    "Test an engine",
    "start.html",
    (
        NavItem("Get started", "start.html"),
        NavItem("Check", "check.html"),
        NavItem("In your project", "project.html"),
        NavItem("JSON output", "json.html"),
        NavItem("In CI", "ci.html"),
        NavItem("Reports", "reports.html"),
        NavItem("Side by side", "side-by-side.html"),
        NavItem("Engines", "engines/index.html"),
        NavItem("What to claim", "claims.html"),
        NavItem("Identify the rules", "identify.html"),
        NavItem("Random games", "fuzz.html"),
        NavItem("Transcripts", "transcripts.html"),
        NavItem("House rules", "house-rules.html"),
        NavItem("Read the rules", "read.html"),
        NavItem("Python library", "library.html"),
        NavItem("Library reference", "library-reference.html"),
        NavItem("Text notation", "notation.html"),
        NavItem("Protocol", "protocol.html"),
        NavItem("Protocol reference", "protocol-reference.html"),
        NavItem("Census", "census.html"),
    ),
)
SPECIFICATION: Final = NavTab(
    "Specification",
    "specification.html",
    (
        NavItem("How to read it", "specification.html"),
        NavItem("Semantics", "semantics.html"),
        NavItem("Bézique", "semantics-bezique.html"),
        NavItem("Piquet", "semantics-piquet.html"),
        NavItem("Penalties", "semantics-penalties.html"),
        NavItem("Reading lists", "reading-lists.html"),
        NavItem("Index", "semantics-index.html"),
    ),
)
CONTRIBUTE: Final = NavTab(
    "Contribute",
    "contributing.html",
    (
        NavItem("How to contribute", "contributing.html"),
        NavItem("Scenario files", "scenario-files.html"),
        NavItem("Add a source", "add-a-source.html"),
        NavItem("Architecture", "architecture.html"),
        NavItem("Maintaining", "maintaining.html"),
        NavItem("Glossary", "glossary.html"),
        NavItem("Editor support", "editors.html"),
        NavItem("Changes", "changelog.html"),
        NavItem("Security", "security.html"),
        NavItem("Decisions", "decisions/index.html"),
    ),
)


def tabs(suite: Suite) -> tuple[NavTab, ...]:
    """Return all tabs: one for each game, then the others."""
    return (*(_game(game) for game in suite.rules.games), TABLE, POSITIONS, SOURCES, TEST, SPECIFICATION, CONTRIBUTE)


def _game(game: str) -> NavTab:
    pages = {
        "Rules by book": "index",
        "Learn": "learn",
        "Differences": "differences",
        "Open questions": "open",
        "When something goes wrong": "irregularities",
        "Terms": "terms",
    }
    own = folder(game)
    return NavTab(
        game, f"{own}/index.html", tuple(NavItem(title, f"{own}/{page}.html") for title, page in pages.items())
    )


def tab_of(path: str, among: tuple[NavTab, ...]) -> str:
    """Return the title of the tab of a page that does not name one itself; "" if it has none."""
    for tab in among:
        if path == tab.path or any(item.path == path for item in tab.pages):
            return tab.title
    folder_of, _, rest = path.rpartition("/")
    return next((tab.title for tab in among if folder_of and rest and tab.path.startswith(f"{folder_of}/")), "")
