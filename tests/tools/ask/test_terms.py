"""The terms that can be asked for: those of the games, and those of the page that explains the words of Hoyle."""

import pytest

from conftest import ROOT, the_suite
from hoyle_conformance.tools.ask.answer import Verdict, ask
from hoyle_conformance.tools.ask.terms import HOYLE, asked_terms, terms_asked_for
from hoyle_conformance.tools.ask.words import tokens
from hoyle_conformance.wording.glossary import terms

SUITE = the_suite()


def test_the_words_of_hoyle_are_those_of_the_glossary() -> None:
    """Each row of its tables but those of the commands is a term, and nothing else is."""
    own = {each.name: each.says for each in asked_terms() if each.of == HOYLE}
    page = (ROOT / "docs/glossary.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    heads = [line for line in rows if line in {"| word | meaning |", "| to | commands |"}]
    commands = rows[rows.index("| to | commands |") + 1 :]
    assert len(own) == len(rows) - len(heads) - len(commands) > 40
    assert own["clause"] == "One statement of a source, in our own words, with its place in the text."
    assert own["pass, fail"] == "The response agrees with the outcome, or differs from it."
    assert not any("](" in says or "`init`" in says for says in own.values())


def test_every_term_of_a_game_can_be_asked_for() -> None:
    for term in terms():
        for game in term.says:
            assert term.id in {each.id for each in terms_asked_for(tokens(term.name), [game])}, term.name


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "of", "name"),
    [
        ("what is a brisque?", "Bézique", "brisque"),
        ("what is the talon?", "Piquet", "stock"),
        ("What is a baseline?", HOYLE, "baseline"),
        ("what does timeout mean", HOYLE, "timeout"),
        ("ledger", HOYLE, "ledger"),
    ],
)
def test_a_term_is_explained(question: str, of: str, name: str) -> None:
    answer = ask(SUITE, question)
    assert answer.verdict is Verdict.SURE
    assert [(term.of, term.name) for term in answer.terms] == [(of, name)]
    assert bool(answer.subjects) is (of != HOYLE)


@pytest.mark.slow
def test_no_term_is_explained_to_one_who_asks_for_more() -> None:
    for question in ("how much is a brisque worth?", "when are brisques counted in rubicon bezique?", "points?"):
        assert ask(SUITE, question).terms == ()
