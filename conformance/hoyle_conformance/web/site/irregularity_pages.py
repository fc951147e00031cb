"""The pages on what follows when something goes wrong: every irregularity, and what each book of a game rules on it."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeVar

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import book_links as books
from hoyle_conformance.web.site import dispute_pages as disputes
from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording import rulings
from hoyle_conformance.wording.agreement import Agreement, doubts, entry_at, group_entries, titles
from hoyle_conformance.wording.comparison import heading
from hoyle_conformance.wording.html import NOTHING, Markup, drawn, joined, tag
from hoyle_conformance.wording.rulebook_entries import Entry, ReadingEntry

#: The page that held all of them, which is an address that stays.
HERE: Final = "irregularities.md"
_ROWS: Final = "referee.irregularities"
_ABOUT: Final = (
    "Find what has happened. Under it stands what each book rules, who chooses, and until when it may be claimed. A "
    "book that is not named there says nothing of it: agree on the ruling of another before you play on."
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

#: What each ruleset says of an irregularity; those that are silent are not there.
Row = Mapping[str, Entry]


def pages(suite: Suite) -> Iterator[Page]:
    """One page a game, and the short one that leads to them."""
    yield _overview(suite)
    for game in suite.rules.games:
        yield _game(suite, game)


def path_of(game: str) -> str:
    """Where the irregularities of a game stand."""
    return f"{folder(game)}/irregularities.html"


def _overview(suite: Suite) -> Page:
    games = [
        tag("li", links.a(f"When something goes wrong at {game}", path_of(game), HERE)) for game in suite.rules.games
    ]
    body = joined([tag("h1", "When something goes wrong"), tag("p", _ABOUT), tag("ul", *games)])
    about = "What follows a revoke, a wrong deal, a card drawn out of turn: the rulings of every book."
    return Page(HERE, body=body, title="When something goes wrong", about=about, kind="irregularities")


def _game(suite: Suite, game: str) -> Page:
    here, title = path_of(game), f"{game}: when something goes wrong"
    found = parts(suite, game)
    contents = [
        tag("li", links.a(part, f"#{_anchor(part)}", here), " ", tag("span", str(len(rows))))
        for part, rows in found.items()
    ]
    body = joined(
        [
            tag("h1", title),
            tag("p", _ABOUT),
            tag("nav", tag("ul", *contents), class_="contents", aria_label="Parts of the game"),
            *(_part(suite, game, part, rows) for part, rows in found.items()),
        ]
    )
    about = f"What follows at {game} when something is done wrong: what each book rules, who chooses, and until when."
    path = here.replace(".html", ".md")
    return Page(path, body=body, title=title, about=about, kind="irregularities", tab=game)


def parts(suite: Suite, game: str) -> dict[str, dict[str, Row]]:
    """The irregularities of a game by the parts of it in which they happen, each with what every table says."""
    return parted(_rows(suite, books.in_order(suite, game)))


def parted(known: Mapping[str, T]) -> dict[str, dict[str, T]]:
    """What is known of irregularities, by their words, in the parts of a game in which they happen; those that no part
    names come last."""
    named = {name for part in PARTS.values() for name in part.split()}
    others = {"Other irregularities": " ".join(name for name in known if name not in named)}
    every = {**PARTS, **others}.items()
    found = {part: {name: known[name] for name in names.split() if name in known} for part, names in every}
    return {part: some for part, some in found.items() if some}


def _rows(suite: Suite, names: Sequence[str]) -> dict[str, Row]:
    """Every irregularity, with what each of these tables says of it."""
    paths = dict.fromkeys(cell.path for name in names for cell in suite.rules.cells(name).rows(_ROWS))
    entries = {path: {name: entry_at(suite, name, path) for name in names} for path in paths}
    return {
        path.removeprefix(f"{_ROWS}."): {name: entry for name, entry in having.items() if entry}
        for path, having in entries.items()
    }


def _anchor(part: str) -> str:
    return "-".join(part.lower().split())


def _part(suite: Suite, game: str, part: str, rows: Mapping[str, Row]) -> Markup:
    here = path_of(game)
    speak = {name for row in rows.values() for name in row}
    silent = [name for name in books.in_order(suite, game) if name not in speak]
    said = tag("p", "Silent on all of this: ", books.listed(suite, silent, here), ".", class_="small") if silent else ""
    blocks = (_irregularity(suite, name, row, here) for name, row in rows.items())
    return tag("section", tag("h2", part, id=_anchor(part)), said, *blocks)


def _irregularity(suite: Suite, name: str, row: Row, here: str) -> Markup:
    """A block: what has happened, and what each book rules; its short id is an address too."""
    path = f"{_ROWS}.{name}"
    title = heading(list(row.values()))
    pilcrow = links.a("¶", f"#{path}", here, class_="anchor", aria_label=f"Link to: {title}")
    inside = [tag("h3", tag("span", id=name), drawn(title), " ", pilcrow)]
    inside += [tag("dl", *(_ruling(suite, path, row, group, here) for group in group_entries(row)))]
    return tag("article", *inside, class_="irregularity", id=path)


def _ruling(suite: Suite, path: str, row: Row, group: Agreement, here: str) -> Markup:
    value = group.entry.cell.value
    differ = len({entry.heading for entry in row.values()}) > 1
    what = tag("p", tag("em", links.linked(suite, " ".join(titles(group)), here))) if differ else NOTHING
    who = rulings.who_chooses(value)
    until = f"{who}. {rulings.deadline(value)}" if who else rulings.deadline(value)
    said = [what, tag("p", drawn(str(value["ruling"])), class_="says"), tag("p", until)]
    said += [_doubt(suite, path, doubt, here) for doubt in doubts(group)]
    places = joined(_places(suite, group.cites, here), "; ")
    names = books.listed(suite, list(group.entries), here, path)
    return joined([tag("dt", names), tag("dd", *said, tag("p", places, class_="small"))])


def _places(suite: Suite, cites: Sequence[str], here: str) -> list[Markup]:
    shown = {links.place(suite, suite.clauses[each]): each for each in reversed(cites)}
    return [links.clause_a(suite, shown[place], here) for place in reversed(shown)]


def _doubt(suite: Suite, path: str, doubt: tuple[str, str, Sequence[ReadingEntry]], here: str) -> Markup:
    """How certain a ruling is, and why; of an open question how it could be read, and the way to it."""
    status, because, readings = doubt
    word, _, where = status.partition(" ")
    grade = tag("span", "open" if readings else word, class_=f"status {word}")
    others = "".join(f" Or: {reading.sentence}" for reading in readings)
    words = links.linked(suite, f"{where}: " * bool(where) + because + others, here)
    leads = links.a("The open question", disputes.path_of(path), here) if readings else NOTHING
    return tag("p", grade, " ", words, " ", leads, class_="doubt")
