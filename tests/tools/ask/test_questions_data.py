"""The questions kept as data: their fields, the clauses and rulesets that they name, and that their answers fit."""

import json
import re
from collections import Counter

import pytest
from jsonschema import Draft202012Validator

from conftest import the_suite
from tools.ask.asked import FAMILIES, FILES, FOLDER, AskedQuestion, asked_questions, rows, states, unstated

SUITE = the_suite()
GAMES = {game: frozenset(each.id for each in rulesets) for game, rulesets in SUITE.rules.games.items()}
RULESETS = frozenset().union(*GAMES.values())
#: The questions of each family that have a certain answer are so many at the least, and so many of all have none.
CERTAIN = 100
UNCERTAIN = 20
QUESTIONS = {file: asked_questions(file, GAMES) for file in FILES}
EVERY_ONE = [question for questions in QUESTIONS.values() for question in questions]

each_family = pytest.mark.parametrize("family", FAMILIES)


def plain_words(question: str) -> str:
    return " ".join(re.findall(r"\w+", question.lower()))


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


@each_family
def test_a_family_has_enough_questions_with_a_certain_answer(family: str) -> None:
    certain = [question for question in QUESTIONS[family] if not question.unsure]
    assert len(certain) >= CERTAIN
    assert all(question.scope <= GAMES[FAMILIES[family]] for question in certain)


def test_some_questions_have_no_certain_answer() -> None:
    unsure = [question for question in EVERY_ONE if question.unsure]
    assert len(unsure) >= UNCERTAIN
    assert [question for question in unsure if question.clauses or question.facts or question.entry] == []


def test_no_question_is_asked_twice() -> None:
    times = Counter(plain_words(question.question) for question in EVERY_ONE)
    assert [words for words, count in times.items() if count > 1] == []


def test_every_ruleset_that_is_named_exists() -> None:
    for question in EVERY_ONE:
        named = question.scope | question.silent | frozenset(question.clauses)
        assert named <= RULESETS, question
        assert question.silent | frozenset(question.clauses) <= question.scope, question


def test_an_entry_is_a_game_or_a_ruleset_of_the_scope() -> None:
    for question in EVERY_ONE:
        assert frozenset(question.entry) <= question.scope | frozenset(FAMILIES), question


def test_every_clause_is_one_of_a_book_of_its_ruleset() -> None:
    for question in EVERY_ONE:
        cited = frozenset().union(*question.clauses.values())
        assert cited <= frozenset(SUITE.clauses), question
        books = frozenset().union(*(SOURCES[ruleset] for ruleset in question.clauses))
        assert {clause.partition("/")[0] for clause in cited} <= books, question


def test_a_question_with_a_certain_answer_has_clauses_or_an_entry() -> None:
    bare = [question for question in EVERY_ONE if not (question.unsure or question.clauses or question.entry)]
    assert bare == []


def test_facts_belong_to_a_book_that_speaks() -> None:
    silent = [question for question in EVERY_ONE if question.silent and question.silent == question.scope]
    assert silent
    assert [question for question in silent if question.facts] == []


@pytest.mark.parametrize("question", EVERY_ONE, ids=lambda question: plain_words(question.question))
def test_the_answer_states_the_facts(question: AskedQuestion) -> None:
    assert unstated(question.answer, question) == []


def test_a_number_is_stated_whole_and_a_word_by_its_beginning() -> None:
    answer = "A royal Marriage scores 1,500, and nobody déclares north of ten."
    stated = ["1500", "marri", "nobody", "declare", "ten"]
    assert [fact for fact in stated if not states(answer, fact)] == []
    assert [fact for fact in ["15", "500", "no", "carriage", "arriage"] if states(answer, fact)] == []
