"""The questions kept as data: their fields, the clauses and rulesets that they name, and that their answers fit."""

import json
import re
from collections import Counter

import pytest
from jsonschema import Draft202012Validator

from conftest import the_suite
from tools.ask.asked import FAMILIES, FILES, FOLDER, asked_questions, rows, unstated

SUITE = the_suite()
GAMES = {game: frozenset(each.id for each in rulesets) for game, rulesets in SUITE.rules.games.items()}
RULESETS = frozenset().union(*GAMES.values())
QUESTIONS = {file: asked_questions(file, GAMES) for file in FILES}
EVERY_ONE = [question for questions in QUESTIONS.values() for question in questions]


def sources_of(ruleset: str) -> frozenset[str]:
    """The books of a ruleset, and of those that it extends."""
    table = SUITE.rules.table(ruleset)
    own: frozenset[str] = frozenset(table.get("sources", ()))
    return own | sources_of(table["extends"]["id"]) if "extends" in table else own


SOURCES = {ruleset: sources_of(ruleset) for ruleset in RULESETS}


@pytest.mark.parametrize("file", FILES)
def test_every_question_has_the_fields_of_the_schema(file: str) -> None:
    schema = json.loads((FOLDER / "questions.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    found = Draft202012Validator(schema).iter_errors(rows(file))
    assert [f"{list(error.absolute_path)}: {error.message}" for error in found] == []


def test_no_question_is_asked_twice() -> None:
    times = Counter(" ".join(re.findall(r"\w+", question.question.lower())) for question in EVERY_ONE)
    assert [words for words, count in times.items() if count > 1] == []


def test_every_ruleset_and_clause_that_is_named_exists() -> None:
    for question in EVERY_ONE:
        named = question.silent | frozenset(question.clauses)
        assert named <= question.scope <= RULESETS, question
        assert frozenset(question.entry) <= question.scope | frozenset(FAMILIES), question
        cited = frozenset().union(*question.clauses.values())
        assert cited <= frozenset(SUITE.clauses), question
        books = frozenset().union(*(SOURCES[ruleset] for ruleset in question.clauses))
        assert {clause.partition("/")[0] for clause in cited} <= books, question


def test_each_answer_states_the_facts() -> None:
    assert [question.question for question in EVERY_ONE if unstated(question.answer, question)] == []
