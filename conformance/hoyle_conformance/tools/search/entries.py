"""The entries of the search: rules, combinations and irregularities of the tables, clauses of the sources, positions.

`QUERIES` has, for a rule, phrases by which players look for it, if neither its text nor its clauses have them. They
count like a title, and a query that is one of them finds the rule first.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_reference import Cell, Cells
from hoyle_reference.frozen import frozen

QUERIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        # Bézique
        "cards.rank_while_drawing": "order of the cards | does the ten beat the king",
        "deal.seven_turned_up": "dealer turns up a seven",
        "deal.packets": "how many cards each | how to deal",
        "deal.next_dealer": "whose deal",
        "declare.declared_cards": "play a card from the table",
        "declare.laid": "put cards on the table | face up",
        "declare.melds.common-marriage": "marriage in a plain suit",
        "declare.melds.four-knaves": "four jacks",
        "declare.melds.royal-marriage": "marriage in trumps | trump marriage",
        "declare.new_card": "all the cards have scored already",
        "declare.old_couple": "the very same king and queen again",
        "declare.other_kind": "king from a marriage in four kings | use a queen again in bézique",
        "declare.same_kind": "does a queen marry twice | marry again | second marriage with the same queen",
        "declare.higher_after_lower": "sequence after a marriage | add to a marriage | add to a bézique",
        "declare.lower_after_higher": "marriage out of a sequence | marriage from cards of a sequence",
        "declare.scored_per_trick": "two combinations at once | declare two things after one trick",
        "declare.to_score": "to score | kept to score | keep for a later trick",
        "declare.tricks_won_first": "declare before winning a trick",
        "declare.until": "declare after the stock is gone | last declaration",
        "declare.when": "when may I declare | declare before drawing",
        "draw.turn_up": "who gets the turn-up",
        "draw.first": "who draws first",
        "score.brisques.in_the_last_tricks": "aces and tens in the last eight tricks",
        "score.brisques.when": "count aces and tens | when do tens count",
        "seven.may": "swap the seven | rob the turn-up | take the turn-up",
        "seven.after_being_shown": "exchange a seven already shown",
        "seven.second.points": "two sevens of trumps | other seven of trumps",
        "seven.with_a_declaration": "exchange the seven and declare | seven and a marriage",
        "tricks.identical_cards_won_by": "same card played twice | two equal cards in one trick",
        "tricks.while_drawing.follow_suit": "must I follow suit",
        "tricks.without_drawing.follow_suit": "last eight tricks follow suit",
        "tricks.without_drawing.win": "must I beat the card led | must I win the trick",
        # both games
        "settle.equal_scores": "draw | tie | both have the same score",
        "settle.target": "one thousand | how many points to win | what do we play to",
        "settle.winner": "both pass 1000 | both reach the target in one deal",
        "settle.under_the_rubicon": "beaten below the rubicon | what does a rubiconed loser pay",
        "tricks.first_lead": "who leads first | who plays first",
        "score.last_trick.points": "last trick",
        "score.capot.points": "win all the tricks",
        # Piquet
        "blank.points": "no court cards | hand without court cards | carte blanche at piquet",
        "classes.after_good": "another sequence after good | better one than was called",
        "classes.equal": "equal point | both have the same point | equal tierces | not good and not bad",
        "classes.point.best": "whose point is good",
        "classes.replies": "good, not good, equal | what younger answers",
        "classes.sinking": "hide a combination | not declare a quatorze | sink a card",
        "classes.winner_scores": "second tierce scores too | trio context a quatorze",
        "classes.younger_scores": "when does younger count",
        "reckoning.order": "which counts first | order of counting",
        "reckoning.pique.by": "younger makes a pique | younger pique | pique by the dealer",
        "reckoning.pique.counts": "thirty in the play",
        "reckoning.repique.at": "thirty before the other scores | thirty in hand",
        "reckoning.repique.barred_by": "younger's repique | equal point and repique | does an equality save",
        "reckoning.repique.points": "sixty before the other scores | sixty extra | ninety",
        "score.cards.for": "cards divided | six tricks each | most tricks",
        "talon.elder.least": "elder takes no cards | must elder exchange",
        "talon.peep": "elder leaves cards | elder takes fewer than five | look at cards left",
        "talon.untaken": "younger leaves cards | cards left in the talon",
        "talon.younger.most": "how many may younger exchange | younger takes more than three",
    }
)

#: The list of irregularities in a table.
_IRREGULARITIES: Final = "referee.irregularities."
#: The lists whose rows have words of their own.
_NAMED_LISTS: Final = ("referee.irregularities", "declare.melds", "classes.combinations")


def queries_for(path: str) -> tuple[str, ...]:
    """Return the phrases by which players look for a rule."""
    return tuple(phrase.strip() for phrase in QUERIES[path].split("|")) if path in QUERIES else ()


class EntryKind(StrEnum):
    """The kind of an entry."""

    TERM = "term"
    RULE = "rule"
    COMBINATION = "combination"
    IRREGULARITY = "irregularity"
    QUESTION = "question"
    CLAUSE = "clause"
    DOCUMENT = "document"
    POSITION = "position"


@frozen
class SearchEntry:
    """Something that can be found: its kind and id, its title (the text of a clause), further text, related words,
    its rulesets, the command (on the site, the address) that shows more, and other names."""

    kind: EntryKind
    id: str
    title: str
    says: str
    context: str
    rulesets: tuple[str, ...]
    next: str
    names: tuple[str, ...] = ()


def search_entries(suite: Suite, ruleset: str = "") -> list[SearchEntry]:
    """Return all entries of a suite, or those of one ruleset."""
    return [*_table_entries(suite, ruleset), *_clause_entries(suite, ruleset), *position_entries(suite, ruleset)]


def _table_entries(suite: Suite, ruleset: str) -> Iterator[SearchEntry]:
    """Yield the cells of the tables, once for all rulesets with the same text in the same cell."""
    cells_by_text: dict[tuple[EntryKind, str, str, str], dict[str, Cell]] = {}
    for name in [ruleset] if ruleset else suite.rules.names:
        for cell, title, says in _cells(suite, suite.rules.of(name).cells):
            cells_by_text.setdefault((_kind(cell), cell.path, title, says), {})[name] = cell
    for (kind, path, title, says), having in cells_by_text.items():
        first = next(iter(having))
        cites = " ".join(dict.fromkeys(clause for cell in having.values() for clause in cell.cites))
        yield SearchEntry(kind, path, title, says, cites, tuple(having), f"hoyle rules {first} --cells", names_of(path))


def names_of(path: str) -> tuple[str, ...]:
    """Return the names of a rule in queries; for a combination or an irregularity also its word."""
    *lists, word = path.split(".")
    own = (word.replace("-", " "),) if ".".join(lists) in _NAMED_LISTS else ()
    return (*own, *queries_for(path))


def _cells(suite: Suite, cells: Cells) -> Iterator[tuple[Cell, str, str]]:
    """Yield each cell of a table with its title and its sentence."""
    for chapter in rulebook.chapters(suite, cells):
        for entry in chapter.entries:
            yield entry.cell, _title(entry), entry.sentence


def _title(entry: rulebook.Entry) -> str:
    """Return the heading of an entry; of a rule, with the heading of its group, if that is another."""
    if isinstance(entry.cell.value, Mapping) or entry.group in {"", entry.heading}:
        return entry.heading
    return f"{entry.group}: {entry.heading}"


def _kind(cell: Cell) -> EntryKind:
    if cell.path.startswith(_IRREGULARITIES):
        return EntryKind.IRREGULARITY
    return EntryKind.COMBINATION if isinstance(cell.value, Mapping) else EntryKind.RULE


def _clause_entries(suite: Suite, ruleset: str) -> Iterator[SearchEntry]:
    """Yield every clause; or those that a ruleset cites, and those of its sources that no ruleset cites."""
    tables = {name: suite.rules.of(name).cells for name in suite.rules.names}
    cited = {name: cells.clauses(cell.path for cell in cells) for name, cells in tables.items()}
    anywhere = frozenset().union(*cited.values())
    sources = suite.rulesets[ruleset.partition("+")[0]].sources if ruleset else ()
    for source in suite.sources.values():
        for clause in source.clauses:
            own = not ruleset or clause.id in cited[ruleset] or (source.id in sources and clause.id not in anywhere)
            if own:
                rulesets = tuple(name for name, clauses in cited.items() if clause.id in clauses)
                context = f"{clause.kind} {clause.where} {source.title}"
                yield SearchEntry(
                    EntryKind.CLAUSE,
                    clause.id,
                    clause.says,
                    "",
                    context,
                    rulesets,
                    f"hoyle suite list --clause {clause.id}",
                )


def position_entries(suite: Suite, ruleset: str = "") -> Iterator[SearchEntry]:
    """Yield the positions of a suite, or those of one ruleset."""
    rulesets: dict[tuple[str, str], list[str]] = {}
    for heading in suite.index.headings.values():
        rulesets.setdefault((heading.scenario, heading.title), []).append(heading.ruleset)
    for (scenario, title), having in rulesets.items():
        if not ruleset or ruleset in having:
            check = f"{scenario}@{ruleset}" if ruleset else scenario
            yield SearchEntry(
                EntryKind.POSITION, scenario, title, "", " ".join(having), tuple(having), f"hoyle explain {check}"
            )
