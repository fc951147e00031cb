"""Lists in a rule page: the combinations in a table, with their cards drawn, and what is irregular, part by part."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from hoyle_conformance.web.site import links
from hoyle_conformance.web.site.irregularity_pages import parted
from hoyle_conformance.web.site.page import cards, ranks
from hoyle_conformance.web.site.page_context import PageContext, beside, grounds
from hoyle_conformance.wording import rulings
from hoyle_conformance.wording.html import NOTHING, Markup, joined, tag
from hoyle_conformance.wording.rulebook.compose import Paragraph
from hoyle_conformance.wording.rulebook_entries import Entry, notes
from hoyle_reference.table.cards import RANK_NAMES, RANKS

_SUITS: Final = {"trumps": "of trumps", "plain": "of a plain suit", "any": "of any suits", "one-each": "of four suits"}


def listing(around: PageContext, paragraph: Paragraph) -> Markup:
    """A list of the table: of what is irregular the rulings; of combinations their cards and points."""
    entries = paragraph.entries
    if rulings.is_irregularity(entries[0].cell.value):
        return tag("div", *_irregularities(around, entries), id=around.own(paragraph.id))
    head = tag("tr", *(tag("th", title, scope="col") for title in ("Combination", "Cards", "Points", "Book")))
    rows = (_combination(around, entry) for entry in entries)
    table = tag("table", tag("thead", head), tag("tbody", *rows), class_="combinations")
    own = {"id": around.own(paragraph.id), "aria_label": around.label}
    return tag("div", table, class_="scrolls", tabindex="0", role="region", **own)


def _combination(around: PageContext, entry: Entry) -> Markup:
    row = entry.cell.value
    beside = [tag("span", around.prose(note), class_="note") for note in notes(row)] if "kind" in row else []
    if entry.readings:
        beside.append(tag("a", "open", href=f"#open.{entry.cell.path}", class_="is-open"))
    what = tag("th", entry.heading, " ", links.code_a(around.suite, entry.cell.path, around.here), scope="row")
    points = f"{row['points']:,}" if row["points"] else "—"
    cells = (tag("td", _cards(row), *beside), tag("td", points, class_="number"), tag("td", _places(around, entry)))
    return tag("tr", what, *cells, id=around.own(entry.cell.path))


def _places(around: PageContext, entry: Entry) -> Markup:
    return tag("span", grounds(around, dict.fromkeys(entry.cell.cites)), class_="small")


def _cards(row: Mapping[str, Any]) -> Markup:
    """The cards of a combination: drawn where they are certain ones, as ranks where their suit is told in words."""
    if isinstance(row["cards"], int):
        return tag("span", _called(row))
    if "suits" not in row:
        return cards(row["cards"])
    return joined((tag("span", *ranks(row["cards"]), class_="cards"), " ", _SUITS[row["suits"]]))


def _called(row: Mapping[str, Any]) -> str:
    if "value" in row:
        return f"a void suit, as {row['cards']} cards of the value {row['value']}"
    if "below" in row:
        top = RANK_NAMES[RANKS.index(row["below"])]
        return f"a void suit, as {row['cards']} cards next below those with the {top} on top"
    kind = "in sequence" if row["class"] == "sequence" else "of one rank"
    return f"{row['cards']} cards {kind}"


def _irregularities(around: PageContext, entries: Sequence[Entry]) -> Iterator[Markup]:
    headed = "+" not in around.ruleset and len(entries) > 1
    for part, some in parted({entry.cell.value["id"]: entry for entry in entries}).items():
        yield tag("h3", part) if headed else NOTHING
        yield from (_irregularity(around, entry) for entry in some.values())


def _irregularity(around: PageContext, entry: Entry) -> Markup:
    value = entry.cell.value
    claimed = rulings.who_chooses(value) or any(each["does"] for each in value["remedies"])
    until = rulings.deadline(value) if claimed else ""  # where nothing follows there is nothing to claim
    about = " ".join(filter(None, (_sentence(rulings.who_chooses(value)), until)))
    said = joined(
        [tag("b", f"{entry.heading}. "), around.prose(str(value["ruling"])), " ", tag("span", about, class_="until")]
    )
    code = links.code_a(around.suite, entry.cell.path, around.here)
    return tag("div", tag("p", said, " ", code), beside(around, [entry]), class_="r", id=around.own(entry.cell.path))


def _sentence(words: str) -> str:
    return f"{words}." if words else ""
