"""Compare rulesets rule by rule, and print the comparison."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_conformance.wording.rulings import can_occur, is_irregularity

NOTHING = "—"


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One rule in each of several rulesets, under its chapter and heading; the entry is None if a ruleset has no such
    rule."""

    path: str
    chapter: str
    group: str
    heading: str
    entries: tuple[rulebook.Entry | None, ...]

    @property
    def title(self) -> str:
        """The heading of the rule, preceded by that of its group unless the rule is about an irregularity."""
        irregular = any(entry and is_irregularity(entry.cell.value) for entry in self.entries)
        return self.heading if irregular or not self.group else f"{self.group}: {self.heading}"

    @property
    def differs(self) -> bool:
        """Whether the rulesets have different rules."""
        return len({entry and self.says(entry) for entry in self.entries}) > 1

    def says(self, entry: rulebook.Entry) -> str:
        """Return the rule of a ruleset as a sentence; for an irregularity, with its title if that differs from the
        heading."""
        irregular = is_irregularity(entry.cell.value) and entry.heading != self.heading
        return f"{entry.heading}. {entry.sentence}" if irregular else entry.sentence


def compare_rules(suite: Suite, rulesets: Sequence[str]) -> Iterator[ComparisonRow]:
    """Yield every rule of these rulesets in the order of the rule book, without irregularities that cannot occur in any
    of their games."""
    players = {suite.rules.cells(name)["players.number"].value for name in rulesets}
    books = [rulebook.chapters(suite, suite.rules.cells(name)) for name in rulesets]
    titles = dict.fromkeys(chapter.title for book in books for chapter in book)
    for title in titles:
        columns = [
            {entry.cell.path: entry for chapter in book if chapter.title == title for entry in chapter.entries}
            for book in books
        ]
        for path in _in_order([list(column) for column in columns]):
            entries = tuple(column.get(path) for column in columns)
            having = [entry for entry in entries if entry]
            if any(can_occur(having[0].cell.value, number) for number in players):
                yield ComparisonRow(path, title, having[0].group, heading(having), entries)


def heading(entries: Sequence[rulebook.Entry]) -> str:
    """Return the heading of a rule in several rulesets.

    It is the heading in the first ruleset; for an irregularity with different titles, it is the word for the
    irregularity.
    """
    row = entries[0].cell.value
    if is_irregularity(row) and len({entry.heading for entry in entries}) > 1:
        return str(row["id"]).replace("-", " ").capitalize()
    return entries[0].heading


def _in_order(columns: Sequence[Sequence[str]]) -> list[str]:
    """Return all paths of several columns: those of the first, and each other path after its neighbour in its own
    column."""
    order: list[str] = []
    for column in columns:
        at = 0
        for path in column:
            if path in order:
                at = order.index(path) + 1
            else:
                order.insert(at, path)
                at += 1
    return order


def print_comparison(
    console: Console, suite: Suite, rulesets: Sequence[str], *, differences: bool, only: Collection[str] = ()
) -> None:
    """Print the rules of several rulesets side by side, with their clauses. `differences` leaves out equal rules, and
    `only` selects chapters by name."""
    lines = [line for line in compare_rules(suite, rulesets) if not only or line.path.partition(".")[0] in only]
    console.print(_table(rulesets, show_header=True), "", highlight=False)
    for chapter, of_chapter in groupby(lines, key=lambda line: line.chapter):
        wanted = [line for line in of_chapter if line.differs or not differences]
        if wanted:
            console.print(f"[bold]{escape(chapter.upper())}[/]\n", highlight=False)
            console.print(_chapter(rulesets, wanted), "", highlight=False)
    differ = sum(line.differs for line in lines)
    console.print(f"{differ} of {len(lines)} rules differ.", highlight=False)


def _table(rulesets: Sequence[str], *, show_header: bool) -> Table:
    drawn = Table(box=None, pad_edge=False, padding=(0, 3, 1, 0), expand=True, show_header=show_header)
    drawn.add_column("", width=1, no_wrap=True)
    drawn.add_column("rule", ratio=2, overflow="fold")
    for name in rulesets:
        drawn.add_column(escape(name), ratio=5, overflow="fold")
    return drawn


def _chapter(rulesets: Sequence[str], lines: Sequence[ComparisonRow]) -> Table:
    drawn = _table(rulesets, show_header=False)
    for line in lines:
        mark = "[bold yellow]≠[/]" if line.differs else ""
        drawn.add_row(mark, escape(line.title), *(_entry(line, entry) for entry in line.entries))
    return drawn


def _entry(line: ComparisonRow, entry: rulebook.Entry | None) -> str:
    if entry is None:
        return NOTHING
    status = "" if entry.cell.status == "stated" else entry.cell.status
    grounds = ": ".join(filter(None, (status, ", ".join(entry.cell.cites))))
    return f"{escape(line.says(entry))}\n[dim]{grounds}[/]"
