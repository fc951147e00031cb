"""The page on what follows when something goes wrong: every irregularity, and what each ruleset rules on it."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from ..report import remedies
from ..report.alike import Agreement, doubts, entry_at, grouped, meaning, titles
from ..report.comparison import heading
from ..report.rulebook import Entry, Reading
from ..suite.value import Suite
from .page import Page, clause_anchor, href
from .text import text

HERE: Final = "irregularities.md"
_ROWS: Final = "referee.irregularities"

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

#: What each ruleset says of an irregularity; those that are silent are not there.
Row = Mapping[str, Entry]


def pages(suite: Suite) -> Iterator[Page]:
    """A table for each part of the game: a row an irregularity, a column for rulesets that rule alike in all of it."""
    yield Page(HERE, "\n".join(_page(suite)))


def _page(suite: Suite) -> Iterator[str]:
    rows = _rows(suite)
    yield "---"
    yield "hide: [navigation, toc]"
    yield "---"
    yield ""
    yield "# When something goes wrong"
    yield ""
    yield "A revoke, a wrong deal, a card drawn out of turn: what each ruleset says of it, who chooses, and until when"
    yield "it may be claimed. Rulesets that rule alike stand together. `hoyle rule revoke` prints one of these rows"
    yield "with its options, `hoyle rule rubicon-hoyle revoke` with the clauses in words."
    yield ""
    named = {name for part in PARTS.values() for name in part.split()}
    others = {"Other irregularities": " ".join(name for name in rows if name not in named)}
    for part, names in {**PARTS, **others}.items():
        if some := {name: rows[name] for name in names.split() if name in rows}:
            yield f"## {part}"
            yield ""
            yield from _part(suite, part, some)
            yield ""


def _rows(suite: Suite) -> dict[str, Row]:
    """Every irregularity, with what each ruleset says of it."""
    paths = dict.fromkeys(cell.path for name in suite.rulesets for cell in suite.cells(name).rows(_ROWS))
    entries = {path: {name: entry_at(suite, name, path) for name in suite.rulesets} for path in paths}
    return {
        path.removeprefix(f"{_ROWS}."): {name: entry for name, entry in having.items() if entry}
        for path, having in entries.items()
    }


def _part(suite: Suite, part: str, rows: Mapping[str, Row]) -> Iterator[str]:
    columns = _columns(suite, rows)
    speak = {name for column in columns for name in column}
    silent = [_ruleset(suite, name) for name in suite.rulesets if name not in speak]
    if silent:
        yield f"<p>Silent on all of this: {'; '.join(silent)}.</p>"
    label = f'role="region" aria-label="{text(part)}" tabindex="0"'
    yield f'<div class="comparison rulings" {label}><table><thead><tr><th scope="col">irregularity</th>'
    for column in columns:
        yield f'<th scope="col">{"<br>".join(_ruleset(suite, name) for name in column)}</th>'
    yield "</tr></thead><tbody>"
    for name, row in rows.items():
        yield f'<tr><th scope="row" id="{text(name)}">{text(heading(list(row.values())))}</th>'
        for column in columns:
            yield _cell(suite, row, column)
        yield "</tr>"
    yield "</tbody></table></div>"


def _columns(suite: Suite, rows: Mapping[str, Row]) -> list[list[str]]:
    """The rulesets that speak of some of these, those in one column that rule alike on all."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for name in suite.rulesets:
        rules = tuple(meaning(row[name]) if name in row else "" for row in rows.values())
        if any(rules):
            alike.setdefault(rules, []).append(name)
    return list(alike.values())


def _cell(suite: Suite, row: Row, column: Sequence[str]) -> str:
    """What the rulesets of a column rule. On narrow screens, where columns become blocks, it names them."""
    of = f'data-of="{text("; ".join(suite.title(name) for name in column))}"'
    having = {name: row[name] for name in column if name in row}
    if not having:
        return f'<td class="silent" {of}>silent</td>'
    (group,) = grouped(having)
    return f"<td {of}>{''.join(f'<p>{each}</p>' for each in _ruling(row, group))}</td>"


def _ruling(row: Row, group: Agreement) -> Iterator[str]:
    value = group.entry.cell.value
    if len({entry.heading for entry in row.values()}) > 1:
        yield f"<em>{text(' '.join(titles(group)))}</em>"
    yield text(str(value["ruling"]))
    who = remedies.chosen_by(value)
    about = f"{who}. {remedies.deadline(value)}" if who else remedies.deadline(value)
    yield f'<span class="until">{text(about)}</span>'
    for doubt in doubts(group):
        yield _doubt(*doubt)
    yield f'<span class="cites">{" ".join(clause_anchor(clause, HERE) for clause in group.cites)}</span>'


def _doubt(status: str, because: str, readings: Sequence[Reading]) -> str:
    word, _, where = status.partition(" ")
    others = "".join(f" Or: {reading.sentence}" for reading in readings)
    return f'<span class="status {word}">{word}</span> {text(f"{where}: " * bool(where) + because + others)}'


def _ruleset(suite: Suite, name: str) -> str:
    return f'<a href="{href(f"rulesets/{name}.md", HERE)}">{text(suite.title(name))}</a>'
