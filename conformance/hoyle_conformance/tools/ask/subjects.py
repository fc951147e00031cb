"""The subjects of questions: the rules of the books, each once for all rulesets that have it, and the clauses.

For a rule or a clause, ``subjects.yaml`` has other words that players use for it (`asked`), and the items
that an answer states with it (`with`).
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final

from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.tools.ask import measures as measure
from hoyle_conformance.tools.ask.words import read_data, tokens
from hoyle_conformance.wording import rulebook_entries as rulebook
from hoyle_reference import Cells

#: The path of irregularities, which their names omit.
IRREGULARITIES: Final = "referee.irregularities."
_A_LAW: Final = re.compile(r"law \d+", re.IGNORECASE)


class SubjectKind(StrEnum):
    """The kind of a subject: a clause is `ALONE` if no rule cites it."""

    RULE = "rule"
    IRREGULARITY = "irregularity"
    CLAUSE = "clause"
    ALONE = "clause alone"


@dataclass(frozen=True, slots=True)
class AskedSubject:
    """A subject of questions: a rule by the path of its cell, or a clause by its id. It has names and a text, in
    tokens; the clauses behind it; and the rulesets that have it."""

    kind: SubjectKind
    id: str
    names: tuple[tuple[str, ...], ...]
    text: frozenset[str]
    clauses: tuple[str, ...]
    rulesets: frozenset[str]


def rulesets_of(suite: Suite, game: str) -> list[str]:
    """Return the rulesets of a game, without compiling them, unlike the games of the rule books."""
    return [each.id for each in suite.rulesets.values() if each.game == game]


def options_of(suite: Suite, ruleset: str) -> list[str]:
    """Return a ruleset with each of its options; nothing for one that has an option already."""
    return [] if "+" in ruleset else [f"{ruleset}+{option}" for option in suite.rules.options(ruleset)]


@cache
def subject_data() -> Mapping[str, Mapping[str, Any]]:
    """Return the other words for rules, and the items stated with them."""
    data: Mapping[str, Mapping[str, Any]] = read_data("subjects.yaml")
    return data


def also_asked(subject: str) -> list[tuple[str, ...]]:
    """Return the other phrases for a rule or a clause, in tokens."""
    phrases: str = subject_data().get(subject, {}).get("asked", "")
    return [tuple(tokens(each)) for each in phrases.split("|")]


def stated_with(subject: str) -> Sequence[str]:
    """Return the rules that an answer states with another."""
    joined: Sequence[str] = subject_data().get(subject, {}).get("with", ())
    return joined


def subjects_of(suite: Suite, games: Iterable[str]) -> list[AskedSubject]:
    """Return the rules and the clauses of some games."""
    rulesets = [name for game in games for name in rulesets_of(suite, game)]
    rules = [*_rules(suite, rulesets), *_rules_of_options(suite, rulesets)]
    return [*rules, *_clauses(suite, rulesets, frozenset(clause for each in rules for clause in each.clauses))]


def irregularities_elsewhere(suite: Suite, games: Iterable[str]) -> list[AskedSubject]:
    """Return the irregularities of other games only, on which the books of these games are silent."""
    own = {name for game in games for name in rulesets_of(suite, game)}
    others = _rules(suite, [name for name in suite.rulesets if name not in own], only=IRREGULARITIES)
    here = {cell.path for name in own for cell in suite.rules.cells(name)}
    return [each for each in others if each.id not in here]


def _rules(suite: Suite, rulesets: Iterable[str], only: str = "", known: Collection[str] = ()) -> list[AskedSubject]:
    """Return the rules of some rulesets whose paths begin so, except known ones."""
    having: dict[str, dict[str, rulebook.Entry]] = {}
    for name in rulesets:
        new = {cell.path: cell for cell in suite.rules.cells(name) if cell.path not in known}
        for chapter in rulebook.chapters(suite, Cells(new)) if new else ():
            for entry in chapter.entries:
                if entry.cell.path.startswith(only):
                    having.setdefault(entry.cell.path, {})[name] = entry
    return [_rule(path, entries) for path, entries in having.items()]


def _rules_of_options(suite: Suite, rulesets: Sequence[str]) -> list[AskedSubject]:
    """Return the rules that only options add."""
    known = {cell.path for name in rulesets for cell in suite.rules.cells(name)}
    return _rules(suite, [name for base in rulesets for name in options_of(suite, base)], known=known)


def _rule(path: str, entries: Mapping[str, rulebook.Entry]) -> AskedSubject:
    """Return a rule as a subject."""
    headings = dict.fromkeys(
        f"{each.group if each.group != each.heading else ''} {each.heading}" for each in entries.values()
    )
    last = path.rpartition(".")[2]
    own = [last] if path.startswith((IRREGULARITIES, "declare.melds.", "classes.combinations.")) else []
    names = dict.fromkeys((*(tuple(tokens(each)) for each in (*headings, *own)), *also_asked(path)))
    said = dict.fromkeys(each.sentence for each in entries.values())
    return AskedSubject(
        SubjectKind.IRREGULARITY if path.startswith(IRREGULARITIES) else SubjectKind.RULE,
        path,
        tuple(name for name in names if name),
        frozenset(tokens(" ".join((*headings, *said)))),
        tuple(dict.fromkeys(clause for each in entries.values() for clause in each.cell.cites)),
        frozenset(entries),
    )


def _clauses(suite: Suite, rulesets: Sequence[str], cited: frozenset[str]) -> list[AskedSubject]:
    """Return the clauses behind the rules, and the uncited clauses of the same books about the same games."""
    citing = {name: suite.rules.cited_by(name) for name in rulesets}
    sources = {source for name in rulesets for source in suite.rulesets[name].sources}
    games = {"", *(suite.rulesets[name].game for name in rulesets)}
    found = []
    for clause in suite.clauses.values():
        source = suite.sources[clause.id.partition("/")[0]]
        if clause.id in cited or (source.id in sources and source.game_of(clause.section) in games):
            book = {name: citing[name] for name in rulesets if source.id in suite.rulesets[name].sources}
            having = frozenset(name for name, own in book.items() if clause.id in own)
            names = (tuple(tokens(clause.says)), *also_asked(clause.id), *_law(clause.where))
            kind = SubjectKind.CLAUSE if clause.id in cited else SubjectKind.ALONE
            text = frozenset(word for name in names for word in name)
            having = having or _at_home(clause.id, book)
            found.append(AskedSubject(kind, clause.id, names, text, (clause.id,), having))
    return found


def _at_home(clause: str, book: Mapping[str, Iterable[str]]) -> frozenset[str]:
    """Return the rulesets of a book for an uncited clause: those that cite the most of its part."""
    counts = {name: sum(_section(each) == _section(clause) for each in own) for name, own in book.items()}
    most = max(counts.values(), default=0)
    return frozenset(name for name, count in counts.items() if count >= measure.AT_HOME * most)


def _law(where: str) -> list[tuple[str, ...]]:
    """Return the number of a law, by which players refer to it."""
    return [tuple(tokens(where))] if _A_LAW.fullmatch(where) else []


def _section(clause: str) -> str:
    """Return the book of a clause and the part that contains it."""
    return clause.rpartition("/")[0]
