"""Pages of irregularities: the ruling of each book of a game when something goes wrong."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final, TypeVar

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import dispute_pages as disputes
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.comparison import heading
from hoyle_conformance.wording.rulebook_entries import Agreement, Entry

#: The former page of all irregularities; its address is permanent.
HERE: Final = "irregularities.md"
_ROWS: Final = "referee.irregularities"
_LEAD: Final = (
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
    """Yield the short page that leads to the games, and one page a game."""
    title, kind = "When something goes wrong", "irregularities"
    about = "Penalties: the ruling of every book on a revoke, a misdeal, a card drawn out of turn."
    ways = [(path_of(game), f"When something goes wrong in {game}", "") for game in suite.rules.games]
    yield links.page("ways", suite, HERE, title=title, about=about, kind=kind, lead=_LEAD, ways=ways)
    for game in suite.rules.games:
        yield links.page(
            "irregularities",
            suite,
            path_of(game),
            title=f"{game}: when something goes wrong",
            about=f"Penalties in {game}: the ruling of every book on a revoke, a misdeal, a card drawn out of turn.",
            kind=kind,
            tab=game,
            lead=_LEAD,
            parts=parted(_rows(suite, game)),
            without=partial(_without, links.in_order(suite, game)),
            heading=lambda row: heading(list(row.values())),
            agreements=rulebook.group_entries,
            conditions=_conditions,
            doubts=_doubts,
            rows=_ROWS,
            question=disputes.path_of,
        )


def path_of(game: str) -> str:
    """Return the address of a game's irregularities."""
    return f"{folder(game)}/irregularities.html"


def parted(known: Mapping[str, T]) -> dict[str, dict[str, T]]:
    """Return values by irregularity, grouped by the part of the game in which each happens; irregularities of no part
    come last."""
    named = {name for part in PARTS.values() for name in part.split()}
    others = {"Other irregularities": " ".join(name for name in known if name not in named)}
    every = {**PARTS, **others}.items()
    found = {part: {name: known[name] for name in names.split() if name in known} for part, names in every}
    return {part: some for part, some in found.items() if some}


def _rows(suite: Suite, game: str) -> dict[str, Row]:
    """Return every irregularity of a game, with the entries of its tables."""
    names = links.in_order(suite, game)
    paths = dict.fromkeys(cell.path for name in names for cell in suite.rules.cells(name).rows(_ROWS))
    entries = {path: {name: rulebook.entry_at(suite, name, path) for name in names} for path in paths}
    return {
        path.removeprefix(f"{_ROWS}."): {name: entry for name, entry in having.items() if entry}
        for path, having in entries.items()
    }


def _without(names: Sequence[str], rows: Iterable[Row]) -> list[str]:
    """Return the tables that have no rule on any of these irregularities."""
    having = {name for row in rows for name in row}
    return [name for name in names if name not in having]


def _conditions(row: Row, group: Agreement) -> str:
    """Return the conditions of a ruling if those of the tables differ."""
    return " ".join(rulebook.titles(group)) if len({entry.heading for entry in row.values()}) > 1 else ""


def _doubts(group: Agreement) -> Iterator[tuple[str, str, bool]]:
    """Yield each grade of a ruling with its reason, and whether it is an open question, with its other
    readings."""
    for status, because, readings in rulebook.doubts(group):
        word, _, where = status.partition(" ")
        others = "".join(f" Or: {reading.sentence}" for reading in readings)
        yield word, (f"{where}: " if where else "") + because + others, bool(readings)
