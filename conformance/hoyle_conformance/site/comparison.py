"""The page on which all rulesets stand side by side, with the rules that differ marked."""

from collections.abc import Iterator, Sequence

from ..report.comparison import NOTHING, Line, compared
from ..report.rulebook import Entry
from ..suite.value import Suite
from . import disputes
from .page import Page, clause_anchor, href
from .text import text

HERE = "rulesets/comparison.md"


def page(suite: Suite) -> Page:
    """Every rule of every game, a row each; those that are the same in all its rulesets can be left out."""
    return Page(HERE, "\n".join(_page(suite)))


def _page(suite: Suite) -> Iterator[str]:
    yield "---"
    yield "hide: [navigation, toc]"
    yield "---"
    yield ""
    yield "# The rulesets side by side"
    yield ""
    yield "Each game has a table, with a column for each of its rulesets. `hoyle compare` prints any two."
    yield ""
    yield '<div><input type="checkbox" id="differences"> <label for="differences">Differences only</label>'
    for game, rulesets in suite.games.items():
        yield from _game(suite, game, [ruleset.id for ruleset in rulesets])
    yield "</div>"
    yield ""


def _game(suite: Suite, game: str, names: Sequence[str]) -> Iterator[str]:
    """The table of one game."""
    lines = list(compared(suite, names))
    differ = sum(line.differs for line in lines)
    yield f"<h2>{text(game)}</h2>"
    yield f"<p>Of {len(lines)} rules {differ} are not the same in all of these rulesets; they are marked ≠.</p>"
    yield '<hoyle-comparison><div class="comparison"><table><thead><tr><th scope="col">rule</th>'
    for name in names:
        title = text(suite.rulesets[name].title)
        yield f'<th scope="col"><a href="{href(f"rulesets/{name}.md", HERE)}">{title}</a></th>'
    yield "</tr></thead>"
    chapter = ""
    for line in lines:
        if line.chapter != chapter:
            chapter = line.chapter
            same = "" if any(each.differs for each in lines if each.chapter == chapter) else ' class="same"'
            span = f'class="chapter" scope="rowgroup" colspan="{len(names) + 1}"'
            yield f"<tr{same}><th {span}>{text(chapter)}</th></tr>"
        yield from _row(line)
    yield "</table></div></hoyle-comparison>"


def _row(line: Line) -> Iterator[str]:
    heading = text(line.title)
    if any(entry and entry.readings for entry in line.entries):
        heading = f'<a href="{href(disputes.path_of(line.path), HERE)}">{heading}</a>'
    kind = "differs" if line.differs else "same"
    yield f'<tr class="{kind}"><th scope="row">{heading}</th>'
    yield from (f"<td>{_cell(line, entry)}</td>" for entry in line.entries)
    yield "</tr>"


def _cell(line: Line, entry: Entry | None) -> str:
    if entry is None:
        return NOTHING
    cell = entry.cell
    status = "" if cell.status == "stated" else f' <span class="status {cell.status}">{cell.status}</span>'
    clauses = " ".join(clause_anchor(clause, HERE) for clause in cell.cites)
    return f'{text(line.says(entry))}{status}<br><span class="cites">{clauses}</span>'
