"""What a source leaves open is never taken for certain: a cell that rests on it is disputed or supplied, or the ledger
says why it is certain; and no cell rests on a source of another game."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from hoyle_conformance.suite.lint.ids import left_open, lint_grounds, lint_open, lint_uncited
from hoyle_conformance.suite.model import Clause, Source
from hoyle_conformance.suite.suite import Suite


def cells(suite: Suite) -> Iterator[tuple[str, str, str]]:
    """Every cell of every table, with its options: the ruleset, the state of the cell, and a clause that it cites."""
    for name in suite.rules.names:
        for cell in suite.rules.of(name).cells:
            yield from ((name, cell.status, clause) for clause in cell.cites)


def test_what_is_left_open_is_disputed_or_supplied_or_said_to_be_decided(suite: Suite) -> None:
    open_ = {clause.id for clause in suite.clauses.values() if left_open(clause)}
    assert {"parlett/declare/need-not-call", "parlett/pique/younger-has-nothing"} <= open_
    certain = [(name, clause) for name, status, clause in cells(suite) if status in {"stated", "implied"}]
    assert [(name, clause) for name, clause in certain if clause in open_] == []


def test_no_cell_rests_on_a_source_of_another_game(suite: Suite) -> None:
    sources = {game: {source for each in of for source in each.sources} for game, of in suite.rules.games.items()}
    for name, _, clause in cells(suite):
        assert clause.partition("/")[0] in sources[suite.rulesets[name.partition("+")[0]].game], (name, clause)


def test_a_note_is_written_only_where_a_rule_rests_on_the_clause(suite: Suite) -> None:
    resting = {clause for _, _, clause in cells(suite)}
    assert [clause.id for clause in suite.clauses.values() if clause.decided and clause.id not in resting] == []


def test_a_note_is_written_only_where_something_is_left_open(suite: Suite) -> None:
    noted = [clause for clause in suite.clauses.values() if clause.decided]
    assert [clause.id for clause in noted if not left_open(replace(clause, decided=""))] == []


@pytest.mark.parametrize(
    ("says", "words"),
    [
        ("The cut decides. (Who cuts first is not said.)", "not said"),
        ("The text does not say which.", "does not say"),
        ("The cards lie open, and declared cards may be played.", ""),
        ("It is said before, and nothing else is scored.", ""),
    ],
)
def test_how_a_ledger_says_that_something_is_left_open(says: str, words: str) -> None:
    assert left_open(Clause("a/b", "page 1", "rule", says)) == words
    assert left_open(Clause("a/b", "page 1", "rule", says, decided="It lies in the word.")) == ""


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ({"cites": ["parlett/declare/need-not-call"]}, ["left-open"]),
        ({"cites": ["parlett/declare/need-not-call"], "status": "implied"}, ["left-open"]),
        ({"cites": ["parlett/declare/need-not-call"], "status": "supplied"}, []),
        ({"cites": ["parlett/declare/need-not-call"], "status": "disputed"}, []),
        ({"cites": ["parlett/declare/equal"]}, []),
        ({"cites": ["hoyle/bezique/cut"], "status": "supplied"}, ["clause-of-another-game"]),
        ({"cites": ["parlett/no/such"]}, []),
    ],
)
def test_what_is_told_of_a_cell(suite: Suite, cell: Mapping[str, Any], told: list[str]) -> None:
    ruleset = suite.rulesets["piquet-saunt-parlett"]
    assert [fault.code for fault in lint_grounds(suite, ruleset, ["classes", "sinking"], cell)] == told


FIRST_TO_REACH, EQUALITY = "hoyle/piquet/hundred-first-to-reach", "parlett/partie/equality"
TWO_DOUBTS = "Two deals follow. (The text does not say who deals. It can also mean one more.)"


def test_no_ledger_leaves_open_what_no_cell_holds(suite: Suite) -> None:
    assert [fault for source in suite.sources.values() for fault in lint_open(suite, source)] == []


@pytest.mark.parametrize(
    ("clause", "changes", "told"),
    [
        (FIRST_TO_REACH, {"open": ()}, 'leaves something open ("separate rule")'),
        (FIRST_TO_REACH, {"open": (), "decided": ""}, 'leaves something open ("does not say")'),
        (FIRST_TO_REACH, {"open": (), "decided": "Nothing can change it."}, ""),
        (FIRST_TO_REACH, {"open": ("settle.target",)}, "'settle.target' is neither disputed"),
        (FIRST_TO_REACH, {"open": ("seven.when",)}, "'seven.when' is neither disputed"),  # of another game of the book
        (
            "h2g2/rubicon/fifth-king",
            {"open": ("declare.melds.four-aces",)},
            "supplied in four-handed-h2g2, which rests",
        ),
        (EQUALITY, {"decided": ""}, ""),
        (EQUALITY, {"decided": "", "says": TWO_DOUBTS}, "leaves 2 things open, but its cells have readings for 1"),
        (EQUALITY, {"says": TWO_DOUBTS}, ""),
    ],
)
def test_what_is_left_open_names_a_cell_that_holds_it_with_a_reading_for_each_doubt(
    suite: Suite, clause: str, changes: Mapping[str, Any], told: str
) -> None:
    source = suite.sources[clause.partition("/")[0]]
    at = next(number for number, each in enumerate(source.clauses) if each.id == clause)
    alone = replace(source, clauses=(*source.clauses[:at], replace(source.clauses[at], **changes)))
    faults = list(lint_open(suite, alone))
    assert len(faults) == bool(told)
    assert all(told in fault.message for fault in faults)


def test_of_a_ledger_that_no_table_rests_on_no_cell_is_asked(suite: Suite) -> None:
    source = replace(suite.sources["parlett"], id="unread", games={})
    assert list(lint_open(suite, replace(source, clauses=(Clause("a/b", "page 1", "rule", "It is not said."),)))) == []


# ---- a complete ledger


def with_clause_more(source: Source, clause: Clause) -> Source:
    """A ledger with one clause more at its end, which nothing cites."""
    data = source.document.data
    clauses = [*data["clauses"], {"id": clause.id, "says": clause.says}]
    document = replace(source.document, data={**data, "clauses": clauses})
    return replace(source, clauses=(*source.clauses, clause), document=document)


def test_a_clause_of_a_complete_ledger_that_nothing_cites_is_a_fault(suite: Suite) -> None:
    assert [fault for source in suite.sources.values() for fault in lint_uncited(suite, source)] == []
    source = suite.sources["hoyle"]
    more = with_clause_more(source, Clause("hoyle/bezique/never-cited", "here", "rule", "A rule."))
    (fault,) = lint_uncited(suite, more)
    assert fault.code == "cited-nowhere"
    assert "no cell and no scenario cites 'hoyle/bezique/never-cited'" in fault.message
    assert list(lint_uncited(suite, replace(more, complete=False))) == []


def test_a_clause_that_cannot_be_tested_need_not_be_cited(suite: Suite) -> None:
    advice = Clause("hoyle/bezique/never-cited", "here", "advice", "A piece of advice.", not_testable="Advice.")
    assert list(lint_uncited(suite, with_clause_more(suite.sources["hoyle"], advice))) == []
