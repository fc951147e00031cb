"""The terms that can be asked for: those of the games, and those of the page that explains the words of Hoyle."""

from conftest import ROOT
from hoyle_conformance.tools.ask.terms import HOYLE, asked_terms, terms_asked_for
from hoyle_conformance.tools.ask.words import tokens
from hoyle_conformance.wording.glossary import terms


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
