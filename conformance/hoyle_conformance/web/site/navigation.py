"""The way in: the doors at the top of every page, and the rooms behind each."""

from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording.rulebook.compose import folder
from hoyle_reference.frozen import frozen

__all__ = [
    "CONTRIBUTE",
    "POSITIONS",
    "SOURCES",
    "SPECIFICATION",
    "TABLE",
    "TEST",
    "NavItem",
    "NavTab",
    "door_of",
    "doors",
    "folder",
]


@frozen
class NavItem:
    """A page behind a door: its title there, and its path."""

    title: str
    path: str


@frozen
class NavTab:
    """One of the doors: its title, the page that it opens on, and the rooms behind it."""

    title: str
    path: str
    rooms: tuple[NavItem, ...] = ()


TABLE: Final = NavTab("The table", "table.html")
POSITIONS: Final = NavTab("Positions", "scenarios/index.html")
SOURCES: Final = NavTab("Sources", "sources/index.html")
TEST: Final = NavTab(
    "Test an engine",
    "start.html",
    (
        NavItem("Begin", "start.html"),
        NavItem("Check", "check.html"),
        NavItem("In CI", "ci.html"),
        NavItem("Reports", "reports.html"),
        NavItem("Side by side", "side-by-side.html"),
        NavItem("What to claim", "claims.html"),
        NavItem("Which rules?", "identify.html"),
        NavItem("House rules", "house-rules.html"),
        NavItem("Read the rules", "read.html"),
        NavItem("Protocol", "protocol.html"),
        NavItem("Reference", "protocol-reference.html"),
        NavItem("Census", "census.html"),
        NavItem("How good is the suite?", "adequacy.html"),
    ),
)
SPECIFICATION: Final = NavTab(
    "Spec",
    "specification.html",
    (
        NavItem("How to read it", "specification.html"),
        NavItem("Semantics", "semantics.html"),
        NavItem("Bézique", "semantics-bezique.html"),
        NavItem("Piquet", "semantics-piquet.html"),
        NavItem("Penalties", "semantics-penalties.html"),
        NavItem("Vocabulary", "vocabulary.html"),
    ),
)
CONTRIBUTE: Final = NavTab(
    "Contribute",
    "contributing.html",
    (
        NavItem("How to", "contributing.html"),
        NavItem("Scenario files", "scenario-files.html"),
        NavItem("Add a source", "add-a-source.html"),
        NavItem("Architecture", "architecture.html"),
        NavItem("Maintaining", "maintaining.html"),
        NavItem("Glossary", "glossary.html"),
        NavItem("In your editor", "editors.html"),
        NavItem("Changes", "changelog.html"),
        NavItem("Decisions", "decisions/index.html"),
    ),
)


def doors(suite: Suite) -> tuple[NavTab, ...]:
    """All doors: one for each game, then the others."""
    return (*(_game(game) for game in suite.rules.games), TABLE, POSITIONS, SOURCES, TEST, SPECIFICATION, CONTRIBUTE)


def _game(game: str) -> NavTab:
    rooms = {
        "Rules by book": "index",
        "Learn": "learn",
        "Differences": "differences",
        "Open questions": "open",
        "When something goes wrong": "irregularities",
        "Terms": "terms",
    }
    own = folder(game)
    return NavTab(
        game, f"{own}/index.html", tuple(NavItem(title, f"{own}/{page}.html") for title, page in rooms.items())
    )


def door_of(path: str, among: tuple[NavTab, ...]) -> str:
    """The title of the door behind which a page lies that does not say so itself; nothing where there is none."""
    for door in among:
        if path == door.path or any(room.path == path for room in door.rooms):
            return door.title
    folder_of, _, rest = path.rpartition("/")
    return next((door.title for door in among if folder_of and rest and door.path.startswith(f"{folder_of}/")), "")
