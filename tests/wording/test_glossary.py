"""Terms: what they rest on, and how prose leads to them."""

from collections import Counter

import pytest

from hoyle_conformance.files.stemming import words
from hoyle_conformance.suite.suite import Suite
from hoyle_conformance.web.site import glossary_pages as glossary
from hoyle_conformance.web.site.glossary_pages import first_uses
from hoyle_conformance.web.site.navigation import folder
from hoyle_conformance.web.site.page import Page
from hoyle_conformance.wording.glossary import Term, terms
from hoyle_conformance.wording.html import Markup


def tables(suite: Suite, game: str) -> list[str]:
    """The tables of a game, those with an option too."""
    own = {ruleset.id for ruleset in suite.rules.games[game]}
    return [name for name in suite.rules.names if name.partition("+")[0] in own]


def test_the_rules_of_a_term_are_in_some_table_of_each_game_that_it_belongs_to(suite: Suite) -> None:
    paths = {
        game: {cell.path for each in tables(suite, game) for cell in suite.rules.cells(each)}
        for game in suite.rules.games
    }
    for term in terms():
        assert set(term.rules) <= set().union(*paths.values()), term.id
        for game in term.says:
            assert set(term.rules) & paths[game], (term.id, game)


def test_only_the_first_use_of_a_term_on_a_page_is_a_link() -> None:
    seen: set[str] = set()
    shown = first_uses("A brisque, and two Brisques.", "Bézique", "bezique/index.md", seen)
    assert shown == 'A <a href="../terms/brisque.html" class="term">brisque</a>, and two Brisques.'
    assert seen == {"brisque"}


def test_a_term_is_found_whole_by_its_longest_name_and_only_in_its_game() -> None:
    def found(words: str, game: str) -> str:
        seen: set[str] = set()
        first_uses(words, game, "x.html", seen)
        return " ".join(sorted(seen))

    assert found("a carte blanche, not a blanket", "Piquet") == "carte-blanche"
    assert found("the last tricks are the last of all", "Bézique") == "last-tricks"
    assert found("Bézique, and Rubicon Bézique", "Bézique") == ""
    assert found("bézique", "Bézique") == "bezique"
    assert found("a rubicon, a quatorze", "Bézique") == "rubicon"


def test_a_term_is_no_link_in_a_link_or_a_tag_or_on_its_own_page() -> None:
    marked = Markup('<p title="a pique"><a href="x">a pique</a> &amp; K♠, pique</p>')
    shown = first_uses(marked, "Piquet", "x.html", set())
    assert shown == marked.replace(", pique", ', <a href="terms/pique.html" class="term">pique</a>')
    assert first_uses("a pique", "Piquet", "terms/pique.html", set()) == "a pique"
    assert first_uses("<pique>", "Piquet", "terms/pique.html", set()) == "&lt;pique&gt;"


def test_terms_are_told_apart(suite: Suite) -> None:
    ids = [term.id for term in terms()]
    assert len(set(ids)) == len(ids) >= 60
    for game in suite.rules.games:
        own = [term for term in terms() if game in term.says]
        names = Counter("-".join(words(name)) for term in own for name in (term.name, *term.also))
        forms = Counter(form for term in own for form in set(term.linked))
        assert [name for name, times in (names | forms).items() if times > 1] == []


def test_a_term_leads_on_to_terms_and_clauses_that_there_are(suite: Suite) -> None:
    known = {term.id for term in terms()}
    for term in terms():
        assert set(term.see) <= known - {term.id}, term.id
        assert set(term.clauses) <= set(suite.clauses), term.id
        assert set(term.says) <= set(suite.rules.games), term.id


@pytest.fixture(scope="module")
def made(suite: Suite) -> dict[str, Page]:
    return {page.path: page for page in glossary.pages(suite)}


@pytest.mark.slow
def test_every_term_has_its_page_and_stands_in_the_lists_of_its_games(suite: Suite, made: dict[str, Page]) -> None:
    assert len(made) == len(terms()) + len(suite.rules.games)
    for term in terms():
        body = made[f"terms/{term.id}.md"].body
        for game in suite.rules.games:
            listed = f'href="../terms/{term.id}.html"' in made[f"{folder(game)}/terms.md"].body
            assert listed == (f"<h2>In {game}</h2>" in body) == (game in term.says), (term.id, game)
        assert body.count("<tr>") == len(term.says) + rows(suite, term), term.id


def rows(suite: Suite, term: Term) -> int:
    """How many rules its page shows, in all its games."""
    paths = [{cell.path for name in tables(suite, game) for cell in suite.rules.cells(name)} for game in term.says]
    return sum(len(set(term.rules) & known) for known in paths)
