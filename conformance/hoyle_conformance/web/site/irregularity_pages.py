"""Pages of irregularities: the ruling of each book of a game when something goes wrong."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeVar

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import dispute_pages as disputes
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.links import Way, fill
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.comparison import heading
from hoyle_conformance.wording.rulebook_entries import Agreement, Entry, ReadingEntry

#: The former page of all irregularities; its address is permanent.
HERE: Final = "irregularities.md"
_ROWS: Final = "referee.irregularities"
_ABOUT: Final = (
    "Find what has happened, and read the ruling of each book below it. A book that is not listed has no ruling: agree "
    "on another book's before you play on."
)

#: The parts of the page, and the irregularities in each, in the order of a game.
PARTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "The cut and the deal": (
            "shuffled-below-the-table showed-two-in-cutting cut-from-an-incorrect-pack small-cut exposed-in-cutting "
            "misdeal too-few-dealt too-many-dealt too-many-dealt-to-another too-many-dealt-to-the-dealer "
            "exposed-in-dealing dealer-exposed-own-card faced-card-in-the-pack"
        ),
        "Drawing": (
            "drew-out-of-turn no-card-drawn winner-drew-two loser-drew-two saw-several faced-card-in-the-stock"
        ),
        "The number of cards": (
            "too-many-cards too-few-cards both-too-many-cards both-too-few-cards too-many-against-too-few"
        ),
        "Playing": (
            "revoke led-out-of-turn led-out-of-turn-at-three-or-four card-led-is-taken-up card-played-is-taken-up "
            "played-several-cards card-exposed card-exposed-at-three-or-four dropped-a-card tricks-left-open "
            "counted-brisques"
        ),
        "Declaring and scoring": "scored-no-combination score-mismarked",
        "Packs and bystanders": "incorrect-pack cards-on-the-floor fresh-cards torn-cards bystander-speaks",
    }
)

T = TypeVar("T")

#: The entry of each ruleset on an irregularity; rulesets without a rule on it are left out.
Row = Mapping[str, Entry]


def pages(suite: Suite) -> Iterator[Page]:
    """Yield one page a game, and the short page that leads to them."""
    yield _overview(suite)
    for game in suite.rules.games:
        yield _game(suite, game)


def path_of(game: str) -> str:
    """Return the address of a game's irregularities."""
    return f"{folder(game)}/irregularities.html"


def _overview(suite: Suite) -> Page:
    title = "When something goes wrong"
    about = "Penalties: the ruling of every book on a revoke, a misdeal, a card drawn out of turn."
    ways = [Way(path_of(game), f"When something goes wrong in {game}") for game in suite.rules.games]
    body = fill("ways", suite, HERE, title=title, about=_ABOUT, ways=ways)
    return Page(HERE, body=body, title=title, about=about, kind="irregularities")


def parts(suite: Suite, game: str) -> dict[str, dict[str, Row]]:
    """Return the irregularities of a game by the part in which they happen, each with the entries of tables."""
    return parted(_rows(suite, links.in_order(suite, game)))


def parted(known: Mapping[str, T]) -> dict[str, dict[str, T]]:
    """Return values by irregularity, grouped by the part of the game in which each happens; irregularities of no part
    come last."""
    named = {name for part in PARTS.values() for name in part.split()}
    others = {"Other irregularities": " ".join(name for name in known if name not in named)}
    every = {**PARTS, **others}.items()
    found = {part: {name: known[name] for name in names.split() if name in known} for part, names in every}
    return {part: some for part, some in found.items() if some}


def _rows(suite: Suite, names: Sequence[str]) -> dict[str, Row]:
    """Return every irregularity, with the entries of these tables."""
    paths = dict.fromkeys(cell.path for name in names for cell in suite.rules.cells(name).rows(_ROWS))
    entries = {path: {name: rulebook.entry_at(suite, name, path) for name in names} for path in paths}
    return {
        path.removeprefix(f"{_ROWS}."): {name: entry for name, entry in having.items() if entry}
        for path, having in entries.items()
    }


# ---- page of a game


@dataclass(frozen=True, slots=True)
class RulingDoubt:
    """A doubt about a ruling: its grade, the reason, and the page of the open question if it is one."""

    grade: str
    status: str
    because: str
    question: str


@dataclass(frozen=True, slots=True)
class BookRuling:
    """A ruling that some books share: the tables, its conditions if these differ, the ruling, the doubts, and the
    clauses behind it."""

    books: tuple[str, ...]
    when: str
    ruling: str
    doubts: tuple[RulingDoubt, ...]
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IrregularityBlock:
    """An irregularity: its word, path and title, with the rulings on it."""

    word: str
    path: str
    title: str
    rulings: tuple[BookRuling, ...]


@dataclass(frozen=True, slots=True)
class IrregularityPart:
    """A part of the game with its irregularities, and the tables that have no rule on any of them."""

    anchor: str
    title: str
    silent: tuple[str, ...]
    irregularities: tuple[IrregularityBlock, ...]


def _game(suite: Suite, game: str) -> Page:
    here, title = path_of(game), f"{game}: when something goes wrong"
    shown = [_part(suite, game, part, rows) for part, rows in parts(suite, game).items()]
    body = fill("irregularities", suite, here, title=title, about=_ABOUT, parts=shown)
    about = f"Penalties in {game}: the ruling of every book on a revoke, a misdeal, a card drawn out of turn."
    path = here.replace(".html", ".md")
    return Page(path, body=body, title=title, about=about, kind="irregularities", tab=game)


def _part(suite: Suite, game: str, part: str, rows: Mapping[str, Row]) -> IrregularityPart:
    speak = {name for row in rows.values() for name in row}
    silent = tuple(name for name in links.in_order(suite, game) if name not in speak)
    blocks = tuple(_block(suite, name, row) for name, row in rows.items())
    return IrregularityPart("-".join(part.lower().split()), part, silent, blocks)


def _block(suite: Suite, word: str, row: Row) -> IrregularityBlock:
    path = f"{_ROWS}.{word}"
    rulings = tuple(_ruling(suite, path, row, group) for group in rulebook.group_entries(row))
    return IrregularityBlock(word, path, heading(list(row.values())), rulings)


def _ruling(suite: Suite, path: str, row: Row, group: Agreement) -> BookRuling:
    value = group.entry.cell.value
    differ = len({entry.heading for entry in row.values()}) > 1
    return BookRuling(
        tuple(group.entries),
        " ".join(rulebook.titles(group)) if differ else "",
        str(value["ruling"]),
        tuple(_doubt(path, *doubt) for doubt in rulebook.doubts(group)),
        links.one_a_place(suite, group.cites),
    )


def _doubt(path: str, status: str, because: str, readings: Sequence[ReadingEntry]) -> RulingDoubt:
    """Return the certainty of a ruling and its reason; for an open question, its readings and its page."""
    word, _, where = status.partition(" ")
    others = "".join(f" Or: {reading.sentence}" for reading in readings)
    said = (f"{where}: " if where else "") + because + others
    return RulingDoubt("open" if readings else word, word, said, disputes.path_of(path) if readings else "")
