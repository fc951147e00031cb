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
    "Door",
    "Room",
    "door_of",
    "doors",
    "folder",
]


@frozen
class Room:
    """A page behind a door: its title there, and its path."""

    title: str
    path: str


@frozen
class Door:
    """One of the doors: its title, the page that it opens on, and the rooms behind it."""

    title: str
    path: str
    rooms: tuple[Room, ...] = ()


TABLE: Final = Door("The table", "table.html")
POSITIONS: Final = Door("Positions", "scenarios/index.html")
SOURCES: Final = Door("Sources", "sources/index.html")
TEST: Final = Door(
    "Test an engine",
    "start.html",
    (
        Room("Begin", "start.html"),
        Room("Check", "check.html"),
        Room("In CI", "ci.html"),
        Room("Reports", "reports.html"),
        Room("Side by side", "side-by-side.html"),
        Room("What to claim", "claims.html"),
        Room("Which rules?", "identify.html"),
        Room("Protocol", "protocol.html"),
        Room("Reference", "protocol-reference.html"),
        Room("Census", "census.html"),
        Room("How good is the suite?", "adequacy.html"),
    ),
)
SPECIFICATION: Final = Door(
    "Specification",
    "specification.html",
    (
        Room("How to read it", "specification.html"),
        Room("Semantics", "semantics.html"),
        Room("Bézique", "semantics-bezique.html"),
        Room("Piquet", "semantics-piquet.html"),
        Room("Penalties", "semantics-penalties.html"),
        Room("Vocabulary", "vocabulary.html"),
    ),
)
CONTRIBUTE: Final = Door(
    "Contribute",
    "contributing.html",
    (
        Room("How to", "contributing.html"),
        Room("In your editor", "editors.html"),
        Room("Changes", "changelog.html"),
        Room("Decisions", "decisions/index.html"),
    ),
)


def doors(suite: Suite) -> tuple[Door, ...]:
    """All doors: one for each game, then the others."""
    return (*(_game(game) for game in suite.games), TABLE, POSITIONS, SOURCES, TEST, SPECIFICATION, CONTRIBUTE)


def _game(game: str) -> Door:
    rooms = {
        "Rules by book": "index",
        "Learn": "learn",
        "Differences": "differences",
        "Open questions": "open",
        "When something goes wrong": "irregularities",
        "Terms": "terms",
    }
    own = folder(game)
    return Door(game, f"{own}/index.html", tuple(Room(title, f"{own}/{page}.html") for title, page in rooms.items()))


def door_of(path: str, among: tuple[Door, ...]) -> str:
    """The title of the door behind which a page lies that does not say so itself; nothing where there is none."""
    for door in among:
        if path == door.path or any(room.path == path for room in door.rooms):
            return door.title
    folder_of, _, rest = path.rpartition("/")
    return next((door.title for door in among if folder_of and rest and door.path.startswith(f"{folder_of}/")), "")
