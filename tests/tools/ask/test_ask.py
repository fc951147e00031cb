"""Asking: what the kept questions are answered, and laws that hold whatever is asked."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import Done, the_suite
from hoyle_conformance.tools.ask.answer import AskAnswer, Certainty, Verdict, ask, certainty_of, sentence_of
from hoyle_conformance.tools.ask.report import answer_lines, group_sentence
from hoyle_conformance.tools.ask.scope import find_scope
from hoyle_conformance.tools.ask.subjects import subject_data, subjects_of
from hoyle_conformance.tools.ask.words import word_table
from hoyle_conformance.wording.rulebook_entries import entry_at
from tools.ask.asked import FILES, AskedQuestion, asked_questions
from tools.ask.judged import Judged, judged, rulesets_in
from tools.ask.publish import PAGE, published, table

Hoyle = Callable[..., Done]

SUITE = the_suite()
GAMES = {game: frozenset(each.id for each in rulesets) for game, rulesets in SUITE.rules.games.items()}
QUESTIONS = [question for family in FILES for question in asked_questions(family, GAMES)]
FAMILY = {question.question: family for family in FILES for question in asked_questions(family, GAMES)}

#: At least this share of first answers is right and at most that share wrong: of all questions of a file.
ALL_RIGHT: Mapping[str, float] = {"bezique": 0.91, "piquet": 0.83, "blind": 0.83, "unseen": 0.68}
ALL_WRONG: Mapping[str, float] = {"bezique": 0.047, "piquet": 0.065, "blind": 0.046, "unseen": 0.077}
#: At least this share of the questions without a certain answer is not answered surely.
HONEST = 0.85

each_family = pytest.mark.parametrize("family", FILES)


@cache
def answered(question: str, under: str = "") -> AskAnswer:
    return ask(SUITE, question, under)


def shares(questions: list[AskedQuestion]) -> Mapping[Judged, float]:
    counts = Counter(judged(SUITE, each, answered(each.question, each.under)) for each in questions)
    return {each: counts[each] / len(questions) for each in Judged}


# ---- the kept questions


@pytest.mark.slow
@each_family
def test_first_answers_are_right(family: str) -> None:
    every = shares([each for each in QUESTIONS if FAMILY[each.question] == family])
    print(f"{family}: {dict(every)}")
    assert every[Judged.RIGHT] >= ALL_RIGHT[family]
    assert every[Judged.WRONG] <= ALL_WRONG[family]


@pytest.mark.slow
def test_the_documentation_has_the_measured_shares() -> None:
    assert published(PAGE.read_text("utf-8")) == table(SUITE, answered), (
        "cd tests && ../.venv/bin/python -m tools.ask.publish"
    )


@pytest.mark.slow
def test_questions_without_a_certain_answer_are_not_answered_surely() -> None:
    assert shares([each for each in QUESTIONS if each.unsure])[Judged.RIGHT] >= HONEST


@pytest.mark.slow
def test_no_answer_is_from_the_other_game() -> None:
    for question in QUESTIONS:
        (rulesets,) = [GAMES[game] for game in answered(question.question, question.under).question.scope.games]
        assert rulesets_in(answered(question.question, question.under)) <= rulesets


@pytest.mark.slow
def test_no_book_that_is_silent_stands_above_one_that_speaks() -> None:
    for question in QUESTIONS:
        for subject in answered(question.question, question.under).subjects:
            silent = [group.certainty is Certainty.SILENT for group in subject.groups]
            assert silent == sorted(silent), question


@pytest.mark.slow
def test_an_answer_that_is_not_sure_states_nothing_and_offers_something() -> None:
    for question in QUESTIONS:
        answer = answered(question.question, question.under)
        if answer.verdict is Verdict.UNSURE:
            assert (answer.subjects, bool(answer.offered), bool(answer.why_unsure)) == ((), True, True)
            assert len(answer.offered) <= 3


# ---- whatever is asked


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(sorted(word_table().near)), max_size=9).map(" ".join)))
def test_whatever_is_asked_is_answered_in_lines_of_eighty_columns(text: str) -> None:
    lines = [line for line, _style in answer_lines(SUITE, ask(SUITE, text))]
    assert 0 < len(lines) <= 6
    assert all(line.isprintable() for line in lines)
    assert all(len(line) <= 80 or " " not in line.strip() or line.lstrip().startswith("hoyle ") for line in lines)


# ---- words and scope


@pytest.mark.parametrize(
    ("text", "rulesets"),
    [
        ("chinese besique: last trick", {"six-deck-h2g2"}),
        ("rubicon bezique hoyle revoke", {"rubicon-hoyle"}),
        ("capot", GAMES["Piquet"]),
        ("parlet: who is elder?", {"piquet-saunt-parlett", "piquet-rubicon-parlett"}),
    ],
)
def test_words_that_name_a_game_a_book_or_a_form_are_the_scope(text: str, rulesets: set[str]) -> None:
    assert set(find_scope(SUITE, text).rulesets) == rulesets


def test_what_is_looked_for_otherwise_exists() -> None:
    known = {each.id for game in GAMES for each in subjects_of(SUITE, [game])}
    joined = {path for each in subject_data().values() for path in each.get("with", ())}
    assert subject_data().keys() | joined <= known


# ---- what the books leave open

#: The numbers that the ledgers write as words.
NUMBERS = {"ten": "10", "twenty": "20", "forty": "40", "fifty": "50", "hundred": "100"}


def numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", text.replace(",", ""))) | {NUMBERS[each] for each in text.split() if each in NUMBERS}


@pytest.mark.parametrize("name", SUITE.rules.names)
def test_no_book_is_called_silent_where_a_clause_of_it_states_the_value(name: str) -> None:
    """Such a clause names the cell among those that it leaves open, and has no number of the rule."""
    for cell in SUITE.rules.cells(name):
        entry = entry_at(SUITE, name, cell.path)
        if entry and certainty_of(entry) is Certainty.SILENT:
            own = SUITE.rulesets[name.partition("+")[0]].sources
            for clause in (SUITE.clauses[each] for each in cell.cites if each.partition("/")[0] in own):
                assert cell.path in clause.open, (cell.path, clause.id)
                assert not numbers(clause.says) & numbers(sentence_of(entry)), (cell.path, clause.id)


@pytest.mark.parametrize("name", SUITE.rulesets)
def test_every_rule_that_is_open_says_what_of_it_and_no_other_does(name: str) -> None:
    for cell in SUITE.rules.cells(name):
        answer = ask(SUITE, cell.path, name)
        groups = answer.subjects[0].groups
        assert [group.left_open for group in groups] == [cell.open], cell.path
        said = " ".join(map(group_sentence, groups))
        assert said.startswith("The book does not say ") == bool(cell.open and cell.open.scope == "rule"), cell.path
        assert not cell.open or f" {cell.open.words}." in said, cell.path


# ---- the command


@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked_for", "code", "said"),
    [
        (["may", "a", "queen", "be", "married", "twice?", "--long"], 0, "Rules: declare.same_kind"),
        (["I've already scored the sequence, may I score the marriage"], 0, "cannot score in a combination"),
        (["I have already scored the marriage, can I score the sequence?"], 0, "A card that has scored may score in"),
        (["every single trick at piquet"], 0, "Winning every trick (capot) scores 40."),
        (["may I keep quiet about a quatorze"], 1, "Not sure: "),
        (["how many cards are in the kitty at piquet"], 0, "Each player is dealt 12 cards"),
        (["what beats what in whist"], 3, "Hoyle knows only Bézique and Piquet."),
        (["how does Parlett differ from Hoyle about the dealer's exchange"], 0, "exchange is nothing"),
        (["difference between Hoyle and Bicycle"], 0, "hoyle rules bezique-bicycle bezique-hoyle --differences"),
        (["130 to 110 at rubicon piquet"], 0, "130 to 110: the winner gets 120."),
        (["130 to 88 at rubicon piquet"], 0, "130 to 88: the winner gets 318."),
        (["piquet misdeal 13 cards"], 0, "have the same dealer deal again"),
        (["who deals first, and how many cards does each get in bezique"], 0, "Each player is dealt eight"),
        (["how many points for a run of three at cribbage"], 3, "Hoyle knows only Bézique and Piquet."),
        (["rules of piquet"], 0, "hoyle rules piquet-hoyle"),
        (["what", "is", "a", "brisque?"], 0, "Brisque (Bézique): An ace or a ten in a trick."),
        (["what is a baseline?"], 0, "Baseline (Hoyle): A file that lists checks known to fail."),
        (["points?"], 1, "Not sure: the question does not say what it is about."),
        (["qwertz flurb zonk"], 3, "No rule has these words."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_command_answers_and_says_how_sure_it_is(hoyle: Hoyle, asked_for: list[str], code: int, said: str) -> None:
    done = hoyle("ask", *asked_for)
    assert (done.returncode, done.stderr) == (code, "")
    assert said in done.stdout
