"""Things that can be found: rules, combinations and irregularities of the tables, clauses of the sources, positions."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.search.queries import names
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_reference import Cell, Cells
from hoyle_reference.frozen import frozen

#: The list of irregularities that a table may have.
_IRREGULARITIES: Final = "referee.irregularities."
#: The lists of which each row has a word of its own.
_NAMED: Final = ("referee.irregularities", "declare.melds", "classes.combinations")


class EntryKind(StrEnum):
    """What sort of thing was found."""

    TERM = "term"
    RULE = "rule"
    COMBINATION = "combination"
    IRREGULARITY = "irregularity"
    QUESTION = "question"
    CLAUSE = "clause"
    DOCUMENT = "document"
    POSITION = "position"


@frozen
class Thing:
    """One thing that can be found: its kind and id, its title (of a clause, what it says), what else it says, what
    stands beside it, the rulesets that have it, what shows more of it (a command; on the site an address), and other
    names that it is asked for by."""

    kind: EntryKind
    id: str
    title: str
    says: str
    beside: str
    rulesets: tuple[str, ...]
    next: str
    names: tuple[str, ...] = ()


def things(suite: Suite, ruleset: str = "") -> list[Thing]:
    """All that can be found in a suite, or what of it belongs to one ruleset."""
    return [*_of_tables(suite, ruleset), *_clauses(suite, ruleset), *positions(suite, ruleset)]


def _of_tables(suite: Suite, ruleset: str) -> Iterator[Thing]:
    """What the tables say, once for all rulesets that say the same in the same cell."""
    said: dict[tuple[EntryKind, str, str, str], dict[str, Cell]] = {}
    for name in [ruleset] if ruleset else suite.ruleset_names:
        for cell, title, says in _cells(suite, suite.rules(name).cells):
            said.setdefault((_kind(cell), cell.path, title, says), {})[name] = cell
    for (kind, path, title, says), having in said.items():
        first = next(iter(having))
        cites = " ".join(dict.fromkeys(clause for cell in having.values() for clause in cell.cites))
        yield Thing(kind, path, title, says, cites, tuple(having), f"hoyle rules {first} --cells", known_as(path))


def known_as(path: str) -> tuple[str, ...]:
    """What a rule is asked for by: a combination or an irregularity also by its word."""
    *lists, word = path.split(".")
    own = (word.replace("-", " "),) if ".".join(lists) in _NAMED else ()
    return (*own, *names(path))


def _cells(suite: Suite, cells: Cells) -> Iterator[tuple[Cell, str, str]]:
    """Each cell of a table with its title and what it says."""
    for chapter in rulebook.chapters(suite, cells):
        for entry in chapter.entries:
            yield entry.cell, _title(entry), entry.sentence


def _title(entry: rulebook.Entry) -> str:
    """The heading of an entry; of a rule, with that of its group, if it is another."""
    if isinstance(entry.cell.value, Mapping) or entry.group in {"", entry.heading}:
        return entry.heading
    return f"{entry.group}: {entry.heading}"


def _kind(cell: Cell) -> EntryKind:
    if cell.path.startswith(_IRREGULARITIES):
        return EntryKind.IRREGULARITY
    return EntryKind.COMBINATION if isinstance(cell.value, Mapping) else EntryKind.RULE


def _clauses(suite: Suite, ruleset: str) -> Iterator[Thing]:
    """Every clause; or those that a ruleset rests on, and those of its sources that no ruleset rests on."""
    cited = {name: _cited(suite.rules(name).cells) for name in suite.ruleset_names}
    anywhere = frozenset().union(*cited.values())
    sources = suite.rulesets[ruleset.partition("+")[0]].sources if ruleset else ()
    for source in suite.sources.values():
        for clause in source.clauses:
            own = not ruleset or clause.id in cited[ruleset] or (source.id in sources and clause.id not in anywhere)
            if own:
                rulesets = tuple(name for name, clauses in cited.items() if clause.id in clauses)
                beside = f"{clause.kind} {clause.where} {source.title}"
                yield Thing(
                    EntryKind.CLAUSE,
                    clause.id,
                    clause.says,
                    "",
                    beside,
                    rulesets,
                    f"hoyle suite list --clause {clause.id}",
                )


def _cited(cells: Cells) -> frozenset[str]:
    return cells.clauses(cell.path for cell in cells)


def positions(suite: Suite, ruleset: str = "") -> Iterator[Thing]:
    """The positions of a suite, or those of one ruleset."""
    rulesets: dict[tuple[str, str], list[str]] = {}
    for heading in suite.headings.values():
        rulesets.setdefault((heading.scenario, heading.title), []).append(heading.ruleset)
    for (scenario, title), having in rulesets.items():
        if not ruleset or ruleset in having:
            check = f"{scenario}@{ruleset}" if ruleset else scenario
            yield Thing(
                EntryKind.POSITION, scenario, title, "", " ".join(having), tuple(having), f"hoyle explain {check}"
            )
